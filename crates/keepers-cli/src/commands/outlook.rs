//! `keepers outlook`: shows the exact distribution of the final score after each of several choices.

use keepers::Rules;
use keepers_api::{ChoiceRequest, KeepChoice, Outlook, OutlookRequest, ScoreChoice};

use crate::args;
use crate::inputs::Inputs;
use crate::output::{self, escaped};
use crate::session::Session;
use crate::words;

pub fn run(session: &Session, args: &args::Outlook) -> anyhow::Result<()> {
    let mut inputs = Inputs::new(session);
    let rules = inputs.rules(&args.game.rules);
    let aim = inputs.aim("objective", &args.objective);
    let rolls_left = inputs.rolls_left(&rules, args.rolls_left.as_deref());
    let request = OutlookRequest {
        card: args.card.clone(),
        roll: args.roll.clone(),
        rolls_left,
        objective: aim.objective,
        utility: aim.utility,
        choices: args.choices.split(',').map(|item| choice(item.trim(), rolls_left)).collect(),
        rules,
    };
    let answer = inputs.ask(&request)?;
    if session.json {
        return output::json(&answer);
    }
    let game = session.game(&request.rules)?;
    let title = format!("after each choice, playing for {}", words::played_for(&aim.shown));
    let table = table(&answer.outlooks, game.rules(), words::written(&aim.shown));
    output::text(&format!("{title}\n\n{table}"))
}

/// Reads a choice: dice to keep or a box. While a roll is left, digits are dice.
pub fn choice(item: &str, rolls_left: Option<u8>) -> ChoiceRequest {
    let keep = |keep: &str| ChoiceRequest::Keep(KeepChoice { keep: keep.to_string() });
    let score = |score: &str| ChoiceRequest::Score(ScoreChoice { score: score.to_string() });
    match item.split_once(':') {
        Some(("keep", dice)) => keep(dice),
        Some(("score", id)) => score(id),
        _ if rolls_left == Some(0) => score(item),
        _ if item == "-" || item.bytes().all(|byte| byte.is_ascii_digit()) => keep(item),
        _ => score(item),
    }
}

/// Formats the outlooks: one column per choice, one row per number that differs.
fn table(outlooks: &[Outlook], rules: &Rules, written: fn(f64) -> String) -> String {
    let names: Vec<String> = outlooks.iter().map(|of| format!(">{}", named(&of.choice, rules))).collect();
    let headings: Vec<&str> = ["after"].into_iter().chain(names.iter().map(String::as_str)).collect();
    let row = |name: &str, cell: &dyn Fn(&Outlook) -> String| {
        [name.to_string()].into_iter().chain(outlooks.iter().map(cell)).collect::<Vec<String>>()
    };
    let points = |value: f64| format!("{value:.2}");
    let mut rows = vec![
        row("value", &|of| written(of.value)),
        row("mean", &|of| points(of.mean)),
        row("deviation", &|of| points(of.sd)),
    ];
    if outlooks.iter().all(|of| of.upper_bonus.is_some()) {
        rows.push(row("upper bonus", &|of| output::percent(of.upper_bonus.unwrap_or_default())));
    }
    // Rows that are the same for all choices explain nothing.
    let differ = |of: &dyn Fn(&Outlook) -> f64| {
        let (least, most) = outlooks
            .iter()
            .map(of)
            .fold((f64::MAX, f64::MIN), |(least, most), points| (least.min(points), most.max(points)));
        most - least >= 0.005
    };
    for (nth, rule) in rules.boxes().values().iter().enumerate() {
        let of_box = |of: &Outlook| of.boxes[nth].points;
        if differ(&of_box) {
            rows.push(row(&rule.name, &|of| points(of_box(of))));
        }
    }
    if differ(&|of| of.upper_bonus_points) {
        rows.push(row("upper bonus points", &|of| points(of.upper_bonus_points)));
    }
    if differ(&|of| of.extra_points) {
        rows.push(row(&format!("extra {}", rules.extra_name()), &|of| points(of.extra_points)));
    }
    output::table(&headings, rows)
}

fn named(choice: &ChoiceRequest, rules: &Rules) -> String {
    match choice {
        ChoiceRequest::Keep(KeepChoice { keep }) if keep == "-" => "keep nothing".to_string(),
        ChoiceRequest::Keep(KeepChoice { keep }) => format!("keep {keep}"),
        ChoiceRequest::Score(ScoreChoice { score }) => {
            rules.box_by_id(score).map_or_else(|| escaped(score), |id| rules.boxes()[id].name.clone())
        }
    }
}
