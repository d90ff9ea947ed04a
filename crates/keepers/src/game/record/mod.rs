//! Records of games: who played by which rules, and every roll with what was done with it.
//!
//! The notation is plain text, a line a roll ([`Record::parse`] and `Display`); `docs/records.md`
//! describes it for people. Only what can happen by the rules can be recorded.

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

/// The name of a player who is not named.
pub const NAMELESS: &str = "Player";

/// The largest number of players in a record. Every player has a card, so their number must be bounded.
pub const MAX_PLAYERS: usize = 1000;

/// A game that was played, or the part of it that was.
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

/// One turn of one player; only the last turn of a record can be unfinished.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordedTurn {
    /// Every roll, in order.
    pub rolls: Vec<Rolled>,
}

/// A roll and what was done with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rolled {
    /// The dice.
    pub roll: Roll,
    /// What was kept, or where it was scored; nothing if the record ends before that. Before the last
    /// roll of a turn, scoring means to roll no more.
    pub action: Option<Action>,
}

impl RecordedTurn {
    /// The entry that ended it; nothing if it is unfinished.
    pub fn entry(&self) -> Option<Entry> {
        match self.rolls.last()?.action? {
            Action::Score(entry) => Some(entry),
            Action::Keep(_) => None,
        }
    }

    /// What is on the table before the next roll: the kept dice, or none if the turn begins.
    fn kept(&self) -> Option<Keep> {
        match self.rolls.last()?.action? {
            Action::Keep(keep) => Some(keep),
            Action::Score(_) => None,
        }
    }

    /// Ends the turn. That all dice were kept before goes without saying.
    fn end(&mut self, roll: Roll, entry: Entry) {
        let is_idle = |rolled: &Rolled| rolled.action.is_none() || rolled.keeps_all();
        while self.rolls.last().is_some_and(is_idle) {
            self.rolls.pop();
        }
        self.rolls.push(Rolled { roll, action: Some(Action::Score(entry)) });
    }
}

impl Rolled {
    /// Whether all dice are kept.
    fn keeps_all(&self) -> bool {
        self.action == Some(Action::Keep(*self.roll.dice()))
    }
}

/// A point of a game between two turns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// The card of each player.
    pub cards: Vec<Card>,
    /// Whose turn it is.
    pub to_move: usize,
}

impl Position {
    /// The start of a game.
    pub fn start(game: &Game, players: usize) -> Position {
        Position { cards: vec![Card::empty(game); players], to_move: 0 }
    }

    /// The card of the player whose turn it is.
    pub fn card(&self) -> &Card {
        &self.cards[self.to_move]
    }

    /// Whether nobody has a turn left.
    pub fn is_over(&self) -> bool {
        self.card().is_finished()
    }

    /// The position after the player to move makes an entry that the rules allow.
    #[must_use]
    pub fn after(&self, entry: Entry) -> Position {
        let mut next = self.clone();
        next.enter(Some(entry));
        next
    }

    /// Ends a turn, with its entry if that is known.
    pub(crate) fn enter(&mut self, entry: Option<Entry>) {
        if let Some(entry) = entry {
            self.cards[self.to_move] = self.card().with(entry);
        }
        self.to_move = (self.to_move + 1) % self.cards.len();
    }
}

/// Something that cannot be in a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RecordProblem {
    /// Dice that cannot be read, or too many or too few of them.
    #[error(transparent)]
    Dice(#[from] DiceError),
    /// A roll after the end of the game.
    #[error("the game is over: every box of every card is filled")]
    Over,
    /// A roll without the dice that were kept.
    #[error("{roll} cannot follow: {kept} was kept and must be among the dice{hint}")]
    KeptDiceMissing {
        /// What was kept.
        kept: Keep,
        /// What was rolled next.
        roll: Roll,
        /// How to write the box that may have been meant.
        hint: String,
    },
    /// Kept dice that were not rolled.
    #[error("{keep} cannot be kept of {roll}: it is not among the dice{hint}")]
    NotRolled {
        /// What was kept.
        keep: Keep,
        /// What was rolled.
        roll: Roll,
        /// How to write the box that may have been meant.
        hint: String,
    },
    /// A roll that nothing was done with, and another one after it.
    #[error(
        "nothing is done with {0}: write the dice kept, or the box; only the last roll of a record can stand alone"
    )]
    Undecided(String),
    /// Something done without a roll.
    #[error("the dice were not rolled yet")]
    NoRoll,
    /// Dice kept after the last roll of a turn.
    #[error("{0} was the last roll of the turn: it must be scored in a box")]
    NoRollLeft(Roll),
    /// A box that is filled.
    #[error("{0} is filled already: {1}")]
    Filled(String, String),
    /// A box that these dice cannot go to.
    #[error(transparent)]
    NotAllowed(#[from] EntryError),
    /// A box that the game has not.
    #[error("there is no box \"{0}\": the boxes are {1}")]
    UnknownBox(String, String),
    /// Neither dice nor a box.
    #[error("\"{0}\" is neither dice to keep nor a box: the boxes are {1}")]
    NotAChoice(String, String),
    /// Points that are not what the box pays.
    #[error("{id}={given} is wrong: these dice make {id}={right}")]
    WrongPoints {
        /// The box.
        id: String,
        /// The points in the record.
        given: String,
        /// The right points.
        right: String,
    },
    /// More than a roll and a choice on a line.
    #[error("\"{0}\" is too much for one line: write a roll and the dice kept or the box, like {1}")]
    TooManyWords(String, String),
    /// A turn of somebody else.
    #[error("it is the turn of {wanted}, not of {found}: players take turns in order")]
    NotTheirTurn {
        /// Whose turn it is.
        wanted: String,
        /// Who is named.
        found: String,
    },
    /// A name that is not among the players.
    #[error("\"{0}\" is not a player: the players are {1}")]
    UnknownPlayer(String, String),
    /// A turn that does not say whose it is.
    #[error("the turn must start with the name of its player: write {0}: before the roll")]
    NoName(String),
    /// A turn that begins before the one before it has ended.
    #[error("the turn of {0} has not ended: its last roll must be scored in a box")]
    TurnNotEnded(String),
    /// A key of the header that may stand only once.
    #[error("{0} is said twice: once is enough")]
    Repeated(String),
    /// Rules without a name.
    #[error("rules: needs the name of the rules, or the path of a TOML file")]
    NoRules,
    /// A name that no player can have.
    #[error(
        "\"{0}\" cannot be the name of a player: names are separated by commas, not empty, all different, and without : and #"
    )]
    BadName(String),
    /// More than [`MAX_PLAYERS`] players.
    #[error("{0} players are too many: a record has at most {MAX_PLAYERS}")]
    TooManyPlayers(usize),
    /// A key or value that cannot stand in the header.
    #[error("\"{0}\" cannot be said in the header: write key: value on one line, without #")]
    BadTag(String),
}

