//! Verhoeff's MaxProbApprox (Cremers, section 6.2.2): plays for a target as if the points still to come were normally
//! distributed in every state, with the mean and the variance of the strategy with the best expected score.

use libm::erfc;

use crate::analysis::evaluate::score_variances;
use crate::game::card::Card;
use crate::solve::{UtilityTable, tabulate};
use crate::tables::ExpectedTable;
use crate::work::{Work, WorkError};

/// Returns the approximate probability of at least `target` points for every state and number of points so far that a card can
/// lead to. A player that follows the table plays MaxProbApprox. Scores are whole numbers, so the normal distribution is
/// cut half a point below the target.
///
/// # Errors
/// If the work is cancelled, or if there is not enough memory.
pub fn normal_approximation(
    table: &ExpectedTable,
    card: &Card,
    target: u16,
    work: &Work<'_>,
) -> Result<UtilityTable, WorkError> {
    let variances = score_variances(table, work)?;
    let least = f64::from(target) - 0.5;
    let probability = |state: usize, points: u16| {
        let above = f64::from(points) + table.get(state) - least;
        let deviation = variances[state].sqrt();
        if deviation == 0.0 {
            return f64::from(u8::from(above > 0.0));
        }
        0.5 * erfc(-above / deviation * std::f64::consts::FRAC_1_SQRT_2)
    };
    tabulate(table.game(), card, probability, work)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::evaluate::evaluate_utility;
    use crate::game::Game;
    use crate::solve::best_utility;
    use crate::tables::Store;
    use crate::work::Silent;

    #[test]
    fn the_approximation_reaches_a_target_less_often_than_the_best_strategy() {
        let game = Game::preset("yacht").unwrap();
        let (empty, work) = (Card::empty(&game), Work::silent());
        let table = Store::none().expected(&game, &Silent).unwrap();
        let approximate = normal_approximation(&table, &empty, 200, &work).unwrap();
        let statistics = evaluate_utility(&game, &approximate, &empty, &work).unwrap();
        let step: Vec<f64> = (0..=200).map(|score| f64::from(u8::from(score == 200))).collect();
        let best = best_utility(&game, &empty, &step, &work).unwrap().value();
        let reached = statistics.at_least(200);
        assert!(reached < best && reached > 0.8 * best, "{reached} of {best}");
        assert!((statistics.probability.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    }
}
