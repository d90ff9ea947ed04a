//! Records of games: the rules, the players, and every roll with its action.
//!
//! The notation is plain text with one line per roll ([`Record::parse`] and `Display`); `docs/records.md` describes it
//! for users. A record can contain only what the rules allow.

mod read;
mod write;

pub use read::{MAX_PROBLEMS, RecordError, named_rules};

use std::collections::HashSet;
use std::sync::Arc;

use crate::dice::{DiceError, Keep, Roll};
use crate::game::Game;
use crate::game::card::{Card, EntryError};
use crate::game::rules::Action;
use crate::game::rules::{BoxId, BoxSet, Entry, Rules};

/// The name of the only player in a record without names.
pub const NAMELESS: &str = "Player";

/// The maximum number of players in a record. Every player has a card, so their number must be bounded.
pub const MAX_PLAYERS: usize = 1000;

/// A finished game, or the first part of a game.
///
/// ```
/// use keepers::{Game, Record, Roll, Rules};
/// let game = Game::new(Rules::preset("yahtzee").unwrap());
/// let mut record = Record::new(&game, &["Ann"]).unwrap();
/// record.roll(Roll::parse("33566", 5, 6).unwrap()).unwrap();
/// record.keep("66".parse().unwrap()).unwrap();
/// record.roll(Roll::parse("66222", 5, 6).unwrap()).unwrap();
/// record.score(game.rules().box_by_id("fh").unwrap()).unwrap();
/// assert_eq!(record.to_string(), "rules: yahtzee\nplayers: Ann\n\n33566 66\n22266 fh=25\n");
/// assert_eq!(Record::parse(&game, &record.to_string()).unwrap(), record);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    rules: String,
    players: Vec<String>,
    tags: Vec<(String, String)>,
    turns: Vec<RecordedTurn>,
    position: Position,
}

/// One turn of one player. Only the last turn of a record can be unfinished.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordedTurn {
    /// All rolls, in order.
    pub rolls: Vec<Rolled>,
}

/// A roll and the action after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rolled {
    /// The dice.
    pub roll: Roll,
    /// The dice kept or the entry. `None` if the record ends after this roll. An entry before the last roll of a turn
    /// means that the player did not roll again.
    pub action: Option<Action>,
}

impl RecordedTurn {
    /// Returns the entry that ended the turn. Returns `None` if the turn is unfinished.
    pub fn entry(&self) -> Option<Entry> {
        match self.rolls.last()?.action? {
            Action::Score(entry) => Some(entry),
            Action::Keep(_) => None,
        }
    }

    /// Returns the dice kept from the last roll. Returns `None` if there is no roll or it has no keep.
    fn kept(&self) -> Option<Keep> {
        match self.rolls.last()?.action? {
            Action::Keep(keep) => Some(keep),
            Action::Score(_) => None,
        }
    }

    /// Ends the turn. Rolls of which all dice were kept are removed, so that a turn has only one written form.
    fn end(&mut self, roll: Roll, entry: Entry) {
        let is_idle = |rolled: &Rolled| rolled.action.is_none() || rolled.keeps_all();
        while self.rolls.last().is_some_and(is_idle) {
            self.rolls.pop();
        }
        self.rolls.push(Rolled { roll, action: Some(Action::Score(entry)) });
    }
}

impl Rolled {
    /// Returns whether the player keeps all dice.
    fn keeps_all(&self) -> bool {
        self.action == Some(Action::Keep(*self.roll.dice()))
    }
}

/// A position between two turns of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// The card of each player.
    pub cards: Vec<Card>,
    /// The index of the player to move.
    pub to_move: usize,
}

impl Position {
    /// Returns the position at the start of a game.
    pub fn start(game: &Game, players: usize) -> Position {
        Position { cards: vec![Card::empty(game); players], to_move: 0 }
    }

    /// Returns the card of the player to move.
    pub fn card(&self) -> &Card {
        &self.cards[self.to_move]
    }

    /// Returns whether the game is over.
    pub fn is_over(&self) -> bool {
        self.card().is_finished()
    }

