//! Reads records. One pass finds all problems and reports each with its line. It takes time linear in the length of the
//! text and stores a bounded number of problems.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use super::write::points;
use super::{
    MAX_PLAYERS, NAMELESS, Position, Record, RecordProblem, RecordedTurn, Rolled, check_entry, check_follows,
    check_keep, check_name, ids, is_reserved,
};
use crate::dice::{Keep, Roll};
use crate::game::Game;
use crate::game::rules::Action;
use crate::game::rules::{BoxId, Entry, Rules};
use crate::text::quote;

/// The maximum number of problems that a [`RecordError`] lists. A file that is not a record has a problem on every
/// line.
pub const MAX_PROBLEMS: usize = 100;

/// The error for text that is not a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct RecordError {
    /// The first [`MAX_PROBLEMS`] problems, each with the number of its line, in the order of the lines.
    pub problems: Vec<(usize, RecordProblem)>,
    /// The number of problems that are not listed.
    pub more: usize,
}

impl fmt::Display for RecordError {
    /// Writes the first problems, then the number of all others.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 8;
        for (nth, (line, problem)) in self.problems.iter().take(SHOWN).enumerate() {
            let separator = if nth == 0 { "" } else { "; " };
            write!(f, "{separator}line {line}: {problem}")?;
        }
        match self.problems.len().saturating_sub(SHOWN) + self.more {
            0 => Ok(()),
            1 => f.write_str(" (and 1 more problem)"),
            more => write!(f, " (and {more} more problems)"),
        }
    }
}

/// Returns the rules that the header of a record names. A caller needs them before it can parse the record. Returns
/// `None` if the header names no rules.
///
/// ```
/// assert_eq!(keepers::internals::record::named_rules("# ours\nrules: yatzy\n"), Some("yatzy"));
/// assert_eq!(keepers::internals::record::named_rules("22345 2345\n"), None);
/// ```
pub fn named_rules(text: &str) -> Option<&str> {
    let header = lines(text).skip_while(|(_, line)| line.is_none_or(str::is_empty));
    let header =
        header.map_while(|(_, line)| line.map_or(Some(None), |line| Some(Some(line.split_once(':')?))));
    let mut pairs = header.flatten().map(|(key, value)| (key.trim(), value.trim()));
    pairs.find(|(key, _)| key.eq_ignore_ascii_case("rules")).map(|(_, value)| value).filter(|v| !v.is_empty())
}

/// Returns whether the text after a colon is a roll and an action.
pub(super) fn looks_like_a_turn(rules: &Rules, text: &str) -> bool {
    let mut words = text.split_whitespace();
    let rolls = words.next().is_some_and(|word| Roll::parse(word, rules.dice(), rules.faces()).is_ok());
    rolls && words.next().is_some() && words.next().is_none()
}

/// Returns the lines with their numbers and without comments, and `None` for a line with only a comment. A line ends
/// with LF, CR LF, or a single CR as in files of classic Mac OS.
fn lines(text: &str) -> impl Iterator<Item = (usize, Option<&str>)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines = text.split("\r\n").flat_map(|lines| lines.split(['\r', '\n']));
    (1..).zip(lines).map(|(number, line)| match line.split_once('#') {
        None => (number, Some(line.trim())),
        Some((before, _)) => (number, Some(before.trim()).filter(|before| !before.is_empty())),
    })
}

impl Record {
    /// Reads a record of a game with these rules.
    ///
    /// ```
    /// use keepers::{Game, Record, Rules};
    /// let game = Game::new(Rules::preset("yatzy").unwrap());
    /// let record = Record::parse(&game, "33566 66\n66612 6=\n\n11122 fh # at once").unwrap();
    /// assert_eq!(record.position().card().to_string(), "6=18,fh=7");
    /// let error = Record::parse(&game, "33566 22\n66612 sixes").unwrap_err();
    /// assert_eq!(error.problems.len(), 2);
    /// ```
    pub fn parse(game: &Game, text: &str) -> Result<Record, RecordError> {
        let mut reader = Reader::new(game);
        for (number, line) in lines(text) {
            if reader.part == Part::Refused {
                break;
            }
            reader.number = number;
            // A line with only a comment is ignored; in particular, it does not end the header.
            if let Some(line) = line {
                reader.line(line);
            }
        }
        reader.end()
    }
}

