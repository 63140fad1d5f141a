//! Decision diagrams: test one cell of the map or guarded side after another until the number of turns is known.

use crate::patterns::shape::Site;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// A flat program of decisions. A reference is either the number of a node or, marked with [`LEAF`], a result.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Decisions {
    nodes: Vec<DecisionNode>,
}

/// What a decision tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Test {
    /// Whether a cell, relative to the robber, is floor.
    Floor(Site),
    /// Whether another cop guards a side of a window, by the number of the side in a list.
    Guarded(u16),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct DecisionNode {
    test: Test,
    /// The references to follow if the test fails, and if it passes.
    next: [u32; 2],
}

/// Marks a reference as a result. The other bits are the turns.
const LEAF: u32 = 1 << 31;

/// The result for a position that fits no pattern.
pub(super) const NOTHING: u32 = LEAF | 255;

impl Decisions {
    /// Runs the program, beginning at a reference. `passes` says whether the position passes a test. Does not
    /// allocate.
    #[inline]
    pub(super) fn run(&self, mut at: u32, passes: impl Fn(Test) -> bool) -> Option<u8> {
        while at & LEAF == 0 {
            let node = self.nodes.get(at as usize)?;
            at = node.next[usize::from(passes(node.test))];
        }
        (at != NOTHING).then_some(at as u8)
    }

    /// The number of nodes.
    pub(super) const fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// The bytes of the nodes.
    pub(super) const fn bytes(&self) -> usize {
        self.nodes.len() * size_of::<DecisionNode>()
    }

    /// Appends the nodes that are reachable from the node `root` of a builder. Returns the reference to their copy.
    fn append(&mut self, builder: &Builder, root: u32) -> u32 {
        let mut numbers = BTreeMap::new();
        self.copy(builder, root, &mut numbers)
    }

    fn copy(&mut self, builder: &Builder, from: u32, numbers: &mut BTreeMap<u32, u32>) -> u32 {
        if from & LEAF != 0 {
            return from;
        }
        if let Some(&number) = numbers.get(&from) {
            return number;
        }
        let (level, next) = builder.nodes[from as usize];
        let number = self.nodes.len() as u32;
        let test = builder.order[level as usize];
        self.nodes.push(DecisionNode { test, next });
        numbers.insert(from, number);
        let next = next.map(|next| self.copy(builder, next, numbers));
        self.nodes[number as usize].next = next;
        number
    }
}

/// The requirements of a pattern, each a test and its outcome, and the turns.
pub(super) type Clause = (Vec<(Test, bool)>, u8);

/// The number of nodes after which a diagram takes no more patterns. The rest go into further diagrams.
const MOST: usize = 1 << 16;

/// The number of nodes, and of pairs of nodes that were joined, after which diagrams are no longer joined. Two diagrams
/// may have a number of such pairs that is the product of their sizes. With this limit, a builder takes at most some
/// tens of megabytes.
const MOST_JOINED: usize = 4 * MOST;

/// Adds the decisions for some patterns to a program. Their result is the fewest turns of all patterns that
/// fit. Returns the references to run one after another, usually one.
///
/// The diagrams test cells before guards, which take longer, and of the cells first those that most patterns depend
/// on. (R. Bryant, *Graph-based algorithms for Boolean function manipulation*, 1986; here with turns instead of
/// truth values.)
pub(super) fn compile(program: &mut Decisions, clauses: &[Clause]) -> Vec<u32> {
    let mut counts: BTreeMap<Test, usize> = BTreeMap::new();
    for (test, _) in clauses.iter().flat_map(|(tests, _)| tests) {
        *counts.entry(*test).or_default() += 1;
    }
    let mut order: Vec<Test> = counts.keys().copied().collect();
    let cost = |test: &Test| match test {
        Test::Floor((x, y)) => (0, i32::from(*x).pow(2) + i32::from(*y).pow(2)),
        Test::Guarded(_) => (1, 0),
    };
    order.sort_by_key(|test| {
        let (is_guard, far) = cost(test);
        (is_guard, Reverse(counts[test]), far, *test)
    });
    let mut roots = Vec::new();
    let mut rest = clauses;
    while !rest.is_empty() {
        let mut builder = Builder::new(order.clone());
        let (taken, found) = builder.add_all(rest);
        rest = &rest[taken..];
        roots.extend(found.into_iter().map(|root| program.append(&builder, root)));
    }
    roots
}

