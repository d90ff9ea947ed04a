//! `felldin-sood`: the one-turn heuristic of Felldin and Sood (2012).
//!
//! Before a reroll, each open box proposes the dice that serve it best. Each proposal is rated by what keeping these
//! dice adds to the expected points of that box (equations 3 and 4) and of all other open boxes that they serve, and
//! the best proposal is kept. The final roll goes into the box where its points are highest above the middle of the
//! box's range. The heuristic does not look beyond the turn. `papers/felldin-sood-2012` lists what the thesis leaves
//! open and how it is decided here.

mod beneficial;
mod expected_points;

pub use beneficial::probability_of;

use std::cmp::Reverse;

use self::beneficial::at_least;
use self::expected_points::expected_points;
use super::{DependsOn, Standing, Strategy, TurnContext, TurnPolicy};
use crate::dice::random::RandomStream;
use crate::dice::{ByFace, Face, Keep, Lattice, MAX_DICE, Roll};
use crate::game::Game;
use crate::game::rules::{BoxSet, Entry, MAX_BOXES, Pattern, Pays};
use crate::kernel::plan::TieTolerance;
use crate::work::WorkError;

/// How the points of a final entry are compared with the range of points that its box can pay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Range {
    /// By the points above or below the middle of the range.
    #[default]
    Middle,
    /// By the share of the range. Of equal shares, the box higher up on the card wins.
    Share,
    /// By the share of the range. Of equal shares, the one with more points wins.
    ShareThenPoints,
    /// Not at all: the entry with the most points wins.
    Ignored,
}

/// The parts of the heuristic. Each can be left out to measure its effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ingredients {
    /// With two rerolls left, count both (equation 4) and not just the next one (equation 3).
    pub both_rerolls: bool,
    /// Count what the kept dice add to all open boxes, not only to the box that proposed them.
    pub mutual_benefit: bool,
    /// Count what keeping dice adds compared with rolling all of them, not the total expected points.
    pub gain: bool,
    /// Count the upper bonus if an entry of this turn can secure it.
    pub bonus: bool,
    /// How the final entry is compared with the range of its box.
    pub range: Range,
    /// Boxes that may be filled but never propose dice.
    pub left_to_luck: BoxSet,
}

impl Default for Ingredients {
    /// Uses all parts, and lets every box propose dice.
    fn default() -> Ingredients {
        Ingredients {
            both_rerolls: true,
            mutual_benefit: true,
            gain: true,
            bonus: true,
            range: Range::Middle,
            left_to_luck: BoxSet::NONE,
        }
    }
}

/// The one-turn heuristic of Felldin and Sood.
///
/// ```
/// use keepers::RandomStream;
/// use keepers::{Standing, Strategy, TurnContext};
/// use keepers::internals::players::FelldinSood;
/// use keepers::{Game, Rules, Silent};
///
/// let game = Game::new(Rules::preset("classic").unwrap());
/// let player = FelldinSood::new(&game);
/// let standings = [Standing::default()];
/// let context = TurnContext { game: &game, standings: &standings, mover: 0, observer: &Silent };
/// let mut plan = player.plan(&context).unwrap();
/// let roll = game.roll("23456").unwrap();
/// let entry = plan.enter(roll, &mut RandomStream::new(1, 0));
/// assert_eq!((game.rules().boxes()[entry.into].id.as_str(), entry.points), ("ls", 40));
/// ```
#[derive(Clone, Debug)]
pub struct FelldinSood {
    with: Ingredients,
    /// The tables by the number of rerolls left, starting with 1.
    tables: Vec<Tables>,
    /// The points of each box, by final roll.
    points: Vec<[u16; MAX_BOXES]>,
    /// For each box, the least and the most that it can pay.
    ranges: [(i64, i64); MAX_BOXES],
    /// For each keep, the number of dice that show each face.
    counts: Vec<ByFace<u8>>,
    /// The index of the first roll in the lattice.
    first: usize,
}