impl Record {
    /// The record of a game that is about to be played.
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

    /// Says by which name or in which file the rules are found.
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

    /// Says something else about the game: a date, a seed, a place.
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

    /// The player whose turn it is rolls.
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

    /// The player keeps these dice, to roll the others.
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

    /// The player enters the dice into a box, and the turn is over. All dice must have been rolled or kept.
    pub fn score(&mut self, into: BoxId) -> Result<Entry, RecordProblem> {
        let last = self.open_turn().and_then(|turn| turn.rolls.last());
        let roll = last.filter(|rolled| rolled.action.is_none() || rolled.keeps_all());
        let roll = roll.ok_or(RecordProblem::NoRoll)?.roll;
        let entry = check_entry(self.position.card(), &roll, into)?;
        self.turns.last_mut().expect("a roll is in a turn").end(roll, entry);
        self.position.enter(Some(entry));
        Ok(entry)
    }

    /// The rules as the record names them: a name, or the path of a TOML file.
    pub fn rules(&self) -> &str {
        &self.rules
    }

    /// Who plays, in the order of their turns.
    pub fn players(&self) -> &[String] {
        &self.players
    }

    /// What else is said about the game, in order.
    pub fn tags(&self) -> &[(String, String)] {
        &self.tags
    }

    /// Every turn, the players taking turns in order.
    pub fn turns(&self) -> &[RecordedTurn] {
        &self.turns
    }

    /// The position after the last finished turn.
    pub fn position(&self) -> &Position {
        &self.position
    }

    fn rule_set(&self) -> &Arc<Rules> {
        self.position.cards[0].rules()
    }

    /// The turn that is being played.
    fn open_turn(&self) -> Option<&RecordedTurn> {
        self.turns.last().filter(|turn| turn.entry().is_none())
    }

    /// The roll that waits for what is done with it.
    fn undecided(&self) -> Option<Roll> {
        let last = self.open_turn()?.rolls.last()?;
        last.action.is_none().then_some(last.roll)
    }
}

/// Whether text can stand on a line of the header and is read back as it is.
fn is_plain(text: &str) -> bool {
    !text.contains('#') && !text.chars().any(char::is_control)
}

/// Whether a key of the header has a meaning of its own.
fn is_reserved(key: &str) -> bool {
    ["rules", "players"].contains(&key.to_lowercase().as_str())
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

/// Whoever scores a 6 early may mean the box, and not the die.
fn hint(rules: &Rules, keep: &Keep) -> String {
    let id = keep.to_string();
    let is_box = rules.box_by_id(&id).is_some();
    if is_box { format!("; to score in {id} before the last roll write {id}=") } else { String::new() }
}

fn check_entry(card: &Card, roll: &Roll, into: BoxId) -> Result<Entry, RecordProblem> {
    let rules = card.rules();
    if card.points(into).is_some() {
        let open = match card.open_boxes() {
            BoxSet::NONE => "so is every other box".to_string(),
            boxes => format!("open are {}", ids(rules, boxes)),
        };
        return Err(RecordProblem::Filled(rules.boxes()[into].id.clone(), open));
    }
    Ok(card.entry(roll.dice(), into)?)
}

/// The ids of boxes, for a message.
fn ids(rules: &Rules, boxes: BoxSet) -> String {
    boxes.iter().map(|id| rules.boxes()[id].id.as_str()).collect::<Vec<_>>().join(", ")
}
