//! `keepers advise`: every choice for a roll, ranked.

use keepers::advise::{Action, Advice, Choice, advise};
use keepers::rules::{BoxId, Entry};
use keepers::{Card, Objective, Roll, Rules};
use serde::Serialize;

use crate::args::Advise;
use crate::bad_input::{BadInput, Problems};
use crate::session::{self, Session};
use crate::{output, picture};

#[derive(Serialize)]
struct Answer {
    value: f64,
    choices: Vec<Ranked>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Ranked {
    Keep { keep: String, value: f64, loss: f64, aims: Vec<Aim> },
    Score { score: String, points: u16, extra: u16, value: f64, loss: f64 },
}

#[derive(Serialize)]
struct Aim {
    score: String,
    probability: f64,
}

pub fn run(session: &Session, args: &Advise) -> anyhow::Result<()> {
    let game = session::game(&args.game.rules)?;
    let rules = game.rules();
    let mut problems = Problems::default();
    let card = problems.note("card", Card::parse(&game, &args.card));
    let roll = problems.note("roll", Roll::parse(&args.roll, rules.dice(), rules.faces()));
    let objective = problems.note("objective", args.objective.parse::<Objective>());
    let rolls_left = problems.note("rolls-left", read_rolls_left(args.rolls_left.as_deref(), rules));
    problems.note("card", card.as_ref().map_or(Ok(()), check_open));
    problems.check()?;
    let (Some(card), Some(roll), Some(rolls_left), Some(objective)) = (card, roll, rolls_left, objective)
    else {
        unreachable!("all problems were told")
    };

    let prospect = session.prospect(&game, &card, &objective)?;
    let advice =
        advise(&game, &*prospect, &card, &roll, rolls_left).map_err(|error| BadInput(error.to_string()))?;
    if session.json {
        output::json(&answer(&advice, rules))
    } else {
        let shown = if args.all { usize::MAX } else { 10 };
        output::text(&Page { rules, card: &card, roll: &roll, rolls_left, objective }.show(&advice, shown))
    }
}

/// As after the first roll, if nothing is said.
fn read_rolls_left(text: Option<&str>, rules: &Rules) -> Result<u8, String> {
    let most = rules.rolls() - 1;
    let Some(text) = text else { return Ok(most) };
    let left = text.parse().ok().filter(|left| *left <= most);
    left.ok_or_else(|| format!("\"{text}\" rolls cannot be left after a roll: write 0 to {most}"))
}

fn check_open(card: &Card) -> Result<(), String> {
    if card.is_finished() { Err("every box is filled: there is no turn left to play".into()) } else { Ok(()) }
}

fn answer(advice: &Advice, rules: &Rules) -> Answer {
    let id = |into: BoxId| rules.boxes()[into].id.clone();
    let ranked = |choice: &Choice| match choice.action {
        Action::Keep(keep) => Ranked::Keep {
            keep: keep.to_string(),
            value: choice.value,
            loss: choice.loss,
            aims: choice
                .aims
                .iter()
                .map(|&(into, probability)| Aim { score: id(into), probability })
                .collect(),
        },
        Action::Score(entry) => Ranked::Score {
            score: id(entry.into),
            points: entry.points,
            extra: entry.extra,
            value: choice.value,
            loss: choice.loss,
        },
    };
    Answer { value: advice.value, choices: advice.choices.iter().map(ranked).collect() }
}

/// What an advice is about.
struct Page<'a> {
    rules: &'a Rules,
    card: &'a Card,
    roll: &'a Roll,
    rolls_left: u8,
    objective: Objective,
}

