//! The rung of positions that were worked out exactly, where no table fits: optimal play of both sides.

use super::finding::{Finding, ProofKind, ProvenMoves, SideMoves};
use super::means::Means;
use super::rung::Rung;
use super::saved_exact::{SavedExact, SavedPosition, SavedWork};
use crate::game::{Agent, Outcome, Side, State, Step, Turns, Value};
use crate::graph::{Graph, Vertex};
use crate::policy::Source;
use crate::search::MoveEnds;
use crate::solve::PositionSolver;
use crate::table_cache::TableCache;
use crate::world::facts::Facts;
use crate::world::purse::Purse;
use crate::world::pursuit::{PursuitIndex, PursuitRecord};
use crate::world::share::Share;
use crate::world::snapshot::Snapshot;
use crate::world::state::DecidedBy;
use crate::world::together::choose_together;
use crate::world::view::{Movers, ProofGame, View, ViewMemory};

/// In worlds with more pursuits, no position is worked out: the budget belongs to their plans.
const MOST_PURSUITS: usize = 4;

/// The numbers of cops for which positions are worked out. A single cop has tables of the whole map, or of parts of it.
const COPS: std::ops::RangeInclusive<usize> = 2..=3;

/// Positions whose value is above this are left alone until the game is nearer to its end: solving them takes more work
/// than there is time for.
const MOST_AHEAD: u16 = 30;

/// The cost of setting up the work for a vertex of the map, in expansions.
const EXPANSIONS_OF_A_VERTEX: u64 = 3;

/// The number of moves of an agent of speed 1 on open ground, which the cost of a vertex includes.
const FEW_MOVES: usize = 9;

/// The number of further moves that cost as much as an expansion.
const MOVES_PER_EXPANSION: u64 = 8;

/// The most moves of an agent on all vertices together: 16 MB. Cops of a great speed have more on large maps.
const MOST_MOVES: usize = 1 << 22;

/// The cost of looking up what is known about a position, in expansions.
const EXPANSIONS_OF_A_LOOK_UP: u64 = 100;

/// The most work on a game, in expansions. A restored world does this work again, which takes about a tenth of a
/// second.
const MOST_WORK: u64 = 2_000_000;

/// The most slices of a piece of work: each takes at least one expansion.
const MOST_SLICES: u64 = MOST_WORK;

/// The work starts afresh after it has followed the game through this number of positions, because a restored game
/// replays all of them.
const MOST_STAGES: usize = 1000;

/// The ticks without an edit of the map before work begins again.
const PAUSE: u64 = 32;

/// The exact solution of the present position of one pursuit, without a table: optimal play as long as both sides
/// follow it. If a robber has left the optimal line, the cops keep the bound that was proven before.
#[derive(Debug, Default)]
pub(in crate::world) struct ExactRung {
    work: Option<ExactWork>,
    /// The tick of the last edit of the map.
    changed: Option<u64>,
    ends: MoveEnds,
}

/// A solver, and the positions that it has received so far.
#[derive(Debug)]
struct ExactWork {
    /// It searches by TIDA*. Two cops do not get retrograde analysis of all states within reach (`Method::Cones` of the
    /// laboratory), which must analyse them all before it knows anything. With the share of a tick that is left for this
    /// work, it knew the value 0 to 4 turns before the capture in games on three maps; TIDA* knew it 8 to 11 turns before.
    solver: PositionSolver,
    saved: SavedWork,
    /// The work of a slice, in expansions: a mean in which recent slices count most.
    usual: u64,
    /// Whether further work on the present position would gain nothing.
    is_idle: bool,
}

impl Rung for ExactRung {
    fn source(&self) -> Source {
        Source::Exact
    }

    fn find(&mut self, view: &View<'_>, means: &mut Means<'_, '_>) -> Finding {
        let proof = match view.movers {
            Movers::Cops => self.moves_of_cops(view, means.purse),
            Movers::Robber(_) => self.reply(view),
        };
        proof.map_or(Finding::Nothing(None), |moves| {
            let kind = ProofKind::Position;
            Finding::Proves(ProvenMoves { moves, kind })
        })
    }

