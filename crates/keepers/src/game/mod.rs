//! Games: rules, cards, score states, objectives, and records of games.

pub mod card;
pub mod objective;
pub mod record;
pub mod rules;
pub mod state;
pub mod upper;

use std::fmt;
use std::sync::{Arc, OnceLock};

use crate::dice::{DiceError, Face, Lattice, Roll, tie_order};
use crate::game::rules::{BoxId, ByBox, Entry, Filled, Joker, Rules, UnknownPreset};
use crate::game::state::StateSpace;
use crate::turn::Turn;

/// A rule set prepared for play, with everything that follows from the rules alone: rolls, keeps, scores and score
/// states. Clones are cheap and share all of it.
///
/// ```
/// use keepers::Game;
/// let game = Game::preset("yatzy")?;
/// assert_eq!(game.card("1p=12,1=3")?.total(), 15);
/// assert_eq!(game.roll("53422")?.to_string(), "22345");
/// # Ok::<(), keepers::Error>(())
/// ```
#[derive(Clone)]
pub struct Game(Arc<Derived>);

/// A rule set and everything that is derived from it.
struct Derived {
    rules: Arc<Rules>,
    lattice: Lattice,
    turn: Turn,
    space: StateSpace,
    scores: ByBox<BoxScores>,
    all_equal: Vec<AllEqual>,
    tie_order: Vec<u16>,
    fingerprint: OnceLock<[u8; 32]>,
}

/// The points that one box pays for each roll.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoxScores {
    /// The distinct amounts that the box can pay, sorted.
    pub amounts: Vec<u16>,
    /// For each roll, in the order of the lattice, the index of its points in `amounts`.
    pub of_roll: Vec<u16>,
    /// The rolls that pay more than 0: the index of the roll in the lattice, and the index of its points in `amounts`.
    pub paying: Vec<(u16, u16)>,
}

/// A roll with all dice equal, which is an extra Yahtzee once the Yahtzee box is filled.
#[derive(Clone, Debug)]
pub struct AllEqual {
    /// The index of the roll in the lattice.
    pub roll: u16,
    /// The face that all dice show.
    pub face: Face,
    natural: ByBox<u16>,
    joker: ByBox<u16>,
}

impl PartialEq for Game {
    /// Compares the rules.
    fn eq(&self, other: &Game) -> bool {
        self.is(other) || self.rules() == other.rules()
    }
}

impl Eq for Game {}

impl fmt::Debug for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Game").field(&self.rules().name()).finish()
    }
}

impl Game {
    /// Prepares a preset for play, such as `yahtzee` or `yatzy` ([`Rules::preset`]).
    ///
    /// # Errors
    /// If there is no such preset. The error lists those that exist.
    pub fn preset(name: &str) -> Result<Game, UnknownPreset> {
        Rules::preset(name).map(Game::new)
    }

    /// Prepares a rule set for play. This enumerates all its score states, which takes a moment for large games.
    pub fn new(rules: Rules) -> Game {
        let lattice = Lattice::new(rules.dice(), rules.faces());
        let scores = rules
            .boxes()
            .values()
            .iter()
            .map(|rule| {
                let points: Vec<(u16, u16)> = lattice
                    .rolls()
                    .map(|roll| (roll as u16, rule.pattern.points(&lattice.keeps()[roll])))
                    .collect();
                let mut amounts: Vec<u16> = points.iter().map(|(_, points)| *points).collect();
                amounts.sort_unstable();
                amounts.dedup();
                let index = |points| amounts.binary_search(&points).expect("all are listed") as u16;
                let paying = points
                    .iter()
                    .filter(|(_, points)| *points > 0)
                    .map(|&(roll, points)| (roll, index(points)))
                    .collect();
                let of_roll = points.iter().map(|(_, points)| index(*points)).collect();
                BoxScores { amounts, of_roll, paying }
            })
            .collect();
        Game(Arc::new(Derived {
            turn: Turn::new(&lattice, rules.rolls()),
            space: StateSpace::new(&rules),
            all_equal: Face::all(rules.faces())
                .map(|face| {
                    let roll = lattice.all_equal(face);
                    let dice = &lattice.keeps()[roll];
                    let patterns = || rules.boxes().values().iter().map(|rule| &rule.pattern);
                    AllEqual {
                        roll: roll as u16,
                        face,
                        natural: patterns().map(|pattern| pattern.points(dice)).collect(),
                        joker: patterns().map(|pattern| pattern.joker_points(dice, rules.faces())).collect(),
                    }
                })
                .collect(),
            tie_order: tie_order(&lattice),
            fingerprint: OnceLock::new(),
            rules: Arc::new(rules),
            lattice,
            scores,
        }))
    }

