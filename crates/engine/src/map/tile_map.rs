//! A rectangle of terrain cells, and cell coordinates.

use super::{MapRules, Terrain};
use serde::{Deserialize, Serialize};

/// The maximum number of cells of a map: 2^24, for example 4,096 x 4,096.
pub const MAX_CELLS: usize = 1 << 24;

/// A cell of a map: column `x`, row `y`, both from 0 at the top left, as in the MovingAI format.
///
/// Cells are ordered row by row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cell {
    /// The column, from 0 at the left.
    pub x: u16,
    /// The row, from 0 at the top.
    pub y: u16,
}

impl Cell {
    /// The cell in column `x` and row `y`.
    #[must_use]
    pub const fn new(x: u16, y: u16) -> Self {
        Self { x, y }
    }

    /// The cell at distance `(dx, dy)`, or `None` outside the range of coordinates.
    #[must_use]
    pub fn offset(self, dx: i32, dy: i32) -> Option<Self> {
        let moved = |from: u16, by: i32| u16::try_from(i32::from(from).checked_add(by)?).ok();
        Some(Self {
            x: moved(self.x, dx)?,
            y: moved(self.y, dy)?,
        })
    }

    /// The maximum norm of the difference, which is the number of octile steps on an empty map.
    #[must_use]
    pub fn max_norm(self, other: Self) -> u32 {
        let dx = self.x.abs_diff(other.x);
        let dy = self.y.abs_diff(other.y);
        u32::from(dx.max(dy))
    }

    /// The square of the Euclidean distance.
    #[must_use]
    pub fn squared_distance(self, other: Self) -> u64 {
        let dx = u64::from(self.x.abs_diff(other.x));
        let dy = u64::from(self.y.abs_diff(other.y));
        dx * dx + dy * dy
    }
}

impl PartialOrd for Cell {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Cell {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.y, self.x).cmp(&(other.y, other.x))
    }
}

/// A rectangle of 1 to [`MAX_CELLS`] cells, each with a terrain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TileMap {
    width: u16,
    height: u16,
    terrain: Vec<Terrain>,
    rules: MapRules,
}

impl TileMap {
    /// Creates a map of one terrain; `None` if a side is 0 or there would be more than [`MAX_CELLS`].
    #[must_use]
    pub fn filled(width: u16, height: u16, terrain: Terrain) -> Option<Self> {
        let cells = usize::from(width) * usize::from(height);
        (cells > 0 && cells <= MAX_CELLS).then(|| Self {
            width,
            height,
            terrain: vec![terrain; cells],
            rules: MapRules::default(),
        })
    }

    /// The number of columns, at least 1.
    #[must_use]
    pub const fn width(&self) -> u16 {
        self.width
    }

    /// The number of rows, at least 1.
    #[must_use]
    pub const fn height(&self) -> u16 {
        self.height
    }

    /// Returns whether the cell is on the map.
    #[must_use]
    pub const fn contains(&self, cell: Cell) -> bool {
        cell.x < self.width && cell.y < self.height
    }

    /// The terrain of a cell, `None` off the map.
    #[must_use]
    pub fn terrain(&self, cell: Cell) -> Option<Terrain> {
        let index = self.index(cell)?;
        self.terrain.get(index).copied()
    }

    /// Returns whether an agent can stand on the cell; `false` off the map.
    #[must_use]
    pub fn is_passable(&self, cell: Cell) -> bool {
        self.terrain(cell).is_some_and(Terrain::is_passable)
    }

    /// Changes the terrain of a cell; does nothing off the map.
    pub fn set(&mut self, cell: Cell, terrain: Terrain) {
        if let Some(index) = self.index(cell) {
            self.terrain[index] = terrain;
        }
    }

    /// What the map says about steps and sight besides its terrain.
    #[must_use]
    pub const fn rules(&self) -> &MapRules {
        &self.rules
    }

    /// What the map says about steps and sight besides its terrain, to change it. A graph leaves out what does not
    /// [fit](super::MapEdit::fits) the map.
    pub const fn rules_mut(&mut self) -> &mut MapRules {
        &mut self.rules
    }

    /// All cells, row by row.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let (width, height) = (self.width, self.height);
        (0..height).flat_map(move |y| (0..width).map(move |x| Cell { x, y }))
    }

    fn index(&self, cell: Cell) -> Option<usize> {
        self.contains(cell)
            .then(|| usize::from(cell.y) * usize::from(self.width) + usize::from(cell.x))
    }
}
