//! Quantiles of Student's t distribution.

use std::f64::consts::FRAC_PI_2;

/// The steps of the numerical integration: its error is far below 1e-9 for at least one degree of freedom.
const STEPS: usize = 1024;

/// Returns the t with P(-t < T < t) = `confidence` for a number of degrees of freedom, at least 1, not necessarily whole.
///
/// With T = sqrt(f) tan(a), the density of the angle a is proportional to cos(a)^(f - 1).
pub(super) fn two_sided_quantile(confidence: f64, freedom: f64) -> f64 {
    let area = |angle: f64| simpson(|at| at.cos().max(0.0).powf(freedom - 1.0), angle);
    // With many degrees of freedom, the density is concentrated near 0, and less than 1e-26 of it is beyond T = 40.
    let end = if freedom < 30.0 { FRAC_PI_2 } else { (40.0 / freedom.sqrt()).atan() };
    let all = area(end);
    let (mut low, mut high) = (0.0, end);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if area(middle) < confidence * all { low = middle } else { high = middle }
    }
    freedom.sqrt() * low.tan()
}

/// Integrates from 0 to `end` by Simpson's rule.
fn simpson(f: impl Fn(f64) -> f64, end: f64) -> f64 {
    let width = end / STEPS as f64;
    let weighted = |step: usize| {
        let weight = if step == 0 || step == STEPS { 1.0 } else { 2.0 + 2.0 * (step % 2) as f64 };
        weight * f(step as f64 * width)
    };
    (0..=STEPS).map(weighted).sum::<f64>() * width / 3.0
}

#[cfg(test)]
mod tests {
    use super::two_sided_quantile;

    #[test]
    fn quantiles_are_those_of_printed_tables() {
        for (freedom, t) in [
            (1.0, 12.706),
            (2.0, 4.303),
            (3.0, 3.182),
            (5.0, 2.571),
            (10.0, 2.228),
            (30.0, 2.042),
            (1e6, 1.960),
        ] {
            assert!((two_sided_quantile(0.95, freedom) - t).abs() < 6e-4, "{freedom}");
        }
        assert!((two_sided_quantile(0.99, 10.0) - 3.169).abs() < 6e-4);
        // Between whole numbers, the quantile is between theirs.
        let between = two_sided_quantile(0.95, 2.5);
        assert!(between < 4.303 && between > 3.182);
    }
}
