//! Compiles unfolded goals into instructions.

use super::program::MAX_LOOPS;
use super::theory::{MAX_FREE, Tree, Var};

/// An instruction. Each tells where to go on; where the program ends, the goal holds; beyond the end, it does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Op {
    /// Does a cop of the team reach the robber?
    Reached {
        robber: Var,
        team: [Var; 2],
        yes: u16,
        no: u16,
    },
    /// Counts the free vertices, writes them, and goes on by their number. Variable 0 is no place to write
    /// to: so many cannot be.
    Free {
        robber: Var,
        team: [Var; 2],
        into: [Var; MAX_FREE],
        next: [u16; MAX_FREE + 1],
        no: u16,
    },
    /// Begins to try the moves of a cop.
    Begin { slot: u8 },
    /// Tries the next one.
    Move {
        from: Var,
        to: Var,
        slot: u8,
        no: u16,
    },
    /// Is the second vertex beside the first?
    Beside { a: Var, b: Var, no: u16 },
}

/// Where to go if a goal holds, and if not, before addresses are known.
const YES: u16 = u16::MAX - 1;
const NO: u16 = u16::MAX;

/// The instructions of a tree.
pub(super) fn compile(tree: &Tree) -> Vec<Op> {
    let mut ops = Vec::new();
    emit(tree, &mut ops, 0);
    let end = ops.len() as u16;
    link(&mut ops, 0, (YES, end), (NO, NO));
    ops
}

/// Replaces targets of the instructions from `first` on.
fn link(ops: &mut [Op], first: usize, (yes, to_yes): (u16, u16), (no, to_no): (u16, u16)) {
    let replace = |target: &mut u16| {
        if *target == yes {
            *target = to_yes;
        } else if *target == no {
            *target = to_no;
        }
    };
    for op in &mut ops[first..] {
        match op {
            Op::Reached { yes, no, .. } => [yes, no].into_iter().for_each(replace),
            Op::Free { next, no, .. } => next.iter_mut().chain([no]).for_each(replace),
            Op::Move { no, .. } | Op::Beside { no, .. } => replace(no),
            Op::Begin { .. } => {}
        }
    }
}

/// Appends the instructions of a tree, whose targets `YES` and `NO` are still open.
fn emit(tree: &Tree, ops: &mut Vec<Op>, loops: u8) {
    match tree {
        Tree::Reached { robber, team } => ops.push(Op::Reached {
            robber: *robber,
            team: pair(team),
            yes: YES,
            no: NO,
        }),
        Tree::Any(ways) => {
            for (number, way) in ways.iter().enumerate() {
                let first = ops.len();
                emit(way, ops, loops);
                let end = ops.len() as u16;
                if number + 1 < ways.len() {
                    link(ops, first, (YES, YES), (NO, end));
                }
            }
        }
        Tree::Step {
            steps,
            beside,
            then,
        } => emit_step(steps, beside, then, ops, loops),
        Tree::Free {
            robber,
            team,
            cases,
        } => {
            let place = ops.len();
            ops.push(Op::Begin { slot: 0 });
            let mut into = [0; MAX_FREE];
            let mut next = [NO; MAX_FREE + 1];
            for case in cases {
                let count = case.free.len();
                // Cases share the places where free vertices are written: one of them is tried.
                next[count] = ops.len() as u16;
                for (number, goal) in case.goals.iter().enumerate() {
                    let first = ops.len();
                    emit(goal, ops, loops);
                    let end = ops.len() as u16;
                    if number + 1 < case.goals.len() {
                        link(ops, first, (YES, end), (NO, NO));
                    }
                }
                if count == 0 {
                    next[0] = YES;
                }
            }
            let most = cases
                .iter()
                .map(|case| &case.free)
                .max_by_key(|free| free.len());
            for (place, &var) in into.iter_mut().zip(most.into_iter().flatten()) {
                *place = var;
            }
            ops[place] = Op::Free {
                robber: *robber,
                team: pair(team),
                into,
                next,
                no: NO,
            };
        }
    }
}

fn emit_step(
    steps: &[(Var, Var)],
    beside: &[(Var, Var)],
    then: &Tree,
    ops: &mut Vec<Op>,
    loops: u8,
) {
    // Where to go if there is no way with the moves so far: to the next move of the last cop.
    let mut back = NO;
    for (number, &(from, to)) in steps.iter().enumerate() {
        let slot = (loops + number as u8).min(MAX_LOOPS as u8 - 1);
        ops.push(Op::Begin { slot });
        let next = ops.len() as u16;
        let no = back;
        ops.push(Op::Move { from, to, slot, no });
        back = next;
    }
    for &(a, b) in beside {
        ops.push(Op::Beside { a, b, no: back });
    }
    let first = ops.len();
    emit(then, ops, loops + steps.len() as u8);
    link(ops, first, (YES, YES), (NO, back));
}

/// One cop counts as two at the same place.
fn pair(team: &[Var]) -> [Var; 2] {
    let first = team.first().copied().unwrap_or(0);
    [first, team.get(1).copied().unwrap_or(first)]
}
