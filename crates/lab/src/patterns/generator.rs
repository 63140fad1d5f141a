//! Generates the patterns of a game by retrograde analysis, smaller shapes first.

use super::cubes::{all_codes, primes};
use super::database::Database;
use super::game::{Board, PatternGame, Placed};
use super::pattern::{Code, Kind, NO_PIECE, Pattern, Pieces};
use super::set::CodeSet;
use super::shape::Fitted;
use super::solved::{Solved, SolvedPart};

/// Generates all patterns of a game on its shapes (T. Cazenave, *Retrograde analysis of patterns versus
/// metaprogramming*, section 3).
///
/// On each shape, retrograde analysis finds the ground codes that are won, turn by turn, for all placements of
/// the pieces. The generator then computes the prime patterns of these sets and takes the patterns with the
/// fewest fixed cells first. It keeps a pattern only if some window that the pattern fits is not recognised
/// yet. A window counts as recognised if it fits a pattern of a smaller shape, of fewer turns, of a stronger
/// kind or of a weaker condition, or a pattern of the same shape that was kept before. No kept pattern is
/// therefore implied by another one. Patterns that are equal under the symmetries are kept once.
///
/// Memory: the sets of all shapes take one bit for each combination of ground code, placement, condition, kind
/// and turn. Each shape also takes one bit for each cell and ground code, and four bytes for each ground code and each
/// smaller shape within.
#[derive(Debug)]
pub struct Generator<G> {
    game: G,
    depth: u8,
    solved: Vec<Solved>,
    waiting: Vec<Board>,
    /// The placement of the last solved shape whose patterns are computed next.
    next: usize,
    kept: Vec<Pattern>,
    rows: Vec<PatternCount>,
    shapes: usize,
}

/// The number of patterns that were found on one shape.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PatternCount {
    /// The cells of the shape.
    pub cells: usize,
    /// The number of columns and of rows.
    pub span: (u8, u8),
    /// The number of ground codes: symbols to the power of cells.
    pub codes: usize,
    /// The number of positions: for each placement, the ground codes of the cells without a piece.
    pub positions: u64,
    /// The number of kept patterns for each kind and each number of turns, from 0.
    pub kept: [Vec<u64>; 3],
    /// The bytes of the shape: of the sets that were computed, and of what [`Generator::bytes`] counts besides.
    pub set_bytes: u64,
}

impl PatternCount {
    /// The number of all kept patterns.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.kept.iter().flatten().sum()
    }
}

/// The progress of a generator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GeneratorProgress {
    /// The number of shapes that are done.
    pub done: usize,
    /// The number of all shapes.
    pub shapes: usize,
}

impl<G: PatternGame> Generator<G> {
    /// Prepares to generate the patterns in which the attacker needs at most `depth` moves. Nothing is computed yet.
    #[must_use]
    pub fn new(game: G, depth: u8) -> Self {
        let shapes = game.shapes().into_iter();
        let mut waiting: Vec<Board> = shapes.map(|shape| Board::new(&game, shape)).collect();
        waiting.reverse();
        Self {
            depth,
            shapes: waiting.len(),
            waiting,
            solved: Vec::new(),
            next: 0,
            kept: Vec::new(),
            rows: Vec::new(),
            game,
        }
    }

    /// An upper bound on the bytes that the shapes take: their sets of ground codes, and where each ground code lies in
    /// the smaller shapes within.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let layers = self.game.kinds().len() as u64
            * u64::from(self.game.conditions())
            * (u64::from(self.depth) + 1);
        let of_board = |board: &Board| {
            let set = 8 * board.codes.div_ceil(64) as u64;
            let sets = (board.placements.len() as u64).saturating_mul(layers);
            let sets = sets.saturating_add(board.free.len() as u64);
            let parts = self.game.parts(&board.shape).len() as u64;
            let codes = parts.saturating_mul(size_of::<u32>() as u64 * board.codes as u64);
            sets.saturating_mul(set).saturating_add(codes)
        };
        let solved = self.solved.iter().map(|solved| &solved.board);
        let boards = self.waiting.iter().chain(solved);
        boards.map(of_board).fold(0, u64::saturating_add)
    }

    /// Does the next part of the work: solves the next shape, or finds the patterns of up to `placements` placements,
    /// but at least one.
    pub fn advance(&mut self, placements: usize) -> GeneratorProgress {
        let is_over = self
            .solved
            .last()
            .is_none_or(|last| self.next >= last.board.placements.len());
        if is_over {
            if let Some(board) = self.waiting.pop() {
                let solved = Solved::new(&self.game, board, self.depth, &self.solved);
                self.rows.push(PatternCount {
                    cells: solved.board.shape.cells(),
                    span: solved.board.shape.span(),
                    codes: solved.board.codes,
                    positions: positions(&self.game, &solved.board),
                    kept: std::array::from_fn(|_| vec![0; usize::from(self.depth) + 1]),
                    set_bytes: solved.bytes(),
                });
                self.solved.push(solved);
                self.next = 0;
            }
        } else if let Some(last) = self.solved.last() {
            let end = self.next.saturating_add(placements.max(1));
            let end = end.min(last.board.placements.len());
            for placement in self.next..end {
                let found = Kept::on(&self.game, &self.solved, placement);
                if let Some(row) = self.rows.last_mut() {
                    for pattern in &found {
                        row.kept[pattern.kind as usize][usize::from(pattern.turns)] += 1;
                    }
                }
                self.kept.extend(found);
            }
            self.next = end;
        }
        self.progress()
    }

    /// The progress so far.
    #[must_use]
    pub fn progress(&self) -> GeneratorProgress {
        let is_over = self
            .solved
            .last()
            .is_none_or(|last| self.next >= last.board.placements.len());
        GeneratorProgress {
            done: self.solved.len() - usize::from(!is_over),
            shapes: self.shapes,
        }
    }

    /// The counts for each shape so far.
    #[must_use]
    pub fn rows(&self) -> &[PatternCount] {
        &self.rows
    }

    /// The solved shapes so far.
    #[must_use]
    pub fn solved(&self) -> &[Solved] {
        &self.solved
    }

    /// Runs to the end and returns the patterns.
    #[must_use]
    pub fn run(mut self) -> Database {
        while self.progress().done < self.shapes {
            self.advance(usize::MAX);
        }
        self.finish()
    }

    /// The patterns found so far.
    #[must_use]
    pub fn finish(self) -> Database {
        let shapes = self.solved.into_iter().map(|solved| solved.board.shape);
        Database::new(shapes.collect(), self.kept)
    }
}

