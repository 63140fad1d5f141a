//! Retrograde analysis: spreads the captured positions backwards, turn by turn, in slices.

use super::arena::Arena;
use super::arena_rules::ArenaRules;
use super::away::{AwayMoves, AwaySolver};
use super::balls::Balls;
use super::bound::FixedMoves;
use super::game::Game;
use super::preparation::{Preparation, PreparedMoves};
use super::reach::Reach;
use super::settling::Settling;
use super::shape::PlacementIndex;
use super::slab::{Fresh, RobberMoves, Slab, release};
use super::spread::{SortedSets, Spread, SpreadScratch, level_rows, unite};
use super::sweep::{SweepCount, Threads, map, sweep};
use super::times::{MAX_TURNS, Turn};
use super::turn_pass::TurnPass;
use super::{Progress, Solution, SolveError};
use crate::game::{Rules, Side, Turns};
use crate::graph::Csr;
use std::ops::Range;
use std::sync::Arc;

/// Computes the capture times of all positions by retrograde analysis.
///
/// The solver keeps no queue of states. It works on sets of states stored as bits (K. Thompson,
/// *Retrograde analysis of certain endgames*, 1986). They are the sets W and W' of C. Moldenhauer,
/// *Game tree search algorithms for the game of cops and robber*, 2009, definition 2.2 and theorem
/// 2.3. For each word of 64 cop placements, a slab holds the sets for all places of the robber.
/// Each turn starts from the positions that the last turn has found and works backwards in two
/// halves. The first half finds the positions from which a joint move of the cops leads there: it
/// undoes the cops' moves one after another, through intermediate sets. The second half finds the
/// positions in which every step of the robber leads into the known sets. Only words that have
/// changed are examined again.
///
/// A capture that takes more than 65,534 turns counts as an escape. In practice only a corridor of
/// more vertices takes that long. The work can be cut into slices of any size and spread over any
/// number of threads (feature `parallel`); the result is the same to the bit.
///
/// Cost: see [`Estimate`](super::Estimate).
///
/// ```
/// # use pursuit_engine::{game::{Outcome, Rules, Turns}, graph::Digraph};
/// # use pursuit_engine::table::{Arena, Solver};
/// // A path of three vertices: a cop at its end captures the robber at the other in two turns.
/// let path = Digraph::undirected(3, &[(0, 1), (1, 2)])?;
/// let mut solver = Solver::new(Arena::of_digraph(&path).into(), Rules::default(), 1 << 30)?;
/// while !solver.advance(1_000).done {}
/// let solution = solver.finish().expect("done");
/// let value = solution.value(path.vertex(0).unwrap(), &[path.vertex(2).unwrap()]);
/// assert_eq!(value, Some(Outcome::Caught(Turns(2))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Solver {
    arena: Arc<Arena>,
    rules: Rules,
    game: Game,
    shape: PlacementIndex,
    /// The places that each cop except the least can reach in a turn.
    balls: Balls,
    /// The places that the least cop can reach in a turn, board by board.
    cops: Arc<Reach>,
    steps: Csr<u16>,
    /// The same for a step of the robber.
    robber: Arc<Reach>,
    /// The moves of the side that plays a given policy, if there is one.
    bound: Option<FixedMoves>,
    /// Places on which a cop stands that takes no part in the game.
    guards: Vec<u16>,
    slabs: Vec<Slab>,
    /// The positions with the robber to move that the last turn has found, slab by slab.
    fresh: Vec<Vec<Fresh>>,
    next_fresh: Vec<Vec<Fresh>>,
    /// `None` for one cop, whose move needs no intermediate set.
    spread: Option<Spread>,
    turn: u16,
    pass: TurnPass,
    /// The number of items of the pass that are done.
    cursor: usize,
    /// `batch` is the number of items that the last call worked on in this pass, and `cost` the number of words
    /// that it examined for each of them.
    batch: usize,
    cost: usize,
    /// Who works on the present slice.
    threads: Threads,
    in_turn: u64,
    /// `solved` is the number of positions solved in each finished turn, and `known` is their sum.
    solved: Vec<u64>,
    known: u64,
    /// The search for positions from which the robber is away, once all captures are known, and the
    /// number of positions that it has solved in each finished turn.
    away: Option<Box<AwaySolver>>,
    solved_away: Vec<u64>,
    done: bool,
}

