//! The serde format of a graph: its cells only; edges and fingerprint are recomputed.

use super::{Graph, Vertex};
use crate::map::{Cell, MAX_CELLS, MapRules, Moves, Walker};
use serde::{Deserialize, Serialize, Serializer};
use thiserror::Error;

/// A graph in its saved form, without what follows from the cells (edges, fingerprint).
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SavedGraph {
    moves: Moves,
    width: u16,
    height: u16,
    /// One bit per cell, row by row: set for the initial vertices, which are numbered row by row.
    first: Vec<u8>,
    /// The cells of the later vertices, in the order of their numbers.
    later: Vec<u32>,
    /// One bit per vertex number: set if the cell is passable, whoever may enter it.
    live: Vec<u8>,
    /// What the map says besides its passable cells.
    rules: MapRules,
    /// The agents that walk on the graph.
    walker: Walker,
}

/// Why saved data is not a valid [`Graph`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum InvalidGraph {
    /// The map has no cells or too many cells.
    #[error("a map of {width} x {height} cells: expected 1 to {MAX_CELLS}")]
    Size {
        /// Columns.
        width: u16,
        /// Rows.
        height: u16,
    },
    /// A bit list has the wrong length.
    #[error("{found} bytes: expected one bit for each of {expected} cells or vertices")]
    Bits {
        /// The length in bytes.
        found: usize,
        /// The expected number of bits.
        expected: usize,
    },
    /// A cell is not on the map.
    #[error("cell {0} is not on the map")]
    Cell(u32),
    /// A cell has two vertex numbers.
    #[error("cell {0} is numbered twice")]
    Twice(u32),
}

impl Serialize for Graph {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        SavedGraph::from(self).serialize(serializer)
    }
}

impl From<&Graph> for SavedGraph {
    fn from(graph: &Graph) -> Self {
        let cells: Vec<usize> = graph.cell_of.iter().map(|&c| graph.cell_index(c)).collect();
        let sorted = cells.windows(2).position(|pair| pair[0] >= pair[1]);
        let (early, later) = cells.split_at(sorted.map_or(cells.len(), |last| last + 1));
        let floor: Vec<bool> = graph.cell_of.iter().map(|&c| graph.is_floor(c)).collect();
        let mut is_early = vec![false; graph.vertex_of.len()];
        for &cell in early {
            is_early[cell] = true;
        }
        Self {
            moves: graph.moves,
            width: graph.width,
            height: graph.height,
            first: packed(&is_early),
            later: later.iter().map(|&cell| cell as u32).collect(),
            live: packed(&floor),
            rules: graph.rules(),
            walker: graph.walker,
        }
    }
}

impl TryFrom<SavedGraph> for Graph {
    type Error = InvalidGraph;

    /// Memory is proportional to the input: 5 bytes per bit of `first` and at most 43 per vertex.
    fn try_from(saved: SavedGraph) -> Result<Self, InvalidGraph> {
        let (width, height) = (saved.width, saved.height);
        let cells = usize::from(width) * usize::from(height);
        if cells == 0 || cells > MAX_CELLS {
            return Err(InvalidGraph::Size { width, height });
        }
        let early = unpacked(&saved.first, cells)?;
        let mut graph = Self::without_floor(width, height, saved.moves);
        graph.set_walker(saved.walker);
        let early = early
            .enumerate()
            .filter_map(|(cell, set)| set.then_some(cell as u32));
        for index in early.chain(saved.later.iter().copied()) {
            let Some(cell) = graph.cell_at(index) else {
                return Err(InvalidGraph::Cell(index));
            };
            if graph.numbered(cell).is_some() {
                return Err(InvalidGraph::Twice(index));
            }
            graph.number(cell);
        }
        for (index, is_live) in unpacked(&saved.live, graph.slots())?.enumerate() {
            if is_live {
                graph.open(graph.cell(Vertex(index as u32)));
            }
        }
        graph.install_rules(&saved.rules);
        graph.relink_all();
        Ok(graph)
    }
}

impl Graph {
    /// The cell with this row-major index, `None` off the map.
    fn cell_at(&self, index: u32) -> Option<Cell> {
        let (x, y) = (index % u32::from(self.width), index / u32::from(self.width));
        let y = u16::try_from(y).ok().filter(|&y| y < self.height);
        y.map(|y| Cell::new(x as u16, y))
    }
}

/// Packs bits into bytes, the first bit in the lowest position.
pub(crate) fn packed(bits: &[bool]) -> Vec<u8> {
    let byte = |bits: &[bool]| {
        let bits = bits.iter().enumerate();
        bits.fold(0, |byte, (place, &bit)| byte | u8::from(bit) << place)
    };
    bits.chunks(8).map(byte).collect()
}

/// Unpacks the expected number of bits; an error if the number of bytes does not fit.
pub(crate) fn unpacked(
    bytes: &[u8],
    expected: usize,
) -> Result<impl Iterator<Item = bool> + '_, InvalidGraph> {
    let found = bytes.len();
    if found != expected.div_ceil(8) {
        return Err(InvalidGraph::Bits { found, expected });
    }
    let bits = bytes
        .iter()
        .flat_map(|byte| (0..8).map(move |place| byte >> place & 1 == 1));
    Ok(bits.take(expected))
}
