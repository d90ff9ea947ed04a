//! The exact value of a game of two players (Pawlewicz, section 4 and appendix D): the players take turns, the higher
//! final total wins, and equal totals are half a win for each. Both players maximise their expected result.
//!
//! Only the boxes still open matter for a position, so positions are solved on request instead of stored in a table:
//! layer by layer, by the number of open boxes on both cards together. All pairs of a layer have the same player to
//! move. Let `V(mover, other, lead)` be the expected result of the *other* player, who has just moved, and `lead` their
//! points minus the mover's. Then, in the notation of `solve/mod.rs`,
//!
//! `V(mover, other, lead) = 1 - turn over the mover's entries e of V(other, mover·e, paid(e) - lead)`,
//!
//! and for full cards V is 1, 1/2 or 0 for a lead above, equal to or below 0. A lane is a lead. All values are `f64`.

mod complete;
mod cost;
mod intervals;
mod layer;
mod layer_solver;
mod side;
mod solution;
mod solved_game;

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
use layer::{Chunk, ChunkLimits, Layer};
use layer_solver::{LayerSolver, Next};
use side::{Side, SideLayer};

pub use complete::{BlockMap, CompleteGame, Found, Location, TaskId, TaskSize, TaskSolver, TaskValues};
pub use cost::DuelCost;
pub use layer_solver::Horizon;
pub use solution::{ExactTurn, Solutions, StoredTurn};
pub use solved_game::{SolutionError, SolvedGame, TurnValues};

/// The most boxes that may be open on one card. With more, even counting the states takes too long.
const MAX_OPEN: usize = 16;

/// A position of two players, prepared for solving.
pub struct DuelTask {
    game: Game,
    /// The states that the player to move can reach, and those of the other player.
    sides: [Side; 2],
    open: [usize; 2],
    totals: [u16; 2],
    /// The estimate used beyond the last searched turn; `None` if the search reaches the end of the game.
    horizon: Option<Arc<dyn Horizon>>,
    /// The number of open boxes on both cards after the last searched turn.
    lowest: usize,
    threads: Threads,
    chunk_limits: ChunkLimits,
    /// The cost of each layer, once counted.
    costs: OnceLock<Vec<LayerCost>>,
    compiled_turns: Arc<CompiledTurns>,
}

/// The values that a solved duel retains.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Retain {
    /// Those of the position and of the positions after its first turn: enough for advice.
    #[default]
    Root,
    /// Those of the positions after its first turn. The position itself is not solved.
    Children,
    /// Those of all positions that can follow: enough to judge every decision of the rest of the game.
    Everything,
}

/// The reason why a duel cannot be solved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DuelError {
    /// The numbers of open boxes cannot occur when players take turns.
    #[error(
        "the player to move has {mover} open boxes and the other {other}: players take turns, so the one \
         to move has as many open boxes as the other or one more"
    )]
    NotInTurn {
        /// Open boxes of the player to move.
        mover: usize,
        /// Open boxes of the other player.
        other: usize,
    },
    /// More open boxes than [`DuelTask::new`] allows.
    #[error("{0} open boxes on a card are too many for a duel: at most {MAX_OPEN} may be open")]
    TooManyBoxes(usize),
    /// The duel needs more memory than is allowed.
    #[error("the duel needs {} of memory, but the limit is {}", byte_size(*needed as u128), byte_size(*allowed as u128))]
    TooLarge {
        /// Bytes needed.
        needed: usize,
        /// Bytes allowed.
        allowed: usize,
    },
    /// The work was cancelled, or memory ran out.
    #[error(transparent)]
    Work(#[from] WorkError),
}

/// Checks that the open boxes are possible when players take turns and it is the mover's turn.
fn check_turns([mover, other]: [usize; 2]) -> Result<(), DuelError> {
    if mover == other || mover == other + 1 { Ok(()) } else { Err(DuelError::NotInTurn { mover, other }) }
}

