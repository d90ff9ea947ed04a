//! Upper boxes in two halves.
//!
//! The best upper entry for a roll is a maximum over the faces of something that depends on the
//! count of that face alone. So it is the larger of the best for the low faces and the best for the
//! high ones, and each half has few different dice: 56 instead of 252 with five dice.

use crate::dice::{Face, Lattice};
use crate::game::upper::Upper;

/// The rolls of a game, taken apart into low and high faces.
#[derive(Clone, Debug)]
pub(crate) struct Halves {
    /// The different dice of the two halves.
    pub parts: [Parts; 2],
    /// For each roll, in the order of the lattice, its low and its high part.
    pub rolls: Vec<[u16; 2]>,
}

/// The different dice that one half of the faces can show.
#[derive(Clone, Debug)]
pub(crate) struct Parts {
    /// How many there are.
    pub len: u16,
    /// The upper boxes of these faces, as slots of [`Upper`], each with the count of its face in
    /// every part.
    pub boxes: Vec<(u8, Vec<u8>)>,
}

impl Halves {
    pub fn new(lattice: &Lattice, upper: &Upper) -> Halves {
        let middle = lattice.faces() / 2;
        let [low, high] = [1..=middle, middle + 1..=lattice.faces()].map(|faces| {
            faces.map(|pips| Face::new(pips).expect("a face of the lattice")).collect::<Vec<_>>()
        });
        let mut seen: [Vec<Vec<u8>>; 2] = [Vec::new(), Vec::new()];
        let mut rolls = Vec::new();
        for roll in lattice.rolls() {
            let dice = &lattice.keeps()[roll];
            let mut place = |half: usize, faces: &[Face]| {
                let counts: Vec<u8> = faces.iter().map(|&face| dice.count(face)).collect();
                let known = seen[half].iter().position(|part| *part == counts);
                known.unwrap_or_else(|| {
                    seen[half].push(counts);
                    seen[half].len() - 1
                }) as u16
            };
            rolls.push([place(0, &low), place(1, &high)]);
        }
        let parts = [(low, &seen[0]), (high, &seen[1])].map(|(faces, parts)| {
            let counts = |nth: usize| parts.iter().map(|part| part[nth]).collect();
            let boxes = faces.iter().enumerate();
            Parts {
                len: parts.len() as u16,
                boxes: boxes
                    .filter_map(|(nth, &face)| Some((upper.slot_of_face(face)?, counts(nth))))
                    .collect(),
            }
        });
        Halves { parts, rolls }
    }
}
