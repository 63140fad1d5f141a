//! Depth-first search within a window of values: TIDA* and alpha-beta.

use super::bounds::{Known, NEVER, Span, ToMove};
use super::gaps::Gaps;
use super::reachable_graph::ReachableGraph;
use super::solver::SolverEffort;
use super::spot::Spot;
use super::trails::{Trails, may_be_cut};
use crate::search::MOST_MOVES;

/// A depth-first search that finds the value of a state if it lies within a window, and otherwise a bound.
///
/// With a window of a single step, it proves or disproves that the cops capture within a number of turns. This
/// is one iteration of TIDA* (C. Moldenhauer's thesis, section 4.2, figure 4.2). With a window that starts at
/// 0, it is alpha-beta search of limited depth (section 4.1). Everything that the search proves about a state
/// is valid for any window and is kept. The bound falls with each turn, so the search never follows a cycle,
/// and repetitions need no extra pruning.
#[derive(Debug)]
pub struct Window<S = NoSets> {
    known: Known,
    gaps: Gaps,
    /// A race of `TrailMax`, if it is used.
    trails: Option<Box<Trails>>,
    trails_bytes: u64,
    /// The same test on bit sets, which is faster; `None` if it is not used.
    sets: Option<Box<S>>,
    /// The greatest number of children on the present line.
    most_children: usize,
    most_frames: usize,
    frames: Vec<LineFrame>,
    children: Vec<Child>,
    /// The result of the last frame that ended.
    result: Span,
    moves: Vec<u16>,
    /// The effort so far.
    pub effort: SolverEffort,
    /// Whether the memory limit was reached.
    pub is_full: bool,
}

/// A race of `TrailMax` on sets of places, which is faster: rates joint moves of two cops.
pub trait Sets {
    /// Whether a search with these sets soon answers most questions: see
    /// [`Prover::ANSWERS_SOON`](super::Prover::ANSWERS_SOON).
    const ANSWERS_SOON: bool;

    /// The greatest number of turns that joint moves are rated for.
    fn most(&self) -> u16;

    /// The memory in use, in bytes.
    fn bytes(&self) -> u64;

    /// The number of joint moves after which no path lets the robber last more than `turns` turns. The cops are to
    /// move.
    fn count(&mut self, graph: &ReachableGraph, spot: Spot, turns: u16) -> u32;

    /// Rates the joint moves after which no path lets the robber last more than `turns` turns.
    fn rate(&mut self, graph: &ReachableGraph, spot: Spot, turns: u16) -> &[Rated];
}

/// A joint move that leaves the robber no path.
#[derive(Debug, Clone, Copy)]
pub struct Rated {
    /// The indices of the cops' moves.
    pub moves: [u16; 2],
    /// The places of the cops after the move.
    pub cops: [u16; 2],
    /// A number of turns that no path lets the robber exceed.
    pub within: u16,
    /// A lower bound on the turns after the move.
    pub lower: u16,
    /// The number of places, about, that the robber reaches first. Only the best moves have it.
    pub covered: u32,
}

/// The sets of a search that has none.
#[derive(Debug)]
pub enum NoSets {}

impl Sets for NoSets {
    const ANSWERS_SOON: bool = false;

    fn most(&self) -> u16 {
        match *self {}
    }

    fn bytes(&self) -> u64 {
        match *self {}
    }

    fn count(&mut self, _: &ReachableGraph, _: Spot, _: u16) -> u32 {
        match *self {}
    }

    fn rate(&mut self, _: &ReachableGraph, _: Spot, _: u16) -> &[Rated] {
        match *self {}
    }
}

#[derive(Debug, Clone, Copy)]
struct Child {
    key: u64,
    lower: u16,
    /// Children with equal bounds are searched in ascending order of this number.
    order: u32,
}

/// A state on the present line.
#[derive(Debug, Clone, Copy)]
struct LineFrame {
    key: u64,
    side: ToMove,
    /// The window: the value is needed if it lies above `above` and below `below`.
    above: u16,
    below: u16,
    /// The bounds that follow from the children so far.
    span: Span,
    /// Whether some children were not searched because others settled the question.
    is_cut: bool,
    /// The first child in the list. While this is the last frame, the children from `next` to the end of the
    /// list are left.
    first: usize,
    next: usize,
}

impl Window {
    /// Creates a search that takes at most `limit` bytes, not counting the distances to the robber. It may ask for the
    /// robber's best path by races.
    #[must_use]
    pub fn new(graph: &ReachableGraph, asks_trail_max: bool, limit: u64) -> Self {
        Self::with_sets(graph, None, asks_trail_max, limit)
    }
}

