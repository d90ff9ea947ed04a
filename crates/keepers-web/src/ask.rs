//! What requests have in common: reading cards, dice and objectives, and telling all that is wrong with them.

use keepers::against::{SeatsError, check_seats};
use keepers::strategy::MOST_PLAYERS;
use keepers::{Card, Game, Keep, Objective, Roll, utility};

use crate::error::{ApiError, Problems};
use crate::jobs::Key;
use crate::tables::worth_key;

/// The most seconds that exact values against others may take.
const MOST_SECONDS: f64 = 60.0;

/// The rules if nothing is said.
pub fn yahtzee() -> String {
    "yahtzee".to_string()
}

/// The objective if nothing is said.
pub fn expected() -> String {
    "expected".to_string()
}

/// What is played for, with whatever that needs.
#[derive(Clone, Debug, PartialEq)]
pub enum PlayedFor {
    /// An objective that needs nothing else.
    Plain(Objective),
    /// What each final score is worth.
    Worth(Vec<f64>),
    /// To beat the players with these cards, in the order of play.
    Win(Vec<Card>),
}

impl PlayedFor {
    /// Adds all of it to the key of a job.
    pub fn key(&self, key: Key) -> Key {
        let key = key.and(self);
        match self {
            PlayedFor::Plain(_) => key,
            PlayedFor::Worth(worth) => key.and_bytes(&worth_key(worth)),
            PlayedFor::Win(others) => others.iter().fold(key, |key, card| key.and(card)),
        }
    }
}

impl std::fmt::Display for PlayedFor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            PlayedFor::Plain(objective) => objective.fmt(f),
            PlayedFor::Worth(_) => f.write_str("utility"),
            PlayedFor::Win(_) => f.write_str("win"),
        }
    }
}

/// Reads the fields of a request for one game.
pub struct Asked<'a> {
    game: &'a Game,
    problems: Problems,
}