/// A diagram under construction: ordered and reduced.
struct Builder {
    order: Vec<Test>,
    /// For each node, the index of its test in `order` and the two references to follow.
    nodes: Vec<(u32, [u32; 2])>,
    unique: BTreeMap<(u32, [u32; 2]), u32>,
    least: BTreeMap<(u32, u32), u32>,
}

impl Builder {
    const fn new(order: Vec<Test>) -> Self {
        Self {
            order,
            nodes: Vec::new(),
            unique: BTreeMap::new(),
            least: BTreeMap::new(),
        }
    }

    /// Adds at least one clause, and stops when there are too many nodes. Returns the number of added clauses, and the
    /// diagrams that have their results: one, unless joining them takes too many nodes.
    fn add_all(&mut self, clauses: &[Clause]) -> (usize, Vec<u32>) {
        // Clauses are joined in pairs, the pairs in pairs, and so on. This keeps the joined diagrams small.
        let mut heap: Vec<(u32, u32)> = Vec::new();
        let mut taken = 0;
        for clause in clauses {
            let mut joined = (0, self.chain(clause));
            while let Some(&(size, other)) = heap.last().filter(|(size, _)| *size == joined.0) {
                let Some(both) = self.join(other, joined.1) else {
                    break;
                };
                heap.pop();
                joined = (size + 1, both);
            }
            heap.push(joined);
            taken += 1;
            if self.nodes.len() > MOST || self.is_full() {
                break;
            }
        }
        let mut roots = Vec::new();
        let mut last = NOTHING;
        for (_, root) in heap.into_iter().rev() {
            last = self.join(last, root).unwrap_or_else(|| {
                roots.push(last);
                root
            });
        }
        roots.push(last);
        (taken, roots)
    }

    /// Returns whether there are too many nodes to join diagrams.
    fn is_full(&self) -> bool {
        self.nodes.len().max(self.least.len()) >= MOST_JOINED
    }

    /// Builds the diagram of one clause.
    fn chain(&mut self, clause: &Clause) -> u32 {
        let (tests, turns) = clause;
        let place = |test: &Test| self.order.iter().position(|other| other == test);
        let mut levels: Vec<(u32, bool)> = tests
            .iter()
            .filter_map(|(test, passes)| Some((place(test)? as u32, *passes)))
            .collect();
        levels.sort_unstable();
        levels
            .into_iter()
            .rev()
            .fold(LEAF | u32::from(*turns), |next, (level, passes)| {
                self.node(
                    level,
                    if passes {
                        [NOTHING, next]
                    } else {
                        [next, NOTHING]
                    },
                )
            })
    }

    fn node(&mut self, level: u32, next: [u32; 2]) -> u32 {
        if next[0] == next[1] {
            return next[0];
        }
        let number = self.nodes.len() as u32;
        let known = *self.unique.entry((level, next)).or_insert(number);
        if known == number {
            self.nodes.push((level, next));
        }
        known
    }

