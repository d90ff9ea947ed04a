//! `keepers likeness`: shows in how many decisions two strategies differ, and what the differences cost.

use keepers::Objective;
use keepers_api::{DisagreementView, LikenessAnswer, LikenessRequest};

use crate::args::Likeness;
use crate::inputs::Inputs;
use crate::output;
use crate::session::Session;

pub fn run(session: &Session, args: &Likeness) -> anyhow::Result<()> {
    let mut inputs = Inputs::new(session);
    let rules = inputs.rules(&args.game.rules);
    let objectives: Vec<Objective> =
        [&args.strategy, &args.other].into_iter().filter_map(|text| text.parse().ok()).collect();
    let utilities = inputs.utilities("strategy", &objectives);
    let (card, strategy, other) = (args.card.clone(), args.strategy.clone(), args.other.clone());
    let answer = inputs.ask(&LikenessRequest { rules, card, strategy, other, utilities })?;
    if session.json { output::json(&answer) } else { output::text(&page(&answer)) }
}

/// The unit of the values of a strategy.
fn unit(strategy: &str) -> (f64, &'static str) {
    match strategy.parse() {
        Ok(Objective::Expected) => (1.0, "points"),
        Ok(Objective::Reach(_) | Objective::Tournament(_)) => (100.0, "%"),
        _ => (1.0, ""),
    }
}

fn page(answer: &LikenessAnswer) -> String {
    let LikenessAnswer { rules, strategy, other, decisions, after_rolls, turns, .. } = answer;
    let ((own, own_unit), (factor, other_unit)) = (unit(strategy), unit(other));
    let known = |value: Option<f64>, show: &dyn Fn(f64) -> String| value.map_or("-".to_string(), show);
    let row = |name: String, of: &DisagreementView, decisions: f64| {
        vec![
            name,
            output::percent(of.differs / decisions),
            known(of.worse, &|worse| output::percent(worse / decisions)),
            known(of.loss, &|loss| format!("{:.4} {other_unit}", factor * loss)),
            known(of.other_loss, &|loss| format!("{:.4} {own_unit}", own * loss)),
        ]
    };
    let last = after_rolls.len() - 1;
    let mut rows = Vec::new();
    for (nth, of) in after_rolls.iter().enumerate() {
        let name = if nth == last { "box".to_string() } else { format!("keep after roll {}", nth + 1) };
        rows.push(row(name, of, turns.len() as f64));
    }
    for (nth, of) in (1..).zip(turns) {
        rows.push(row(format!("turn {nth}"), of, after_rolls.len() as f64));
    }
    rows.push(row("whole game".to_string(), &answer.game, *decisions as f64));
    let headings = [
        "decisions",
        ">differ",
        &format!(">worse for {other}"),
        &format!(">lost for {other}"),
        &format!(">{other} would lose for {strategy}"),
    ];
    format!("{rules}: {strategy} plays, compared with {other}\n\n{}", output::table(&headings, rows))
}
