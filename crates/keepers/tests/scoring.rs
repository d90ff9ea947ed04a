//! The points of every box of every preset for every roll, and the entries of extra Yahtzees, compared with independent
//! definitions on sorted dice.

use std::collections::BTreeMap;

use keepers::answers::BoxSet;
use keepers::internals::rules::{Filled, PRESETS};
use keepers::{Entry, Game, Keep, Rules};

/// The points of sorted dice.
type Score = fn(&[u8]) -> u16;

/// The definitions of one game: the ids of its lower boxes with their points.
type Boxes = &'static [(&'static str, Score)];

const YAHTZEE: Boxes = &[
    ("3k", |dice| if most_equal(dice) >= 3 { sum(dice) } else { 0 }),
    ("4k", |dice| if most_equal(dice) >= 4 { sum(dice) } else { 0 }),
    ("fh", |dice| if shape(dice) == [3, 2] { 25 } else { 0 }),
    ("ss", |dice| if has(dice, 1..=4) || has(dice, 2..=5) || has(dice, 3..=6) { 30 } else { 0 }),
    ("ls", |dice| if has(dice, 1..=5) || has(dice, 2..=6) { 40 } else { 0 }),
    ("y", |dice| if dice[0] == dice[4] { 50 } else { 0 }),
    ("ch", sum),
];

const YATZY: Boxes = &[
    ("1p", |dice| equal(dice, 2)),
    ("2p", |dice| different_sets(dice, &[2, 2])),
    ("3k", |dice| equal(dice, 3)),
    ("4k", |dice| equal(dice, 4)),
    ("ss", |dice| if dice == [1, 2, 3, 4, 5] { 15 } else { 0 }),
    ("ls", |dice| if dice == [2, 3, 4, 5, 6] { 20 } else { 0 }),
    ("fh", |dice| if shape(dice) == [3, 2] { sum(dice) } else { 0 }),
    ("ch", sum),
    ("y", |dice| if dice[0] == dice[4] { 50 } else { 0 }),
];

const MAXI_YATZY: Boxes = &[
    ("1p", |dice| equal(dice, 2)),
    ("2p", |dice| different_sets(dice, &[2, 2])),
    ("3p", |dice| if shape(dice) == [2, 2, 2] { sum(dice) } else { 0 }),
    ("3k", |dice| equal(dice, 3)),
    ("4k", |dice| equal(dice, 4)),
    ("5k", |dice| equal(dice, 5)),
    ("ss", |dice| if has(dice, 1..=5) { 15 } else { 0 }),
    ("ls", |dice| if has(dice, 2..=6) { 20 } else { 0 }),
    ("fs", |dice| if dice == [1, 2, 3, 4, 5, 6] { 21 } else { 0 }),
    ("fh", |dice| different_sets(dice, &[3, 2])),
    ("vi", |dice| if shape(dice) == [3, 3] { sum(dice) } else { 0 }),
    ("to", |dice| if shape(dice) == [4, 2] { sum(dice) } else { 0 }),
    ("ch", sum),
    ("y", |dice| if dice[0] == dice[5] { 100 } else { 0 }),
];

const YACHT: Boxes = &[
    ("fh", |dice| if shape(dice) == [3, 2] || shape(dice) == [5] { sum(dice) } else { 0 }),
    ("4k", |dice| equal(dice, 4)),
    ("ls", |dice| if dice == [1, 2, 3, 4, 5] { 30 } else { 0 }),
    ("bs", |dice| if dice == [2, 3, 4, 5, 6] { 30 } else { 0 }),
    ("ch", sum),
    ("y", |dice| if dice[0] == dice[4] { 50 } else { 0 }),
];

/// The only box in which Perkins' program differs from Yahtzee: only five equal dice pay.
const BUDDIES_4K: Score = |dice| if dice[0] == dice[4] { sum(dice) } else { 0 };

