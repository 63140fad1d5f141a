//! The grid of a level, whose blocks become the vertices of the next level.

use crate::graph::Vertex;
use crate::map::Moves;

/// The vertices of a level that represent the cells in regularly spaced columns and rows. Its blocks become the vertices of the
/// next level where they are cliques, so that the vertices of all levels form a grid on open ground.
#[derive(Debug, Clone, Default)]
pub(super) struct Grid {
    pub(super) width: usize,
    /// Row by row; [`NONE`](super::level::NONE) for walls.
    pub(super) vertices: Vec<Vertex>,
    pub(super) block: Block,
}

/// The shape of the blocks of a grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Block {
    /// Two by two. On the grid of level L, vertices lie 2^L columns and rows apart.
    #[default]
    Square,
    /// Two columns. With orthogonal moves, the largest cliques of the grid are pairs; with hexagonal ones, no larger cliques
    /// cover the grid evenly.
    Wide,
    /// Two rows. They alternate with two columns: with one of these alone, vertices would become long strips.
    High,
}

impl Block {
    pub(super) const fn first(moves: Moves) -> Self {
        match moves {
            Moves::Octile => Self::Square,
            Moves::Orthogonal | Moves::Hexagonal(_) => Self::Wide,
        }
    }

    /// The blocks of the next level.
    pub(super) const fn next(self) -> Self {
        match self {
            Self::Square => Self::Square,
            Self::Wide => Self::High,
            Self::High => Self::Wide,
        }
    }

    const fn columns(self) -> usize {
        match self {
            Self::Square | Self::Wide => 2,
            Self::High => 1,
        }
    }

    const fn rows(self) -> usize {
        match self {
            Self::Square | Self::High => 2,
            Self::Wide => 1,
        }
    }
}

impl Grid {
    /// The number of whole blocks.
    pub(super) fn blocks(&self) -> usize {
        let (columns, rows) = self.size_in_blocks();
        columns * rows
    }

    /// The number of vertices of the grid of the next level.
    pub(super) fn next_places(&self) -> usize {
        let (columns, rows) = self.next_size();
        columns * rows
    }

    /// The numbers of columns and rows of whole blocks.
    pub(super) fn size_in_blocks(&self) -> (usize, usize) {
        (
            self.width / self.block.columns(),
            self.height() / self.block.rows(),
        )
    }

    /// The numbers of columns and rows of the grid of the next level.
    pub(super) fn next_size(&self) -> (usize, usize) {
        (
            self.width.div_ceil(self.block.columns()),
            self.height().div_ceil(self.block.rows()),
        )
    }

    fn height(&self) -> usize {
        self.vertices.len() / self.width.max(1)
    }

    /// The first vertex of a block.
    pub(super) fn corner(&self, column: usize, row: usize) -> usize {
        row * self.block.rows() * self.width + column * self.block.columns()
    }

    /// Returns what `of` returns for the vertices of a block, row by row.
    pub(super) fn with_block<T>(
        &self,
        column: usize,
        row: usize,
        of: impl FnOnce(&[Vertex]) -> T,
    ) -> T {
        let first = self.corner(column, row);
        let below = first + self.width;
        let at = |place: usize| self.vertices[place];
        match self.block {
            Block::Square => of(&[first, first + 1, below, below + 1].map(at)),
            Block::Wide => of(&[first, first + 1].map(at)),
            Block::High => of(&[first, below].map(at)),
        }
    }
}
