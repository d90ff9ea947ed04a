//! `keepers states`: how many states a game has, for one player or two.

use std::iter::zip;
use std::time::Duration;

use keepers::Game;
use keepers::solve::{TwoPlayerSize, two_player_size};
use serde::Serialize;

use crate::args::States;
use crate::bad_input::{BadInput, Problems};
use crate::output;
use crate::pace::{self, LANES};
use crate::session::{self, Session};

#[derive(Serialize)]
struct Answer {
    states: usize,
    upper_totals: usize,
    upper_needs: usize,
}

/// Of the game of two; all but the counts are estimates.
#[derive(Serialize)]
struct TwoPlayerAnswer {
    states: u128,
    pairs: u128,
    bytes: u128,
    turns: u128,
    seconds_a_turn: f64,
    core_days: f64,
}

pub fn run(session: &Session, args: &States) -> anyhow::Result<()> {
    let mut problems = Problems::default();
    let game = problems.note("rules", session::game(&args.game.rules));
    let players = problems.note("players", read_players(&args.players));
    problems.check()?;
    let (Some(game), Some(players)) = (game, players) else { unreachable!("all problems were told") };
    if players == 2 { two_players(session, &game) } else { one_player(session, &game) }
}

fn read_players(text: &str) -> Result<u8, BadInput> {
    text.parse().ok().filter(|players| (1..=2).contains(players)).ok_or_else(|| {
        BadInput(format!("\"{text}\" is not a number of players whose states are counted: write 1 or 2"))
    })
}

fn one_player(session: &Session, game: &Game) -> anyhow::Result<()> {
    let counts = game.space().counts();
    if session.json {
        let (upper_totals, upper_needs) = (counts.totals, counts.needs);
        return output::json(&Answer { states: counts.states, upper_totals, upper_needs });
    }
    let rows = [
        ("boxes filled, and upper totals that they can make", counts.totals),
        ("totals merged that the open boxes cannot tell apart", counts.needs),
        ("\"has the bonus\" and \"cannot get it\" merged: score states", counts.states),
    ];
    let rows = rows.map(|(step, states)| vec![step.to_string(), output::grouped(states)]);
    output::text(&output::table(&["step", ">states"], rows))
}

fn two_players(session: &Session, game: &Game) -> anyhow::Result<()> {
    let answer = answer(&two_player_size(game), &pace::seconds_a_turn(game, Duration::from_secs(1)));
    if session.json { output::json(&answer) } else { output::text(&page(&answer, game)) }
}

fn answer(size: &TwoPlayerSize, seconds_a_turn: &[f64]) -> TwoPlayerAnswer {
    // Finished games need no turn.
    let layers = || zip(&size.layers, seconds_a_turn).skip(1);
    let turns = layers().map(|(layer, _)| layer.turns(LANES as u128)).sum();
    let seconds: f64 = layers().map(|(layer, seconds)| layer.turns(LANES as u128) as f64 * seconds).sum();
    TwoPlayerAnswer {
        states: size.states(),
        pairs: size.pairs(),
        bytes: size.states() * size_of::<f64>() as u128,
        turns,
        seconds_a_turn: seconds / turns as f64,
        core_days: seconds / 86_400.0,
    }
}

fn page(answer: &TwoPlayerAnswer, game: &Game) -> String {
    let score_states = game.space().states();
    let rows = [
        ("score states of one player", output::grouped(score_states)),
        ("pairs of them that can face each other", output::grouped(answer.pairs)),
        ("pairs, each with the score differences that leave the result open", output::grouped(answer.states)),
    ];
    let rows = rows.map(|(what, number)| vec![what.to_string(), number]);
    format!(
        "{}\nA solve would take {} at 8 bytes a state and, by an estimate from a second of turns on this machine, \
         {} core-days.",
        output::table(&["two players", ">states"], rows),
        output::bytes(answer.bytes),
        rounded(answer.core_days),
    )
}

/// Two digits are all that an estimate has.
fn rounded(days: f64) -> String {
    if days < 0.01 {
        return "less than 0.01".to_string();
    }
    let digits = (1 - days.log10().floor() as i32).max(0) as usize;
    let unit = 10f64.powi(days.log10().floor() as i32 - 1).max(1.0);
    if digits > 0 { format!("{days:.digits$}") } else { output::grouped((days / unit).round() * unit) }
}
