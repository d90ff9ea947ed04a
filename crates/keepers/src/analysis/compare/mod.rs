//! Compares players over several recorded games: who is better, by how much, and how sure that is.
//!
//! For the expected score, every finished game satisfies score = start + luck - loss, exactly. Luck has mean 0 whatever
//! a player does, because the value before a roll is the mean of the values after it. So the difference of two players'
//! mean scores and the negative difference of their mean losses estimate the same number: how many points per game one
//! player is better. The losses vary far less, because the luck is removed from them exactly.

mod dice;
mod difference;
mod student;
mod trend;

pub use dice::{DiceStatistics, FaceCount};
pub use difference::{CONFIDENCE, Difference, MAX_GAMES_NEEDED};
pub use trend::{DecisionKind, Trend};

use std::collections::BTreeMap;

use crate::analysis::review::Review;
use crate::stats::{interval_of_share, mean_and_error};

/// The reviews of one recorded game for the expected score, with the name of each player.
#[derive(Clone, Debug)]
pub struct ReviewedGame<'a> {
    /// The players of the game: names and reviews.
    pub players: Vec<(&'a str, &'a Review)>,
}

/// The statistics of all players and of every two of them.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ComparedPlayers {
    /// All players, by the mean loss per decision: the best first.
    pub players: Vec<PlayerStatistics>,
    /// Every two players with a finished game each, in the order of `players`.
    pub pairs: Vec<Pair>,
}

/// The statistics of one player.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PlayerStatistics {
    /// The name.
    pub name: String,
    /// The number of games.
    pub games: usize,
    /// The number of finished games. Only these count for scores, and for the losses that are compared.
    pub finished: usize,
    /// The mean final score and its standard error; `None` without finished games. The error is NaN for one game.
    pub score: Option<(f64, f64)>,
    /// The mean loss of a finished game and its standard error; `None` without finished games.
    pub loss: Option<(f64, f64)>,
    /// The mean loss per decision, over all games.
    pub error: f64,
    /// The dice of all games.
    pub dice: DiceStatistics,
    /// The losses of finished games, in order: of all decisions first, then by kind.
    pub trends: Vec<Trend>,
}

/// Two players.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Pair {
    /// The indices of the two players in [`ComparedPlayers::players`].
    pub players: [usize; 2],
    /// The first player's mean final score minus the second player's.
    pub by_score: Difference,
    /// The second player's mean loss minus the first player's: the first player's advantage without luck.
    pub by_loss: Difference,
    /// The results of the games that both finished.
    pub head_to_head: HeadToHead,
}

/// The results of the games that two players both finished, for the first of them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct HeadToHead {
    /// Games with the higher score.
    pub wins: usize,
    /// Games with equal scores.
    pub draws: usize,
    /// Games with the lower score.
    pub losses: usize,
}

impl HeadToHead {
    /// Returns the number of games.
    pub fn games(&self) -> usize {
        self.wins + self.draws + self.losses
    }

    /// Returns the interval that contains the true share of wins, with draws as half a win, with a probability of about
    /// 95 %. Returns `None` without games.
    pub fn interval(&self) -> Option<(f64, f64)> {
        let games = self.games() as f64;
        let share = (self.wins as f64 + self.draws as f64 / 2.0) / games;
        (games > 0.0).then(|| interval_of_share(share, games))
    }
}

/// The finished games of one player: the number of the game, the final score and the loss.
type Finished = BTreeMap<usize, (f64, f64)>;

/// Compares the players of several games, reviewed for the expected score. A player is identified by the name. The
/// order of the games is that of the trends.
pub fn compare(games: &[ReviewedGame<'_>]) -> ComparedPlayers {
    let mut by_name: BTreeMap<&str, Vec<(usize, &Review)>> = BTreeMap::new();
    for (nth, game) in games.iter().enumerate() {
        for (name, review) in &game.players {
            by_name.entry(name).or_default().push((nth, review));
        }
    }
    let mut all: Vec<(PlayerStatistics, Finished)> =
        by_name.iter().map(|(name, reviews)| player(name, reviews)).collect();
    all.sort_by(|(a, _), (b, _)| a.error.total_cmp(&b.error));
    let mut pairs = Vec::new();
    for first in 0..all.len() {
        for second in first + 1..all.len() {
            pairs.extend(pair([first, second], [&all[first].1, &all[second].1]));
        }
    }
    ComparedPlayers { players: all.into_iter().map(|(player, _)| player).collect(), pairs }
}

fn player(name: &str, reviews: &[(usize, &Review)]) -> (PlayerStatistics, Finished) {
    let finished: Vec<&(usize, &Review)> =
        reviews.iter().filter(|(_, review)| review.is_finished()).collect();
    let score = |review: &Review| f64::from(review.card.total());
    let games: Finished =
        finished.iter().map(|(nth, review)| (*nth, (score(review), review.loss()))).collect();
    let mean = |of: fn(&(f64, f64)) -> f64| {
        let values: Vec<f64> = games.values().map(of).collect();
        (!values.is_empty()).then(|| mean_and_error(&values))
    };
    let decisions: usize = reviews.iter().map(|(_, review)| review.decisions()).sum();
    let loss: f64 = reviews.iter().map(|(_, review)| review.loss()).sum();
    let ended: Vec<&Review> = finished.iter().map(|(_, review)| *review).collect();
    let statistics = PlayerStatistics {
        name: name.to_string(),
        games: reviews.len(),
        finished: finished.len(),
        score: mean(|game| game.0),
        loss: mean(|game| game.1),
        error: loss / decisions.max(1) as f64,
        dice: DiceStatistics::of(reviews.iter().map(|(_, review)| *review)),
        trends: trend::trends(&ended),
    };
    (statistics, games)
}

/// Compares two players. Returns `None` if one of them has no finished game.
fn pair(players: [usize; 2], [first, second]: [&Finished; 2]) -> Option<Pair> {
    let difference = |of: fn(&(f64, f64)) -> f64| {
        Difference::between(
            [first, second].map(|games| games.iter().map(|(nth, game)| (*nth, of(game))).collect()),
        )
    };
    let mut head_to_head = HeadToHead::default();
    for (nth, (mine, _)) in first {
        let Some((theirs, _)) = second.get(nth) else { continue };
        match mine.total_cmp(theirs) {
            std::cmp::Ordering::Greater => head_to_head.wins += 1,
            std::cmp::Ordering::Equal => head_to_head.draws += 1,
            std::cmp::Ordering::Less => head_to_head.losses += 1,
        }
    }
    Some(Pair {
        players,
        by_score: difference(|game| game.0)?,
        by_loss: difference(|game| -game.1)?,
        head_to_head,
    })
}