    /// Spends a share of the remaining budget on the position of the next turn.
    fn work_ahead(&mut self, facts: &Facts, positions: &mut ViewMemory, purse: &mut Purse<'_>) {
        let memory = facts.settings.position_memory;
        if memory == 0 || facts.members.pursuits().len() > MOST_PURSUITS {
            // What has been proven and announced stays, until the game is over.
            if memory == 0 || !self.has_announced(facts) {
                self.work = None;
            }
            return;
        }
        let end = purse.end_of(Share::ExactPositions);
        if let Some(work) = &self.work {
            let at = facts.members.find(work.saved.pursuit).ok();
            let team = at.and_then(|at| next_position(facts, positions, at));
            let goes_on = self.follow(team.map(SavedPosition::of));
            if !goes_on || self.is_in_vain() {
                self.work = None;
            }
        }
        if self.work.is_none() {
            self.begin_any(facts, positions, memory, purse);
        }
        while let Some(work) = &mut self.work
            && !work.is_idle
            && purse.spent() < end
            && purse.fits(2 * work.usual)
        {
            purse.spend(work.advance());
        }
    }

    fn follow_edits(&mut self, facts: &Facts, _cache: &mut TableCache) {
        self.work = None;
        self.changed = Some(facts.tick);
    }

    fn take_map(&mut self, facts: &Facts) {
        self.work = None;
        self.changed = Some(facts.tick);
    }

    fn save(&self, snapshot: &mut Snapshot) {
        snapshot.exact = SavedExact {
            changed: self.changed,
            work: self.work.as_ref().map(|work| work.saved.clone()),
        };
    }

    /// All positions lie on the map, and the work is within the limits of a real game.
    fn check(&self, snapshot: &Snapshot) -> Result<(), &'static str> {
        let slots = snapshot.graph.slots();
        let SavedExact { changed, work } = &snapshot.exact;
        let is_sound = changed.is_none_or(|changed| changed <= snapshot.tick())
            && work.as_ref().is_none_or(|work| work.is_sound(slots));
        is_sound.then_some(()).ok_or("exact position")
    }

    /// Continues from a saved state, by doing its work again.
    fn restore(&mut self, snapshot: &Snapshot) {
        let SavedExact { changed, work } = &snapshot.exact;
        self.changed = *changed;
        let work = work.as_ref();
        self.work = work.and_then(|saved| ExactWork::again(saved, &snapshot.graph));
    }
}

impl ExactRung {
    /// The cops' move in the present position, with the value or a proven bound.
    fn moves_of_cops(&mut self, view: &View<'_>, purse: &mut Purse<'_>) -> Option<SideMoves> {
        let View { facts, pursuit, .. } = *view;
        let is_of = |work: &ExactWork| work.saved.pursuit == pursuit.number;
        if !self.work.as_ref().is_some_and(is_of) || !choose_together(facts, pursuit) {
            return None;
        }
        let team = view.team.filter(|team| is_whole(*team, pursuit));
        if !self.follow(team.map(SavedPosition::of)) {
            self.work = None;
            return None;
        }
        purse.spend(EXPANSIONS_OF_A_LOOK_UP);
        let Self { work, ends, .. } = self;
        let ExactWork { solver, saved, .. } = work.as_mut()?;
        let bounds = solver.bounds();
        let Outcome::Caught(_) = bounds.upper else {
            return None;
        };
        let value = bounds.value();
        let value = value.map_or(Value::AtMost(bounds.upper), Value::Exact);
        let mut moves = SideMoves::of_value(Some(value));
        let cops = saved.stages.last()?.cops.iter().zip(team?.ids());
        for ((&cop, &id), to) in cops.zip(solver.cop_move()?) {
            moves.add(id, &way(&facts.graph, ends, cop, to, &[])?);
        }
        Some(moves)
    }

    /// The robber's reply, if the cops make their moves in this position.
    fn reply(&mut self, view: &View<'_>) -> Option<SideMoves> {
        let (Some(Finding::Proves(of_cops)), Movers::Robber(id)) = (view.for_cops(), view.movers)
        else {
            return None;
        };
        let Some(Value::Exact(Outcome::Caught(Turns(turns)))) = of_cops.moves.value else {
            return None;
        };
        let Self { work, ends, .. } = self;
        let ExactWork { solver, saved, .. } = work.as_ref()?;
        let stage = saved.stages.last()?;
        let ways = stage.cops.iter().zip(of_cops.moves.ways());
        let cops: Vec<Vertex> = ways
            .map(|(cop, way)| way.last().copied().unwrap_or(cop.at))
            .collect();
        let State {
            robber,
            cops: stands,
            ..
        } = view.game?.state;
        let stands = stands.iter().map(|cop| cop.at);
        if robber != stage.robber || !stands.eq(cops.iter().copied()) {
            return None;
        }
        let to = solver.reply()?;
        let way = way(&view.facts.graph, ends, robber, to, &cops)?;
        let value = Value::Exact(Outcome::Caught(Turns(turns.saturating_sub(1))));
        Some(SideMoves::of_one(id, &way, Some(value)))
    }

