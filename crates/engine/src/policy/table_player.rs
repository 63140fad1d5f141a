//! Plays either side optimally by an exact table of the map and the rules.

mod cop_moves;

use super::{Decision, Source};
use crate::game::{JointMoves, JointOrder, Outcome, Rules, State, Turns, Value, Work};
use crate::graph::{Graph, Vertex};
use crate::map::Cell;
use crate::search::MoveEnds;
use crate::table::{Arena, CaptureTimes, TableGround};
use cop_moves::{CopMoves, Lengths};

/// Which of several optimal moves a [`TablePlayer`] makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TieBreak {
    /// Moves that look natural in a game: the cops close in and the robber keeps away.
    ///
    /// For each cop the ends of its moves are sorted by their distance from the robber (by the maximum
    /// norm, then by the straight distance; waiting comes last among equals). The cops make the joint
    /// move whose ends come first in these lists, by the sum of their positions there. The robber makes
    /// the move that ends farthest from the nearest cop, by the same measures, and waits only if no
    /// other move is as good. A player gives up after looking up 2^18 values, because a search in a
    /// forged table could take very long and find nothing.
    #[default]
    Distance,
    /// A fixed order that does not depend on the opponent, for measurements.
    ///
    /// The cops make the first optimal joint move in this order: all stay; then each move of the first
    /// cop, from the longest path to waiting, combined with each move of the second cop, and so on. On a
    /// map diagonal steps are longer, by the root of two; among paths of the same length, those that a
    /// breadth-first search finds last come first. As far as published games show, a single cop plays
    /// nearly like the cop of the papers' reference program (`tests/search/rivals_reference.rs`). The
    /// robber makes the first optimal move that a breadth-first search finds, neighbours in the graph's
    /// order, and waits only if no other move is as good.
    SearchOrder,
}

/// Plays either side by a table: an optimal move in every position. Reuses its memory.
///
/// The sides may walk on different grounds, the robber may leave by exits, and cops may capture at a distance: see
/// [`TableGround`]. A `&Graph` is the ground of cops and robber on one map.
///
/// One player can serve any number of pursuits, maps and tables, one call after the other. It keeps no
/// state between calls except allocated memory.
///
/// Cost: for the cops about 10 values if the first guess is right, as it mostly is with
/// [`TieBreak::Distance`], and at worst a value for each joint move and reply. For the robber a value
/// for each move. No allocation after the first calls.
#[derive(Debug, Clone, Default)]
pub struct TablePlayer {
    ties: TieBreak,
    /// The moves of each cop. Entries beyond the number of cops are spare memory.
    cops: Vec<CopMoves>,
    joint: JointMoves,
    lengths: Lengths,
    robber: MoveEnds,
    /// The robber's moves around cops that have moved next to it.
    around: MoveEnds,
    /// The robber's moves if no cop is in its way. Moves that have refuted a joint move come first.
    replies: Vec<u32>,
    /// The places of the cops, before or after a joint move. A look-up sorts them.
    after: Vec<usize>,
    probes: u64,
}

/// A table with its arena and its ground.
pub(super) struct OpenTable<'a, T: ?Sized> {
    pub(super) times: &'a T,
    pub(super) arena: &'a Arena,
    pub(super) ground: TableGround<'a>,
}

/// The most values looked up for one decision with [`TieBreak::Distance`]. A correct table needs far
/// fewer.
const MOST_PROBES: u64 = 1 << 18;

impl TablePlayer {
    /// The cost of looking up a value, in expansions.
    pub(crate) const EXPANSIONS_OF_A_PROBE: u64 = 6;

    /// A player with this tie-break.
    #[must_use]
    pub fn new(ties: TieBreak) -> Self {
        Self {
            ties,
            ..Self::default()
        }
    }

