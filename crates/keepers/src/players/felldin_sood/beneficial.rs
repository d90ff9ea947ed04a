//! The probability that dice become beneficial for a box: equations 2 to 4 of Felldin and Sood.

/// Returns the probability that the number of beneficial dice among `dice` dice goes from `from` to `to` in `rerolls`
/// rerolls (equations 3 and 4). Beneficial dice are kept and the others rolled; a rolled die becomes beneficial with
/// probability `p`.
///
/// Equation 3 is printed as if the beneficial dice were rolled. The appendix (1.3), its tables and its program roll the
/// others, and so do we. For more than two rerolls, equation 4 is applied repeatedly.
///
/// ```
/// use keepers::internals::players::felldin_sood::probability_of;
/// // From three sixes to four: one of two dice hits, and the other does not.
/// let by_hand = 2.0 * (1.0 / 6.0) * (5.0 / 6.0);
/// assert!((probability_of(5, 3, 4, 1.0 / 6.0, 1) - by_hand).abs() < 1e-12);
/// ```
pub fn probability_of(dice: u8, from: u8, to: u8, p: f64, rerolls: u8) -> f64 {
    if to < from || dice < to {
        return 0.0;
    }
    match rerolls {
        0 => f64::from(u8::from(from == to)),
        1 => {
            let (rolled, hits) = (dice - from, to - from);
            choose(rolled, hits) * p.powi(i32::from(hits)) * (1.0 - p).powi(i32::from(rolled - hits))
        }
        _ => {
            let by_way_of = |between| {
                probability_of(dice, from, between, p, 1) * probability_of(dice, between, to, p, rerolls - 1)
            };
            (from..=to).map(by_way_of).sum()
        }
    }
}

/// Returns the number of ways to choose `m` of `n` things (equation 2).
fn choose(n: u8, m: u8) -> f64 {
    (0..m).map(|i| f64::from(n - i) / f64::from(i + 1)).product()
}

/// Returns the probability that at least `wanted` of `rolled` dice become beneficial in `rerolls` rerolls.
pub(super) fn at_least(wanted: u8, rolled: u8, p: f64, rerolls: u8) -> f64 {
    if wanted == 0 {
        return 1.0; // and not a sum that rounding leaves just below
    }
    (wanted..=rolled).map(|hits| probability_of(rolled, 0, hits, p, rerolls)).sum()
}
