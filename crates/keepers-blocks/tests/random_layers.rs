//! Tasks whose layer below has random values, compared with a turn by its definition.

mod toy;

use std::collections::HashMap;

use keepers::internals::Work;
use keepers::internals::parallel::Threads;
use keepers::internals::solve::{CompleteGame, Location, TaskId, TaskSolver, TaskValues};
use keepers::internals::turn::Number;
use keepers::{RandomStream, Standing, WorkError};
use toy::{Hand, Joker, NEVER_ZERO, SIX_FACES, Toy, Turn, YAHTZEE, everything};

/// Random values of a layer, for the player who has just moved. Solvers rely on their order: they rise with the lead, and
/// no entry is worse than a zero in the same box. Values are therefore a random function of the lead and of the upper
/// total, which counts as up to the points of the bonus; the function is another one for each hand of the player to move.
struct RandomLayer<'a> {
    toy: &'a Toy,
    complete: &'a CompleteGame,
    random: RandomStream,
    curves: HashMap<(Hand, u32), Vec<f64>>,
    blocks: HashMap<(TaskId, usize), Vec<f64>>,
}

/// More than any lead with a bonus.
const MOST: i32 = 2500;

impl<'a> RandomLayer<'a> {
    /// The layer below that of a task.
    fn new(toy: &'a Toy, complete: &'a CompleteGame, task: TaskId) -> RandomLayer<'a> {
        let random = RandomStream::new(17, task.layer as u64);
        RandomLayer { toy, complete, random, curves: HashMap::new(), blocks: HashMap::new() }
    }

    fn block(&mut self, task: TaskId, mover: usize) -> &[f64] {
        if !self.blocks.contains_key(&(task, mover)) {
            let mut block = Vec::new();
            for length in self.complete.curves(task, mover) {
                let start = block.len();
                // Leads of merged intervals that cannot occur have no position.
                let mut positions =
                    (start..).map(|index| (index, self.complete.position(task, mover, index)));
                let (index, position) = positions.find(|(_, position)| position.is_some()).unwrap();
                assert!(index < start + length as usize);
                let [to_move, moved] = position.unwrap();
                let first = self.place_of(&to_move, &moved) - (index - start) as i32;
                let curve = self.curve(self.toy.hand(&to_move), moved.filled.boxes.bits());
                block.extend((0..length as i32).map(|nth| curve[(first + nth) as usize]));
            }
            self.blocks.insert((task, mover), block);
        }
        &self.blocks[&(task, mover)]
    }

    fn place_of(&self, to_move: &Standing, moved: &Standing) -> i32 {
        let hand = self.toy.hand(moved);
        let upper = self.toy.bonus.map_or(0, |(_, points)| hand.upper.min(points));
        MOST + i32::from(moved.total) - i32::from(to_move.total) + upper as i32 + i32::from(hand.extras_pay)
    }

    /// A function that never falls, from 0 to 1. Many of its steps are 0, and some are large.
    fn curve(&mut self, to_move: Hand, moved: u32) -> &[f64] {
        let random = &mut self.random;
        self.curves.entry((to_move, moved)).or_insert_with(|| {
            let steps = (-MOST..MOST).map(|place| match random.unit() {
                ..0.3 => 0.0,
                // Most differences are near a lead of 0.
                _ => random.unit().powi(3) / (1.0 + (f64::from(place) / 20.0).powi(2)),
            });
            let mut sum = 0.0;
            let sums: Vec<f64> = steps
                .map(|step| {
                    sum += step;
                    sum
                })
                .collect();
            // Values that single precision has too.
            sums.iter().map(|value| f64::from((value / sum) as f32)).collect()
        })
    }
}

/// Solves some blocks of a task from random values, and compares about `samples` of their values with a turn by its
/// definition. Returns the largest difference and the number of values that were compared.
fn compare<T: Number, const W: usize>(
    toy: &Toy,
    turn: &Turn,
    complete: &CompleteGame,
    task: TaskId,
    movers: &[usize],
    samples: usize,
) -> (f64, usize) {
    let mut below = RandomLayer::new(toy, complete, task);
    let solved = solve(&TaskSolver::<T, W>::new(complete, Threads::One), &mut below, task, movers);
    let step = solved.values.len().div_ceil(samples).max(1);
    let (mut largest, mut compared, mut start) = (0.0_f64, 0, 0);
    for (&mover, &end) in movers.iter().zip(&solved.ends) {
        assert_eq!(end - start, complete.values(task, mover));
        for index in (compared % step..end - start).step_by(step) {
            // Intervals of leads are merged, and may hold leads that cannot occur.
            let Some([to_move, moved]) = complete.position(task, mover, index) else { continue };
            let value = one_turn(toy, turn, &mut below, &to_move, &moved);
            let found: f64 = solved.values[start + index].into();
            largest = largest.max((found - (1.0 - value)).abs());
            compared += 1;
        }
        start = end;
    }
    (largest, compared)
}

/// Solves some blocks of a task from random values.
fn solve<T: Number, const W: usize>(
    solver: &TaskSolver<'_, T, W>,
    below: &mut RandomLayer<'_>,
    task: TaskId,
    movers: &[usize],
) -> TaskValues<T> {
    let complete = below.complete;
    let mut asked = Vec::new();
    let solved = solver.solve(task, movers, &Work::silent(), |input, values: &mut Vec<T>| {
        assert_eq!(input.layer, task.layer - 1);
        asked.push(input.other);
        let filled = complete.filled(input);
        if movers.iter().any(|&mover| complete.filled_by_mover(task.layer, mover).minus(filled).is_empty()) {
            values.extend(below.block(input, task.other).iter().map(|&value| T::nearest(value)));
        }
        Ok::<_, WorkError>(())
    });
    let solved = solved.unwrap();
    assert!(asked.iter().copied().eq(0..complete.tasks(task.layer - 1)), "{asked:?}");
    assert_eq!(solved.ends.len(), movers.len());
    solved
}

