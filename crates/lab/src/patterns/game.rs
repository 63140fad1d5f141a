//! The interface between the pattern generator and a game.

use super::pattern::{Kind, Pieces};
use super::set::CodeSet;
use super::shape::{Shape, Symmetry};

/// A game whose positions have patterns.
///
/// A pattern has *pieces* on cells of a shape (the two ends of a connection, or the robber and the cops) and a
/// *ground*: a symbol on every cell. A ground is written as one number, the *ground code*. Its digits to the
/// base [`symbols`](Self::symbols) are the symbols of the cells; the first cell is the lowest digit. The cells
/// outside the shape are assumed to be the worst for the attacker, unless an external condition says otherwise.
///
/// The generator does retrograde analysis on sets of ground codes. [`attack`](Self::attack) and
/// [`defend`](Self::defend) compute the sets that are won before a move from the sets that are won after it,
/// for all placements of the pieces.
pub trait PatternGame {
    /// The number of symbols that a cell can have, at most three.
    fn symbols(&self) -> u8;

    /// The symbol of cells on which a piece stands.
    fn piece_symbol(&self) -> u8;

    /// The symmetries of the lattice.
    fn symmetries(&self) -> &[Symmetry];

    /// The shapes, canonical under the symmetries. Each shape comes after all of its parts.
    fn shapes(&self) -> Vec<Shape>;

    /// The parts of a shape that are themselves shapes, one step smaller, as lists of cell numbers. A
    /// conclusion that is proven in a part also holds in the shape.
    fn parts(&self, shape: &Shape) -> Vec<Vec<usize>>;

    /// The placements of the pieces on a shape.
    fn placements(&self, shape: &Shape) -> Vec<Pieces>;

    /// Returns the placement with interchangeable pieces in ascending order.
    fn sorted(&self, pieces: Pieces) -> Pieces;

    /// The kinds of patterns.
    fn kinds(&self) -> &[Kind];

    /// The number of external conditions. Condition 0 means that there is none.
    #[must_use]
    fn conditions(&self) -> u8 {
        1
    }

    /// The condition that holds after a turn under `condition`.
    #[must_use]
    fn next_condition(&self, condition: u8) -> u8 {
        condition
    }

    /// A weaker condition, if there is one. A conclusion that is proven under the weaker condition also holds
    /// under `condition`.
    #[must_use]
    fn weaker_condition(&self, condition: u8) -> Option<u8> {
        (condition > 0).then_some(0)
    }

    /// The condition that corresponds to `condition` for the image of a shape.
    #[must_use]
    fn image_condition(&self, condition: u8, _by: Symmetry) -> u8 {
        condition
    }

    /// The condition that holds for a part if `condition` holds for the whole shape. Both conditions refer to
    /// the shape in its present orientation.
    #[must_use]
    fn part_condition(&self, _shape: &Shape, _part: &[usize], condition: u8) -> u8 {
        condition
    }

    /// The ground codes in which the goal is reached.
    fn goal(&self, placed: &Placed<'_>) -> CodeSet;

    /// The ground codes in which the attacker has a move into `won`. The defender is to move in `won`.
    fn attack(&self, placed: &Placed<'_>, won: &Layer) -> CodeSet;

    /// The ground codes in which every move of the defender leads into `won`. The attacker is to move in `won`,
    /// which is the layer of the condition after the turn.
    fn defend(&self, placed: &Placed<'_>, won: &Layer) -> CodeSet;

    /// The ground codes in which another placement on the same shape gives the same conclusion. This placement
    /// needs no patterns for these codes.
    #[must_use]
    fn covered(&self, placed: &Placed<'_>, won: &Layer) -> CodeSet {
        let _ = won;
        CodeSet::empty(placed.board.codes)
    }
}

/// A shape with the placements and ground codes that are possible on it.
#[derive(Debug, Clone)]
pub struct Board {
    /// The shape.
    pub shape: Shape,
    /// All placements of the pieces, sorted.
    pub placements: Vec<Pieces>,
    /// The number of ground codes.
    pub codes: usize,
    /// The place value of each cell in a ground code: a power of the number of symbols.
    pub powers: Vec<usize>,
    /// For each cell, the ground codes in which the cell has the symbol of pieces.
    pub free: Vec<CodeSet>,
    symbols: usize,
}

impl Board {
    /// Creates the board of a shape.
    pub(super) fn new(game: &impl PatternGame, shape: Shape) -> Self {
        let symbols = usize::from(game.symbols());
        let mut codes = 1;
        let mut powers = Vec::with_capacity(shape.cells());
        for _ in shape.sites() {
            powers.push(codes);
            codes *= symbols;
        }
        let mut placements = game.placements(&shape);
        placements.sort_unstable();
        let piece = usize::from(game.piece_symbol());
        let free = |&power: &usize| CodeSet::of(codes, |code| code / power % symbols == piece);
        Self {
            free: powers.iter().map(free).collect(),
            shape,
            placements,
            codes,
            powers,
            symbols,
        }
    }

    /// The symbol of a cell in a ground code.
    #[must_use]
    pub fn symbol(&self, code: usize, cell: usize) -> usize {
        code / self.powers[cell] % self.symbols
    }

    /// The index of a placement in [`placements`](Self::placements).
    #[must_use]
    pub fn placement(&self, pieces: &Pieces) -> Option<usize> {
        self.placements.binary_search(pieces).ok()
    }
}

/// A placement of the pieces on a board, under an external condition.
#[derive(Debug, Clone, Copy)]
pub struct Placed<'a> {
    /// The board.
    pub board: &'a Board,
    /// Where the pieces stand.
    pub pieces: &'a Pieces,
    /// The external condition.
    pub condition: u8,
}

/// For each placement of a board, the ground codes that are won under one condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layer {
    /// One set for each placement, in the order of the board.
    pub sets: Vec<CodeSet>,
}

impl Layer {
    /// The set of a placement; `None` if the board does not have this placement.
    #[must_use]
    pub fn of(&self, board: &Board, pieces: &Pieces) -> Option<&CodeSet> {
        self.sets.get(board.placement(pieces)?)
    }
}
