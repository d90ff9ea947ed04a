//! Formats ranked choices for `advise`, `duel` and `puzzle`.

use keepers::{Action, Advice, BoxId, Card, Choice, Entry, Roll, Rules};

use crate::{dice_art, output};

/// The position of an advice, and how to show its values.
pub struct Page<'a> {
    pub rules: &'a Rules,
    pub card: &'a Card,
    pub roll: &'a Roll,
    pub rolls_left: u8,
    /// The heading of the column of values, like `>value` or `>probability`.
    pub heading: &'static str,
    /// Formats a value.
    pub written: fn(f64) -> String,
    /// The value of the best choice in a sentence.
    pub promise: String,
    /// The reasons for the best choice, one sentence per line; may be empty.
    pub reasons: String,
}

impl Page<'_> {
    /// Formats the dice, the best choice in words, and a table of the `shown` best choices.
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
        let rest = if more > 0 { format!("\n{more} more: use --all") } else { String::new() };
        let reasons = if self.reasons.is_empty() { String::new() } else { format!("\n\n{}", self.reasons) };
        format!(
            "{}\n\n{}\n\n{}\n{}{reasons}\n\n{}{rest}",
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

/// Describes a position: `2 rolls left, 10 boxes open, 40 points on the card`.
pub fn position(card: &Card, rolls_left: u8) -> String {
    let left = match rolls_left {
        0 => "no rolls".to_string(),
        n => output::count(n.into(), "roll", "rolls"),
    };
    let open = output::count(card.open_boxes().len(), "box", "boxes");
    format!("{left} left, {open} open, {} points on the card", card.total())
}

/// Lists the likeliest ends of the turn with their probabilities: boxes with points, and boxes given up for 0.
fn aims(choice: &Choice, rules: &Rules) -> String {
    let name = |into: BoxId| &rules.boxes()[into].name;
    let given_up = |into: BoxId| choice.given_up.iter().find(|end| end.0 == into).map_or(0.0, |end| end.1);
    let scored = choice.aims.iter().map(|&(into, all)| (name(into).clone(), all - given_up(into)));
    let zeros =
        choice.given_up.iter().map(|&(into, probability)| (format!("0 in {}", name(into)), probability));
    let mut ends: Vec<(String, f64)> = scored.chain(zeros).filter(|end| end.1 >= 0.095).collect();
    ends.sort_by(|a, b| b.1.total_cmp(&a.1));
    let shown = ends.iter().take(3).map(|(name, probability)| format!("{name} {:.0} %", 100.0 * probability));
    shown.collect::<Vec<_>>().join(", ")
}

fn in_words(best: &Choice, rules: &Rules, roll: &Roll, card: &Card) -> String {
    match best.action {
        Action::Keep(keep) if keep == *roll.dice() => {
            let entries = card.entries(&keep);
            let entry = entries.iter().find(|entry| entry.into == best.aims[0].0);
            let entry = entry.map_or(String::new(), |entry| format!(": score {}", scored(*entry, rules)));
            format!("Stop rolling{entry}.")
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

/// Describes an entry.
pub fn scored(entry: Entry, rules: &Rules) -> String {
    let extra = match entry.extra {
        0 => String::new(),
        extra => format!(" and {extra} for the extra {}", rules.extra_name()),
    };
    format!("{} for {}{extra}", rules.boxes()[entry.into].name, entry.points)
}