impl<S: Sets> Window<S> {
    /// Creates a search that takes at most `limit` bytes, not counting these sets and the distances to the robber. It
    /// asks for the robber's best path by the sets, where it is possible; otherwise by races, if it may.
    pub fn with_sets(
        graph: &ReachableGraph,
        sets: Option<S>,
        asks_trail_max: bool,
        limit: u64,
    ) -> Self {
        let trails_bytes = if asks_trail_max {
            Trails::most_bytes(graph)
        } else {
            0
        };
        let limit = limit.saturating_sub(trails_bytes);
        // A line is small compared with the table. Lists grow by doubling.
        let for_line = limit / 16;
        let most = |size: usize| usize::try_from(for_line / 2 / size as u64).unwrap_or(usize::MAX);
        Self {
            trails_bytes,
            sets: sets.map(Box::new),
            most_children: most(size_of::<Child>()),
            most_frames: most(size_of::<LineFrame>()),
            known: Known::new(graph.cops, graph.places(), limit - 2 * for_line),
            gaps: Gaps::new(graph),
            trails: asks_trail_max.then(Box::default),
            frames: Vec::new(),
            children: Vec::new(),
            result: Span::UNKNOWN,
            moves: Vec::new(),
            effort: SolverEffort::default(),
            is_full: false,
        }
    }

    pub(crate) fn bytes(&self) -> u64 {
        let children = self.children.capacity() * size_of::<Child>();
        let frames = self.frames.capacity() * size_of::<LineFrame>();
        let sets = self.sets.as_ref().map_or(0, |sets| sets.bytes());
        let trails = self.trails_bytes + sets;
        self.known.bytes() + self.gaps.bytes() + (children + frames) as u64 + trails
    }

    /// From now on the search takes at most `limit` bytes, unless it has already.
    pub(crate) fn set_limit(&mut self, limit: u64) {
        let others = self.bytes() - self.known.bytes();
        self.known.set_limit(limit.saturating_sub(others));
    }

    /// Starts to ask whether the cops, to move, capture within `above` turns, exactly if they do not within
    /// `above` but before `below`.
    pub fn begin(&mut self, graph: &ReachableGraph, spot: Spot, above: u16, below: u16) {
        self.frames.clear();
        self.children.clear();
        self.enter(graph, spot.key(graph.cops), ToMove::Cops, above, below);
    }

    /// Continues until about `end` expansions are done in total. Returns `true` once the question is answered.
    pub(crate) fn advance(&mut self, graph: &ReachableGraph, end: u64) -> bool {
        while !self.is_full && !self.frames.is_empty() {
            if self.effort.work.expansions >= end {
                return false;
            }
            self.step(graph);
        }
        !self.is_full
    }

    /// The proven bounds of a state.
    pub(crate) fn span(&mut self, graph: &ReachableGraph, spot: Spot, side: ToMove) -> Span {
        if spot.is_capture() {
            return Span::exactly(0);
        }
        let mut span = self.known.get(spot.key(graph.cops), side);
        let gap = self.gaps.least(graph, spot);
        if side == ToMove::Cops && gap == 1 {
            // Captures with the next move are not stored.
            return Span::exactly(1);
        }
        span.lower = span.lower.max(gap);
        span
    }

    /// Adds a child to the frame that is being opened, if there is memory for it.
    fn add_child(&mut self, child: Child) {
        if self.children.len() < self.most_children {
            self.children.push(child);
        } else {
            self.is_full = true;
        }
    }

    /// Searches the next child of the last frame, or ends the frame.
    fn step(&mut self, graph: &ReachableGraph) {
        let Some(&frame) = self.frames.last() else {
            return;
        };
        let (above, below) = frame.open();
        if above >= below || frame.next == self.children.len() {
            self.leave();
            return;
        }
        let child = self.children[frame.next];
        if let Some(last) = self.frames.last_mut() {
            last.next += 1;
        }
        // The window of the child, in turns from the child.
        let (side, above, below) = match frame.side {
            ToMove::Cops => (ToMove::Robber, above.saturating_sub(1), below - 1),
            ToMove::Robber => (ToMove::Cops, above, below),
        };
        let mut span = self.known.get(child.key, side);
        span.lower = span.lower.max(child.lower);
        if span.upper <= above || span.lower >= below || span.lower == span.upper {
            self.take(span);
        } else {
            self.enter(graph, child.key, side, above, below);
        }
    }

    /// Adds the result of a child to the last frame.
    fn take(&mut self, span: Span) {
        if let Some(frame) = self.frames.last_mut() {
            frame.count(span);
        }
    }

