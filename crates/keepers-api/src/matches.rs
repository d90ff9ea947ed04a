//! `match`: computer players against each other.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use keepers::answers::{MatchRules, Outcome, PlayedGame};
use keepers::errors::RecordProblem;
use keepers::internals::players::MAX_SEARCHED_PLAYERS;
use keepers::{Error, Game, Observer, Player, Record, Rules, Strategy};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::fields::{Fields, PlayedFor, yahtzee};
use crate::question::Question;
use crate::refusal::Refusal;
use crate::seed::Seed;
use crate::service::Service;
use crate::utilities::Utilities;

/// The default number of games.
pub(crate) fn hundred() -> u64 {
    100
}

/// Asks for a match between computer players.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "rules": "yacht", "players": ["greedy", "random"], "games": 20, "seed": 1 }))]
pub struct MatchRequest {
    /// The rules: the name of a preset, or TOML.
    #[serde(default = "yahtzee")]
    pub rules: String,
    /// 2 to 8 players: `random`, `greedy`, `felldin-sood`, `expected`, `reach:S`, `tournament:N`, `utility:NAME`, `dyns:D`
    /// (dynamic fixed score), `emp:D` (expected match points), `duel` or `human-like:B`.
    #[schema(min_items = 2, max_items = 8)]
    pub players: Vec<String>,
    /// With `utility:NAME`: the utilities by name, each as CSV.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<BTreeMap<String, String>>)]
    pub utilities: Option<Utilities>,
    /// The number of games; in a league, per pair of players.
    #[serde(default = "hundred")]
    #[schema(minimum = 1, maximum = 100000)]
    pub games: u64,
    /// The seed of the dice; the same seed gives the same games.
    #[serde(default)]
    pub seed: Seed,
    /// Play the same dice with every rotation of the seats, which cancels out most of the luck.
    #[serde(default)]
    pub same_dice: bool,
    /// Play a league: a match between each pair of players.
    #[serde(default)]
    pub league: bool,
    /// Return the record of every game. Does not work with a league.
    #[serde(default)]
    pub records: bool,
}

/// The results of a match or a league.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(untagged)]
#[schema(as = Match, example = json!({
    "rules": "yacht", "games": 20, "seed": 1,
    "players": [{
        "strategy": "greedy", "win": 0.95, "win_error": 0.05, "win_interval": [0.76, 0.99], "draw": 0.0, "loss": 0.05,
        "rank": 1.05, "rank_error": 0.05, "mean": 155.0, "mean_error": 8.0, "sd": 36.0
    }]
}))]
pub enum MatchAnswer {
    /// All players at one table.
    Match(PlayedMatch),
    /// A match between each pair of players.
    League {
        /// The name of the rules.
        rules: String,
        /// The number of games per pair.
        games: u64,
        /// The seed of the dice.
        seed: u64,
        /// The players, the best first.
        players: Vec<LeaguePlayer>,
    },
}

/// The results of a match.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PlayedMatch {
    /// The name of the rules.
    pub rules: String,
    /// The number of games.
    pub games: u64,
    /// The seed of the dice.
    pub seed: u64,
    /// The players, in the order of the request.
    pub players: Vec<MatchPlayer>,
    /// The record of every game, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub records: Option<Vec<String>>,
}

/// The results of one player in a match. Standard errors and deviations are null after a single game.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct MatchPlayer {
    /// The player.
    pub strategy: String,
    /// The share of games won.
    pub win: f64,
    /// The standard error of `win`.
    #[schema(value_type = Option<f64>, required = true)]
    pub win_error: f64,
    /// The 95 % confidence interval of `win`.
    #[schema(value_type = Vec<f64>)]
    pub win_interval: (f64, f64),
    /// The share of games in which this player tied for the best score.
    pub draw: f64,
    /// The share of games lost.
    pub loss: f64,
    /// The mean rank, 1 being the best; tied players share their ranks.
    pub rank: f64,
    /// The standard error of `rank`.
    #[schema(value_type = Option<f64>, required = true)]
    pub rank_error: f64,
    /// The mean final score.
    pub mean: f64,
    /// The standard error of `mean`.
    #[schema(value_type = Option<f64>, required = true)]
    pub mean_error: f64,
    /// The standard deviation of the final score.
    #[schema(value_type = Option<f64>, required = true)]
    pub sd: f64,
}

/// The results of one player in a league. The standard error is null if each pair played a single game.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct LeaguePlayer {
    /// The player.
    pub strategy: String,
    /// The mean result against all other players: 1 for a win, 1/2 for a draw.
    pub result: f64,
    /// The standard error of `result`.
    #[schema(value_type = Option<f64>, required = true)]
    pub result_error: f64,
    /// The result against each player, in the order of `players`; null against itself.
    pub against: Vec<Option<f64>>,
}

impl Question for MatchRequest {
    type Answer = MatchAnswer;
    const NAME: &'static str = "match";

