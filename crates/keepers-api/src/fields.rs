//! Reads the fields of requests (cards, dice, objectives) and collects all their problems.

use keepers::errors::{ObjectiveError, PlayersError};
use keepers::internals::multiplayer::check_players;
use keepers::internals::players::MAX_SEARCHED_PLAYERS;
use keepers::internals::text::quote;
use keepers::internals::utility;
use keepers::{Card, Engine, Game, Goal, Keep, Objective, Player, Roll, Rules};

use crate::games::{ReadyGame, read_rules};
use crate::refusal::{Problems, Refusal};
use crate::utilities::Utilities;

/// Returns the default rules.
pub(crate) fn yahtzee() -> String {
    "yahtzee".to_string()
}

/// Returns the default objective.
pub(crate) fn expected() -> String {
    "expected".to_string()
}

/// An objective with everything that it needs.
#[derive(Clone, Debug, PartialEq)]
pub enum PlayedFor {
    /// An objective that needs no further data.
    Plain(Objective),
    /// A utility for each final score, and its name.
    Utility(String, Vec<f64>),
    /// To beat the opponents with these cards, in the order of play.
    Win(Vec<Card>),
}

impl PlayedFor {
    /// Returns the objective as the library's type.
    pub fn objective(&self) -> Objective {
        match self {
            PlayedFor::Plain(objective) => objective.clone(),
            PlayedFor::Utility(name, _) => Objective::Utility(name.into()),
            PlayedFor::Win(_) => Objective::Win,
        }
    }

    /// Prepares the objective of a player without opponents for the solver.
    pub(crate) fn goal(&self, engine: &Engine<'_>, game: &keepers::Game) -> Result<Goal, keepers::Error> {
        match self {
            PlayedFor::Plain(objective) => engine.goal(game, objective),
            PlayedFor::Utility(_, utility) => Ok(Goal::Utility(utility.clone())),
            PlayedFor::Win(_) => Err(keepers::Error::NoOthers),
        }
    }
}

impl std::fmt::Display for PlayedFor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            PlayedFor::Plain(objective) => objective.fmt(f),
            PlayedFor::Utility(name, _) if name.is_empty() => f.write_str("utility"),
            PlayedFor::Utility(name, _) => write!(f, "utility:{name}"),
            PlayedFor::Win(_) => f.write_str("win"),
        }
    }
}

/// Reads the fields of a request about one game, and collects their problems.
pub(crate) struct Fields<'a> {
    game: &'a Game,
    problems: Problems,
    /// The CSV of the field `utility`.
    utility: Option<&'a str>,
    /// The CSVs of the field `utilities`.
    utilities: Option<&'a Utilities>,
}

impl<'a> Fields<'a> {
    /// Starts reading a request about this game.
    pub fn new(ready: &'a ReadyGame) -> Fields<'a> {
        Fields { game: ready.game(), problems: Problems::default(), utility: None, utilities: None }
    }

    /// Starts reading a request with utilities.
    pub fn with_utilities(
        ready: &'a ReadyGame,
        utility: Option<&'a str>,
        utilities: Option<&'a Utilities>,
    ) -> Fields<'a> {
        Fields { utility, utilities, ..Fields::new(ready) }
    }

    /// Adds a problem.
    pub fn add(&mut self, field: &str, message: impl std::fmt::Display) {
        self.problems.add(field, message);
    }

    /// Adds a problem in one line of a field.
    pub fn add_line(&mut self, field: &str, line: usize, message: impl std::fmt::Display) {
        self.problems.add_line(field, line, message);
    }

    /// Returns the value, or adds the error as a problem and returns `None`.
    pub fn note<T>(&mut self, field: &str, result: Result<T, impl std::fmt::Display>) -> Option<T> {
        self.problems.note(field, result)
    }

    /// Reads a card.
    pub fn card(&mut self, field: &str, text: &str) -> Option<Card> {
        let read = Card::parse(self.game, text);
        let report = |error: keepers::errors::CardError| {
            error.problems.iter().for_each(|problem| self.problems.add(field, problem));
        };
        read.map_err(report).ok()
    }

