//! `keepers duel`: who wins between two players who both play perfectly.

use std::time::Instant;

use keepers::advise::{Advice, BestResult, advise};
use keepers::solve::{DuelCost, DuelTask, Kept};
use keepers::{Card, Roll};
use keepers_web::views::{Ranked, ranked};
use serde::Serialize;

use crate::args::Duel;
use crate::bad_input::{BadInput, Problems};
use crate::choices::{Page, check_open, read_rolls_left};
use crate::output;
use crate::session::{self, Session};

#[derive(Serialize)]
struct Answer {
    /// With a roll, what the best choice is worth.
    value: f64,
    exact: bool,
    seconds: f64,
    pairs: usize,
    lanes: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    before_roll: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    choices: Option<Vec<Ranked>>,
}

pub fn run(session: &Session, args: &Duel) -> anyhow::Result<()> {
    let game = session::game(&args.game.rules)?;
    let rules = game.rules();
    let mut problems = Problems::default();
    let mover = problems.note("to-move", Card::parse(&game, &args.to_move));
    let other = problems.note("other", Card::parse(&game, &args.other));
    let read_roll = |text: &String| Roll::parse(text, rules.dice(), rules.faces());
    let roll = problems.note("roll", args.roll.as_ref().map(read_roll).transpose());
    let rolls_left = problems.note("rolls-left", read_rolls_left(args.rolls_left.as_deref(), rules));
    let choosing = mover.as_ref().filter(|_| args.roll.is_some());
    problems.note("to-move", choosing.map_or(Ok(()), check_open));
    let position = mover.as_ref().zip(other.as_ref());
    let task = position.map(|(mover, other)| DuelTask::new(&game, mover, other)).transpose();
    let task = problems.note("cards", task);
    problems.check()?;
    let (Some(mover), Some(other), Some(roll), Some(rolls_left), Some(Some(task))) =
        (mover, other, roll, rolls_left, task)
    else {
        unreachable!("all problems were told")
    };

    let started = Instant::now();
    task.check_memory(Kept::Turn, usize::from(args.memory) << 30)
        .map_err(|error| BadInput(format!("{error}; --memory says how much")))?;
    let cost = task.cost(Kept::Turn);
    let watcher = session.engine.store().watcher();
    let work = format!("solving a duel of {}", rules.name());
    let duel = task
        .solve(Kept::Turn, &|done, all| watcher.progress(&work, done, all), &|| false)
        .expect("nobody stops it");
    let seconds = started.elapsed().as_secs_f64();
    let prospect = BestResult { duel: &duel, rival: &other };
    let advice = roll.as_ref().map(|roll| advise(&game, &prospect, &mover, roll, rolls_left));
    let advice = advice.transpose().map_err(|error| BadInput(error.to_string()))?;
    if session.json {
        return output::json(&Answer {
            value: advice.as_ref().map_or(duel.value(), |advice| advice.value),
            exact: true,
            seconds,
            pairs: cost.pairs,
            lanes: cost.lanes,
            before_roll: advice.as_ref().map(|_| duel.value()),
            choices: advice.map(|advice| ranked(&advice, rules)),
        });
    }
    let position = position_in_words(&mover, &other, duel.value());
    let spent = spent(cost, seconds);
    let (Some(roll), Some(Advice { value, .. })) = (&roll, &advice) else {
        return output::text(&format!("{position}\n{spent}"));
    };
    let page = Page {
        rules,
        card: &mover,
        roll,
        rolls_left,
        heading: ">result",
        written: output::percent,
        promise: format!("Expected result: {}", output::percent(*value)),
    };
    let shown = if args.all { usize::MAX } else { 10 };
    let page = advice.as_ref().map_or(String::new(), |advice| page.show(advice, shown));
    output::text(&format!("{page}\n\nbefore this roll: {position}\n{spent}"))
}

/// The position and its value.
fn position_in_words(mover: &Card, other: &Card, value: f64) -> String {
    let [mine, theirs] = [mover, other].map(|card| {
        let open = output::count(card.open_boxes().len(), "open box", "open boxes");
        format!("{} points and {open}", card.total())
    });
    format!(
        "{mine} against {theirs}: expected result {} for the player to move (a draw is half a win)",
        output::percent(value)
    )
}

fn spent(cost: DuelCost, seconds: f64) -> String {
    let pairs = output::count(cost.pairs, "pair of states", "pairs of states");
    let lanes = output::count(cost.lanes, "value", "values");
    format!("exact: {pairs}, {lanes}, {seconds:.2} s")
}
