//! The exact value of a game of two (Pawlewicz, section 4 and appendix D): the players take turns,
//! the higher final total wins, and equal totals are half a win for each. Both play as well as
//! possible. Lanes are leads.
//!
//! From a position only the boxes still open matter, so this is worked out when asked and not kept
//! in a table: layer by layer, by the number of open boxes on both cards together. A layer has one
//! player to move, and a pair of score states is worth
//!
//! `V(mover, other, lead) = turn over entries of 1 - V(other, mover after the entry, -(lead + paid))`
//!
//! to the mover.

mod cost;
mod intervals;
mod layer;
mod layer_solver;
mod side;

use std::sync::{Arc, OnceLock};

use crate::game::Game;
use crate::game::card::Card;
use crate::game::card::Standing;
use crate::kernel::compiled::{CompiledTurn, CompiledTurns};
use crate::kernel::workspace::Workspaces;
use crate::parallel::Threads;
use crate::text::byte_size;
use crate::turn::LANES;
use crate::work::{Progress, Work, WorkError};
use cost::LayerCost;
use layer::{Chunk, Chunks, Layer};
use layer_solver::{LayerSolver, Next};
use side::{Side, SideLayer};

pub use cost::DuelCost;
pub use layer_solver::Horizon;

/// The most boxes that may be open on one card: beyond, even counting the states takes too long.
const MAX_OPEN: usize = 16;

/// A position of two players, made ready to be solved.
pub struct DuelTask {
    game: Game,
    /// The player to move, and the other.
    sides: [Side; 2],
    open: [usize; 2],
    totals: [u16; 2],
    /// What is searched is less than the rest of the game: what lies beyond it.
    horizon: Option<Arc<dyn Horizon>>,
    /// Open boxes on both cards after the last turn that is searched.
    lowest: usize,
    threads: Threads,
    chunks: Chunks,
    /// What each layer takes, once it was counted.
    costs: OnceLock<Vec<LayerCost>>,
    compiled_turns: Arc<CompiledTurns>,
}

/// Which values are kept, once solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Retain {
    /// The position and those after the turn that is to be played: what advice needs.
    #[default]
    Root,
    /// Those after the turn that is to be played, but not the position itself: it is not worked out.
    Children,
    /// All that follow from it: what it takes to judge every decision of the rest of the game.
    Everything,
}

/// Why a duel cannot be solved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DuelError {
    /// The open boxes do not fit players who take turns.
    #[error(
        "the player to move has {mover} open boxes and the other {other}: players take turns, so the one \
         to move has as many open boxes as the other or one more"
    )]
    NotInTurn {
        /// Open boxes of the player to move.
        mover: usize,
        /// Open boxes of the other.
        other: usize,
    },
    /// Too many open boxes even to be counted.
    #[error("{0} open boxes on a card are too many for a duel: positions with up to {MAX_OPEN} are counted")]
    TooManyBoxes(usize),
    /// More memory than allowed.
    #[error("the duel would take {} of memory, and at most {} are allowed", byte_size(*needed as u128), byte_size(*allowed as u128))]
    TooLarge {
        /// Bytes needed.
        needed: usize,
        /// Bytes allowed.
        allowed: usize,
    },
    /// The work ended early.
    #[error(transparent)]
    Work(#[from] WorkError),
}

/// Players take turns.
fn check_turns([mover, other]: [usize; 2]) -> Result<(), DuelError> {
    if mover == other || mover == other + 1 { Ok(()) } else { Err(DuelError::NotInTurn { mover, other }) }
}

/// Who moves in a layer, and how many boxes are open.
#[derive(Clone, Copy)]
struct Shape {
    mover: usize,
    movers_open: usize,
    others_open: usize,
}

