//! The presets: rule sets that Keepers knows by name.

use super::{BoxRule, ByBox, ExtraYahtzee, Joker, Pattern, Pays, Rules, UpperBonus};
use crate::dice::Face;
use crate::text::quote;

/// A rule set with a name.
pub struct Preset {
    /// The name.
    pub name: &'static str,
    /// Other names that are accepted.
    pub aliases: &'static [&'static str],
    build: fn() -> Rules,
}

/// All presets.
pub const PRESETS: &[Preset] = &[
    Preset {
        name: "yahtzee",
        aliases: &["official", "yahtzee-forced-joker"],
        build: || yahtzee("yahtzee", "Yahtzee by the official rules: forced joker", 100, Joker::Forced),
    },
    Preset {
        name: "yahtzee-free-joker",
        aliases: &["free-joker", "verhoeff"],
        build: || {
            yahtzee(
                "yahtzee-free-joker",
                "the joker may, but need not, be used (Verhoeff, Cremers)",
                100,
                Joker::Free,
            )
        },
    },
    Preset {
        name: "yahtzee-used-joker",
        aliases: &["used-joker", "pawlewicz"],
        build: || {
            yahtzee("yahtzee-used-joker", "only a used joker earns the 100 (Pawlewicz)", 100, Joker::Used)
        },
    },
    Preset {
        name: "yahtzee-no-joker",
        aliases: &["no-joker"],
        build: || {
            yahtzee("yahtzee-no-joker", "extra Yahtzees pay 100, but there is no joker", 100, Joker::None)
        },
    },
    Preset {
        name: "buddies",
        aliases: &["yahtzee-with-buddies"],
        build: || {
            yahtzee("buddies", "Yahtzee with Buddies: extras pay 50, no joker (Perkins)", 50, Joker::None)
        },
    },
    Preset { name: "buddies-published", aliases: &["perkins"], build: buddies_published },
    Preset {
        name: "classic",
        aliases: &["felldin-sood"],
        build: || Rules {
            extra: None,
            ..yahtzee("classic", "no extra Yahtzees, no joker (Felldin and Sood)", 0, Joker::None)
        },
    },
    Preset { name: "yatzy", aliases: &["scandinavian", "scandinavian-yatzy"], build: yatzy },
    Preset { name: "maxi-yatzy", aliases: &["maxi", "maxiyatzy"], build: maxi_yatzy },
    Preset { name: "yacht", aliases: &[], build: yacht },
];

impl Rules {
    /// Returns the preset with this name or alias.
    ///
    /// # Errors
    /// If there is no such preset. The error lists the names.
    pub fn preset(name: &str) -> Result<Rules, UnknownPreset> {
        let preset = PRESETS.iter().find(|p| p.name == name || p.aliases.contains(&name));
        preset.map(|preset| (preset.build)()).ok_or_else(|| UnknownPreset { name: quote(name) })
    }
}

/// The error for a name that no preset has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no preset \"{name}\": the presets are {}", names().join(", "))]
pub struct UnknownPreset {
    name: String,
}

fn names() -> Vec<&'static str> {
    PRESETS.iter().map(|preset| preset.name).collect()
}

fn sets<const N: usize>(of: [u8; N], pays: Pays) -> Pattern {
    Pattern::Sets { of: of.to_vec(), same_face: false, pays }
}

fn straight(length: u8, pays: Pays) -> Pattern {
    Pattern::Straight { length, from: None, pays }
}

fn straight_from(lowest: u8, length: u8, pays: Pays) -> Pattern {
    Pattern::Straight { length, from: Face::new(lowest), pays }
}

/// Returns the upper boxes, followed by lower boxes given as (id, name, pattern).
fn card<const N: usize>(lower: [(&str, &str, Pattern); N]) -> ByBox<BoxRule> {
    let upper_names = ["Ones", "Twos", "Threes", "Fours", "Fives", "Sixes"];
    let upper =
        Face::all(6).zip(upper_names).map(|(face, name)| (face.to_string(), name, Pattern::Face(face)));
    upper
        .chain(lower.into_iter().map(|(id, name, pattern)| (id.to_string(), name, pattern)))
        .map(|(id, name, pattern)| BoxRule { id, name: name.to_string(), pattern })
        .collect()
}

