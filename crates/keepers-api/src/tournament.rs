//! `tournament`: the strategy that wins most often against N opponents, and its advantage.

use keepers::answers::{Statistics, TournamentResult};
use keepers::internals::tournament::{MAX_OPPONENTS, observed_scores, read_field, read_kinds};
use keepers::{Engine, Error, Game, Goal, Objective, Observer, Rules, Ties};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::fields::{Fields, PlayedFor, expected, yahtzee};
use crate::question::Question;
use crate::refusal::Refusal;
use crate::seed::Seed;
use crate::service::Service;
use crate::utilities::Utilities;
use crate::views::{GridRow, grid};

/// The most kinds of opponents.
const MOST_KINDS: usize = 8;

/// Asks for the best strategies in a blind tournament.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "rules": "yacht", "opponents": [1, 10], "opponent": "expected", "ties": "lose" }))]
pub struct TournamentRequest {
    /// The rules: the name of a preset, or TOML.
    #[serde(default = "yahtzee")]
    pub rules: String,
    /// The numbers of opponents, one result each. Left out with `given`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(max_items = 8)]
    pub opponents: Vec<u32>,
    /// A field of given opponents instead of numbers: strategies with their numbers of players, like
    /// `expected*7,reach:300*3`; up to 100 opponents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub given: Option<String>,
    /// The strategy of the opponents: `expected`, `reach:S` or `tournament:N`, or several with their shares, like
    /// `expected:0.7,reach:300:0.3`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opponent: Option<String>,
    /// Observed scores of opponents instead of a strategy, one per line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opponent_scores: Option<String>,
    /// With `utility:NAME`: the utilities by name, each as CSV.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<std::collections::BTreeMap<String, String>>)]
    pub utilities: Option<Utilities>,
    /// Whether a tie for the best score loses or shares the win.
    #[serde(default)]
    pub ties: TiesName,
    /// The rules whose boxes decide whether a box is scored well; by default, those of the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judge: Option<String>,
    /// Also play this many tournaments in which all players have the same dice. Needs opponents of given strategies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub same_dice: Option<u64>,
    /// With `same_dice`: the seed of the dice; 1 by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<Seed>,
}

/// Whether a tie for the best score loses or shares the win.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = Ties)]
pub enum TiesName {
    /// A win needs a strictly higher score.
    #[default]
    Lose,
    /// Players tied for the best score share the win.
    Share,
}

impl From<TiesName> for Ties {
    fn from(name: TiesName) -> Ties {
        match name {
            TiesName::Lose => Ties::Lose,
            TiesName::Share => Ties::Share,
        }
    }
}

/// The best strategies, one per number of opponents.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Tournament, example = json!({
    "rules": "yahtzee", "opponent": "expected",
    "sizes": [{
        "opponents": 10, "win": 0.1159, "win_if_expected": 0.0909, "advantage": 0.275, "mean": 240.1, "sd": 70.2,
        "median_to_beat": 340, "probability": [0.0, 0.00001, 0.00002],
        "grid": [{ "id": "1", "name": "Ones", "turns": [[0.01, 0.02]] }]
    }],
    "expected": {
        "mean": 254.5877, "sd": 59.6117, "probability": [0.0, 0.00001, 0.00002],
        "grid": [{ "id": "1", "name": "Ones", "turns": [[0.01, 0.02]] }]
    }
}))]
pub struct TournamentAnswer {
    /// The name of the rules.
    pub rules: String,
    /// The strategy of the opponents, or `scores` if their scores were given.
    pub opponent: String,
    /// One result per number of opponents.
    pub sizes: Vec<TournamentSizeView>,
    /// The results of playing for the expected score.
    pub expected: FollowedStrategy,
    /// The distribution of an opponent's score, for callers in Rust.
    #[serde(skip)]
    #[schema(ignore)]
    pub field: Vec<f64>,
    /// The complete result, for callers in Rust.
    #[serde(skip)]
    #[schema(ignore)]
    pub result: TournamentResult,
}

/// The best strategy against one number of opponents.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = TournamentSize)]
pub struct TournamentSizeView {
    /// The number of opponents.
    pub opponents: u32,
    /// The best probability of winning.
    pub win: f64,
    /// The probability of winning when playing for the expected score.
    pub win_if_expected: f64,
    /// `win` divided by `win_if_expected`, minus 1: 0.7 means 70 % more wins.
    pub advantage: f64,
    /// The mean final score.
    pub mean: f64,
    /// The standard deviation of the final score.
    pub sd: f64,
    /// The median of the highest score among the opponents.
    pub median_to_beat: usize,
    /// The probability of each final score, starting at 0.
    pub probability: Vec<f64>,
    /// How often the strategy scores each box well and badly, by turn.
    pub grid: Vec<GridRow>,
    /// The same strategy in tournaments on the same dice, if the request asks for them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_dice: Option<SameDiceView>,
}

