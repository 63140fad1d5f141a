//! The results of retrograde analysis on one shape.

use super::game::{Board, Layer, PatternGame, Placed};
use super::generator::moved;
use super::pattern::{Kind, NO_PIECE, Pieces};
use super::set::CodeSet;
use super::shape::{Shape, Site, Symmetry};

/// A shape, and the ground codes that are won on it.
#[derive(Debug, Clone)]
pub struct Solved {
    /// The shape.
    pub board: Board,
    /// The smaller shapes within the shape.
    pub(super) parts: Vec<SolvedPart>,
    /// For each number of turns, the layers of each kind and condition.
    pub(super) turns: Vec<[Vec<Layer>; 3]>,
}

/// A smaller shape within a shape.
#[derive(Debug, Clone)]
pub(super) struct SolvedPart {
    /// The number of the smaller shape.
    pub shape: usize,
    /// The numbers of its cells in the larger shape.
    pub cells: Vec<usize>,
    /// The numbers of the same cells in the smaller shape.
    numbers: Vec<usize>,
    /// The symmetry that maps the cells to the smaller shape.
    pub by: Symmetry,
    /// For each ground code of the larger shape, the ground code of the smaller one.
    pub codes: Vec<u32>,
}

impl SolvedPart {
    /// The pieces on the smaller shape; `None` if a piece stands outside.
    pub(super) fn pieces(&self, game: &impl PatternGame, pieces: Pieces) -> Option<Pieces> {
        let mut numbers = Vec::new();
        for (&cell, &number) in self.cells.iter().zip(&self.numbers) {
            if numbers.len() <= cell {
                numbers.resize(cell + 1, usize::from(NO_PIECE));
            }
            numbers[cell] = number;
        }
        let inside = |piece: u8| piece == NO_PIECE || self.cells.contains(&usize::from(piece));
        let is_inside = pieces.iter().all(|&piece| inside(piece));
        is_inside.then(|| moved(game, pieces, &numbers))
    }
}

impl Solved {
    /// Solves a shape. `before` are the shapes that were solved before.
    pub(super) fn new(game: &impl PatternGame, board: Board, depth: u8, before: &[Self]) -> Self {
        let parts = game.parts(&board.shape).into_iter();
        let parts = parts.filter_map(|cells| part(game, &board, cells, before));
        let mut solved = Self {
            parts: parts.collect(),
            turns: Vec::new(),
            board,
        };
        for turn in 0..=depth {
            let layers = solved.turn(game);
            let is_last = turn > 0 && solved.turns.last() == Some(&layers);
            if is_last {
                break; // a fixpoint: this turn adds nothing
            }
            solved.turns.push(layers);
        }
        solved
    }

    /// Computes the layers of one more turn.
    fn turn(&self, game: &impl PatternGame) -> [Vec<Layer>; 3] {
        let conditions = 0..game.conditions();
        let every = |of: &dyn Fn(&Placed<'_>) -> CodeSet, condition| Layer {
            sets: self
                .board
                .placements
                .iter()
                .map(|pieces| {
                    of(&Placed {
                        board: &self.board,
                        pieces,
                        condition,
                    })
                })
                .collect(),
        };
        let with = |mut set: CodeSet, layer: &Layer, placed: &Placed<'_>| {
            if let Some(more) = layer.of(&self.board, placed.pieces) {
                set.add(more);
            }
            set
        };
        let last = self.turns.last();
        let in_one: Vec<Layer> = conditions
            .clone()
            .map(|condition| {
                let Some(won) = last.map(|[won, ..]| &won[usize::from(condition)]) else {
                    return every(&|placed| game.goal(placed), condition);
                };
                every(
                    &|placed| with(game.attack(placed, won), won, placed),
                    condition,
                )
            })
            .collect();
        let won: Vec<Layer> = conditions
            .clone()
            .map(|condition| {
                let Some(before) = last.map(|[won, ..]| &won[usize::from(condition)]) else {
                    return every(&|placed| game.goal(placed), condition);
                };
                let next = &in_one[usize::from(game.next_condition(condition))];
                every(
                    &|placed| with(game.defend(placed, next), before, placed),
                    condition,
                )
            })
            .collect();
        let in_two = if game.kinds().contains(&Kind::InTwo) {
            let both = conditions.map(|condition| {
                let one = &in_one[usize::from(condition)];
                if last.is_none() {
                    return one.clone();
                }
                every(
                    &|placed| with(game.attack(placed, one), one, placed),
                    condition,
                )
            });
            both.collect()
        } else {
            Vec::new()
        };
        [won, in_one, in_two]
    }

    /// The layer of a kind, a number of turns and a condition. If the analysis reached a fixpoint after fewer
    /// turns, the last layer is returned.
    ///
    /// # Panics
    /// If the game does not have this kind or condition.
    #[must_use]
    pub fn layer(&self, kind: Kind, turns: usize, condition: u8) -> &Layer {
        let turns = turns.min(self.turns.len() - 1);
        &self.turns[turns][kind as usize][usize::from(condition)]
    }

    /// The bytes of all sets, and of the places of the ground codes in smaller shapes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let layers = self.turns.iter().flatten().flatten();
        let sets = layers.flat_map(|layer| &layer.sets).chain(&self.board.free);
        let sets: u64 = sets.map(|set| set.bytes() as u64).sum();
        let parts = self.parts.iter();
        let codes = parts.map(|part| (size_of::<u32>() * part.codes.len()) as u64);
        sets + codes.sum::<u64>()
    }
}

/// Returns a part of a board; `None` if its shape was not solved before.
fn part(
    game: &impl PatternGame,
    board: &Board,
    cells: Vec<usize>,
    before: &[Solved],
) -> Option<SolvedPart> {
    let sites: Vec<Site> = cells
        .iter()
        .map(|&cell| board.shape.sites()[cell])
        .collect();
    let fitted = Shape::canonical(&sites, game.symmetries());
    let shape = before
        .iter()
        .position(|solved| solved.board.shape == fitted.shape)?;
    let small = &before[shape].board;
    let inside = |code: usize| {
        let pairs = cells.iter().zip(&fitted.numbers);
        pairs
            .map(|(&cell, &number)| board.symbol(code, cell) * small.powers[number])
            .sum::<usize>() as u32
    };
    Some(SolvedPart {
        shape,
        codes: (0..board.codes).map(inside).collect(),
        numbers: fitted.numbers,
        by: fitted.by,
        cells,
    })
}