/// The state of the parser.
struct Reader {
    rules: Arc<Rules>,
    game_rules: Option<String>,
    players: Option<Players>,
    tags: Vec<(String, String)>,
    turns: Vec<RecordedTurn>,
    position: Position,
    /// The current turn.
    turn: RecordedTurn,
    /// The number of rolls in the current turn, including invalid ones.
    rolled: usize,
    /// The dice kept from the last roll, if they are valid.
    kept: Option<Keep>,
    /// The last roll and its line, if it has no action yet.
    undecided: Option<(usize, String)>,
    /// Whether the current turn started with a name.
    named: bool,
    part: Part,
    /// The number of the current line.
    number: usize,
    /// The first problems, in the order of the lines.
    problems: Vec<(usize, RecordProblem)>,
    /// The number of problems that are not in the list.
    more_problems: usize,
}

/// The players in the header.
struct Players {
    /// The names in the order of play.
    names: Vec<String>,
    /// The index of each name in `names`.
    index: HashMap<String, usize>,
    /// The names as they are listed in messages.
    listed: String,
}

#[derive(PartialEq)]
enum Part {
    /// Nothing was read yet.
    Start,
    Header,
    Turns,
    /// The header has too many players; the rest is not read.
    Refused,
}

/// The action after a roll, as it is written.
enum Word {
    Keep(Keep),
    Score(BoxId, Option<String>),
}

impl Reader {
    fn new(game: &Game) -> Reader {
        Reader {
            rules: Arc::clone(game.rules()),
            game_rules: None,
            players: None,
            tags: Vec::new(),
            turns: Vec::new(),
            position: Position::start(game, 1),
            turn: RecordedTurn::default(),
            rolled: 0,
            kept: None,
            undecided: None,
            named: false,
            part: Part::Start,
            number: 0,
            problems: Vec::new(),
            more_problems: 0,
        }
    }

    /// Reports a problem on the current line.
    fn report(&mut self, problem: RecordProblem) {
        self.report_at(self.number, problem);
    }

