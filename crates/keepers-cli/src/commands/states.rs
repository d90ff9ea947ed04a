//! `keepers states`: how many states a game has, for one player or two.

use keepers::internals::text::{byte_size, quote};
use keepers_api::{OnePlayerStates, StatesAnswer, StatesRequest, TwoPlayerStates};

use crate::args::States;
use crate::inputs::Inputs;
use crate::output;
use crate::session::Session;

pub fn run(session: &Session, args: &States) -> anyhow::Result<()> {
    let mut inputs = Inputs::new(session);
    let rules = inputs.rules(&args.game.rules);
    let players = inputs.note("players", read_players(&args.players)).unwrap_or(1);
    let request = StatesRequest { rules, players };
    let answer = inputs.ask(&request)?;
    if session.json {
        return output::json(&answer);
    }
    output::text(&match answer {
        StatesAnswer::One(states) => one_player(&states),
        StatesAnswer::Two(states) => two_players(&states, session.game(&request.rules)?.space().states()),
    })
}

fn read_players(text: &str) -> Result<u8, String> {
    text.parse().ok().filter(|players| (1..=2).contains(players)).ok_or_else(|| {
        let shown = quote(text);
        format!("\"{shown}\" is not a number of players whose states are counted: write 1 or 2")
    })
}

fn one_player(states: &OnePlayerStates) -> String {
    let rows = [
        ("boxes filled, and upper totals that they can make", states.upper_totals),
        ("totals merged that the open boxes cannot tell apart", states.upper_needs),
        ("\"has the bonus\" and \"cannot get it\" merged: score states", states.states),
    ];
    let rows = rows.map(|(step, states)| vec![step.to_string(), output::grouped(states)]);
    output::table(&["step", ">states"], rows)
}

fn two_players(of: &TwoPlayerStates, score_states: usize) -> String {
    let rows = [
        ("score states of one player", output::grouped(score_states)),
        ("pairs of them that can face each other", output::grouped(of.pairs)),
        ("pairs, each with the score differences that leave the result open", output::grouped(of.states)),
    ];
    let rows = rows.map(|(what, number)| vec![what.to_string(), number]);
    format!(
        "{}\nA solve would take {} at 8 bytes a state and, by an estimate from a second of turns on this machine, \
         {} core-days.",
        output::table(&["two players", ">states"], rows),
        byte_size(of.bytes),
        rounded(of.core_days),
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