const UPPER: Boxes = &[
    ("1", |dice| count(dice, 1)),
    ("2", |dice| 2 * count(dice, 2)),
    ("3", |dice| 3 * count(dice, 3)),
    ("4", |dice| 4 * count(dice, 4)),
    ("5", |dice| 5 * count(dice, 5)),
    ("6", |dice| 6 * count(dice, 6)),
];

/// Each preset with its number of dice and the points of each box.
fn definitions() -> BTreeMap<&'static str, (u8, BTreeMap<&'static str, Score>)> {
    let card = |lower: Boxes| UPPER.iter().chain(lower).copied().collect::<BTreeMap<_, _>>();
    let mut buddies_published = card(YAHTZEE);
    buddies_published.insert("4k", BUDDIES_4K);
    BTreeMap::from([
        ("yahtzee", (5, card(YAHTZEE))),
        ("yahtzee-free-joker", (5, card(YAHTZEE))),
        ("yahtzee-used-joker", (5, card(YAHTZEE))),
        ("yahtzee-no-joker", (5, card(YAHTZEE))),
        ("buddies", (5, card(YAHTZEE))),
        ("buddies-published", (5, buddies_published)),
        ("classic", (5, card(YAHTZEE))),
        ("yatzy", (5, card(YATZY))),
        ("maxi-yatzy", (6, card(MAXI_YATZY))),
        ("yacht", (5, card(YACHT))),
    ])
}

fn sum(dice: &[u8]) -> u16 {
    dice.iter().map(|&die| u16::from(die)).sum()
}

fn count(dice: &[u8], face: u8) -> u16 {
    dice.iter().filter(|&&die| die == face).count() as u16
}

/// The number of dice of each face, largest first: [3, 2] is a full house.
fn shape(dice: &[u8]) -> Vec<usize> {
    let mut shape: Vec<usize> = dice.chunk_by(|a, b| a == b).map(<[u8]>::len).collect();
    shape.sort_by(|a, b| b.cmp(a));
    shape
}

fn most_equal(dice: &[u8]) -> usize {
    shape(dice)[0]
}

fn has(dice: &[u8], mut faces: std::ops::RangeInclusive<u8>) -> bool {
    faces.all(|face| dice.contains(&face))
}

/// The sum of the highest `size` equal dice.
fn equal(dice: &[u8], size: u16) -> u16 {
    (1..=6).rev().find(|&face| count(dice, face) >= size).map_or(0, |face| size * u16::from(face))
}

/// The best sum of two sets of these sizes, of two different faces.
fn different_sets(dice: &[u8], [first, second]: &[u16; 2]) -> u16 {
    let mut best = 0;
    for a in 1..=6 {
        for b in (1..=6).filter(|&b| b != a) {
            if count(dice, a) >= *first && count(dice, b) >= *second {
                best = best.max(first * u16::from(a) + second * u16::from(b));
            }
        }
    }
    best
}

/// Every roll, sorted.
fn rolls(dice: u8) -> Vec<Vec<u8>> {
    (0..dice).fold(vec![vec![]], |shorter, _| {
        let longer = |dice: &Vec<u8>| {
            let from = dice.last().copied().unwrap_or(1);
            (from..=6).map(|face| [&dice[..], &[face]].concat()).collect::<Vec<_>>()
        };
        shorter.iter().flat_map(longer).collect()
    })
}

fn keep(dice: &[u8]) -> Keep {
    dice.iter().map(u8::to_string).collect::<String>().parse().expect("these are dice")
}

#[test]
fn every_box_of_every_preset_has_a_definition_here_and_no_other() {
    let definitions = definitions();
    assert_eq!(definitions.len(), PRESETS.len());
    for preset in PRESETS {
        let rules = Rules::preset(preset.name).unwrap();
        let (dice, boxes) = definitions.get(preset.name).expect("every preset has definitions");
        let mut ids: Vec<&str> = rules.boxes().values().iter().map(|rule| rule.id.as_str()).collect();
        ids.sort_unstable();
        assert_eq!(ids, boxes.keys().copied().collect::<Vec<_>>(), "{}", preset.name);
        assert_eq!((rules.dice(), rules.faces(), rules.rolls()), (*dice, 6, 3), "{}", preset.name);
    }
}