    /// Ends the last frame.
    fn leave(&mut self) {
        let Some(frame) = self.frames.pop() else {
            return;
        };
        let is_cut = frame.is_cut || frame.next < self.children.len();
        self.children.truncate(frame.first);
        let mut span = frame.span;
        if is_cut {
            // The remaining children could be better for the side to move.
            match frame.side {
                ToMove::Cops => span.lower = 0,
                ToMove::Robber => span.upper = NEVER,
            }
        }
        self.conclude(frame.key, frame.side, span);
    }

    /// Ends the search of a state whose question is answered, and stores its bounds.
    fn conclude(&mut self, key: u64, side: ToMove, span: Span) {
        if self.known.narrow(key, side, span).is_none() {
            self.is_full = true;
        }
        let span = self.known.get(key, side);
        self.result = span;
        self.take(span);
    }

    /// Settles a state at once if the known bounds suffice; otherwise opens a frame for it.
    fn enter(&mut self, graph: &ReachableGraph, key: u64, side: ToMove, above: u16, below: u16) {
        self.effort.work.expansions += 1;
        let first = self.children.len();
        let spot = Spot::of_key(key, graph.cops);
        let frame = LineFrame {
            key,
            side,
            above,
            below,
            span: Span::exactly(if side == ToMove::Cops { NEVER } else { 0 }),
            is_cut: false,
            first,
            next: first,
        };
        let settled = match side {
            ToMove::Cops => self.list_joint_moves(graph, spot, frame),
            ToMove::Robber => self.list_replies(graph, spot, frame),
        };
        self.is_full |= self.frames.len() >= self.most_frames;
        match settled {
            Ok(frame) => {
                let order = |child: &Child| match side {
                    ToMove::Cops => (child.lower, child.order),
                    ToMove::Robber => (!child.lower, child.order),
                };
                if self.is_near(below) {
                    self.children[first..].sort_unstable_by_key(|child| (child.order, child.key));
                } else {
                    self.children[first..].sort_unstable_by_key(|child| (order(child), child.key));
                }
                self.frames.push(frame);
            }
            Err(span) => {
                self.children.truncate(first);
                self.conclude(key, side, span);
            }
        }
    }

    /// Lists the cops' moves. Returns `Err` with the value if it is already known.
    fn list_joint_moves(
        &mut self,
        graph: &ReachableGraph,
        spot: Spot,
        mut frame: LineFrame,
    ) -> Result<LineFrame, Span> {
        if spot.is_capture() {
            return Err(Span::exactly(0));
        }
        let gap = self.gaps.least(graph, spot);
        if gap == 1 {
            return Err(Span::exactly(1));
        }
        if gap >= frame.below {
            return Err(Span {
                lower: gap,
                upper: NEVER,
            });
        }
        if self.is_near(frame.below) {
            self.list_closing_moves(graph, spot, &mut frame);
            return Ok(frame);
        }
        let (_, below) = frame.open();
        graph.for_each_joint_move(spot, |after| {
            self.effort.work.touched += 1;
            let key = after.key(graph.cops);
            let mut span = self.known.get(key, ToMove::Robber);
            let (gap, order) = self.gaps.least_and_sum(graph, after);
            span.lower = span.lower.max(gap);
            if span.upper < frame.above || span.lower.saturating_add(1) >= below {
                frame.count(span);
            } else {
                let lower = span.lower;
                self.add_child(Child { key, lower, order });
            }
            true
        });
        if frame.span.upper <= frame.above {
            self.children.truncate(frame.first);
            frame.is_cut = true;
        }
        self.rate_joint_moves(graph, spot.robber, &mut frame);
        Ok(frame)
    }

    /// Returns whether there are sets of places for windows that end below a number of turns.
    fn is_near(&self, below: u16) -> bool {
        let sets = self.sets.as_ref();
        sets.is_some_and(|sets| below <= sets.most() + 2)
    }

    /// Lists the joint moves that leave the robber no path beyond the window.
    fn list_closing_moves(&mut self, graph: &ReachableGraph, spot: Spot, frame: &mut LineFrame) {
        let Some(mut sets) = self.sets.take() else {
            return;
        };
        // The nearest cop needs more than one turn, and fewer than the window ends with.
        let turns = frame.below - 2;
        for rated in sets.rate(graph, spot, turns) {
            self.effort.work.touched += 1;
            let after = Spot::new(spot.robber, &rated.cops);
            let key = after.key(graph.cops);
            let mut span = self.known.get(key, ToMove::Robber);
            span.lower = span.lower.max(rated.lower);
            if span.upper < frame.above || span.lower > turns {
                frame.count(span);
            } else {
                let lower = span.lower;
                let order = u32::from(rated.within.max(lower)) << 16 | rated.covered.min(0xffff);
                self.add_child(Child { key, lower, order });
            }
        }
        self.sets = Some(sets);
        // The moves that are not listed.
        frame.count(Span {
            lower: turns + 1,
            upper: NEVER,
        });
        if frame.span.upper <= frame.above {
            self.children.truncate(frame.first);
            frame.is_cut = true;
        }
    }