    /// Returns the position after the player to move makes an entry that the rules allow.
    #[must_use]
    pub fn after(&self, entry: Entry) -> Position {
        let mut next = self.clone();
        next.enter(Some(entry));
        next
    }

    /// Ends a turn. The entry is `None` if it could not be read.
    pub(crate) fn enter(&mut self, entry: Option<Entry>) {
        if let Some(entry) = entry {
            self.cards[self.to_move] = self.card().with(entry);
        }
        self.to_move = (self.to_move + 1) % self.cards.len();
    }
}

/// A problem of a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RecordProblem {
    /// Invalid dice, or the wrong number of them.
    #[error(transparent)]
    Dice(#[from] DiceError),
    /// A roll after the end of the game.
    #[error("the game is over: every box of every card is filled")]
    Over,
    /// A roll that does not contain the dice kept before.
    #[error("{roll} is impossible: it must contain {kept}, which was kept{hint}")]
    KeptDiceMissing {
        /// The dice kept.
        kept: Keep,
        /// The next roll.
        roll: Roll,
        /// How to write the box, if these dice are also the id of a box; otherwise empty.
        hint: String,
    },
    /// Kept dice that the roll does not contain.
    #[error("{keep} cannot be kept: {roll} does not contain it{hint}")]
    NotRolled {
        /// The dice kept.
        keep: Keep,
        /// The roll.
        roll: Roll,
        /// How to write the box, if these dice are also the id of a box; otherwise empty.
        hint: String,
    },
    /// A roll without an action, although another roll follows.
    #[error(
        "{0} has no action: write the dice kept or the box after it; only the last roll of a record may have no action"
    )]
    Undecided(String),
    /// An action without a roll.
    #[error("the dice were not rolled yet: add a roll first")]
    NoRoll,
    /// A keep after the last roll of a turn.
    #[error("{0} was the last roll of the turn: it must be scored in a box")]
    NoRollLeft(Roll),
    /// A box that is already filled.
    #[error("{0} is already filled: {1}")]
    Filled(String, String),
    /// A box in which the rules do not allow these dice.
    #[error(transparent)]
    NotAllowed(#[from] EntryError),
    /// A box that does not exist.
    #[error("there is no box \"{0}\": the boxes are {1}")]
    UnknownBox(String, String),
    /// Neither dice nor a box.
    #[error("\"{0}\" is neither dice to keep nor a box: the boxes are {1}")]
    NotAChoice(String, String),
    /// Points that differ from those that the box pays.
    #[error("{id}={given} is wrong: these dice make {id}={right}")]
    WrongPoints {
        /// The box.
        id: String,
        /// The points in the record.
        given: String,
        /// The points that the box pays.
        right: String,
    },
    /// More than a roll and an action on one line.
    #[error("\"{0}\" has too many words: write a roll, then the dice kept or a box, like {1}")]
    TooManyWords(String, String),
    /// A turn of a player who is not to move.
    #[error("it is the turn of {wanted}, not of {found}: players take turns in order")]
    NotTheirTurn {
        /// The player to move.
        wanted: String,
        /// The player in the record.
        found: String,
    },
    /// A name that no player has.
    #[error("\"{0}\" is not a player: the players are {1}")]
    UnknownPlayer(String, String),
    /// A turn without the name of its player.
    #[error("the turn must start with the name of its player: write {0}: before the roll")]
    NoName(String),
    /// A turn that starts before the previous turn has ended.
    #[error("the turn of {0} has not ended: its last roll must be scored in a box")]
    TurnNotEnded(String),
    /// A key that occurs twice in the header.
    #[error("{0} is given twice")]
    Repeated(String),
    /// The key `rules` without a value.
    #[error("rules: has no value: write the name of a preset or the path of a TOML file")]
    NoRules,
    /// An invalid name of a player.
    #[error(
        "\"{0}\" cannot be a player's name: names must differ, must not contain : or #, and must not be \"rules\" or \"players\""
    )]
    BadName(String),
    /// More than [`MAX_PLAYERS`] players.
    #[error("{0} players are too many: a record has at most {MAX_PLAYERS}")]
    TooManyPlayers(usize),
    /// An invalid key or value in the header.
    #[error("\"{0}\" cannot stand in the header: write key: value on one line, without #")]
    BadTag(String),
}

