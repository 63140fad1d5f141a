//! Checks a table by a look one turn ahead from every position.
//!
//! No step from one value to another is shared with the solver: moves are taken from the graph,
//! positions of several cops are looked at in every order, and no set of bits is used. What both use
//! is the order of positions in memory, and the way to spread work over threads.

use super::sweep::map;
use super::{CaptureTimes, Table, TableError};
use crate::graph::{Digraph, Graph};

const NEVER: u16 = u16::MAX;

/// So many numbers are unpacked at once by each thread, about.
const NUMBERS_AT_ONCE: usize = 1 << 25;

/// What a verification has found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Verification {
    /// Positions looked at, cops to move, the cops told apart.
    pub positions: u64,
    /// How many of them have another value than a look one turn ahead gives.
    pub wrong: u64,
    /// The first of them.
    pub first: Option<WrongValue>,
    /// The first number of turns for which the table's histogram is not the one of its values.
    pub wrong_count: Option<u16>,
}

impl Verification {
    /// Is everything right?
    #[must_use]
    pub const fn is_right(&self) -> bool {
        self.wrong == 0 && self.wrong_count.is_none()
    }
}

/// A value that cannot be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrongValue {
    /// The robber's place.
    pub robber: usize,
    /// The cops' places.
    pub cops: Vec<usize>,
    /// The turns that the values of the positions one turn later give, `None` for escape.
    pub expected: Option<u16>,
    /// The turns in the table, `None` for escape.
    pub found: Option<u16>,
}

impl Table {
    /// Checks every value of a table of a map: 0 exactly where a cop stands on the robber, and
    /// elsewhere one more than the least that a joint move of the cops makes of the greatest that a
    /// move of the robber makes of it.
    ///
    /// `go_on` is told how many of the robber's places are done, and stops the work by `false`: then
    /// what has been found so far is returned. Time: about `moves of both sides` x positions;
    /// parallel with the feature `parallel`.
    ///
    /// # Errors
    /// If the table is of another map.
    pub fn verify(
        &self,
        graph: &Graph,
        go_on: impl FnMut(usize) -> bool,
    ) -> Result<Verification, TableError> {
        self.expect_graph(graph.fingerprint(), graph.vertices(), true)?;
        let mut steps = Vec::new();
        for (place, &cell) in self.cells().iter().enumerate() {
            // A cell that is a wall, or named twice, has no step and so a wrong value.
            let vertex = graph
                .vertex(cell)
                .filter(|_| self.place(cell) == Some(place));
            let neighbours = vertex.map_or(&[][..], |vertex| graph.neighbours(vertex));
            let next = neighbours
                .iter()
                .filter_map(|&next| self.place(graph.cell(next)));
            steps.push(std::iter::once(place).chain(next).collect());
        }
        Ok(Verifier::new(self, &steps).run(go_on))
    }

    /// The same for a table of a graph given by its edges.
    ///
    /// # Errors
    /// If the table is of another graph.
    pub fn verify_digraph(
        &self,
        graph: &Digraph,
        go_on: impl FnMut(usize) -> bool,
    ) -> Result<Verification, TableError> {
        self.expect_graph(graph.fingerprint(), graph.vertices(), false)?;
        let steps = graph.iter().map(|vertex| {
            let next = graph.successors(vertex).iter().map(|next| next.index());
            std::iter::once(vertex.index()).chain(next).collect()
        });
        let steps: Vec<Vec<usize>> = steps.collect();
        Ok(Verifier::new(self, &steps).run(go_on))
    }
}

struct Verifier<'a> {
    table: &'a Table,
    /// For each place itself and where a step leads.
    steps: &'a [Vec<usize>],
    cops: usize,
    /// All orders of the cops on all places: n^k.
    positions: usize,
}

/// What has been found for some places of the robber.
#[derive(Default)]
struct Part {
    found: Verification,
    histogram: Vec<u64>,
}

impl<'a> Verifier<'a> {
    fn new(table: &'a Table, steps: &'a [Vec<usize>]) -> Self {
        let cops = usize::from(table.rules().cops.get());
        Self {
            table,
            steps,
            cops,
            positions: steps.len().pow(cops as u32),
        }
    }

    fn run(&self, mut go_on: impl FnMut(usize) -> bool) -> Verification {
        let places = self.steps.len();
        let group = (NUMBERS_AT_ONCE / self.positions.max(1)).clamp(1, 64);
        let groups: Vec<usize> = (0..places).step_by(group).collect();
        let mut all = Part::default();
        let mut complete = true;
        for some in groups.chunks(8) {
            let parts = map(some.to_vec(), |_, start| {
                self.group(start..places.min(start + group))
            });
            for part in parts {
                all.add(part);
            }
            if !go_on(some.last().map_or(0, |&start| places.min(start + group))) {
                complete = false;
                break;
            }
        }
        let listed = self.table.histogram();
        let turns = 0..listed.len().max(all.histogram.len());
        let wrong_count = turns.into_iter().find(|&turns| {
            listed.get(turns).unwrap_or(&0) != all.histogram.get(turns).unwrap_or(&0)
        });
        all.found.wrong_count = wrong_count.filter(|_| complete).map(|turns| turns as u16);
        all.found
    }

