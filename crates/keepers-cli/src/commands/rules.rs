//! `keepers rules`: the games that are known by name, and their rules as TOML.

use keepers::Rules;
use keepers::rules::PRESETS;
use serde::Serialize;

use crate::args::{self, RulesAction};
use crate::output;
use crate::session::{self, Session};

#[derive(Serialize)]
struct List {
    rules: Vec<Known>,
}

#[derive(Serialize)]
struct Known {
    name: &'static str,
    aliases: &'static [&'static str],
    title: String,
    dice: u8,
    boxes: usize,
    value: Option<f64>,
}

#[derive(Serialize)]
struct Shown {
    name: String,
    toml: String,
}

pub fn run(session: &Session, args: &args::Rules) -> anyhow::Result<()> {
    match &args.action {
        None => list(session),
        Some(RulesAction::Show { rules }) => show(session, rules),
    }
}

fn list(session: &Session) -> anyhow::Result<()> {
    let known = |preset: &keepers::rules::Preset| -> Option<Known> {
        let rules = Rules::preset(preset.name)?;
        Some(Known {
            name: preset.name,
            aliases: preset.aliases,
            title: rules.title().to_string(),
            dice: rules.dice(),
            boxes: rules.boxes().values().len(),
            value: session.engine.store().known_expected(&rules),
        })
    };
    let rules: Vec<Known> = PRESETS.iter().filter_map(known).collect();
    if session.json {
        return output::json(&List { rules });
    }
    let unsolved = rules.iter().any(|known| known.value.is_none());
    let rows = rules.iter().map(|known| {
        let value = known.value.map_or("-".to_string(), |value| format!("{value:.4}"));
        vec![known.name.to_string(), value, known.title.clone()]
    });
    let table = output::table(&["name", ">expected", "what it is"], rows);
    let hint = if unsolved { "\n- is not known yet: keepers solve --rules NAME" } else { "" };
    output::text(&format!("{table}{hint}"))
}

fn show(session: &Session, name: &str) -> anyhow::Result<()> {
    let rules = session::rules(name)?;
    if session.json {
        return output::json(&Shown { name: rules.name().to_string(), toml: rules.to_toml() });
    }
    output::text(&rules.to_toml())
}