impl DuelTask {
    /// Makes a position ready: finds everything that it can lead to.
    ///
    /// # Errors
    /// If it cannot be the mover's turn, if far too many boxes are open, or if the work is cancelled.
    pub fn new(game: &Game, mover: &Card, other: &Card, work: &Work<'_>) -> Result<DuelTask, DuelError> {
        DuelTask::from_standings(game, &Standing::of(mover), &Standing::of(other), work)
    }

    /// Makes a position ready, given by where the players stand.
    ///
    /// # Errors
    /// As [`DuelTask::new`].
    pub fn from_standings(
        game: &Game,
        mover: &Standing,
        other: &Standing,
        work: &Work<'_>,
    ) -> Result<DuelTask, DuelError> {
        let standings = [*mover, *other];
        let open = standings.map(|standing| standing.open_boxes(game).len());
        check_turns(open)?;
        if open[0] > MAX_OPEN {
            return Err(DuelError::TooManyBoxes(open[0]));
        }
        let side = |side: usize| Side::new(game, &standings[side], open[side], |_| (0, 0), work);
        let sides = [side(0)?, side(1)?];
        Ok(DuelTask::of_sides(game, sides, open, standings.map(|standing| standing.total)))
    }

    fn of_sides(game: &Game, sides: [Side; 2], open: [usize; 2], totals: [u16; 2]) -> DuelTask {
        DuelTask {
            game: game.clone(),
            sides,
            open,
            totals,
            horizon: None,
            lowest: 0,
            threads: Threads::All,
            chunks: Chunks::default(),
            costs: OnceLock::new(),
            compiled_turns: Arc::new(CompiledTurns::new(game)),
        }
    }

    /// Makes the next `turns` turns of a position ready; what lies beyond them is estimated.
    ///
    /// # Errors
    /// If it cannot be the mover's turn, or if the work is cancelled.
    pub fn limited_to_turns(
        game: &Game,
        mover: &Standing,
        other: &Standing,
        turns: usize,
        horizon: Arc<dyn Horizon>,
        work: &Work<'_>,
    ) -> Result<DuelTask, DuelError> {
        let standings = [mover, other];
        let open = standings.map(|standing| standing.open_boxes(game).len());
        check_turns(open)?;
        let turns = turns.min(open[0] + open[1]);
        let ends = open[0] + open[1] == turns;
        let to_come = |state| if ends { (0, 0) } else { horizon.to_come(state) };
        let each = [turns.div_ceil(2), turns / 2];
        let side = |side: usize| Side::new(game, standings[side], each[side], to_come, work);
        let sides = [side(0)?, side(1)?];
        let all = DuelTask::of_sides(game, sides, open, standings.map(|standing| standing.total));
        Ok(DuelTask { horizon: (!ends).then_some(horizon), lowest: open[0] + open[1] - turns, ..all })
    }

    /// Lets the current thread alone solve it: for callers that solve many at a time.
    #[must_use]
    pub fn alone(mut self) -> DuelTask {
        self.threads = Threads::One;
        self
    }

    /// The same with turns that others have written out, or will: for callers that solve many of one game.
    ///
    /// # Panics
    /// If they are of another game.
    #[must_use]
    pub fn with_compiled_turns(mut self, turns: &Arc<CompiledTurns>) -> DuelTask {
        assert!(turns.are_of(&self.game), "the turns are those of another game");
        self.compiled_turns = Arc::clone(turns);
        self
    }

    /// The same in the smallest parts that it can be divided into, which gives the same values in more time:
    /// for tests.
    #[doc(hidden)]
    #[must_use]
    pub fn in_small_parts(mut self) -> DuelTask {
        self.chunks = Chunks { most: usize::MAX, turns: 1 };
        self
    }

    /// Open boxes on both cards together.
    fn all_open(&self) -> usize {
        self.open[0] + self.open[1]
    }

    fn shape(&self, left: usize) -> Shape {
        let turns = self.all_open() - left;
        let open = [self.open[0] - turns.div_ceil(2), self.open[1] - turns / 2];
        let mover = turns % 2;
        Shape { mover, movers_open: open[mover], others_open: open[1 - mover] }
    }