    /// Builds the diagram whose result is the smaller result of two diagrams; `None` if that takes too many nodes.
    fn join(&mut self, a: u32, b: u32) -> Option<u32> {
        if a == b || b == NOTHING {
            return Some(a);
        }
        if a == NOTHING {
            return Some(b);
        }
        if a & b & LEAF != 0 {
            return Some(a.min(b));
        }
        let key = (a.min(b), a.max(b));
        if let Some(&known) = self.least.get(&key) {
            return Some(known);
        }
        if self.is_full() {
            return None;
        }
        let level = |at: u32| {
            if at & LEAF == 0 {
                self.nodes[at as usize].0
            } else {
                u32::MAX
            }
        };
        let top = level(a).min(level(b));
        let below = |at: u32, side: usize| {
            let is_here = at & LEAF == 0 && self.nodes[at as usize].0 == top;
            if is_here {
                self.nodes[at as usize].1[side]
            } else {
                at
            }
        };
        let [fails, passes] = [0, 1].map(|side| (below(a, side), below(b, side)));
        let next = [self.join(fails.0, fails.1)?, self.join(passes.0, passes.1)?];
        let joined = self.node(top, next);
        self.least.insert(key, joined);
        Some(joined)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the smallest result of the programs, and the fewest turns of all clauses whose tests have the required
    /// outcomes.
    fn found_and_expected(
        program: &Decisions,
        roots: &[u32],
        clauses: &[Clause],
        passes: impl Fn(Test) -> bool,
    ) -> (Option<u8>, Option<u8>) {
        let fits = |clause: &&Clause| clause.0.iter().all(|&(test, is)| passes(test) == is);
        let expected = clauses.iter().filter(fits).map(|clause| clause.1).min();
        let found = roots
            .iter()
            .filter_map(|&root| program.run(root, &passes))
            .min();
        (found, expected)
    }

    #[test]
    fn the_program_finds_the_fewest_turns_of_all_clauses_that_fit() {
        let cells = (0..4).map(|x| Test::Floor((x - 3, 1)));
        let tests: Vec<Test> = cells.chain([0, 7].map(Test::Guarded)).collect();
        let mut random = 7_u64;
        let mut next = |below: u64| {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (random >> 33) % below
        };
        for _ in 0..200 {
            let count = next(12);
            let clauses: Vec<Clause> = (0..count)
                .map(|_| {
                    let asked = tests.iter().filter_map(|&test| match next(3) {
                        0 => None,
                        outcome => Some((test, outcome == 2)),
                    });
                    (asked.collect(), 1 + next(4) as u8)
                })
                .collect();
            let mut program = Decisions::default();
            let roots = compile(&mut program, &clauses);
            for position in 0..64_u32 {
                let number = |test| tests.iter().position(|&other| other == test);
                let passes = |test| number(test).is_some_and(|bit| position >> bit & 1 == 1);
                let (found, expected) = found_and_expected(&program, &roots, &clauses, passes);
                assert_eq!(found, expected);
            }
        }
    }

    #[test]
    fn more_tests_than_fit_into_a_byte_are_kept_apart() {
        let clauses: Vec<Clause> = (0..300)
            .map(|number| {
                (
                    vec![(Test::Guarded(number), true)],
                    1 + (number % 250) as u8,
                )
            })
            .collect();
        let mut program = Decisions::default();
        let roots = compile(&mut program, &clauses);
        for guarded in 0..300 {
            let passes = |test| test == Test::Guarded(guarded);
            let (found, expected) = found_and_expected(&program, &roots, &clauses, passes);
            assert!(found.is_some());
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn clauses_that_do_not_fit_into_one_diagram_are_spread_over_several() {
        // Each clause asks for a near site, some sites farther away, and a far site. Between the near and the far sites, a
        // diagram remembers which clauses still fit: for all clauses together, it has millions of nodes.
        let clauses: Vec<Clause> = (1..=16)
            .map(|y| {
                let sites = (20..28).chain([0, 60]).map(|x| Test::Floor((x, y)));
                (sites.map(|test| (test, true)).collect(), y as u8)
            })
            .collect();
        let mut program = Decisions::default();
        let roots = compile(&mut program, &clauses);
        assert!(roots.len() > 1 && program.nodes() < MOST_JOINED);
        for open in 0..1_000_i32 {
            let passes = |test| match test {
                Test::Floor((x, y)) => open * i32::from(y) % 17 < 3 + i32::from(x) % 2,
                Test::Guarded(_) => false,
            };
            let (found, expected) = found_and_expected(&program, &roots, &clauses, passes);
            assert_eq!(found, expected);
        }
    }
}
