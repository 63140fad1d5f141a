//! Plan requests: which targets want a plan, and how urgently.

use crate::world::agent::{AgentRecord, Control};
use crate::world::agent_id::AgentId;
use crate::world::facts::Facts;
use crate::world::plan::PlanTarget;
use crate::world::pursuit::PursuitRecord;
use crate::world::reaction::AT_ONCE;
use crate::world::view::ViewMemory;

/// Up to this rank (turns apart divided by the age of the plan) an agent wants a plan for each move.
const NEAR: u32 = 8 * 16;

/// A plan is too old to follow at this multiple of the time for which plans should be kept.
const OVERDUE: u64 = 4;

/// How urgently a target wants a plan; the most urgent comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Urgency {
    /// A member has no plan that it can follow.
    Must,
    /// The plan is old.
    Should,
    /// The plan was made for another situation.
    Could,
}

/// A target that wants a plan. Requests are ordered as they are granted, first one first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::world) struct PlanRequest {
    urgency: Urgency,
    /// Turns between the opponents, times 16, divided by the age of the plan in turns plus one. So near
    /// targets come first, and every target gets its plan eventually.
    rank: u32,
    /// The tick by which the plan is needed, for targets that must have one.
    due: u64,
    target: PlanTarget,
    /// The tick at which the target last got a plan.
    made: u64,
}

/// The request of the team that chases a robber, if it wants a plan for its next move. Expects the cops of the pursuit;
/// assembles the situation.
pub(in crate::world) fn request_of_team(
    positions: &mut ViewMemory,
    facts: &Facts,
    pursuit: &PursuitRecord,
    robber: AgentId,
) -> Option<PlanRequest> {
    let ViewMemory {
        pursuit_positions,
        situation,
        ..
    } = positions;
    if !situation.of_team(facts, pursuit, pursuit_positions, robber) {
        return None;
    }
    let mut urgency: Option<Urgency> = None;
    let mut made = u64::MAX;
    let apart = situation.turns_apart(facts);
    for (&id, cop) in situation.ids.iter().zip(&situation.cops) {
        let agent = facts.agent(id)?;
        if agent.search.is_some() || facts.is_unaware(pursuit, agent, cop.at) {
            continue;
        }
        let plan = &agent.plan;
        let has_move = plan.has_move(cop.at, facts.steps_of_move(pursuit, agent));
        let usable = has_move && plan.is_usable(cop.at);
        let own = urgency_of(facts, agent, usable, situation.key, apart);
        // The smaller urgency is the more urgent one.
        urgency = match (urgency, own) {
            (Some(urgency), Some(own)) => Some(urgency.min(own)),
            (urgency, own) => urgency.or(own),
        };
        made = made.min(plan.made);
    }
    let target = PlanTarget::Team {
        pursuit: pursuit.number,
        robber,
    };
    Some(request(facts, pursuit, urgency?, made, apart, target))
}

/// The request of a robber, if it wants a plan for its next move. Expects the cops of the pursuit; stores the key of the
/// robber's situation.
pub(in crate::world) fn request_of_robber(
    positions: &mut ViewMemory,
    facts: &Facts,
    pursuit: &PursuitRecord,
    id: AgentId,
    cops_moved: bool,
) -> Option<PlanRequest> {
    let ViewMemory {
        pursuit_positions,
        situation,
        ..
    } = positions;
    situation.clear();
    let robber = facts.agent(id)?;
    if !robber.chooses_in(pursuit.number) || robber.caught.is_some() {
        return None;
    }
    let at = robber.next_vertex(facts.graph_of(robber))?;
    let has_exits = facts.graph_of(robber).has_exits();
    let known = robber.setup.sight.is_none();
    let known = known.then(|| pursuit_positions.key_for_robber(facts, robber, at, cops_moved));
    let (key, apart) = if let Some(known) = known.flatten() {
        situation.key = known.0;
        if known.1 == u32::MAX && !has_exits {
            return None; // no cop is anywhere
        }
        known
    } else {
        let is_known = situation.of_robber(facts, pursuit, pursuit_positions, id, cops_moved);
        if !is_known || situation.cops.is_empty() && !has_exits {
            return None;
        }
        (situation.key, situation.turns_apart(facts))
    };
    if apart > AT_ONCE && facts.is_unaware(pursuit, robber, at) {
        return None;
    }
    let has_move = robber
        .plan
        .has_move(at, facts.steps_of_move(pursuit, robber));
    let usable = has_move && robber.plan.is_usable(at);
    let urgency = urgency_of(facts, robber, usable, key, apart)?;
    let made = robber.plan.made;
    Some(request(
        facts,
        pursuit,
        urgency,
        made,
        apart,
        PlanTarget::Robber(id),
    ))
}