    /// Lists the robber's replies. Returns `Err` with bounds if they already answer the question.
    fn list_replies(
        &mut self,
        graph: &ReachableGraph,
        spot: Spot,
        mut frame: LineFrame,
    ) -> Result<LineFrame, Span> {
        let is_near = self.is_near(frame.below);
        let mut moves = std::mem::take(&mut self.moves);
        graph.robber_moves(spot, &mut moves);
        for &robber in &moves {
            let after = spot.with_robber(robber);
            self.effort.work.touched += 1;
            let key = after.key(graph.cops);
            let mut span = self.known.get(key, ToMove::Cops);
            let (gap, sum) = self.gaps.least_and_sum(graph, after);
            span.lower = span.lower.max(gap);
            if span.lower >= frame.below || span.upper <= frame.above {
                frame.count(span);
            } else if let Some(sets) = self.sets.as_mut().filter(|_| is_near) {
                if gap == 1 {
                    frame.count(Span::exactly(1));
                    continue;
                }
                let order = sets.count(graph, after, frame.below - 2);
                if order == 0 {
                    frame.count(Span {
                        lower: frame.below,
                        upper: NEVER,
                    });
                    break;
                }
                let order = u32::from(!span.lower) << 16 | order;
                self.add_child(Child {
                    key,
                    lower: span.lower,
                    order,
                });
            } else {
                let (lower, order) = (span.lower, !sum);
                self.add_child(Child { key, lower, order });
            }
        }
        self.moves = moves;
        if frame.span.lower >= frame.below {
            self.children.truncate(frame.first);
            frame.is_cut = true;
            return Ok(frame);
        }
        // A path that no cop cuts short is a lower bound.
        if !is_near
            && is_open_to_races(self.known.get(frame.key, ToMove::Robber))
            && let Some(trails) = &mut self.trails
        {
            let span = Span {
                lower: trails.turns(graph, spot, frame.below),
                upper: NEVER,
            };
            if span.lower >= frame.below {
                return Err(span);
            }
            self.is_full |= self.known.narrow(frame.key, ToMove::Robber, span).is_none();
        }
        Ok(frame)
    }

    /// Rates all remaining moves of the cops at once, by the robber's best path after each move.
    fn rate_joint_moves(&mut self, graph: &ReachableGraph, robber: u16, frame: &mut LineFrame) {
        let Some(trails) = &mut self.trails else {
            return;
        };
        let children = &mut self.children[frame.first..];
        let is_rated = |child: &Child| !is_open_to_races(self.known.get(child.key, ToMove::Robber));
        if children.len() < 2 || children.len() > MOST_MOVES || children.iter().all(is_rated) {
            return;
        }
        let moves = children
            .iter()
            .map(|child| Spot::of_key(child.key, graph.cops));
        let (_, below) = frame.open();
        trails.rate(graph, robber, moves, below);
        for (index, child) in children.iter_mut().enumerate() {
            let (turns, covered) = trails.rating(index);
            child.lower = child.lower.max(turns);
            child.order = covered;
            let span = Span {
                lower: child.lower,
                upper: NEVER,
            };
            self.is_full |= self.known.narrow(child.key, ToMove::Robber, span).is_none();
            if child.lower.saturating_add(1) >= below {
                frame.count(span);
            }
        }
        let mut kept = frame.first;
        for index in frame.first..self.children.len() {
            let child = self.children[index];
            if child.lower.saturating_add(1) < below {
                self.children[kept] = child;
                kept += 1;
            }
        }
        self.children.truncate(kept);
    }
}

/// Returns whether a race may say more about a state with the robber to move than what is known.
fn is_open_to_races(known: Span) -> bool {
    known.lower == 0 || may_be_cut(known.lower)
}

impl LineFrame {
    /// The part of the window that is still open after the children so far.
    fn open(&self) -> (u16, u16) {
        match self.side {
            ToMove::Cops => (self.above, self.below.min(self.span.upper)),
            ToMove::Robber => (self.above.max(self.span.lower), self.below),
        }
    }

    /// Adds the result of a child.
    fn count(&mut self, span: Span) {
        match self.side {
            ToMove::Cops => {
                let span = span.after_a_turn();
                self.span.lower = self.span.lower.min(span.lower);
                self.span.upper = self.span.upper.min(span.upper);
            }
            ToMove::Robber => {
                self.span.lower = self.span.lower.max(span.lower);
                self.span.upper = self.span.upper.max(span.upper);
            }
        }
    }
}
