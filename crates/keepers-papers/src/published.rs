//! Reads the printed figures of a publication, `papers/NAME/published.toml`.

use std::path::Path;

use anyhow::Context;
use serde::Deserialize;

/// A publication and its printed figures.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Published {
    /// The title.
    pub title: String,
    /// The authors.
    pub authors: String,
    /// The year, if it is known.
    pub year: Option<u16>,
    /// The items, in the order of the publication.
    pub item: Vec<PublishedItem>,
}

/// A table, a figure or a claim.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublishedItem {
    /// The name for `--only`.
    pub id: String,
    /// The title.
    pub title: String,
    /// The place in the publication.
    pub place: String,
    /// What the reader should know about the table.
    #[serde(default)]
    pub text: String,
    /// The printed figures, and those that we add.
    #[serde(default)]
    pub figure: Vec<PublishedFigure>,
}

/// One figure.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublishedFigure {
    /// The name in the results.
    pub id: String,
    /// The name for people; the id if empty.
    #[serde(default)]
    pub name: String,
    /// The figure as printed. Without it, the figure is ours only. A claim is printed in words.
    pub printed: Option<String>,
    /// The value of the printed figure, if the text is not just a number.
    pub value: Option<f64>,
    /// The largest difference that still agrees; by default, half a unit of the last printed digit.
    pub within: Option<f64>,
    /// Whether the printed figure is an upper bound, which ours must not exceed.
    #[serde(default)]
    pub bound: bool,
    /// The standard error of the printed figure, if it was simulated.
    #[serde(default)]
    pub error: f64,
    /// Whether the figure is a claim, which holds or not.
    #[serde(default)]
    pub claim: bool,
    /// What the comparison should find.
    #[serde(default)]
    pub expect: Expectation,
    /// Why the figures differ, or what is known about it.
    #[serde(default)]
    pub because: String,
    /// The number of decimals of our figure; by default, two more than printed.
    pub digits: Option<usize>,
}

/// What the comparison of a figure should find.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Expectation {
    /// The figures agree.
    #[default]
    Agrees,
    /// The figures differ, for the reason given.
    Differs,
    /// The figures may differ, and we cannot explain it.
    Open,
}

impl Published {
    /// Reads `papers/NAME/published.toml`.
    ///
    /// # Errors
    /// Fails if the file cannot be read, or if it is not valid.
    pub fn read(folder: &Path) -> anyhow::Result<Published> {
        let path = folder.join("published.toml");
        let shown = path.display();
        let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {shown}"))?;
        let published: Published = toml::from_str(&text).with_context(|| format!("{shown} is not valid"))?;
        for item in &published.item {
            for figure in &item.figure {
                anyhow::ensure!(
                    figure.claim || figure.printed.is_none() || figure.number().is_some(),
                    "{shown}: {} of {} needs a value, because its text is not a number",
                    figure.id,
                    item.id
                );
            }
        }
        Ok(published)
    }

    /// Returns the authors with the year.
    pub fn by(&self) -> String {
        self.year.map_or_else(|| self.authors.clone(), |year| format!("{}, {year}", self.authors))
    }

    /// Returns an item by its id.
    pub fn item(&self, id: &str) -> Option<&PublishedItem> {
        self.item.iter().find(|item| item.id == id)
    }
}

impl PublishedFigure {
    /// Returns the name for people.
    pub fn title(&self) -> &str {
        if self.name.is_empty() { &self.id } else { &self.name }
    }

    /// Returns the printed number.
    pub fn number(&self) -> Option<f64> {
        self.value.or_else(|| self.plain()?.parse().ok())
    }

    /// Returns the printed number without separators and units.
    fn plain(&self) -> Option<String> {
        let text = self.printed.as_deref()?;
        Some(text.trim_end_matches(['%', ' ']).replace(',', ""))
    }

    /// Returns the number of printed decimals.
    pub fn decimals(&self) -> usize {
        let digits = |text: String| text.split_once('.').map_or(0, |(_, decimals)| decimals.len());
        self.plain().filter(|text| text.parse::<f64>().is_ok()).map_or(0, digits)
    }

    /// Returns the largest difference from the printed figure that still agrees, without errors of simulations.
    pub fn tolerance(&self) -> f64 {
        // Rounding to the printed digits moves a number by up to half a unit; a little more for binary fractions.
        self.within.unwrap_or_else(|| 0.5 * 0.1_f64.powi(self.decimals() as i32) * (1.0 + 1e-9))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(printed: &str) -> PublishedFigure {
        toml::from_str(&format!("id = \"a\"\nprinted = \"{printed}\"")).unwrap()
    }

    #[test]
    fn the_tolerance_is_half_a_unit_of_the_last_printed_digit() {
        for (printed, number, tolerance) in
            [("254.59", 254.59, 0.005), ("12,671,976", 12_671_976.0, 0.5), ("33.46 %", 33.46, 0.005)]
        {
            let figure = figure(printed);
            assert_eq!(figure.number(), Some(number));
            assert!((figure.tolerance() - tolerance).abs() < 1e-8, "{printed}");
        }
        assert_eq!(figure("just under 300").number(), None);
    }
}
