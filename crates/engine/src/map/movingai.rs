//! The `.map` format of the MovingAI benchmarks: a header of four lines, then one line per row.

use super::format::recognise;
use super::{MAX_CELLS, MapError, Terrain, TextPosition, TileMap};
use std::fmt::Write as _;

impl TileMap {
    /// Reads a MovingAI `.map` text. Skips a byte-order mark at the start.
    ///
    /// ```
    /// use pursuit_engine::map::{Cell, TileMap};
    /// let map = TileMap::parse("type octile\nheight 2\nwidth 3\nmap\n..@\n.T.\n")?;
    /// assert!(map.is_passable(Cell::new(2, 1)));
    /// assert!(!map.is_passable(Cell::new(1, 1)));
    /// # Ok::<(), pursuit_engine::map::MapError>(())
    /// ```
    ///
    /// # Errors
    /// Each error carries its position: a header line is missing or different, a side is not a number
    /// from 1 to 65,535, there are more than [`MAX_CELLS`] cells, a row has a wrong length, a character
    /// is unknown, a row is missing, or there is text after the last row.
    pub fn parse(text: &str) -> Result<Self, MapError> {
        let mut lines = LineReader::new(without_bom(text));
        lines.keyword("type octile").map_err(|error| MapError {
            found: recognise(text).map_or(error.found, str::to_owned),
            ..error
        })?;
        let height_line = lines.next_line("the line `height N`")?;
        let height = side(&height_line, "height")?;
        let width_line = lines.next_line("the line `width N`")?;
        let width = side(&width_line, "width")?;
        lines.keyword("map")?;

        let mut map = Self::filled(width, height, Terrain::Void).ok_or_else(|| {
            MapError::new(
                TextPosition::new(width_line.number, 1),
                format!("at most {MAX_CELLS} cells"),
                format!("{width} x {height}"),
            )
        })?;
        for y in 0..height {
            let line = lines.next_line(&format!("row {y} of {height}"))?;
            parse_row(&mut map, y, &line)?;
        }
        if let Some(line) = lines.rest().find(|line| !line.text.trim().is_empty()) {
            return Err(MapError::new(
                TextPosition::new(line.number, 1),
                format!("the end of the map after {height} rows"),
                format!("`{}`", shortened(line.text)),
            ));
        }
        Ok(map)
    }

    /// Writes the map as a MovingAI `.map` text. [`TileMap::parse`] reads it back, except for
    /// walls (`#`): the format lacks them, so they become `@`.
    #[must_use]
    pub fn to_movingai(&self) -> String {
        let mut out = String::new();
        let (width, height) = (self.width(), self.height());
        // Writing to a string cannot fail.
        let _ = writeln!(out, "type octile\nheight {height}\nwidth {width}\nmap");
        for cell in self.cells() {
            let symbol = match self.terrain(cell) {
                Some(Terrain::Wall) | None => '@',
                Some(terrain) => terrain.symbol(),
            };
            out.push(symbol);
            if cell.x + 1 == width {
                out.push('\n');
            }
        }
        out
    }
}

struct Line<'t> {
    number: usize,
    text: &'t str,
}

struct LineReader<'t> {
    lines: std::iter::Enumerate<std::str::Lines<'t>>,
    count: usize,
}

impl<'t> LineReader<'t> {
    fn new(text: &'t str) -> Self {
        Self {
            lines: text.lines().enumerate(),
            count: text.lines().count(),
        }
    }

    fn next_line(&mut self, expected: &str) -> Result<Line<'t>, MapError> {
        let after_last = TextPosition::new(self.count + 1, 1);
        self.rest()
            .next()
            .ok_or_else(|| MapError::new(after_last, expected, "the end of the text"))
    }

    fn rest(&mut self) -> impl Iterator<Item = Line<'t>> {
        self.lines.by_ref().map(|(index, text)| Line {
            number: index + 1,
            text,
        })
    }

    fn keyword(&mut self, keyword: &str) -> Result<(), MapError> {
        let expected = format!("the line `{keyword}`");
        let line = self.next_line(&expected)?;
        if line.text.trim_end() == keyword {
            return Ok(());
        }
        Err(MapError::new(
            TextPosition::new(line.number, 1),
            expected,
            format!("`{}`", shortened(line.text)),
        ))
    }
}

fn side(line: &Line<'_>, name: &str) -> Result<u16, MapError> {
    let wrong = |column, found: &str| {
        MapError::new(
            TextPosition::new(line.number, column),
            format!("`{name} N` with N from 1 to 65535"),
            format!("`{}`", shortened(found)),
        )
    };
    let Some(number) = line
        .text
        .strip_prefix(name)
        .and_then(|s| s.strip_prefix(' '))
    else {
        return Err(wrong(1, line.text));
    };
    match number.trim().parse::<u16>() {
        Ok(side) if side > 0 => Ok(side),
        _ => Err(wrong(name.len() + 2, number)),
    }
}

fn parse_row(map: &mut TileMap, y: u16, line: &Line<'_>) -> Result<(), MapError> {
    let width = usize::from(map.width());
    let mut length = 0;
    for (x, symbol) in line.text.chars().enumerate() {
        length = x + 1;
        if length > width {
            break;
        }
        // `#` exists only in the RON level format.
        let terrain = Terrain::from_symbol(symbol)
            .filter(|&t| t != Terrain::Wall)
            .ok_or_else(|| {
                MapError::new(
                    TextPosition::new(line.number, length),
                    "one of `.GS@OTW`",
                    format!("{symbol:?}"),
                )
            })?;
        let x = u16::try_from(x).unwrap_or(u16::MAX); // x < width, which is a u16
        map.set(super::Cell { x, y }, terrain);
    }
    if length == width {
        return Ok(());
    }
    let all = line.text.chars().count();
    Err(MapError::new(
        TextPosition::new(line.number, length.min(width) + 1),
        format!("a row of {width} characters"),
        format!("{all} characters"),
    ))
}

/// The text without the byte-order mark that some editors write at the start of a file.
pub(super) fn without_bom(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// At most the first 40 characters of a text, for error messages.
pub(super) fn shortened(text: &str) -> String {
    const MAX_CHARS: usize = 40;
    let mut short: String = text.chars().take(MAX_CHARS).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}