/// The approximate number of words examined between two progress reports of [`Solver::run`].
const WORDS_BETWEEN_REPORTS: usize = 1 << 22;
/// The least number of items between two progress reports: fewer items are not worth threads.
const ITEMS_BETWEEN_REPORTS: usize = 64;

/// The cost of placing the robber on a place for a word of cop placements, in words: the memory of the word is touched
/// for the first time.
const WORDS_OF_A_PLACE: usize = 2;

impl Solver {
    /// Prepares to solve the game of cops and robber. Later calls allocate the slabs; their
    /// estimated memory is part of what is checked here. Finding what fast cops reach can take
    /// milliseconds; a `TableWork` does it in slices.
    ///
    /// # Errors
    /// [`SolveError::TooLarge`] if the game needs more than `limit` bytes, and
    /// [`SolveError::TooManyVertices`].
    pub fn new(arena: Arc<Arena>, rules: Rules, limit: u64) -> Result<Self, SolveError> {
        Self::with_game(arena, rules, limit, Game::CopsAndRobber)
    }

    #[doc(hidden)]
    pub fn with_game(
        arena: Arc<Arena>,
        rules: Rules,
        limit: u64,
        game: Game,
    ) -> Result<Self, SolveError> {
        Preparation::of_game(arena, None, rules, limit, game)?.finish()
    }

    /// The solver that has been prepared.
    pub(super) fn prepared(
        arena: Arc<Arena>,
        rules: Rules,
        game: Game,
        moves: PreparedMoves,
    ) -> Self {
        let PreparedMoves {
            robber,
            cops,
            balls,
        } = moves;
        let shape = PlacementIndex::new(arena.places(), usize::from(rules.cops.get()));
        Self {
            spread: (shape.cops > 1).then(|| Spread::new(&shape, &cops, &balls)),
            steps: arena.padded_steps(),
            robber,
            bound: None,
            guards: Vec::new(),
            slabs: Vec::new(),
            fresh: Vec::new(),
            next_fresh: vec![Vec::new(); shape.words()],
            turn: 0,
            pass: TurnPass::Place,
            cursor: 0,
            batch: 1,
            cost: 1,
            threads: Threads::All,
            in_turn: 0,
            solved: vec![0],
            known: 0,
            away: None,
            solved_away: Vec::new(),
            done: shape.words() == 0,
            arena,
            rules,
            game,
            shape,
            balls,
            cops,
        }
    }

    /// Adds cops that stand on places for ever.
    pub(super) fn with_guards(self, guards: Vec<u16>) -> Self {
        Self { guards, ..self }
    }

    pub(super) const fn shape(&self) -> &PlacementIndex {
        &self.shape
    }

    /// Restricts one side to the moves of a policy. If that side is the robber, the solver has to
    /// be made for a robber of speed 1, since each of its moves counts as one step.
    pub(super) fn bind(&mut self, bound: FixedMoves) {
        self.bound = Some(bound);
    }

    /// Sets the places that the move of a robber with a policy can lead to. Needed if its speed is
    /// more than 1.
    pub(super) fn set_robber_reach(&mut self, reach: Arc<Reach>) {
        self.robber = reach;
    }

    /// The places that a step of the robber leads to.
    pub(super) const fn robber_reach(&self) -> &Arc<Reach> {
        &self.robber
    }

    /// Works until about `budget` words of 64 positions have been examined. With [`usize::MAX`],
    /// completes the current pass. Less than 32,768 words are work for the calling thread alone, which does not wait
    /// for others.
    pub fn advance(&mut self, budget: usize) -> Progress {
        let mut left = budget;
        self.threads = Threads::of_slice(budget);
        while left > 0 && !self.done {
            // Within a pass an item costs about as much as the items before it, but the first few
            // items are not representative.
            let batch = match budget {
                usize::MAX => usize::MAX,
                _ => (left / self.cost).clamp(1, (2 * self.batch).max(1)),
            };
            left = left.saturating_sub(self.work_on(batch));
            if self.cursor == 0 && budget == usize::MAX {
                break;
            }
        }
        self.progress()
    }