/// One column per box, one for the extra bonus, and one that is unused. Points are counted in integer multiples of
/// 1e-9, so that sums are exact in any order and rounding errors do not decide between equal choices.
type Columns = [i64; MAX_BOXES + 2];

/// The column of the extra bonus.
const EXTRA: usize = MAX_BOXES;

/// The tables for one number of rerolls left.
#[derive(Clone, Debug)]
struct Tables {
    /// For each keep, the points that it adds to each box.
    adds: Vec<Columns>,
    /// For each roll, the keep that serves each box best.
    proposals: Vec<[u16; MAX_BOXES + 2]>,
    /// The expected points of the upper bonus if `needed` of `rolled` dice must show a face: `[rolled][needed]`.
    bonus: [[i64; MAX_DICE + 1]; MAX_DICE + 1],
}

impl FelldinSood {
    /// Computes all tables of the heuristic for a game.
    pub fn new(game: &Game) -> FelldinSood {
        FelldinSood::with(game, Ingredients::default())
    }

    /// Computes all tables of the heuristic, with some parts left out.
    pub fn with(game: &Game, with: Ingredients) -> FelldinSood {
        let (rules, lattice) = (game.rules(), game.lattice());
        let patterns = || rules.boxes().values().iter().map(|rule| &rule.pattern);
        let mut points = vec![[0; MAX_BOXES]; lattice.rolls().len()];
        for (points, roll) in points.iter_mut().zip(&lattice.keeps()[lattice.rolls()]) {
            patterns().zip(points).for_each(|(pattern, points)| *points = pattern.points(roll));
        }
        let mut ranges = [(0, 0); MAX_BOXES];
        for (into, _) in rules.boxes().iter() {
            let possible = game.possible_points(into);
            let end = |points: Option<&u16>| points.map_or(0, |&points| i64::from(points));
            ranges[into.index()] = (end(possible.first()), end(possible.last()));
        }
        let counts = lattice.keeps().iter().map(|keep| {
            let mut counts = ByFace::default();
            keep.faces().for_each(|face| counts[face] += 1);
            counts
        });
        FelldinSood {
            with,
            tables: (1..rules.rolls()).map(|rerolls| Tables::new(game, with, rerolls)).collect(),
            points,
            ranges,
            counts: counts.collect(),
            first: lattice.rolls().start,
        }
    }
}

impl Tables {
    fn new(game: &Game, with: Ingredients, rerolls_left: u8) -> Tables {
        let (rules, lattice) = (game.rules(), game.lattice());
        let rerolls = if with.both_rerolls { rerolls_left } else { 1 };
        let mut adds = vec![[0; MAX_BOXES + 2]; lattice.keeps().len()];
        let mut proposals = vec![[0; MAX_BOXES + 2]; lattice.rolls().len()];
        let mut fill = |column: usize, pattern: &Pattern| {
            let values: Vec<i64> = expected_points(pattern, lattice, rerolls)
                .into_iter()
                .map(|points| TieTolerance::Points.rank(points))
                .collect();
            let unaided = if with.gain { values[0] } else { 0 };
            for (adds, value) in adds.iter_mut().zip(&values) {
                adds[column] = (value - unaided).max(0);
            }
            let best = best_within(lattice, game.tie_order(), &values);
            proposals.iter_mut().zip(best).for_each(|(proposals, best)| proposals[column] = best);
        };
        for (id, rule) in rules.boxes().iter().filter(|(id, _)| !with.left_to_luck.contains(*id)) {
            fill(id.index(), &rule.pattern);
        }
        if let Some(extra) = rules.extra() {
            fill(
                EXTRA,
                &Pattern::Sets { of: vec![rules.dice()], same_face: false, pays: Pays::Fixed(extra.points) },
            );
        }
        let points = rules.upper_bonus().map_or(0.0, |bonus| f64::from(bonus.points));
        let p = 1.0 / f64::from(rules.faces());
        let mut bonus = [[0; MAX_DICE + 1]; MAX_DICE + 1];
        for (rolled, bonus) in bonus.iter_mut().enumerate() {
            for (needed, bonus) in bonus.iter_mut().enumerate() {
                let probability = at_least(needed as u8, rolled as u8, p, rerolls);
                *bonus = TieTolerance::Points.rank(probability * points);
            }
        }
        Tables { adds, proposals, bonus }
    }
}