/// The request of an agent that walks to a cell, if it has no plan for the walk.
pub(in crate::world) fn request_to_walk(
    facts: &Facts,
    pursuit: &PursuitRecord,
    id: AgentId,
) -> Option<PlanRequest> {
    let agent = facts.agent(id)?;
    if agent.pursuit_number() != pursuit.number {
        return None;
    }
    let (at, to) = agent.ends_of_walk(facts.graph_of(agent))?;
    let has_move = || agent.plan.has_move(at, facts.steps_of_move(pursuit, agent));
    if at == to || agent.has_plan_to(at, facts.graph.cell(to)) && has_move() {
        return None;
    }
    // A player is waiting for an errand.
    let apart = match (agent.setup.control, agent.search) {
        (Control::WalkTo(_), _) => 0,
        (_, None) => facts.graph.cell(to).max_norm(facts.graph.cell(at)),
        (_, Some(_)) => u32::MAX,
    };
    let made = agent.plan.made;
    Some(request(
        facts,
        pursuit,
        Urgency::Must,
        made,
        apart,
        PlanTarget::Walk(id),
    ))
}

fn urgency_of(
    facts: &Facts,
    agent: &AgentRecord,
    usable: bool,
    key: u64,
    apart: u32,
) -> Option<Urgency> {
    let plan = &agent.plan;
    let kept = ticks_kept(facts, apart);
    let age = facts.tick.saturating_sub(plan.made);
    if !usable || !plan.is_intact() {
        return Some(Urgency::Must);
    }
    if plan.key == key {
        return None;
    }
    // An old plan eventually becomes a must, no matter how many agents have no plan at all.
    Some(match age {
        age if age > OVERDUE * kept => Urgency::Must,
        age if age > kept => Urgency::Should,
        _ => Urgency::Could,
    })
}

/// The number of ticks for which a plan should be kept if the nearest opponent is `apart` turns away.
pub(in crate::world) fn ticks_kept(facts: &Facts, apart: u32) -> u64 {
    let turn = facts.turn_length();
    if apart <= u32::from(facts.settings.near_turns) {
        return turn;
    }
    let turns = (apart / 4).clamp(1, u32::from(facts.settings.keep_turns.max(1)));
    u64::from(turns) * turn
}

fn request(
    facts: &Facts,
    pursuit: &PursuitRecord,
    urgency: Urgency,
    made: u64,
    apart: u32,
    target: PlanTarget,
) -> PlanRequest {
    let age = (facts.tick.saturating_sub(made) / facts.turn_length()).min(1 << 20) as u32;
    let due = match urgency {
        Urgency::Must if facts.clock(pursuit).is_in_turns() => pursuit.ends,
        _ => 0,
    };
    PlanRequest {
        urgency,
        rank: apart.min(1 << 12) * 16 / (1 + age),
        due,
        target,
        made,
    }
}

impl PlanRequest {
    /// Returns whether there is no plan to follow, or the opponent is too near for an old one.
    pub(in crate::world) fn is_urgent(&self) -> bool {
        self.urgency < Urgency::Could || self.rank <= NEAR
    }

    /// Returns whether to plan ahead for it now. An opponent that the game moves may step in each tick, and agents of the
    /// world do so once a turn: a plan for it that was made in this turn is good enough until the next move.
    pub(in crate::world) fn is_wanted(
        &self,
        pursuit: &PursuitRecord,
        is_moved_by_game: bool,
    ) -> bool {
        !is_moved_by_game || self.urgency < Urgency::Could || self.made <= pursuit.began
    }

    pub(in crate::world) const fn target(&self) -> PlanTarget {
        self.target
    }

    /// The tick at which the target last got a plan.
    pub(in crate::world) const fn made(&self) -> u64 {
        self.made
    }
}
