//! The reaction time of agents: for how long they take no notice of what their opponents do.

use super::agent::{AgentRecord, AgentSetup};
use super::agent_id::AgentId;
use super::facts::Facts;
use super::pursuit::PursuitRecord;
use super::settings::PursuitClock;
use super::tactics::OwnTactics;
use crate::graph::Vertex;

/// A robber reacts at once to a cop that is at most this number of turns away.
pub(super) const AT_ONCE: u32 = 2;

impl AgentSetup {
    /// Returns whether its moves may fall short of what it knows, so that what it can force is not certain.
    pub(super) const fn is_fallible(&self) -> bool {
        self.mistakes > 0 || self.reaction > 0
    }
}

impl Facts {
    /// Returns whether an agent that moves next from `at` takes no notice yet of what its opponents have done since it made
    /// its plan, and goes on by that plan.
    pub(super) fn is_unaware(
        &self,
        pursuit: &PursuitRecord,
        agent: &AgentRecord,
        at: Vertex,
    ) -> bool {
        let reaction = u64::from(agent.setup.reaction);
        if reaction == 0 {
            return false;
        }
        let plan = &agent.plan;
        let goes_on = plan.is_intact()
            && plan.rest(at).is_some_and(|rest| !rest.is_empty())
            && plan.has_move(at, self.steps_of_move(pursuit, agent));
        let of_move = if self.clock(pursuit) == PursuitClock::FreeRunning {
            u64::from(self.ticks_per_step(agent))
        } else {
            self.turn_length()
        };
        goes_on && self.tick.saturating_sub(plan.made) < reaction.saturating_mul(of_move)
    }

    /// Returns whether a cop that plays alone goes on to where its tactics have said, in spite of what its target does.
    pub(super) fn is_unaware_of_target(
        &self,
        pursuit: &PursuitRecord,
        cop: &AgentRecord,
        own: OwnTactics,
    ) -> bool {
        let at = cop.next_vertex(self.graph_of(cop));
        let goes_on = |at| own.goal().is_some_and(|goal| cop.has_plan_to(at, goal));
        at.is_some_and(|at| self.is_unaware(pursuit, cop, at) && goes_on(at))
    }

    /// Returns whether one of some agents has a reaction time.
    pub(super) fn react_late(&self, agents: &[AgentId]) -> bool {
        self.agents(agents)
            .any(|(_, agent)| agent.setup.reaction > 0)
    }

    /// Returns whether a cop of a pursuit has a leash or a reaction time. Such cops play a game that tables and proofs do
    /// not know. Cost: linear in the number of cops.
    pub(super) fn have_cops_limits(&self, pursuit: &PursuitRecord) -> bool {
        let mut cops = self.agents(&pursuit.cops);
        cops.any(|(_, cop)| cop.setup.leash.is_some() || cop.setup.reaction > 0)
    }
}