/// Returns, for each roll, the most valuable keep within it. Of equal keeps, the first in `order` wins.
fn best_within(lattice: &Lattice, order: &[u16], values: &[i64]) -> Vec<u16> {
    let rank = |keep: u16| (values[keep as usize], Reverse(order[keep as usize]));
    let mut best: Vec<u16> = (0..lattice.keeps().len() as u16).collect();
    for (k, next) in lattice.with_die().iter().enumerate() {
        for &larger in &next[..lattice.faces() as usize] {
            if rank(best[k]) > rank(best[larger as usize]) {
                best[larger as usize] = best[k];
            }
        }
    }
    best.split_off(lattice.rolls().start)
}

impl Strategy for FelldinSood {
    fn plan<'a>(&'a self, context: &TurnContext<'a>) -> Result<Box<dyn TurnPolicy + 'a>, WorkError> {
        Ok(Box::new(OneTurn::new(self, context.game, *context.own())))
    }

    fn depends_on(&self) -> DependsOn<'_> {
        DependsOn::StateOnly
    }
}

/// A turn of the heuristic.
struct OneTurn<'a> {
    player: &'a FelldinSood,
    game: &'a Game,
    own: Standing,
    open: BoxSet,
    /// All bits set for the columns of open boxes that propose dice, otherwise 0.
    counts: Columns,
    /// For each face, the number of its dice that would secure the upper bonus this turn. `None` if that is impossible.
    needed_for_bonus: ByFace<Option<u8>>,
    /// Whether the upper bonus can be secured this turn.
    bonus_in_reach: bool,
}

impl<'a> OneTurn<'a> {
    fn new(player: &'a FelldinSood, game: &'a Game, own: Standing) -> OneTurn<'a> {
        let (rules, open) = (game.rules(), own.open_boxes(game));
        let mut turn = OneTurn {
            player,
            game,
            own,
            open,
            counts: [0; MAX_BOXES + 2],
            needed_for_bonus: ByFace::default(),
            bonus_in_reach: false,
        };
        for into in open.minus(player.with.left_to_luck).iter() {
            turn.counts[into.index()] = -1;
        }
        turn.counts[EXTRA] = -i64::from(own.filled.extras_pay);
        let bonus = rules.upper_bonus().filter(|_| player.with.bonus);
        let Some(left) = bonus.and_then(|bonus| bonus.threshold.checked_sub(own.upper_total)) else {
            return turn;
        };
        for face in open.iter().filter_map(|into| rules.upper_face(into)).filter(|_| left > 0) {
            let needed = left.div_ceil(u16::from(face.pips()));
            if needed <= u16::from(rules.dice()) {
                turn.needed_for_bonus[face] = Some(needed as u8);
                turn.bonus_in_reach = true;
            }
        }
        turn
    }

    /// Returns what a keep adds to all open boxes, or only to the one that proposed it without `mutual_benefit`.
    #[inline]
    fn adds(&self, tables: &Tables, keep: u16, proposer: usize) -> i64 {
        let adds = &tables.adds[keep as usize];
        let mutual = self.player.with.mutual_benefit;
        let points = if mutual {
            adds.iter().zip(&self.counts).map(|(adds, counts)| adds & counts).sum()
        } else {
            adds[proposer]
        };
        if self.bonus_in_reach { points + self.adds_to_bonus(tables, keep, proposer) } else { points }
    }

    /// Returns what a keep adds to the expected points of the upper bonus.
    fn adds_to_bonus(&self, tables: &Tables, keep: u16, proposer: usize) -> i64 {
        let with = &self.player.with;
        let (rules, have) = (self.game.rules(), &self.player.counts[keep as usize]);
        let kept: u8 = have.values().iter().sum();
        let adds = |face: Face| {
            let needed = self.needed_for_bonus[face]?;
            let still = needed.saturating_sub(have[face]);
            let unaided = if with.gain { tables.bonus[rules.dice() as usize][needed as usize] } else { 0 };
            Some((tables.bonus[(rules.dice() - kept) as usize][still as usize] - unaided).max(0))
        };
        if with.mutual_benefit {
            return Face::all(rules.faces()).filter_map(adds).sum();
        }
        let own = self.open.iter().find(|into| into.index() == proposer);
        own.and_then(|own| rules.upper_face(own)).and_then(adds).unwrap_or(0)
    }

    /// Returns a number by which entries are compared with the ranges of their boxes: larger is better.
    fn surplus(&self, entry: Entry) -> i64 {
        let rules = self.game.rules();
        let secures =
            rules.upper_face(entry.into).and_then(|face| Some((face, self.needed_for_bonus[face]?)));
        let secures = secures.filter(|&(face, n)| entry.points >= u16::from(n) * u16::from(face.pips()));
        let bonus = secures.and(rules.upper_bonus()).map_or(0, |bonus| bonus.points);
        let brings = [entry.points, entry.extra, bonus].map(i64::from).iter().sum::<i64>();
        let (least, most) = self.player.ranges[entry.into.index()];
        // Shares of ranges up to a thousand points wide differ by at least a millionth.
        const SHARES: i64 = 1_000_000_000;
        let share = || (brings - least) * SHARES / (most - least).max(1);
        match self.player.with.range {
            // Twice the points above the middle.
            Range::Middle => 2 * brings - least - most,
            Range::Share => share(),
            Range::ShareThenPoints => share() * i64::from(u16::MAX) + brings,
            Range::Ignored => 2 * brings,
        }
    }
}

