//! A player alone at the table, and what it writes on its card.

use keepers::Game;
use keepers::random::{Chance, Throws};
use keepers::strategy::{Seats, Standing, Strategy};

/// A finished card.
pub struct Played {
    /// The points in each box.
    pub boxes: Vec<u16>,
    /// What the upper section came to besides them.
    pub bonus: u16,
    /// Everything.
    pub total: u16,
}

/// Plays one game: the seed and its number decide the dice.
pub fn play(game: &Game, throws: &Throws, player: &dyn Strategy, chance: &mut Chance) -> Played {
    let rules = game.rules();
    let mut boxes = vec![0; rules.boxes().values().len()];
    let mut standing = Standing::default();
    for _ in 0..boxes.len() {
        let standings = [standing];
        let mut plan = player.plan(&Seats { game, standings: &standings, mover: 0 });
        let mut roll = throws.throw(0, chance);
        for rolls_left in (1..rules.rolls()).rev() {
            let keep = plan.keep(roll, rolls_left, chance);
            roll = throws.throw(keep, chance);
        }
        let entry = plan.enter(roll, chance);
        boxes[entry.into.place()] = entry.points;
        standing = standing.after(game, entry);
    }
    let earned = rules.upper_bonus().filter(|bonus| standing.upper_total >= bonus.threshold);
    Played { boxes, bonus: earned.map_or(0, |bonus| bonus.points), total: standing.total }
}

/// Means, spread and the distribution of the totals over many games.
pub struct Many {
    pub games: u64,
    pub boxes: Vec<f64>,
    pub bonus: f64,
    pub mean: f64,
    pub deviation: f64,
    /// How many games came to each total.
    pub totals: Vec<u64>,
}

#[allow(dead_code)]
impl Many {
    /// Plays games number 0 up to `games` of a seed.
    pub fn play(game: &Game, player: &dyn Strategy, games: u64, seed: u64) -> Many {
        let throws = Throws::new(game.lattice());
        let mut chance = Chance::new(seed, 0);
        let mut many = Many {
            games,
            boxes: vec![0.0; game.rules().boxes().values().len()],
            bonus: 0.0,
            mean: 0.0,
            deviation: 0.0,
            totals: Vec::new(),
        };
        let n = games as f64;
        let mut squares = 0.0;
        for number in 0..games {
            chance.restart(number);
            let played = play(game, &throws, player, &mut chance);
            many.boxes.iter_mut().zip(&played.boxes).for_each(|(sum, &points)| *sum += f64::from(points) / n);
            many.bonus += f64::from(played.bonus) / n;
            many.mean += f64::from(played.total) / n;
            squares += f64::from(played.total).powi(2) / n;
            let total = usize::from(played.total);
            many.totals.resize(many.totals.len().max(total + 1), 0);
            many.totals[total] += 1;
        }
        many.deviation = (squares - many.mean * many.mean).max(0.0).sqrt();
        many
    }

    /// The standard error of the mean.
    pub fn error(&self) -> f64 {
        self.deviation / (self.games as f64).sqrt()
    }

    /// The share of games from one total to another, both included.
    pub fn share(&self, from: usize, to: usize) -> f64 {
        let within = self.totals.iter().enumerate().filter(|(total, _)| (from..=to).contains(total));
        within.map(|(_, &games)| games).sum::<u64>() as f64 / self.games as f64
    }

    /// The lowest, the middle and the highest total.
    pub fn range(&self) -> (usize, usize, usize) {
        let lowest = self.totals.iter().position(|&games| games > 0).unwrap_or(0);
        let mut seen = 0;
        let middle = self.totals.iter().position(|games| {
            seen += games;
            2 * seen >= self.games
        });
        (lowest, middle.unwrap_or(0), self.totals.len().saturating_sub(1))
    }
}