#[test]
fn every_box_of_every_preset_pays_for_every_roll_what_its_definition_says() {
    for (name, (dice, boxes)) in definitions() {
        let game = Game::new(Rules::preset(name).unwrap());
        let rolls = rolls(dice);
        assert_eq!(rolls.len(), if dice == 6 { 462 } else { 252 });
        for (into, rule) in game.rules().boxes().iter() {
            let definition = boxes[rule.id.as_str()];
            let scores = &game.scores()[into];
            let paying: BTreeMap<u16, u16> =
                scores.paying.iter().map(|&(roll, amount)| (roll, scores.amounts[amount as usize])).collect();
            for dice in &rolls {
                let (points, of) = (definition(dice), format!("{name}: {dice:?} in {}", rule.id));
                assert_eq!(rule.pattern.points(&keep(dice)), points, "{of}");
                // The solver reads the points from here.
                let roll = game.lattice().index_of(&keep(dice)) as u16;
                assert_eq!(paying.get(&roll).copied().unwrap_or(0), points, "{of}, as the solver sees it");
            }
        }
    }
}

#[test]
fn the_bonuses_of_the_presets_are_as_printed() {
    let bonuses = |name: &str| {
        let rules = Rules::preset(name).unwrap();
        let upper = rules.upper_bonus().map(|bonus| (bonus.threshold, bonus.points));
        (upper, rules.extra().map_or(0, |extra| extra.points))
    };
    for name in ["yahtzee", "yahtzee-free-joker", "yahtzee-used-joker", "yahtzee-no-joker"] {
        assert_eq!(bonuses(name), (Some((63, 35)), 100), "{name}");
    }
    assert_eq!(bonuses("buddies"), (Some((63, 35)), 50));
    assert_eq!(bonuses("buddies-published"), (Some((63, 35)), 50));
    assert_eq!(bonuses("classic"), (Some((63, 35)), 0));
    assert_eq!(bonuses("yatzy"), (Some((63, 50)), 0));
    assert_eq!(bonuses("maxi-yatzy"), (Some((84, 100)), 0));
    assert_eq!(bonuses("yacht"), (None, 0));
}

/// The points of a joker of five equal dice in a lower box of Yahtzee.
fn as_joker(id: &str, face: u8) -> u16 {
    match id {
        "fh" => 25,
        "ss" => 30,
        "ls" => 40,
        "3k" | "4k" | "ch" => 5 * u16::from(face),
        _ => panic!("{id} is no box for a joker"),
    }
}

/// Every box in which five equal dice may be entered once the Yahtzee box is filled, with its points and the extra
/// bonus. `holds_points` is whether the Yahtzee box holds 50.
fn extra_yahtzee(
    name: &str,
    boxes: &BTreeMap<&'static str, Score>,
    open: &[&'static str],
    face: u8,
    holds_points: bool,
) -> BTreeMap<&'static str, (u16, u16)> {
    let bonus = match name {
        _ if !holds_points => 0,
        "buddies" | "buddies-published" => 50,
        _ => 100,
    };
    let dice = [face; 5];
    let own = UPPER[face as usize - 1].0;
    let own_is_open = open.contains(&own);
    let is_upper = |id: &str| UPPER.iter().any(|(upper, _)| *upper == id);
    let natural = |id: &'static str| (id, (boxes[id](&dice), bonus));
    let joker = |id: &'static str| (id, (if is_upper(id) { 0 } else { as_joker(id, face) }, bonus));
    let all = open.iter().copied();
    match name {
        "yahtzee" if own_is_open => BTreeMap::from([natural(own)]),
        "yahtzee" if open.iter().all(|id| is_upper(id)) => all.map(|id| (id, (0, bonus))).collect(),
        "yahtzee" => all.filter(|id| !is_upper(id)).map(joker).collect(),
        "yahtzee-free-joker" if own_is_open => all.map(natural).collect(),
        "yahtzee-used-joker" if own_is_open => {
            all.map(|id| if id == own { natural(id) } else { (id, (natural(id).1.0, 0)) }).collect()
        }
        "yahtzee-free-joker" | "yahtzee-used-joker" => all.map(joker).collect(),
        _ => all.map(natural).collect(),
    }
}