    fn report_at(&mut self, line: usize, problem: RecordProblem) {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push((line, problem));
        } else {
            self.more_problems += 1;
        }
    }

    /// Returns the value of a result, or reports its problem and returns `None`.
    fn note<T>(&mut self, result: Result<T, impl Into<RecordProblem>>) -> Option<T> {
        result.map_err(|problem| self.report(problem.into())).ok()
    }

    /// Returns the name of the player to move, as it is shown in messages.
    fn player(&self) -> String {
        let players = self.players.as_ref();
        quote(players.map_or(NAMELESS, |players| &players.names[self.position.to_move]))
    }

    /// Returns the index of a player, or `None` if no player has this name.
    fn index_of(&self, name: &str) -> Option<usize> {
        match &self.players {
            None => (name == NAMELESS).then_some(0),
            Some(players) => players.index.get(name).copied(),
        }
    }

    fn line(&mut self, line: &str) {
        if line.is_empty() {
            // The header ends with the first empty line.
            if self.part == Part::Header {
                self.part = Part::Turns;
            }
            return;
        }
        match line.split_once(':') {
            Some((key, value)) if self.part != Part::Turns && !self.begins_a_turn(key.trim(), value) => {
                self.part = Part::Header;
                self.header(key.trim(), value.trim());
            }
            Some((name, roll)) => {
                self.part = Part::Turns;
                self.name(name.trim());
                if !roll.trim().is_empty() {
                    self.roll(roll);
                }
            }
            None => {
                self.part = Part::Turns;
                self.roll(line);
            }
        }
    }

    fn begins_a_turn(&self, key: &str, value: &str) -> bool {
        let is_player = self.players.as_ref().is_some_and(|players| players.index.contains_key(key));
        is_player || !is_reserved(key) && looks_like_a_turn(&self.rules, value)
    }

    fn header(&mut self, key: &str, value: &str) {
        match key.to_ascii_lowercase().as_str() {
            "rules" if self.game_rules.is_some() => self.report(RecordProblem::Repeated("rules".into())),
            "players" if self.players.is_some() => self.report(RecordProblem::Repeated("players".into())),
            "rules" if value.is_empty() => self.report(RecordProblem::NoRules),
            "rules" if value.chars().any(char::is_control) => {
                self.report(RecordProblem::BadTag(quote(value)))
            }
            "rules" => self.game_rules = Some(value.to_string()),
            "players" => self.name_players(value),
            _ if key.is_empty() || key.contains(char::is_control) || value.contains(char::is_control) => {
                self.report(RecordProblem::BadTag(quote(&format!("{key}: {value}"))));
            }
            _ => self.tags.push((key.to_string(), value.to_string())),
        }
    }

    fn name_players(&mut self, value: &str) {
        // The number is checked before memory is allocated for the players.
        let number = value.split(',').count();
        if number > MAX_PLAYERS {
            self.part = Part::Refused;
            return self.report(RecordProblem::TooManyPlayers(number));
        }
        let mut players = Players { names: Vec::new(), index: HashMap::new(), listed: String::new() };
        for (nth, name) in value.split(',').map(str::trim).enumerate() {
            self.note(check_name(name, players.index.contains_key(name)));
            players.names.push(name.to_string());
            players.index.entry(name.to_string()).or_insert(nth);
        }
        if let Some((key, value)) = self.tags.iter().find(|(key, _)| players.index.contains_key(key)) {
            self.report(RecordProblem::BadTag(quote(&format!("{key}: {value}"))));
        }
        players.listed = quote(&players.names.join(", "));
        self.position.cards = vec![self.position.cards[0].clone(); number];
        self.players = Some(players);
    }

    /// Starts a turn with the name of its player.
    fn name(&mut self, name: &str) {
        if let Some((line, roll)) = self.undecided.take() {
            self.report_at(line, RecordProblem::Undecided(roll));
            self.end_turn(None);
        }
        if self.rolled > 0 || self.named {
            self.report(RecordProblem::TurnNotEnded(self.player()));
            self.end_turn(None);
        }
        self.named = true;
        match self.index_of(name) {
            Some(player) if player == self.position.to_move => {}
            Some(player) => {
                let wanted = self.player();
                self.position.to_move = player;
                self.report(RecordProblem::NotTheirTurn { wanted, found: quote(name) });
            }
            None => {
                let known = match &self.players {
                    None => "not named; write players: and the names, separated by commas, at the top".into(),
                    Some(players) => players.listed.clone(),
                };
                self.report(RecordProblem::UnknownPlayer(quote(name), known));
            }
        }
    }

    /// Reads a roll and its action.
    fn roll(&mut self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        if let Some((line, roll)) = self.undecided.take() {
            self.report_at(line, RecordProblem::Undecided(roll));
            self.kept = None;
            if self.rolled == usize::from(self.rules.rolls()) {
                self.end_turn(None);
            }
        }
        if words.len() > 2 {
            let id = self.rules.boxes().values().last().map_or("", |rule| &rule.id);
            let example: String =
                (0..self.rules.dice()).map(|die| char::from(b'1' + die % self.rules.faces())).collect();
            self.report(RecordProblem::TooManyWords(quote(line), format!("{example} 1 or {example} {id}")));
        }
        if self.rolled == 0 {
            if self.position.is_over() {
                return self.report(RecordProblem::Over);
            }
            if !self.named && self.position.cards.len() > 1 {
                self.report(RecordProblem::NoName(self.player()));
            }
        }
        self.rolled += 1;
        let roll = self.note(Roll::parse(words[0], self.rules.dice(), self.rules.faces()));
        if let (Some(roll), Some(kept)) = (&roll, &self.kept) {
            let follows = check_follows(&self.rules, kept, roll);
            self.note(follows);
        }
        let choice = match (words.get(1), roll) {
            (Some(word), _) => self.word(word),
            (None, Some(roll)) => {
                self.undecided = Some((self.number, roll.to_string()));
                self.turn.rolls.push(Rolled { roll, action: None });
                return;
            }
            (None, None) => None,
        };
        match choice {
            Some(Word::Keep(keep)) => {
                self.kept =
                    roll.and_then(|roll| self.note(check_keep(&self.rules, &keep, &roll).map(|()| keep)));
                let action = Some(Action::Keep(keep));
                self.turn.rolls.extend(roll.map(|roll| Rolled { roll, action }));
            }
            Some(Word::Score(into, given)) => {
                let entry = roll.and_then(|roll| {
                    let entry = check_entry(self.position.card(), &roll, into);
                    let entry = self.note(entry)?;
                    self.turn.end(roll, entry);
                    Some(entry)
                });
                if let (Some(entry), Some(given)) = (entry, given) {
                    self.check_points(entry, &given);
                }
                self.end_turn(entry);
            }
            None => {
                self.kept = None;
                if self.rolled == usize::from(self.rules.rolls()) {
                    self.end_turn(None);
                }
            }
        }
    }

    /// Reads the action after a roll. Before the last roll of a turn, digits are dice to keep; a box whose id consists
    /// of digits needs a `=` there.
    fn word(&mut self, word: &str) -> Option<Word> {
        let lower = word.to_ascii_lowercase();
        let (id, points) = match lower.split_once('=') {
            Some((id, points)) => (id, Some(points.to_string()).filter(|points| !points.is_empty())),
            None => (lower.as_str(), None),
        };
        let must_score = self.rolled >= usize::from(self.rules.rolls());
        let dice = word == "-" || word.bytes().all(|byte| byte.is_ascii_digit());
        if !must_score && dice {
            return self.note(word.parse().map(Word::Keep));
        }
        match self.rules.box_by_id(id) {
            Some(into) => return Some(Word::Score(into, points)),
            None => {
                let boxes = ids(&self.rules, self.rules.all_boxes());
                let is_box = must_score || lower.contains('=');
                self.report(if is_box {
                    RecordProblem::UnknownBox(quote(id), boxes)
                } else {
                    RecordProblem::NotAChoice(quote(word), boxes)
                });
            }
        }
        None
    }

    /// Checks the points after a `=`, and the extra bonus if it is written.
    fn check_points(&mut self, entry: Entry, given: &str) {
        let number = |text: &str| text.parse::<u16>().ok();
        let right = match given.split_once('+') {
            None => number(given) == Some(entry.points),
            Some((box_points, extra)) => {
                number(box_points) == Some(entry.points) && number(extra) == Some(entry.extra)
            }
        };
        if !right {
            let id = self.rules.boxes()[entry.into].id.clone();
            self.report(RecordProblem::WrongPoints { id, given: quote(given), right: points(entry) });
        }
    }

    fn end_turn(&mut self, entry: Option<Entry>) {
        let turn = std::mem::take(&mut self.turn);
        // A record is returned only if it has no problems, so later turns need not be stored.
        if self.problems.is_empty() {
            self.turns.push(turn);
        }
        self.position.enter(entry);
        self.rolled = 0;
        self.kept = None;
        self.named = false;
    }

    fn end(mut self) -> Result<Record, RecordError> {
        if !self.problems.is_empty() {
            return Err(RecordError { problems: self.problems, more: self.more_problems });
        }
        if !self.turn.rolls.is_empty() {
            self.turns.push(self.turn);
        }
        Ok(Record {
            rules: self.game_rules.unwrap_or_else(|| self.rules.name().to_string()),
            players: self.players.map_or_else(|| vec![NAMELESS.to_string()], |players| players.names),
            tags: self.tags,
            turns: self.turns,
            position: self.position,
        })
    }
}
