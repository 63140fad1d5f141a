//! Takes and restores snapshots.

use super::agent::{AgentRecord, LAST_TICK};
use super::ladder::saved_endgames::SavedLocalEndgames;
use super::planning::Planning;
use super::pursuit_world::PursuitWorld;
use super::snapshot::{Snapshot, SnapshotError, VERSION};
use super::targets::Targets;
use super::tick_events::TickEvents;
use crate::graph::{GraphDelta, Vertex};

impl PursuitWorld {
    /// The whole state. Call it between two ticks.
    ///
    /// Cost: a copy of everything except tables.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        let facts = &self.facts;
        let mut members = facts.members.clone();
        members.tidy();
        members.drop_doubtful_plans(&mut TickEvents::default());
        let mut snapshot = Snapshot {
            version: VERSION,
            settings: facts.settings.clone(),
            tick: facts.tick,
            graph: facts.graph.clone(),
            maintenance: facts.maintenance.clone(),
            grounds: facts.grounds.clone(),
            hazards: facts.hazards.clone(),
            barred: facts.barred.clone(),
            members,
            planning: self.planning.save(facts),
            tables: self.cache.save(),
            endgames: SavedLocalEndgames::default(),
        };
        for rung in self.ladder.rungs.list() {
            rung.save(&mut snapshot);
        }
        snapshot
    }

    /// A world from a snapshot. Tables that were in memory are [requested](Self::next_request) again.
    /// Until they arrive the world plays without them and reports that the run is not
    /// [repeatable](Self::diverged_at); in lockstep the next tick [waits](Self::overdue) for them.
    ///
    /// # Errors
    /// If the snapshot has another version or is damaged.
    pub fn from_snapshot(snapshot: Snapshot) -> Result<Self, SnapshotError> {
        let (graph, maintenance) = (snapshot.graph.clone(), snapshot.maintenance.clone());
        let mut world = Self::on(
            graph,
            maintenance,
            Planning::new(),
            snapshot.settings.clone(),
        );
        world.restore(snapshot)?;
        Ok(world)
    }

    /// Goes back to a snapshot of this world or another one. Tables in memory are kept.
    ///
    /// # Errors
    /// As [`from_snapshot`](Self::from_snapshot); the world then stays as it is.
    pub fn restore(&mut self, snapshot: Snapshot) -> Result<(), SnapshotError> {
        snapshot.check()?;
        for rung in self.ladder.rungs.list() {
            rung.check(&snapshot).map_err(SnapshotError::Damaged)?;
        }
        // The settings decide which tables are allowed.
        let mut cache = self.cache.clone();
        cache.set_settings(snapshot.settings.tables);
        cache.restore_on(&snapshot.tables, &snapshot.graph, &snapshot.maintenance)?;
        self.cache = cache;
        let facts = &mut self.facts;
        for rung in self.ladder.rungs.list_mut() {
            rung.restore(&snapshot);
        }
        facts.settings = snapshot.settings;
        facts.tick = snapshot.tick;
        facts.graph = snapshot.graph;
        facts.maintenance = snapshot.maintenance;
        facts.grounds = snapshot.grounds;
        facts.hazards = snapshot.hazards;
        facts.barred = snapshot.barred;
        facts.sight.forget_views();
        facts.territories.forget();
        facts.are_arrivals_due = false;
        facts.members = snapshot.members;
        facts.members.count_moved_by_room();
        for pursuit in facts.members.pursuits_mut() {
            pursuit.sort_knowledge();
        }
        facts.delta = GraphDelta::default();
        facts.events.list.clear();
        self.targets = Targets::default();
        self.planning = Planning::new();
        self.planning.restore(snapshot.planning, facts);
        facts.planned_for = self.planning.target();
        self.note_turn_length();
        Ok(())
    }
}

impl Snapshot {
    /// Checks that every reference in it is valid, except in the fields of rungs.
    fn check(&self) -> Result<(), SnapshotError> {
        if self.version != VERSION {
            return Err(SnapshotError::Version {
                found: self.version,
            });
        }
        let expect = |is_so: bool, what| is_so.then_some(()).ok_or(SnapshotError::Damaged(what));
        expect(self.tick < LAST_TICK, "tick")?;
        self.members
            .check(LAST_TICK)
            .map_err(SnapshotError::Damaged)?;
        expect(self.maintenance.check(&self.graph).is_ok(), "abstraction")?;
        expect(self.grounds.are_sound(&self.graph), "grounds")?;
        expect(self.hazards.are_sound(), "hazards")?;
        let slots = self.graph.slots();
        let is_there = |vertex: Vertex| vertex.index() < slots;
        let are_sound = self.members.iter().all(|(_, agent)| {
            let plan = &agent.plan;
            let from = plan.is_made().then_some(&plan.from);
            let vertices = agent.way().iter().chain(agent.ordered());
            let vertices = vertices.chain(&plan.path).chain(from);
            let vertices = vertices.chain(&plan.against).chain(&plan.against_before);
            let mut vertices = vertices.copied().chain(agent.turned_at());
            vertices.all(is_there)
                && agent.is_in_time()
                && agent.pressure.is_sound()
                && agent.routine.is_sound(LAST_TICK)
                && agent.own.is_none_or(|own| own.is_sound())
                && agent.has_role()
        });
        expect(are_sound, "plan of an agent")?;
        expect(self.planning.is_sound(slots, LAST_TICK), "search under way")
    }
}

impl AgentRecord {
    fn is_in_time(&self) -> bool {
        let (departs, arrives) = self.times();
        let last = departs.max(arrives).max(self.plan.made);
        last.max(self.waits_since) < LAST_TICK
    }
}