    /// Returns whether cops have announced a capture with their last move that this work has proven.
    fn has_announced(&self, facts: &Facts) -> bool {
        let by_work = DecidedBy::Policy(Source::Exact);
        let of = |work: &ExactWork| facts.members.pursuit(work.saved.pursuit);
        let pursuit = self.work.as_ref().and_then(of);
        pursuit.is_some_and(|pursuit| {
            let mut cops = facts.agents(&pursuit.cops).map(|(_, cop)| cop.state);
            cops.any(|state| state.decided_by == by_work && state.captured_within().is_some())
        })
    }

    /// Returns whether the work has ended without a proof for the present position.
    fn is_in_vain(&self) -> bool {
        self.work.as_ref().is_some_and(|work| {
            let is_spent = work.solver.work() >= MOST_WORK;
            // A saved game has no more stages.
            work.saved.stages.len() >= MOST_STAGES
                || is_spent && work.solver.bounds().upper == Outcome::Escapes
        })
    }

    /// Begins with the first pursuit whose position can be worked out.
    fn begin_any(
        &mut self,
        facts: &Facts,
        positions: &mut ViewMemory,
        memory: u64,
        purse: &mut Purse<'_>,
    ) {
        let is_quiet = |changed: u64| facts.tick - changed >= PAUSE;
        let slots = facts.graph.slots();
        let room = purse.whole().saturating_sub(purse.spent());
        let least = slots as u64 * EXPANSIONS_OF_A_VERTEX;
        if purse.left() == 0 || least > room || !self.changed.is_none_or(is_quiet) {
            return;
        }
        for at in facts.members.indices() {
            let is_near = |team: &ProofGame<'_>| team.turns_apart(facts) <= u32::from(MOST_AHEAD);
            let Some(team) = next_position(facts, positions, at).filter(is_near) else {
                continue;
            };
            let stage = SavedPosition::of(team);
            let cost = least
                + stage.moves(slots).saturating_sub(FEW_MOVES * slots) as u64 / MOVES_PER_EXPANSION;
            // A slice looks at all joint moves of the cops in a state.
            let slice = stage.joint_moves(slots);
            if cost > room || slice > purse.whole() || !is_supported(&stage, slots) {
                continue;
            }
            let saved = SavedWork {
                pursuit: facts.members[at].number,
                memory,
                stages: vec![stage],
            };
            self.work = ExactWork::new(saved, &facts.graph);
            if self.work.is_none() {
                // It needs too much memory. Nothing changes soon, and trying takes time.
                self.changed = Some(facts.tick);
            }
            purse.spend(cost);
            return;
        }
    }

    /// Makes a position the present one. `false` if it belongs to another game.
    fn follow(&mut self, stage: Option<SavedPosition>) -> bool {
        self.work
            .as_mut()
            .zip(stage)
            .is_some_and(|(work, stage)| work.follow(stage))
    }
}

/// The next position of a pursuit. `None` if its game cannot be worked out: it must be a game to which proofs apply, in
/// which the world moves all cops, without a table.
fn next_position<'a>(
    facts: &Facts,
    positions: &'a mut ViewMemory,
    at: PursuitIndex,
) -> Option<ProofGame<'a>> {
    let pursuit = &facts.members[at];
    if pursuit.has_cops_by_table() {
        return None;
    }
    let team = positions.of_next_move(facts, at);
    team.filter(|team| is_whole(*team, pursuit))
}

impl SavedWork {
    /// Returns whether all positions lie on a map of `slots` vertices, and the work is within the limits of a real game.
    fn is_sound(&self, slots: usize) -> bool {
        let is_there = |agent: &Agent| agent.at.index() < slots;
        let is_stage = |stage: &SavedPosition| {
            stage.cops.iter().chain([&stage.robber]).all(is_there)
                && COPS.contains(&stage.cops.len())
                && stage.moves(slots) <= MOST_MOVES
        };
        let slices = self.stages.iter().map(|stage| stage.slices);
        self.stages.len() <= MOST_STAGES
            && slices.fold(0, u64::saturating_add) <= MOST_SLICES
            && self.stages.iter().all(is_stage)
    }
}

/// Returns whether the world moves all cops of a pursuit, and their number is one for which positions are worked out.
fn is_whole(team: ProofGame<'_>, pursuit: &PursuitRecord) -> bool {
    COPS.contains(&pursuit.cops.len())
        && team.ids().len() == pursuit.cops.len()
        && !team.state.is_capture()
}

