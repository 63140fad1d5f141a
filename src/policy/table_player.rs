use super::{Decision, Source};
use crate::game::{Agent, Outcome, Rules, State, Turns, Value};
use crate::graph::{Graph, Vertex};
use crate::map::Cell;
use crate::search::MoveEnds;
use crate::table::{Arena, CaptureTimes};

/// Plays either side by a table: an optimal move in every position, in memory that is used again.
///
/// One player serves any number of pursuits, maps and tables, one call after the other; it
/// remembers nothing but its memory.
///
/// Of several optimal joint moves the cops take the one that brings them nearest to the robber: for
/// each cop its ways are put in order, the nearest end first (by the maximum norm, then by the
/// straight distance, waiting after all others that are as near), and that joint move is taken whose
/// cops are highest in their orders together. Of several optimal moves the robber takes the one that
/// ends farthest from the nearest cop, by the same measures, and waits only where nothing else is as
/// good. ([`OptimalRobber`](super::robber::OptimalRobber) and
/// [`OptimalCops`](crate::table::OptimalCops), which measurements are made with, choose otherwise.)
///
/// Cost: some 10 values for a cop's decision where the first guess is right, as it mostly is; at worst
/// a value for each joint move and reply. A value for each move of a robber. Nothing is allocated once
/// it is warm.
#[derive(Debug, Clone, Default)]
pub struct TablePlayer {
    /// Where each cop can go; more than there are cops if there were more once.
    cops: Vec<Fan>,
    robber: MoveEnds,
    /// The robber's ways around cops that have moved next to it.
    around: MoveEnds,
    /// Where the robber can go if nobody is in its way; what has refuted a joint move comes first.
    replies: Vec<u32>,
    /// The places of the cops, or those after a joint move; a look-up sorts them.
    after: Vec<usize>,
    probes: u64,
}

/// The ends of the moves of one cop. They are put in order only as far as somebody asks: mostly the
/// first is the right one.
#[derive(Debug, Clone, Default)]
struct Fan {
    moves: MoveEnds,
    /// Those in order, then the others.
    ends: Vec<End>,
    sorted: usize,
    /// Which of them is tried.
    tried: usize,
}

/// The lower the likelier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct End {
    rank: u64,
    vertex: Vertex,
}

/// A table, and what it is of.
#[derive(Clone, Copy)]
struct Book<'a> {
    times: &'a dyn CaptureTimes,
    arena: &'a Arena,
    graph: &'a Graph,
}

/// So many values are looked up for one decision at most. A right table needs far fewer; one that
/// somebody has made up might be searched in vain for long.
const MOST_PROBES: u64 = 1 << 18;

impl TablePlayer {
    /// An optimal move of all cops of `state`, which are to move: a decision for each into `out`, in
    /// their order.
    ///
    /// Cops that stand on the robber, or that cannot force a capture, wait; the value then says
    /// [`Outcome::Escapes`], and somebody else may know better what to do. `false`, and `out` as it
    /// was, if the table or the arena is not of this graph or the table not for these rules (cops of
    /// different speeds have none), or if it does not keep its word.
    pub fn cops(
        &mut self,
        times: &dyn CaptureTimes,
        arena: &Arena,
        graph: &Graph,
        state: &State<'_>,
        out: &mut Vec<Decision>,
    ) -> bool {
        self.probes = 0;
        let Some(book) = Book::open(times, arena, graph, state) else {
            return false;
        };
        let Some(value) = self.choose(book, state) else {
            return false;
        };
        out.resize_with(state.cops.len(), || Decision::wait(Source::Table));
        let moves = !matches!(value, Outcome::Escapes | Outcome::Caught(Turns(0)));
        for (fan, decision) in self.cops.iter().zip(out) {
            decision.path.clear();
            if moves {
                fan.moves.way_to(fan.end(), &mut decision.path);
            }
            decision.steps = decision.path.len();
            decision.source = Source::Table;
            decision.value = Some(Value::Exact(value));
        }
        true
    }

    /// An optimal move of the robber of `state`, which is to move, into `out`.
    ///
    /// A robber that a cop stands on waits. `false`, and `out` as it was, if the table or the arena is
    /// not of this graph or the table not for these rules.
    pub fn robber(
        &mut self,
        times: &dyn CaptureTimes,
        arena: &Arena,
        graph: &Graph,
        state: &State<'_>,
        out: &mut Decision,
    ) -> bool {
        self.probes = 0;
        let best = Book::open(times, arena, graph, state).and_then(|book| self.flee(book, state));
        let Some((value, end)) = best else {
            return false;
        };
        out.path.clear();
        if end != state.robber.at {
            self.robber.way_to(end, &mut out.path);
        }
        out.steps = out.path.len();
        out.source = Source::Table;
        out.value = Some(Value::Exact(value));
        true
    }

