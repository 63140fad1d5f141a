//! Checks every value of a table against the values of its successors.
//!
//! The verification shares no step of the computation with the solver: it takes the moves from the
//! graph, checks positions of several cops in every order, and uses no sets of bits. The two share
//! only the order of positions in memory and the distribution of work over threads.

use super::sweep::{Threads, map};
use super::verification::{PartialVerification, Verification, VerifyError, WrongValue};
use super::verify_rules::RuleBook;
use super::{Arena, CaptureTimes, Progress, SolveError, Table};
use crate::game::Side;
use crate::graph::{BallSearch, Csr, Digraph, Fingerprint, Graph};
use std::ops::Range;

const NEVER: u16 = u16::MAX;

/// The approximate limit of the numbers that are held for a group of the robber's places that are
/// checked together. A group of one place may exceed it.
const NUMBERS_AT_ONCE: usize = 1 << 24;

/// The approximate number of values computed between two progress reports.
const NUMBERS_BETWEEN_REPORTS: usize = 1 << 22;

/// The approximate number of values that a thread computes in one piece.
const NUMBERS_IN_A_PIECE: usize = 1 << 15;

/// The size of a value in bytes.
const BYTES: u64 = 2;

impl Table {
    /// Checks every value of a table of a map. The value has to be 0 exactly where a cop is on the
    /// robber's place. Elsewhere it has to be 1 plus the minimum, over the cops' joint moves, of
    /// the maximum over the robber's replies.
    ///
    /// `go_on` receives the number of positions checked, several times a second and not turn by
    /// turn. If it returns `false`, the work stops, and the result is what has been found so far.
    ///
    /// Time: positions x steps of both sides, in parallel with the feature `parallel`.
    /// Memory: at most `limit` bytes, in addition to the table and to lists of places, which take
    /// some 100 bytes for each place and 8 bytes for each place and step of the robber. The least
    /// limit that suffices is 4 bytes for each place and each step from a place, plus 2 (1 + a + b)
    /// bytes for each placement of the cops. Here a is the number of places that the robber can
    /// reach in a turn and b the same for a turn of one step less, where their sum is greatest.
    ///
    /// # Errors
    /// [`VerifyError::Table`] if the table belongs to another map, and [`VerifyError::Memory`] if
    /// `limit` is too small.
    pub fn verify(
        &self,
        graph: &Graph,
        limit: u64,
        go_on: impl FnMut(Progress) -> bool,
    ) -> Result<Verification, VerifyError> {
        self.expect_graph(graph.fingerprint(), graph.vertices(), true)?;
        let edges = graph.iter().map(|vertex| graph.neighbours(vertex).len());
        let places = self.cells().len();
        let mut steps = Csr::with_capacity(places, places + edges.sum::<usize>());
        let mut row = Vec::new();
        for (place, &cell) in self.cells().iter().enumerate() {
            // A cell that is a wall, or that occurs twice, has no steps, so its value comes out
            // wrong.
            let vertex = graph
                .vertex(cell)
                .filter(|_| self.place(cell) == Some(place));
            let neighbours = vertex.map_or(&[][..], |vertex| graph.neighbours(vertex));
            let next = neighbours
                .iter()
                .filter_map(|&next| self.place(graph.cell(next)));
            row.clear();
            row.extend(std::iter::once(place).chain(next).map(|place| place as u32));
            steps.push(&row);
        }
        Ok(Verifier::new(self, &steps).run(limit, go_on)?)
    }

    /// Checks every value of a table of a graph given by its edges. See [`Self::verify`].
    ///
    /// # Errors
    /// [`VerifyError::Table`] if the table belongs to another graph, and [`VerifyError::Memory`] if
    /// `limit` is too small.
    pub fn verify_digraph(
        &self,
        graph: &Digraph,
        limit: u64,
        go_on: impl FnMut(Progress) -> bool,
    ) -> Result<Verification, VerifyError> {
        self.expect_graph(graph.fingerprint(), graph.vertices(), false)?;
        let edges = graph.iter().map(|vertex| graph.successors(vertex).len());
        let places = graph.vertices();
        let mut steps = Csr::with_capacity(places, places + edges.sum::<usize>());
        let mut row = Vec::new();
        for vertex in graph.iter() {
            let next = graph.successors(vertex).iter();
            row.clear();
            row.extend(
                std::iter::once(&vertex)
                    .chain(next)
                    .map(|place| place.index() as u32),
            );
            steps.push(&row);
        }
        Ok(Verifier::new(self, &steps).run(limit, go_on)?)
    }
}

