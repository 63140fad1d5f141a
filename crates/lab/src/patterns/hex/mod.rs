//! The game of Hex: patterns that connect two stones.

use super::game::{Board, Layer, PatternGame, Placed};
use super::pattern::{Code, Kind, NO_PIECE, Pieces};
use super::set::CodeSet;
use super::shape::{Shape, Site, Symmetry};

/// The symbol of an empty hexagon.
pub const EMPTY: u8 = 0;
/// The symbol of a red stone. Red is the side that connects.
pub const RED: u8 = 1;
/// The symbol of a blue stone. Blue is the other side.
pub const BLUE: u8 = 2;

/// The connection of two red stones in Hex (T. Cazenave, *Retrograde analysis of patterns versus
/// metaprogramming*, sections 2 and 3).
///
/// The pieces are the two stones to be connected, the *ends*. Any stone of a string can represent the string.
/// Of several placements that differ only in this choice, one has the pattern. All hexagons outside the shape
/// count as blue. Cells have axial coordinates: the neighbours of (0, 0) are (1, 0), (0, 1), (-1, 1), and their
/// opposites.
#[derive(Debug, Clone)]
pub struct Hex {
    cells: usize,
    symmetries: Vec<Symmetry>,
}

/// The neighbours of a hexagon.
const NEIGHBOURS: [Site; 6] = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)];

/// The greatest number of hexagons of a shape. More hexagons take hours.
pub const MAX_HEXAGONS: usize = 9;

impl Hex {
    /// The game on all connected shapes of 2 to `cells` hexagons, at most [`MAX_HEXAGONS`].
    #[must_use]
    pub fn new(cells: usize) -> Self {
        Self {
            cells: cells.min(MAX_HEXAGONS),
            symmetries: Symmetry::of_hexagons(),
        }
    }

    /// The blue moves that prevent the connection in one move (*forced moves*; section 4.2 of the paper). After
    /// any other blue move, Red can still connect. `code` is a ground code of the set `in_one`.
    #[must_use]
    pub fn preventing(placed: &Placed<'_>, in_one: &CodeSet, code: usize) -> Vec<usize> {
        let cells = 0..placed.board.shape.cells();
        let board = placed.board;
        let prevents = |&cell: &usize| {
            board.symbol(code, cell) == usize::from(EMPTY)
                && !in_one.contains(code + usize::from(BLUE) * board.powers[cell])
        };
        cells.filter(prevents).collect()
    }

    /// Draws a pattern as text, one row of hexagons for each line. Each line is shifted half a hexagon to the
    /// right of the line before. `O` is an end, `r` another red stone, `b` a blue stone, `.` an empty hexagon
    /// and `*` a don't-care hexagon.
    #[must_use]
    pub fn drawn(shape: &Shape, pieces: &Pieces, code: Code) -> String {
        let (width, height) = shape.span();
        let mut text = String::new();
        for y in 0..height {
            let mut line = " ".repeat(usize::from(y));
            for x in 0..width {
                let number = shape.number((x.cast_signed(), y.cast_signed()));
                line.push(match number {
                    None => ' ',
                    Some(cell) if pieces.contains(&(cell as u8)) => 'O',
                    Some(cell) => match code.symbol(cell) {
                        Some(EMPTY) => '.',
                        Some(RED) => 'r',
                        Some(_) => 'b',
                        None => '*',
                    },
                });
                line.push(' ');
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
}

/// The cells of a shape that are adjacent to a cell.
fn beside(shape: &Shape, cell: usize) -> impl Iterator<Item = usize> + '_ {
    let (x, y) = shape.sites()[cell];
    let near = NEIGHBOURS.into_iter();
    near.filter_map(move |(dx, dy)| shape.number((x + dx, y + dy)))
}

fn is_connected(shape: &Shape, cells: &[usize]) -> bool {
    let Some(&first) = cells.first() else {
        return false;
    };
    let mut reached = vec![first];
    let mut next = 0;
    while next < reached.len() {
        for cell in beside(shape, reached[next]) {
            if cells.contains(&cell) && !reached.contains(&cell) {
                reached.push(cell);
            }
        }
        next += 1;
    }
    reached.len() == cells.len()
}

/// The two ends of a placement.
fn ends(pieces: Pieces) -> [usize; 2] {
    [usize::from(pieces[0]), usize::from(pieces[1])]
}

/// Returns whether the ends are red. They are red in all legal positions.
fn is_legal(placed: &Placed<'_>, code: usize) -> bool {
    let ends = ends(*placed.pieces);
    ends.iter()
        .all(|&end| placed.board.symbol(code, end) == usize::from(RED))
}

/// Returns whether red stones connect the ends.
fn connects(placed: &Placed<'_>, code: usize) -> bool {
    let (board, [from, to]) = (placed.board, ends(*placed.pieces));
    let mut reached = 1_u32 << from;
    loop {
        let mut wider = reached;
        for cell in (0..board.shape.cells()).filter(|&cell| reached >> cell & 1 == 1) {
            for near in beside(&board.shape, cell) {
                if board.symbol(code, near) == usize::from(RED) {
                    wider |= 1 << near;
                }
            }
        }
        if wider >> to & 1 == 1 || wider == reached {
            return wider >> to & 1 == 1;
        }
        reached = wider;
    }
}

/// The ground codes after a stone is placed, one for each empty hexagon.
fn after(board: &Board, code: usize, stone: u8) -> impl Iterator<Item = usize> + '_ {
    let empty = (0..board.shape.cells())
        .filter(move |&cell| board.symbol(code, cell) == usize::from(EMPTY));
    empty.map(move |cell| code + usize::from(stone) * board.powers[cell])
}

impl PatternGame for Hex {
    fn symbols(&self) -> u8 {
        3
    }