/// The player to move in a layer, as an index into `sides`, and the open boxes of both players.
#[derive(Clone, Copy)]
struct Shape {
    mover: usize,
    movers_open: usize,
    others_open: usize,
}

impl DuelTask {
    /// Prepares a position for solving: finds all states that it can lead to.
    ///
    /// # Errors
    /// If it cannot be the mover's turn, if too many boxes are open to count the states, or if the work is cancelled.
    pub fn new(game: &Game, mover: &Card, other: &Card, work: &Work<'_>) -> Result<DuelTask, DuelError> {
        DuelTask::from_standings(game, &Standing::of(mover), &Standing::of(other), work)
    }

    /// Prepares a position for solving, given by the standings of the players.
    ///
    /// # Errors
    /// The same as [`DuelTask::new`].
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
            chunk_limits: ChunkLimits::default(),
            costs: OnceLock::new(),
            compiled_turns: Arc::new(CompiledTurns::new(game)),
        }
    }

    /// Prepares a search of the next `turns` turns of a position, with `horizon` as the estimate beyond them.
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

    /// Restricts the solve to the current thread, for callers that solve many duels in parallel.
    #[must_use]
    pub fn alone(mut self) -> DuelTask {
        self.threads = Threads::One;
        self
    }

    /// Replaces the cache of compiled turns, for callers that solve many duels of one game and share the cache.
    ///
    /// # Panics
    /// If the cache belongs to another game.
    #[must_use]
    pub fn with_compiled_turns(mut self, turns: &Arc<CompiledTurns>) -> DuelTask {
        assert!(turns.are_of(&self.game), "the cache of compiled turns belongs to another game");
        self.compiled_turns = Arc::clone(turns);
        self
    }

    /// Divides the work into chunks of one state each, for tests. Values do not depend on the division, but the solve
    /// takes longer.
    #[doc(hidden)]
    #[must_use]
    pub fn in_small_parts(mut self) -> DuelTask {
        self.chunk_limits = ChunkLimits { max_chunks: usize::MAX, min_turns: 1 };
        self
    }

    /// Returns the number of open boxes on both cards together.
    fn all_open(&self) -> usize {
        self.open[0] + self.open[1]
    }

    fn shape(&self, left: usize) -> Shape {
        let turns = self.all_open() - left;
        let open = [self.open[0] - turns.div_ceil(2), self.open[1] - turns / 2];
        let mover = turns % 2;
        Shape { mover, movers_open: open[mover], others_open: open[1 - mover] }
    }

    /// Returns the states of the player to move, and those of the other player, in the layer with `left` open boxes.
    fn states(&self, left: usize) -> [&side::SideLayer; 2] {
        let Shape { mover, movers_open, others_open } = self.shape(left);
        [self.sides[mover].layer(movers_open), self.sides[1 - mover].layer(others_open)]
    }

    /// Returns the number of layers to solve.
    fn layers(&self, kept: Retain) -> usize {
        (self.all_open() - self.lowest + 1).saturating_sub(usize::from(kept == Retain::Children))
    }

    /// Returns whether the layer below is freed while the layer with `left` open boxes is solved.
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
        let mut layers: Vec<Option<Layer<f64, LANES>>> = Vec::with_capacity(costs.len());
        for (of_layer, left) in costs.iter().zip(self.lowest..) {
            let [movers, others] = self.states(left);
            let mut below = layers.last_mut().and_then(Option::as_mut);
            let in_block = below.as_ref().map_or(others.states.len(), |below| below.movers_in_chunk);
            let in_chunk = of_layer.movers_in_chunk(self.chunk_limits);
            let states = [&*movers.states, &*others.states];
            let mut layer = Layer::new(states, in_chunk, in_block, self.threads, work)?;
            // The lowest layer takes its values from the final totals or from the horizon, not from turns.
            let compiled = if below.is_some() { self.compiled(movers, work)? } else { Vec::new() };
            for block in 0..others.states.len().div_ceil(in_block) {
                let next = match (&below, &self.horizon) {
                    (Some(below), _) => {
                        let shape = self.shape(left);
                        let states = self.sides[shape.mover].layer(shape.movers_open - 1);
                        Next::Layer(states, below.blocks, &below.chunks[block])
                    }
                    (None, None) => Next::End,
                    (None, Some(horizon)) => Next::Beyond(&**horizon),
                };
                let settled = 0.0;
                let solver =
                    LayerSolver { game: &self.game, movers, others, compiled: &compiled, next, settled };
                let chunks: Vec<&mut Chunk<f64, LANES>> = layer.chunks.iter_mut().collect();
                let in_block = block * in_block..others.states.len().min((block + 1) * in_block);
                self.threads.try_for_each(chunks, 1, |chunk| {
                    solver.solve(chunk, layer.blocks, in_block.clone(), &mut workspaces.take(), done)
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

    /// Returns the compiled turn of each group of the mover's states, or `None` where a fold is not more expensive.
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
    /// By open boxes on both cards, from the lowest searched layer up; `None` for layers that were not retained.
    layers: Vec<Option<Layer<f64, LANES>>>,
}

impl Duel {
    /// Returns the game.
    pub fn game(&self) -> &Game {
        &self.task.game
    }

    /// Returns the expected result of the player to move in the position: win 1, draw 1/2, loss 0.
    ///
    /// # Panics
    /// If the duel was solved with [`Retain::Children`].
    pub fn value(&self) -> f64 {
        let top = self.layers.get(self.task.all_open() - self.task.lowest);
        let layer =
            top.and_then(Option::as_ref).expect("the position itself is not solved with Retain::Children");
        let [mover, other] = self.task.totals.map(i32::from);
        let [movers, others] = self.task.states(self.task.all_open());
        1.0 - layer.get((0, 0), (&movers.states[0], &others.states[0]), other - mover)
    }

    /// Returns the expected result of `mover`, who is to move, in a position that follows from the solved one. Returns
    /// `None` if the position does not follow from it, or if its value was not retained.
    pub fn value_of(&self, mover: &Card, other: &Card) -> Option<f64> {
        Some(1.0 - self.value_after(other, mover)?)
    }

    /// Returns the expected result of a player who has just made an entry and whose rival is to move. Returns `None` if
    /// the position does not follow from the solved one, or if its value was not retained.
    pub fn value_after(&self, card: &Card, rival: &Card) -> Option<f64> {
        self.after(&Standing::of(card), &Standing::of(rival))
    }

    /// Returns the expected result of `mover`, who is to move, like [`Duel::value_of`], for positions given by
    /// standings.
    pub fn before(&self, mover: &Standing, other: &Standing) -> Option<f64> {
        Some(1.0 - self.after(other, mover)?)
    }

    /// Returns the expected result of a player who has just moved, like [`Duel::value_after`], for positions given by
    /// standings.
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
        let index = |side: usize, card| self.task.sides[side].index_of(&self.task.game, card);
        let lead = i32::from(card.total) - i32::from(rival.total);
        let [movers, others] = self.task.states(left);
        let pair = (index(mover, rival)?, index(1 - mover, card)?);
        Some(layer.get(pair, (&movers.states[pair.0], &others.states[pair.1]), lead))
    }

    /// Returns whether the values after every entry of the player to move are available.
    pub fn knows_turn(&self, mover: &Standing, other: &Standing) -> bool {
        let open = [mover, other].map(|card| card.open_boxes(&self.task.game).len()).iter().sum::<usize>();
        let below = open.checked_sub(self.task.lowest + 1).and_then(|below| self.layers.get(below));
        self.before(mover, other).is_some() && below.is_some_and(Option::is_some)
    }

    /// Returns the cost of the solve, as counted before it.
    pub fn cost(&self) -> DuelCost {
        self.cost
    }

    /// Returns the size of the retained values in memory, in bytes.
    pub fn bytes(&self) -> usize {
        self.layers.iter().flatten().map(Layer::bytes).sum()
    }
}
