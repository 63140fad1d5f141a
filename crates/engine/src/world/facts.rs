//! The facts of the game: the live map, the agents on it, and the time.

use super::agent::AgentRecord;
use super::agent_id::AgentId;
use super::barred::BarredCells;
use super::grounds::Grounds;
use super::hazards::Hazards;
use super::members::Members;
use super::moves;
use super::plan::PlanTarget;
use super::pursuit::PursuitRecord;
use super::settings::{PursuitClock, PursuitSettings};
use super::sight::SightMemory;
use super::tactics::Tactics;
use super::territory::Territories;
use super::tick_events::TickEvents;
use crate::abstraction::{Hierarchy, Maintenance};
use crate::game::{Side, Speed, Turns};
use crate::graph::{Graph, GraphDelta, Vertex};
use crate::map::{Cell, MapEdit};
use crate::policy::Slack;
use crate::search::{AStar, ChangedBlocks, MoveEnds, TimedWalk};

/// The facts of the game. The steps of a tick change them. The rungs of the ladder and planning only read them.
#[derive(Debug)]
pub(super) struct Facts {
    pub(super) settings: PursuitSettings,
    pub(super) tick: u64,
    /// The map as agents of no kind walk on it, and the abstraction of that ground.
    pub(super) graph: Graph,
    pub(super) maintenance: Maintenance,
    /// The grounds of agents of other kinds.
    pub(super) grounds: Grounds,
    /// The cells that are deadly for a while.
    pub(super) hazards: Hazards,
    /// The cells that agents avoid whose bodies were blocked.
    pub(super) barred: BarredCells,
    /// Whether a tick has begun in which nobody has arrived yet.
    pub(super) are_arrivals_due: bool,
    /// Memory for the edits of a tick.
    pub(super) edits: Vec<MapEdit>,
    /// The changes made by the edits of this tick.
    pub(super) delta: GraphDelta,
    /// The blocks of cells in which an edit of this tick changed something.
    pub(super) changed: ChangedBlocks,
    pub(super) members: Members,
    pub(super) events: TickEvents,
    /// For whom the search in progress plans. Its path begins where they were when it began.
    pub(super) planned_for: Option<PlanTarget>,
    /// Memory for finding out who sees whom.
    pub(super) sight: SightMemory,
    /// The cells that leashes reach.
    pub(super) territories: Territories,
    /// Memory for finding out how far the game has moved an agent.
    pub(super) ends: MoveEnds,
    /// Memory for finding paths in time.
    pub(super) timed_walk: TimedWalk,
    /// Finds paths over slow cells.
    pub(super) quickest: AStar,
    /// By how much cops may exceed a bound that they announce.
    pub(super) slack: Slack,
}

impl Facts {
    pub(super) fn new(graph: Graph, maintenance: Maintenance, settings: PursuitSettings) -> Self {
        Self {
            maintenance,
            grounds: Grounds::of_map(&graph),
            graph,
            settings,
            tick: 0,
            hazards: Hazards::default(),
            barred: BarredCells::default(),
            are_arrivals_due: false,
            edits: Vec::new(),
            delta: GraphDelta::default(),
            changed: ChangedBlocks::default(),
            members: Members::default(),
            events: TickEvents::default(),
            planned_for: None,
            sight: SightMemory::default(),
            territories: Territories::default(),
            ends: MoveEnds::default(),
            timed_walk: TimedWalk::default(),
            quickest: AStar::default(),
            slack: Slack::default(),
        }
    }

    /// The abstraction; `None` while edits are still to be worked into it.
    pub(super) fn hierarchy(&self) -> Option<&Hierarchy> {
        self.maintenance.up_to_date(&self.graph)
    }

    /// The abstraction for searches; `None` also on a map with one-way edges, which searches read on the map itself.
    pub(super) fn searched_hierarchy(&self) -> Option<&Hierarchy> {
        self.hierarchy().filter(|all| all.serves(&self.graph))
    }

    pub(super) fn agent(&self, id: AgentId) -> Option<&AgentRecord> {
        self.members.get(id)
    }

