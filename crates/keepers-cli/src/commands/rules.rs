//! `keepers rules`: lists the presets, and prints rules as TOML.

use keepers_api::{KnownRules, RulesListRequest, RulesRequest};

use crate::args::{self, RulesAction};
use crate::inputs::{Inputs, read_rules};
use crate::output;
use crate::session::Session;

pub fn run(session: &Session, args: &args::Rules) -> anyhow::Result<()> {
    match &args.action {
        None => list(session),
        Some(RulesAction::Show { rules }) => show(session, rules),
    }
}

fn list(session: &Session) -> anyhow::Result<()> {
    let answer = Inputs::new(session).ask(&RulesListRequest {})?;
    if session.json {
        return output::json(&answer);
    }
    let unsolved = answer.rules.iter().any(|known| known.value.is_none());
    let row = |known: &KnownRules| {
        let value = known.value.map_or("-".to_string(), |value| format!("{value:.4}"));
        vec![known.name.to_string(), value, known.summary.clone()]
    };
    let table = output::table(&["name", ">expected score", "description"], answer.rules.iter().map(row));
    let hint = if unsolved { "\n- means not solved yet: run keepers solve --rules NAME" } else { "" };
    output::text(&format!("{table}{hint}"))
}

fn show(session: &Session, name: &str) -> anyhow::Result<()> {
    let mut inputs = Inputs::new(session);
    let request = RulesRequest { rules: inputs.rules(name) };
    // Without JSON, the score states, which take long for a large game, are not needed.
    if let Some(rules) = read_rules(&request.rules).filter(|_| !session.json) {
        return output::text(&rules.to_toml());
    }
    let answer = inputs.ask(&request)?;
    if session.json { output::json(&answer) } else { output::text(&answer.toml) }
}
