//! The pseudocode of the best Yatzy strategy, with a literal implementation of its two phases.

use keepers::internals::turn::{LANES, Row, Rows};
use keepers::{Game, Objective, Pattern};

use crate::document::Item;
use crate::run::Run;

pub const ITEMS: &[Item] = &[
    Item { id: "value", quick: true, run: value },
    Item { id: "complexity", quick: true, run: complexity },
    Item { id: "two-pairs", quick: true, run: two_pairs },
];

/// The upper total at which the bonus is paid. Larger totals are stored as this one.
const CAP: usize = 63;

/// The numbers of upper totals per set of boxes.
const TOTALS: usize = CAP + 1;

/// Which upper totals are possible with which upper boxes: bit n of element s is total n with the set s.
type Reachable = [u64; 64];

/// Phase 1 as printed: exactly n points are possible, although larger totals are stored as 63.
fn reachable_as_printed() -> Reachable {
    let mut reachable = [1_u64; 64];
    for set in 1..64_usize {
        for n in 1..TOTALS {
            let possible = (1..=6).filter(|x| set >> (x - 1) & 1 == 1).any(|x| {
                let rest = set & !(1 << (x - 1));
                (0..=5).any(|k| k * x <= n && reachable[rest] >> (n - k * x) & 1 == 1)
            });
            reachable[set] |= u64::from(possible) << n;
        }
    }
    reachable
}

/// The upper totals that can occur, where 63 stands for every total of at least 63.
fn reachable_in_truth() -> Reachable {
    let mut reachable = [0_u64; 64];
    reachable[0] = 1;
    for set in 1..64_usize {
        let x = set.trailing_zeros() as usize + 1;
        let rest = set & (set - 1);
        let before = reachable[rest];
        for n in (0..TOTALS).filter(|n| before >> n & 1 == 1) {
            (0..=5).for_each(|k| reachable[set] |= 1 << (n + k * x).min(CAP));
        }
    }
    reachable
}

/// Returns the number of states (C, m) that a reachability declares valid.
fn valid_states(reachable: &Reachable) -> u64 {
    reachable.iter().map(|totals| u64::from(totals.count_ones())).sum::<u64>() << 9
}

/// Phase 2 as printed: a table with a slot for every set of boxes and every upper total, of which only those of valid
/// states are computed. All others stay 0. The inside of a turn uses eqs. (4) and (6) of Pawlewicz instead of sums over
/// all outcomes, which gives equal values.
fn expected_score(game: &Game, reachable: &Reachable) -> f64 {
    let boxes = game.rules().boxes().values();
    let lattice = game.lattice();
    let rolls: Vec<usize> = lattice.rolls().collect();
    let points: Vec<Vec<f64>> = boxes
        .iter()
        .map(|rule| {
            rolls.iter().map(|&roll| f64::from(rule.pattern.points(&lattice.keeps()[roll]))).collect()
        })
        .collect();
    let is_upper: Vec<bool> = boxes.iter().map(|rule| matches!(rule.pattern, Pattern::Face(_))).collect();
    let all = 1_usize << boxes.len();
    let mut table = vec![0.0_f64; all * TOTALS];
    for (m, slot) in table[(all - 1) * TOTALS..].iter_mut().enumerate() {
        *slot = if m >= CAP { 50.0 } else { 0.0 };
    }
    let mut rows: Rows<f64, LANES> = Rows::new();
    let mut sets: Vec<usize> = (0..all - 1).collect();
    sets.sort_by_key(|set| std::cmp::Reverse(set.count_ones()));
    for set in sets {
        let valid = reachable[set & 63];
        let open: Vec<usize> = (0..boxes.len()).filter(|c| set >> c & 1 == 0).collect();
        for first in (0..TOTALS).step_by(LANES).filter(|first| valid >> first & ((1 << LANES) - 1) != 0) {
            for (nth, &roll) in rolls.iter().enumerate() {
                let mut best = Row([f64::MIN; LANES]);
                for &c in &open {
                    let score = points[c][nth];
                    let after = &table[(set | 1 << c) * TOTALS..][..TOTALS];
                    for (lane, best) in best.0.iter_mut().enumerate() {
                        let m = first + lane;
                        let m = if is_upper[c] { (m + score as usize).min(CAP) } else { m };
                        *best = best.max(score + after[m]);
                    }
                }
                *rows.get_mut(roll as u16) = best;
            }
            for _ in 0..2 {
                game.turn().chance(&mut rows);
                game.turn().choice(&mut rows);
            }
            game.turn().chance(&mut rows);
            for (lane, value) in rows.get(0).0.iter().enumerate() {
                if valid >> (first + lane) & 1 == 1 {
                    table[set * TOTALS + first + lane] = *value;
                }
            }
        }
    }
    table[0]
}

