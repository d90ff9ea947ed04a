//! Draws results. One file per kind of picture.

mod boxes;
mod distribution;
mod equilibrium;
mod file;
mod measure;
mod reach;
mod simulate;
mod study;
mod tournament;

use keepers::internals::evaluate::percentile;
use keepers::{Card, Game};
use keepers_plot::{Picture, Theme};

use crate::args::{self, Look};
use crate::output;

pub use boxes::strategy_grid;
pub use distribution::{comparison, distribution};
pub use equilibrium::equilibrium;
pub use file::{PictureFile, check_distinct, check_none, files};
pub use measure::errors;
pub use reach::reach;
pub use simulate::histogram;
pub use study::{Studied, study_errors, study_leads, study_start};
pub use tournament::{Field, advantage, grids, scores};

/// Draws a picture and writes it to each of these files.
pub fn write(files: &[PictureFile], look: &Look, picture: impl FnOnce() -> Picture) -> anyhow::Result<()> {
    if files.is_empty() {
        return Ok(());
    }
    let theme = match look.plot_theme {
        args::Theme::Light => Theme::Light,
        args::Theme::Dark => Theme::Dark,
    };
    let picture = picture().theme(theme);
    files.iter().try_for_each(|file| file.write(&picture))
}

/// Returns the line at the foot of a picture: version, rules and `more`.
fn provenance(game: &Game, more: &str) -> String {
    let rules = game.rules();
    let fingerprint = &output::fingerprint(rules)[..8];
    let version = env!("CARGO_PKG_VERSION");
    format!("keepers {version}, rules {} ({fingerprint}), {more}", rules.name())
}

/// Describes the card that a picture starts from.
fn from_card(card: &Card) -> String {
    match card.to_string() {
        empty if empty.is_empty() => "from an empty card".to_string(),
        card => format!("from the card {card}"),
    }
}

/// Returns the range of scores without the share `p` at either end.
fn span(probability: &[f64], p: f64) -> (usize, usize) {
    (percentile(probability, p), percentile(probability, 1.0 - p))
}

/// Converts a distribution to points.
fn points(values: &[f64]) -> impl Iterator<Item = (f64, f64)> {
    values.iter().zip(0..).map(|(value, score)| (f64::from(score), *value))
}
