//! Cops and robber: windows of a map in which the robber is captured within a number of turns.

mod decisions;
mod guards;
mod lookup;
mod matcher;

pub use lookup::{Lookup, Search};
pub use matcher::Matcher;

use super::game::{Board, Layer, PatternGame, Placed};
use super::pattern::{Code, Kind, NO_PIECE, Pieces};
use super::set::CodeSet;
use super::shape::{Shape, Site, Symmetry};
use pursuit_engine::map::Moves;

/// The symbol of a wall.
pub const WALL: u8 = 0;
/// The symbol of floor.
pub const FLOOR: u8 = 1;

/// The greatest number of cells in a window: a set of its grounds then takes 2^20 bits.
pub const MAX_WINDOW: usize = 20;

/// The greatest number of cops in a pattern.
pub const MAX_COPS: u8 = 2;

/// The last turn from which a side of a window can be guarded.
pub const MAX_GUARDED: u8 = 3;

/// The four sides of a window, each as the step that leaves the window over it.
const SIDES: [Site; 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];

/// Captures by agents of speed 1 in windows of a map.
///
/// The pieces are the robber and one or two cops. Cells are wall or floor. The cops are the attacker: in
/// [`Kind::Won`] the robber is to move and is captured within some number of turns, whatever it does; in
/// [`Kind::InOne`] the cops are to move and capture the robber within that number of turns.
///
/// Nothing is assumed about the cells outside the window: a robber that can leave it has escaped, and no cop
/// enters it. One side may be *guarded from turn n*: a robber that leaves over this side with its nth move or a
/// later one is captured by the next move of the cops.
#[derive(Debug, Clone)]
pub struct PursuitWindows {
    moves: Moves,
    cops: u8,
    width: u8,
    height: u8,
    guarded: u8,
    symmetries: Vec<Symmetry>,
}

impl PursuitWindows {
    /// The game on windows of up to this width and height in cells, in either orientation. `guarded` is the last
    /// turn from which a side can be guarded; with 0, all sides are open.
    ///
    /// Returns `None` if a side is 0, if there are more than [`MAX_WINDOW`] cells, no cop or more than
    /// [`MAX_COPS`], if `guarded` is greater than [`MAX_GUARDED`], or for hexagons.
    #[must_use]
    pub fn new(moves: Moves, cops: u8, size: (u8, u8), guarded: u8) -> Option<Self> {
        let (width, height) = size;
        let cells = usize::from(width) * usize::from(height);
        let is_valid = (2..=MAX_WINDOW).contains(&cells)
            && (1..=MAX_COPS).contains(&cops)
            && guarded <= MAX_GUARDED
            && !matches!(moves, Moves::Hexagonal(_));
        is_valid.then(|| Self {
            moves,
            cops,
            width,
            height,
            guarded,
            symmetries: Symmetry::of_squares(),
        })
    }

    /// The side that a condition guards, and the turn from which it does.
    fn guarded_side(&self, condition: u8) -> Option<(usize, u8)> {
        guarded_side(self.guarded, condition)
    }

    fn condition(&self, side: usize, turn: u8) -> u8 {
        1 + side as u8 * self.guarded + turn - 1
    }

    /// Adds the grounds on which the cops from number `cop` on have moves that lead into `won`. `set` has the
    /// grounds on which the moves of the cops before them are possible.
    fn joint_moves(
        &self,
        placed: &Placed<'_>,
        won: &Layer,
        moved: Pieces,
        cop: usize,
        set: &CodeSet,
        found: &mut CodeSet,
    ) {
        let board = placed.board;
        let Some(from) = moved.get(cop).filter(|&&from| from != NO_PIECE) else {
            if let Some(won) = won.of(board, &self.sorted(moved)) {
                found.add_common(set, won);
            }
            return;
        };
        let from = usize::from(*from);
        for to in ends(board, self.moves, from) {
            let (Some(to), step) = (to.inside(board), to) else {
                continue;
            };
            let mut reached = set.clone();
            step.allow(board, from, &mut reached);
            if usize::from(moved[0]) == to {
                found.add(&reached);
                continue;
            }
            let mut moved = moved;
            moved[cop] = to as u8;
            self.joint_moves(placed, won, moved, cop + 1, &reached, found);
        }
    }
}

/// The side that a condition guards, and the turn from which it does. `guarded` is the last turn from which a
/// side can be guarded.
pub(super) fn guarded_side(guarded: u8, condition: u8) -> Option<(usize, u8)> {
    let number = condition.checked_sub(1)?;
    let side = number.checked_div(guarded)?;
    Some((usize::from(side), number % guarded + 1))
}