    /// Writes an optimal joint move of the cops of `state`, with the cops to move, into `out`: a
    /// decision for each, in their order.
    ///
    /// Cops that have captured the robber, or that cannot force a capture, wait. If they cannot force a
    /// capture the value is [`Outcome::Escapes`], and another algorithm may find a better move. Where there
    /// are exits, they keep the robber from them instead, or for as long as they can. Returns
    /// `false`, with `out` unchanged, if the table or the arena is not of this ground, if the table is
    /// not for these rules (cops of different speeds have none), or if the table contradicts itself.
    pub fn cops<'g>(
        &mut self,
        times: &(impl CaptureTimes + ?Sized),
        arena: &Arena,
        ground: impl Into<TableGround<'g>>,
        state: &State<'_>,
        out: &mut Vec<Decision>,
    ) -> bool {
        self.probes = 0;
        let Some(table) = OpenTable::open(times, arena, ground.into(), state) else {
            return false;
        };
        let Some((value, moves)) = self.choose(&table, state) else {
            return false;
        };
        out.resize_with(state.cops.len(), || Decision::wait(Source::Table));
        for (index, decision) in out.iter_mut().enumerate() {
            decision.path.clear();
            if moves {
                let of_cop = &mut self.cops[index];
                let end = of_cop.end(self.joint.choices()[index]);
                of_cop.path_to(end, &mut decision.path);
            }
            decision.steps = decision.path.len();
            decision.source = Source::Table;
            decision.value = Some(Value::Exact(value));
        }
        true
    }

    /// The value of `state` with the cops to move. `None` as for [`Self::cops`]. Cost: one value.
    #[must_use]
    pub fn value<'g>(
        &mut self,
        times: &(impl CaptureTimes + ?Sized),
        arena: &Arena,
        ground: impl Into<TableGround<'g>>,
        state: &State<'_>,
    ) -> Option<Outcome> {
        self.probes = 0;
        let table = OpenTable::open(times, arena, ground.into(), state)?;
        let robber = table.place_of_robber(state.robber.at)?;
        self.stand(&table, state)?;
        self.look_up(&table, robber)
    }

    /// Writes an optimal move of the robber of `state`, which is to move, into `out`.
    ///
    /// A captured robber waits. Returns `false`, with `out` unchanged, if the table or the arena is not
    /// of this graph or the table is not for these rules.
    pub fn robber<'g>(
        &mut self,
        times: &(impl CaptureTimes + ?Sized),
        arena: &Arena,
        ground: impl Into<TableGround<'g>>,
        state: &State<'_>,
        out: &mut Decision,
    ) -> bool {
        self.probes = 0;
        let best = OpenTable::open(times, arena, ground.into(), state)
            .and_then(|table| self.flee(&table, state));
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

    /// The value of `state` with the cops to move, and all their optimal joint moves, each as the
    /// vertices where the cops end up, in their order.
    ///
    /// The list is empty if a cop stands on the robber, and contains all moves if the robber escapes.
    /// `None` where [`Self::cops`] returns `false`. Cost: up to a value for each joint move and reply;
    /// allocates the moves.
    #[must_use]
    pub fn all_cop_moves<'g>(
        &mut self,
        times: &(impl CaptureTimes + ?Sized),
        arena: &Arena,
        ground: impl Into<TableGround<'g>>,
        state: &State<'_>,
    ) -> Option<(Outcome, Vec<Vec<Vertex>>)> {
        self.probes = 0;
        let table = OpenTable::open(times, arena, ground.into(), state)?;
        let (robber, value) = self.begin(&table, state)?;
        let mut moves = Vec::new();
        let Some(reached) = after_a_turn(value) else {
            return Some((value, moves));
        };
        let count = state.cops.len();
        for (of_cop, &cop) in self.cops.iter_mut().zip(state.cops) {
            of_cop.list_as_found(table.ground.cops, cop);
        }
        let counts = self.cops[..count].iter().map(CopMoves::len);
        self.joint.start(JointOrder::FirstFastest, counts);
        while self.next_joint_move(&table)? {
            if self.is_enough(&table, state, robber, reached)? {
                let all = self.cops.iter_mut().zip(self.joint.choices());
                moves.push(all.map(|(of_cop, &choice)| of_cop.end(choice)).collect());
            }
        }
        Some((value, moves))
    }

    /// The value of `state` with the robber to move, and the vertices where its optimal moves end.
    ///
    /// The value counts the cops' moves from now on. The list is empty if a cop stands on the robber.
    /// `None` where [`Self::robber`] returns `false`. Cost: two values for each move; allocates the
    /// moves.
    #[must_use]
    pub fn all_robber_moves<'g>(
        &mut self,
        times: &(impl CaptureTimes + ?Sized),
        arena: &Arena,
        ground: impl Into<TableGround<'g>>,
        state: &State<'_>,
    ) -> Option<(Outcome, Vec<Vertex>)> {
        self.probes = 0;
        let table = OpenTable::open(times, arena, ground.into(), state)?;
        let (best, _) = self.flee(&table, state)?;
        let mut moves = Vec::new();
        if !table.is_capture(state) {
            for index in 0..=self.robber.ends().len() {
                let start = [state.robber.at];
                let mut ends = start.iter().chain(self.robber.ends());
                let &end = ends.nth(index)?;
                if self.look_up(&table, table.place_of_robber(end)?)? == best {
                    moves.push(end);
                }
            }
        }
        Some((best, moves))
    }

    /// The number of values that the last call looked up.
    #[must_use]
    pub const fn probes(&self) -> u64 {
        self.probes
    }

    /// The work for the robber since the last call of this function.
    #[doc(hidden)]
    pub const fn take_work(&mut self) -> Work {
        self.robber.take_work()
    }

    /// The robber's best value and the end of its move.
    fn flee(
        &mut self,
        table: &OpenTable<'_, impl CaptureTimes + ?Sized>,
        state: &State<'_>,
    ) -> Option<(Outcome, Vertex)> {
        let start = table.place_of_robber(state.robber.at)?;
        self.stand(table, state)?;
        let Self {
            after,
            robber: moves,
            ..
        } = self;
        if table.captures(after, start) {
            return Some((Outcome::Caught(Turns(0)), state.robber.at));
        }
        let (at, speed) = (state.robber.at, state.robber.speed);
        // The usual game needs no look at the rules of the table for each step.
        let ends = if table.is_plain() {
            let is_cop = |vertex| state.cops.iter().any(|cop| cop.at == vertex);
            moves.find(table.ground.robber, at, speed, is_cop)
        } else {
            let steps = table.ground.robber_steps();
            moves.find(&steps, at, speed, |at| table.captures_on(after, at))
        };
        let by_distance = self.ties == TieBreak::Distance;
        let mut best = None;
        for &end in ends.iter().chain([&state.robber.at]) {
            let place = table.place_of_robber(end)?;
            self.probes += 1;
            let value = table.times.value_at(place, &mut self.after)?;
            let measure = || state.cops.iter().map(|cop| table.distance(cop.at, end));
            match best {
                Some((most, _, _)) if value < most => {}
                Some((most, _, _)) if value == most && !by_distance => {}
                Some((most, far, _)) if value == most && measure().min() <= far => {}
                _ => best = Some((value, measure().min(), end)),
            }
        }
        best.map(|(value, _, end)| (value, end))
    }

    /// Sets the places of the cops to their current ones.
    fn stand(
        &mut self,
        table: &OpenTable<'_, impl CaptureTimes + ?Sized>,
        state: &State<'_>,
    ) -> Option<()> {
        self.after.clear();
        for cop in state.cops {
            self.after.push(table.place_of_cop(cop.at)?);
        }
        Some(())
    }

    /// The place of the robber and the value with the cops to move. Unless it is captured already, also lists the robber's
    /// replies.
    fn begin(
        &mut self,
        table: &OpenTable<'_, impl CaptureTimes + ?Sized>,
        state: &State<'_>,
    ) -> Option<(usize, Outcome)> {
        let robber = table.place_of_robber(state.robber.at)?;
        self.stand(table, state)?;
        let value = self.look_up(table, robber)?;
        let count = state.cops.len();
        if self.cops.len() < count {
            self.cops.resize_with(count, CopMoves::default);
        }
        if value != Outcome::Caught(Turns(0)) {
            self.list_replies(table, state)?;
        }
        Some((robber, value))
    }

    /// The value with the cops to move, and whether they move. If so, `joint` holds the chosen ends.
    fn choose(
        &mut self,
        table: &OpenTable<'_, impl CaptureTimes + ?Sized>,
        state: &State<'_>,
    ) -> Option<(Outcome, bool)> {
        let (robber, value) = self.begin(table, state)?;
        // Where there are no exits, another algorithm may find a better move than one that lets the robber escape.
        let is_lost = value == Outcome::Escapes && !table.ground.has_exits();
        let Some(reached) = after_a_turn(value).filter(|_| !is_lost) else {
            return Some((value, false));
        };
        let (order, most) = match self.ties {
            TieBreak::Distance => (JointOrder::SmallestSum, MOST_PROBES),
            TieBreak::SearchOrder => (JointOrder::LastFastest, u64::MAX),
        };
        if self.ties == TieBreak::SearchOrder && self.is_enough(table, state, robber, reached)? {
            return Some((value, false));
        }
        let Self { cops, lengths, .. } = self;
        let graph = table.ground.cops;
        for (of_cop, &cop) in cops.iter_mut().zip(state.cops) {
            match self.ties {
                TieBreak::Distance => of_cop.list_nearest_first(graph, cop, state.robber.at),
                TieBreak::SearchOrder => of_cop.list_longest_first(graph, cop, lengths),
            }
        }
        let counts = cops[..state.cops.len()].iter().map(CopMoves::len);
        self.joint.start(order, counts);
        while self.probes < most && self.next_joint_move(table)? {
            if self.is_enough(table, state, robber, reached)? {
                return Some((value, true));
            }
        }
        None
    }

    /// Sets the places of the cops to those after the next joint move; `Some(false)` after the last one.
    fn next_joint_move(
        &mut self,
        table: &OpenTable<'_, impl CaptureTimes + ?Sized>,
    ) -> Option<bool> {
        let Some(choices) = self.joint.advance() else {
            return Some(false);
        };
        self.after.clear();
        for (of_cop, &choice) in self.cops.iter_mut().zip(choices) {
            self.after.push(table.place_of_cop(of_cop.end(choice))?);
        }
        Some(true)
    }

    /// The value with the cops to move from where `after` says.
    fn look_up(
        &mut self,
        table: &OpenTable<'_, impl CaptureTimes + ?Sized>,
        robber: usize,
    ) -> Option<Outcome> {
        self.probes += 1;
        table.times.value_at(robber, &mut self.after)
    }

    /// Lists the robber's moves, the farthest first.
    fn list_replies(
        &mut self,
        table: &OpenTable<'_, impl CaptureTimes + ?Sized>,
        state: &State<'_>,
    ) -> Option<()> {
        let (start, speed) = (state.robber.at, state.robber.speed);
        if table.is_plain() {
            let graph = table.ground.robber;
            self.robber.find(graph, start, speed, |_| false);
        } else {
            let steps = table.ground.robber_steps();
            self.robber.find(&steps, start, speed, |_| false);
        }
        self.replies.clear();
        for &end in self.robber.ends().iter().rev().chain([&start]) {
            self.replies.push(table.place_of_robber(end)? as u32);
        }
        Some(())
    }

    /// Returns whether the joint move to the places `after` is optimal: whether the robber is captured
    /// in time.
    fn is_enough(
        &mut self,
        table: &OpenTable<'_, impl CaptureTimes + ?Sized>,
        state: &State<'_>,
        robber: usize,
        reached: Outcome,
    ) -> Option<bool> {
        let after = &self.after;
        if table.captures(after, robber) {
            return Some(true);
        }
        let in_the_way = |&place: &u32| table.captures(after, place as usize);
        if state.robber.speed.steps() > 1 && self.replies.iter().any(in_the_way) {
            return self.is_enough_around(table, state, robber, reached);
        }
        for index in 0..self.replies.len() {
            let reply = self.replies[index] as usize;
            if self.look_up(table, reply)? > reached {
                self.replies[..=index].rotate_right(1);
                return Some(false);
            }
        }
        Some(true)
    }

    /// The same if the robber is faster than one step and a cop may stand in its way.
    fn is_enough_around(
        &mut self,
        table: &OpenTable<'_, impl CaptureTimes + ?Sized>,
        state: &State<'_>,
        robber: usize,
        reached: Outcome,
    ) -> Option<bool> {
        let Self { after, around, .. } = self;
        let steps = table.ground.robber_steps();
        around.find(&steps, state.robber.at, state.robber.speed, |at| {
            table.captures_on(after, at)
        });
        if self.look_up(table, robber)? > reached {
            return Some(false);
        }
        // The farthest replies are the likeliest to refute the move.
        for index in (0..self.around.ends().len()).rev() {
            let reply = table.place_of_robber(self.around.ends()[index])?;
            if self.look_up(table, reply)? > reached {
                return Some(false);
            }
        }
        Some(true)
    }
}