/// The best expected score: by the library, by the pseudocode as printed, and with its reachability corrected.
fn value(run: &mut Run<'_>) -> anyhow::Result<()> {
    let game = run.game("yatzy")?;
    run.exact("best", run.engine().value(&game.empty_card(), &Objective::Expected)?);
    let (printed, truth) = (reachable_as_printed(), reachable_in_truth());
    run.exact("as-printed", expected_score(&game, &printed));
    run.exact("corrected", expected_score(&game, &truth));
    run.exact("pruned-reachable", (valid_states(&truth) - valid_states(&printed)) as f64);
    Ok(())
}

/// The table of the complexity, counted.
fn complexity(run: &mut Run<'_>) -> anyhow::Result<()> {
    let game = run.game("yatzy")?;
    let lattice = game.lattice();
    let boxes = game.space().boxes();
    let (rolls, keeps) = (lattice.rolls().len(), lattice.keeps().len());
    run.exact("slots", ((1_u64 << boxes) * TOTALS as u64) as f64);
    run.exact("reachable", game.space().counts().totals as f64);
    run.exact("reachable-as-printed", valid_states(&reachable_as_printed()) as f64);
    run.exact("merged", game.space().states() as f64);
    let share = |reachable: &Reachable| {
        let valid: u32 = reachable.iter().map(|totals| totals.count_ones()).sum();
        100.0 * (1.0 - f64::from(valid) / (64.0 * TOTALS as f64))
    };
    run.exact("unreachable", share(&reachable_in_truth()));
    run.exact("unreachable-as-printed", share(&reachable_as_printed()));
    run.exact("widget-states", (1 + 3 * rolls + 2 * keeps) as f64);
    let within: Vec<usize> = lattice.rolls().map(|roll| lattice.within(roll).count()).collect();
    let choices: usize = within.iter().sum();
    // A keep leads to every roll that contains it, so there are as many pairs as there are choices.
    let edges = |boxes: usize| rolls + 4 * choices + boxes * rolls;
    run.exact("edges", edges(boxes) as f64);
    run.exact("edges-of-13-boxes", edges(13) as f64);
    run.exact("rolls", rolls as f64);
    run.exact("keeps", keeps as f64);
    run.exact("most-choices", within.iter().max().copied().unwrap_or(0) as f64);
    run.exact("fewest-choices", within.iter().min().copied().unwrap_or(0) as f64);
    run.exact("boxes", boxes as f64);
    run.exact("table-mb", ((1_u64 << boxes) * TOTALS as u64 * 4) as f64 / f64::from(1 << 20));
    run.exact("widget-kb", (3 * rolls * 4) as f64 / 1024.0);
    let bonus = game.rules().upper_bonus();
    run.exact("bonus", bonus.map_or(0.0, |bonus| f64::from(bonus.points)));
    run.exact("threshold", bonus.map_or(0.0, |bonus| f64::from(bonus.threshold)));
    Ok(())
}

/// Yatzy with a fallback: Two Pairs pays a single pair if there is no second one.
pub(crate) fn one_pair_in_two_pairs() -> String {
    let yatzy = keepers::Rules::preset("yatzy").expect("a preset").to_toml();
    let two_pairs = "of = [2, 2]\nsame_face = false\npays = \"matching\"\n";
    let fallback =
        format!("{two_pairs}otherwise = {{ pattern = \"sets\", of = [2], pays = \"matching\" }}\n");
    yatzy.replacen(two_pairs, &fallback, 1).replacen("\"yatzy\"", "\"yatzy-pair-in-two-pairs\"", 1)
}

/// The value of Yatzy if Two Pairs also pays for a single pair.
fn two_pairs(run: &mut Run<'_>) -> anyhow::Result<()> {
    let game = run.game(&one_pair_in_two_pairs())?;
    run.exact("one-pair-in-two-pairs", run.engine().value(&game.empty_card(), &Objective::Expected)?);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_printed_reachability_prunes_states_that_occur() {
        let (printed, truth) = (reachable_as_printed(), reachable_in_truth());
        assert_eq!((valid_states(&printed), valid_states(&truth)), (1_429_504, 1_430_528));
        // With threes, fours and sixes, or threes, fives and sixes, 63 is impossible, but more than 63 is not.
        let differ: Vec<usize> = (0..64).filter(|&set| printed[set] != truth[set]).collect();
        assert_eq!(differ, [0b101100, 0b110100]);
        assert!(differ.iter().all(|&set| printed[set] ^ truth[set] == 1 << CAP));
        let game = Game::preset("yatzy").unwrap();
        assert_eq!(game.space().counts().totals, 1_430_528);
    }

    #[test]
    fn the_pseudocode_as_printed_is_off_by_0_000157() {
        let game = Game::preset("yatzy").unwrap();
        let as_printed = expected_score(&game, &reachable_as_printed());
        assert!((as_printed - 248.439_832_209).abs() < 5e-10, "{as_printed}");
        let corrected = expected_score(&game, &reachable_in_truth());
        assert!((corrected - 248.439_989_378).abs() < 5e-10, "{corrected}");
    }
}
