//! Probability pushed through a planned turn, a lane for each state or each number of points so far.
//!
//! From the first rolls to the keeps that the plan picks, from those by eq. (4) reversed to the next
//! rolls, and from the last rolls to the entries.

use crate::game::Game;
use crate::game::rules::{Entry, Filled};
use crate::kernel::plan::{Planner, TieTolerance};
use crate::turn::{LANES, Number, Row, Row64, Rows, vectorised};

type Rows64 = Rows<f64, LANES>;

const ZERO: Row64 = Row([0.0; LANES]);

/// The space in which turns are planned and followed; one for each thread.
pub(crate) struct ForwardTurn {
    planner: Planner<LANES>,
    mass: Rows64,
    /// For each entry, the probability that it is made.
    made: Vec<Row64>,
}

impl ForwardTurn {
    pub fn new(game: &Game) -> ForwardTurn {
        let planner = Planner::new(game, game.rules().rolls() - 1);
        ForwardTurn { planner, mass: Rows::new(), made: Vec::new() }
    }

    /// Makes ready for turns that start with these boxes filled.
    pub fn start(&mut self, game: &Game, filled: Filled) {
        self.planner.start(game, filled);
        self.made.resize(self.planner.entries().len(), ZERO);
    }

    /// Plans the turn and pushes the mass of a block of lanes through it. `worth` says what an
    /// entry leads to, `ended` is told of each roll, entry and mass, and `made` of each entry's mass.
    pub fn follow(
        &mut self,
        game: &Game,
        tolerance: TieTolerance,
        mass: &Row64,
        worth: impl Fn(Entry) -> Row64,
        mut ended: impl FnMut(usize, Entry, f64),
        mut made: impl FnMut(Entry, &Row64),
    ) {
        self.planner.plan(game, tolerance, worth);
        push(game, self, mass);
        // Now `mass` has the final rolls.
        self.made.fill(ZERO);
        for (nth, (roll, places)) in game.lattice().rolls().zip(self.planner.ends()).enumerate() {
            let here = self.mass.get(roll as u16);
            for (lane, &place) in places.iter().enumerate() {
                let mass = here.0[lane];
                if mass > 0.0 {
                    self.made[place as usize].0[lane] += mass;
                    ended(nth, self.planner.entries()[place as usize], mass);
                }
            }
        }
        for (&entry, mass) in self.planner.entries().iter().zip(&self.made) {
            if !is_zero(mass) {
                made(entry, mass);
            }
        }
    }
}

vectorised! {
    fn push(game: &Game, turn: &mut ForwardTurn, mass: &Row64) {
        let lattice = game.lattice();
        let rolls = lattice.rolls();
        let ForwardTurn { planner, mass: masses, .. } = turn;
        for k in 0..rolls.start {
            *masses.get_mut(k as u16) = ZERO;
        }
        for roll in rolls.clone() {
            let share = f64::from(lattice.keeps()[roll].orders()) / game.turn().all_orders();
            *masses.get_mut(roll as u16) = mass.times(share);
        }
        for rolls_left in (1..game.rules().rolls()).rev() {
            for (roll, picks) in rolls.clone().zip(planner.picks(rolls_left)) {
                let here = std::mem::replace(masses.get_mut(roll as u16), ZERO);
                for (lane, &pick) in picks.iter().enumerate() {
                    masses.get_mut(pick).0[lane] += here.0[lane];
                }
            }
            spread(game, masses);
        }
    }
}

/// Eq. (4) followed forward: what lies on a keep spreads evenly over the next die, until all of it lies on rolls.
#[inline(always)]
pub(crate) fn spread<const W: usize>(game: &Game, masses: &mut Rows<f64, W>) {
    let faces = game.lattice().faces() as usize;
    for (k, next) in game.lattice().with_die().iter().enumerate() {
        let here = *masses.get(k as u16);
        if is_zero(&here) {
            continue;
        }
        *masses.get_mut(k as u16) = Row::of(0.0);
        let share = here.over(faces as f64);
        for &larger in &next[..faces] {
            let there = masses.get_mut(larger);
            *there = there.plus(&share);
        }
    }
}

#[inline(always)]
fn is_zero<T: Number, const W: usize>(row: &Row<T, W>) -> bool {
    row.0.iter().all(|lane| *lane == T::from(0.0))
}
