//! The origins of a cop's moves for sets of places that are stored as bits.

use pursuit_engine::solve::ReachableGraph;
use std::collections::BTreeMap;

/// Moves some bits of a word to a word of origins.
#[derive(Debug, Clone, Copy)]
struct Shift {
    from: u32,
    /// The bits move up by this number; down if it is negative.
    up: i8,
    /// The origins that these moves come from.
    mask: u64,
}

/// The number of sets that are moved at once, so that they stay in registers.
pub(super) const LANES: usize = 16;

/// A set of places of a cop for each of some places of the robber.
pub(super) type Block = [u64; LANES];

/// All moves between a list of places, grouped by the distance that their bits move.
///
/// On a map whose places are in the order of its rows, neighbours differ by few distances, so that about
/// twenty shifts of 64 bits undo the moves from all places of a word.
#[derive(Debug)]
pub(super) struct Shifts {
    starts: Vec<u32>,
    shifts: Vec<Shift>,
}

impl Shifts {
    /// Lists the moves between `places`, which are in ascending order.
    pub(super) fn new(graph: &ReachableGraph, places: &[u16]) -> Self {
        let (mut starts, mut shifts) = (vec![0], Vec::new());
        for word in places.chunks(64) {
            let mut masks = BTreeMap::new();
            for (bit, &place) in word.iter().enumerate() {
                for &to in graph.cop_moves(place) {
                    if let Ok(to) = places.binary_search(&(to as u16)) {
                        let up = bit as i8 - (to % 64) as i8;
                        *masks.entry(((to / 64) as u32, up)).or_insert(0) |= 1 << bit;
                    }
                }
            }
            shifts.extend(
                masks
                    .into_iter()
                    .map(|((from, up), mask)| Shift { from, up, mask }),
            );
            starts.push(shifts.len() as u32);
        }
        Self { starts, shifts }
    }

    pub(super) fn bytes(&self) -> u64 {
        (self.starts.len() * size_of::<u32>() + self.shifts.len() * size_of::<Shift>()) as u64
    }

    /// The words from which moves lead to a word of origins, some of them several times.
    pub(super) fn sources(&self, word: usize) -> impl Iterator<Item = usize> + '_ {
        self.of(word).iter().map(|shift| shift.from as usize)
    }

    fn of(&self, word: usize) -> &[Shift] {
        &self.shifts[self.starts[word] as usize..self.starts[word + 1] as usize]
    }

    /// Undoes the moves to a word of origins. `sets` has a block for each word; it is `None` if all sets are
    /// empty.
    #[inline]
    pub(super) fn undo<'a>(&self, word: usize, sets: impl Fn(usize) -> Option<&'a Block>) -> Block {
        let mut origins = [0; LANES];
        for shift in self.of(word) {
            let Some(sets) = sets(shift.from as usize) else {
                continue;
            };
            let (mask, by) = (shift.mask, u32::from(shift.up.unsigned_abs()));
            if shift.up >= 0 {
                for (origin, set) in origins.iter_mut().zip(sets) {
                    *origin |= set.wrapping_shl(by) & mask;
                }
            } else {
                for (origin, set) in origins.iter_mut().zip(sets) {
                    *origin |= set.wrapping_shr(by) & mask;
                }
            }
        }
        origins
    }
}