/// The best entry so far. Of equal entries, the first wins.
#[derive(Default)]
struct Best(Option<(i64, Entry)>);

impl Best {
    fn raise(&mut self, surplus: i64, entry: Entry) {
        if self.0.is_none_or(|(best, _)| surplus > best) {
            self.0 = Some((surplus, entry));
        }
    }
}

impl TurnPolicy for OneTurn<'_> {
    fn keep(&mut self, roll: Roll, rolls_left: u8, _: &mut RandomStream) -> Keep {
        let lattice = self.game.lattice();
        let roll = lattice.index_of_roll(&roll);
        let tables = &self.player.tables[usize::from(rolls_left) - 1];
        let proposals = &tables.proposals[roll - self.player.first];
        let (mut best, mut pick) = (i64::MIN, 0);
        for (column, _) in self.counts.iter().enumerate().filter(|(_, counts)| **counts != 0) {
            let adds = self.adds(tables, proposals[column], column);
            if adds > best {
                (best, pick) = (adds, proposals[column]);
            }
        }
        lattice.keeps()[usize::from(pick)]
    }

    fn enter(&mut self, roll: Roll, _: &mut RandomStream) -> Entry {
        let roll = self.game.lattice().index_of_roll(&roll) as u16;
        let mut best = Best::default();
        let rules = self.game.rules();
        let all_equal = self.player.counts[usize::from(roll)].values().contains(&rules.dice());
        if all_equal && rules.extra_yahtzees_apply(self.own.filled) {
            self.game.extra_yahtzee_entries(self.own.filled, |of, entry| {
                if of == roll {
                    best.raise(self.surplus(entry), entry);
                }
            });
        }
        // An extra Yahtzee has only the entries above. Any other roll may go into any open box.
        if best.0.is_none() {
            let points = &self.player.points[usize::from(roll) - self.player.first];
            for into in self.open.iter() {
                let entry = Entry { into, points: points[into.index()], extra: 0 };
                best.raise(self.surplus(entry), entry);
            }
        }
        best.0.expect("a card in play has an open box").1
    }
}
