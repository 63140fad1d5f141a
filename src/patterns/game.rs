//! What the generator needs to know of a game.

use super::pattern::{Kind, Pieces};
use super::set::CodeSet;
use super::shape::{Shape, Symmetry};

/// A game whose positions have patterns.
///
/// A pattern consists of *pieces* on cells of a shape (the two ends of a connection; the robber and the
/// cops) and of a *ground*: a symbol on every cell. The ground is a number, the *ground code*: the symbols as
/// digits to the base [`symbols`](Self::symbols), the first cell the lowest. Outside the shape lies the
/// worst for the attacker, unless an external condition says otherwise.
///
/// The generator does retrograde analysis with sets of ground codes: from the sets of all placements of
/// the pieces that are won after a move, [`attack`](Self::attack) and [`defend`](Self::defend) give the
/// sets before the move.
pub trait PatternGame {
    /// The number of symbols that a cell can have, at most three.
    fn symbols(&self) -> u8;

    /// The symbol of the cells of pieces.
    fn piece_symbol(&self) -> u8;

    /// The symmetries of the lattice.
    fn symmetries(&self) -> &[Symmetry];

    /// The shapes, canonical under the symmetries, each after all of its parts.
    fn shapes(&self) -> Vec<Shape>;

    /// The parts of a shape that are shapes as well, one step smaller: the numbers of their cells. What
    /// is proven in a part is proven in the shape.
    fn parts(&self, shape: &Shape) -> Vec<Vec<usize>>;

    /// The placements of the pieces on a shape.
    fn placements(&self, shape: &Shape) -> Vec<Pieces>;

    /// The same placement with interchangeable pieces in order.
    fn sorted(&self, pieces: Pieces) -> Pieces;

    /// The kinds of patterns.
    fn kinds(&self) -> &[Kind];

    /// The number of external conditions; condition 0 is none.
    #[must_use]
    fn conditions(&self) -> u8 {
        1
    }

    /// The condition after a turn.
    #[must_use]
    fn next_condition(&self, condition: u8) -> u8 {
        condition
    }

    /// A condition that asks for less, if there is one: what is proven under it is proven under
    /// `condition`.
    #[must_use]
    fn weaker_condition(&self, condition: u8) -> Option<u8> {
        (condition > 0).then_some(0)
    }

    /// The condition seen by the image of a shape.
    #[must_use]
    fn image_condition(&self, condition: u8, _by: Symmetry) -> u8 {
        condition
    }

    /// The condition that holds for a part if `condition` holds for the shape; both as they lie.
    #[must_use]
    fn part_condition(&self, _shape: &Shape, _part: &[usize], condition: u8) -> u8 {
        condition
    }

    /// The ground codes with which the goal is reached.
    fn goal(&self, placed: &Placed<'_>) -> CodeSet;

    /// The ground codes with which the attacker has a move to `won`, where the defender is to move.
    fn attack(&self, placed: &Placed<'_>, won: &Layer) -> CodeSet;

    /// The ground codes with which all moves of the defender lead to `won`, where the attacker is to
    /// move. The layer is of the condition after the turn.
    fn defend(&self, placed: &Placed<'_>, won: &Layer) -> CodeSet;

    /// The ground codes with which other placements on the same shape give the same conclusion, so that
    /// no pattern of this placement is needed.
    #[must_use]
    fn covered(&self, placed: &Placed<'_>, won: &Layer) -> CodeSet {
        let _ = won;
        CodeSet::empty(placed.board.codes)
    }
}

/// A shape, and what the generator knows about it.
#[derive(Debug, Clone)]
pub struct Board {
    /// The shape.
    pub shape: Shape,
    /// All placements of the pieces, sorted.
    pub placements: Vec<Pieces>,
    /// The number of ground codes.
    pub codes: usize,
    /// For each cell the power of the base that stands for it.
    pub powers: Vec<usize>,
    /// For each cell the ground codes that have the symbol of pieces there.
    pub free: Vec<CodeSet>,
    symbols: usize,
}

impl Board {
    /// The board of a shape.
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

    /// The number of a placement.
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

/// For each placement of a board the ground codes that are won under one condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layer {
    /// One set for each placement, in the order of the board.
    pub sets: Vec<CodeSet>,
}

impl Layer {
    /// The set of a placement; `None` if there is no such placement.
    #[must_use]
    pub fn of(&self, board: &Board, pieces: &Pieces) -> Option<&CodeSet> {
        self.sets.get(board.placement(pieces)?)
    }
}
