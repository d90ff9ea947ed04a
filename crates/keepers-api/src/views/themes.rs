//! Themes of decisions as JSON.

use keepers::{Rules, Theme};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What a decision is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
#[schema(as = Theme)]
pub enum ThemeName {
    /// The upper bonus: which face to collect, or whether to collect one.
    Bonus,
    /// Straights.
    Straights,
    /// The Yahtzee box and jokers.
    Yahtzee,
    /// The first quarter of the turns.
    FirstTurns,
    /// The last quarter of the turns.
    LastTurns,
}

impl ThemeName {
    const ALL: [(ThemeName, Theme); 5] = [
        (ThemeName::Bonus, Theme::Bonus),
        (ThemeName::Straights, Theme::Straights),
        (ThemeName::Yahtzee, Theme::Yahtzee),
        (ThemeName::FirstTurns, Theme::FirstTurns),
        (ThemeName::LastTurns, Theme::LastTurns),
    ];

    /// Returns the theme of the library.
    pub(crate) fn theme(self) -> Theme {
        ThemeName::ALL.iter().find(|(name, _)| *name == self).expect("all are listed").1
    }

    /// Returns the themes that decisions of a game can have.
    pub(crate) fn all_in(rules: &Rules) -> Vec<ThemeName> {
        let all = ThemeName::ALL.iter();
        all.filter(|(_, theme)| theme.is_in(rules)).map(|(name, _)| *name).collect()
    }

    /// Returns the names of themes of the library.
    pub(crate) fn of(themes: &[Theme]) -> Vec<ThemeName> {
        let all = ThemeName::ALL.iter();
        all.filter(|(_, theme)| themes.contains(theme)).map(|(name, _)| *name).collect()
    }
}
