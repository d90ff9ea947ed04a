//! The decisions of any strategy that plays alone, valued by the best expected scores: how often it makes a best one, and
//! what each kind of decision loses.
//!
//! Games are simulated, but within each turn all rolls are weighted exactly with the probability that the strategy meets
//! them. The expected sum of all losses of a game is the best expected score minus the strategy's.

use keepers::answers::ExpectedTable;
use keepers::internals::plan::{TieTolerance, TurnPlan};
use keepers::{Entry, Game, RandomStream, Silent, Standing, Strategy, TurnContext};
use serde::{Deserialize, Serialize};

/// The losses of a strategy in some games.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Losses {
    /// The number of games.
    pub games: u64,
    /// By roll of a turn: the expected number of decisions per game that are not best, summed over games.
    pub not_best: Vec<f64>,
    /// By roll of a turn: the loss.
    pub loss: Vec<f64>,
    /// By box, from the top of the card: the loss of entries into it.
    pub boxes: Vec<f64>,
    /// The sum of the losses of each game, and of their squares.
    pub sums: [f64; 2],
}

impl Losses {
    /// Adds the losses of other games.
    pub fn add(&mut self, other: &Losses) {
        self.games += other.games;
        for (all, more) in [
            (&mut self.not_best, &other.not_best),
            (&mut self.loss, &other.loss),
            (&mut self.boxes, &other.boxes),
        ] {
            all.resize(all.len().max(more.len()), 0.0);
            all.iter_mut().zip(more).for_each(|(all, more)| *all += more);
        }
        self.sums.iter_mut().zip(other.sums).for_each(|(all, more)| *all += more);
    }

    /// Returns the mean loss of a game, and its standard error.
    pub fn per_game(&self) -> (f64, f64) {
        let games = self.games as f64;
        let mean = self.sums[0] / games;
        (mean, ((self.sums[1] / games - mean * mean) / (games - 1.0)).max(0.0).sqrt())
    }
}

/// Plays games with a strategy and values its decisions.
pub fn losses(
    table: &ExpectedTable,
    strategy: &dyn Strategy,
    games: std::ops::Range<u64>,
    seed: u64,
) -> anyhow::Result<Losses> {
    let game = table.game();
    let (rolls, boxes) = (usize::from(game.rules().rolls()), game.space().boxes());
    let mut all = Losses {
        not_best: vec![0.0; rolls],
        loss: vec![0.0; rolls],
        boxes: vec![0.0; boxes],
        ..Losses::default()
    };
    for nth in games {
        let mut random = RandomStream::new(seed, nth);
        let mut own = Standing::default();
        let before: f64 = all.loss.iter().sum();
        for _ in 0..boxes {
            let entry = turn(table, strategy, &own, &mut random, &mut all)?;
            own = own.after(game, entry);
        }
        let lost = all.loss.iter().sum::<f64>() - before;
        all.games += 1;
        all.sums[0] += lost;
        all.sums[1] += lost * lost;
    }
    Ok(all)
}

/// Values all decisions of a turn, and returns an entry with the probability that the strategy makes it.
fn turn(
    table: &ExpectedTable,
    strategy: &dyn Strategy,
    own: &Standing,
    random: &mut RandomStream,
    all: &mut Losses,
) -> anyhow::Result<Entry> {
    let game: &Game = table.game();
    let lattice = game.lattice();
    let rolls = game.rules().rolls();
    let value = |entry: Entry| {
        let next = own.after(game, entry);
        f64::from(next.total) + table.get(next.state(game))
    };
    let plan = TurnPlan::new(game, own.filled, rolls, TieTolerance::Points, value);
    let standings = [*own];
    let context = TurnContext { game, standings: &standings, mover: 0, observer: &Silent };
    let mut policy = strategy.plan(&context)?;
    let first = lattice.rolls().start;
    let mut mass = vec![0.0; lattice.keeps().len()];
    let orders: f64 = f64::from(lattice.faces()).powi(i32::from(lattice.dice()));
    for roll in lattice.rolls() {
        mass[roll] = f64::from(lattice.keeps()[roll].orders()) / orders;
    }
    for rolls_left in (1..rolls).rev() {
        let stage = usize::from(rolls - 1 - rolls_left);
        let values = plan.keeps(rolls_left);
        for roll in lattice.rolls() {
            let here = std::mem::take(&mut mass[roll]);
            if here == 0.0 {
                continue;
            }
            let kept = lattice.index_of(&policy.keep(lattice.roll(roll), rolls_left, random));
            let best = usize::from(plan.picks()[usize::from(rolls_left) - 1][roll - first]);
            let loss = values[best] - values[kept];
            if loss > 1e-9 {
                all.not_best[stage] += here;
                all.loss[stage] += here * loss;
            }
            mass[kept] += here;
        }
        for keep in 0..first {
            let share = std::mem::take(&mut mass[keep]) / f64::from(lattice.faces());
            if share > 0.0 {
                let larger = lattice.with_die()[keep];
                larger[..usize::from(lattice.faces())].iter().for_each(|&k| mass[usize::from(k)] += share);
            }
        }
    }
    let stage = usize::from(rolls - 1);
    // One final roll is drawn, with which the game goes on.
    let mut left = random.unit();
    let mut drawn = None;
    for roll in lattice.rolls() {
        let here = mass[roll];
        if here == 0.0 {
            continue;
        }
        let entry = policy.enter(lattice.roll(roll), random);
        let loss = plan.ends()[roll - first].1 - value(entry);
        if loss > 1e-9 {
            all.not_best[stage] += here;
            all.loss[stage] += here * loss;
            all.boxes[entry.into.index()] += here * loss;
        }
        if left >= 0.0 {
            drawn = Some(entry);
            left -= here;
        }
    }
    Ok(drawn.expect("a turn ends with a roll"))
}

#[cfg(test)]
mod tests {
    use keepers::internals::players::{Expected, Greedy};
    use keepers::{Engine, Objective};

    use super::*;

    #[test]
    fn the_best_strategy_loses_nothing_and_losses_add_up() {
        let (engine, game) = (Engine::in_memory(), Game::preset("yacht").unwrap());
        let table = engine.expected_table(&game).unwrap();
        let best = losses(&table, &Expected(std::sync::Arc::clone(&table)), 0..20, 1).unwrap();
        assert_eq!(best.per_game().0, 0.0);
        let greedy = losses(&table, &Greedy, 0..400, 1).unwrap();
        let mean = engine.simulate_strategy(&game, std::sync::Arc::new(Greedy)).games(20_000).run().unwrap();
        let lost = engine.value(&game.empty_card(), &Objective::Expected).unwrap() - mean.mean();
        let (found, error) = greedy.per_game();
        assert!((found - lost).abs() < 4.0 * error.hypot(mean.error()), "{found} ± {error}, not {lost}");
        let boxes: f64 = greedy.boxes.iter().sum();
        assert!((boxes - greedy.loss[2]).abs() < 1e-6 * boxes);
    }
}
