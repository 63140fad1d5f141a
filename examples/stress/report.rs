//! What ticks take, who decides, and whether everybody keeps to the rules.

use crate::headless::{Figures, agent_of};
use crate::referee::Referee;
use bevy::prelude::Entity;
use bevy_pursuit::plugin::PursuitDiagnostics;
use bevy_pursuit::policy::Source;
use bevy_pursuit::world::{AgentId, DecidedBy, Decisions, PursuitWorld};
use std::time::Duration;

/// Of all ticks together.
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
    /// `frame` is the time of the whole frame, of which the thread has `waited` for a core.
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

    /// Has somebody broken a rule in this tick, or got no decision? `placed` were put elsewhere.
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
        println!("time of a tick   {}", self.tick_ms.line(3, " ms"));
        println!("  on a core      {}", self.own_ms.line(3, " ms"));
        if self.door_ms.count() > 0 {
            println!("  with a door    {}", self.door_ms.line(3, " ms"));
        }
        println!("time of a frame  {}", self.frame_ms.line(3, " ms"));
        let ticks = self.tick_ms.count().max(1) as u64;
        println!(
            "work of a tick   {} expansions, {} of them repairs, at most {}; at most {} edits behind",
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
            "plans            {} made, {} touched by doors",
            self.plans, self.dropped
        );
        println!("age of plans     {}", self.ages.line(0, " ticks"));
        println!(
            "captures         {}, after {:.1} turns on average",
            self.survival.count(),
            self.survival.mean()
        );
        println!(
            "allocations      {} (of the plugin's schedule, each tick; counted on its thread)",
            self.allocations.line(0, "")
        );
        println!("offences         {}", self.offences.len());
    }

    pub fn verdict(&mut self, limit_ms: Option<f64>, all_by_table: bool) -> Result<(), String> {
        if let Some(first) = self.offences.first() {
            return Err(format!(
                "{} offences, the first: {first}",
                self.offences.len()
            ));
        }
        if self.decisions.all() == 0 {
            return Err("nobody has decided anything".to_owned());
        }
        let last = self.decisions.by(Source::Greedy) + self.decisions.by(Source::Stale);
        if all_by_table && (self.decisions.share(Source::Table) < 0.9 || last > 0) {
            return Err("not everybody is served from the table".to_owned());
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
