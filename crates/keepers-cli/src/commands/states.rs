//! `keepers states`: counts the states of a game, for one player or two.

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
    text.parse()
        .ok()
        .filter(|players| (1..=2).contains(players))
        .ok_or_else(|| format!("must be 1 or 2, not \"{}\"", quote(text)))
}

fn one_player(states: &OnePlayerStates) -> String {
    let rows = [
        ("sets of filled boxes with each possible upper total", states.upper_totals),
        ("after merging totals that make no difference to the open boxes", states.upper_needs),
        ("score states: after merging \"has the bonus\" with \"cannot get it\"", states.states),
    ];
    let rows = rows.map(|(step, states)| vec![step.to_string(), output::grouped(states)]);
    output::table(&["step", ">states"], rows)
}

fn two_players(of: &TwoPlayerStates, score_states: usize) -> String {
    let rows = [
        ("score states of one player", output::grouped(score_states)),
        ("pairs of score states that can occur in one game", output::grouped(of.pairs)),
        ("pairs with each score difference that leaves the result open", output::grouped(of.states)),
    ];
    let rows = rows.map(|(what, number)| vec![what.to_string(), number]);
    format!(
        "{}\nSolving would need {} at 8 bytes per state and about {} core-days, estimated from one second of turns on \
        this machine.",
        output::table(&["two players", ">states"], rows),
        byte_size(of.bytes),
        rounded(of.core_days),
    )
}

/// Rounds an estimate to two digits.
fn rounded(days: f64) -> String {
    if days < 0.01 {
        return "less than 0.01".to_string();
    }
    let digits = (1 - days.log10().floor() as i32).max(0) as usize;
    let unit = 10f64.powi(days.log10().floor() as i32 - 1).max(1.0);
    if digits > 0 { format!("{days:.digits$}") } else { output::grouped((days / unit).round() * unit) }
}
