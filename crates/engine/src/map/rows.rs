//! Maps from rows of characters, for maps that a game has in its code.

use super::{Cell, MAX_CELLS, MapError, Terrain, TextPosition, TileMap};

impl TileMap {
    /// A map from rows of characters, the top row first. A character is floor where `is_floor` says so, and a wall
    /// elsewhere.
    ///
    /// ```
    /// use pursuit_engine::map::{Cell, TileMap};
    /// const ROWS: [&str; 3] = ["....", ".##.", "...."];
    /// let map = TileMap::from_rows(&ROWS, |c| c != '#')?;
    /// assert_eq!((map.width(), map.height()), (4, 3));
    /// assert!(!map.is_passable(Cell::new(1, 1)));
    /// # Ok::<(), pursuit_engine::map::MapError>(())
    /// ```
    ///
    /// # Errors
    /// If there are no rows, a row has another length than the first one, a side is longer than 65,535, or there are more
    /// than [`MAX_CELLS`] cells. The error names the row as a line.
    pub fn from_rows(
        rows: &[impl AsRef<str>],
        is_floor: impl Fn(char) -> bool,
    ) -> Result<Self, MapError> {
        let columns = rows.first().map_or(0, |row| row.as_ref().chars().count());
        let size = u16::try_from(columns)
            .ok()
            .zip(u16::try_from(rows.len()).ok());
        let map = size.and_then(|(width, height)| Self::filled(width, height, Terrain::Wall));
        let mut map = map.ok_or_else(|| {
            MapError::new(
                TextPosition::new(1, 1),
                format!("1 to {MAX_CELLS} cells, at most 65535 on a side"),
                format!("{} rows of {columns} cells", rows.len()),
            )
        })?;
        for (y, row) in (0..).zip(rows) {
            let found = row.as_ref().chars().count();
            if found != columns {
                return Err(MapError::new(
                    TextPosition::new(usize::from(y) + 1, found.min(columns) + 1),
                    format!("{columns} cells as in the first row"),
                    format!("{found}"),
                ));
            }
            for (x, _) in (0..)
                .zip(row.as_ref().chars())
                .filter(|&(_, c)| is_floor(c))
            {
                map.set(Cell::new(x, y), Terrain::Floor);
            }
        }
        Ok(map)
    }
}
