//! One player's part of a duel: the score states that a card can lead to.

use std::collections::BTreeMap;

use super::intervals::Intervals;
use crate::game::Game;
use crate::game::card::Standing;
use crate::game::rules::Entry;
use crate::game::state::Group;
use crate::kernel::transitions::Transitions;
use crate::solve::reach::bounds_before;
use crate::work::{Work, WorkError};

/// The states that a card can lead to in some turns, by the number of open boxes.
#[derive(Debug)]
pub(super) struct Side {
    layers: Vec<SideLayer>,
    /// Open boxes in the first layer.
    lowest: usize,
}

/// The states with one number of open boxes.
#[derive(Debug)]
pub(super) struct SideLayer {
    pub groups: Vec<SideGroup>,
    pub states: Vec<SideState>,
    /// By slot (a class of one of the groups): the place among the states. The card does not lead to
    /// every class.
    pub places: Vec<u32>,
}

/// States that differ only in the class of the upper section.
#[derive(Debug)]
pub(super) struct SideGroup {
    pub group: Group,
    /// The slot of its first class.
    slot: usize,
    /// Where entries lead: to slots of the layer with one open box less.
    pub next: Transitions,
}

/// One state.
#[derive(Debug)]
pub(super) struct SideState {
    /// Its group, by the place among those of its layer.
    pub group: usize,
    pub class: usize,
    /// The totals that it can be reached with.
    pub so_far: Intervals,
    /// The points that are certain to come whatever the dice, and the most that can.
    pub to_come: (i32, i32),
}

impl Side {
    /// What a card can lead to in so many turns. `to_come` tells of a state at the end of them the points
    /// that are certain to come, and the most that can.
    pub fn new(
        game: &Game,
        card: &Standing,
        turns: usize,
        to_come: impl Fn(usize) -> (i32, i32),
        work: &Work<'_>,
    ) -> Result<Side, WorkError> {
        let open = card.open_boxes(game).len();
        let lowest = open - turns;
        let mut reached = Reached::default();
        reached.meet(card.state(game), &Intervals::of(card.total.into()), 0);
        let mut layers = vec![reached.gather(game)];
        for _ in 0..turns {
            let above: &SideLayer = layers.last().expect("there is a first one");
            layers.push(above.reach(game, work)?.gather(game));
        }
        layers.reverse();
        let SideLayer { groups, states, .. } = &mut layers[0];
        for state in states {
            state.to_come = to_come(groups[state.group].group.first() + state.class);
        }
        for nth in 1..layers.len() {
            let (below, here) = layers.split_at_mut(nth);
            here[0].look_ahead(game, &below[nth - 1], work)?;
        }
        Ok(Side { layers, lowest })
    }

    /// The states with so many open boxes.
    pub fn layer(&self, open: usize) -> &SideLayer {
        &self.layers[open - self.lowest]
    }

    /// The place of a card's state among those with as many open boxes; nothing if the first card does
    /// not lead to it.
    pub fn place(&self, game: &Game, card: &Standing) -> Option<usize> {
        let layer = self.layers.get(card.open_boxes(game).len().checked_sub(self.lowest)?)?;
        let group = game.space().group(card.filled);
        let state = game.space().index(card.filled, card.upper_total)?;
        let at = layer.groups.binary_search_by_key(&group.first(), |known| known.group.first()).ok()?;
        let place = layer.places[layer.groups[at].slot + state - group.first()] as usize;
        layer.states.get(place)?.so_far.contain(card.total.into()).then_some(place)
    }
}

impl SideLayer {
    /// The score state at a place.
    pub fn state(&self, place: usize) -> usize {
        let SideState { group, class, .. } = self.states[place];
        self.groups[group].group.first() + class
    }

    /// What its states lead to, and with how many points.
    fn reach(&self, game: &Game, work: &Work<'_>) -> Result<Reached, WorkError> {
        let mut below = Reached::default();
        let mut entries: Vec<Entry> = Vec::new();
        for states in self.states.chunk_by(|a, b| a.group == b.group) {
            work.check()?;
            let group = &self.groups[states[0].group].group;
            let next = Transitions::new(game, group);
            entries.clear();
            game.each_entry(group.filled, |entry| entries.push(entry));
            for state in states {
                for &entry in &entries {
                    let (to, paid) = next.state(game, group, state.class, entry);
                    below.meet(to, &state.so_far, paid.into());
                }
            }
        }
        Ok(below)
    }

    /// Finds where entries lead and what can come, from the layer with one open box less.
    fn look_ahead(&mut self, game: &Game, below: &SideLayer, work: &Work<'_>) -> Result<(), WorkError> {
        let slot_of = |group: &Group| {
            let at = below.groups.binary_search_by_key(&group.first(), |known| known.group.first());
            // A box that cannot pay nothing leads to no group for nothing, and is not asked for it.
            at.map_or(0, |at| below.groups[at].slot)
        };
        for group in &mut self.groups {
            group.next = Transitions::numbered(game, &group.group, slot_of);
        }
        let mut special: Vec<(u16, Entry)> = Vec::new();
        for states in self.states.chunk_by_mut(|a, b| a.group == b.group) {
            work.check()?;
            let SideGroup { group, next, .. } = &self.groups[states[0].group];
            special.clear();
            game.extra_yahtzee_entries(group.filled, |roll, entry| special.push((roll, entry)));
            for state in states {
                let after = |entry: Entry| {
                    let (slot, paid) = next.state(game, group, state.class, entry);
                    let (least, most) = below.states[below.places[slot] as usize].to_come;
                    (least + i32::from(paid), most + i32::from(paid))
                };
                state.to_come = bounds_before(game, group, &special, after);
            }
        }
        Ok(())
    }
}

/// Which states with one number of open boxes are reached, and with which totals.
#[derive(Default)]
struct Reached(BTreeMap<usize, Intervals>);

impl Reached {
    fn meet(&mut self, state: usize, totals: &Intervals, paid: i32) {
        self.0.entry(state).or_default().add_all(totals, paid);
    }

    fn gather(self, game: &Game) -> SideLayer {
        let space = game.space();
        let mut layer = SideLayer { groups: Vec::new(), states: Vec::new(), places: Vec::new() };
        // States of a group are next to each other.
        let mut end = 0;
        for (state, mut so_far) in self.0 {
            if state >= end {
                let group = space.group_of(state);
                end = space.states_of(group).end;
                let slot = layer.places.len();
                layer.places.resize(slot + space.states_of(group).len(), u32::MAX);
                layer.groups.push(SideGroup { group: *group, slot, next: Transitions::nowhere() });
            }
            so_far.limit();
            let SideGroup { group, slot, .. } = layer.groups.last().expect("its group was met");
            let class = state - group.first();
            layer.places[slot + class] = layer.states.len() as u32;
            let group = layer.groups.len() - 1;
            layer.states.push(SideState { group, class, so_far, to_come: (0, 0) });
        }
        layer
    }
}
