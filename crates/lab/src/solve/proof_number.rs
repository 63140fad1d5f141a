//! Depth-first proof-number search that is complete on graphs with cycles.

use pursuit_engine::solve::{
    Deepening, Gaps, KEY_BITS, Known, NEVER, Prover, ReachableGraph, SolverEffort, Span, Spot,
    Store, ToMove,
};

/// Proves or disproves that the cops capture within a number of turns. Proof numbers select the state that
/// needs the fewest further states to settle the question (C. Moldenhauer's thesis, section 4.3; L. V. Allis
/// and others, *Proof-number search*, 1994; depth-first after A. Nagai, 2002).
///
/// A node is a state together with the number of turns that are left. This number falls with each move of the
/// cops, so that nodes have no cycles even where states do, and the search is complete. With a table of states
/// alone, it would not be.
#[derive(Debug)]
pub(super) struct ProofNumber {
    known: Known,
    numbers: Store<u64>,
    gaps: Gaps,
    frames: Vec<Frame>,
    children: Vec<u64>,
    moves: Vec<u16>,
    effort: SolverEffort,
    is_full: bool,
}

/// Lower bounds on the number of states that a proof and a disproof take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Numbers {
    proof: u32,
    disproof: u32,
}

/// The number of a proof or disproof that is impossible.
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

    /// The numbers from the point of view of a side: first the number for its own goal, then the number for the
    /// goal of the other side. The goal of the cops is the proof.
    const fn seen_by(self, side: ToMove) -> (u32, u32) {
        match side {
            ToMove::Cops => (self.proof, self.disproof),
            ToMove::Robber => (self.disproof, self.proof),
        }
    }

    /// The reverse of [`seen_by`](Self::seen_by).
    const fn of(side: ToMove, mine: u32, other: u32) -> Self {
        match side {
            ToMove::Cops => Self {
                proof: mine,
                disproof: other,
            },
            ToMove::Robber => Self {
                proof: other,
                disproof: mine,
            },
        }
    }
}

/// The children of a node, from the point of view of the side to move. The node's number for this side's goal
/// is the least of the children's numbers; the number for the other side's goal is the sum of the children's
/// numbers.
struct Family {
    side: ToMove,
    least: u32,
    second: u32,
    sum: u32,
    /// The child with the least number, and its number for the goal of the other side.
    best: Option<(u64, u32)>,
    span: Span,
}

impl Family {
    /// Creates a family without children, for a node with this side to move.
    const fn new(side: ToMove) -> Self {
        Self {
            side,
            least: IMPOSSIBLE,
            second: IMPOSSIBLE,
            sum: 0,
            best: None,
            span: Span::exactly(match side {
                ToMove::Cops => NEVER,
                ToMove::Robber => 0,
            }),
        }
    }

    fn add(&mut self, key: u64, child: Span, numbers: Numbers) {
        let span = &mut self.span;
        match self.side {
            ToMove::Cops => {
                span.lower = span.lower.min(child.lower.saturating_add(1));
                span.upper = span.upper.min(child.upper.saturating_add(1));
            }
            ToMove::Robber => {
                span.lower = span.lower.max(child.lower);
                span.upper = span.upper.max(child.upper);
            }
        }
        let (mine, other) = numbers.seen_by(self.side);
        if mine < self.least {
            (self.second, self.least) = (self.least, mine);
            self.best = Some((key, other));
        } else {
            self.second = self.second.min(mine);
        }
        if other == IMPOSSIBLE {
            self.sum = IMPOSSIBLE;
        } else if self.sum != IMPOSSIBLE {
            self.sum = self.sum.saturating_add(other).min(IMPOSSIBLE - 1);
        }
    }

    /// The number for the goal of the other side. It is 0 if the side to move can no longer reach its goal
    /// through any child.
    const fn sum(&self) -> u32 {
        if self.least == IMPOSSIBLE {
            0
        } else {
            self.sum
        }
    }

    /// The numbers of the node.
    const fn numbers(&self) -> Numbers {
        Numbers::of(self.side, self.least, self.sum())
    }

    /// The child to search next, and its thresholds; `None` if the node is settled or has reached a threshold.
    fn next(&self, limits: Numbers) -> Option<(u64, Numbers)> {
        let (least, sum) = (self.least, self.sum());
        let (mine_limit, other_limit) = limits.seen_by(self.side);
        let (key, best_other) = self.best?;
        if least == 0 || sum == 0 || least >= mine_limit || sum >= other_limit {
            return None;
        }
        // The threshold is a little beyond the second best child; otherwise the search would alternate between
        // the two.
        let mine = self
            .second
            .saturating_add(self.second / 4)
            .saturating_add(1);
        let other = match other_limit {
            IMPOSSIBLE => IMPOSSIBLE,
            limit => limit - sum + best_other,
        };
        let limits = Numbers::of(self.side, mine.min(mine_limit), other);
        Some((key, limits))
    }
}

/// A node that is being searched until it is settled or reaches a threshold.
#[derive(Debug, Clone, Copy)]
struct Frame {
    key: u64,
    side: ToMove,
    turns: u16,
    limits: Numbers,
    is_new: bool,
}