    /// The states of the player to move in a layer, and those of the other.
    fn states(&self, left: usize) -> [&side::SideLayer; 2] {
        let Shape { mover, movers_open, others_open } = self.shape(left);
        [self.sides[mover].layer(movers_open), self.sides[1 - mover].layer(others_open)]
    }

    /// How many layers are worked out.
    fn layers(&self, kept: Retain) -> usize {
        (self.all_open() - self.lowest + 1).saturating_sub(usize::from(kept == Retain::Children))
    }

    /// Whether the values below a layer are thrown away while it is worked out.
    fn frees_below(&self, kept: Retain, left: usize) -> bool {
        kept != Retain::Everything && left < self.all_open()
    }

    /// Solves the position.
    ///
    /// # Errors
    /// If the work is cancelled, or if there is not enough memory.
    pub fn solve(self, kept: Retain, work: &Work<'_>) -> Result<Duel, WorkError> {
        let costs = &self.layer_costs(work)?[..self.layers(kept)];
        let cost = self.total(kept, self.layer_costs(work)?);
        let progress = Progress::new(work, costs.iter().map(|cost| cost.lanes).sum(), 0);
        let done = |lanes: usize| progress.add(lanes);
        let workspaces: Workspaces<f64, LANES> = Workspaces::new(&self.game, self.threads);
        let mut layers: Vec<Option<Layer>> = Vec::with_capacity(costs.len());
        for (of_layer, left) in costs.iter().zip(self.lowest..) {
            let [movers, others] = self.states(left);
            let mut below = layers.last_mut().and_then(Option::as_mut);
            let in_block = below.as_ref().map_or(others.states.len(), |below| below.movers_in_chunk);
            let in_chunk = of_layer.movers_in_chunk(self.chunks);
            let states = [&*movers.states, &*others.states];
            let mut layer = Layer::new(states, in_chunk, in_block, self.threads, work)?;
            // The lowest layer has no turns.
            let compiled = if below.is_some() { self.compiled(movers, work)? } else { Vec::new() };
            for block in 0..others.states.len().div_ceil(in_block) {
                let next = match (&below, &self.horizon) {
                    (Some(below), _) => {
                        let shape = self.shape(left);
                        Next::Layer(self.sides[shape.mover].layer(shape.movers_open - 1), below)
                    }
                    (None, None) => Next::End,
                    (None, Some(horizon)) => Next::Beyond(&**horizon),
                };
                let solver = LayerSolver { game: &self.game, movers, others, compiled: &compiled, next };
                let chunks: Vec<&mut Chunk> = layer.chunks.iter_mut().collect();
                self.threads.try_for_each(chunks, 1, |chunk| {
                    solver.solve(chunk, layer.blocks, block, &mut workspaces.take(), done)
                })?;
                if let Some(below) = &mut below
                    && self.frees_below(kept, left)
                {
                    below.chunks[block] = Chunk::default();
                }
            }
            if self.frees_below(kept, left)
                && let Some(below) = layers.last_mut()
            {
                *below = None;
            }
            layers.push(Some(layer));
        }
        progress.finish();
        Ok(Duel { task: self, cost, layers })
    }

    /// The turns of each group of states, written out where that makes them shorter.
    fn compiled(
        &self,
        movers: &SideLayer,
        work: &Work<'_>,
    ) -> Result<Vec<Option<Arc<CompiledTurn>>>, WorkError> {
        self.threads.try_map(0..movers.groups.len(), |nth| {
            work.check()?;
            Ok(self.compiled_turns.of(movers.groups[nth].group.filled))
        })
    }
}

