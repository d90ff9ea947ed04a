//! Draws the loss of players by the number of open boxes (Pawlewicz, figures 4 and 5).

use keepers::answers::Measured;
use keepers::{Game, Player};
use keepers_plot::{Axis, Chart, Ink, Names, Picture, Point, Series};

use super::provenance;

/// The number of distinct colours.
const COLOURS: usize = 7;

/// Draws the mean loss per decision by open boxes: EMP (expected match points) alone as in figure 4, then all players
/// on a logarithmic axis as in figure 5.
pub fn errors(
    game: &Game,
    names: &[Player],
    measured: &[Vec<Measured>],
    depths: std::ops::RangeInclusive<usize>,
    seed: u64,
) -> Picture {
    let games = measured.first().and_then(|of| of.first()).map_or(0, |of| of.games);
    let mut picture = Picture::new(format!(
        "Losses against perfect play in games of {}",
        game.rules().name()
    ))
    .subtitle(
        "The mean loss per decision, in games, by open boxes on both cards. Bars are two standard errors; none if they \
         reach 0.",
    )
    .description(format!("{} players at {} to {} open boxes.", names.len(), depths.start(), depths.end()))
    .provenance(provenance(game, &format!("{games} games, seed {seed}")));
    let is_emp = |player: &Player| matches!(player, Player::Emp(_));
    let series = |nth: usize, positive: bool| {
        let points = depths.clone().filter_map(|depth| {
            let Measured { error, standard_error, .. } = measured[depth - 1][nth];
            // A single game has no standard error.
            let standard_error = if standard_error.is_nan() { 0.0 } else { standard_error };
            // A logarithmic axis cannot show a bar that reaches 0, so such points have none.
            let bar = if positive && 2.0 * standard_error >= error { 0.0 } else { 2.0 * standard_error };
            (!positive || error > 1e-9).then(|| Point::with_error(depth as f64, error, bar))
        });
        let line = Series::line(names[nth].to_string(), points).dotted();
        // There are seven distinct colours, so the depths of DynS share a ramp and are dashed.
        let before = |is: fn(&Player) -> bool| names[..nth].iter().filter(|other| is(other)).count();
        let is_dyns = |player: &Player| matches!(player, Player::DynS(_));
        match names[nth] {
            Player::DynS(_) => {
                let all = names.iter().filter(|other| is_dyns(other)).count();
                line.ink(Ink::Ramp(before(is_dyns) as f64 / (all.max(2) - 1) as f64)).dashed()
            }
            _ => line.ink(Ink::Series(before(|other| !matches!(other, Player::DynS(_))) % COLOURS)),
        }
    };
    let chart = |y: Axis, title: &str| {
        let x =
            Axis::linear("open boxes on both cards").from(*depths.start() as f64).to(*depths.end() as f64);
        Chart::new(x, y).title(title).names(Names::Legend).size(760.0, 400.0)
    };
    let emp: Vec<usize> = (0..names.len()).filter(|&nth| is_emp(&names[nth])).collect();
    if !emp.is_empty() && emp.len() < names.len() {
        let mut alone = chart(Axis::linear("loss per decision").from(0.0), "EMP (expected match points)");
        for nth in emp {
            alone = alone.series(series(nth, false));
        }
        picture = picture.panel(alone);
    }
    let mut all = chart(Axis::log("loss per decision"), "All players");
    for nth in 0..names.len() {
        all = all.series(series(nth, true));
    }
    picture.panel(all)
}
