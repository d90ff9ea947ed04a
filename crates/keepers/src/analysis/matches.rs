//! Matches: many games between players, and their outcomes.
//!
//! Players change seats from game to game. The dice belong to the seat: with `same_dice`, each player gets the dice of
//! each seat once per round of games, so that most of the luck cancels out.

use std::fmt;

use crate::dice::random::{GameDice, RandomStream, RerollTable};
use crate::dice::{Keep, Roll};
use crate::game::Game;
use crate::game::rules::Entry;
use crate::parallel::Threads;
use crate::players::{Standing, Strategy, TurnContext, TurnPolicy};
use crate::stats::{interval_of_share, mean_and_error};
use crate::work::{NoProgress, Observer, Progress, Work, WorkError};

/// The parameters of a match.
#[derive(Clone, Copy, Debug)]
pub struct MatchRules {
    /// The number of games.
    pub games: u64,
    /// The seed of the dice.
    pub seed: u64,
    /// Whether all games of a round use the same dice. A round has as many games as there are players, so that every
    /// player sits in every seat once.
    pub same_dice: bool,
}

/// The outcome of a match for one player.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Outcome {
    /// The number of games in which this player had more points than all others.
    pub wins: u64,
    /// The number of games in which this player shared the highest total.
    pub draws: u64,
    /// The number of games in which another player had more points.
    pub losses: u64,
    /// The standard error of the share of games won. All standard errors are NaN if there is only one observation: one
    /// game, or one round on the same dice.
    pub win_error: f64,
    /// An interval that contains the true share of wins with a probability of about 95 %.
    pub win_interval: (f64, f64),
    /// The mean rank: 1 for the highest total; players with equal totals share the mean of their ranks.
    pub rank: f64,
    /// The standard error of the mean rank.
    pub rank_error: f64,
    /// The mean of the final totals.
    pub mean: f64,
    /// The standard error of the mean.
    pub mean_error: f64,
    /// The standard deviation of the final totals; NaN if there was only one game.
    pub deviation: f64,
}

impl fmt::Display for Outcome {
    /// Writes wins, draws and losses, and the mean total with its standard error.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Outcome { wins, draws, losses, mean, mean_error, .. } = self;
        write!(f, "{wins} won, {draws} drawn, {losses} lost; mean {mean:.2} ± {mean_error:.2}")
    }
}

/// One turn as it was played.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlayedTurn {
    /// Each roll but the last, with the dice that were kept.
    pub kept: Vec<(Roll, Keep)>,
    /// The last roll.
    pub roll: Roll,
    /// The entry of the last roll.
    pub entry: Entry,
}

/// One game as it was played.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlayedGame {
    /// The index of the player in each seat, in the order of play.
    pub seats: Vec<usize>,
    /// All turns in the order of play.
    pub turns: Vec<PlayedTurn>,
    /// The final totals by seat.
    pub totals: Vec<u16>,
}

/// Plays a match and returns the outcome of each player. `watch` receives every game with its number, in any order and
/// from any thread.
///
/// ```
/// use keepers::answers::MatchRules;
/// use keepers::internals::matches::play_match;
/// use keepers::internals::players::{Greedy, Random};
/// use keepers::{Game, Rules};
/// use keepers::internals::Work;
/// let game = Game::new(Rules::preset("yacht").unwrap());
/// let rules = MatchRules { games: 100, seed: 1, same_dice: true };
/// let outcomes = play_match(&game, &[&Greedy, &Random], rules, &Work::silent(), &|_, _| ()).unwrap();
/// assert!(outcomes[0].wins > 90);
/// ```
///
/// # Errors
/// If the work is cancelled, or if an allocation fails.
///
/// # Panics
/// If a player needs opponents (those that look ahead do) and there are not 2 to 8 players.
pub fn play_match(
    game: &Game,
    players: &[&dyn Strategy],
    rules: MatchRules,
    work: &Work<'_>,
    watch: &(dyn Fn(u64, &PlayedGame) + Sync),
) -> Result<Vec<Outcome>, WorkError> {
    let throws = RerollTable::new(game.lattice());
    let progress = Progress::new(work, rules.games as usize, 0);
    let observer = NoProgress(work.observer());
    // The rank and the total of each player, by game. Sums over this list do not depend on the number of threads.
    let games: Vec<Vec<(f64, u16)>> = Threads::All.try_map(0..rules.games as usize, |nth| {
        work.check()?;
        let nth = nth as u64;
        let played = play_game(game, &throws, players, rules, nth, &observer)?;
        watch(nth, &played);
        progress.add(1)?;
        let mut found = vec![(0.0, 0); players.len()];
        for (seat, &player) in played.seats.iter().enumerate() {
            found[player] = (rank(&played.totals, seat), played.totals[seat]);
        }
        Ok::<_, WorkError>(found)
    })?;
    progress.finish();
    let of = |player| outcome(&games, player, players.len(), rules.same_dice);
    Ok((0..players.len()).map(of).collect())
}

/// Returns the rank of a seat: 1 for the highest total; seats with equal totals share the mean of their ranks.
fn rank(totals: &[u16], seat: usize) -> f64 {
    let others = totals.iter().enumerate().filter(|(other, _)| *other != seat).map(|(_, total)| *total);
    let behind = others.map(|other| match other.cmp(&totals[seat]) {
        std::cmp::Ordering::Greater => 1.0,
        std::cmp::Ordering::Equal => 0.5,
        std::cmp::Ordering::Less => 0.0,
    });
    1.0 + behind.sum::<f64>()
}

