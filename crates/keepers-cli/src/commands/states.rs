//! `keepers states`: how many score states a game has.

use serde::Serialize;

use crate::args::States;
use crate::output;
use crate::session::{self, Session};

#[derive(Serialize)]
struct Answer {
    states: usize,
    upper_totals: usize,
    upper_needs: usize,
}

pub fn run(session: &Session, args: &States) -> anyhow::Result<()> {
    let game = session::game(&args.game.rules)?;
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
