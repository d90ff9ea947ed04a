//! `felldin-sood`: the one-turn heuristic of Felldin and Sood (2012).
//!
//! Before a reroll, each open box names the dice that serve it. What keeping them adds to the expected points of
//! that box (equations 3 and 4), and of all other open boxes that they serve too, decides which box is played for.
//! The final roll goes where it stands highest above the middle of what the box can pay. Nothing looks
//! beyond the turn. `papers/felldin-sood-2012` says what the thesis leaves open and how it is decided here.

mod beneficial;
mod worth;

pub use beneficial::probability_of;

use std::cmp::Reverse;

use self::beneficial::at_least;
use self::worth::worth_to;
use super::{Standing, Strategy, TurnContext, TurnPolicy};
use crate::dice::random::RandomStream;
use crate::dice::{ByFace, Face, Keep, Lattice, MAX_DICE, Roll};
use crate::game::Game;
use crate::game::rules::{BoxSet, Entry, MAX_BOXES, Pattern, Pays};
use crate::kernel::plan::TieTolerance;
use crate::work::WorkError;

/// What goes into the decisions, so that each part can be left out and its share measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ingredients {
    /// With two rerolls left, count both (equation 4) and not just the next one (equation 3).
    pub both_rerolls: bool,
    /// Count what the kept dice add to all open boxes, not just to the one that is played for.
    pub mutual_benefit: bool,
    /// Count what keeping dice adds to rolling all of them, not the whole expected points.
    pub gain: bool,
    /// Count the upper bonus where a box can secure it.
    pub bonus: bool,
    /// Enter the final roll by the range of the box, not by the points alone.
    pub range: bool,
    /// Boxes that are filled as it comes, but never played for.
    pub left_to_luck: BoxSet,
}