    fn work(&self) -> String {
        format!("playing {} games", self.games)
    }

    fn answer(&self, service: &Service, observer: &dyn Observer) -> Result<MatchAnswer, Refusal> {
        let records = Mutex::new(BTreeMap::new());
        let failed: Mutex<Option<RecordProblem>> = Mutex::new(None);
        let lock = |records: &Mutex<BTreeMap<u64, String>>, nth: u64, text: String| {
            records.lock().unwrap_or_else(PoisonError::into_inner).insert(nth, text);
        };
        let watch = |names: &RecordNames, game: &Game, nth: u64, played: &PlayedGame| match names
            .record(game, nth, played)
        {
            Ok(record) => lock(&records, nth, record),
            Err(error) => {
                failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
            }
        };
        let mut answer = self.play(service, if self.records { Some(&watch) } else { None }, observer)?;
        if let Some(error) = failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(Refusal::invalid("records", error));
        }
        if let (MatchAnswer::Match(played), true) = (&mut answer, self.records) {
            let records = records.into_inner().unwrap_or_else(PoisonError::into_inner);
            played.records = Some(records.into_values().collect());
        }
        Ok(answer)
    }
}

/// A callback that receives every game of a match with its number, on any thread.
type Watch<'a> = &'a (dyn Fn(&RecordNames, &Game, u64, &PlayedGame) + Sync);

impl MatchRequest {
    /// Plays the match. `watch` receives every game, and the names of players and rules for its record.
    ///
    /// # Errors
    /// Returns the same errors as [`Question::answer`].
    pub fn play(
        &self,
        service: &Service,
        watch: Option<Watch<'_>>,
        observer: &dyn Observer,
    ) -> Result<MatchAnswer, Refusal> {
        let ready = service.game(&self.rules)?;
        let mut fields = Fields::with_utilities(&ready, None, self.utilities.as_ref());
        let players: Vec<_> = self.players.iter().map(|name| fields.player("players", name.trim())).collect();
        let count = players.len();
        if !(2..=MAX_SEARCHED_PLAYERS).contains(&count) {
            let text = format!(
                "a match has 2 to {MAX_SEARCHED_PLAYERS} players, not {count}: name them like emp:1 and expected"
            );
            fields.add("players", text);
        }
        let players: Option<Vec<(Player, Option<PlayedFor>)>> = players.into_iter().collect();
        let limits = service.limits();
        if let Some(players) = &players {
            let seats = if self.league { 2 } else { count };
            fields.check_depths("players", players.iter().map(|(player, _)| player), seats, limits);
        }
        let games = fields.within("games", self.games, (1, limits.games));
        let seed = fields.seed(&self.seed);
        if self.records && self.league {
            fields.add("records", "cannot be combined with a league: drop one of them");
        } else if self.records && self.games > limits.records {
            fields.add("records", format!("only work with up to {} games: play fewer games", limits.records));
        }
        let (players, (games, seed)) = fields.check(players.zip(games.zip(seed)))?;
        let (engine, game) = (service.engine().observed_by(observer), ready.game());
        let refused = |error: Error| Refusal::engine(&error, "players");
        let strategies = make_players(service, game, &players, observer).map_err(refused)?;
        let rules = MatchRules { games, seed, same_dice: self.same_dice };
        if self.league {
            let names: Vec<String> = self.players.clone();
            return league(service, game, &names, &strategies, rules, observer).map_err(refused);
        }
        let named: Vec<&Player> = players.iter().map(|(player, _)| player).collect();
        let names = RecordNames::new(game, &named, seed);
        let each = |nth: u64, played: &PlayedGame| {
            if let Some(watch) = watch {
                watch(&names, game, nth, played);
            }
        };
        let outcomes = engine.play_match(game, &strategies, rules, &each).map_err(refused)?;
        let of = |(name, outcome): (&String, &Outcome)| shown(name.trim(), outcome, games);
        Ok(MatchAnswer::Match(PlayedMatch {
            rules: ready.rules().name().to_string(),
            games,
            seed,
            players: self.players.iter().zip(&outcomes).map(of).collect(),
            records: None,
        }))
    }
}

impl Fields<'_> {
    /// Refuses searches deeper than the limit for this many seats.
    pub fn check_depths<'p>(
        &mut self,
        field: &str,
        players: impl Iterator<Item = &'p Player>,
        seats: usize,
        limits: &crate::limits::Limits,
    ) {
        let most = if seats > 2 { limits.depth_of_many } else { limits.depth };
        for player in players {
            if let Player::Emp(depth) | Player::DynS(depth) = player
                && *depth > most
            {
                self.add(
                    field,
                    format!("a depth of {depth} takes too long with {seats} players: use 0 to {most}"),
                );
            }
        }
    }
}