    fn piece_symbol(&self) -> u8 {
        RED
    }

    fn symmetries(&self) -> &[Symmetry] {
        &self.symmetries
    }

    fn shapes(&self) -> Vec<Shape> {
        let mut all = Vec::new();
        let mut last = vec![Shape::new(&[(0, 0)])];
        for _ in 2..=self.cells {
            let mut larger = Vec::new();
            for shape in &last {
                for &(x, y) in shape.sites() {
                    for (dx, dy) in NEIGHBOURS {
                        let site = (x + dx, y + dy);
                        if shape.number(site).is_none() {
                            let sites: Vec<Site> =
                                shape.sites().iter().copied().chain([site]).collect();
                            larger.push(Shape::canonical(&sites, &self.symmetries).shape);
                        }
                    }
                }
            }
            larger.sort_unstable();
            larger.dedup();
            all.extend_from_slice(&larger);
            last = larger;
        }
        all
    }

    fn parts(&self, shape: &Shape) -> Vec<Vec<usize>> {
        let without = |gone: usize| {
            (0..shape.cells())
                .filter(|&cell| cell != gone)
                .collect::<Vec<_>>()
        };
        let parts = (0..shape.cells()).map(without);
        parts
            .filter(|cells| cells.len() > 1 && is_connected(shape, cells))
            .collect()
    }

    fn placements(&self, shape: &Shape) -> Vec<Pieces> {
        let cells = shape.cells() as u8;
        let pair = |(a, b)| [a, b, NO_PIECE, NO_PIECE];
        (0..cells)
            .flat_map(|a| (a + 1..cells).map(move |b| (a, b)))
            .map(pair)
            .collect()
    }

    fn sorted(&self, mut pieces: Pieces) -> Pieces {
        pieces.sort_unstable();
        pieces
    }

    fn kinds(&self) -> &[Kind] {
        &Kind::ALL
    }

    fn goal(&self, placed: &Placed<'_>) -> CodeSet {
        CodeSet::of(placed.board.codes, |code| {
            is_legal(placed, code) && connects(placed, code)
        })
    }

    fn attack(&self, placed: &Placed<'_>, won: &Layer) -> CodeSet {
        let Some(won) = won.of(placed.board, placed.pieces) else {
            return CodeSet::empty(placed.board.codes);
        };
        CodeSet::of(placed.board.codes, |code| {
            is_legal(placed, code) && after(placed.board, code, RED).any(|next| won.contains(next))
        })
    }

    fn defend(&self, placed: &Placed<'_>, won: &Layer) -> CodeSet {
        let Some(won) = won.of(placed.board, placed.pieces) else {
            return CodeSet::empty(placed.board.codes);
        };
        // The check moves of figure 5. A move outside the shape is no better for Blue than one inside.
        CodeSet::of(placed.board.codes, |code| {
            won.contains(code) && after(placed.board, code, BLUE).all(|next| won.contains(next))
        })
    }

    fn covered(&self, placed: &Placed<'_>, won: &Layer) -> CodeSet {
        let board = placed.board;
        let mut covered = CodeSet::empty(board.codes);
        let [a, b] = ends(*placed.pieces);
        for (end, other) in [(a, b), (b, a)] {
            for stone in beside(&board.shape, end).filter(|&stone| stone != other) {
                let same = self.sorted([stone as u8, other as u8, NO_PIECE, NO_PIECE]);
                let Some(won) = won.of(board, &same) else {
                    continue;
                };
                for code in 0..board.codes {
                    let is_string =
                        board.symbol(code, stone) == usize::from(RED) && is_legal(placed, code);
                    // The stone is enough without the end, or it represents the string because it has the lower
                    // number.
                    let alone = code + usize::from(BLUE - RED) * board.powers[end];
                    if is_string && (won.contains(alone) || stone < end && won.contains(code)) {
                        covered.insert(code);
                    }
                }
            }
        }
        covered
    }
}