#[test]
fn extra_yahtzees_follow_the_joker_rule_with_any_boxes_filled() {
    let with_extras = |name: &&str| Rules::preset(name).unwrap().extra().is_some();
    let definitions = definitions();
    let names: Vec<&str> = definitions.keys().copied().filter(with_extras).collect();
    assert_eq!(names.len(), 6);
    for name in names {
        let boxes = &definitions[name].1;
        let game = Game::new(Rules::preset(name).unwrap());
        let rules = game.rules();
        let id = |at: usize| *boxes.get_key_value(rules.boxes().values()[at].id.as_str()).unwrap().0;
        let by_id = |entries: &[Entry]| {
            let pair = |entry: &Entry| (id(entry.into.index()), (entry.points, entry.extra));
            let by_id: BTreeMap<_, _> = entries.iter().map(pair).collect();
            assert_eq!(by_id.len(), entries.len(), "each box is offered once");
            by_id
        };
        let yahtzee = rules.box_by_id("y").unwrap();
        for bits in 0..(1 << 13) - 1 {
            let set = BoxSet::from_bits(bits);
            let open: Vec<&str> = (0..13).filter(|at| bits >> at & 1 == 0).map(id).collect();
            for holds_points in [false, true] {
                if holds_points && !set.contains(yahtzee) {
                    continue;
                }
                let filled = Filled { boxes: set, extras_pay: holds_points };
                let mut special: BTreeMap<u16, Vec<Entry>> = BTreeMap::new();
                game.extra_yahtzee_entries(filled, |roll, entry| {
                    special.entry(roll).or_default().push(entry)
                });
                for face in 1..=6 {
                    let dice = keep(&[face; 5]);
                    let wanted = if set.contains(yahtzee) {
                        extra_yahtzee(name, boxes, &open, face, holds_points)
                    } else {
                        open.iter().map(|&id| (id, (boxes[id](&[face; 5]), 0))).collect()
                    };
                    let of = format!("{name}: {dice} with {open:?} open");
                    assert_eq!(by_id(&rules.entries(filled, &dice)), wanted, "{of}");
                    // The solver treats a roll without special entries as an ordinary roll.
                    let roll = game.lattice().index_of(&dice) as u16;
                    let ordinary = || open.iter().map(|&id| (id, (boxes[id](&[face; 5]), 0))).collect();
                    let told = special.remove(&roll).map_or_else(ordinary, |entries| by_id(&entries));
                    assert_eq!(told, wanted, "{of}, as the solver sees it");
                }
                assert!(special.is_empty(), "only equal dice are special");
            }
        }
    }
}

#[test]
fn other_rolls_go_to_any_open_box_for_their_natural_points() {
    for (name, (dice, boxes)) in definitions() {
        let rules = Rules::preset(name).unwrap();
        let extras_pay = rules.extra().is_some();
        // A few hundred of the sets of filled boxes, all with the Yahtzee box.
        let yahtzee = rules.box_by_id("y").unwrap();
        let sets = (0..rules.all_boxes().bits()).step_by(rules.all_boxes().bits() as usize / 151);
        for set in sets.map(|bits| BoxSet::from_bits(bits).with(yahtzee)) {
            let open = rules.all_boxes().minus(set);
            for roll in rolls(dice).iter().filter(|roll| roll[0] != *roll.last().unwrap()) {
                let pays = |id: &str| boxes[id](roll);
                let wanted: Vec<Entry> = open
                    .iter()
                    .map(|into| Entry { into, points: pays(&rules.boxes()[into].id), extra: 0 })
                    .collect();
                assert_eq!(rules.entries(Filled { boxes: set, extras_pay }, &keep(roll)), wanted, "{name}");
            }
        }
    }
}