    /// The values looked up by the last call.
    #[must_use]
    pub const fn probes(&self) -> u64 {
        self.probes
    }

    /// The robber's best value and the end of its move.
    fn flee(&mut self, book: Book<'_>, state: &State<'_>) -> Option<(Outcome, Vertex)> {
        book.place(state.robber.at)?;
        self.stand(book, state)?;
        if state.is_capture() {
            return Some((Outcome::Caught(Turns(0)), state.robber.at));
        }
        let is_cop = |vertex| state.cops.iter().any(|cop| cop.at == vertex);
        let ends = self
            .robber
            .find(book.graph, state.robber.at, state.robber.speed, is_cop);
        let mut best = None;
        for &end in ends.iter().chain([&state.robber.at]) {
            let place = book.place(end)?;
            self.probes += 1;
            let value = book.times.value_at(place, &mut self.after)?;
            let measure = || state.cops.iter().map(|cop| book.distance(cop.at, end));
            match best {
                Some((most, _, _)) if value < most => {}
                Some((most, far, _)) if value == most && measure().min() <= far => {}
                _ => best = Some((value, measure().min(), end)),
            }
        }
        best.map(|(value, _, end)| (value, end))
    }

    /// Puts the cops on their places, as they are.
    fn stand(&mut self, book: Book<'_>, state: &State<'_>) -> Option<()> {
        self.after.clear();
        for cop in state.cops {
            self.after.push(book.place(cop.at)?);
        }
        Some(())
    }

    /// The value with the cops to move. If it is a capture to come, an optimal joint move is tried
    /// last in each cop's fan.
    fn choose(&mut self, book: Book<'_>, state: &State<'_>) -> Option<Outcome> {
        let robber = book.place(state.robber.at)?;
        self.stand(book, state)?;
        let value = self.value(book, robber)?;
        let count = state.cops.len();
        if self.cops.len() < count {
            self.cops.resize_with(count, Fan::default);
        }
        let Outcome::Caught(Turns(turns @ 1..)) = value else {
            return Some(value);
        };
        for (fan, cop) in self.cops.iter_mut().zip(state.cops) {
            fan.list(book.graph, *cop, state.robber.at);
        }
        self.list_replies(book, state)?;
        let reached = Outcome::Caught(Turns(turns - 1));
        let mut joint = Joint::default();
        while joint.next(&mut self.cops[..count]) && self.probes < MOST_PROBES {
            if self.is_enough(book, state, robber, reached)? {
                return Some(value);
            }
        }
        None
    }

    /// A value with the cops where `after` says.
    fn value(&mut self, book: Book<'_>, robber: usize) -> Option<Outcome> {
        self.probes += 1;
        book.times.value_at(robber, &mut self.after)
    }

    /// Lists where the robber can go, the farthest first.
    fn list_replies(&mut self, book: Book<'_>, state: &State<'_>) -> Option<()> {
        let start = state.robber.at;
        self.robber
            .find(book.graph, start, state.robber.speed, |_| false);
        self.replies.clear();
        for &end in self.robber.ends().iter().rev().chain([&start]) {
            self.replies.push(book.place(end)? as u32);
        }
        Some(())
    }

    /// Is the robber captured in time if the cops go where they try to go?
    fn is_enough(
        &mut self,
        book: Book<'_>,
        state: &State<'_>,
        robber: usize,
        reached: Outcome,
    ) -> Option<bool> {
        let Self { cops, after, .. } = self;
        after.clear();
        for fan in &cops[..state.cops.len()] {
            after.push(book.place(fan.end())?);
        }
        if after.contains(&robber) {
            return Some(true);
        }
        let in_the_way = |&place: &u32| after.contains(&(place as usize));
        if state.robber.speed.steps() > 1 && self.replies.iter().any(in_the_way) {
            return self.is_enough_around(book, state, robber, reached);
        }
        for index in 0..self.replies.len() {
            let reply = self.replies[index] as usize;
            if self.value(book, reply)? > reached {
                self.replies[..=index].rotate_right(1);
                return Some(false);
            }
        }
        Some(true)
    }

    /// The same where a cop stands in the way of a robber that is faster than one step.
    fn is_enough_around(
        &mut self,
        book: Book<'_>,
        state: &State<'_>,
        robber: usize,
        reached: Outcome,
    ) -> Option<bool> {
        let Self { cops, around, .. } = self;
        let cops = &cops[..state.cops.len()];
        let is_cop = |vertex| cops.iter().any(|fan| fan.end() == vertex);
        around.find(book.graph, state.robber.at, state.robber.speed, is_cop);
        if self.value(book, robber)? > reached {
            return Some(false);
        }
        // The farthest are the likeliest to be too good.
        for index in (0..self.around.ends().len()).rev() {
            let reply = book.place(self.around.ends()[index])?;
            if self.value(book, reply)? > reached {
                return Some(false);
            }
        }
        Some(true)
    }
}