    /// Reads a card with at least one open box.
    pub fn open_card(&mut self, field: &str, text: &str) -> Option<Card> {
        let card = self.card(field, text)?;
        if card.is_finished() {
            self.add(
                field,
                "every box is filled, so there is no turn left to play: leave at least one box open",
            );
            return None;
        }
        Some(card)
    }

    /// Reads a roll: all dice of the game.
    pub fn roll(&mut self, field: &str, text: &str) -> Option<Roll> {
        let rules = self.game.rules();
        self.note(field, Roll::parse(text, rules.dice(), rules.faces()))
    }

    /// Reads a keep: some or all dice of the game.
    pub fn keep(&mut self, field: &str, text: &str) -> Option<Keep> {
        let keep: Keep = self.note(field, text.parse())?;
        let (dice, faces) = (self.game.rules().dice(), self.game.rules().faces());
        if keep.len() > usize::from(dice) || keep.faces().any(|face| face.pips() > faces) {
            let text = format!("{keep} cannot be kept: this game has {dice} dice with {faces} faces");
            self.add(field, text);
            return None;
        }
        Some(keep)
    }

    /// Checks the rolls left; `None` stands for those after the first roll.
    pub fn rolls_left(&mut self, left: Option<u8>) -> Option<u8> {
        let most = self.game.rules().rolls() - 1;
        let left = left.unwrap_or(most);
        if left <= most {
            return Some(left);
        }
        self.add("rolls_left", format!("must be 0 to {most}, not {left}"));
        None
    }

    /// Reads an objective, with or without opponents.
    pub fn played_for(
        &mut self,
        text: &str,
        against: Option<&[String]>,
        card: Option<&Card>,
    ) -> Option<PlayedFor> {
        self.check_unused("objective", text);
        if text != "win" && against.is_some_and(|against| !against.is_empty()) {
            self.add("against", "only works with the objective win: use win, or drop against");
        }
        match text {
            "win" => self.rivals(against.unwrap_or_default(), card).map(PlayedFor::Win),
            _ => self.one_objective("objective", text),
        }
    }

    /// Reads an objective of a player without opponents.
    pub fn strategy(&mut self, field: &str, text: &str) -> Option<PlayedFor> {
        self.check_unused(field, text);
        if text == "win" {
            self.add(field, "win needs the opponents' cards: use another objective");
            return None;
        }
        self.one_objective(field, text)
    }

    /// Reads several strategies joined by commas, with ranges like `reach:50..800:50`.
    pub fn strategies(&mut self, field: &str, text: &str) -> Option<Vec<PlayedFor>> {
        // The library parses lists and ranges, but only requests know a plain `utility`.
        if text == "utility" || !text.contains([',', '.']) {
            return self.strategy(field, text).map(|one| vec![one]);
        }
        match Objective::list(text) {
            Ok(list) => list.into_iter().map(|objective| self.resolved(field, objective)).collect(),
            Err(errors) => {
                errors.iter().for_each(|error| self.add(field, error));
                None
            }
        }
    }

    /// Refuses the field `utility` if the objective does not use it.
    fn check_unused(&mut self, field: &str, text: &str) {
        if text != "utility" && self.utility.is_some() {
            self.add(
                "utility",
                format!("only works with the {field} utility: use utility, or drop this field"),
            );
        }
    }

    fn one_objective(&mut self, field: &str, text: &str) -> Option<PlayedFor> {
        if text == "utility" {
            let Some(csv) = self.utility else {
                self.add("utility", "missing: give CSV lines of score,utility, like 200,0 and 300,1");
                return None;
            };
            return self.read_utility("utility", csv).map(|read| PlayedFor::Utility(String::new(), read));
        }
        match text.parse() {
            Ok(objective) => self.resolved(field, objective),
            Err(ObjectiveError::Unknown(_)) => {
                let shown = quote(text);
                self.add(
                    field,
                    format!(
                        "unknown objective \"{shown}\": use expected, reach:S with a score S, tournament:N with N \
                        opponents, utility with the field utility, or win with the field against"
                    ),
                );
                None
            }
            Err(error) => {
                self.add(field, error);
                None
            }
        }
    }

