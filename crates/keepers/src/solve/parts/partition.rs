//! The parts of a game: which states they have, and which other parts they are solved from.

use crate::game::Game;
use crate::game::rules::{BoxId, BoxSet};
use crate::turn::Number;

use super::curves::PartCurves;

/// A part of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PartId {
    /// The number of open boxes outside of the fixed subset.
    pub layer: usize,
    /// The filled boxes of the fixed subset: bit i is the i-th of them.
    pub filled: usize,
}

/// The size of a part, or of several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PartSize {
    /// The number of groups.
    pub groups: usize,
    /// The number of states.
    pub states: usize,
    /// At most this many values.
    pub values: usize,
}

impl PartSize {
    /// Returns the size in memory of a part with values of type `T`, in bytes.
    pub fn bytes<T: Number>(&self) -> usize {
        PartCurves::<T>::bytes_of(self.states, self.values)
    }
}

/// A game divided into parts by a fixed subset of its boxes.
pub struct Partition {
    game: Game,
    fixed: Vec<BoxId>,
    /// The groups of each part.
    groups: Vec<Vec<u32>>,
    /// For each group, its index among the groups of its part.
    places: Vec<u32>,
    /// The number of lanes that each box, and the upper bonus, can add to a curve.
    spans: Vec<usize>,
    bonus_span: usize,
    /// Whether a lane is a number of points so far, and not of points to come.
    so_far: bool,
}

impl Partition {
    /// Divides a game by a fixed subset of its boxes.
    pub fn new(game: &Game, fixed: BoxSet) -> Partition {
        let space = game.space();
        let rules = game.rules();
        let fixed: Vec<BoxId> = fixed.and(rules.all_boxes()).iter().collect();
        let extra = rules.extra().filter(|_| rules.extras_pay()).map_or(0, |extra| usize::from(extra.points));
        let span = |into: BoxId| {
            let points = game.possible_points(into);
            let widest = points.last().zip(points.first()).map_or(0, |(most, least)| most - least);
            usize::from(widest) + extra
        };
        let mut partition = Partition {
            game: game.clone(),
            groups: vec![Vec::new(); (space.boxes() - fixed.len() + 1) << fixed.len()],
            fixed,
            places: Vec::with_capacity(space.groups().len()),
            spans: rules.all_boxes().iter().map(span).collect(),
            bonus_span: rules.upper_bonus().map_or(0, |bonus| usize::from(bonus.points)),
            so_far: false,
        };
        for (nth, group) in space.groups().iter().enumerate() {
            let part = partition.index(partition.part_of(group.filled.boxes));
            partition.places.push(partition.groups[part].len() as u32);
            partition.groups[part].push(nth as u32);
        }
        partition
    }

    /// Divides a game by `count` of its boxes: upper boxes first, so that all states of a part have the same upper boxes
    /// open.
    pub fn with_fixed(game: &Game, count: usize) -> Partition {
        let rules = game.rules();
        let others = rules.all_boxes().minus(rules.upper_boxes());
        let boxes = rules.upper_boxes().iter().chain(others.iter());
        Partition::new(game, boxes.take(count).fold(BoxSet::NONE, BoxSet::with))
    }

    /// Returns the partition for curves whose lanes are points so far. Otherwise, lanes are points to come.
    #[must_use]
    pub fn of_points_so_far(self) -> Partition {
        Partition { so_far: true, ..self }
    }

    /// Returns the game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Returns the fixed subset.
    pub fn fixed(&self) -> &[BoxId] {
        &self.fixed
    }

    /// Returns the number of layers: of different numbers of open boxes outside of the fixed subset.
    pub fn layers(&self) -> usize {
        self.game.space().boxes() - self.fixed.len() + 1
    }

    /// Returns the number of parts of a layer.
    pub fn parts_of_layer(&self) -> usize {
        1 << self.fixed.len()
    }

    /// Returns all parts in an order in which they can be solved.
    pub fn parts(&self) -> impl Iterator<Item = PartId> + use<> {
        let in_layer = self.parts_of_layer();
        (0..self.layers())
            .flat_map(move |layer| (0..in_layer).rev().map(move |filled| PartId { layer, filled }))
    }