impl Table {
    /// Checks every value of a table of an arena, with its grounds, exits and rules of capture. See
    /// [`Self::verify`].
    ///
    /// # Errors
    /// [`VerifyError::Table`] if the table belongs to another arena, and [`VerifyError::Memory`] if
    /// `limit` is too small.
    pub fn verify_arena(
        &self,
        arena: &Arena,
        limit: u64,
        go_on: impl FnMut(Progress) -> bool,
    ) -> Result<Verification, VerifyError> {
        self.expect_arena(arena)?;
        let verifier = Verifier {
            cop_steps: arena.steps_of(Side::Cops),
            book: RuleBook::of(arena, self),
            ..Verifier::new(self, arena.all_steps())
        };
        Ok(verifier.run(limit, go_on)?)
    }

    /// Checks every value of a table of a part of a map: with steps of the cops that differ from those of the robber,
    /// and with cops that stand on places for ever. See [`Self::verify`].
    ///
    /// # Errors
    /// [`VerifyError::Table`] if the table has another number of places or is one of a map, and
    /// [`VerifyError::Memory`] if `limit` is too small.
    pub(crate) fn verify_part(
        &self,
        robber: &Csr<u32>,
        cops: &Csr<u32>,
        guards: &[u16],
        limit: u64,
    ) -> Result<Verification, VerifyError> {
        self.expect_graph(Fingerprint::from_bits(0), robber.rows(), false)?;
        let verifier = Verifier {
            cop_steps: cops,
            guards,
            ..Verifier::new(self, robber)
        };
        Ok(verifier.run(limit, |_| true)?)
    }
}

struct Verifier<'a> {
    table: &'a Table,
    /// Closed neighbourhoods: for each place, the place itself and all places one step away.
    steps: &'a Csr<u32>,
    /// The same for the cops.
    cop_steps: &'a Csr<u32>,
    /// Places on which a cop stands that takes no part in the game.
    guards: &'a [u16],
    /// The rules that differ from cops and robber on one graph. With them, values are ranks.
    book: Option<RuleBook<'a>>,
    cops: usize,
    /// The number of placements of the cops, counted as distinguished: n^k.
    positions: usize,
}

/// Places of the robber that are checked together.
struct RobberGroup {
    robbers: Range<usize>,
    /// `layers[i]` holds the places that the robbers reach within `i` steps, in order. The list
    /// ends when a step adds no place.
    layers: Vec<Vec<usize>>,
    /// The number of steps in a turn.
    steps: usize,
}

impl RobberGroup {
    /// The greatest number of values held at the same time for each placement of the cops: the
    /// table's values of the robbers, the values of one layer, and those of the layer before while
    /// they are computed. The cops' moves need three values for each robber, which is no more.
    fn numbers(&self) -> usize {
        // Each layer contains the layer before, since a robber may wait.
        let both = self.layer(self.steps - 1).len() + self.layer(self.steps).len();
        self.robbers.len() + both
    }

    /// The places that the robbers reach within `steps` steps.
    fn layer(&self, steps: usize) -> &[usize] {
        &self.layers[steps.min(self.layers.len() - 1)]
    }
}

impl<'a> Verifier<'a> {
    fn new(table: &'a Table, steps: &'a Csr<u32>) -> Self {
        let cops = usize::from(table.rules().cops.get());
        Self {
            table,
            steps,
            cop_steps: steps,
            guards: &[],
            book: None,
            cops,
            positions: steps.rows().pow(cops as u32),
        }
    }