/// Whether a solver is made for such a position on a map of `slots` vertices: the cops are equally fast, and the states
/// of the game can be numbered.
fn is_supported(stage: &SavedPosition, slots: usize) -> bool {
    let mut cops = stage.cops.iter();
    let speed = stage.cops.first().map(|cop| cop.speed);
    cops.all(|cop| Some(cop.speed) == speed)
        && PositionSolver::most_vertices(stage.cops.len()).is_some_and(|most| slots <= most)
        && stage.moves(slots) <= MOST_MOVES
}

impl SavedPosition {
    fn of(team: ProofGame<'_>) -> Self {
        let State { robber, cops, .. } = team.state;
        Self {
            robber,
            cops: cops.to_vec(),
            slices: 0,
        }
    }

    /// The most moves that an agent may have on all vertices of a map together.
    fn moves(&self, slots: usize) -> usize {
        let agents = self.cops.iter().chain([&self.robber]);
        let most = agents.map(|agent| most_moves(*agent, slots)).max();
        most.unwrap_or_default().saturating_mul(slots)
    }

    /// The most joint moves that the cops may have.
    fn joint_moves(&self, slots: usize) -> u64 {
        let most = self.cops.iter().map(|cop| most_moves(*cop, slots) as u64);
        most.fold(1, u64::saturating_mul)
    }

    fn state(&self) -> State<'_> {
        State {
            robber: self.robber,
            cops: &self.cops,
            to_move: Side::Cops,
        }
    }
}

/// The most moves that an agent may have on a map of `slots` vertices.
fn most_moves(agent: Agent, slots: usize) -> usize {
    let side = 2 * usize::from(agent.speed.steps()) + 1;
    (side * side).min(slots)
}

impl ExactWork {
    /// Begins with the first stage. `None` if the solver does not support the position.
    fn new(saved: SavedWork, graph: &Graph) -> Option<Self> {
        let state = saved.stages.first()?.state();
        let solver = PositionSolver::new(graph, &state, saved.memory).ok()?;
        Some(Self {
            solver,
            saved,
            usual: graph.slots() as u64,
            is_idle: false,
        })
    }

    /// Repeats saved work.
    fn again(saved: &SavedWork, graph: &Graph) -> Option<Self> {
        let mut stages = saved.stages.iter();
        let first = stages.next()?;
        let begun = SavedWork {
            stages: vec![SavedPosition {
                slices: 0,
                ..first.clone()
            }],
            ..saved.clone()
        };
        let mut work = Self::new(begun, graph)?;
        work.advance_by(first.slices);
        for stage in stages {
            let begun = SavedPosition {
                slices: 0,
                ..stage.clone()
            };
            if !work.follow(begun) {
                return None;
            }
            work.advance_by(stage.slices);
        }
        Some(work)
    }

    fn advance_by(&mut self, slices: u64) {
        for _ in 0..slices {
            if self.is_idle {
                return;
            }
            self.advance();
        }
    }

    /// Makes a position the present one; `false` if it belongs to another game.
    fn follow(&mut self, stage: SavedPosition) -> bool {
        let last = self.saved.stages.last();
        if last.is_some_and(|last| last.robber == stage.robber && last.cops == stage.cops) {
            return true;
        }
        let is_followed = self.solver.move_on(&stage.state()).is_ok();
        if is_followed {
            self.saved.stages.push(stage);
            self.is_idle = self.is_spent();
        }
        is_followed
    }

    fn is_spent(&self) -> bool {
        self.solver.work() >= MOST_WORK
    }

    /// Works for one slice. Returns the work, in expansions.
    fn advance(&mut self) -> u64 {
        let before = self.solver.work();
        let status = self.solver.advance(1);
        if let Some(stage) = self.saved.stages.last_mut() {
            stage.slices += 1;
        }
        let is_far = self.solver.bounds().lower > Outcome::Caught(Turns(MOST_AHEAD));
        self.is_idle = status != Step::Working || is_far || self.is_spent();
        let work = self.solver.work() - before + 1;
        self.usual = (7 * self.usual + work) / 8;
        work
    }
}

/// The path of a move of an agent, not over the `blocked` vertices. `None` if there is none.
fn way(
    graph: &Graph,
    ends: &mut MoveEnds,
    agent: Agent,
    to: Vertex,
    blocked: &[Vertex],
) -> Option<Vec<Vertex>> {
    let mut way = Vec::new();
    if to == agent.at {
        return Some(way);
    }
    let is_blocked = |vertex: Vertex| blocked.contains(&vertex);
    let found = ends.find(graph, agent.at, agent.speed, is_blocked);
    if !found.contains(&to) {
        return None;
    }
    ends.way_to(to, &mut way);
    Some(way)
}