/// A step, or a wait.
#[derive(Debug, Clone, Copy)]
struct Step {
    to: Site,
    by: Site,
}

impl Step {
    fn inside(self, board: &Board) -> Option<usize> {
        board.shape.number(self.to)
    }

    /// Keeps the grounds on which the step is possible, as far as the cells of the window decide this.
    fn allow(self, board: &Board, from: usize, set: &mut CodeSet) {
        let (x, y) = board.shape.sites()[from];
        let (dx, dy) = self.by;
        for site in [self.to, (x + dx, y), (x, y + dy)] {
            if let Some(cell) = board.shape.number(site) {
                set.keep(&board.free[cell]);
            }
        }
    }
}

/// The moves from a cell; waiting comes first. Some moves lead outside the window.
fn ends(board: &Board, moves: Moves, from: usize) -> impl Iterator<Item = Step> + use<> {
    let (x, y) = board.shape.sites()[from];
    let steps = moves.steps().iter().map(|&(dx, dy)| (dx as i8, dy as i8));
    std::iter::once((0, 0)).chain(steps).map(move |by| Step {
        to: (x + by.0, y + by.1),
        by,
    })
}

/// The grounds on which all pieces stand on floor.
fn legal(placed: &Placed<'_>) -> CodeSet {
    let mut legal = CodeSet::full(placed.board.codes);
    for &piece in placed.pieces.iter().filter(|&&piece| piece != NO_PIECE) {
        legal.keep(&placed.board.free[usize::from(piece)]);
    }
    legal
}

impl PatternGame for PursuitWindows {
    fn symbols(&self) -> u8 {
        2
    }

    fn piece_symbol(&self) -> u8 {
        FLOOR
    }

    fn symmetries(&self) -> &[Symmetry] {
        &self.symmetries
    }

    fn shapes(&self) -> Vec<Shape> {
        let sizes =
            (1..=self.height).flat_map(|height| (1..=self.width).map(move |width| (width, height)));
        let sizes = sizes.filter(|&(width, height)| width * height > 1);
        let mut shapes: Vec<Shape> = sizes
            .map(|(width, height)| {
                let sites = Shape::rectangle(width, height);
                Shape::canonical(sites.sites(), &self.symmetries).shape
            })
            .collect();
        shapes.sort_unstable_by_key(|shape| (shape.cells(), shape.clone()));
        shapes.dedup();
        shapes
    }

    fn parts(&self, shape: &Shape) -> Vec<Vec<usize>> {
        let (width, height) = shape.span();
        let (right, bottom) = (width.cast_signed() - 1, height.cast_signed() - 1);
        let without = |gone: &dyn Fn(Site) -> bool| -> Vec<usize> {
            let cells = shape.sites().iter().enumerate();
            cells
                .filter(|&(_, &site)| !gone(site))
                .map(|(cell, _)| cell)
                .collect()
        };
        let mut parts = vec![
            without(&|site| site.0 == 0),
            without(&|site| site.0 == right),
            without(&|site| site.1 == 0),
            without(&|site| site.1 == bottom),
        ];
        parts.retain(|part| part.len() > 1);
        parts
    }

    fn placements(&self, shape: &Shape) -> Vec<Pieces> {
        let cells = shape.cells() as u8;
        let mut all = Vec::new();
        for robber in 0..cells {
            for first in (0..cells).filter(|&cop| cop != robber) {
                all.push([robber, first, NO_PIECE, NO_PIECE]);
                if self.cops > 1 {
                    let others = (first..cells).filter(|&cop| cop != robber);
                    all.extend(others.map(|second| [robber, first, second, NO_PIECE]));
                }
            }
        }
        all
    }

    fn sorted(&self, mut pieces: Pieces) -> Pieces {
        pieces[1..].sort_unstable();
        pieces
    }

    fn kinds(&self) -> &[Kind] {
        &[Kind::Won, Kind::InOne]
    }

    fn conditions(&self) -> u8 {
        1 + SIDES.len() as u8 * self.guarded
    }

    fn next_condition(&self, condition: u8) -> u8 {
        match self.guarded_side(condition) {
            Some((side, turn)) => self.condition(side, (turn - 1).max(1)),
            None => 0,
        }
    }