/// A solved position of two players.
///
/// ```
/// use std::sync::Arc;
/// use keepers::internals::solve::{DuelTask, Retain};
/// use keepers::{Card, Game, Rules};
/// use keepers::internals::Work;
/// let toy = "dice = 2\nfaces = 6\nrolls = 1\n[[box]]\nid = \"c\"\npattern = \"chance\"";
/// let game = Game::new(Rules::from_toml(toy).unwrap());
/// let empty = Card::empty(&game);
/// let task = DuelTask::new(&game, &empty, &empty, &Work::silent()).unwrap();
/// let duel = task.solve(Retain::Root, &Work::silent()).unwrap();
/// assert!((duel.value() - 0.5).abs() < 1e-15); // the higher sum wins
/// ```
pub struct Duel {
    task: DuelTask,
    cost: DuelCost,
    /// By open boxes on both cards; nothing where values were not kept.
    layers: Vec<Option<Layer>>,
}

impl Duel {
    /// The game.
    pub fn game(&self) -> &Game {
        &self.task.game
    }

    /// What the position is worth to the player to move: win 1, draw 1/2, loss 0.
    ///
    /// # Panics
    /// If it was not to be worked out.
    pub fn value(&self) -> f64 {
        let top = self.layers.get(self.task.all_open() - self.task.lowest);
        let layer = top.and_then(Option::as_ref).expect("the position itself was worked out");
        let [mover, other] = self.task.totals.map(i32::from);
        let [movers, others] = self.task.states(self.task.all_open());
        1.0 - layer.get((0, 0), (&movers.states[0], &others.states[0]), other - mover)
    }

    /// What a position that follows is worth to its player to move; nothing if it does not follow from
    /// the one that was solved, or was not kept.
    pub fn value_of(&self, mover: &Card, other: &Card) -> Option<f64> {
        Some(1.0 - self.value_after(other, mover)?)
    }

    /// What the duel is worth to a player who has just made an entry, and whose rival is to move;
    /// nothing if the position does not follow from the one that was solved, or was not kept.
    pub fn value_after(&self, card: &Card, rival: &Card) -> Option<f64> {
        self.after(&Standing::of(card), &Standing::of(rival))
    }

    /// What a position is worth to its player to move, by where the players stand.
    pub fn before(&self, mover: &Standing, other: &Standing) -> Option<f64> {
        Some(1.0 - self.after(other, mover)?)
    }

    /// What it is worth after an entry, by where the players stand.
    pub fn after(&self, card: &Standing, rival: &Standing) -> Option<f64> {
        let [cards_open, rivals_open] = [card, rival].map(|card| card.open_boxes(&self.task.game).len());
        let left = cards_open + rivals_open;
        if left > self.task.all_open() {
            return None;
        }
        let layer = self.layers.get(left.checked_sub(self.task.lowest)?)?.as_ref()?;
        let Shape { mover, movers_open, others_open } = self.task.shape(left);
        if rivals_open != movers_open || cards_open != others_open {
            return None;
        }
        let place = |side: usize, card| self.task.sides[side].place(&self.task.game, card);
        let lead = i32::from(card.total) - i32::from(rival.total);
        let [movers, others] = self.task.states(left);
        let pair = (place(mover, rival)?, place(1 - mover, card)?);
        Some(layer.get(pair, (&movers.states[pair.0], &others.states[pair.1]), lead))
    }

    /// Whether what every entry of the player to move leads to is known.
    pub fn knows_turn(&self, mover: &Standing, other: &Standing) -> bool {
        let open = [mover, other].map(|card| card.open_boxes(&self.task.game).len()).iter().sum::<usize>();
        let below = open.checked_sub(self.task.lowest + 1).and_then(|below| self.layers.get(below));
        self.before(mover, other).is_some() && below.is_some_and(Option::is_some)
    }

    /// What it took.
    pub fn cost(&self) -> DuelCost {
        self.cost
    }

    /// How many bytes the values take that were kept.
    pub fn bytes(&self) -> usize {
        self.layers.iter().flatten().map(Layer::bytes).sum()
    }
}