    /// Works until the game is solved or `go_on` returns `false`. Calls `go_on` several times a
    /// second and at least once after each turn.
    pub fn run(&mut self, mut go_on: impl FnMut(Progress) -> bool) -> Progress {
        self.threads = Threads::All;
        while !self.done {
            // The cost of the last pass says little about this one, so the first batch is small.
            let caution = if self.cursor == 0 { 16 } else { 1 };
            let items = WORDS_BETWEEN_REPORTS / (caution * self.cost);
            self.work_on(items.max(ITEMS_BETWEEN_REPORTS));
            if !self.done && !go_on(self.progress()) {
                break;
            }
        }
        self.progress()
    }

    /// Works on at most `items` items of the pass, and moves to the next pass after the last item.
    /// Returns approximately how many words it examined, and at least 1.
    fn work_on(&mut self, items: usize) -> usize {
        let batch = items.min(self.items() - self.cursor);
        let count = self.work(self.cursor..self.cursor + batch);
        self.in_turn += count.solved;
        self.cursor += batch;
        self.batch = batch.max(1);
        self.cost = (count.looked / self.batch).max(1);
        if self.cursor == self.items() {
            self.next_pass();
        }
        count.looked.max(self.batch)
    }

    /// The present progress.
    #[must_use]
    pub fn progress(&self) -> Progress {
        Progress {
            turn: Turns(self.turn),
            solved: self.known + self.in_turn,
            positions: self.game.positions(&self.arena, &self.shape),
            done: self.done,
        }
    }

    /// The result, or `None` if the game is not solved yet.
    #[must_use]
    pub fn finish(self) -> Option<Solution> {
        let positions = self.game.positions(&self.arena, &self.shape);
        let times = self.slabs.into_iter().map(Slab::into_times).collect();
        self.done.then(|| {
            Solution::new(
                self.arena,
                self.rules,
                self.shape,
                times,
                self.solved,
                self.solved_away,
                positions,
            )
        })
    }

    /// The number of items of the pass.
    fn items(&self) -> usize {
        match (self.pass, &self.spread) {
            (TurnPass::Place, _) => self.shape.words(),
            (TurnPass::Mirror, Some(spread)) => spread.mirrors(),
            (TurnPass::Shared, Some(spread)) => spread.unions(),
            (TurnPass::LeastCop, _) => self.shape.rows(),
            (TurnPass::Digit(moved), _) => level_rows(&self.shape, moved + 1),
            (TurnPass::AwayRobber | TurnPass::AwayCops, _) => {
                self.away.as_ref().map_or(0, |away| away.sets())
            }
            _ => self.slabs.len(),
        }
    }

    fn next_pass(&mut self) {
        self.cursor = 0;
        self.batch = 0;
        self.pass = match self.pass {
            TurnPass::Mirror => TurnPass::LeastCop,
            TurnPass::LeastCop if self.shape.cops > 2 => TurnPass::Digit(0),
            TurnPass::Place | TurnPass::Shared => TurnPass::Slabs,
            TurnPass::LeastCop => self.last_cop(),
            TurnPass::Digit(moved) => {
                if let Some(spread) = &mut self.spread {
                    spread.digit_done(moved);
                }
                if moved + 3 < self.shape.cops {
                    TurnPass::Digit(moved + 1)
                } else {
                    self.last_cop()
                }
            }
            TurnPass::AwayRobber => TurnPass::AwayCops,
            TurnPass::AwayCops => {
                self.end_away_turn();
                TurnPass::AwayRobber
            }
            TurnPass::Slabs => {
                self.end_turn();
                if self.done && self.begin_away() {
                    TurnPass::AwayCops
                } else if self.shape.cops > 1 {
                    TurnPass::Mirror
                } else {
                    TurnPass::Slabs
                }
            }
        };
    }

    /// The pass in which the last cop moves.
    fn last_cop(&self) -> TurnPass {
        match &self.spread {
            Some(spread) if spread.unions() > 0 => TurnPass::Shared,
            _ => TurnPass::Slabs,
        }
    }

    fn end_turn(&mut self) {
        std::mem::swap(&mut self.fresh, &mut self.next_fresh);
        let solved = std::mem::take(&mut self.in_turn);
        self.known += solved;
        if self.turn == 0 {
            self.solved[0] = solved;
        } else if solved > 0 {
            self.solved.push(solved);
        }
        self.done = self.turn > 0 && solved == 0 || self.turn == MAX_TURNS;
        self.turn += 1;
    }