    /// Reads a roll, such as `33566`.
    ///
    /// # Errors
    /// If the text is not a roll of this game's dice.
    pub fn roll(&self, text: &str) -> Result<Roll, DiceError> {
        Roll::parse(text, self.rules().dice(), self.rules().faces())
    }

    /// Returns whether both are clones of the same game.
    pub(crate) fn is(&self, other: &Game) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Returns the rules.
    pub fn rules(&self) -> &Arc<Rules> {
        &self.0.rules
    }

    /// Returns the fingerprint of the rules ([`Rules::fingerprint`]), which is computed once.
    pub fn fingerprint(&self) -> &[u8; 32] {
        self.0.fingerprint.get_or_init(|| self.0.rules.fingerprint())
    }

    /// Returns the lattice of all rolls and keeps.
    pub fn lattice(&self) -> &Lattice {
        &self.0.lattice
    }

    /// Returns the turn kernel.
    pub fn turn(&self) -> &Turn {
        &self.0.turn
    }

    /// Returns, for each keep, its rank among keeps of equal value.
    pub(crate) fn tie_order(&self) -> &[u16] {
        &self.0.tie_order
    }

    /// Returns the score states.
    pub fn space(&self) -> &StateSpace {
        &self.0.space
    }

    /// Returns the points that each box pays for each roll.
    pub fn scores(&self) -> &ByBox<BoxScores> {
        &self.0.scores
    }

    /// Returns all points that a box can hold, with or without a joker, sorted.
    pub fn possible_points(&self, into: BoxId) -> Vec<u16> {
        let mut points = self.0.scores[into].amounts.clone();
        if self.0.rules.extra().is_some_and(|extra| extra.joker != Joker::None) {
            points.extend(self.0.all_equal.iter().map(|dice| dice.joker[into]));
            points.sort_unstable();
            points.dedup();
        }
        points
    }

    /// Returns the entries that ordinary rolls make in a box, from the fewest points to the most. Extra Yahtzees have
    /// their own rules ([`Game::extra_yahtzee_entries`]).
    pub fn entries_into(&self, into: BoxId) -> impl Iterator<Item = Entry> + '_ {
        self.0.scores[into].amounts.iter().map(move |&points| Entry { into, points, extra: 0 })
    }

    /// Returns the entries of zero points that ordinary rolls can make with these boxes filled.
    pub fn zero_entries(&self, filled: Filled) -> impl Iterator<Item = Entry> + '_ {
        let open = self.0.rules.all_boxes().minus(filled.boxes);
        open.iter().filter_map(|into| self.entries_into(into).next().filter(|entry| entry.points == 0))
    }

    /// Calls `enter` with every entry that some roll makes with these boxes filled: box by box, then the entries of
    /// extra Yahtzees.
    pub fn each_entry(&self, filled: Filled, mut enter: impl FnMut(Entry)) {
        let open = self.0.rules.all_boxes().minus(filled.boxes);
        open.iter().flat_map(|into| self.entries_into(into)).for_each(&mut enter);
        self.extra_yahtzee_entries(filled, |_, entry| enter(entry));
    }

    /// Calls `enter` with every entry of an extra Yahtzee and the index of its roll in the lattice, roll by roll. Does
    /// nothing if rolls with all dice equal are scored like any other roll.
    pub fn extra_yahtzee_entries(&self, filled: Filled, mut enter: impl FnMut(u16, Entry)) {
        if self.0.rules.extra_yahtzees_apply(filled) {
            for AllEqual { roll, face, natural, joker } in &self.0.all_equal {
                let each = |entry| enter(*roll, entry);
                self.0.rules.extra_yahtzee_entries(
                    filled,
                    *face,
                    |into| natural[into],
                    |into| joker[into],
                    each,
                );
            }
        }
    }
}