impl Fan {
    /// Lists where a cop can go.
    fn list(&mut self, graph: &Graph, cop: Agent, robber: Vertex) {
        self.moves.find(graph, cop.at, cop.speed, |_| false);
        self.sorted = 0;
        self.ends.clear();
        let robber = graph.cell(robber);
        let ends = self.moves.ends().iter().chain([&cop.at]);
        // Waiting comes last of all, and so last of those that are as near.
        for (&vertex, index) in ends.zip(0..) {
            let (far, near) = legs(graph.cell(vertex), robber);
            // A map has at most 2^24 cells.
            let rank = u64::from(far) << 40 | u64::from(near) << 24 | index;
            self.ends.push(End { rank, vertex });
        }
        self.attempt(0);
    }

    /// The end is tried that so many are likelier than.
    fn attempt(&mut self, number: usize) {
        const FEW: usize = 32;
        self.tried = number;
        if number > FEW && self.sorted < self.ends.len() {
            self.ends[self.sorted..].sort_unstable();
            self.sorted = self.ends.len();
        }
        while self.sorted <= number {
            let rest = &mut self.ends[self.sorted..];
            let best = (0..rest.len()).min_by_key(|&index| rest[index].rank);
            rest.swap(0, best.unwrap_or(0));
            self.sorted += 1;
        }
    }

    /// Where the cop goes if it does what is tried.
    fn end(&self) -> Vertex {
        self.ends[self.tried].vertex
    }
}

/// Counts through all joint moves: by the sum of what the cops try, so that likely ends of all cops
/// come before an unlikely one of any.
#[derive(Debug, Default)]
struct Joint {
    /// `None` before the first.
    sum: Option<usize>,
}

impl Joint {
    /// The next joint move; `false` after the last. The last cop makes up what is missing to the sum.
    fn next(&mut self, fans: &mut [Fan]) -> bool {
        let most: usize = fans.iter().map(|fan| fan.ends.len() - 1).sum();
        loop {
            let sum = match self.sum {
                Some(sum) if step(&mut fans[..]) => sum,
                before => {
                    let sum = before.map_or(0, |before| before + 1);
                    self.sum = Some(sum);
                    sum
                }
            };
            if sum > most {
                return false;
            }
            let Some((last, others)) = fans.split_last_mut() else {
                return false;
            };
            let others: usize = others.iter().map(|fan| fan.tried).sum();
            if let Some(rest) = sum.checked_sub(others)
                && rest < last.ends.len()
            {
                last.attempt(rest);
                return true;
            }
        }
    }
}

/// Counts on with all cops but the last, as an odometer does; `false` if they are back at 0.
fn step(fans: &mut [Fan]) -> bool {
    let others = fans.len().saturating_sub(1);
    fans[..others].iter_mut().rev().any(|fan| {
        fan.attempt((fan.tried + 1) % fan.ends.len());
        fan.tried > 0
    })
}

impl<'a> Book<'a> {
    /// `None` if the table is not of this graph or not for these rules.
    fn open(
        times: &'a dyn CaptureTimes,
        arena: &'a Arena,
        graph: &'a Graph,
        state: &State<'_>,
    ) -> Option<Self> {
        let fingerprint = graph.fingerprint();
        let is_of_graph = fingerprint == times.fingerprint()
            && fingerprint == arena.fingerprint()
            && times.places() == arena.places();
        let rules = Rules::of(state, graph.moves());
        let book = Self {
            times,
            arena,
            graph,
        };
        (is_of_graph && rules == Some(times.rules())).then_some(book)
    }

    /// The place of a vertex; `None` for a wall, or where the arena numbers vertices otherwise.
    fn place(&self, vertex: Vertex) -> Option<usize> {
        let place = self.arena.place(vertex)?;
        let cell = self.arena.cells().get(place)?;
        (self.graph.is_live(vertex) && self.graph.cell(vertex) == *cell).then_some(place)
    }

    /// By the maximum norm, then by the straight distance.
    fn distance(&self, a: Vertex, b: Vertex) -> (u16, u16) {
        legs(self.graph.cell(a), self.graph.cell(b))
    }
}

/// The longer and the shorter side of the rectangle between two cells: in this order they compare as
/// the maximum norm and then the straight distance do.
fn legs(a: Cell, b: Cell) -> (u16, u16) {
    let (dx, dy) = (a.x.abs_diff(b.x), a.y.abs_diff(b.y));
    (dx.max(dy), dx.min(dy))
}
