//! Formats the reviews of many games: a table of players, and the worst decisions of all.

use std::collections::BTreeMap;

use keepers::answers::ReviewedGame;
use keepers::{Objective, Review};
use keepers_api::ReviewAnswer;

use super::words::{self, Words};
use crate::commands::advise::sentences;
use crate::commands::compare;
use crate::output::{self, escaped};

/// The sums of all reviews, by player.
#[derive(Default)]
pub struct Players {
    /// By rules and name.
    players: BTreeMap<(String, String), Sums>,
    /// Every mistake of all games.
    mistakes: Vec<Mistake>,
    /// The reviewed games, by rules.
    games: BTreeMap<String, Vec<ReviewAnswer>>,
}

/// A decision with a loss.
struct Mistake {
    loss: f64,
    /// Its row of the table.
    row: Vec<String>,
    /// Its reasons, if they were asked for.
    why: Option<String>,
}

#[derive(Default)]
struct Sums {
    games: usize,
    finished: usize,
    score: f64,
    luck: f64,
    loss: f64,
    decisions: usize,
}

impl Sums {
    fn add(&mut self, review: &Review) {
        self.games += 1;
        if review.is_finished() {
            self.finished += 1;
            self.score += f64::from(review.card.total());
        }
        self.luck += review.luck();
        self.loss += review.loss();
        self.decisions += review.decisions();
    }

    fn error(&self) -> f64 {
        self.loss / self.decisions.max(1) as f64
    }
}

impl Players {
    pub fn add(&mut self, file: &str, answer: ReviewAnswer, words: &Words<'_>) {
        for review in &answer.reviews {
            let rules = review.card.rules();
            let name = escaped(&answer.record.players()[review.player]);
            self.players.entry((answer.rules.clone(), name.clone())).or_default().add(review);
            let explained = answer.reasons(review, usize::MAX);
            for moment in review.worst() {
                let loss = moment.decision.loss;
                let row = [vec![words.amount(loss), name.clone()], words::mistake(&moment, rules)].concat();
                let found = explained.iter().find(|(of, _)| std::ptr::eq(of.decision, moment.decision));
                let why = found.map(|(_, reasons)| sentences(reasons));
                self.mistakes.push(Mistake { loss, row: [row, vec![escaped(file)]].concat(), why });
            }
        }
        self.games.entry(answer.rules.clone()).or_default().push(answer);
    }

    /// Formats who is better, by rules. Empty unless losses are points and two players have finished two games each.
    fn pairs(&self, words: &Words<'_>) -> String {
        if *words.objective != Objective::Expected {
            return String::new();
        }
        let compared = self.games.values().map(|games| {
            let games: Vec<ReviewedGame<'_>> = games.iter().map(reviewed).collect();
            let compared = keepers::internals::compare::compare(&games);
            // Single games say nothing about who is better.
            compare::pairs(&compared, |pair| pair.by_loss.interval.is_some())
        });
        compared.filter(|text| !text.is_empty()).map(|text| format!("\n\n{text}")).collect()
    }

    pub fn show(mut self, words: &Words<'_>, worst: usize) -> String {
        let mut players: Vec<(&(String, String), &Sums)> = self.players.iter().collect();
        players.sort_by(|a, b| (&a.0.0, a.1.error()).partial_cmp(&(&b.0.0, b.1.error())).expect("numbers"));
        let rows = players.iter().map(|((rules, name), sums)| {
            let games = sums.games as f64;
            let score = match sums.finished {
                0 => "-".to_string(),
                finished => format!("{:.1}", sums.score / finished as f64),
            };
            vec![
                rules.clone(),
                name.clone(),
                output::grouped(sums.games),
                score,
                words.change(sums.luck / games),
                words.amount(sums.loss / games),
                output::grouped(sums.decisions),
                words.amount(sums.error()),
                words.grade(sums.error()),
            ]
        });
        let headings = [
            "rules",
            "player",
            ">games",
            ">score",
            ">luck",
            ">loss",
            ">decisions",
            ">loss per decision",
            "grade",
        ];
        let table = output::table(&headings, rows);
        let table = format!("{table}{}", self.pairs(words));
        self.mistakes.sort_by(|a, b| b.loss.total_cmp(&a.loss));
        self.mistakes.truncate(worst);
        let why: Vec<String> = self.mistakes.iter().filter_map(Mistake::explained).collect();
        let rows: Vec<Vec<String>> = self.mistakes.into_iter().map(|mistake| mistake.row).collect();
        let headings = [">worst loss", "player", ">turn", ">roll", "dice", "choice", "best", "rank", "file"];
        let title = format!("playing for {}; score, luck and loss are means per game", words.played_for());
        match rows.is_empty() {
            true => format!("{title}\n\n{table}"),
            false => {
                let why = why.iter().map(|text| format!("\n\n{text}")).collect::<String>();
                format!("{title}\n\n{table}\n\n{}{why}", output::table(&headings, rows))
            }
        }
    }
}

/// Returns the reviews of a game with the names of its players.
fn reviewed(answer: &ReviewAnswer) -> ReviewedGame<'_> {
    let names = answer.record.players();
    let players = answer.reviews.iter().map(|review| (names[review.player].as_str(), review));
    ReviewedGame { players: players.collect() }
}

impl Mistake {
    /// Formats the reasons below the player, the turn, the roll and the file. Returns `None` without reasons.
    fn explained(&self) -> Option<String> {
        let [_, player, turn, roll, ..] = &self.row[..] else { return None };
        let file = self.row.last()?;
        Some(format!("{player}, turn {turn}, roll {roll} of {file}:\n{}", self.why.as_ref()?))
    }
}