    fn run(
        &self,
        limit: u64,
        mut go_on: impl FnMut(Progress) -> bool,
    ) -> Result<Verification, SolveError> {
        let places = self.steps.rows();
        // If one place needs too much memory, checking the others is in vain, so test this first.
        // The exact count is needed only if the upper bound exceeds the limit.
        let mut needed = self.bytes(1 + 2 * places);
        if needed > limit {
            let Some(numbers) = self.most_numbers(&mut go_on) else {
                return Ok(Verification::default());
            };
            needed = self.bytes(numbers);
        }
        if needed > limit {
            return Err(SolveError::TooLarge {
                vertices: places,
                cops: self.cops as u8,
                needed,
                limit,
            });
        }
        let mut all = PartialVerification::default();
        let (mut next, mut complete) = (0, true);
        while next < places && complete {
            let group = self.group(next, limit);
            next = group.robbers.end;
            let positions = self.positions as u64 * places as u64;
            let progress = Progress::of_work(all.found.positions, positions);
            let part = self.check(&group, &mut || go_on(progress));
            complete = part.is_some();
            all.add(part.unwrap_or_default());
        }
        let listed = self.table.count_of_numbers();
        let turns = 0..listed.len().max(all.histogram.len());
        let wrong_count = turns.into_iter().find(|&turns| {
            listed.get(turns).unwrap_or(&0) != all.histogram.get(turns).unwrap_or(&0)
        });
        all.found.wrong_count = wrong_count.filter(|_| complete).map(|turns| turns as u16);
        Ok(all.found)
    }

    /// The greatest number of values that a single place of the robber needs for each placement of
    /// the cops, as [`RobberGroup::numbers`] counts them; `None` if `go_on` stopped the work.
    fn most_numbers(&self, go_on: &mut impl FnMut(Progress) -> bool) -> Option<usize> {
        let places = self.steps.rows();
        let positions = self.positions as u64 * places as u64;
        let mut walk = BallSearch::new(places);
        let mut most = 0;
        for place in 0..places {
            if !go_on(Progress::of_work(0, positions)) {
                return None;
            }
            let mut within = |steps| walk.within(self.steps, place, steps, |_| false).len();
            let speed = self.table.rules().robber_speed.steps();
            most = most.max(1 + within(speed - 1) + within(speed));
        }
        Some(most)
    }

    /// The group of as many places of the robber from `first` on as fit into the limit, but at
    /// least one.
    fn group(&self, first: usize, limit: u64) -> RobberGroup {
        let most = (NUMBERS_AT_ONCE / self.positions.max(1)).clamp(1, 64);
        let mut last = self.steps.rows().min(first + most);
        loop {
            let group = self.group_of(first..last);
            if last == first + 1 || self.bytes(group.numbers()) <= limit {
                return group;
            }
            last = first + (last - first) / 2;
        }
    }

    /// The bytes of the steps, and of `numbers` values for each placement of the cops.
    const fn bytes(&self, numbers: usize) -> u64 {
        let steps = 4 * (self.steps.rows() as u64 + 1 + self.steps.item_count() as u64);
        BYTES
            .saturating_mul(numbers as u64)
            .saturating_mul(self.positions as u64)
            .saturating_add(steps)
    }

    fn group_of(&self, robbers: Range<usize>) -> RobberGroup {
        let mut layers = vec![robbers.clone().collect::<Vec<usize>>()];
        let steps = usize::from(self.table.rules().robber_speed.steps());
        for step in 0..steps {
            let next = layers[step].iter();
            let next = next.flat_map(|&place| self.steps.row(place));
            let mut next: Vec<usize> = next.map(|&place| place as usize).collect();
            next.sort_unstable();
            next.dedup();
            if next.len() == layers[step].len() {
                break;
            }
            next.shrink_to_fit();
            layers.push(next);
        }
        RobberGroup {
            robbers,
            layers,
            steps,
        }
    }

    /// Checks a group. `None` if `go_on` stopped the work.
    fn check(
        &self,
        group: &RobberGroup,
        go_on: &mut impl FnMut() -> bool,
    ) -> Option<PartialVerification> {
        let last = group.layer(group.steps);
        let mut values = self.rounds(last, go_on, |place| self.unpack(place))?;
        let found = group.robbers.clone();
        let found =
            found.filter_map(|robber| Some(values[last.binary_search(&robber).ok()?].clone()));
        let found: Vec<Vec<u16>> = found.collect();
        for step in (0..group.steps).rev() {
            let (robbers, from) = (group.layer(step), group.layer(step + 1));
            let rows = |array: usize, row: usize, best: &mut [u16]| {
                self.robber_steps(robbers[array], from, &values, row, best);
            };
            values = self.fill(robbers.len(), go_on, rows)?;
        }
        for cop in 0..self.cops {
            for _ in 0..self.table.rules().cop_speed.steps() {
                let rows = |array: usize, row: usize, best: &mut [u16]| {
                    self.step_of_cop(cop, &values[array], row, best);
                };
                values = self.fill(values.len(), go_on, rows)?;
            }
        }
        let robbers: Vec<usize> = group.robbers.clone().collect();
        let parts = self.rounds(&robbers, go_on, |robber| {
            let index = robber - group.robbers.start;
            self.compare(robber, &values[index], &found[index])
        });
        let mut all = PartialVerification::default();
        for part in parts? {
            all.add(part);
        }
        Some(all)
    }

