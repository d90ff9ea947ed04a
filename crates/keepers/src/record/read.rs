//! Reading records: every problem is found in one pass and told with its line.

use std::fmt;
use std::sync::Arc;

use super::write::points;
use super::{
    NAMELESS, Position, Record, RecordProblem, Rolled, Turn, check_entry, check_follows, check_keep,
    check_name, ids, is_reserved,
};
use crate::advise::Action;
use crate::dice::{Keep, Roll};
use crate::game::Game;
use crate::quote::quote;
use crate::rules::{BoxId, Entry, Rules};

/// Everything wrong with a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct RecordError {
    /// Each problem with its line.
    pub problems: Vec<(usize, RecordProblem)>,
}

impl fmt::Display for RecordError {
    /// The first problems; a file that is no record at all has one on every line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MOST: usize = 8;
        let problem = |(line, problem): &(usize, RecordProblem)| format!("line {line}: {problem}");
        f.write_str(&self.problems.iter().take(MOST).map(problem).collect::<Vec<_>>().join("; "))?;
        match self.problems.len().saturating_sub(MOST) {
            0 => Ok(()),
            1 => f.write_str("; and one more problem"),
            more => write!(f, "; and {more} more problems"),
        }
    }
}

/// The rules that the header of a record names, if it does: whoever reads the record must find them
/// first.
///
/// ```
/// assert_eq!(keepers::record::named_rules("# ours\nrules: yatzy\n"), Some("yatzy"));
/// assert_eq!(keepers::record::named_rules("22345 2345\n"), None);
/// ```
pub fn named_rules(text: &str) -> Option<&str> {
    let header = lines(text).skip_while(|(_, line)| line.is_none_or(str::is_empty));
    let header =
        header.map_while(|(_, line)| line.map_or(Some(None), |line| Some(Some(line.split_once(':')?))));
    let mut pairs = header.flatten().map(|(key, value)| (key.trim(), value.trim()));
    pairs.find(|(key, _)| key.eq_ignore_ascii_case("rules")).map(|(_, value)| value).filter(|v| !v.is_empty())
}

/// Whether what follows a colon is a roll and something done with it.
pub(super) fn looks_like_a_turn(rules: &Rules, text: &str) -> bool {
    let mut words = text.split_whitespace();
    let rolls = words.next().is_some_and(|word| Roll::parse(word, rules.dice(), rules.faces()).is_ok());
    rolls && words.next().is_some() && words.next().is_none()
}

/// The lines with their numbers, without comments; nothing for a line that was only a comment.
fn lines(text: &str) -> impl Iterator<Item = (usize, Option<&str>)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    (1..).zip(text.lines()).map(|(number, line)| match line.split_once('#') {
        None => (number, Some(line.trim())),
        Some((before, _)) => (number, Some(before.trim()).filter(|before| !before.is_empty())),
    })
}

impl Record {
    /// Reads a record of a game by these rules.
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
            reader.number = number;
            // A comment neither ends the header nor says anything.
            if let Some(line) = line {
                reader.line(line);
            }
        }
        reader.end()
    }
}

/// A record while it is read.
struct Reader {
    rules: Arc<Rules>,
    game_rules: Option<String>,
    players: Option<Vec<String>>,
    tags: Vec<(String, String)>,
    turns: Vec<Turn>,
    position: Position,
    /// The turn that is being read.
    turn: Turn,
    /// How many rolls it had, readable or not.
    rolled: usize,
    /// What was kept, if that is known.
    kept: Option<Keep>,
    /// The line of a roll that nothing was done with.
    alone: Option<(usize, String)>,
    /// Whether the turn began with a name.
    named: bool,
    part: Part,
    /// The line that is being read.
    number: usize,
    problems: Vec<(usize, RecordProblem)>,
}

#[derive(PartialEq)]
enum Part {
    /// Nothing was read yet.
    Start,
    Header,
    Turns,
}