/// Simulated tournaments in which all players have the same dice.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[schema(as = SameDice)]
pub struct SameDiceView {
    /// The number of tournaments.
    pub games: u64,
    /// The share of tournaments won by the strategy that is best on independent dice.
    pub win: f64,
    /// The standard error of `win`; null after a single tournament.
    #[schema(value_type = Option<f64>, required = true)]
    pub win_error: f64,
    /// The share of tournaments in which it ties for the highest score.
    pub tied: f64,
    /// The share of tournaments won when playing for the expected score.
    pub win_if_expected: f64,
    /// The median of the highest score among the opponents.
    pub median_to_beat: u16,
}

/// The results of a strategy.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct FollowedStrategy {
    /// The mean final score.
    pub mean: f64,
    /// The standard deviation of the final score.
    pub sd: f64,
    /// The probability of each final score, starting at 0.
    pub probability: Vec<f64>,
    /// How often the strategy scores each box well and badly, by turn.
    pub grid: Vec<GridRow>,
}

/// The strategies or the scores of the opponents.
enum Opponents {
    Kinds(Vec<(f64, PlayedFor)>),
    Seen(Vec<f64>),
}

impl Question for TournamentRequest {
    type Answer = TournamentAnswer;
    const NAME: &'static str = "tournament";

    fn work(&self) -> String {
        "solving a tournament".to_string()
    }

    fn answer(&self, service: &Service, observer: &dyn Observer) -> Result<TournamentAnswer, Refusal> {
        let ready = service.game(&self.rules)?;
        let mut fields = Fields::with_utilities(&ready, None, self.utilities.as_ref());
        if let Some(given) = &self.given {
            let judge = fields.judge(self.judge.as_deref());
            let field = self.read_given(&mut fields, given);
            let dice = self.read_same_dice(&mut fields, service);
            let ((field, judge), dice) = fields.check(field.zip(judge).zip(dice))?;
            let (engine, game) = (service.engine().observed_by(observer), ready.game());
            let goal = |(number, kind): &(u32, PlayedFor)| Ok((*number, kind.goal(&engine, game)?));
            let goals: Result<Vec<_>, Error> = field.iter().map(goal).collect();
            let refused = |error: Error| Refusal::engine(&error, "given");
            let goals = goals.map_err(refused)?;
            let result = engine.tournament_against(game, &goals, self.ties.into()).map_err(refused)?;
            let scores = result.sizes[0].to_beat.clone();
            let mut answer = answered(ready.rules(), game, given.clone(), result, scores, &judge);
            self.play_on_same_dice(&engine, game, &|_| goals.clone(), dice, &mut answer).map_err(refused)?;
            return Ok(answer);
        }
        let sizes = fields.opponents(&self.opponents, service.limits().sizes);
        let opponents = self.read_opponents(&mut fields);
        let judge = fields.judge(self.judge.as_deref());
        let dice = self.read_same_dice(&mut fields, service);
        if self.same_dice.is_some()
            && !matches!(&opponents, Some(Opponents::Kinds(kinds)) if kinds.len() == 1)
        {
            fields.add(
                "same_dice",
                "needs opponents of one strategy, or given ones like expected*7,reach:300*3",
            );
        }
        let read = sizes.zip(opponents).zip(judge).zip(dice);
        let (((sizes, opponents), judge), dice) = fields.check(read)?;
        let (engine, game) = (service.engine().observed_by(observer), ready.game());
        let refused = |error: Error| Refusal::engine(&error, "opponent");
        let mut only = None;
        let field = match opponents {
            Opponents::Seen(scores) => scores,
            Opponents::Kinds(kinds) => {
                let goal = |(share, kind): &(f64, PlayedFor)| Ok((*share, kind.goal(&engine, game)?));
                let kinds: Result<Vec<(f64, Goal)>, Error> = kinds.iter().map(goal).collect();
                let kinds = kinds.map_err(refused)?;
                only = kinds.first().map(|(_, goal)| goal.clone());
                engine.field(game, &kinds).map_err(refused)?
            }
        };
        let result = engine.tournament(game, &field, sizes, self.ties.into()).map_err(refused)?;
        let opponent = match (&self.opponent, &self.opponent_scores) {
            (_, Some(_)) => "scores".to_string(),
            (opponent, None) => opponent.clone().unwrap_or_else(expected),
        };
        let mut answer = answered(ready.rules(), game, opponent, result, field, &judge);
        let all = |number| only.iter().map(|goal| (number, goal.clone())).collect();
        self.play_on_same_dice(&engine, game, &all, dice, &mut answer).map_err(refused)?;
        Ok(answer)
    }
}

/// Converts a result. `field` is the distribution of an opponent's score.
fn answered(
    rules: &Rules,
    game: &Game,
    opponent: String,
    result: TournamentResult,
    field: Vec<f64>,
    judge: &Rules,
) -> TournamentAnswer {
    let size = |size: &keepers::answers::TournamentSize| {
        let FollowedStrategy { mean, sd, probability, grid } = followed(game, &size.statistics, judge);
        TournamentSizeView {
            opponents: size.opponents,
            win: size.win,
            win_if_expected: size.win_if_expected,
            advantage: size.advantage,
            mean,
            sd,
            median_to_beat: size.median_to_beat,
            probability,
            grid,
            same_dice: None,
        }
    };
    TournamentAnswer {
        rules: rules.name().to_string(),
        opponent,
        sizes: result.sizes.iter().map(size).collect(),
        expected: followed(game, &result.expected, judge),
        field,
        result,
    }
}