    pub(super) fn agents<'a>(
        &'a self,
        ids: &'a [AgentId],
    ) -> impl Iterator<Item = (AgentId, &'a AgentRecord)> + Clone {
        ids.iter().filter_map(|&id| Some((id, self.agent(id)?)))
    }

    /// The ticks of a turn.
    pub(super) fn turn_length(&self) -> u64 {
        u64::from(self.settings.ticks_per_turn.max(1))
    }

    /// The clock of a pursuit.
    pub(super) fn clock(&self, pursuit: &PursuitRecord) -> PursuitClock {
        pursuit.setup.clock.unwrap_or(self.settings.clock)
    }

    /// The tactics of the cops of a pursuit that have none of their own.
    pub(super) fn tactics(&self, pursuit: &PursuitRecord) -> Tactics {
        pursuit.setup.tactics.unwrap_or(self.settings.tactics)
    }

    /// Returns whether the team of a pursuit follows shortest paths. It then uses no tables and no proofs.
    pub(super) fn follows_paths(&self, pursuit: &PursuitRecord) -> bool {
        self.tactics(pursuit) == Tactics::Chase
    }

    /// Returns whether both sides of a pursuit choose simultaneously.
    pub(super) fn is_simultaneous(&self, pursuit: &PursuitRecord) -> bool {
        self.clock(pursuit) == PursuitClock::Simultaneous
    }

    /// Returns whether the search in progress plans for an agent, whose path begins where it is now.
    pub(super) fn waits_for_search(&self, id: AgentId, agent: &AgentRecord) -> bool {
        match self.planned_for {
            Some(PlanTarget::Walk(walker)) => walker == id && agent.goal_of_walk().is_some(),
            Some(PlanTarget::Team { robber, .. }) => {
                agent.side() == Side::Cops && agent.target == Some(robber)
            }
            Some(PlanTarget::Robber(_)) | None => false,
        }
    }

    /// The cell where an agent will make its next move.
    pub(super) fn next_cell(&self, agent: &AgentRecord) -> Cell {
        let end = agent.way().last();
        end.map_or(agent.setup.cell, |&end| self.graph.cell(end))
    }

    /// The ticks of one step of an agent on the free-running clock.
    pub(super) fn ticks_per_step(&self, agent: &AgentRecord) -> u32 {
        let turn = self.settings.ticks_per_turn.max(1);
        match agent.setup.ticks_per_step {
            0 => (turn / u32::from(agent.setup.speed.steps())).max(1),
            ticks => ticks,
        }
    }

    /// The ticks per step of the slowest member of a pursuit. Cost: linear in the number of members.
    pub(super) fn slowest_step(&self, pursuit: &PursuitRecord) -> u32 {
        let steps = pursuit.members().filter_map(|id| self.agent(id));
        let slowest = steps.map(|agent| self.ticks_per_step(agent)).max();
        slowest.unwrap_or(1)
    }

    /// The whole-number speed of an agent, relative to a slowest member that takes `slowest` ticks per
    /// step.
    pub(super) fn speed(&self, clock: PursuitClock, slowest: u32, agent: &AgentRecord) -> Speed {
        if clock.is_in_turns() {
            return agent.setup.speed;
        }
        let own = self.ticks_per_step(agent);
        let ratio = slowest.saturating_add(own / 2) / own;
        Speed::new(ratio.clamp(1, 4) as u8).unwrap_or_default()
    }

    /// The number of steps of an agent's whole move.
    pub(super) fn steps_of_move(&self, pursuit: &PursuitRecord, agent: &AgentRecord) -> Speed {
        match self.clock(pursuit) {
            PursuitClock::FreeRunning => Speed::ONE,
            PursuitClock::Turns | PursuitClock::Simultaneous => agent.setup.speed,
        }
    }

    /// The number of steps of a path from an agent's cell that lead along edges of its ground. The first
    /// step may lead out of a wall.
    pub(super) fn open_steps(&self, agent: &AgentRecord, way: &[Vertex]) -> usize {
        open_steps(self.graph_of(agent), agent.setup.cell, way)
    }

    /// The number of turns within which some cops have announced a capture with their last move, counted including that
    /// move. `None` if they have announced none. Expects that they have not chosen again since then.
    pub(super) fn announced(&self, cops: &[AgentId]) -> Option<Turns> {
        let announced = self
            .agents(cops)
            .filter_map(|(_, cop)| cop.state.captured_within());
        announced.max().map(Turns)
    }

    /// The number of robbers that can be chased.
    pub(super) fn free_robbers(&self, pursuit: &PursuitRecord) -> usize {
        let robbers = self.agents(&pursuit.robbers);
        robbers
            .filter(|(_, robber)| {
                robber.caught.is_none() && self.graph.is_on_map(robber.setup.cell)
            })
            .count()
    }

    /// Returns whether any cop is on the map.
    pub(super) fn has_cops(&self, pursuit: &PursuitRecord) -> bool {
        let mut cops = self.agents(&pursuit.cops);
        cops.any(|(_, cop)| self.graph.is_on_map(cop.setup.cell))
    }
}

/// The number of steps of a path from a cell that lead along edges of a map. The first step may lead
/// out of a wall.
pub(super) fn open_steps(graph: &Graph, from: Cell, way: &[Vertex]) -> usize {
    let mut before: Option<Vertex> = None;
    let is_open = |&next: &Vertex| {
        let at = before.or_else(|| graph.vertex(from));
        let open = match at {
            Some(at) => graph.are_adjacent(at, next),
            // An agent off the map cannot step onto the map.
            None => moves::exits(graph, from).any(|exit| exit == next),
        };
        before = Some(next);
        open
    };
    way.iter().copied().take_while(is_open).count()
}