    fn weaker_condition(&self, condition: u8) -> Option<u8> {
        let (side, turn) = self.guarded_side(condition)?;
        Some(if turn < self.guarded {
            self.condition(side, turn + 1)
        } else {
            0
        })
    }

    fn image_condition(&self, condition: u8, by: Symmetry) -> u8 {
        let Some((side, turn)) = self.guarded_side(condition) else {
            return 0;
        };
        let image = by.apply(SIDES[side]);
        let side = SIDES.iter().position(|&other| other == image);
        self.condition(side.unwrap_or(0), turn)
    }

    fn part_condition(&self, shape: &Shape, part: &[usize], condition: u8) -> u8 {
        let Some((side, _)) = self.guarded_side(condition) else {
            return 0;
        };
        // The coordinate of a cell in the direction of the side.
        let far = |site: &Site| site.0 * SIDES[side].0 + site.1 * SIDES[side].1;
        let of_shape = shape.sites().iter().map(far).max();
        let of_part = part.iter().map(|&cell| far(&shape.sites()[cell])).max();
        if of_shape == of_part { condition } else { 0 }
    }

    fn goal(&self, placed: &Placed<'_>) -> CodeSet {
        // A capture ends the game at once, so no placement has a cop on the robber.
        CodeSet::empty(placed.board.codes)
    }

    fn attack(&self, placed: &Placed<'_>, won: &Layer) -> CodeSet {
        let mut found = CodeSet::empty(placed.board.codes);
        self.joint_moves(placed, won, *placed.pieces, 1, &legal(placed), &mut found);
        found
    }

    fn defend(&self, placed: &Placed<'_>, won: &Layer) -> CodeSet {
        let board = placed.board;
        let robber = usize::from(placed.pieces[0]);
        let guarded = self
            .guarded_side(placed.condition)
            .filter(|&(_, turn)| turn == 1);
        let guarded = guarded.map(|(side, _)| SIDES[side]);
        let mut found = legal(placed);
        for step in ends(board, self.moves, robber) {
            let mut possible = CodeSet::full(board.codes);
            step.allow(board, robber, &mut possible);
            let Some(to) = step.inside(board) else {
                if !leaves_over(board, step.to, guarded) {
                    found.remove(&possible);
                }
                continue;
            };
            if placed.pieces[1..].contains(&(to as u8)) {
                continue; // the robber steps onto a cop
            }
            let mut pieces = *placed.pieces;
            pieces[0] = to as u8;
            match won.of(board, &pieces) {
                Some(won) => found.keep_unless(won, &possible),
                None => found.remove(&possible),
            }
        }
        found
    }

    fn covered(&self, placed: &Placed<'_>, won: &Layer) -> CodeSet {
        let mut covered = CodeSet::empty(placed.board.codes);
        let [robber, first, second, _] = *placed.pieces;
        if second != NO_PIECE {
            // One of the cops is enough.
            for cop in [first, second] {
                let alone = [robber, cop, NO_PIECE, NO_PIECE];
                if let Some(won) = won.of(placed.board, &alone) {
                    covered.add(won);
                }
            }
        }
        covered
    }
}

/// Returns whether a cell outside a window lies beyond `side` and no other side.
fn leaves_over(board: &Board, to: Site, side: Option<Site>) -> bool {
    let Some(side) = side else {
        return false;
    };
    let (width, height) = board.shape.span();
    let beyond = |at: i8, end: u8| i8::from(at >= end.cast_signed()) - i8::from(at < 0);
    (beyond(to.0, width), beyond(to.1, height)) == side
}

/// Draws a pattern as text, row by row: `R` is the robber, `C` a cop, `2` two cops on one cell, `#` wall, `.`
/// floor and `?` a don't-care cell.
#[must_use]
pub fn drawn(shape: &Shape, pieces: &Pieces, code: Code) -> String {
    let (width, height) = shape.span();
    let mut text = String::new();
    for y in 0..height {
        for x in 0..width {
            let cell = shape
                .number((x.cast_signed(), y.cast_signed()))
                .unwrap_or(usize::MAX);
            let cops = pieces[1..]
                .iter()
                .filter(|&&cop| usize::from(cop) == cell)
                .count();
            text.push(match (cops, code.symbol(cell.min(31))) {
                _ if usize::from(pieces[0]) == cell => 'R',
                (1, _) => 'C',
                (2.., _) => '2',
                (0, Some(WALL)) => '#',
                (0, Some(_)) => '.',
                (0, None) => '?',
            });
        }
        text.push('\n');
    }
    text
}