impl Fields<'_> {
    /// Checks the numbers of opponents.
    pub fn opponents<'o>(&mut self, sizes: &'o [u32], most_sizes: usize) -> Option<&'o [u32]> {
        let fits = (1..=most_sizes).contains(&sizes.len());
        if fits && sizes.iter().all(|n| (1..=MAX_OPPONENTS).contains(n)) {
            return Some(sizes);
        }
        let some =
            if most_sizes == usize::MAX { "one or more".to_string() } else { format!("1 to {most_sizes}") };
        self.add(
            "opponents",
            format!("must be {some} whole numbers from 1 to {MAX_OPPONENTS}, like 1,10,100"),
        );
        None
    }
}

impl TournamentRequest {
    /// Reads a field of given opponents.
    fn read_given(&self, fields: &mut Fields<'_>, given: &str) -> Option<Vec<(u32, PlayedFor)>> {
        for (name, there) in [
            ("opponents", !self.opponents.is_empty()),
            ("opponent", self.opponent.is_some()),
            ("opponent_scores", self.opponent_scores.is_some()),
        ] {
            if there {
                fields.add(name, "cannot be combined with given: drop one of them");
            }
        }
        let kinds = fields.note("given", read_field(given))?;
        if kinds.len() > MOST_KINDS {
            fields.add("given", format!("must be up to {MOST_KINDS} strategies, not {}", kinds.len()));
            return None;
        }
        let resolved = |(number, objective): &(u32, Objective)| {
            Some((*number, fields.strategy("given", &objective.to_string())?))
        };
        let kinds: Vec<Option<(u32, PlayedFor)>> = kinds.iter().map(resolved).collect();
        kinds.into_iter().collect()
    }

    /// Reads the number and the seed of tournaments on the same dice.
    fn read_same_dice(&self, fields: &mut Fields<'_>, service: &Service) -> Option<Option<(u64, u64)>> {
        let Some(games) = self.same_dice else {
            if self.seed.is_some() {
                fields.add("seed", "only works with same_dice: drop it");
            }
            return Some(None);
        };
        let games = fields.within("same_dice", games, (1, service.limits().simulated))?;
        let seed = self.seed.as_ref().map_or(Some(1), |seed| fields.seed(seed))?;
        Some(Some((games, seed)))
    }

    /// Plays tournaments on the same dice with the strategy of each size. `field` returns the opponents of a size.
    fn play_on_same_dice(
        &self,
        engine: &Engine<'_>,
        game: &Game,
        field: &dyn Fn(u32) -> Vec<(u32, Goal)>,
        dice: Option<(u64, u64)>,
        answer: &mut TournamentAnswer,
    ) -> Result<(), Error> {
        let Some(dice) = dice else { return Ok(()) };
        let empty = game.empty_card();
        for (view, size) in answer.sizes.iter_mut().zip(&answer.result.sizes) {
            let opponents = field(size.opponents)
                .into_iter()
                .map(|(number, goal)| Ok((number, engine.solitaire(&empty, &goal)?)))
                .collect::<Result<Vec<_>, Error>>()?;
            let play = |goal: &Goal| {
                let player = engine.solitaire(&empty, goal)?;
                engine.same_dice(game, &*player, &opponents, dice, self.ties.into())
            };
            let (best, expected) = (play(&Goal::Utility(size.utility.clone()))?, play(&Goal::Score)?);
            view.same_dice = Some(SameDiceView {
                games: best.games,
                win: best.win,
                win_error: best.win_error,
                tied: best.tied,
                win_if_expected: expected.win,
                median_to_beat: best.median_to_beat,
            });
        }
        Ok(())
    }

    fn read_opponents(&self, fields: &mut Fields<'_>) -> Option<Opponents> {
        if let Some(text) = &self.opponent_scores {
            if self.opponent.is_some() {
                fields.add("opponent_scores", "cannot be combined with opponent: drop one of them");
            }
            return fields.note("opponent_scores", observed_scores(text)).map(Opponents::Seen);
        }
        let text = self.opponent.clone().unwrap_or_else(expected);
        let kinds = fields.note("opponent", read_kinds(&text))?;
        if kinds.len() > MOST_KINDS {
            fields.add("opponent", format!("must be up to {MOST_KINDS} strategies, not {}", kinds.len()));
            return None;
        }
        let resolved = |(share, objective): &(f64, Objective)| {
            Some((*share, fields.strategy("opponent", &objective.to_string())?))
        };
        let kinds: Vec<Option<(f64, PlayedFor)>> = kinds.iter().map(resolved).collect();
        kinds.into_iter().collect::<Option<Vec<_>>>().map(Opponents::Kinds)
    }
}

fn followed(game: &Game, statistics: &Statistics, judge: &Rules) -> FollowedStrategy {
    FollowedStrategy {
        mean: statistics.mean(),
        sd: statistics.deviation(),
        probability: statistics.probability.clone(),
        grid: grid(game, statistics, judge),
    }
}
