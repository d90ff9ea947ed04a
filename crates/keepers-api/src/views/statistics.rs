//! Exact statistics as JSON.

use std::collections::BTreeMap;

use keepers::answers::Statistics;
use keepers::{BoxId, Game, Rules};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use utoipa::ToSchema;

/// The percentiles reported in answers.
pub const PERCENTILES: [u8; 9] = [1, 5, 10, 25, 50, 75, 90, 95, 99];

/// Returns the score at each of [`PERCENTILES`].
pub(crate) fn percentiles(percentile: impl Fn(f64) -> usize) -> BTreeMap<u8, usize> {
    PERCENTILES.iter().map(|&p| (p, percentile(f64::from(p) / 100.0))).collect()
}

/// A JSON object with a value for each box, from the top of the card down.
#[derive(Clone, Debug)]
pub struct ById<T>(pub Vec<(String, T)>);

impl<T: Serialize> Serialize for ById<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        self.0.iter().try_for_each(|(id, value)| map.serialize_entry(id, value))?;
        map.end()
    }
}

/// The probabilities of scoring one box well and badly, by turn.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct GridRow {
    /// The id of the box.
    pub id: String,
    /// The name of the box.
    pub name: String,
    /// For each turn, the probability of scoring the box well and of scoring it badly.
    #[schema(value_type = Vec<Vec<f64>>)]
    pub turns: Vec<[f64; 2]>,
}

/// Returns the probabilities of scoring each box well and badly in each turn (Perkins, figure 4). The box with the same
/// id in `judge` decides what counts as well, if there is one.
pub(crate) fn grid(game: &Game, statistics: &Statistics, judge: &Rules) -> Vec<GridRow> {
    let row = |id: BoxId| {
        let rule = &game.rules().boxes()[id];
        let pattern = judge.box_by_id(&rule.id).map_or(&rule.pattern, |id| &judge.boxes()[id].pattern);
        GridRow {
            id: rule.id.clone(),
            name: rule.name.clone(),
            turns: statistics.boxes[id].well_and_badly(game, pattern),
        }
    };
    game.rules().all_boxes().iter().map(row).collect()
}