/// What stands after a roll.
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
            turn: Turn::default(),
            rolled: 0,
            kept: None,
            alone: None,
            named: false,
            part: Part::Start,
            number: 0,
            problems: Vec::new(),
        }
    }

    fn tell(&mut self, problem: RecordProblem) {
        self.problems.push((self.number, problem));
    }

    /// The value, or nothing and a problem more.
    fn note<T>(&mut self, result: Result<T, impl Into<RecordProblem>>) -> Option<T> {
        result.map_err(|problem| self.tell(problem.into())).ok()
    }

    fn player(&self) -> String {
        self.players.as_ref().map_or(NAMELESS, |names| names[self.position.to_move].as_str()).to_string()
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
        let named = self.players.iter().flatten().any(|name| name == key);
        named || !is_reserved(key) && looks_like_a_turn(&self.rules, value)
    }

    fn header(&mut self, key: &str, value: &str) {
        match key.to_lowercase().as_str() {
            "rules" if self.game_rules.is_some() => self.tell(RecordProblem::Repeated("rules".into())),
            "players" if self.players.is_some() => self.tell(RecordProblem::Repeated("players".into())),
            "rules" if value.is_empty() => self.tell(RecordProblem::NoRules),
            "rules" if value.chars().any(char::is_control) => self.tell(RecordProblem::BadTag(quote(value))),
            "rules" => self.game_rules = Some(value.to_string()),
            "players" => {
                let mut names: Vec<String> = Vec::new();
                for name in value.split(',').map(str::trim) {
                    self.note(check_name(name, &names));
                    names.push(name.to_string());
                }
                if let Some((key, value)) = self.tags.iter().find(|(key, _)| names.contains(key)) {
                    self.tell(RecordProblem::BadTag(quote(&format!("{key}: {value}"))));
                }
                self.position.cards = vec![self.position.cards[0].clone(); names.len()];
                self.players = Some(names);
            }
            _ if key.is_empty() || key.contains(char::is_control) || value.contains(char::is_control) => {
                self.tell(RecordProblem::BadTag(quote(&format!("{key}: {value}"))));
            }
            _ => self.tags.push((key.to_string(), value.to_string())),
        }
    }

    /// A turn begins with the name of its player.
    fn name(&mut self, name: &str) {
        if let Some((line, roll)) = self.alone.take() {
            self.problems.push((line, RecordProblem::Undecided(roll)));
            self.end_turn(None);
        }
        if self.rolled > 0 || self.named {
            self.tell(RecordProblem::TurnNotEnded(self.player()));
            self.end_turn(None);
        }
        self.named = true;
        let wanted = self.player();
        let nobody = [NAMELESS.to_string()];
        let names = self.players.as_deref().unwrap_or(&nobody);
        match names.iter().position(|known| known == name) {
            Some(player) if player == self.position.to_move => {}
            Some(player) => {
                self.position.to_move = player;
                self.tell(RecordProblem::NotTheirTurn { wanted, found: name.to_string() });
            }
            None => {
                let known = match &self.players {
                    None => "not named: write players: and the names, separated by commas, at the top".into(),
                    Some(names) => quote(&names.join(", ")),
                };
                self.tell(RecordProblem::UnknownPlayer(quote(name), known));
            }
        }
    }

    /// A roll, and what is done with it.
    fn roll(&mut self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        if words.len() > 2 {
            let id = &self.rules.boxes().values()[0].id;
            let example: String =
                (0..self.rules.dice()).map(|die| char::from(b'1' + die % self.rules.faces())).collect();
            self.tell(RecordProblem::TooManyWords(quote(line), format!("{example} 1 or {example} {id}")));
        }
        if let Some((line, roll)) = self.alone.take() {
            self.problems.push((line, RecordProblem::Undecided(roll)));
            self.kept = None;
            if self.rolled == usize::from(self.rules.rolls()) {
                self.end_turn(None);
            }
        }
        if self.rolled == 0 {
            if self.position.is_over() {
                return self.tell(RecordProblem::Over);
            }
            if !self.named && self.position.cards.len() > 1 {
                self.tell(RecordProblem::NoName(quote(&self.player())));
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
                self.alone = Some((self.number, roll.to_string()));
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

    /// Before the last roll of a turn, dice are dice; a box that looks like dice needs a `=` there.
    fn word(&mut self, word: &str) -> Option<Word> {
        let all = ids(&self.rules, self.rules.all_boxes());
        let lower = word.to_lowercase();
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
            None if must_score || lower.contains('=') => {
                self.tell(RecordProblem::UnknownBox(quote(id), all));
            }
            None => self.tell(RecordProblem::NotAChoice(quote(word), all)),
        }
        None
    }

    /// The points in the box must be right, and the bonus too if it is written.
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
            self.tell(RecordProblem::WrongPoints { id, given: quote(given), right: points(entry) });
        }
    }

    fn end_turn(&mut self, entry: Option<Entry>) {
        self.turns.push(std::mem::take(&mut self.turn));
        self.position.enter(entry);
        self.rolled = 0;
        self.kept = None;
        self.named = false;
    }

    fn end(mut self) -> Result<Record, RecordError> {
        if !self.problems.is_empty() {
            self.problems.sort_by_key(|(line, _)| *line);
            return Err(RecordError { problems: self.problems });
        }
        if !self.turn.rolls.is_empty() {
            self.turns.push(self.turn);
        }
        Ok(Record {
            rules: self.game_rules.unwrap_or_else(|| self.rules.name().to_string()),
            players: self.players.unwrap_or_else(|| vec![NAMELESS.to_string()]),
            tags: self.tags,
            turns: self.turns,
            position: self.position,
        })
    }
}
