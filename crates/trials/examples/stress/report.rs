//! Statistics of a run: tick times, sources of decisions, and violations of rules.

use crate::headless::{Figures, agent_of};
use crate::referee::Referee;
use bevy::prelude::Entity;
use bevy_pursuit::debug::PursuitDiagnostics;
use pursuit_engine::policy::Source;
use pursuit_engine::world::{AgentId, DecidedBy, Decisions, PursuitWorld};
use std::time::Duration;

/// The statistics of all ticks.
#[derive(Default)]
pub struct Report {
    tick_ms: Figures,
    own_ms: Figures,
    door_ms: Figures,
    most_work: u64,
    frame_ms: Figures,
    allocations: Figures,
    ages: Figures,
    survival: Figures,
    decisions: Decisions,
    plans: u64,
    dropped: u64,
    repairs: u64,
    expansions: u64,
    behind: usize,
    referee: Referee,
    offences: Vec<String>,
}

impl Report {
    /// Records a tick. `frame` is the time of the whole frame, `waited` the part spent waiting for a
    /// core.
    pub fn note(
        &mut self,
        diagnostics: &PursuitDiagnostics,
        frame: Duration,
        waited: Duration,
        allocations: u64,
        door: bool,
    ) {
        let tick = &diagnostics.tick;
        let ms = |time: Duration| time.as_secs_f64() * 1e3;
        self.tick_ms.note(ms(tick.time));
        self.own_ms.note(ms(tick.time.saturating_sub(waited)));
        self.frame_ms.note(ms(frame));
        if door {
            self.door_ms.note(ms(tick.time.saturating_sub(waited)));
        }
        self.most_work = self.most_work.max(tick.expansions);
        self.allocations.note(allocations as f64);
        self.decisions += tick.decisions;
        self.plans += tick.plans;
        self.dropped += tick.dropped_plans;
        self.repairs += tick.repairs;
        self.expansions += tick.expansions;
        self.behind = self.behind.max(tick.pending_edits);
    }

    /// Checks the rules in this tick. The game has moved the agents `placed` itself.
    pub fn judge(&mut self, world: &PursuitWorld, placed: &[Entity]) {
        let placed: Vec<AgentId> = placed.iter().filter_map(|&e| agent_of(world, e)).collect();
        if let Err(offence) = self.referee.watch(world, &placed) {
            self.referee = Referee::default();
            self.offences.push(offence);
        }
        for (_, agent) in world.agents() {
            let is_new = agent.times().0 == world.tick();
            let by_plan = matches!(
                agent.state().decided_by,
                DecidedBy::Policy(Source::Search | Source::Stale)
            );
            if is_new && by_plan {
                self.ages.note(agent.state().age.into());
            }
        }
    }

    pub fn note_capture(&mut self, turns: u64) {
        self.survival.note(turns as f64);
    }

    pub fn print(&mut self) {
        println!("ticks            {}", self.tick_ms.count());
        println!("tick time        {}", self.tick_ms.line(3, " ms"));
        println!("  without waits  {}", self.own_ms.line(3, " ms"));
        if self.door_ms.count() > 0 {
            println!("  with a door    {}", self.door_ms.line(3, " ms"));
        }
        println!("frame time       {}", self.frame_ms.line(3, " ms"));
        let ticks = self.tick_ms.count().max(1) as u64;
        println!(
            "work per tick    {} expansions, {} of them for repairs, max {}; at most {} pending edits",
            self.expansions / ticks,
            self.repairs / ticks,
            self.most_work,
            self.behind
        );
        let [table, search, stale, greedy] =
            [Source::Table, Source::Search, Source::Stale, Source::Greedy]
                .map(|source| 100.0 * self.decisions.share(source));
        println!(
            "decisions        {}: table {table:.2} %, search {search:.2} %, stale {stale:.2} %, \
             greedy {greedy:.2} %",
            self.decisions.all()
        );
        println!(
            "plans            {} made, {} invalidated by doors",
            self.plans, self.dropped
        );
        println!("age of plans     {}", self.ages.line(0, " ticks"));
        println!(
            "captures         {}, after {:.1} turns on average",
            self.survival.count(),
            self.survival.mean()
        );
        println!(
            "allocations      {} (per tick, in the plugin's schedule, on its thread)",
            self.allocations.line(0, "")
        );
        println!("violations       {}", self.offences.len());
    }

    pub fn verdict(&mut self, limit_ms: Option<f64>, all_by_table: bool) -> Result<(), String> {
        if let Some(first) = self.offences.first() {
            return Err(format!(
                "{} violations, the first: {first}",
                self.offences.len()
            ));
        }
        if self.decisions.all() == 0 {
            return Err("no decision was made".to_owned());
        }
        let last = self.decisions.by(Source::Greedy) + self.decisions.by(Source::Stale);
        if all_by_table && (self.decisions.share(Source::Table) < 0.9 || last > 0) {
            return Err("not all agents play from the table".to_owned());
        }
        let slow = self.own_ms.quantile(0.999);
        match limit_ms {
            Some(limit) if slow > limit => {
                Err(format!("a tick in 1,000 takes {slow:.3} ms or more"))
            }
            _ => Ok(()),
        }
    }
}
