//! How a game is divided into parts, and the memory that this needs.

use keepers::Game;
use keepers::internals::solve::Partition;
use keepers::internals::turn::Number;

use super::Curves;
use crate::error::StoreError;

/// How to divide a game into parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Division {
    /// Fix as few boxes as possible, so that the table can be solved with this many bytes of memory. If possible, half of
    /// that is left for parts that are needed again later.
    Within(usize),
    /// Fix this many boxes.
    Fixed(usize),
}

/// Memory for the states of the game and the program itself.
const FIXED_BYTES: usize = 256 << 20;

const GIB: f64 = (1_u64 << 30) as f64;

/// A part that is solved exists twice for a moment (by group, and joined), and encoded: once as frames, once as an object,
/// and once as an object that is being written. Encoded curves have at most the size of those in memory.
const COPIES: usize = 5;

/// Returns the size of the largest part, in bytes.
fn largest_part<T: Number>(partition: &Partition) -> usize {
    partition.parts().map(|part| partition.size(part).bytes::<T>()).max().unwrap_or(0)
}

/// Returns the memory that a division needs, in bytes: for the largest part and its inputs, and for buffers.
pub fn needed_memory<T: Number>(partition: &Partition) -> usize {
    FIXED_BYTES + partition.largest::<T>() + (COPIES - 1) * largest_part::<T>(partition)
}

/// Returns the part of `memory` that parts can stay in until they are needed again.
pub(super) fn cache_bytes<T: Number>(partition: &Partition, memory: usize) -> usize {
    memory.saturating_sub(FIXED_BYTES + COPIES * largest_part::<T>(partition))
}

impl Division {
    /// Divides a game for curves with values of type `T`.
    pub(super) fn of<T: Number>(self, game: &Game, curves: Curves) -> Result<Partition, StoreError> {
        let boxes = game.space().boxes();
        let divided = |count: usize| curves.of_partition(Partition::with_fixed(game, count));
        let memory = match self {
            Division::Within(memory) => memory,
            Division::Fixed(count) if count <= boxes => return Ok(divided(count)),
            Division::Fixed(count) => {
                let name = game.rules().name();
                return Err(StoreError::Request(format!(
                    "{name} has {boxes} boxes: {count} cannot be fixed"
                )));
            }
        };
        let half = FIXED_BYTES + memory.saturating_sub(FIXED_BYTES) / 2;
        let mut fitting = None;
        let mut least = usize::MAX;
        for count in 0..=boxes {
            let partition = divided(count);
            let needed = needed_memory::<T>(&partition);
            if needed <= half {
                return Ok(partition);
            }
            if needed <= memory && fitting.is_none() {
                fitting = Some(partition);
            }
            least = least.min(needed);
        }
        fitting.ok_or_else(|| too_little(game, least, memory))
    }
}

pub(super) fn too_little(game: &Game, needed: usize, memory: usize) -> StoreError {
    StoreError::Request(format!(
        "the parts of {} need {:.1} GiB of memory, more than the limit of {:.1} GiB: raise --memory",
        game.rules().name(),
        needed as f64 / GIB,
        memory as f64 / GIB,
    ))
}