    /// Begins to look for positions from which the robber is away. Returns `false` if there is no
    /// exit, or if the captures take so long that no number is left for other turns.
    fn begin_away(&mut self) -> bool {
        let has_exits = self.arena.rules().is_some_and(ArenaRules::has_exits);
        if has_exits && self.solved.len() <= usize::from(MAX_TURNS) {
            self.away = Some(AwaySolver::new(&self.arena, self.rules).into());
            self.done = false;
        }
        !self.done
    }

    fn end_away_turn(&mut self) {
        let solved = std::mem::take(&mut self.in_turn);
        self.known += solved;
        let Some(away) = &mut self.away else {
            return;
        };
        let turns = usize::from(away.turns());
        if solved > 0 {
            self.solved_away.push(solved);
        }
        self.done = turns > 0 && solved == 0 || self.solved.len() + turns == usize::from(MAX_TURNS);
        away.end_turn();
        self.turn = self.turn.saturating_add(1);
        if self.done {
            self.away = None;
        }
    }

    /// Works on a range of items of the pass.
    fn work(&mut self, items: Range<usize>) -> SweepCount {
        match self.pass {
            TurnPass::Place => self.pass_place(items),
            TurnPass::Slabs => self.pass_slabs(items),
            TurnPass::Mirror => self.pass_mirror(items),
            TurnPass::LeastCop => self.pass_least_cop(items),
            TurnPass::Digit(moved) => self.pass_digit(items, moved),
            TurnPass::Shared => self.pass_shared(items),
            TurnPass::AwayRobber | TurnPass::AwayCops => self.pass_away(items),
        }
    }

    fn pass_place(&mut self, items: Range<usize>) -> SweepCount {
        let (shape, arena, game, rules) = (&self.shape, &self.arena, self.game, self.rules);
        let (guards, rules_of_arena) = (&self.guards, self.arena.rules());
        let looked = items.len() * shape.places * WORDS_OF_A_PLACE;
        let placed = map(self.threads, items.collect(), |_, word| {
            let (row, board) = shape.locate(word);
            let row = shape.cops_of(row);
            let allowed = game.allowed(arena, shape, &row, board);
            let weights = shape.weights(&row, board);
            let steps = rules.robber_speed.steps();
            let mut slab = Slab::new(shape.places, steps, allowed, weights);
            let (mut fresh, mut solved) = (Vec::new(), 0);
            for robber in 0..shape.places {
                let cops = if guards.contains(&(robber as u16)) {
                    allowed
                } else {
                    game.terminal(arena, robber, &row, board) & allowed
                };
                if cops != 0 {
                    solved += slab.end(robber, cops);
                    let is_exit = rules_of_arena.is_some_and(|rules| rules.exits.contains(robber));
                    let lost = Fresh {
                        robber: robber as u16,
                        cops,
                    };
                    if game.captures_at_once(arena) || is_exit {
                        slab.lose(lost);
                    }
                    // A robber that no cop has captured on an exit is away before the next move.
                    if game.captures_at_once(arena) && !is_exit {
                        fresh.push(lost);
                    }
                }
            }
            (slab, fresh, solved)
        });
        let mut count = SweepCount { looked, solved: 0 };
        for (slab, fresh, solved) in placed {
            self.slabs.push(slab);
            self.fresh.push(fresh);
            count.solved += solved;
        }
        count
    }

    fn pass_mirror(&mut self, items: Range<usize>) -> SweepCount {
        let threads = self.threads;
        let Some(spread) = &mut self.spread else {
            return SweepCount::default();
        };
        let (shape, fresh) = (&self.shape, &self.fresh);
        let (pass, mirrored) = spread.mirrors_mut();
        let images = mirrored[items.start * 64..items.end * 64]
            .chunks_mut(64)
            .collect();
        let lines =
            || -> Vec<SortedSets> { (0..64).map(|_| SortedSets::new(shape.places)).collect() };
        sweep(
            threads,
            images,
            items.start,
            lines,
            |lines, block, image| pass.block(shape, block, fresh, lines, image).into(),
        )
    }

