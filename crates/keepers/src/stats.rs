//! Means and shares of samples, with their errors.

/// Returns the mean of some values and its standard error, which is NaN for a single value.
pub(crate) fn mean_and_error(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let spread: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, (spread / (n - 1.0) / n).sqrt())
}

/// Returns the interval that contains the true share with a probability of about 95 %, if `share` was observed in `n`
/// independent trials (Wilson's interval). It is also valid for shares of 0 and 1.
pub(crate) fn interval_of_share(share: f64, n: f64) -> (f64, f64) {
    /// The half-width of the interval in standard errors.
    const HALF_WIDTH: f64 = 2.0;
    let z = HALF_WIDTH * HALF_WIDTH / n;
    let middle = (share + z / 2.0) / (1.0 + z);
    let half = (z * share * (1.0 - share) + z * z / 4.0).sqrt() / (1.0 + z);
    ((middle - half).max(0.0), (middle + half).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standard_errors_follow_from_the_spread() {
        let (mean, error) = mean_and_error(&[1.0, 2.0, 3.0, 4.0]);
        assert_eq!(mean, 2.5);
        assert!((error - (5.0_f64 / 3.0 / 4.0).sqrt()).abs() < 1e-15);
        assert!(mean_and_error(&[7.0]).1.is_nan());
    }

    #[test]
    fn intervals_contain_the_true_share_as_often_as_stated() {
        // All possible counts in 50 trials, each with its probability.
        for p in [0.02, 0.3, 0.5, 0.9] {
            let mut probability = (1.0_f64 - p).powi(50);
            let mut held = 0.0;
            for count in 0..=50 {
                let (low, high) = interval_of_share(f64::from(count) / 50.0, 50.0);
                if low <= p && p <= high {
                    held += probability;
                }
                probability *= p / (1.0 - p) * f64::from(50 - count) / f64::from(count + 1);
            }
            assert!((0.91..0.99).contains(&held), "{p}: {held}");
        }
        assert_eq!(interval_of_share(0.0, 100.0).0, 0.0);
        assert!(interval_of_share(1.0, 100.0).0 < 0.97);
    }
}