    /// Applies `work` to each place of the robber. `None` if `go_on` stopped the work.
    fn rounds<R: Send>(
        &self,
        robbers: &[usize],
        go_on: &mut impl FnMut() -> bool,
        work: impl Fn(usize) -> R + Sync + Send,
    ) -> Option<Vec<R>> {
        let at_once = (NUMBERS_BETWEEN_REPORTS / self.positions.max(1)).max(4);
        let mut done = Vec::with_capacity(robbers.len());
        for some in robbers.chunks(at_once) {
            done.extend(map(Threads::All, some.to_vec(), |_, robber| work(robber)));
            if !go_on() {
                return None;
            }
        }
        Some(done)
    }

    /// Computes new values for some places of the robber. `work` receives the index of the place,
    /// the row, and the values of the row, which it fills. `None` if `go_on` stopped the work.
    fn fill(
        &self,
        robbers: usize,
        go_on: &mut impl FnMut() -> bool,
        work: impl Fn(usize, usize, &mut [u16]) + Sync + Send,
    ) -> Option<Vec<Vec<u16>>> {
        let places = self.steps.rows();
        let mut arrays = vec![vec![0; self.positions]; robbers];
        let rows = (NUMBERS_IN_A_PIECE / places).max(1);
        let pieces = arrays.iter_mut().enumerate().flat_map(|(array, numbers)| {
            let pieces = numbers.chunks_mut(rows * places).enumerate();
            pieces.map(move |(piece, numbers)| (array, piece * rows, numbers))
        });
        let mut pieces = pieces.peekable();
        while pieces.peek().is_some() {
            let some = NUMBERS_BETWEEN_REPORTS.div_ceil(rows * places);
            let some = pieces.by_ref().take(some).collect();
            map(
                Threads::All,
                some,
                |_, (array, first, numbers): (usize, usize, &mut [u16])| {
                    for (row, numbers) in (first..).zip(numbers.chunks_mut(places)) {
                        work(array, row, numbers);
                    }
                },
            );
            if !go_on() {
                return None;
            }
        }
        drop(pieces);
        Some(arrays)
    }

    /// The values of all positions with the robber on a place.
    fn unpack(&self, robber: usize) -> Vec<u16> {
        let places = self.steps.rows();
        let mut values = vec![NEVER; self.positions];
        let mut sorted = Vec::with_capacity(self.cops);
        for row in 0..self.positions / places {
            sorted.clear();
            sorted.extend(self.others(row));
            sorted.sort_unstable();
            for board in 0..self.boards_of(sorted.first()) {
                let numbers = self.table.unpack(&sorted, board, robber);
                let columns = board * 64..places.min(board * 64 + 64);
                values[row * places..][columns.clone()].copy_from_slice(&numbers[..columns.len()]);
            }
        }
        // On later boards the cop of the column is not the least, so these values are stored with
        // this cop and the row's least cop exchanged.
        for row in 0..self.positions / places {
            let others = self.others(row).enumerate();
            let Some((digit, least)) = others.min_by_key(|&(_, place)| place) else {
                continue;
            };
            let stride = places.pow(digit as u32);
            let first = row - least * stride;
            for column in self.boards_of(Some(&least)) * 64..places {
                values[row * places + column] = values[(first + column * stride) * places + least];
            }
        }
        if let Some(book) = &self.book {
            for (row, values) in values.chunks_mut(places).enumerate() {
                book.rank_all(robber, self.others(row), values);
            }
        }
        values
    }