fn outcome(games: &[Vec<(f64, u16)>], player: usize, players: usize, same_dice: bool) -> Outcome {
    let mut outcome = Outcome::default();
    let mut wins = Vec::with_capacity(games.len());
    for of_all in games {
        let (_, own) = of_all[player];
        let best = of_all.iter().map(|(_, total)| *total).max().unwrap_or(0);
        let among = of_all.iter().filter(|(_, total)| *total == best).count();
        match (own == best, among) {
            (true, 1) => outcome.wins += 1,
            (true, _) => outcome.draws += 1,
            (false, _) => outcome.losses += 1,
        }
        wins.push(f64::from(u8::from(own == best && among == 1)));
    }
    // Games on the same dice are not independent: a round counts as one observation.
    let round = if same_dice { players } else { 1 };
    let ranks: Vec<f64> = games.iter().map(|game| game[player].0).collect();
    let totals: Vec<f64> = games.iter().map(|game| game[player].1.into()).collect();
    let of_games = |values: &[f64]| {
        let rounds: Vec<f64> = values.chunks(round).map(|values| mean_and_error(values).0).collect();
        (mean_and_error(values).0, mean_and_error(&rounds).1)
    };
    (_, outcome.win_error) = of_games(&wins);
    outcome.win_interval = interval(&wins, outcome.win_error, round);
    (outcome.rank, outcome.rank_error) = of_games(&ranks);
    (outcome.mean, outcome.mean_error) = of_games(&totals);
    outcome.deviation = mean_and_error(&totals).1 * (totals.len() as f64).sqrt();
    outcome
}

/// Returns an interval of about 95 % for the share of games won. It is Wilson's interval for
/// the number of independent games that would give this standard error.
fn interval(wins: &[f64], error: f64, round: usize) -> (f64, f64) {
    let share = mean_and_error(wins).0;
    // If all rounds are equal, rounding leaves an error slightly above 0.
    let n = if error > 1e-9 {
        share * (1.0 - share) / error.powi(2)
    } else {
        (wins.len() as f64 / round as f64).ceil()
    };
    interval_of_share(share, n)
}

/// Combined with the seed of the dice into the seed of the strategies' own random numbers.
const STRATEGY_SEED: u64 = 0x0AB1_7A7E_D1CE_5EED;

/// Plays game `nth` of a match.
///
/// # Errors
/// If the observer cancels the search of a player, or if an allocation fails.
pub fn play_game(
    game: &Game,
    throws: &RerollTable,
    players: &[&dyn Strategy],
    rules: MatchRules,
    nth: u64,
    observer: &dyn Observer,
) -> Result<PlayedGame, WorkError> {
    let count = players.len();
    let seats: Vec<usize> = (0..count).map(|seat| (seat + nth as usize) % count).collect();
    let same = if rules.same_dice { nth / count as u64 } else { nth };
    let stream = |seat: usize| same * count as u64 + seat as u64;
    let mut dice: Vec<GameDice> =
        (0..count).map(|seat| GameDice::new(rules.seed, stream(seat), game.rules().rolls())).collect();
    let mut random = RandomStream::new(rules.seed ^ STRATEGY_SEED, nth);
    let seated: Vec<&dyn Strategy> = seats.iter().map(|&player| players[player]).collect();
    let mut standings = vec![Standing::default(); count];
    let (turns, totals) = play_on(game, throws, &seated, &mut standings, &mut dice, &mut random, observer)?;
    Ok(PlayedGame { seats, turns, totals })
}

/// Plays a game from the given standings to its end, each seat with its own dice. Returns the turns, and the final
/// totals by seat.
///
/// # Errors
/// If the observer cancels the search of a player, or if an allocation fails.
///
/// # Panics
/// If the standings cannot occur when players take turns: later seats may have one more open box than earlier ones.
pub fn play_on(
    game: &Game,
    throws: &RerollTable,
    seated: &[&dyn Strategy],
    standings: &mut [Standing],
    dice: &mut [GameDice],
    random: &mut RandomStream,
    observer: &dyn Observer,
) -> Result<(Vec<PlayedTurn>, Vec<u16>), WorkError> {
    let open: Vec<usize> = standings.iter().map(|standing| standing.open_boxes(game).len()).collect();
    let most = open.iter().copied().max().unwrap_or(0);
    assert!(
        open.is_sorted() && open.iter().all(|open| open + 1 >= most),
        "the open boxes cannot occur when players take turns"
    );
    let mut turns = Vec::with_capacity(open.iter().sum());
    for left in (1..=most).rev() {
        for mover in (0..seated.len()).filter(|&seat| open[seat] >= left) {
            let turn = {
                let mut plan = seated[mover].plan(&TurnContext { game, standings, mover, observer })?;
                dice[mover].start_turn(game.space().boxes() - left);
                play_turn(game, throws, &mut *plan, &mut dice[mover], random)
            };
            standings[mover] = standings[mover].after(game, turn.entry);
            turns.push(turn);
        }
    }
    Ok((turns, standings.iter().map(|standing| standing.total).collect()))
}

/// Plays a turn by the decisions of `plan`.
pub fn play_turn(
    game: &Game,
    throws: &RerollTable,
    plan: &mut dyn TurnPolicy,
    dice: &mut GameDice,
    random: &mut RandomStream,
) -> PlayedTurn {
    let mut kept = Vec::new();
    let lattice = game.lattice();
    let mut throw = |keep: &Keep| lattice.roll(dice.throw(throws, lattice.index_of(keep) as u16).into());
    let mut roll = throw(&Keep::NOTHING);
    for rolls_left in (1..game.rules().rolls()).rev() {
        let keep = plan.keep(roll, rolls_left, random);
        if keep == *roll.dice() {
            break;
        }
        kept.push((roll, keep));
        roll = throw(&keep);
    }
    PlayedTurn { kept, roll, entry: plan.enter(roll, random) }
}
