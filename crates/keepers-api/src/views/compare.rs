//! Comparisons of players as JSON.

use keepers::Grade;
use keepers::answers::{ComparedPlayers, DecisionKind, Difference, FaceCount, Pair, PlayerStatistics, Trend};
use serde::Serialize;
use utoipa::ToSchema;

/// The statistics of one player.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ComparedPlayer {
    /// The name of the player.
    pub name: String,
    /// The number of games.
    pub games: usize,
    /// The number of finished games. Only these count for scores, and for the losses that are compared.
    pub finished: usize,
    /// The mean final score; null without finished games.
    pub score: Option<f64>,
    /// The standard error of the mean score; null for fewer than two games.
    pub score_error: Option<f64>,
    /// The mean loss of a finished game; null without finished games.
    pub loss: Option<f64>,
    /// The standard error of the mean loss; null for fewer than two games.
    pub loss_error: Option<f64>,
    /// The mean loss per decision, over all games.
    pub error: f64,
    /// A grade for the mean loss per decision.
    pub grade: &'static str,
    /// The dice of all games.
    pub dice: DiceView,
    /// The losses of finished games, in order: of all decisions first, then by kind.
    pub trends: Vec<TrendView>,
}

/// The dice of a player, compared with what is expected.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = DiceStatistics)]
pub struct DiceView {
    /// The number of rolls.
    pub rolls: usize,
    /// The luck of all rolls in points; it is 0 on average.
    pub luck: f64,
    /// The standard deviation of that luck, from the exact variance of each roll.
    pub deviation: f64,
    /// How often each face was thrown.
    pub faces: Vec<FaceView>,
}

/// How often a face was thrown.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = FaceCount)]
pub struct FaceView {
    /// The face.
    pub face: u8,
    /// The number of thrown dice that showed it.
    pub count: usize,
    /// The number that is expected.
    pub expected: f64,
    /// The standard deviation of the number.
    pub deviation: f64,
}

/// The losses of one kind of decision, game by game.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Trend)]
pub struct TrendView {
    /// The kind of decision.
    #[serde(flatten)]
    pub kind: DecisionKindView,
    /// The mean loss per game.
    pub mean: f64,
    /// The loss in each game.
    pub losses: Vec<f64>,
    /// The change of the loss from game to game; null for fewer than three games.
    pub slope: Option<f64>,
    /// The standard error of the change; null for fewer than three games.
    pub slope_error: Option<f64>,
}

/// A kind of decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[schema(as = DecisionKind)]
pub enum DecisionKindView {
    /// Every decision.
    All,
    /// What to keep.
    Keep {
        /// The rolls left.
        rolls_left: u8,
    },
    /// Which box to score in.
    Score,
}

/// Two players, compared.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ComparedPair {
    /// The name of the first player.
    pub first: String,
    /// The name of the second player.
    pub second: String,
    /// The first player's mean final score minus the second player's.
    pub by_score: DifferenceView,
    /// The second player's mean loss minus the first player's: the same advantage with the luck removed.
    pub by_loss: DifferenceView,
    /// The games that both finished in which the first player had the higher score.
    pub wins: usize,
    /// The games that both finished with equal scores.
    pub draws: usize,
    /// The games that both finished in which the second player had the higher score.
    pub losses: usize,
    /// The interval of the first player's true share of wins, with draws as half a win; null without such games.
    #[schema(value_type = Option<Vec<f64>>)]
    pub win_interval: Option<(f64, f64)>,
}

/// The difference of two means.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Difference)]
pub struct DifferenceView {
    /// The difference, in points per game.
    pub mean: f64,
    /// Its standard error; null if a player has fewer than two finished games.
    pub error: Option<f64>,
    /// The interval that contains the true difference; null if a player has fewer than two finished games.
    #[schema(value_type = Option<Vec<f64>>)]
    pub interval: Option<(f64, f64)>,
    /// Whether the interval excludes 0.
    pub decided: bool,
    /// Whether games are compared one by one, because both players finished exactly the same games.
    pub paired: bool,
    /// The games that both still have to play until the interval is expected to exclude 0, if the difference and the
    /// spread stay as they are; null if that is unknown or more than a million.
    pub games_needed: Option<usize>,
}

/// Converts a comparison.
pub(crate) fn compared(found: &ComparedPlayers) -> (Vec<ComparedPlayer>, Vec<ComparedPair>) {
    let name = |nth: usize| found.players[nth].name.clone();
    let pair = |pair: &Pair| ComparedPair {
        first: name(pair.players[0]),
        second: name(pair.players[1]),
        by_score: difference(&pair.by_score),
        by_loss: difference(&pair.by_loss),
        wins: pair.head_to_head.wins,
        draws: pair.head_to_head.draws,
        losses: pair.head_to_head.losses,
        win_interval: pair.head_to_head.interval(),
    };
    (found.players.iter().map(player).collect(), found.pairs.iter().map(pair).collect())
}

fn player(of: &PlayerStatistics) -> ComparedPlayer {
    let known = |error: f64| Some(error).filter(|error| error.is_finite());
    let face = |face: &FaceCount| FaceView {
        face: face.face.pips(),
        count: face.count,
        expected: face.expected,
        deviation: face.deviation,
    };
    ComparedPlayer {
        name: of.name.clone(),
        games: of.games,
        finished: of.finished,
        score: of.score.map(|(mean, _)| mean),
        score_error: of.score.and_then(|(_, error)| known(error)),
        loss: of.loss.map(|(mean, _)| mean),
        loss_error: of.loss.and_then(|(_, error)| known(error)),
        error: of.error,
        grade: Grade::of_points(of.error).name(),
        dice: DiceView {
            rolls: of.dice.rolls,
            luck: of.dice.luck,
            deviation: of.dice.deviation,
            faces: of.dice.faces.iter().map(face).collect(),
        },
        trends: of.trends.iter().map(trend).collect(),
    }
}

fn trend(of: &Trend) -> TrendView {
    TrendView {
        kind: match of.kind {
            DecisionKind::All => DecisionKindView::All,
            DecisionKind::Keep { rolls_left } => DecisionKindView::Keep { rolls_left },
            DecisionKind::Score => DecisionKindView::Score,
        },
        mean: of.mean(),
        losses: of.losses.clone(),
        slope: of.slope.map(|(slope, _)| slope),
        slope_error: of.slope.map(|(_, error)| error),
    }
}

fn difference(of: &Difference) -> DifferenceView {
    DifferenceView {
        mean: of.mean,
        error: of.error,
        interval: of.interval,
        decided: of.is_decided(),
        paired: of.paired,
        games_needed: of.games_needed,
    }
}
