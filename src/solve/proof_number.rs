//! Proof-number search, depth-first, complete on graphs with cycles.

use super::bounds::{Known, NEVER, Span, ToMove};
use super::field::Field;
use super::gaps::Gaps;
use super::solver::Effort;
use super::spot::{KEY_BITS, Spot};
use super::store::Store;

/// Proves or disproves that the cops capture within a number of turns, by proof numbers: it always goes on
/// with the state that takes the fewest further states to settle the question (thesis, section 4.3; L. V.
/// Allis and others, *Proof-number search*, 1994; depth-first after A. Nagai, 2002).
///
/// A node is a state with the turns that are left. These become fewer with each move of the cops, so nodes
/// have no cycles although states have, and the search is complete; a table of states alone is not.
#[derive(Debug)]
pub(super) struct ProofNumber {
    known: Known,
    numbers: Store<u64>,
    gaps: Gaps,
    frames: Vec<Frame>,
    children: Vec<u64>,
    moves: Vec<u16>,
    pub effort: Effort,
    pub is_full: bool,
}

/// How many states it takes at least to prove and to disprove.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Numbers {
    proof: u32,
    disproof: u32,
}

/// It cannot be done.
const IMPOSSIBLE: u32 = u32::MAX;

impl Numbers {
    const PROVEN: Self = Self {
        proof: 0,
        disproof: IMPOSSIBLE,
    };
    const DISPROVEN: Self = Self {
        proof: IMPOSSIBLE,
        disproof: 0,
    };
}

/// A node that is being settled, up to thresholds of its numbers.
#[derive(Debug, Clone, Copy)]
struct Frame {
    key: u64,
    side: ToMove,
    turns: u16,
    limits: Numbers,
    is_new: bool,
}

impl ProofNumber {
    /// Takes at most `limit` bytes for its tables.
    pub(super) fn new(field: &Field, limit: u64) -> Self {
        Self {
            known: Known::new(field.cops, field.places(), limit / 2),
            numbers: Store::of_keys(limit / 2),
            gaps: Gaps::new(field),
            frames: Vec::new(),
            children: Vec::new(),
            moves: Vec::new(),
            effort: Effort::default(),
            is_full: false,
        }
    }

    pub(super) fn bytes(&self) -> u64 {
        self.known.bytes() + self.numbers.bytes() + self.gaps.bytes()
    }

    /// The work so far in expansions of single vertices, about.
    pub(super) const fn work(&self) -> u64 {
        self.effort.touched + self.gaps.work()
    }

    /// Starts to ask whether the cops, to move, capture within `turns` turns.
    pub(super) fn begin(&mut self, field: &Field, spot: Spot, turns: u16) {
        self.frames.clear();
        self.frames.push(Frame {
            key: spot.key(field.cops),
            side: ToMove::Cops,
            turns,
            limits: Numbers {
                proof: IMPOSSIBLE,
                disproof: IMPOSSIBLE,
            },
            is_new: true,
        });
    }

    /// Works on until about `end` expansions are done in all; `true` once the question is answered.
    pub(super) fn advance(&mut self, field: &Field, end: u64) -> bool {
        while !self.is_full
            && let Some(&frame) = self.frames.last()
        {
            if frame.is_new && self.effort.expansions >= end {
                return false;
            }
            self.step(field, frame);
        }
        !self.is_full
    }

    /// What is proven about a state.
    pub(super) fn span(&mut self, field: &Field, spot: Spot, side: ToMove) -> Span {
        if spot.is_capture() {
            return Span::exactly(0);
        }
        let mut span = self.known.get(spot.key(field.cops), side);
        let gap = self.gaps.least(field, spot);
        span.lower = span.lower.max(gap);
        if side == ToMove::Cops && gap == 1 {
            span.upper = 1;
        }
        span
    }

    /// The span of a state, and the numbers for the question whether it is lost within some turns.
    fn node(&mut self, field: &Field, key: u64, side: ToMove, turns: u16) -> (Span, Numbers) {
        let span = self.span(field, Spot::of_key(key, field.cops), side);
        let numbers = if span.upper <= turns {
            Numbers::PROVEN
        } else if span.lower > turns {
            Numbers::DISPROVEN
        } else {
            let numbers = self.numbers.get(node_key(key, side, turns));
            Numbers {
                proof: (numbers as u32).max(1),
                disproof: ((numbers >> 32) as u32).max(1),
            }
        };
        (span, numbers)
    }

