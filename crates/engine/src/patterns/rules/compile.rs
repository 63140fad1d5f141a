//! Compiles unfolded goals into instructions.

use super::program::MAX_LOOPS;
use super::theory::{MAX_FREE, Tree, Var};

/// An instruction. Each instruction names the next one. If the next address is the end of the program, the goal
/// holds; if it is beyond the end, the goal does not hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Op {
    /// Tests whether a cop of the team reaches the robber.
    Reached {
        robber: Var,
        team: [Var; 2],
        yes: u16,
        no: u16,
    },
    /// Counts the free vertices, writes them to the variables `into`, and branches on their number. A variable
    /// of 0 is not written: if there are that many free vertices, the test fails.
    Free {
        robber: Var,
        team: [Var; 2],
        into: [Var; MAX_FREE],
        next: [u16; MAX_FREE + 1],
        no: u16,
    },
    /// Starts a loop over the moves of a cop.
    Begin { slot: u8 },
    /// Tries the next move of the loop.
    Move {
        from: Var,
        to: Var,
        slot: u8,
        no: u16,
    },
    /// Tests whether the second vertex is beside the first.
    Beside { a: Var, b: Var, no: u16 },
}

/// Placeholders for the addresses to go to if a goal holds, and if it does not.
const YES: u16 = u16::MAX - 1;
const NO: u16 = u16::MAX;

/// Compiles a tree into instructions.
pub(super) fn compile(tree: &Tree) -> Vec<Op> {
    let mut ops = Vec::new();
    emit(tree, &mut ops, 0);
    let end = ops.len() as u16;
    link(&mut ops, 0, end, NO);
    ops
}

/// Replaces the targets `YES` and `NO` in the instructions from `first` on.
fn link(ops: &mut [Op], first: usize, yes: u16, no: u16) {
    let replace = |target: &mut u16| match *target {
        YES => *target = yes,
        NO => *target = no,
        _ => {}
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

/// Appends the instructions of a tree. Their targets `YES` and `NO` are resolved later.
fn emit(tree: &Tree, ops: &mut Vec<Op>, loops: u8) {
    match tree {
        Tree::Reached { robber, team } => ops.push(Op::Reached {
            robber: *robber,
            team: pair(team),
            yes: YES,
            no: NO,
        }),
        Tree::Any(alternatives) => {
            for (number, alternative) in alternatives.iter().enumerate() {
                let first = ops.len();
                emit(alternative, ops, loops);
                let end = ops.len() as u16;
                if number + 1 < alternatives.len() {
                    link(ops, first, YES, end);
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
                // The cases write free vertices to the same variables, since only one case is tried.
                next[count] = ops.len() as u16;
                for (number, goal) in case.goals.iter().enumerate() {
                    let first = ops.len();
                    emit(goal, ops, loops);
                    let end = ops.len() as u16;
                    if number + 1 < case.goals.len() {
                        link(ops, first, end, NO);
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
    // Where to continue if the goal fails with the present moves: at the next move of the last cop.
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
    link(ops, first, YES, back);
}

/// Returns the team as two cops. A single cop is given twice.
fn pair(team: &[Var]) -> [Var; 2] {
    let first = team.first().copied().unwrap_or(0);
    [first, team.get(1).copied().unwrap_or(first)]
}
