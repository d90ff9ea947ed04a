//! `keepers card`: shows a card, and every entry that a roll allows.

use keepers::{Card, Roll, Rules};
use keepers_api::{CardAnswer, CardRequest, EntryView};

use crate::args;
use crate::dice_art;
use crate::inputs::Inputs;
use crate::output;
use crate::session::Session;

pub fn run(session: &Session, args: &args::Card) -> anyhow::Result<()> {
    let mut inputs = Inputs::new(session);
    let rules = inputs.rules(&args.game.rules);
    let request = CardRequest { rules, card: args.card.clone(), roll: args.roll.clone() };
    let answer = inputs.ask(&request)?;
    if session.json {
        return output::json(&answer);
    }
    let game = session.game(&request.rules)?;
    let rules = game.rules();
    let mut page = table(&Card::parse(&game, &answer.card)?);
    if let (Some(roll), Some(entries)) = (&args.roll, &answer.entries) {
        let dice = dice_art::dice(&Roll::parse(roll, rules.dice(), rules.faces())?, None);
        page = format!("{page}\n\n{dice}\n\n{}", entries_table(entries, rules));
    }
    output::text(&format!("{page}\n\n{}", written(&answer)))
}

/// Formats the card as an option for other commands.
fn written(answer: &CardAnswer) -> String {
    if answer.card.is_empty() { "the card is empty".to_string() } else { format!("--card {}", answer.card) }
}

/// Formats the boxes, the bonuses and the total of a card.
pub fn table(card: &Card) -> String {
    let rules = card.rules();
    let mut rows: Vec<Vec<String>> = rules
        .boxes()
        .iter()
        .map(|(id, rule)| {
            let points = card.points(id).map_or("-".to_string(), |points| points.to_string());
            vec![rule.id.clone(), rule.name.clone(), points]
        })
        .collect();
    let mut more = |name: String, points: String| rows.push(vec![String::new(), name, points]);
    if let Some(bonus) = rules.upper_bonus() {
        let upper = card.upper_total();
        more(format!("upper bonus ({upper} of {})", bonus.threshold), card.upper_bonus().to_string());
    }
    if let Some(extra) = rules.extra().filter(|extra| extra.points > 0) {
        let extras = output::count(card.extras().into(), "bonus", "bonuses");
        let points = card.extras() * extra.points;
        more(format!("{extras} for an extra {}", rules.extra_name()), points.to_string());
    }
    more("total".to_string(), card.total().to_string());
    output::table(&["", "box", ">points"], rows)
}

fn entries_table(entries: &[EntryView], rules: &Rules) -> String {
    let row = |entry: &EntryView| {
        let name = rules.box_by_id(&entry.score).map(|id| rules.boxes()[id].name.clone());
        let extra = if entry.extra > 0 { format!(" + {}", entry.extra) } else { String::new() };
        vec![entry.score.clone(), name.unwrap_or_default(), format!("{}{extra}", entry.points)]
    };
    output::table(&["", "possible entries", ">points"], entries.iter().map(row))
}