    /// Looks at the children of the last frame, and goes on with the best one or ends the frame.
    fn step(&mut self, field: &Field, frame: Frame) {
        if frame.is_new {
            self.effort.expansions += 1;
            if let Some(last) = self.frames.last_mut() {
                last.is_new = false;
            }
        }
        self.list_children(field, &frame);
        let is_cops = frame.side == ToMove::Cops;
        let (side, turns) = if is_cops {
            (ToMove::Robber, frame.turns.saturating_sub(1))
        } else {
            (ToMove::Cops, frame.turns)
        };
        // Seen from the side to move: what it wants is the least of its children's numbers, what the
        // other side wants is their sum.
        let (mut least, mut second, mut sum) = (IMPOSSIBLE, IMPOSSIBLE, 0_u32);
        let (mut best, mut best_other) = (None, 0);
        let mut span = Span::exactly(if is_cops { NEVER } else { 0 });
        for index in 0..self.children.len() {
            let key = self.children[index];
            self.effort.touched += 1;
            let (child, numbers) = self.node(field, key, side, turns);
            let (mine, other) = if is_cops {
                span.lower = span.lower.min(child.lower.saturating_add(1));
                span.upper = span.upper.min(child.upper.saturating_add(1));
                (numbers.proof, numbers.disproof)
            } else {
                span.lower = span.lower.max(child.lower);
                span.upper = span.upper.max(child.upper);
                (numbers.disproof, numbers.proof)
            };
            if mine < least {
                (second, least) = (least, mine);
                (best, best_other) = (Some(key), other);
            } else {
                second = second.min(mine);
            }
            if other == IMPOSSIBLE {
                sum = IMPOSSIBLE;
            } else if sum != IMPOSSIBLE {
                sum = sum.saturating_add(other).min(IMPOSSIBLE - 1);
            }
        }
        if least == IMPOSSIBLE {
            sum = 0;
        }
        let (mine_limit, other_limit) = if is_cops {
            (frame.limits.proof, frame.limits.disproof)
        } else {
            (frame.limits.disproof, frame.limits.proof)
        };
        let is_settled = least == 0 || sum == 0;
        match best {
            Some(key) if !is_settled && least < mine_limit && sum < other_limit => {
                // A little beyond the second best, or the search would go to and fro.
                let mine = mine_limit.min(second.saturating_add(second / 4).saturating_add(1));
                let other = match other_limit {
                    IMPOSSIBLE => IMPOSSIBLE,
                    limit => limit - sum + best_other,
                };
                let limits = if is_cops {
                    Numbers {
                        proof: mine,
                        disproof: other,
                    }
                } else {
                    Numbers {
                        proof: other,
                        disproof: mine,
                    }
                };
                self.frames.push(Frame {
                    key,
                    side,
                    turns,
                    limits,
                    is_new: true,
                });
            }
            _ => self.end(frame, (least, sum), span),
        }
    }

    /// Ends the last frame with its numbers, and keeps what is proven.
    fn end(&mut self, frame: Frame, (mine, other): (u32, u32), span: Span) {
        self.frames.pop();
        let is_kept = if mine == 0 || other == 0 {
            self.known.narrow(frame.key, frame.side, span).is_some()
        } else {
            let (proof, disproof) = match frame.side {
                ToMove::Cops => (mine, other),
                ToMove::Robber => (other, mine),
            };
            let key = node_key(frame.key, frame.side, frame.turns);
            let slot = self.numbers.slot(key);
            slot.map(|slot| *slot = u64::from(proof) | u64::from(disproof) << 32)
                .is_some()
        };
        self.is_full |= !is_kept;
    }

    fn list_children(&mut self, field: &Field, frame: &Frame) {
        self.children.clear();
        let spot = Spot::of_key(frame.key, field.cops);
        match frame.side {
            ToMove::Robber => {
                field.robber_moves(spot, &mut self.moves);
                let after = self.moves.iter().map(|&robber| spot.with_robber(robber));
                self.children.extend(after.map(|spot| spot.key(field.cops)));
            }
            ToMove::Cops => {
                let children = &mut self.children;
                field.for_each_joint_move(spot, |after| {
                    children.push(after.key(field.cops));
                    true
                });
            }
        }
    }
}

/// A state with the side to move and the turns that are left. There are at most 2^15 - 1.
fn node_key(key: u64, side: ToMove, turns: u16) -> u64 {
    let side = u64::from(side == ToMove::Robber);
    key | side << KEY_BITS | u64::from(turns) << (KEY_BITS + 1)
}