    /// Adds its utility to an objective that needs one.
    fn resolved(&mut self, field: &str, objective: Objective) -> Option<PlayedFor> {
        match objective {
            Objective::Utility(path) => {
                let name = path.display().to_string();
                let Some(csv) = self.utilities.and_then(|all| all.get(&name)) else {
                    let shown = quote(&name);
                    self.add(
                        field,
                        format!("the utility \"{shown}\" is missing: add it to the field utilities"),
                    );
                    return None;
                };
                self.read_utility(&format!("utilities.{name}"), csv)
                    .map(|read| PlayedFor::Utility(name, read))
            }
            Objective::Win => {
                self.add(field, "win needs the opponents' cards: use another objective");
                None
            }
            objective => Some(PlayedFor::Plain(objective)),
        }
    }

    /// Reads the utility of each final score from CSV.
    fn read_utility(&mut self, field: &str, csv: &str) -> Option<Vec<f64>> {
        let report = |error: utility::UtilityError| {
            error.problems.iter().for_each(|(line, text)| self.problems.add_line(field, *line, text));
        };
        utility::parse(csv).map_err(report).ok()
    }

    /// Reads a player, with its utility if its objective needs one.
    pub fn player(&mut self, field: &str, text: &str) -> Option<(Player, Option<PlayedFor>)> {
        if text == "utility" {
            let played_for = self.one_objective(field, text)?;
            return Some((Player::For(played_for.objective()), Some(played_for)));
        }
        let player: Player = self.note(field, text.parse())?;
        match &player {
            Player::For(Objective::Win) => {
                self.add(field, "win is not a player: use emp:D or duel");
                None
            }
            Player::For(objective @ Objective::Utility(_)) => {
                let played_for = self.resolved(field, objective.clone())?;
                Some((player, Some(played_for)))
            }
            _ => Some((player, None)),
        }
    }

    /// Reads the cards of the opponents.
    fn rivals(&mut self, texts: &[String], card: Option<&Card>) -> Option<Vec<Card>> {
        if texts.len() >= MAX_SEARCHED_PLAYERS {
            self.add("against", PlayersError::Others(texts.len()));
            return None;
        }
        let cards: Vec<Option<Card>> = texts.iter().map(|text| self.card("against", text)).collect();
        let cards = cards.into_iter().collect::<Option<Vec<Card>>>()?;
        self.note("against", check_players(card?, &cards)).map(|()| cards)
    }

    /// Reads the seconds that exact values against opponents may take.
    pub fn seconds(&mut self, seconds: Option<f64>, most: f64) -> Option<std::time::Duration> {
        let seconds = seconds.unwrap_or(5.0);
        if (0.0..=most).contains(&seconds) {
            return Some(std::time::Duration::from_secs_f64(seconds));
        }
        self.add("seconds", format!("must be 0 to {most}, not {seconds}"));
        None
    }

    /// Checks that a number is within a range.
    pub fn within<T: PartialOrd + std::fmt::Display + Copy>(
        &mut self,
        field: &str,
        number: T,
        (least, most): (T, T),
    ) -> Option<T> {
        if (least..=most).contains(&number) {
            return Some(number);
        }
        self.add(field, format!("must be {least} to {most}, not {number}"));
        None
    }

    /// Reads the rules that decide whether a box is scored well; by default, those of the game.
    pub fn judge(&mut self, rules: Option<&str>) -> Option<Rules> {
        let Some(text) = rules else { return Some(Rules::clone(self.game.rules())) };
        let report = |refusal: Refusal| match &refusal.problems[..] {
            [] => self.problems.add("judge", refusal.error),
            problems => problems.iter().for_each(|problem| match problem.line {
                Some(line) => self.problems.add_line("judge", line, &problem.message),
                None => self.problems.add("judge", &problem.message),
            }),
        };
        read_rules("judge", text).map_err(report).ok()
    }

    /// Returns the fields, or a refusal if there is any problem.
    pub fn check<T>(self, fields: Option<T>) -> Result<T, Refusal> {
        self.problems.check()?;
        Ok(fields.expect("a field that could not be read has a problem"))
    }
}
