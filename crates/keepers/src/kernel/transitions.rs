//! Transitions: the states that entries lead to from a group of states.

use crate::game::Game;
use crate::game::rules::{Entry, MAX_BOXES};
use crate::game::state::Group;

/// For each box, the first state of the group that a zero leads to, and of the group that points lead to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Transitions([[u32; 2]; MAX_BOXES]);

impl Transitions {
    pub fn new(game: &Game, group: &Group) -> Transitions {
        Transitions::numbered(game, group, Group::first)
    }

    /// Finds the transitions of a group in a numbering of states in which `first` is the number of a group's first
    /// state. The states of a group must have consecutive numbers.
    pub fn numbered(game: &Game, group: &Group, first: impl Fn(&Group) -> usize) -> Transitions {
        let (rules, space) = (game.rules(), game.space());
        let mut next = [[0; 2]; MAX_BOXES];
        for into in rules.all_boxes().minus(group.filled.boxes).iter() {
            next[into.index()] = [0, 1].map(|points| {
                let entry = Entry { into, points, extra: 0 };
                first(space.group(group.filled.after(rules, entry))) as u32
            });
        }
        Transitions(next)
    }

    /// Returns transitions without targets, for cards that no entry leaves.
    pub fn nowhere() -> Transitions {
        Transitions([[0; 2]; MAX_BOXES])
    }

    /// Returns the first state of the group that an entry leads to.
    #[inline(always)]
    pub fn first(&self, entry: Entry) -> usize {
        self.0[entry.into.index()][usize::from(entry.points > 0)] as usize
    }

    /// Returns the state that an entry leads to from one class of the group, and everything that the entry pays: its
    /// points, the extra bonus and the upper bonus.
    #[inline(always)]
    pub fn state(&self, game: &Game, group: &Group, class: usize, entry: Entry) -> (usize, u16) {
        let upper = game.space().upper();
        let points = entry.points + entry.extra;
        match upper.slot(entry.into) {
            Some(slot) => {
                let step = upper.steps(group.upper_set(), slot, entry.points)[class];
                (self.first(entry) + step.class as usize, points + step.bonus)
            }
            None => (self.first(entry) + class, points),
        }
    }
}