fn yahtzee(name: &str, title: &str, extra: u16, joker: Joker) -> Rules {
    let boxes = card([
        ("3k", "Three of a Kind", sets([3], Pays::All)),
        ("4k", "Four of a Kind", sets([4], Pays::All)),
        ("fh", "Full House", sets([3, 2], Pays::Fixed(25))),
        ("ss", "Small Straight", straight(4, Pays::Fixed(30))),
        ("ls", "Large Straight", straight(5, Pays::Fixed(40))),
        ("y", "Yahtzee", sets([5], Pays::Fixed(50))),
        ("ch", "Chance", Pattern::Chance),
    ]);
    let mut rules = Rules {
        name: name.into(),
        title: title.into(),
        dice: 5,
        faces: 6,
        rolls: 3,
        boxes,
        upper_bonus: Some(UpperBonus { threshold: 63, points: 35 }),
        extra: None,
    };
    let of = rules.box_by_id("y").expect("the box is listed above");
    rules.extra = Some(ExtraYahtzee { of, points: extra, joker });
    rules
}

/// The only interpretation we found that reproduces Perkins' figures: Four of a Kind pays for five equal dice alone.
fn buddies_published() -> Rules {
    let title = "as Perkins' program scored it: Four of a Kind needs five equal dice";
    let mut rules = yahtzee("buddies-published", title, 50, Joker::None);
    let four_of_a_kind = rules.box_by_id("4k").expect("a box of Yahtzee");
    rules.boxes[four_of_a_kind].pattern = sets([5], Pays::All);
    rules
}

fn yatzy() -> Rules {
    Rules {
        name: "yatzy".into(),
        title: "Scandinavian Yatzy".into(),
        dice: 5,
        faces: 6,
        rolls: 3,
        boxes: card([
            ("1p", "One Pair", sets([2], Pays::Matching)),
            ("2p", "Two Pairs", sets([2, 2], Pays::Matching)),
            ("3k", "Three of a Kind", sets([3], Pays::Matching)),
            ("4k", "Four of a Kind", sets([4], Pays::Matching)),
            ("ss", "Small Straight", straight_from(1, 5, Pays::Matching)),
            ("ls", "Large Straight", straight_from(2, 5, Pays::Matching)),
            ("fh", "Full House", sets([3, 2], Pays::All)),
            ("ch", "Chance", Pattern::Chance),
            ("y", "Yatzy", sets([5], Pays::Fixed(50))),
        ]),
        upper_bonus: Some(UpperBonus { threshold: 63, points: 50 }),
        extra: None,
    }
}

fn maxi_yatzy() -> Rules {
    Rules {
        name: "maxi-yatzy".into(),
        title: "Maxi Yatzy: six dice, twenty boxes, rolls are not saved".into(),
        dice: 6,
        faces: 6,
        rolls: 3,
        boxes: card([
            ("1p", "One Pair", sets([2], Pays::Matching)),
            ("2p", "Two Pairs", sets([2, 2], Pays::Matching)),
            ("3p", "Three Pairs", sets([2, 2, 2], Pays::Matching)),
            ("3k", "Three of a Kind", sets([3], Pays::Matching)),
            ("4k", "Four of a Kind", sets([4], Pays::Matching)),
            ("5k", "Five of a Kind", sets([5], Pays::Matching)),
            ("ss", "Small Straight", straight_from(1, 5, Pays::Matching)),
            ("ls", "Large Straight", straight_from(2, 5, Pays::Matching)),
            ("fs", "Full Straight", straight_from(1, 6, Pays::Matching)),
            ("fh", "Full House", sets([3, 2], Pays::Matching)),
            ("vi", "Villa", sets([3, 3], Pays::Matching)),
            ("to", "Tower", sets([4, 2], Pays::Matching)),
            ("ch", "Chance", Pattern::Chance),
            ("y", "Maxi Yatzy", sets([6], Pays::Fixed(100))),
        ]),
        upper_bonus: Some(UpperBonus { threshold: 84, points: 100 }),
        extra: None,
    }
}

fn yacht() -> Rules {
    let full_house = Pattern::Sets { of: vec![3, 2], same_face: true, pays: Pays::All };
    Rules {
        name: "yacht".into(),
        title: "Yacht: twelve boxes, no bonus, five equal dice are a full house".into(),
        dice: 5,
        faces: 6,
        rolls: 3,
        boxes: card([
            ("fh", "Full House", full_house),
            ("4k", "Four of a Kind", sets([4], Pays::Matching)),
            ("ls", "Little Straight", straight_from(1, 5, Pays::Fixed(30))),
            ("bs", "Big Straight", straight_from(2, 5, Pays::Fixed(30))),
            ("ch", "Choice", Pattern::Chance),
            ("y", "Yacht", sets([5], Pays::Fixed(50))),
        ]),
        upper_bonus: None,
        extra: None,
    }
}