impl<'a, T: CaptureTimes + ?Sized> OpenTable<'a, T> {
    /// `None` if the table is not of this ground or not for these rules.
    pub(super) fn open(
        times: &'a T,
        arena: &'a Arena,
        ground: TableGround<'a>,
        state: &State<'_>,
    ) -> Option<Self> {
        let is_of_ground = arena.is_of_ground(&ground)
            && arena.fingerprint() == times.fingerprint()
            && times.places() == arena.places();
        let rules = Rules::of(state, ground.robber.moves());
        let table = Self {
            times,
            arena,
            ground,
        };
        (is_of_ground && rules == Some(times.rules())).then_some(table)
    }

    /// The place of a vertex where a cop stands; `None` off the cops' ground, or where the arena numbers vertices otherwise.
    pub(super) fn place_of_cop(&self, vertex: Vertex) -> Option<usize> {
        self.place_on(self.ground.cops, vertex)
    }

    /// The same for the robber.
    pub(super) fn place_of_robber(&self, vertex: Vertex) -> Option<usize> {
        self.place_on(self.ground.robber, vertex)
    }

    fn place_on(&self, graph: &Graph, vertex: Vertex) -> Option<usize> {
        let place = self.arena.place(vertex)?;
        let cell = self.arena.cells().get(place)?;
        (graph.is_live(vertex) && graph.cell(vertex) == *cell).then_some(place)
    }

