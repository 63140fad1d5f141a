//! Read-only queries for overlays and tools.

use super::agent_id::AgentId;
use super::hash::{mix, mix_cell, mix_vertex};
use super::pursuit::PursuitNumber;
use super::pursuit_world::PursuitWorld;
use super::sightings::Sighting;
use crate::endgame::EndgameRegion;
use crate::game::{self, Outcome, Rules, Side, State};
use crate::graph::Graph;
use crate::map::Cell;
use crate::table::{Arena, CaptureTimes};

/// The values of the table that a pursuit plays by, for the current positions of its cops: see
/// [`PursuitWorld::table_values`].
pub struct TableValues<'a> {
    times: &'a dyn CaptureTimes,
    arena: &'a Arena,
    graph: &'a Graph,
    cops: Vec<usize>,
}

impl std::fmt::Debug for TableValues<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TableValues")
            .field("rules", &self.times.rules())
            .field("cops", &self.cops)
            .finish_non_exhaustive()
    }
}

impl TableValues<'_> {
    /// The outcome for a robber on a cell; `None` for a wall. Cost: one look-up, some 50 ns.
    #[must_use]
    pub fn at(&mut self, cell: Cell) -> Option<Outcome> {
        let place = self.arena.place(self.graph.vertex(cell)?)?;
        // A look-up sorts the cops, which are interchangeable.
        self.times.value_at(place, &mut self.cops)
    }
}

impl PursuitWorld {
    /// A hash of the tick, the map, and the cell, path and duty of every agent: two runs with equal hashes in
    /// every tick are the same run. The same on every machine. Cost: some nanoseconds per agent.
    #[must_use]
    pub fn position_hash(&self) -> u64 {
        let bits = self.facts.graph.fingerprint().to_bits();
        let map = mix(mix(self.facts.tick, bits as u64), (bits >> 64) as u64);
        self.facts.members.iter().fold(map, |hash, (id, agent)| {
            let hash = mix(hash, u64::from(id.slot) << 32 | u64::from(id.generation));
            let hash = mix_cell(hash, agent.setup.cell);
            let hash = mix(
                hash,
                agent.arrives() << 1 | u64::from(agent.caught.is_some()),
            );
            // Without solid agents, hashes are those of releases that had none.
            let hash = if agent.setup.is_solid {
                mix(hash, agent.waits_since)
            } else {
                hash
            };
            let way = agent.way().iter();
            let hash = way.fold(hash, |hash, &at| mix_vertex(hash, at));
            agent.routine.hash(hash)
        })
    }

    /// The table values for the current positions of a pursuit's cops: for any cell, the number of moves in which the
    /// cops capture a robber that is on this cell at the end of this turn. `None` if the pursuit has no table in use,
    /// or if the game is not one robber against cops of one speed.
    ///
    /// On the free-running clock the values belong to the game of the nearest whole-number speeds. Where both sides
    /// choose simultaneously they belong to the game in which they move one after the other.
    ///
    /// Reading does not count as a use of the table. Cost: linear in the number of cops.
    #[must_use]
    pub fn table_values(&self, pursuit: u32) -> Option<TableValues<'_>> {
        let facts = &self.facts;
        let pursuit = facts.members.pursuit(PursuitNumber::new(pursuit))?;
        if facts.free_robbers(pursuit) != 1 {
            return None;
        }
        let clock = facts.clock(pursuit);
        let slowest = facts.slowest_step(pursuit);
        let agent = |id: AgentId| {
            let agent = facts.agent(id)?;
            let at = agent.next_vertex(facts.graph_of(agent))?;
            let speed = facts.speed(clock, slowest, agent);
            Some(game::Agent { at, speed })
        };
        let is_free = |&&id: &&AgentId| facts.agent(id).is_some_and(|r| r.caught.is_none());
        let id = *pursuit.robbers.iter().find(is_free)?;
        let robber = agent(id)?;
        let all = facts.agents(&pursuit.cops);
        let ground = facts.table_ground(
            all.map(|(_, cop)| facts.traits_of(cop)),
            facts.ground_of(facts.agent(id)?),
        )?;
        let cops: Option<Vec<game::Agent>> = pursuit.cops.iter().map(|&id| agent(id)).collect();
        let cops = cops?;
        let state = State {
            robber,
            cops: &cops,
            to_move: Side::Cops,
        };
        let rules = Rules::of(&state, facts.graph.moves())?;
        let found = self.cache.peek(ground, &rules)?;
        let cops: Option<Vec<usize>> = cops.iter().map(|cop| found.arena.place(cop.at)).collect();
        Some(TableValues {
            times: found.times,
            arena: found.arena,
            graph: ground.robber,
            cops: cops?,
        })
    }

    /// The region of the proof by which cops of a pursuit move in this turn, with its exits, its guards and the bound
    /// that these cops [announce](super::PursuitState::captured_within). `None` if no capture is proven, from the
    /// capture on, and from the tick on in which an edit changes a step out of a cell of the region.
    ///
    /// Cost: a look-up for each pair of cops that move by the proof, and sorting the cells. After a restore the table may
    /// have to be solved first, once: some ten milliseconds.
    #[must_use]
    pub fn endgame_region(&self, pursuit: u32) -> Option<EndgameRegion> {
        let pursuit = self.facts.members.pursuit(PursuitNumber::new(pursuit))?;
        self.ladder.rungs.endgame.region_of(&self.facts, pursuit)
    }

    /// The robber that a cop chases, and the last sighting of it by the cops of the pursuit. For cops
    /// with unlimited sight that is the robber's current cell. `None` for robbers, and for cops without
    /// a target.
    ///
    /// Cost: linear in the number of cops with limited sight.
    #[must_use]
    pub fn target_of(&self, cop: AgentId) -> Option<(AgentId, Option<Sighting>)> {
        let facts = &self.facts;
        let agent = facts.agent(cop)?;
        let target = agent.target?;
        let robber = facts.agent(target)?;
        let pursuit = facts.members.pursuit(agent.pursuit_number())?;
        let known = pursuit.cops_know.get(target.key());
        let sees_now = known.is_some_and(|known| known.sees_now)
            || facts.graph.is_on_map(robber.setup.cell)
                && (agent.setup.sight.is_none() || !facts.cops_have_limited_sight(pursuit));
        let here = Sighting {
            cell: robber.setup.cell,
            tick: facts.tick,
            sees_now,
            checked: false,
        };
        Some((target, if sees_now { Some(here) } else { known }))
    }

    /// The cells of edits that are not yet worked into the [abstraction](Self::hierarchy), oldest first.
    /// `None` if the whole abstraction will be rebuilt, because there are too many edits.
    #[must_use]
    pub fn unrepaired(&self) -> Option<impl Iterator<Item = Cell> + '_> {
        let is_known = !self.facts.maintenance.is_rebuilding();
        is_known.then(|| {
            self.facts
                .maintenance
                .pending_edits()
                .map(|edit| edit.cell())
        })
    }
}
