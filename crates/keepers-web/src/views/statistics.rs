//! Exact statistics as JSON.

use keepers::Game;
use keepers::evaluate::Statistics;
use keepers::rules::BoxId;
use serde::Serialize;
use utoipa::ToSchema;

/// A distribution of final scores, without the scores that cannot be.
#[derive(Clone, Debug, Serialize)]
pub struct Distributed {
    /// The least score that can be.
    pub least: usize,
    /// The probability of that score, of the next, and so on up to the most that can be.
    pub probability: Vec<f64>,
}

/// A distribution from 0 on, without the scores that cannot be.
pub fn distributed(probability: &[f64]) -> Distributed {
    let least = probability.iter().position(|p| *p > 0.0).unwrap_or(0);
    let end = probability.iter().rposition(|p| *p > 0.0).map_or(0, |last| last + 1);
    Distributed { least, probability: probability[least..end.max(least)].to_vec() }
}

/// What happens to a box in each turn.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct GridRow {
    /// The id of the box.
    id: String,
    /// What it is called.
    name: String,
    /// For each turn, the probability of scoring well and of scoring badly.
    #[schema(value_type = Vec<Vec<f64>>)]
    turns: Vec<[f64; 2]>,
}

/// What a strategy does with each box in each turn (Perkins, figure 4).
pub fn grid(game: &Game, statistics: &Statistics) -> Vec<GridRow> {
    let row = |id: BoxId| {
        let rule = &game.rules().boxes()[id];
        GridRow {
            id: rule.id.clone(),
            name: rule.name.clone(),
            turns: statistics.boxes[id].well_and_badly(game, &rule.pattern),
        }
    };
    game.rules().all_boxes().iter().map(row).collect()
}