    /// Checks some places of the robber that follow each other.
    fn group(&self, robbers: std::ops::Range<usize>) -> Part {
        let mut part = Part::default();
        // Their own values and those of all places that the robber gets to, unpacked once.
        let mut near: Vec<usize> = robbers.clone().collect();
        for _ in 0..self.table.rules().robber_speed.steps() {
            let next = near
                .iter()
                .flat_map(|&place| self.steps[place].iter().copied());
            near = next.collect();
            near.sort_unstable();
            near.dedup();
        }
        let mut values: Vec<Vec<u16>> = near.iter().map(|&place| self.unpack(place)).collect();
        let own = |robber: usize| near.binary_search(&robber).unwrap_or_default();
        let found: Vec<Vec<u16>> = robbers.clone().map(|r| values[own(r)].clone()).collect();
        for _ in 0..self.table.rules().robber_speed.steps() {
            values = self.robber_steps(&near, &values);
        }
        for (robber, found) in robbers.zip(found) {
            let mut expected = std::mem::take(&mut values[own(robber)]);
            self.cops_move(&mut expected);
            self.compare(robber, &expected, &found, &mut part);
        }
        part
    }

    /// The values of all positions with the robber on a place.
    fn unpack(&self, robber: usize) -> Vec<u16> {
        let places = self.steps.len();
        let mut values = vec![NEVER; self.positions];
        for row in 0..self.positions / places {
            let boards = if self.cops == 1 {
                places.div_ceil(64)
            } else {
                row % places / 64 + 1
            };
            for board in 0..boards {
                let numbers = self.table.unpack(row, board, robber);
                let columns = board * 64..places.min(board * 64 + 64);
                values[row * places..][columns.clone()].copy_from_slice(&numbers[..columns.len()]);
                if self.cops > 1 {
                    // The cop of the row and the one of the column change places.
                    let (matrix, place) = (row / places * places, row % places);
                    for (column, number) in columns.zip(numbers) {
                        values[(matrix + column) * places + place] = number;
                    }
                }
            }
        }
        values
    }

    /// One step of the robber: the greatest value that it gets, 0 where a cop stands on it.
    fn robber_steps(&self, near: &[usize], values: &[Vec<u16>]) -> Vec<Vec<u16>> {
        let after = near.iter().map(|&robber| {
            let mut best = vec![0; self.positions];
            for step in &self.steps[robber] {
                // Places at the rim lack neighbours; nobody asks for their values.
                let Ok(index) = near.binary_search(step) else {
                    continue;
                };
                for (best, &value) in best.iter_mut().zip(&values[index]) {
                    *best = (*best).max(value);
                }
            }
            self.for_captures(robber, |position| best[position] = 0);
            best
        });
        after.collect()
    }

    /// One joint move of the cops: the least value that they get, and a turn more.
    fn cops_move(&self, values: &mut Vec<u16>) {
        let places = self.steps.len();
        let mut stride = 1;
        for _ in 0..self.cops {
            for _ in 0..self.table.rules().cop_speed.steps() {
                let least = |position: usize| {
                    let place = position / stride % places;
                    let base = position - place * stride;
                    let steps = self.steps[place]
                        .iter()
                        .map(|&to| values[base + to * stride]);
                    steps.min().unwrap_or(NEVER)
                };
                *values = (0..self.positions).map(least).collect();
            }
            stride *= places;
        }
        for value in values {
            *value = value.saturating_add(1);
        }
    }

    fn compare(&self, robber: usize, expected: &[u16], found: &[u16], part: &mut Part) {
        let mut expected = expected.to_vec();
        self.for_captures(robber, |position| expected[position] = 0);
        part.found.positions += self.positions as u64;
        for (position, (&expected, &found)) in expected.iter().zip(found).enumerate() {
            if found != NEVER {
                if part.histogram.len() <= usize::from(found) {
                    part.histogram.resize(usize::from(found) + 1, 0);
                }
                part.histogram[usize::from(found)] += 1;
            }
            if expected != found {
                part.found.wrong += 1;
                let turns = |number: u16| (number != NEVER).then_some(number);
                part.found.first.get_or_insert_with(|| WrongValue {
                    robber,
                    cops: self.cops_of(position),
                    expected: turns(expected),
                    found: turns(found),
                });
            }
        }
    }

    /// The places of the cops at a position.
    fn cops_of(&self, position: usize) -> Vec<usize> {
        let mut rest = position;
        let place = |_| {
            let place = rest % self.steps.len();
            rest /= self.steps.len();
            place
        };
        (0..self.cops).map(place).collect()
    }

    /// Calls `visit` with all positions where a cop stands on the robber.
    fn for_captures(&self, robber: usize, mut visit: impl FnMut(usize)) {
        let places = self.steps.len();
        let mut stride = 1;
        for _ in 0..self.cops {
            let with_cop = (0..self.positions / (stride * places)).flat_map(|block| {
                let start = block * stride * places + robber * stride;
                start..start + stride
            });
            with_cop.for_each(&mut visit);
            stride *= places;
        }
    }
}

impl Part {
    fn add(&mut self, other: Self) {
        self.found.positions += other.found.positions;
        self.found.wrong += other.found.wrong;
        if self.found.first.is_none() {
            self.found.first = other.found.first;
        }
        if self.histogram.len() < other.histogram.len() {
            self.histogram.resize(other.histogram.len(), 0);
        }
        for (count, other) in self.histogram.iter_mut().zip(other.histogram) {
            *count += other;
        }
    }
}