/// Creates the strategies of players.
pub(crate) fn make_players(
    service: &Service,
    game: &Game,
    players: &[(Player, Option<PlayedFor>)],
    observer: &dyn Observer,
) -> Result<Vec<Arc<dyn Strategy>>, Error> {
    let engine = service.engine().observed_by(observer);
    let one = |(player, played_for): &(Player, Option<PlayedFor>)| match played_for {
        Some(played_for) => {
            let goal = played_for.goal(&engine, game)?;
            engine.solitaire(&keepers::Card::empty(game), &goal)
        }
        None => engine.player(game, player),
    };
    players.iter().map(one).collect()
}

fn shown(name: &str, outcome: &Outcome, games: u64) -> MatchPlayer {
    let share = |n: u64| n as f64 / games as f64;
    MatchPlayer {
        strategy: name.to_string(),
        win: share(outcome.wins),
        win_error: outcome.win_error,
        win_interval: outcome.win_interval,
        draw: share(outcome.draws),
        loss: share(outcome.losses),
        rank: outcome.rank,
        rank_error: outcome.rank_error,
        mean: outcome.mean,
        mean_error: outcome.mean_error,
        sd: outcome.deviation,
    }
}

/// Plays a match between each pair of players.
fn league(
    service: &Service,
    game: &Game,
    names: &[String],
    players: &[Arc<dyn Strategy>],
    rules: MatchRules,
    observer: &dyn Observer,
) -> Result<MatchAnswer, Error> {
    let count = players.len();
    let mut results: Vec<Vec<Option<(f64, f64)>>> = vec![vec![None; count]; count];
    for first in 0..count {
        for second in first + 1..count {
            let pair = [Arc::clone(&players[first]), Arc::clone(&players[second])];
            let outcomes =
                service.engine().observed_by(observer).play_match(game, &pair, rules, &|_, _| ())?;
            let result = 2.0 - outcomes[0].rank;
            results[first][second] = Some((result, outcomes[0].rank_error));
            results[second][first] = Some((1.0 - result, outcomes[0].rank_error));
        }
    }
    let mean = |player: usize| {
        let met = || results[player].iter().flatten();
        let n = met().count() as f64;
        let error = met().map(|(_, error)| error * error).sum::<f64>().sqrt() / n;
        (player, met().map(|(result, _)| result).sum::<f64>() / n, error)
    };
    let mut table: Vec<(usize, f64, f64)> = (0..count).map(mean).collect();
    table.sort_by(|a, b| b.1.total_cmp(&a.1));
    let player = |&(player, result, result_error): &(usize, f64, f64)| LeaguePlayer {
        strategy: names[player].trim().to_string(),
        result,
        result_error,
        against: table.iter().map(|&(other, ..)| results[player][other].map(|(result, _)| result)).collect(),
    };
    Ok(MatchAnswer::League {
        rules: game.rules().name().to_string(),
        games: rules.games,
        seed: rules.seed,
        players: table.iter().map(player).collect(),
    })
}

/// The names of players and rules in the records of a match.
pub struct RecordNames {
    /// The name of each player, in a form that a record allows.
    names: Vec<String>,
    /// The name of the rules: a preset or [`RecordNames::RULES_FILE`].
    rules: String,
    seed: u64,
}

impl RecordNames {
    /// The file beside the record with the rules, for rules that are not a preset.
    pub const RULES_FILE: &'static str = "rules.toml";

    fn new(game: &Game, players: &[&Player], seed: u64) -> RecordNames {
        let rules = game.rules();
        let is_preset = Rules::preset(rules.name()).is_ok_and(|preset| preset == **rules);
        let rules = if is_preset { rules.name() } else { RecordNames::RULES_FILE }.to_string();
        let name = |(seat, player): (usize, &&Player)| {
            // A colon ends the name of a player in a record.
            let name = player.to_string().replace(':', " ");
            let twice = players.iter().filter(|other| *other == player).count() > 1;
            // A player that sits in several seats gets the number of the seat.
            if twice { format!("{name} ({})", seat + 1) } else { name }
        };
        RecordNames { names: players.iter().enumerate().map(name).collect(), rules, seed }
    }

    /// Returns whether the records refer to [`RecordNames::RULES_FILE`].
    pub fn need_rules_file(&self) -> bool {
        self.rules == RecordNames::RULES_FILE
    }

    /// Writes the record of a game.
    ///
    /// # Errors
    /// Fails if a player has a name that a record does not allow.
    pub fn record(&self, game: &Game, nth: u64, played: &PlayedGame) -> Result<String, RecordProblem> {
        let players: Vec<String> = played.seats.iter().map(|&player| self.names[player].clone()).collect();
        let mut record = Record::new(game, &players)?;
        record.name_rules(&self.rules)?;
        record.tag("seed", &self.seed.to_string())?;
        record.tag("game", &nth.to_string())?;
        for turn in &played.turns {
            for &(roll, keep) in &turn.kept {
                record.roll(roll)?;
                record.keep(keep)?;
            }
            record.roll(turn.roll)?;
            record.score(turn.entry.into)?;
        }
        Ok(record.to_string())
    }
}
