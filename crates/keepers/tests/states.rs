//! The score states: their number is as published, with none superfluous and none missing.

use std::collections::{BTreeMap, BTreeSet};

use keepers::answers::BoxSet;
use keepers::internals::rules::Filled;
use keepers::internals::state::{StateCounts, StateSpace};
use keepers::{BoxId, Game, Rules};

fn space(name: &str) -> StateSpace {
    StateSpace::new(&Rules::preset(name).unwrap())
}

/// The upper boxes of a card are its first six; a set of them has one bit per box.
fn upper(bits: u32) -> Filled {
    Filled { boxes: BoxSet::from_bits(bits), extras_pay: false }
}

/// Every sum that the upper boxes of a set can make with five dice, by trying all entries.
fn sums(bits: u32) -> BTreeSet<u16> {
    let faces = (1..=6u16).filter(|face| bits >> (face - 1) & 1 == 1);
    faces.fold(BTreeSet::from([0]), |sums, face| {
        sums.iter().flat_map(|sum| (0..=5).map(move |count| sum + count * face)).collect()
    })
}

/// For every sum that the open boxes can still make, whether it brings the bonus.
fn bonus_to_come(bits: u32, total: u16) -> Vec<bool> {
    sums(!bits & 63).iter().map(|sum| total < 63 && total + sum >= 63).collect()
}

#[test]
fn yahtzee_has_the_states_of_the_paper_after_each_of_the_three_steps() {
    let game = Game::new(Rules::preset("yahtzee").unwrap());
    let counts = StateCounts { totals: 536_448, needs: 314_880, states: 310_656 };
    assert_eq!(game.space().counts(), counts);
    assert_eq!(game.space().states(), 310_656);
    // 2 ** 6 sets of lower boxes besides the Yahtzee box, which is open, zero or 50.
    assert_eq!(game.space().groups().len(), 64 * 192);
}

#[test]
fn the_three_steps_of_yahtzee_can_be_counted_by_hand() {
    let (mut totals, mut needs, mut classes) = (0, 0, 0);
    for bits in 0..64 {
        let capped: BTreeSet<u16> = sums(bits).iter().map(|&total| total.min(63)).collect();
        let outcomes = |total: u16| bonus_to_come(bits, total);
        totals += capped.len();
        needs += capped.iter().map(|&total| (total == 63, outcomes(total))).collect::<BTreeSet<_>>().len();
        classes += capped.iter().map(|&total| outcomes(total)).collect::<BTreeSet<_>>().len();
    }
    let counts = space("yahtzee").counts();
    assert_eq!((totals, needs, classes), (2_794, 1_640, 1_618));
    assert_eq!([totals, needs, classes].map(|n| n * 192), [counts.totals, counts.needs, counts.states]);
}

#[test]
fn the_other_games_have_the_states_that_follow_from_the_same_steps() {
    // 1,618 upper classes for each set of lower boxes, of which Yatzy has nine and Yahtzee seven.
    assert_eq!(space("yatzy").states(), 828_416);
    assert_eq!(space("classic").states(), 207_104);
    for name in ["yahtzee-free-joker", "yahtzee-used-joker", "yahtzee-no-joker", "buddies"] {
        assert_eq!(space(name).states(), 310_656, "{name}");
    }
    // Without a bonus only the filled boxes matter.
    assert_eq!(space("yacht").states(), 1 << 12);
}

#[test]
fn two_upper_totals_share_a_class_exactly_if_no_entries_distinguish_them() {
    let space = space("yahtzee");
    for bits in 0..64 {
        let mut by_class: BTreeMap<usize, BTreeSet<Vec<bool>>> = BTreeMap::new();
        let mut by_outcome: BTreeMap<Vec<bool>, BTreeSet<usize>> = BTreeMap::new();
        for total in sums(bits) {
            let class = space.index(upper(bits), total).expect("a total that can be made has a state");
            let outcome = bonus_to_come(bits, total);
            by_class.entry(class).or_default().insert(outcome.clone());
            by_outcome.entry(outcome).or_default().insert(class);
        }
        // The classes are neither too coarse nor too fine, and every class occurs.
        assert!(by_class.values().all(|outcomes| outcomes.len() == 1), "set {bits:06b}");
        assert!(by_outcome.values().all(|classes| classes.len() == 1), "set {bits:06b}");
        let states = space.states_of(space.group(upper(bits)));
        assert_eq!(by_class.into_keys().collect::<Vec<_>>(), states.collect::<Vec<_>>(), "set {bits:06b}");
    }
}

#[test]
fn an_upper_total_that_the_filled_boxes_cannot_make_has_no_state() {
    let space = space("yahtzee");
    let mut found = Vec::new();
    for bits in 0..64 {
        let makeable = sums(bits);
        for total in (0..=105).filter(|total| !makeable.contains(total)) {
            if space.index(upper(bits), total).is_some() {
                found.push((format!("{bits:06b}"), total));
            }
        }
    }
    assert!(found.is_empty(), "{} totals have a state, like {:?}", found.len(), &found[..5]);
}

#[test]
fn every_index_belongs_to_one_state_and_is_larger_than_those_of_its_successors() {
    for name in ["yahtzee", "yatzy", "yacht"] {
        let rules = Rules::preset(name).unwrap();
        let space = StateSpace::new(&rules);
        let mut next = 0;
        for open in 0..=space.boxes() {
            for group in &space.groups()[space.layer(open)] {
                assert_eq!(space.boxes() - group.filled.boxes.len(), open);
                assert_eq!(space.states_of(group).start, next, "{name}: no gap and no overlap");
                assert_eq!(
                    space.states_of(space.group(group.filled)),
                    space.states_of(group),
                    "{name}: it is found"
                );
                next = space.states_of(group).end;
            }
        }
        assert_eq!(next, space.states());
        assert_eq!(space.index(Filled::default(), 0), Some(space.states() - 1), "the empty card is last");
    }
}

#[test]
fn lower_boxes_do_not_change_the_upper_classes() {
    let rules = Rules::preset("yahtzee").unwrap();
    let space = StateSpace::new(&rules);
    let yahtzee = rules.box_by_id("y").unwrap();
    assert_eq!(yahtzee, BoxId::at(11));
    for bits in (0..64).step_by(7) {
        let plain = space.states_of(space.group(upper(bits))).start;
        for lower in 0..128u32 {
            let boxes = BoxSet::from_bits(bits | lower << 6);
            for extras_pay in [false, true] {
                if extras_pay && !boxes.contains(yahtzee) {
                    continue;
                }
                let filled = Filled { boxes, extras_pay };
                let first = space.states_of(space.group(filled)).start;
                for total in sums(bits) {
                    let class = space.index(filled, total).unwrap() - first;
                    assert_eq!(class, space.index(upper(bits), total).unwrap() - plain);
                }
            }
        }
    }
}
