//! Formats the reviews of many games: a table of players, and the worst decisions of all.

use std::collections::BTreeMap;

use keepers::Review;
use keepers_api::ReviewAnswer;

use super::words::{self, Words};
use crate::output::{self, escaped};

/// The sums of all reviews, by player.
#[derive(Default)]
pub struct Players {
    /// By rules and name.
    players: BTreeMap<(String, String), Sums>,
    /// Every mistake: its loss, and its row of the table.
    mistakes: Vec<(f64, Vec<String>)>,
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
    pub fn add(&mut self, file: &str, answer: &ReviewAnswer, words: &Words<'_>) {
        for review in &answer.reviews {
            let rules = review.card.rules();
            let name = escaped(&answer.record.players()[review.player]);
            self.players.entry((answer.rules.clone(), name.clone())).or_default().add(review);
            for moment in review.worst() {
                let loss = moment.decision.loss;
                let row = [vec![words.amount(loss), name.clone()], words::mistake(&moment, rules)].concat();
                self.mistakes.push((loss, [row, vec![escaped(file)]].concat()));
            }
        }
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
        self.mistakes.sort_by(|a, b| b.0.total_cmp(&a.0));
        let rows: Vec<Vec<String>> = self.mistakes.into_iter().take(worst).map(|(_, row)| row).collect();
        let headings = [">worst loss", "player", ">turn", ">roll", "dice", "choice", "best", "rank", "file"];
        let title = format!("playing for {}; score, luck and loss are means per game", words.played_for());
        match rows.is_empty() {
            true => format!("{title}\n\n{table}"),
            false => format!("{title}\n\n{table}\n\n{}", output::table(&headings, rows)),
        }
    }
}
