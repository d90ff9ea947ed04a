//! Compares our figures with the printed ones.

use std::fmt;

use crate::published::{Expectation, PublishedFigure, PublishedItem};
use crate::results::{Figure, ItemResult};

/// The number of standard errors by which simulated figures may differ. With some hundred figures, three would be
/// exceeded now and then by luck.
const STANDARD_ERRORS: f64 = 4.0;

/// The result of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The figures agree.
    Agrees,
    /// The figures differ, and the reason is known.
    Differs,
    /// The figures differ, and the reason is unknown.
    Open,
    /// The figures should agree, but differ; or they should differ, but agree.
    Fails,
    /// Only we have this figure.
    Ours,
    /// The figure was not computed.
    Missing,
}

/// A printed figure and ours.
#[derive(Clone, Debug)]
pub struct Compared<'p> {
    /// The printed figure.
    pub published: &'p PublishedFigure,
    /// Our figure.
    pub ours: Option<Figure>,
    /// The verdict.
    pub verdict: Verdict,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::Agrees => "agrees",
            Verdict::Differs => "differs, explained",
            Verdict::Open => "differs, open",
            Verdict::Fails => "FAILS",
            Verdict::Ours => "ours",
            Verdict::Missing => "not computed",
        })
    }
}

/// Compares the figures of an item, in the order of the publication.
pub fn compare<'p>(item: &'p PublishedItem, result: Option<&ItemResult>) -> Vec<Compared<'p>> {
    let one = |published: &'p PublishedFigure| {
        let ours = result.and_then(|result| result.figures.get(&published.id)).copied();
        Compared { published, ours, verdict: verdict(published, ours) }
    };
    item.figure.iter().map(one).collect()
}

fn verdict(published: &PublishedFigure, ours: Option<Figure>) -> Verdict {
    let Some(ours) = ours else { return Verdict::Missing };
    if published.printed.is_none() {
        return Verdict::Ours;
    }
    let agrees = if published.claim {
        ours.value == 1.0
    } else {
        let Some(printed) = published.number() else { return Verdict::Missing };
        let errors = STANDARD_ERRORS * ours.error.hypot(published.error);
        let difference = ours.value - printed;
        if published.bound {
            difference <= errors
        } else {
            difference.abs() <= published.tolerance() + errors
        }
    };
    match (agrees, published.expect) {
        (true, Expectation::Agrees | Expectation::Open) => Verdict::Agrees,
        (false, Expectation::Differs) => Verdict::Differs,
        (false, Expectation::Open) => Verdict::Open,
        (false, Expectation::Agrees) | (true, Expectation::Differs) => Verdict::Fails,
    }
}

/// Divides figures into those that are shown and those that are folded: long lists of our own figures would hide the
/// printed ones.
pub(crate) fn folded<'c, 'p>(all: &'c [Compared<'p>]) -> (Vec<&'c Compared<'p>>, Vec<&'c Compared<'p>>) {
    const MANY: usize = 12;
    let (ours, printed): (Vec<_>, Vec<_>) = all.iter().partition(|one| one.published.printed.is_none());
    if ours.len() > MANY { (printed, ours) } else { (all.iter().collect(), Vec::new()) }
}

impl Compared<'_> {
    /// Formats our figure, with its error if it has one.
    pub fn ours_text(&self) -> String {
        let Some(Figure { value, error }) = self.ours else { return String::new() };
        if self.published.claim {
            return if value == 1.0 { "holds" } else { "does not hold" }.to_string();
        }
        let is_whole = value.fract() == 0.0 && self.published.decimals() == 0 && error == 0.0;
        let digits = self.published.digits.unwrap_or(match (is_whole, &self.published.printed) {
            (true, _) => 0,
            (false, Some(_)) => self.published.decimals() + 2,
            (false, None) => 4,
        });
        let text = grouped(&format!("{value:.digits$}"));
        if error == 0.0 { text } else { format!("{text} ± {error:.digits$}") }
    }

    /// Formats ours minus printed.
    pub fn difference_text(&self) -> String {
        let (Some(ours), Some(printed)) = (self.ours, self.published.number()) else { return String::new() };
        if self.published.claim || self.published.bound || self.published.printed.is_none() {
            return String::new();
        }
        let difference = ours.value - printed;
        if difference == 0.0 {
            return "0".to_string();
        }
        let digits = self.published.digits.unwrap_or(self.published.decimals() + 2);
        let text = format!("{difference:+.digits$}");
        if text.trim_start_matches(['+', '-']).chars().all(|c| matches!(c, '0' | '.')) {
            return "0".to_string();
        }
        text
    }
}