/// The expected result of the player to move: of the best entry, after the best keeps of every roll.
fn one_turn(toy: &Toy, turn: &Turn, below: &mut RandomLayer<'_>, mover: &Standing, other: &Standing) -> f64 {
    let hand: Hand = toy.hand(mover);
    let mut of_rolls = Vec::with_capacity(turn.rolls.len());
    for dice in &turn.rolls {
        let mut best = f64::NEG_INFINITY;
        for entry in toy.entries(hand, dice) {
            let (after, gained) = toy.after(hand, entry);
            let after = toy.standing(after, i32::from(mover.total) + gained);
            best =
                best.max(match below.complete.locate(other, &after).expect("it follows from a position") {
                    Location::Decided(result) => result,
                    Location::Stored { task, mover, index } => below.block(task, mover)[index],
                });
        }
        of_rolls.push(best);
    }
    turn.mean(of_rolls)
}

#[test]
fn tasks_of_toy_games_solve_one_turn_from_any_values() {
    let jokers = toy::JOKERS.into_iter().map(everything);
    let mut compared = 0;
    for toy in jokers.chain([SIX_FACES, NEVER_ZERO]) {
        let (turn, game) = (Turn::new(&toy), toy.game());
        let complete = CompleteGame::new(&game, &Work::silent()).unwrap();
        let layers = complete.layers();
        for layer in [1, layers / 2, layers / 2 + 1, layers - 2, layers - 1] {
            for other in 0..complete.tasks(layer) {
                let task = TaskId { layer, other };
                let all: Vec<usize> = (0..complete.blocks(layer)).collect();
                let (double, values) = compare::<f64, 8>(&toy, &turn, &complete, task, &all, usize::MAX);
                assert!(double < 1e-14, "{} {task:?}: {double}", toy.name);
                let (single, _) = compare::<f32, 16>(&toy, &turn, &complete, task, &all, usize::MAX);
                let bound = complete.rounding_of_a_turn(f64::from(f32::EPSILON) / 2.0);
                assert!(single < bound.min(1e-6), "{} {task:?}: {single}, bound {bound}", toy.name);
                compared += values;
                // Some blocks alone, and in another order.
                let some: Vec<usize> = all.iter().copied().rev().step_by(2).collect();
                assert!(compare::<f64, 8>(&toy, &turn, &complete, task, &some, 50).0 < 1e-14);
            }
        }
    }
    assert!(compared > 20_000, "only {compared} values were compared");
}

#[test]
fn tasks_of_yahtzee_solve_one_turn_from_any_values() {
    let turn = Turn::new(&YAHTZEE);
    let game = YAHTZEE.game();
    let complete = CompleteGame::new(&game, &Work::silent()).unwrap();
    let mut compared = 0;
    for (layer, other, movers) in [(2, 5, &[0, 7][..]), (2, 11, &[5, 12]), (3, 12, &[77])] {
        let task = TaskId { layer, other };
        let (double, values) = compare::<f64, 8>(&YAHTZEE, &turn, &complete, task, movers, 600);
        assert!(double < 1e-13, "{task:?}: {double}");
        let (single, _) = compare::<f32, 16>(&YAHTZEE, &turn, &complete, task, movers, 600);
        let bound = complete.rounding_of_a_turn(f64::from(f32::EPSILON) / 2.0);
        assert!(single < bound.min(1e-6), "{task:?}: {single}, bound {bound}");
        compared += values;
    }
    assert!(compared > 1000, "only {compared} values were compared");
}

#[test]
fn settled_values_are_0_or_1_and_others_do_not_change() {
    const SETTLED: f64 = 0.02;
    let game = YAHTZEE.game();
    let complete = CompleteGame::new(&game, &Work::silent()).unwrap();
    let (mut settled_values, mut others) = (0, 0);
    for (layer, other, movers) in [(2, 5, &[0, 7][..]), (3, 12, &[77])] {
        let task = TaskId { layer, other };
        let solver = || TaskSolver::<f64, 8>::new(&complete, Threads::One);
        let solved = |solver| solve(&solver, &mut RandomLayer::new(&YAHTZEE, &complete, task), task, movers);
        let (plain, settled) = (solved(solver()), solved(solver().settling(SETTLED)));
        assert_eq!(plain.ends, settled.ends);
        for (plain, settled) in plain.values.into_iter().zip(settled.values) {
            if (1.0 - plain) < SETTLED || plain < SETTLED {
                assert_eq!(settled, plain.round());
                settled_values += usize::from(plain != settled);
            } else {
                assert_eq!(settled, plain);
                others += 1;
            }
        }
    }
    assert!(settled_values > 1000 && others > 1000, "{settled_values} {others}");
}

#[test]
fn the_joker_matters_to_the_values() {
    // Otherwise the comparison would not notice a wrong joker.
    let value = |joker: Joker| {
        let toy = everything(joker);
        toy::Brute::new(&toy).solve()
    };
    let mut values: Vec<f64> = toy::JOKERS.into_iter().map(value).collect();
    values.sort_by(f64::total_cmp);
    values.dedup();
    assert_eq!(values.len(), 4, "{values:?}");
}
