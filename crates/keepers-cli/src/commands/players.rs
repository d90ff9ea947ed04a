//! `keepers players`: lists the computer players.

use keepers_api::{PlayerKind, PlayersRequest};

use crate::args::Players;
use crate::inputs::Inputs;
use crate::output;
use crate::session::Session;

pub fn run(session: &Session, _: &Players) -> anyhow::Result<()> {
    let answer = Inputs::new(session).ask(&PlayersRequest {})?;
    if session.json {
        return output::json(&answer);
    }
    let row = |kind: &PlayerKind| {
        let (name, range) = match &kind.parameter {
            Some(of) => (
                format!("{}:{}", kind.name, of.default),
                format!("{} {} to {}", of.name, output::grouped(of.least), output::grouped(of.most)),
            ),
            None => (kind.name.to_string(), String::new()),
        };
        let summary = match kind.needs {
            Some(table) => format!("{} Needs the {table} table.", kind.summary),
            None => kind.summary.to_string(),
        };
        vec![name, range, summary]
    };
    let table = output::table(&["player", "parameter", "how it plays"], answer.players.iter().map(row));
    output::text(&table)
}