/// Inserts separators of thousands before the decimal point.
pub(crate) fn grouped(number: &str) -> String {
    let (sign, rest) = number.strip_prefix('-').map_or(("", number), |rest| ("-", rest));
    let (whole, decimals) = rest.split_once('.').map_or((rest, None), |(w, d)| (w, Some(d)));
    let mut out = String::from(sign);
    for (nth, digit) in whole.chars().enumerate() {
        if nth > 0 && (whole.len() - nth).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    if let Some(decimals) = decimals {
        out.push('.');
        out.push_str(decimals);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(more: &str) -> PublishedFigure {
        toml::from_str(&format!("id = \"a\"\n{more}")).unwrap()
    }

    #[test]
    fn figures_agree_within_rounding_and_four_standard_errors() {
        let printed = figure("printed = \"10.0\"");
        let ours = |value, error| Some(Figure { value, error });
        assert_eq!(verdict(&printed, ours(10.049, 0.0)), Verdict::Agrees);
        assert_eq!(verdict(&printed, ours(10.051, 0.0)), Verdict::Fails);
        assert_eq!(verdict(&printed, ours(10.44, 0.1)), Verdict::Agrees);
        assert_eq!(verdict(&printed, ours(10.46, 0.1)), Verdict::Fails);
        assert_eq!(verdict(&printed, None), Verdict::Missing);
        let other = figure("printed = \"10.0\"\nexpect = \"differs\"\nbecause = \"it is wrong\"");
        assert_eq!(verdict(&other, ours(11.0, 0.0)), Verdict::Differs);
        assert_eq!(verdict(&other, ours(10.0, 0.0)), Verdict::Fails);
        let open = figure("printed = \"10.0\"\nexpect = \"open\"");
        assert_eq!(verdict(&open, ours(11.0, 0.0)), Verdict::Open);
        assert_eq!(verdict(&figure("name = \"b\""), ours(11.0, 0.0)), Verdict::Ours);
        let bound = figure("printed = \"at most 10\"\nvalue = 10.0\nbound = true");
        assert_eq!(verdict(&bound, ours(3.0, 0.0)), Verdict::Agrees);
        assert_eq!(verdict(&bound, ours(10.1, 0.0)), Verdict::Fails);
        let claim = figure("printed = \"worse\"\nclaim = true");
        assert_eq!(verdict(&claim, ours(1.0, 0.0)), Verdict::Agrees);
        assert_eq!(verdict(&claim, ours(0.0, 0.0)), Verdict::Fails);
    }

    #[test]
    fn our_figures_show_more_digits_than_the_printed_ones() {
        let (printed, whole) = (figure("printed = \"243.08\""), figure("printed = \"12,671\""));
        let compared = |published, value| Compared {
            published,
            ours: Some(Figure { value, error: 0.0 }),
            verdict: Verdict::Agrees,
        };
        assert_eq!(compared(&printed, 243.079_706_9).ours_text(), "243.0797");
        assert_eq!(compared(&printed, 243.079_706_9).difference_text(), "-0.0003");
        assert_eq!(compared(&whole, 12_671.0).ours_text(), "12,671");
        assert_eq!(grouped("-1234567.25"), "-1,234,567.25");
    }
}