impl Record {
    /// Starts the record of a new game.
    ///
    /// # Errors
    /// If there are no players or too many, or if a name is invalid or used twice.
    pub fn new(game: &Game, players: &[impl AsRef<str>]) -> Result<Record, RecordProblem> {
        if players.len() > MAX_PLAYERS {
            return Err(RecordProblem::TooManyPlayers(players.len()));
        }
        let mut names: Vec<String> = Vec::new();
        let mut taken = HashSet::new();
        for name in players.iter().map(|name| name.as_ref().trim()) {
            check_name(name, !taken.insert(name))?;
            names.push(name.to_string());
        }
        if names.is_empty() {
            return Err(RecordProblem::BadName(String::new()));
        }
        Ok(Record {
            rules: game.rules().name().to_string(),
            position: Position::start(game, names.len()),
            players: names,
            tags: Vec::new(),
            turns: Vec::new(),
        })
    }

    /// Sets the rules in the header: a name, or the path of a TOML file.
    ///
    /// # Errors
    /// If the text is empty or cannot be written into a header.
    pub fn name_rules(&mut self, name: &str) -> Result<(), RecordProblem> {
        let name = name.trim();
        if name.is_empty() {
            return Err(RecordProblem::NoRules);
        }
        if !is_plain(name) {
            return Err(RecordProblem::BadTag(crate::text::quote(name)));
        }
        self.rules = name.to_string();
        Ok(())
    }

    /// Adds a key with a value to the header, such as a date or a seed.
    ///
    /// # Errors
    /// If the key or the value cannot be written into a header.
    pub fn tag(&mut self, key: &str, value: &str) -> Result<(), RecordProblem> {
        let (key, value) = (key.trim(), value.trim());
        let taken = is_reserved(key) || self.players.iter().any(|player| player == key);
        let bad = taken || key.is_empty() || key.contains(':') || !is_plain(key) || !is_plain(value);
        if bad || read::looks_like_a_turn(self.rule_set(), value) {
            return Err(RecordProblem::BadTag(crate::text::quote(&format!("{key}: {value}"))));
        }
        self.tags.push((key.to_string(), value.to_string()));
        Ok(())
    }

    /// Adds a roll of the player to move.
    ///
    /// # Errors
    /// If the game is over, if the last roll has no action, or if the roll does not contain the kept dice.
    pub fn roll(&mut self, roll: Roll) -> Result<(), RecordProblem> {
        if let Some(undecided) = self.undecided() {
            return Err(RecordProblem::Undecided(undecided.to_string()));
        }
        match self.open_turn().map(|turn| turn.kept()) {
            None if self.position.is_over() => return Err(RecordProblem::Over),
            None => self.turns.push(RecordedTurn::default()),
            Some(kept) => {
                let kept = kept.expect("all rolls but the last have a choice");
                check_follows(self.rule_set(), &kept, &roll)?;
            }
        }
        self.turns.last_mut().expect("a turn is open").rolls.push(Rolled { roll, action: None });
        Ok(())
    }

    /// Adds the dice that the player keeps of the last roll.
    ///
    /// # Errors
    /// If no roll waits for an action, if it was the last of the turn, or if it does not contain these dice.
    pub fn keep(&mut self, keep: Keep) -> Result<(), RecordProblem> {
        let roll = self.undecided().ok_or(RecordProblem::NoRoll)?;
        let rules = Arc::clone(self.rule_set());
        let turn = self.turns.last_mut().expect("a roll is in a turn");
        if turn.rolls.len() == usize::from(rules.rolls()) {
            return Err(RecordProblem::NoRollLeft(roll));
        }
        check_keep(&rules, &keep, &roll)?;
        turn.rolls.last_mut().expect("it has a roll").action = Some(Action::Keep(keep));
        Ok(())
    }