impl ProofNumber {
    /// Creates a search of a rising number of turns that takes at most `limit` bytes, including the graph.
    pub(super) fn deepening(graph: &ReachableGraph, limit: u64) -> Deepening<Self> {
        Deepening::new(graph, limit, |limit| Self::new(graph, limit))
    }

    /// Creates a search whose tables take at most `limit` bytes.
    fn new(graph: &ReachableGraph, limit: u64) -> Self {
        Self {
            known: Known::new(graph.cops, graph.places(), limit / 2),
            numbers: Store::of_keys(limit / 2),
            gaps: Gaps::new(graph),
            frames: Vec::new(),
            children: Vec::new(),
            moves: Vec::new(),
            effort: SolverEffort::default(),
            is_full: false,
        }
    }

    fn bytes(&self) -> u64 {
        self.known.bytes() + self.numbers.bytes() + self.gaps.bytes()
    }

    /// The bounds of a state, and the numbers for the question whether the robber is captured within `turns` turns.
    fn node(
        &mut self,
        graph: &ReachableGraph,
        key: u64,
        side: ToMove,
        turns: u16,
    ) -> (Span, Numbers) {
        let span = self.span(graph, Spot::of_key(key, graph.cops), side);
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

    /// Evaluates the children of the last frame. Continues with the best child or ends the frame.
    fn step(&mut self, graph: &ReachableGraph, frame: Frame) {
        if frame.is_new {
            self.effort.work.expansions += 1;
            if let Some(last) = self.frames.last_mut() {
                last.is_new = false;
            }
        }
        self.list_children(graph, &frame);
        let (side, turns) = match frame.side {
            ToMove::Cops => (ToMove::Robber, frame.turns.saturating_sub(1)),
            ToMove::Robber => (ToMove::Cops, frame.turns),
        };
        let mut family = Family::new(frame.side);
        for index in 0..self.children.len() {
            let key = self.children[index];
            self.effort.work.touched += 1;
            let (span, numbers) = self.node(graph, key, side, turns);
            family.add(key, span, numbers);
        }
        match family.next(frame.limits) {
            Some((key, limits)) => self.frames.push(Frame {
                key,
                side,
                turns,
                limits,
                is_new: true,
            }),
            None => self.end(frame, family.numbers(), family.span),
        }
    }

    /// Ends the last frame with its numbers, and stores the proven bounds.
    fn end(&mut self, frame: Frame, numbers: Numbers, span: Span) {
        self.frames.pop();
        let Numbers { proof, disproof } = numbers;
        let is_kept = if proof == 0 || disproof == 0 {
            self.known.narrow(frame.key, frame.side, span).is_some()
        } else {
            let key = node_key(frame.key, frame.side, frame.turns);
            let slot = self.numbers.slot(key);
            slot.map(|slot| *slot = u64::from(proof) | u64::from(disproof) << 32)
                .is_some()
        };
        self.is_full |= !is_kept;
    }

    fn list_children(&mut self, graph: &ReachableGraph, frame: &Frame) {
        self.children.clear();
        let spot = Spot::of_key(frame.key, graph.cops);
        match frame.side {
            ToMove::Robber => {
                graph.robber_moves(spot, &mut self.moves);
                let after = self.moves.iter().map(|&robber| spot.with_robber(robber));
                self.children.extend(after.map(|spot| spot.key(graph.cops)));
            }
            ToMove::Cops => {
                let children = &mut self.children;
                graph.for_each_joint_move(spot, |after| {
                    children.push(after.key(graph.cops));
                    true
                });
            }
        }
    }
}

/// The key of a state with the side to move and the turns that are left, at most 2^15 - 1.
fn node_key(key: u64, side: ToMove, turns: u16) -> u64 {
    let side = u64::from(side == ToMove::Robber);
    key | side << KEY_BITS | u64::from(turns) << (KEY_BITS + 1)
}

impl Prover for ProofNumber {
    fn begin(&mut self, graph: &ReachableGraph, spot: Spot, turns: u16) {
        self.frames.clear();
        self.frames.push(Frame {
            key: spot.key(graph.cops),
            side: ToMove::Cops,
            turns,
            limits: Numbers {
                proof: IMPOSSIBLE,
                disproof: IMPOSSIBLE,
            },
            is_new: true,
        });
    }

    fn advance(&mut self, graph: &ReachableGraph, end: u64) -> bool {
        while !self.is_full
            && let Some(&frame) = self.frames.last()
        {
            if frame.is_new && self.effort.work.expansions >= end {
                return false;
            }
            self.step(graph, frame);
        }
        !self.is_full
    }

    fn span(&mut self, graph: &ReachableGraph, spot: Spot, side: ToMove) -> Span {
        if spot.is_capture() {
            return Span::exactly(0);
        }
        let mut span = self.known.get(spot.key(graph.cops), side);
        let gap = self.gaps.least(graph, spot);
        span.lower = span.lower.max(gap);
        if side == ToMove::Cops && gap == 1 {
            span.upper = 1;
        }
        span
    }

    fn effort(&self) -> SolverEffort {
        let bytes = self.bytes();
        SolverEffort {
            bytes,
            ..self.effort
        }
    }

    fn is_full(&self) -> bool {
        self.is_full
    }
}