/// Counts the positions of a board: for each placement, the ground codes of the cells without a piece.
fn positions(game: &impl PatternGame, board: &Board) -> u64 {
    let plain = |pieces: &Pieces| {
        let taken = (0..board.shape.cells()).filter(|&cell| pieces.contains(&(cell as u8)));
        let free = board.shape.cells() - taken.count();
        (0..free).fold(1, |codes, _| codes * u64::from(game.symbols()))
    };
    board.placements.iter().map(plain).sum()
}

/// The search for the patterns of one placement.
struct Kept<'a, G> {
    game: &'a G,
    solved: &'a Solved,
    before: &'a [Solved],
    shape: u16,
    pieces: Pieces,
    /// The symmetries that map the shape and the pieces onto themselves.
    stabiliser: Vec<Fitted>,
    /// The cells without a piece.
    plain: Vec<usize>,
    found: Vec<Pattern>,
}

impl<'a, G: PatternGame> Kept<'a, G> {
    /// The patterns of a placement of the last shape.
    fn on(game: &'a G, all: &'a [Solved], placement: usize) -> Vec<Pattern> {
        let Some((solved, before)) = all.split_last() else {
            return Vec::new();
        };
        let board = &solved.board;
        let pieces = board.placements[placement];
        let automorphisms = board.shape.automorphisms(game.symmetries());
        let image = |fitted: &Fitted| moved(game, pieces, &fitted.numbers);
        if automorphisms.iter().any(|fitted| image(fitted) < pieces) {
            return Vec::new(); // the image of this placement has the patterns
        }
        let cells = 0..board.shape.cells();
        let mut search = Self {
            game,
            solved,
            before,
            shape: before.len() as u16,
            pieces,
            stabiliser: automorphisms
                .into_iter()
                .filter(|fitted| image(fitted) == pieces)
                .collect(),
            plain: cells
                .filter(|&cell| !pieces.contains(&(cell as u8)))
                .collect(),
            found: Vec::new(),
        };
        for turns in 0..solved.turns.len() {
            for &kind in game.kinds() {
                for condition in 0..game.conditions() {
                    search.keep(kind, turns, condition);
                }
            }
        }
        search.found
    }

