//! One player's side of a duel: the score states that their card can lead to.

use super::intervals::Intervals;
use crate::game::Game;
use crate::game::card::Standing;
use crate::game::rules::Entry;
use crate::game::state::Group;
use crate::kernel::transitions::Transitions;
use crate::solve::reach::bounds_before;
use crate::work::{Work, WorkError};

/// The states that a card can lead to within a number of turns, in layers by the number of open boxes.
#[derive(Debug)]
pub(super) struct Side {
    layers: Vec<SideLayer>,
    /// The number of open boxes in the first layer.
    lowest: usize,
}

/// The states with one number of open boxes that the card can lead to.
#[derive(Debug)]
pub(super) struct SideLayer {
    pub groups: Vec<SideGroup>,
    pub states: Vec<SideState>,
    /// The index in `states` of each slot. Slots number the classes of all groups consecutively; those that the card
    /// cannot lead to have `u32::MAX`.
    pub state_of_slot: Vec<u32>,
}

/// A group of states: they differ only in their upper class.
#[derive(Debug)]
pub(super) struct SideGroup {
    pub group: Group,
    /// The slot of its first class.
    slot: usize,
    /// The transitions to slots of the layer with one fewer open box.
    pub next: Transitions,
}

/// A state that the card can lead to.
#[derive(Debug)]
pub(super) struct SideState {
    /// The index of its group in the layer.
    pub group: usize,
    pub class: usize,
    /// The totals with which it can be reached.
    pub totals: Intervals,
    /// The points that are certain to come for any dice, and the most that can come.
    pub to_come: (i32, i32),
}

impl Side {
    /// Finds the states that a card can lead to within `turns` turns. `to_come` returns, for a state at the end of
    /// these turns, the points that are certain to come and the most that can come.
    pub fn new(
        game: &Game,
        card: &Standing,
        turns: usize,
        to_come: impl Fn(usize) -> (i32, i32),
        work: &Work<'_>,
    ) -> Result<Side, WorkError> {
        let open = card.open_boxes(game).len();
        let lowest = open - turns;
        let mut reached = Reached::new(game);
        reached.add(card.state(game), &Intervals::of(card.total.into()), 0);
        let mut layers = vec![reached.take_layer(game)];
        for _ in 0..turns {
            let above: &SideLayer = layers.last().expect("the list starts with the layer of the card");
            above.add_successors(game, &mut reached, work)?;
            layers.push(reached.take_layer(game));
        }
        layers.reverse();
        let SideLayer { groups, states, .. } = &mut layers[0];
        for state in states {
            state.to_come = to_come(groups[state.group].group.first() + state.class);
        }
        for nth in 1..layers.len() {
            let (below, here) = layers.split_at_mut(nth);
            here[0].link(game, &below[nth - 1], work)?;
        }
        Ok(Side { layers, lowest })
    }

    /// Returns the states with `open` open boxes.
    pub fn layer(&self, open: usize) -> &SideLayer {
        &self.layers[open - self.lowest]
    }

    /// Returns the index of a card's state in its layer. Returns `None` if the first card cannot lead to that state, or
    /// if the total is in none of its intervals.
    pub fn index_of(&self, game: &Game, card: &Standing) -> Option<usize> {
        let layer = self.layers.get(card.open_boxes(game).len().checked_sub(self.lowest)?)?;
        let group = game.space().group(card.filled);
        let state = game.space().index(card.filled, card.upper_total)?;
        let at = layer.groups.binary_search_by_key(&group.first(), |known| known.group.first()).ok()?;
        let index = layer.state_of_slot[layer.groups[at].slot + state - group.first()] as usize;
        layer.states.get(index)?.totals.contain(card.total.into()).then_some(index)
    }
}

impl SideLayer {
    /// Returns the score state, as an index in the state space, of the state with this index in the layer.
    pub fn score_state(&self, index: usize) -> usize {
        let SideState { group, class, .. } = self.states[index];
        self.groups[group].group.first() + class
    }

    /// Adds the states of the next layer, and the totals with which they are reached.
    fn add_successors(&self, game: &Game, below: &mut Reached, work: &Work<'_>) -> Result<(), WorkError> {
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
                    below.add(to, &state.totals, paid.into());
                }
            }
        }
        Ok(())
    }

    /// Sets the transitions of all groups and the bounds of all states, from the layer with one fewer open box.
    fn link(&mut self, game: &Game, below: &SideLayer, work: &Work<'_>) -> Result<(), WorkError> {
        let slot_of_group = |group: &Group| {
            let at = below.groups.binary_search_by_key(&group.first(), |known| known.group.first());
            // A box that never pays zero has no successor for a zero entry. No entry reads the slot 0 that stands for
            // it.
            at.map_or(0, |at| below.groups[at].slot)
        };
        for group in &mut self.groups {
            group.next = Transitions::numbered(game, &group.group, slot_of_group);
        }
        let mut extra_yahtzees: Vec<(u16, Entry)> = Vec::new();
        for states in self.states.chunk_by_mut(|a, b| a.group == b.group) {
            work.check()?;
            let SideGroup { group, next, .. } = &self.groups[states[0].group];
            extra_yahtzees.clear();
            game.extra_yahtzee_entries(group.filled, |roll, entry| extra_yahtzees.push((roll, entry)));
            for state in states {
                let after = |entry: Entry| {
                    let (slot, paid) = next.state(game, group, state.class, entry);
                    let (least, most) = below.states[below.state_of_slot[slot] as usize].to_come;
                    (least + i32::from(paid), most + i32::from(paid))
                };
                state.to_come = bounds_before(game, group, &extra_yahtzees, after);
            }
        }
        Ok(())
    }
}

/// The states with one number of open boxes that are reached, with their totals.
struct Reached {
    states: Vec<(usize, Intervals)>,
    /// The index in `states` of each score state of the game; `u32::MAX` for those that are not reached.
    index: Vec<u32>,
}

impl Reached {
    fn new(game: &Game) -> Reached {
        Reached { states: Vec::new(), index: vec![u32::MAX; game.space().states()] }
    }

    fn add(&mut self, state: usize, totals: &Intervals, paid: i32) {
        let index = &mut self.index[state];
        if *index == u32::MAX {
            *index = self.states.len() as u32;
            self.states.push((state, Intervals::default()));
        }
        self.states[*index as usize].1.add_all(totals, paid);
    }

    /// Returns the states as a layer, and forgets them.
    fn take_layer(&mut self, game: &Game) -> SideLayer {
        let space = game.space();
        let mut layer = SideLayer { groups: Vec::new(), states: Vec::new(), state_of_slot: Vec::new() };
        let mut states = std::mem::take(&mut self.states);
        states.sort_unstable_by_key(|(state, _)| *state);
        layer.states.reserve_exact(states.len());
        // States of a group have consecutive indices.
        let mut end = 0;
        for (state, mut totals) in states {
            self.index[state] = u32::MAX;
            if state >= end {
                let group = space.group_of(state);
                end = space.states_of(group).end;
                let slot = layer.state_of_slot.len();
                layer.state_of_slot.resize(slot + space.states_of(group).len(), u32::MAX);
                layer.groups.push(SideGroup { group: *group, slot, next: Transitions::nowhere() });
            }
            totals.limit();
            let SideGroup { group, slot, .. } =
                layer.groups.last().expect("a group was pushed for the first state");
            let class = state - group.first();
            layer.state_of_slot[slot + class] = layer.states.len() as u32;
            let group = layer.groups.len() - 1;
            layer.states.push(SideState { group, class, totals, to_come: (0, 0) });
        }
        layer
    }
}
