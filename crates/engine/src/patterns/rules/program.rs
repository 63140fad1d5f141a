//! Rules compiled into a flat array of instructions that decides a goal without allocating.

use super::compile::{Op, compile};
use super::theory::{Goal, MAX_FREE, MAX_VARS, Theory, TheoryError, Tree};
use crate::graph::{Network, Vertex};

/// The greatest depth of nested loops over the moves of a cop.
pub(super) const MAX_LOOPS: usize = 32;

/// Rules compiled into a flat array of instructions. The program decides a goal without allocating.
///
/// The program runs on any graph and follows edges in the direction of moves.
#[derive(Debug, Clone)]
pub struct Program {
    theory: Theory,
    /// For each goal and each number of turns from 1, the unfolded goal and its instructions.
    parts: [Vec<(Tree, Vec<Op>)>; 2],
}

/// The number of times that a part of a tree was tried, and that it held.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct RuleCount {
    pub tried: u64,
    pub held: u64,
}

impl Program {
    /// Unfolds and compiles the rules of a theory for up to `depth` turns.
    ///
    /// # Errors
    /// If the theory cannot be unfolded to this depth.
    pub fn new(theory: Theory, depth: u8) -> Result<Self, TheoryError> {
        if depth == 0 {
            return Err(TheoryError::NoTurns);
        }
        let parts = |goal| -> Result<Vec<(Tree, Vec<Op>)>, TheoryError> {
            let unfold = |turns| {
                let tree = theory.unfold(goal, turns)?;
                let ops = compile(&tree);
                Ok::<_, TheoryError>((tree, ops))
            };
            (1..=depth).map(unfold).collect()
        };
        Ok(Self {
            parts: [parts(Goal::Caught)?, parts(Goal::Taken)?],
            theory,
        })
    }

    /// The number of turns that the rules look ahead.
    #[must_use]
    pub const fn depth(&self) -> u8 {
        self.parts[0].len() as u8
    }

    /// The number of instructions.
    #[must_use]
    pub fn instructions(&self) -> usize {
        let all = self.parts.iter().flatten();
        all.map(|(_, ops)| ops.len()).sum()
    }

    /// The bytes of the instructions.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        (self.instructions() * size_of::<Op>()) as u64
    }

    /// The fewest turns within which the goal is reached according to a rule; `None` if no rule applies. Rules
    /// for one cop are applied to each cop, rules for two cops to each pair. All agents have speed 1. No cop
    /// stands on the robber.
    ///
    /// # Panics
    /// If an agent stands on a vertex of another, larger graph.
    #[must_use]
    pub fn turns(
        &self,
        graph: &impl Network,
        goal: Goal,
        robber: Vertex,
        cops: &[Vertex],
    ) -> Option<u8> {
        (1..=self.depth()).find(|&turns| self.holds(graph, goal, turns, robber, cops))
    }

    /// Returns whether the goal is reached within `turns` turns according to a rule.
    ///
    /// # Panics
    /// Under the same condition as [`turns`](Self::turns).
    #[must_use]
    pub fn holds(
        &self,
        graph: &impl Network,
        goal: Goal,
        turns: u8,
        robber: Vertex,
        cops: &[Vertex],
    ) -> bool {
        let part = usize::from(turns.min(self.depth())).checked_sub(1);
        let parts = &self.parts[goal as usize];
        let Some((_, ops)) = part.and_then(|part| parts.get(part)) else {
            return false;
        };
        let mut vars = [robber; MAX_VARS + 1];
        for (first, &cop) in cops.iter().enumerate() {
            vars[1] = cop;
            if self.theory.cops() == 1 {
                if run(ops, graph, &mut vars, &mut |_, _| ()) {
                    return true;
                }
                continue;
            }
            for &other in &cops[first + 1..] {
                vars[2] = other;
                if run(ops, graph, &mut vars, &mut |_, _| ()) {
                    return true;
                }
            }
        }
        false
    }

    /// Reorders alternatives by how often they hold in sample positions (robber, then cops). The alternatives
    /// that hold most often come first; of equal ones, the one that was tried least. The results stay the same
    /// and are found sooner.
    ///
    /// # Panics
    /// Under the same condition as [`turns`](Self::turns).
    pub fn order_by<'p>(
        &mut self,
        graph: &impl Network,
        positions: impl Iterator<Item = (Vertex, &'p [Vertex])> + Clone,
    ) {
        for (tree, ops) in self.parts.iter_mut().flatten() {
            let mut counts = vec![RuleCount::default(); ops.len()];
            for (robber, cops) in positions.clone() {
                let mut vars = [robber; MAX_VARS + 1];
                for (var, &cop) in vars[1..=usize::from(self.theory.cops())]
                    .iter_mut()
                    .zip(cops)
                {
                    *var = cop;
                }
                run(ops, graph, &mut vars, &mut |op, held| {
                    let count = &mut counts[op];
                    count.tried += 1;
                    count.held += u64::from(held);
                });
            }
            reorder(tree, &counts, &mut 0);
            *ops = compile(tree);
        }
    }
}