    /// The ground codes of this placement that are won.
    fn set(&self, kind: Kind, turns: usize, condition: u8) -> &'a CodeSet {
        let placement = self.solved.board.placement(&self.pieces).unwrap_or(0);
        &self.solved.layer(kind, turns, condition).sets[placement]
    }

    /// The ground codes that are recognised before any pattern of this kind and number of turns is kept.
    fn covered(&self, kind: Kind, turns: usize, condition: u8) -> CodeSet {
        let placed = Placed {
            board: &self.solved.board,
            pieces: &self.pieces,
            condition,
        };
        let layer = self.solved.layer(kind, turns, condition);
        let mut covered = self.game.covered(&placed, layer);
        if turns > 0 {
            covered.add(self.set(kind, turns - 1, condition));
        }
        for &stronger in self.game.kinds().iter().filter(|&&other| other < kind) {
            covered.add(self.set(stronger, turns, condition));
        }
        let mut weaker = self.game.weaker_condition(condition);
        while let Some(condition) = weaker {
            covered.add(self.set(kind, turns, condition));
            weaker = self.game.weaker_condition(condition);
        }
        for part in &self.solved.parts {
            self.add_part(part, kind, turns, condition, &mut covered);
        }
        covered
    }

    /// Adds the ground codes of this kind and number of turns that are already proven on a smaller shape.
    fn add_part(
        &self,
        part: &SolvedPart,
        kind: Kind,
        turns: usize,
        condition: u8,
        to: &mut CodeSet,
    ) {
        let set = self.set(kind, turns, condition);
        let (game, shape) = (self.game, &self.solved.board.shape);
        let Some(pieces) = part.pieces(game, self.pieces) else {
            return;
        };
        let condition = game.part_condition(shape, &part.cells, condition);
        let condition = game.image_condition(condition, part.by);
        let small = &self.before[part.shape];
        let turns = turns.min(small.turns.len() - 1);
        let layer = small.layer(kind, turns, condition);
        let Some(proven) = layer.of(&small.board, &pieces) else {
            return;
        };
        let proves = |code: &usize| proven.contains(part.codes[*code] as usize);
        let found: Vec<usize> = set.outside(to).filter(proves).collect();
        for code in found {
            to.insert(code);
        }
    }

    /// Keeps those patterns of a kind and number of turns that recognise a new ground code.
    fn keep(&mut self, kind: Kind, turns: usize, condition: u8) {
        let game = self.game;
        let moved = |fitted: &Fitted| game.image_condition(condition, fitted.by);
        if self
            .stabiliser
            .iter()
            .any(|fitted| moved(fitted) < condition)
        {
            return;
        }
        let set = self.set(kind, turns, condition);
        if set.is_empty() {
            return;
        }
        let covered = self.covered(kind, turns, condition);
        if set.is_subset(&covered) {
            return;
        }
        let symbols = usize::from(game.symbols());
        let codes = (0..self.plain.len()).fold(1, |codes, _| codes * symbols);
        let ground: Vec<usize> = (0..codes).map(|code| self.ground(code)).collect();
        let holds: Vec<bool> = ground.iter().map(|&code| set.contains(code)).collect();
        let mut known: Vec<bool> = ground.iter().map(|&code| covered.contains(code)).collect();
        let mut patterns = primes(&holds, symbols);
        patterns.sort_unstable_by_key(|code| (code.fixed(), code.0));
        let images: Vec<Vec<usize>> = self
            .stabiliser
            .iter()
            .filter(|fitted| moved(fitted) == condition)
            .map(|fitted| self.plain_image(fitted))
            .collect();
        for code in patterns {
            if all_codes(code, codes, symbols, &mut |at| known[at]) {
                continue;
            }
            for image in &images {
                let code = relabelled(code, image);
                all_codes(code, codes, symbols, &mut |at| {
                    known[at] = true;
                    true
                });
            }
            let code = images
                .iter()
                .map(|image| relabelled(relabelled(code, image), &self.plain))
                .min();
            self.found.push(Pattern {
                shape: self.shape,
                kind,
                condition,
                pieces: self.pieces,
                code: code.unwrap_or_default(),
                turns: turns as u8,
            });
        }
    }

    /// Extends a code of the cells without a piece to a ground code of the whole shape.
    fn ground(&self, mut plain: usize) -> usize {
        let board = &self.solved.board;
        let symbols = usize::from(self.game.symbols());
        let pieces = self.pieces.iter().filter(|&&piece| piece != NO_PIECE);
        let mut cells: Vec<u8> = pieces.copied().collect();
        cells.sort_unstable();
        cells.dedup();
        let piece = usize::from(self.game.piece_symbol());
        let mut code = cells
            .iter()
            .map(|&cell| piece * board.powers[usize::from(cell)])
            .sum();
        for &cell in &self.plain {
            code += plain % symbols * board.powers[cell];
            plain /= symbols;
        }
        code
    }

    /// Maps each cell without a piece to its image; both are numbered among the cells without a piece.
    fn plain_image(&self, fitted: &Fitted) -> Vec<usize> {
        let place = |&cell: &usize| {
            let to = fitted.numbers[cell];
            self.plain
                .iter()
                .position(|&other| other == to)
                .unwrap_or(0)
        };
        self.plain.iter().map(place).collect()
    }
}

/// Moves the symbol of each cell `i` to the cell `to[i]`.
fn relabelled(code: Code, to: &[usize]) -> Code {
    let fixed = to.iter().enumerate();
    fixed.fold(Code::default(), |moved, (cell, &to)| {
        match code.symbol(cell) {
            Some(symbol) => moved.with(to, symbol),
            None => moved,
        }
    })
}

/// The placement of the images of the pieces.
pub(super) fn moved(game: &impl PatternGame, pieces: Pieces, numbers: &[usize]) -> Pieces {
    game.sorted(pieces.map(|piece| match numbers.get(usize::from(piece)) {
        Some(&number) => number as u8,
        None => NO_PIECE,
    }))
}