impl Default for Ingredients {
    /// All of them, and no box left to luck.
    fn default() -> Ingredients {
        Ingredients {
            both_rerolls: true,
            mutual_benefit: true,
            gain: true,
            bonus: true,
            range: true,
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
    /// By the number of rerolls left, from one up.
    ahead: Vec<Ahead>,
    /// For each final roll, what each box pays.
    points: Vec<[u16; MAX_BOXES]>,
    /// For each box, the least and the most that it can pay, added up: twice the middle of its range.
    ends: [i32; MAX_BOXES],
    /// For each keep, how many dice show each face.
    counts: Vec<ByFace<u8>>,
    /// The index of the first roll in the lattice.
    first: usize,
}

/// A column for each box, and one for the bonus of further Yahtzees. Points are counted in whole billionths: sums
/// are exact, whatever their order, and rounding does not decide between equal choices.
type Columns = [i64; MAX_BOXES + 2];

/// The column of the bonus for further Yahtzees.
const EXTRA: usize = MAX_BOXES;

/// What can be looked up for a number of rerolls left.
#[derive(Clone, Debug)]
struct Ahead {
    /// For each keep, what it adds to each box.
    adds: Vec<Columns>,
    /// For each roll, the dice that serve each box.
    serve: Vec<[u16; MAX_BOXES + 2]>,
    /// What it is worth to need so many dice of a face when so many are rolled, if success pays the upper
    /// bonus: `[rolled][needed]`.
    bonus: [[i64; MAX_DICE + 1]; MAX_DICE + 1],
}

impl FelldinSood {
    /// Works out all that the decisions look up, for one game.
    pub fn new(game: &Game) -> FelldinSood {
        FelldinSood::with(game, Ingredients::default())
    }

    /// The same with some ingredients left out.
    pub fn with(game: &Game, with: Ingredients) -> FelldinSood {
        let (rules, lattice) = (game.rules(), game.lattice());
        let patterns = || rules.boxes().values().iter().map(|rule| &rule.pattern);
        let mut points = vec![[0; MAX_BOXES]; lattice.rolls().len()];
        for (points, roll) in points.iter_mut().zip(&lattice.keeps()[lattice.rolls()]) {
            patterns().zip(points).for_each(|(pattern, points)| *points = pattern.points(roll));
        }
        let mut ends = [0; MAX_BOXES];
        for (into, _) in rules.boxes().iter().filter(|_| with.range) {
            let possible = game.possible_points(into);
            ends[into.index()] =
                possible.iter().take(1).chain(possible.last()).map(|&end| i32::from(end)).sum();
        }
        let counts = lattice.keeps().iter().map(|keep| {
            let mut counts = ByFace::default();
            keep.faces().for_each(|face| counts[face] += 1);
            counts
        });
        FelldinSood {
            with,
            ahead: (1..rules.rolls()).map(|rerolls| Ahead::new(game, with, rerolls)).collect(),
            points,
            ends,
            counts: counts.collect(),
            first: lattice.rolls().start,
        }
    }
}

impl Ahead {
    fn new(game: &Game, with: Ingredients, rerolls_left: u8) -> Ahead {
        let (rules, lattice) = (game.rules(), game.lattice());
        let rerolls = if with.both_rerolls { rerolls_left } else { 1 };
        let mut adds = vec![[0; MAX_BOXES + 2]; lattice.keeps().len()];
        let mut serve = vec![[0; MAX_BOXES + 2]; lattice.rolls().len()];
        let mut fill = |column: usize, pattern: &Pattern| {
            let worth: Vec<i64> = worth_to(pattern, lattice, rerolls)
                .into_iter()
                .map(|worth| TieTolerance::Points.rank(worth))
                .collect();
            let unaided = if with.gain { worth[0] } else { 0 };
            for (adds, worth) in adds.iter_mut().zip(&worth) {
                adds[column] = (worth - unaided).max(0);
            }
            let best = best_within(lattice, game.tie_order(), &worth);
            serve.iter_mut().zip(best).for_each(|(serve, best)| serve[column] = best);
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
        Ahead { adds, serve, bonus }
    }
}

/// For each roll, the keep within it that is worth most; among equals the first in the order.
fn best_within(lattice: &Lattice, order: &[u16], worth: &[i64]) -> Vec<u16> {
    let rank = |keep: u16| (worth[keep as usize], Reverse(order[keep as usize]));
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
}

/// A turn of the heuristic.
struct OneTurn<'a> {
    player: &'a FelldinSood,
    game: &'a Game,
    own: Standing,
    open: BoxSet,
    /// The columns that count: all bits set or none.
    counts: Columns,
    /// For each face, how many dice of it would secure the upper bonus, if so many can be rolled.
    secure: ByFace<Option<u8>>,
    /// Whether any face could.
    can_secure: bool,
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
            secure: ByFace::default(),
            can_secure: false,
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
                turn.secure[face] = Some(needed as u8);
                turn.can_secure = true;
            }
        }
        turn
    }

    /// What a keep adds, for the sake of one box or of all of them.
    #[inline]
    fn adds(&self, ahead: &Ahead, keep: u16, sake_of: usize) -> i64 {
        let adds = &ahead.adds[keep as usize];
        let mutual = self.player.with.mutual_benefit;
        let points = if mutual {
            adds.iter().zip(&self.counts).map(|(adds, counts)| adds & counts).sum()
        } else {
            adds[sake_of]
        };
        if self.can_secure { points + self.adds_to_bonus(ahead, keep, sake_of) } else { points }
    }

    /// What a keep adds to the chances of the upper bonus.
    fn adds_to_bonus(&self, ahead: &Ahead, keep: u16, sake_of: usize) -> i64 {
        let with = &self.player.with;
        let (rules, have) = (self.game.rules(), &self.player.counts[keep as usize]);
        let kept: u8 = have.values().iter().sum();
        let adds = |face: Face| {
            let needed = self.secure[face]?;
            let still = needed.saturating_sub(have[face]);
            let unaided = if with.gain { ahead.bonus[rules.dice() as usize][needed as usize] } else { 0 };
            Some((ahead.bonus[(rules.dice() - kept) as usize][still as usize] - unaided).max(0))
        };
        if with.mutual_benefit {
            return Face::all(rules.faces()).filter_map(adds).sum();
        }
        let own = self.open.iter().find(|into| into.index() == sake_of);
        own.and_then(|own| rules.upper_face(own)).and_then(adds).unwrap_or(0)
    }

    /// Twice the points that an entry brings, less twice the middle of what its box can pay.
    fn favour(&self, entry: Entry) -> i32 {
        let rules = self.game.rules();
        let secures = rules.upper_face(entry.into).and_then(|face| Some((face, self.secure[face]?)));
        let secures = secures.filter(|&(face, n)| entry.points >= u16::from(n) * u16::from(face.pips()));
        let bonus = secures.and(rules.upper_bonus()).map_or(0, |bonus| bonus.points);
        let brings = [entry.points, entry.extra, bonus].map(i32::from).iter().sum::<i32>();
        2 * brings - self.player.ends[entry.into.index()]
    }
}

/// The most favourable entry so far; of equal ones the first.
#[derive(Default)]
struct Best(Option<(i32, Entry)>);

impl Best {
    fn raise(&mut self, favour: i32, entry: Entry) {
        if self.0.is_none_or(|(best, _)| favour > best) {
            self.0 = Some((favour, entry));
        }
    }
}

impl TurnPolicy for OneTurn<'_> {
    fn keep(&mut self, roll: Roll, rolls_left: u8, _: &mut RandomStream) -> Keep {
        let lattice = self.game.lattice();
        let roll = lattice.index_of_roll(&roll);
        let ahead = &self.player.ahead[usize::from(rolls_left) - 1];
        let serve = &ahead.serve[roll - self.player.first];
        let (mut best, mut pick) = (i64::MIN, 0);
        for (column, _) in self.counts.iter().enumerate().filter(|(_, counts)| **counts != 0) {
            let adds = self.adds(ahead, serve[column], column);
            if adds > best {
                (best, pick) = (adds, serve[column]);
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
                    best.raise(self.favour(entry), entry);
                }
            });
        }
        // A roll with rules of its own goes where they say; any other into any open box.
        if best.0.is_none() {
            let points = &self.player.points[usize::from(roll) - self.player.first];
            for into in self.open.iter() {
                let entry = Entry { into, points: points[into.index()], extra: 0 };
                best.raise(self.favour(entry), entry);
            }
        }
        best.0.expect("a card in play has an open box").1
    }
}
