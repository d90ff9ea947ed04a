//! Ranked choices as a page, for `advise`, `duel` and `puzzle`.

use keepers::{Action, Advice, BoxId, Card, Choice, Entry, Roll, Rules};

use crate::{dice_art, output};

/// What an advice is about.
pub struct Page<'a> {
    pub rules: &'a Rules,
    pub card: &'a Card,
    pub roll: &'a Roll,
    pub rolls_left: u8,
    /// What values are called: `>value`, `>chance`.
    pub heading: &'static str,
    /// How a value is written.
    pub written: fn(f64) -> String,
    /// What the best choice promises, in a sentence.
    pub promise: String,
}

impl Page<'_> {
    /// The dice, the best choice in words, and the table.
    pub fn show(&self, advice: &Advice, shown: usize) -> String {
        let best = &advice.choices[0];
        let keep = match &best.action {
            Action::Keep(keep) => Some(keep),
            Action::Score(_) => None,
        };
        let headings: &[&str] = match keep {
            Some(_) => &["keep", self.heading, ">loss", "playing for"],
            None => &["score", ">points", self.heading, ">loss"],
        };
        let rows = advice.choices.iter().take(shown).map(|choice| self.row(choice));
        let more = advice.choices.len().saturating_sub(shown);
        let rest = if more > 0 { format!("\n{more} more with --all") } else { String::new() };
        format!(
            "{}\n\n{}\n\n{}\n{}\n\n{}{rest}",
            dice_art::dice(self.roll, keep),
            position(self.card, self.rolls_left),
            in_words(best, self.rules, self.roll, self.card),
            self.promise,
            output::table(headings, rows),
        )
    }

    fn row(&self, choice: &Choice) -> Vec<String> {
        let value = (self.written)(choice.value);
        let loss = if choice.loss == 0.0 { "best".to_string() } else { (self.written)(choice.loss) };
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

/// A position in words: `2 rolls left, 10 boxes open, 40 points on the card`.
pub fn position(card: &Card, rolls_left: u8) -> String {
    let left = match rolls_left {
        0 => "no roll".to_string(),
        n => output::count(n.into(), "roll", "rolls"),
    };
    let open = output::count(card.open_boxes().len(), "box", "boxes");
    format!("{left} left, {open} open, {} points on the card", card.total())
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
pub fn scored(entry: Entry, rules: &Rules) -> String {
    let extra = match entry.extra {
        0 => String::new(),
        extra => format!(" and {extra} for the extra {}", rules.extra_name()),
    };
    format!("{} for {}{extra}", rules.boxes()[entry.into].name, entry.points)
}