    /// Enters the last roll into a box, which ends the turn.
    ///
    /// # Errors
    /// If there is no roll, if some of its dice are to be rolled again, or if the rules do not allow the entry.
    pub fn score(&mut self, into: BoxId) -> Result<Entry, RecordProblem> {
        let last = self.open_turn().and_then(|turn| turn.rolls.last());
        let roll = last.filter(|rolled| rolled.action.is_none() || rolled.keeps_all());
        let roll = roll.ok_or(RecordProblem::NoRoll)?.roll;
        let entry = check_entry(self.position.card(), &roll, into)?;
        self.turns.last_mut().expect("a roll is in a turn").end(roll, entry);
        self.position.enter(Some(entry));
        Ok(entry)
    }

    /// Returns the rules as the header names them: a name, or the path of a TOML file.
    pub fn rules(&self) -> &str {
        &self.rules
    }

    /// Returns the names of the players in the order of play.
    pub fn players(&self) -> &[String] {
        &self.players
    }

    /// Returns all other keys of the header with their values, in order.
    pub fn tags(&self) -> &[(String, String)] {
        &self.tags
    }

    /// Returns all turns in the order of play.
    pub fn turns(&self) -> &[RecordedTurn] {
        &self.turns
    }

    /// Returns the position after the last finished turn.
    pub fn position(&self) -> &Position {
        &self.position
    }

    fn rule_set(&self) -> &Arc<Rules> {
        self.position.cards[0].rules()
    }

    /// Returns the unfinished turn, if there is one.
    fn open_turn(&self) -> Option<&RecordedTurn> {
        self.turns.last().filter(|turn| turn.entry().is_none())
    }

    /// Returns the last roll if it has no action yet.
    fn undecided(&self) -> Option<Roll> {
        let last = self.open_turn()?.rolls.last()?;
        last.action.is_none().then_some(last.roll)
    }
}

/// Returns whether a header with this text can be written and read back unchanged.
fn is_plain(text: &str) -> bool {
    !text.contains('#') && !text.chars().any(char::is_control)
}

/// Returns whether a key of the header has a fixed meaning.
fn is_reserved(key: &str) -> bool {
    ["rules", "players"].contains(&key.to_ascii_lowercase().as_str())
}

fn check_name(name: &str, is_taken: bool) -> Result<(), RecordProblem> {
    let good = !name.is_empty() && is_plain(name) && !name.contains([':', ',']) && !is_reserved(name);
    if good && !is_taken {
        return Ok(());
    }
    Err(RecordProblem::BadName(crate::text::quote(name)))
}

fn check_follows(rules: &Rules, kept: &Keep, roll: &Roll) -> Result<(), RecordProblem> {
    if kept.is_within(roll.dice()) {
        return Ok(());
    }
    Err(RecordProblem::KeptDiceMissing { kept: *kept, roll: *roll, hint: hint(rules, kept) })
}

fn check_keep(rules: &Rules, keep: &Keep, roll: &Roll) -> Result<(), RecordProblem> {
    if keep.is_within(roll.dice()) {
        return Ok(());
    }
    Err(RecordProblem::NotRolled { keep: *keep, roll: *roll, hint: hint(rules, keep) })
}

/// Returns a hint if the dice are also the id of a box: a player who writes `6` before the last roll may mean the box
/// Sixes and not the die.
fn hint(rules: &Rules, keep: &Keep) -> String {
    let id = keep.to_string();
    let is_box = rules.box_by_id(&id).is_some();
    if is_box { format!("; to score in {id} before the last roll write {id}=") } else { String::new() }
}

fn check_entry(card: &Card, roll: &Roll, into: BoxId) -> Result<Entry, RecordProblem> {
    let rules = card.rules();
    if card.points(into).is_some() {
        let open = match card.open_boxes() {
            BoxSet::NONE => "no box is open".to_string(),
            boxes => format!("the open boxes are {}", ids(rules, boxes)),
        };
        return Err(RecordProblem::Filled(rules.boxes()[into].id.clone(), open));
    }
    Ok(card.entry(roll.dice(), into)?)
}

/// Returns the ids of boxes, for a message.
fn ids(rules: &Rules, boxes: BoxSet) -> String {
    boxes.iter().map(|id| rules.boxes()[id].id.as_str()).collect::<Vec<_>>().join(", ")
}