impl<'a> Asked<'a> {
    /// A request about this game.
    pub fn new(game: &'a Game) -> Asked<'a> {
        Asked { game, problems: Problems::default() }
    }

    /// Notes a problem.
    pub fn tell(&mut self, field: &str, message: impl std::fmt::Display) {
        self.problems.tell(field, message);
    }

    /// Notes a problem on a line.
    pub fn tell_line(&mut self, field: &str, line: usize, message: impl std::fmt::Display) {
        self.problems.tell_line(field, line, message);
    }

    /// A card.
    pub fn card(&mut self, field: &str, text: &str) -> Option<Card> {
        let read = Card::parse(self.game, text);
        let tell = |error: keepers::card::CardError| {
            error.problems.iter().for_each(|problem| self.problems.tell(field, problem));
        };
        read.map_err(tell).ok()
    }

    /// A card with a turn left to play.
    pub fn open_card(&mut self, field: &str, text: &str) -> Option<Card> {
        let card = self.card(field, text)?;
        if card.is_finished() {
            self.tell(field, "every box is filled: there is no turn left to play");
            return None;
        }
        Some(card)
    }

    /// All the dice.
    pub fn roll(&mut self, field: &str, text: &str) -> Option<Roll> {
        let rules = self.game.rules();
        self.problems.note(field, Roll::parse(text, rules.dice(), rules.faces()))
    }

    /// Some of the dice.
    pub fn keep(&mut self, field: &str, text: &str) -> Option<Keep> {
        let keep: Keep = self.problems.note(field, text.parse())?;
        let (dice, faces) = (self.game.rules().dice(), self.game.rules().faces());
        if keep.len() > usize::from(dice) || keep.faces().any(|face| face.pips() > faces) {
            self.tell(
                field,
                format!("{keep} cannot be kept: this game rolls {dice} dice with {faces} faces"),
            );
            return None;
        }
        Some(keep)
    }

    /// How often the dice may still be rolled; as after the first roll, if nothing is said.
    pub fn rolls_left(&mut self, field: &str, left: Option<u8>) -> Option<u8> {
        let most = self.game.rules().rolls() - 1;
        let left = left.unwrap_or(most);
        if left <= most {
            return Some(left);
        }
        self.tell(field, format!("{left} rolls cannot be left after a roll: write 0 to {most}"));
        None
    }

    /// What is played for.
    pub fn played_for(
        &mut self,
        objective: &str,
        utility: Option<&str>,
        against: Option<&[String]>,
        card: Option<&Card>,
    ) -> Option<PlayedFor> {
        if objective != "utility" && utility.is_some() {
            self.tell("utility", "it is for the objective utility only");
        }
        if objective != "win" && against.is_some_and(|against| !against.is_empty()) {
            self.tell("against", "it is for the objective win only");
        }
        match objective {
            "utility" => self.worth(utility).map(PlayedFor::Worth),
            "win" => self.rivals(against.unwrap_or_default(), card).map(PlayedFor::Win),
            _ => self.objective("objective", objective).map(PlayedFor::Plain),
        }
    }

    /// What somebody who is alone plays for.
    pub fn strategy(&mut self, field: &str, text: &str, utility: Option<&str>) -> Option<PlayedFor> {
        if text != "utility" && utility.is_some() {
            self.tell("utility", format!("it is for the {field} utility only"));
        }
        match text {
            "utility" => self.worth(utility).map(PlayedFor::Worth),
            "win" => {
                self.tell(field, "win takes others whose cards can be seen: use another one");
                None
            }
            _ => self.objective(field, text).map(PlayedFor::Plain),
        }
    }

    /// An objective that needs nothing else.
    pub fn objective(&mut self, field: &str, text: &str) -> Option<Objective> {
        match text.parse() {
            Ok(Objective::Utility(_) | Objective::Win)
            | Err(keepers::objective::ObjectiveError::Unknown(_)) => {
                let shown: String = text.chars().filter(|c| !c.is_control()).take(60).collect();
                self.tell(field, format!(
                    "there is no objective \"{shown}\" here: use expected, reach:S with a score S, tournament:N with N \
                     opponents, utility with the field utility, or win with the field against"
                ));
                None
            }
            read => self.problems.note(field, read),
        }
    }

    /// What each final score is worth.
    fn worth(&mut self, text: Option<&str>) -> Option<Vec<f64>> {
        let Some(text) = text else {
            self.tell(
                "utility",
                "it is missing: write a CSV of score,worth, like 200,0 and 300,1 on two lines",
            );
            return None;
        };
        let tell = |error: utility::UtilityError| {
            error.problems.iter().for_each(|(line, text)| self.problems.tell_line("utility", *line, text));
        };
        utility::parse(text).map_err(tell).ok()
    }

    /// The cards of the others.
    fn rivals(&mut self, texts: &[String], card: Option<&Card>) -> Option<Vec<Card>> {
        if texts.len() >= MOST_PLAYERS {
            self.tell("against", SeatsError::Others(texts.len()).to_string());
            return None;
        }
        let cards: Vec<Option<Card>> = texts.iter().map(|text| self.card("against", text)).collect();
        let cards = cards.into_iter().collect::<Option<Vec<Card>>>()?;
        match check_seats(card?, &cards) {
            Ok(()) => Some(cards),
            Err(error) => {
                self.tell("against", error.to_string());
                None
            }
        }
    }

    /// How many seconds exact values against others may take.
    pub fn seconds(&mut self, seconds: Option<f64>) -> Option<f64> {
        let seconds = seconds.unwrap_or(5.0);
        if (0.0..=MOST_SECONDS).contains(&seconds) {
            return Some(seconds);
        }
        self.tell("seconds", format!("{seconds} seconds cannot be taken: write 0 to {MOST_SECONDS}"));
        None
    }

    /// An error, if there was any problem.
    pub fn check(self) -> Result<(), ApiError> {
        self.problems.check()
    }
}
