//! The variance of the points still to come, for every state, under the strategy with the best expected score.
//!
//! With E the expected points still to come, and p(e) the probability that the strategy makes entry e in state x,
//!
//! `Var(x) = sum over entries e of p(e) ((paid(e) + E(x·e) - E(x))² + Var(x·e))`, with `Var = 0` for full cards.

use super::expected::entry_lanes;
use crate::kernel::forward::ForwardTurn;
use crate::kernel::transitions::Transitions;
use crate::parallel::Threads;
use crate::tables::ExpectedTable;
use crate::turn::{LANES, Row};
use crate::work::{Progress, Work, WorkError, zeroed};

/// Returns the variance of the points still to come from every state, under the strategy with the best expected score.
///
/// ```
/// use keepers::{Game, Silent, Store};
/// use keepers::internals::Work;
/// use keepers::internals::evaluate::{evaluate_expected, score_variances};
/// let game = Game::preset("yacht")?;
/// let table = Store::none().expected(&game, &Silent)?;
/// let variances = score_variances(&table, &Work::silent())?;
/// let statistics = evaluate_expected(&table, &game.empty_card(), &Work::silent())?;
/// let start = game.space().states() - 1; // the empty card
/// assert!((variances[start].sqrt() - statistics.deviation()).abs() < 1e-9);
/// # Ok::<(), keepers::Error>(())
/// ```
///
/// # Errors
/// If the work is cancelled, or if an allocation fails.
pub fn score_variances(table: &ExpectedTable, work: &Work<'_>) -> Result<Vec<f64>, WorkError> {
    let game = table.game();
    let space = game.space();
    let mut variances: Vec<f64> = zeroed(space.states())?;
    let progress = Progress::new(work, space.states(), 12);
    for open in 1..=space.boxes() {
        let layer = space.layer(open);
        let first = layer.start;
        let solved = Threads::All.try_map(0..layer.len(), |nth| {
            let group = &space.groups()[first + nth];
            let classes = space.states_of(group).len();
            let next = Transitions::new(game, group);
            let mut turn = ForwardTurn::new(game);
            let mut cells = vec![0.0; classes];
            for start in (0..classes).step_by(LANES) {
                let lanes = LANES.min(classes - start);
                let mut mass = Row([0.0; LANES]);
                mass.0[..lanes].fill(1.0);
                for (entry, p) in entry_lanes(table, group, start, &mass, &mut turn, |_, _, _| {}) {
                    for lane in (0..lanes).filter(|&lane| p.0[lane] > 0.0) {
                        let class = start + lane;
                        let (to, paid) = next.state(game, group, class, entry);
                        let away = f64::from(paid) + table.get(to) - table.get(group.first() + class);
                        cells[class] += p.0[lane] * (away * away + variances[to]);
                    }
                }
            }
            progress.add(classes)?;
            Ok::<_, WorkError>(cells)
        })?;
        for (group, cells) in space.groups()[layer].iter().zip(solved) {
            variances[space.states_of(group)].copy_from_slice(&cells);
        }
    }
    progress.finish();
    Ok(variances)
}