impl Page<'_> {
    /// The dice, the best choice in words, and the table.
    fn show(&self, advice: &Advice, shown: usize) -> String {
        let best = &advice.choices[0];
        let keep = match &best.action {
            Action::Keep(keep) => Some(keep),
            Action::Score(_) => None,
        };
        let left = match self.rolls_left {
            0 => "no roll".to_string(),
            n => output::count(n.into(), "roll", "rolls"),
        };
        let open = output::count(self.card.open_boxes().len(), "box", "boxes");
        let headings: &[&str] = match keep {
            Some(_) => &["keep", self.value_heading(), ">loss", "playing for"],
            None => &["score", ">points", self.value_heading(), ">loss"],
        };
        let rows = advice.choices.iter().take(shown).map(|choice| self.row(choice));
        let more = advice.choices.len().saturating_sub(shown);
        let rest = if more > 0 { format!("\n{more} more with --all") } else { String::new() };
        format!(
            "{}\n\n{left} left, {open} open, {} points on the card\n\n{}\n{}\n\n{}{rest}",
            picture::dice(self.roll, keep),
            self.card.total(),
            in_words(best, self.rules, self.roll, self.card),
            self.promise(advice.value),
            output::table(headings, rows),
        )
    }

    fn value_heading(&self) -> &'static str {
        match self.objective {
            Objective::Expected | Objective::Utility(_) => ">value",
            Objective::Reach(_) | Objective::Tournament(_) => ">chance",
        }
    }

    fn promise(&self, value: f64) -> String {
        match &self.objective {
            Objective::Expected => format!("Expected final score: {value:.2}"),
            Objective::Reach(target) => format!("Chance of at least {target}: {}", output::percent(value)),
            Objective::Tournament(opponents) => {
                let all = output::count(*opponents as usize, "opponent", "opponents");
                format!("Chance of beating {all}: {}", output::percent(value))
            }
            Objective::Utility(_) => format!("Expected worth: {value:.6}"),
        }
    }

    fn row(&self, choice: &Choice) -> Vec<String> {
        let show = |value: f64| match self.objective {
            Objective::Expected => format!("{value:.3}"),
            Objective::Reach(_) | Objective::Tournament(_) => output::percent(value),
            Objective::Utility(_) => format!("{value:.6}"),
        };
        let value = show(choice.value);
        let loss = if choice.loss == 0.0 { "best".to_string() } else { show(choice.loss) };
        match choice.action {
            Action::Keep(keep) => vec![keep.to_string(), value, loss, aims(choice, self.rules)],
            Action::Score(entry) => {
                let extra = if entry.extra > 0 { format!(" + {}", entry.extra) } else { String::new() };
                let name = self.rules.boxes()[entry.into].name.clone();
                vec![name, format!("{}{extra}", entry.points), value, loss]
            }
        }
    }
}

/// The likeliest boxes for the turn to end in.
fn aims(choice: &Choice, rules: &Rules) -> String {
    let named = |&(into, probability): &(BoxId, f64)| {
        format!("{} {:.0} %", rules.boxes()[into].name, 100.0 * probability)
    };
    choice.aims.iter().filter(|aim| aim.1 >= 0.095).take(3).map(named).collect::<Vec<_>>().join(", ")
}

fn in_words(best: &Choice, rules: &Rules, roll: &Roll, card: &Card) -> String {
    match best.action {
        Action::Keep(keep) if keep == *roll.dice() => {
            let entries = card.entries(&keep);
            let entry = entries.iter().find(|entry| entry.into == best.aims[0].0);
            let entry = entry.map_or(String::new(), |entry| format!(": score {}", scored(*entry, rules)));
            format!("Roll no more{entry}.")
        }
        Action::Keep(keep) if keep.is_empty() => format!("Keep nothing: roll all {} dice.", rules.dice()),
        Action::Keep(keep) => {
            let rolled = roll.dice().len() - keep.len();
            let kept: Vec<String> = keep.faces().map(|face| face.to_string()).collect();
            format!("Keep {}, roll {}.", kept.join(" "), output::count(rolled, "die", "dice"))
        }
        Action::Score(entry) => format!("Score {}.", scored(entry, rules)),
    }
}

/// An entry in words.
fn scored(entry: Entry, rules: &Rules) -> String {
    let extra = match entry.extra {
        0 => String::new(),
        extra => format!(" and {extra} for the extra {}", rules.extra_name()),
    };
    format!("{} for {}{extra}", rules.boxes()[entry.into].name, entry.points)
}