    /// Returns whether both sides may do the same, nobody leaves by an exit, and cops capture on their own places only.
    const fn is_plain(&self) -> bool {
        self.arena.is_plain()
    }

    /// Returns whether a cop on one of these places captures a robber on a place.
    #[inline]
    fn captures(&self, cops: &[usize], robber: usize) -> bool {
        if self.is_plain() {
            return cops.contains(&robber);
        }
        let mut cops = cops.iter();
        cops.any(|&cop| self.arena.captures_at(cop, robber))
    }

    /// The same for a robber on a vertex.
    fn captures_on(&self, cops: &[usize], robber: Vertex) -> bool {
        let place = self.arena.place(robber);
        place.is_some_and(|place| self.captures(cops, place))
    }

    /// Returns whether a cop captures the robber where they stand.
    fn is_capture(&self, state: &State<'_>) -> bool {
        let robber = state.robber.at;
        state
            .cops
            .iter()
            .any(|cop| self.arena.captures(cop.at, robber))
    }

    /// A distance that compares by the maximum norm, then by the straight distance.
    fn distance(&self, a: Vertex, b: Vertex) -> (u16, u16) {
        legs(self.ground.cops.cell(a), self.ground.robber.cell(b))
    }
}

/// The outcome that both sides keep up with the moves of one turn; `None` if the game is over.
const fn after_a_turn(value: Outcome) -> Option<Outcome> {
    match value {
        Outcome::Caught(Turns(0)) | Outcome::Away(Turns(0)) => None,
        Outcome::Caught(Turns(turns)) => Some(Outcome::Caught(Turns(turns - 1))),
        Outcome::Escapes => Some(Outcome::Escapes),
        Outcome::Away(Turns(turns)) => Some(Outcome::Away(Turns(turns - 1))),
    }
}

/// The longer and the shorter side of the rectangle between two cells. Pairs in this order compare like
/// the maximum norm and then the straight distance.
fn legs(a: Cell, b: Cell) -> (u16, u16) {
    let (dx, dy) = (a.x.abs_diff(b.x), a.y.abs_diff(b.y));
    (dx.max(dy), dx.min(dy))
}
