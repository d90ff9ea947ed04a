//! Themes of decisions: what a decision is about, from computed properties of the position, for any rules.

use std::fmt;

use crate::analysis::reasons::bonus_is_undecided;
use crate::dice::{Face, Keep, Roll};
use crate::game::card::Card;
use crate::game::rules::{Action, BoxId, Pattern, Rules};

/// What a decision is about. A decision may have several themes, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Theme {
    /// The upper bonus is neither earned nor out of reach, and only one of the two choices collects a face for its upper
    /// box, or both collect different ones.
    Bonus,
    /// One of the choices is an entry into a straight, or keeps more than half of an open straight and nothing else.
    Straights,
    /// Only one of the two choices goes for the Yahtzee box, or the dice are an extra Yahtzee.
    Yahtzee,
    /// The first quarter of the turns.
    FirstTurns,
    /// The last quarter of the turns.
    LastTurns,
}

impl Theme {
    /// Every theme.
    pub const ALL: [Theme; 5] =
        [Theme::Bonus, Theme::Straights, Theme::Yahtzee, Theme::FirstTurns, Theme::LastTurns];

    /// Returns the name of the theme in requests.
    pub fn name(self) -> &'static str {
        match self {
            Theme::Bonus => "bonus",
            Theme::Straights => "straights",
            Theme::Yahtzee => "yahtzee",
            Theme::FirstTurns => "first-turns",
            Theme::LastTurns => "last-turns",
        }
    }

    /// Returns whether decisions of a game can have this theme.
    ///
    /// ```
    /// use keepers::{Rules, Theme};
    /// let yacht = Rules::preset("yacht").unwrap();
    /// let themes = Theme::ALL.into_iter().filter(|theme| theme.is_in(&yacht));
    /// assert_eq!(themes.map(Theme::name).collect::<Vec<_>>(), ["straights", "yahtzee", "first-turns", "last-turns"]);
    /// ```
    pub fn is_in(self, rules: &Rules) -> bool {
        match self {
            Theme::Bonus => rules.upper_bonus().is_some(),
            Theme::Straights => {
                rules.boxes().values().iter().any(|rule| !straights(&rule.pattern).is_empty())
            }
            Theme::Yahtzee => yahtzee_box(rules).is_some(),
            Theme::FirstTurns | Theme::LastTurns => true,
        }
    }
}

impl fmt::Display for Theme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Returns the themes of a decision between two actions: the best one, and the second best or the one that a player chose.
pub fn themes(card: &Card, roll: Roll, actions: [Action; 2]) -> Vec<Theme> {
    Theme::ALL.into_iter().filter(|&theme| has_theme(card, roll, actions, theme)).collect()
}

/// Returns whether a decision between two actions has a theme.
pub fn has_theme(card: &Card, roll: Roll, actions: [Action; 2], theme: Theme) -> bool {
    let rules = card.rules();
    let (boxes, open) = (rules.boxes().values().len(), card.open_boxes().len());
    let quarter = boxes.div_ceil(4);
    match theme {
        Theme::Bonus => {
            let [first, second] = actions.map(|action| collected_face(card, action));
            bonus_is_undecided(card) && first != second
        }
        Theme::Straights => actions.into_iter().any(|action| plays_for_straight(card, action)),
        Theme::Yahtzee => {
            let [first, second] = actions.map(|action| plays_for_yahtzee(card, action));
            let is_extra = roll.dice().all_equal().is_some() && rules.extra_yahtzees_apply(card.filled());
            first != second || is_extra
        }
        Theme::FirstTurns => boxes - open < quarter,
        Theme::LastTurns => open <= quarter,
    }
}

/// Returns the face that an action collects for its upper box, if any.
fn collected_face(card: &Card, action: Action) -> Option<Face> {
    let rules = card.rules();
    match action {
        Action::Score(entry) => rules.upper_face(entry.into),
        Action::Keep(keep) => {
            let is_open =
                |face: &Face| rules.upper_box(*face).is_some_and(|own| card.open_boxes().contains(own));
            keep.all_equal().filter(is_open)
        }
    }
}

fn plays_for_straight(card: &Card, action: Action) -> bool {
    let straights_of = |id: BoxId| straights(&card.rules().boxes()[id].pattern);
    match action {
        Action::Score(entry) => !straights_of(entry.into).is_empty(),
        Action::Keep(keep) => {
            let mut all = card.open_boxes().iter().flat_map(straights_of);
            all.any(|(length, from)| is_part_of_straight(&keep, length, from, card.rules().faces()))
        }
    }
}

/// Returns whether dice are more than half of a straight, and nothing else.
fn is_part_of_straight(keep: &Keep, length: u8, from: Option<Face>, faces: u8) -> bool {
    if 2 * keep.len() <= usize::from(length) || keep.len() > usize::from(length) {
        return false;
    }
    let within = |lowest: Face| {
        let straight = lowest.pips()..lowest.pips() + length;
        Face::all(faces).all(|face| match keep.count(face) {
            0 => true,
            1 => straight.contains(&face.pips()),
            _ => false,
        })
    };
    let highest = faces.saturating_sub(length) + 1;
    let starts = Face::all(faces).filter(|face| face.pips() <= highest);
    starts.filter(|&lowest| from.is_none_or(|from| from == lowest)).any(within)
}

/// Returns the lengths and the lowest faces of the straights that a box pays for.
fn straights(pattern: &Pattern) -> Vec<(u8, Option<Face>)> {
    match pattern {
        Pattern::Straight { length, from, .. } => vec![(*length, *from)],
        Pattern::Fallback { first, otherwise } => [straights(first), straights(otherwise)].concat(),
        Pattern::Face(_) | Pattern::Sets { .. } | Pattern::Chance => Vec::new(),
    }
}

fn plays_for_yahtzee(card: &Card, action: Action) -> bool {
    let Some(yahtzee) = yahtzee_box(card.rules()) else { return false };
    match action {
        Action::Score(entry) => entry.into == yahtzee,
        Action::Keep(keep) => {
            let most = 2 * keep.len() > usize::from(card.rules().dice());
            card.open_boxes().contains(yahtzee) && keep.all_equal().is_some() && most
        }
    }
}

/// Returns the box for all dice equal.
fn yahtzee_box(rules: &Rules) -> Option<BoxId> {
    let is_yahtzee =
        |pattern: &Pattern| matches!(pattern, Pattern::Sets { of, .. } if of[..] == [rules.dice()]);
    let found = rules.boxes().iter().find(|(_, rule)| is_yahtzee(&rule.pattern)).map(|(id, _)| id);
    rules.extra().map(|extra| extra.of).or(found)
}
