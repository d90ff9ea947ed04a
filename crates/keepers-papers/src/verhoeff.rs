//! Verhoeff (1999): optimal solitaire Yahtzee.

use keepers::Objective;

use crate::document::Item;
use crate::draw::{cell, distribution};
use crate::run::Run;

pub const ITEMS: &[Item] = &[Item { id: "averages", quick: true, run: averages }];

/// The mean and the deviation of the score, and the mean of each box.
fn averages(run: &mut Run<'_>) -> anyhow::Result<()> {
    let game = run.game("yahtzee-free-joker")?;
    let (statistics, value) = run.engine().distribution(&game.empty_card(), &Objective::Expected)?;
    run.exact("mean", value);
    run.exact("deviation", statistics.deviation());
    for (id, rule) in game.rules().boxes().iter() {
        run.exact(&rule.id, statistics.boxes[id].mean());
    }
    let bonus = game.rules().upper_bonus().map_or(0.0, |bonus| f64::from(bonus.points));
    let extra = game.rules().extra().map_or(0.0, |extra| f64::from(extra.points));
    let extras: f64 = statistics.extras.iter().zip(0..).map(|(p, n)| p * f64::from(n)).sum();
    run.exact("bonus", bonus * statistics.upper_bonus);
    run.exact("extra", extra * extras);
    let rows: Vec<Vec<String>> =
        (0..).zip(&statistics.probability).map(|(s, p): (u32, _)| vec![s.to_string(), cell(*p)]).collect();
    run.csv("scores", &["score", "probability"], &rows)?;
    let picture =
        distribution("The final score of the best strategy", "yahtzee-free-joker", &statistics.probability);
    run.picture("scores", &picture)
}