    /// Returns the index of a part in the order of [`Partition::parts`].
    pub fn position(&self, part: PartId) -> usize {
        part.layer * self.parts_of_layer() + self.parts_of_layer() - 1 - part.filled
    }

    /// Returns the part with the empty card.
    pub fn start(&self) -> PartId {
        PartId { layer: self.layers() - 1, filled: 0 }
    }

    fn index(&self, part: PartId) -> usize {
        part.layer << self.fixed.len() | part.filled
    }

    /// Returns the part of the states with these filled boxes.
    pub fn part_of(&self, filled: BoxSet) -> PartId {
        let bit = |(nth, &id): (usize, &BoxId)| usize::from(filled.contains(id)) << nth;
        let mask: usize = self.fixed.iter().enumerate().map(bit).sum();
        let open = self.game.space().boxes() - filled.len();
        PartId { layer: open - (self.fixed.len() - mask.count_ones() as usize), filled: mask }
    }

    /// Returns the part of a group, and the index of the group in it.
    pub fn locate(&self, group: usize) -> (PartId, usize) {
        let part = self.part_of(self.game.space().groups()[group].filled.boxes);
        (part, self.places[group] as usize)
    }

    /// Returns the filled boxes of the fixed subset.
    pub fn filled(&self, part: PartId) -> BoxSet {
        let filled = self.fixed.iter().enumerate().filter(|(nth, _)| part.filled >> nth & 1 == 1);
        filled.fold(BoxSet::NONE, |set, (_, &id)| set.with(id))
    }

    /// Returns the groups of a part, as indices among the groups of the game.
    pub fn groups(&self, part: PartId) -> &[u32] {
        &self.groups[self.index(part)]
    }

    /// Returns the parts that a part is solved from.
    pub fn inputs(&self, part: PartId) -> Vec<PartId> {
        let PartId { layer, filled } = part;
        let below = layer.checked_sub(1).map(|layer| PartId { layer, filled });
        let open = (0..self.fixed.len()).filter(|nth| filled >> nth & 1 == 0);
        let beside = open.map(|nth| PartId { layer, filled: filled | 1 << nth });
        below.into_iter().chain(beside).collect()
    }

    /// Returns the parts that are solved from a part.
    pub fn outputs(&self, part: PartId) -> Vec<PartId> {
        let PartId { layer, filled } = part;
        let above = (layer + 1 < self.layers()).then_some(PartId { layer: layer + 1, filled });
        let set = (0..self.fixed.len()).filter(|nth| filled >> nth & 1 == 1);
        let beside = set.map(|nth| PartId { layer, filled: filled & !(1 << nth) });
        above.into_iter().chain(beside).collect()
    }

    /// Returns the size of a part. The number of values is an upper bound, from the points that open boxes can pay, or
    /// that filled boxes can have paid.
    pub fn size(&self, part: PartId) -> PartSize {
        let space = self.game.space();
        let rules = self.game.rules();
        let mut size = PartSize::default();
        for &nth in self.groups(part) {
            let group = &space.groups()[nth as usize];
            let open = rules.all_boxes().minus(group.filled.boxes);
            let counted = if self.so_far { group.filled.boxes } else { open };
            let has_upper = !counted.and(rules.upper_boxes()).is_empty();
            let span: usize = counted.iter().map(|id| self.spans[id.index()]).sum();
            let span = span + if has_upper { self.bonus_span } else { 0 };
            let states = space.states_of(group).len();
            size.groups += 1;
            size.states += states;
            size.values += states * (span + 1);
        }
        size
    }

    /// Returns the largest number of bytes that a part and its inputs need, with values of type `T`.
    pub fn largest<T: Number>(&self) -> usize {
        let sizes: Vec<usize> = self.parts().map(|part| self.size(part).bytes::<T>()).collect();
        let of = |part: PartId| sizes[self.position(part)];
        let with_inputs = |part| of(part) + self.inputs(part).into_iter().map(of).sum::<usize>();
        self.parts().map(with_inputs).max().unwrap_or(0)
    }
}
