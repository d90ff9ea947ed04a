//! The forward pass through one turn: follows a turn plan and computes the probability of every entry, for a block of
//! lanes. A lane is a state or a number of points so far.
//!
//! Probability mass moves from first rolls to the keeps that the plan picks, from keeps to the next rolls by eq. (4) in
//! reverse, and from final rolls to entries.

use crate::game::Game;
use crate::game::rules::{Entry, Filled};
use crate::kernel::plan::{Planner, TieTolerance};
use crate::turn::{LANES, Number, Row, Row64, Rows, vectorised};

type Rows64 = Rows<f64, LANES>;

const ZERO: Row64 = Row([0.0; LANES]);

/// The buffers in which one thread plans turns and follows the plans.
pub(crate) struct ForwardTurn {
    planner: Planner<LANES>,
    mass: Rows64,
    /// The probability of each entry.
    entry_mass: Vec<Row64>,
    /// The probability of each first roll.
    first_rolls: Vec<f64>,
}

impl ForwardTurn {
    pub fn new(game: &Game) -> ForwardTurn {
        let planner = Planner::new(game, game.rules().rolls() - 1);
        let lattice = game.lattice();
        let share = |roll: usize| f64::from(lattice.keeps()[roll].orders()) / game.turn().all_orders();
        let first_rolls = lattice.rolls().map(share).collect();
        ForwardTurn { planner, mass: Rows::new(), entry_mass: Vec::new(), first_rolls }
    }

    /// Prepares for turns that start with these boxes filled.
    pub fn start(&mut self, game: &Game, filled: Filled) {
        self.planner.start(game, filled);
        self.entry_mass.resize(self.planner.entries().len(), ZERO);
    }

    /// Plans the turn. `value` returns the value of an entry, including its points.
    pub fn plan(&mut self, game: &Game, tolerance: TieTolerance, value: impl Fn(Entry) -> Row64) {
        self.planner.plan(game, tolerance, value);
    }

    /// Moves the probability mass of a block of lanes through the planned turn. `on_final_roll` receives every final roll
    /// (numbered in the order of the lattice), its entry and the mass, once per lane; `on_entry` receives every entry
    /// and its mass in all lanes. Neither is called for mass 0.
    pub fn follow(
        &mut self,
        game: &Game,
        mass: &Row64,
        mut on_final_roll: impl FnMut(usize, Entry, f64),
        mut on_entry: impl FnMut(Entry, &Row64),
    ) {
        push(game, self, mass);
        // Only final rolls have mass now.
        self.entry_mass.fill(ZERO);
        for (nth, (roll, best)) in game.lattice().rolls().zip(self.planner.ends()).enumerate() {
            let here = self.mass.get(roll as u16);
            for (lane, &index) in best.iter().enumerate() {
                let mass = here.0[lane];
                if mass > 0.0 {
                    self.entry_mass[index as usize].0[lane] += mass;
                    on_final_roll(nth, self.planner.entries()[index as usize], mass);
                }
            }
        }
        for (&entry, mass) in self.planner.entries().iter().zip(&self.entry_mass) {
            if !is_zero(mass) {
                on_entry(entry, mass);
            }
        }
    }
}

vectorised! {
    fn push(game: &Game, turn: &mut ForwardTurn, mass: &Row64) {
        let lattice = game.lattice();
        let rolls = lattice.rolls();
        let ForwardTurn { planner, mass: masses, first_rolls, .. } = turn;
        for k in 0..rolls.start {
            *masses.get_mut(k as u16) = ZERO;
        }
        for (roll, &share) in rolls.clone().zip(first_rolls.iter()) {
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

/// Distributes the mass of every keep evenly over the next die, until only rolls have mass: eq. (4) in reverse.
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