/// Sorts the alternatives of a tree by how often they held. The instructions of a tree are contiguous; `at` is
/// the index of the first one. Returns how often the tree was tried and held, according to its instructions.
fn reorder(tree: &mut Tree, counts: &[RuleCount], at: &mut usize) -> RuleCount {
    let here = counts.get(*at).copied().unwrap_or_default();
    match tree {
        Tree::Reached { .. } => {
            *at += 1;
            here
        }
        Tree::Free { cases, .. } => {
            *at += 1;
            let mut held = 0;
            for case in cases {
                let goals = case.goals.iter_mut();
                let last = goals.map(|goal| reorder(goal, counts, at)).last();
                held += last.map_or(0, |count| count.held);
                if case.free.is_empty() {
                    held += here.held;
                }
            }
            RuleCount { held, ..here }
        }
        Tree::Step {
            steps,
            beside,
            then,
        } => {
            *at += 2 * steps.len() + beside.len();
            let then = reorder(then, counts, at);
            RuleCount {
                held: then.held,
                ..here
            }
        }
        Tree::Any(alternatives) => {
            let mut sorted: Vec<(RuleCount, Tree)> = alternatives
                .drain(..)
                .map(|mut alternative| (reorder(&mut alternative, counts, at), alternative))
                .collect();
            let held = sorted.iter().map(|(count, _)| count.held).sum();
            sorted.sort_by_key(|(count, _)| (std::cmp::Reverse(count.held), count.tried));
            alternatives.extend(sorted.into_iter().map(|(_, alternative)| alternative));
            RuleCount { held, ..here }
        }
    }
}

/// Returns whether a cop stands on a vertex or is beside it.
fn reaches(graph: &impl Network, cop: Vertex, to: Vertex) -> bool {
    cop == to || graph.neighbours(cop).contains(&to)
}

/// Runs instructions. Calls `note` with the index of each instruction and whether its condition held.
fn run(
    ops: &[Op],
    graph: &impl Network,
    vars: &mut [Vertex; MAX_VARS + 1],
    note: &mut impl FnMut(usize, bool),
) -> bool {
    let mut loops = [0_u8; MAX_LOOPS];
    let mut at = 0;
    while let Some(op) = ops.get(at) {
        let (held, next) = match *op {
            Op::Reached {
                robber,
                team,
                yes,
                no,
            } => {
                let robber = vars[usize::from(robber)];
                let reached = |&cop: &u8| reaches(graph, vars[usize::from(cop)], robber);
                let held = team.iter().any(reached);
                (held, if held { yes } else { no })
            }
            Op::Free {
                robber,
                team,
                into,
                next,
                no,
            } => {
                let count = free(graph, vars, robber, team, into);
                let to = count.map_or(no, |count| next[count]);
                (count == Some(0), to)
            }
            Op::Begin { slot } => {
                loops[usize::from(slot)] = 0;
                (true, at as u16 + 1)
            }
            Op::Move { from, to, slot, no } => {
                let moves = graph.neighbours(vars[usize::from(from)]);
                let index = &mut loops[usize::from(slot)];
                match moves.get(usize::from(*index)) {
                    Some(&vertex) if *index < u8::MAX => {
                        *index += 1;
                        vars[usize::from(to)] = vertex;
                        (true, at as u16 + 1)
                    }
                    _ => (false, no),
                }
            }
            Op::Beside { a, b, no } => {
                let [a, b] = [a, b].map(|var| vars[usize::from(var)]);
                let held = graph.neighbours(a).contains(&b);
                (held, if held { at as u16 + 1 } else { no })
            }
        };
        note(at, held);
        at = usize::from(next);
    }
    at == ops.len()
}

/// Counts the free vertices and writes them to the variables `into`; `None` if there are more free vertices
/// than variables.
fn free(
    graph: &impl Network,
    vars: &mut [Vertex; MAX_VARS + 1],
    robber: u8,
    team: [u8; 2],
    into: [u8; MAX_FREE],
) -> Option<usize> {
    let [first, second] = team.map(|cop| vars[usize::from(cop)]);
    let robber = vars[usize::from(robber)];
    let is_free = |to| !reaches(graph, first, to) && !reaches(graph, second, to);
    let mut count = 0;
    for &to in std::iter::once(&robber).chain(graph.neighbours(robber)) {
        if is_free(to) {
            let place = into.get(count).filter(|&&place| place > 0)?;
            vars[usize::from(*place)] = to;
            count += 1;
        }
    }
    Some(count)
}
