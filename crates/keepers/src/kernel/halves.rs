//! The upper boxes in two halves.
//!
//! The best upper entry of a roll is a maximum over the faces, and the operand of a face depends only on how many dice
//! show it. It is therefore the larger of two maxima, one over the low faces and one over the high faces. Each half has
//! few different counts: 56 instead of 252 rolls, with five dice.

use std::ops::Range;

use crate::dice::{Face, Lattice};
use crate::game::upper::Upper;

/// The rolls of a game, split into low and high faces. Rolls that follow each other in the lattice often have the same low
/// part, whose row is then loaded once.
#[derive(Clone, Debug)]
pub(crate) struct Halves {
    /// The parts of rolls that low faces make, and those that high faces make.
    pub parts: [Parts; 2],
    /// The parts of all rolls, in the order of the lattice.
    pub runs: Vec<Run>,
}

/// Consecutive rolls with the same low part and consecutive high parts.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    /// The index of the low part.
    pub low: u16,
    /// The indices of the high parts, one for each roll.
    pub high: Range<usize>,
}

/// The different parts of rolls that one half of the faces makes: how many dice show each face.
#[derive(Clone, Debug)]
pub(crate) struct Parts {
    /// The number of parts.
    pub len: u16,
    /// The upper boxes of these faces, as slots of [`Upper`], each with the number of dice that show its face in every
    /// part.
    pub boxes: Vec<(u8, Vec<u8>)>,
}

impl Halves {
    pub fn new(lattice: &Lattice, upper: &Upper) -> Halves {
        let middle = lattice.faces() / 2;
        let [low, high] = [1..=middle, middle + 1..=lattice.faces()].map(|faces| {
            faces.map(|pips| Face::new(pips).expect("a face of the lattice")).collect::<Vec<_>>()
        });
        let mut found: [Vec<Vec<u8>>; 2] = [Vec::new(), Vec::new()];
        let mut runs: Vec<Run> = Vec::new();
        for roll in lattice.rolls() {
            let dice = &lattice.keeps()[roll];
            let mut part_index = |half: usize, faces: &[Face]| {
                let counts: Vec<u8> = faces.iter().map(|&face| dice.count(face)).collect();
                let known = found[half].iter().position(|part| *part == counts);
                known.unwrap_or_else(|| {
                    found[half].push(counts);
                    found[half].len() - 1
                }) as u16
            };
            let (low, high) = (part_index(0, &low), usize::from(part_index(1, &high)));
            match runs.last_mut() {
                Some(run) if run.low == low && run.high.end == high => run.high.end += 1,
                _ => runs.push(Run { low, high: high..high + 1 }),
            }
        }
        let parts = [(low, &found[0]), (high, &found[1])].map(|(faces, parts)| {
            let counts = |nth: usize| parts.iter().map(|part| part[nth]).collect();
            let boxes = faces.iter().enumerate();
            Parts {
                len: parts.len() as u16,
                boxes: boxes
                    .filter_map(|(nth, &face)| Some((upper.slot_of_face(face)?, counts(nth))))
                    .collect(),
            }
        });
        Halves { parts, runs }
    }
}