    fn pass_least_cop(&mut self, items: Range<usize>) -> SweepCount {
        let threads = self.threads;
        let Some(spread) = &mut self.spread else {
            return SweepCount::default();
        };
        let (shape, fresh, cops) = (&self.shape, &self.fresh, &self.cops);
        let (pass, lists) = spread.least_cop_mut();
        let rows =
            lists[items.start * shape.boards..items.end * shape.boards].chunks_mut(shape.boards);
        let scratch = || SpreadScratch::new(shape.places);
        sweep(
            threads,
            rows.collect(),
            items.start,
            scratch,
            |scratch, row, lists| pass.row(shape, cops, row, fresh, scratch, lists).into(),
        )
    }

    fn pass_digit(&mut self, items: Range<usize>, moved: usize) -> SweepCount {
        let threads = self.threads;
        let Some(spread) = &mut self.spread else {
            return SweepCount::default();
        };
        let (shape, balls) = (&self.shape, &self.balls);
        let (pass, lists) = spread.digit_mut(moved);
        let rows =
            lists[items.start * shape.boards..items.end * shape.boards].chunks_mut(shape.boards);
        let scratch = || SpreadScratch::new(shape.places);
        sweep(
            threads,
            rows.collect(),
            items.start,
            scratch,
            |scratch, row, lists| pass.row(shape, balls, row, scratch, lists).into(),
        )
    }

    fn pass_shared(&mut self, items: Range<usize>) -> SweepCount {
        let threads = self.threads;
        let Some(spread) = &mut self.spread else {
            return SweepCount::default();
        };
        let (shape, balls) = (&self.shape, &self.balls);
        let (from, lists) = spread.unions_mut();
        let lists = lists[items.clone()].iter_mut().collect();
        let scratch = || SpreadScratch::new(shape.places);
        sweep(
            threads,
            lists,
            items.start,
            scratch,
            |scratch, index, list| unite(shape, balls, index, from, scratch, list).into(),
        )
    }

    fn pass_away(&mut self, items: Range<usize>) -> SweepCount {
        let Some(away) = &mut self.away else {
            return SweepCount::default();
        };
        let moves = AwayMoves {
            shape: &self.shape,
            balls: &self.balls,
            bound: self.bound.as_ref(),
        };
        if self.pass == TurnPass::AwayRobber {
            return away.robber_moves(self.threads, items, moves);
        }
        // Numbers beyond those of captures stand for the turns until the robber is away.
        let turn = Turn::new(self.solved.len() as u16 + away.turns());
        let slabs = &mut self.slabs;
        away.cop_moves(self.threads, items, moves, |new| {
            slabs[new.word].note_time(new.robber, 1 << new.bit, &turn);
        })
    }

    fn pass_slabs(&mut self, items: Range<usize>) -> SweepCount {
        let (shape, turn) = (&self.shape, self.turn);
        let settling = Settling {
            shape,
            cops: &self.cops,
            balls: &self.balls,
            fresh: &self.fresh,
            spread: self.spread.as_ref(),
            time: Turn::new(turn),
        };
        let (cops, robber) = match &self.bound {
            Some(bound) if bound.side() == Side::Cops => (Some(bound), None),
            bound => (None, bound.as_ref()),
        };
        let fresh = &self.fresh;
        let slabs = self.slabs[items.clone()].iter_mut();
        let slabs = slabs.zip(&mut self.next_fresh[items.clone()]).collect();
        let moves = || RobberMoves::new(&self.steps, &self.robber, shape.places);
        sweep(
            self.threads,
            slabs,
            items.start,
            moves,
            |moves, word, item: (&mut Slab, &mut Vec<Fresh>)| {
                let (slab, next) = item;
                next.clear();
                let mut count = SweepCount::default();
                if turn == 0 || slab.is_settled() {
                    // Either no positions are known yet that the cops could reach, or all positions
                    // of the slab are solved.
                } else if let Some(bound) = cops {
                    count = settling.settle_bound(slab, word, bound);
                } else {
                    count = settling.settle(slab, word);
                }
                count.looked += match robber {
                    None => slab.gather(moves, next),
                    Some(bound) => slab.gather_bound(moves, next, |robber, into| {
                        bound.leading_into(shape, word, robber, into)
                    }),
                };
                if turn == 0 {
                    // Add the positions that are lost from the start.
                    next.extend_from_slice(&fresh[word]);
                    if cops.is_some() {
                        next.sort_unstable_by_key(|new| new.robber);
                    }
                }
                release(next);
                count
            },
        )
    }
}