    /// The places of the cops of a row.
    fn others(&self, row: usize) -> impl Iterator<Item = usize> + '_ {
        let mut rest = row;
        (1..self.cops).map(move |_| {
            let place = rest % self.steps.rows();
            rest /= self.steps.rows();
            place
        })
    }

    /// The number of boards that the table stores for a row whose least cop is `least`.
    fn boards_of(&self, least: Option<&usize>) -> usize {
        let boards = self.steps.rows().div_ceil(64);
        least.map_or(boards, |least| least / 64 + 1)
    }

    /// Computes one step of the robber for a row of positions: the greatest value that a step leads
    /// to, or 0 where a cop is on the robber's place. `values` are the values of the places `from`,
    /// which include every place that a step leads to.
    fn robber_steps(
        &self,
        robber: usize,
        from: &[usize],
        values: &[Vec<u16>],
        row: usize,
        best: &mut [u16],
    ) {
        let start = row * best.len();
        best.fill(0);
        let steps = self.steps.row(robber).iter();
        for index in steps.filter_map(|&step| from.binary_search(&(step as usize)).ok()) {
            let values = &values[index][start..start + best.len()];
            for (best, &value) in best.iter_mut().zip(values) {
                *best = (*best).max(value);
            }
        }
        match &self.book {
            None => self.capture(robber, row, best),
            Some(book) => book.judge_walk(robber, self.others(row), best),
        }
    }

    /// Computes one step of a cop for a row of positions: the least value that a step leads to.
    fn step_of_cop(&self, cop: usize, values: &[u16], row: usize, best: &mut [u16]) {
        let places = self.steps.rows();
        let Some(digit) = cop.checked_sub(1) else {
            let values = &values[row * places..][..places];
            for (place, best) in best.iter_mut().enumerate() {
                let steps = self.cop_steps.row(place).iter();
                *best = steps.fold(NEVER, |least, &to| least.min(values[to as usize]));
            }
            return;
        };
        let stride = places.pow(digit as u32);
        let place = row / stride % places;
        best.fill(NEVER);
        for &to in self.cop_steps.row(place) {
            let to = to as usize;
            let values = &values[(row - place * stride + to * stride) * places..][..places];
            for (best, &value) in best.iter_mut().zip(values) {
                *best = (*best).min(value);
            }
        }
    }

    /// Sets the values of a row's positions to 0 where a cop is on the robber's place.
    fn capture(&self, robber: usize, row: usize, values: &mut [u16]) {
        let is_guarded = self.guards.contains(&(robber as u16));
        if is_guarded || self.others(row).any(|place| place == robber) {
            values.fill(0);
            return;
        }
        values[robber] = 0;
    }

    /// Compares the table's values `found` with those that follow from `after`, the values after
    /// the cops' moves.
    fn compare(&self, robber: usize, after: &[u16], found: &[u16]) -> PartialVerification {
        let places = self.steps.rows();
        let mut part = PartialVerification::default();
        let mut expected = vec![0; places];
        for (row, (after, found)) in after.chunks(places).zip(found.chunks(places)).enumerate() {
            for (expected, &after) in expected.iter_mut().zip(after) {
                *expected = match &self.book {
                    None => after.saturating_add(1),
                    Some(book) => book.one_turn_earlier(after),
                };
            }
            match &self.book {
                None => self.capture(robber, row, &mut expected),
                Some(book) => book.judge_turn(robber, self.others(row), &mut expected),
            }
            self.compare_row(robber, row, &expected, found, &mut part);
        }
        part
    }

    fn compare_row(
        &self,
        robber: usize,
        row: usize,
        expected: &[u16],
        found: &[u16],
        part: &mut PartialVerification,
    ) {
        for (place, (&expected, &found)) in expected.iter().zip(found).enumerate() {
            let number = match &self.book {
                None => (found != NEVER).then_some(found),
                Some(_) if found == NEVER => continue,
                Some(book) => book.number(found),
            };
            part.found.positions += 1;
            if let Some(number) = number.map(usize::from) {
                if part.histogram.len() <= number {
                    part.histogram.resize(number + 1, 0);
                }
                part.histogram[number] += 1;
            }
            if expected != found {
                part.found.wrong += 1;
                let turns = |number: u16| match &self.book {
                    None => (number != NEVER).then_some(number),
                    Some(book) => book.number(number),
                };
                part.found.first.get_or_insert_with(|| WrongValue {
                    robber,
                    cops: self.cops_of(row * self.steps.rows() + place),
                    expected: turns(expected),
                    found: turns(found),
                });
            }
        }
    }

    /// The places of the cops in a placement given by its number.
    fn cops_of(&self, position: usize) -> Vec<usize> {
        let places = self.steps.rows();
        let others = self.others(position / places);
        std::iter::once(position % places).chain(others).collect()
    }
}
