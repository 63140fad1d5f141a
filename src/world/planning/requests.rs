//! Who wants a plan, and how much.

use super::Planning;
use crate::world::agent::{AgentRecord, Control};
use crate::world::board::Board;
use crate::world::plan::PlanTarget;
use crate::world::settings::PursuitClock;
use crate::world::{AgentId, PursuitRecord};

/// Of enemies so many turns apart, by the age of their plan, each move wants a plan of its own.
const NEAR: u32 = 8 * 16;

/// A plan that is so many times as old as it is kept gladly is as good as none.
const OVERDUE: u64 = 4;

/// How much a target wants a plan, most first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Urgency {
    /// Somebody of it has none to go by.
    Must,
    /// It is old.
    Should,
    /// It was made for another situation.
    Could,
}

/// A target that wants a plan. Orders by who gets one first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PlanRequest {
    urgency: Urgency,
    /// Turns between the enemies, divided by the age of the plan in turns: the near ones first, and
    /// everybody in the end.
    rank: u32,
    /// The tick by which it is wanted, for those who have to have one.
    due: u64,
    target: PlanTarget,
    /// The tick at which it got a plan last.
    made: u64,
}

impl Planning {
    /// Does the team that goes for a robber want a plan for its next move? The company is that of the
    /// pursuit; lays out the situation.
    pub(super) fn request_of_team(
        &mut self,
        board: &Board,
        pursuit: &PursuitRecord,
        robber: AgentId,
    ) -> Option<PlanRequest> {
        let situation = &mut self.situation;
        if !situation.of_team(board, pursuit, &self.company, robber) {
            return None;
        }
        let mut urgency: Option<Urgency> = None;
        let mut made = u64::MAX;
        let apart = situation.turns_apart(board);
        for (&id, cop) in situation.ids.iter().zip(&situation.cops) {
            let agent = board.agent(id)?;
            if agent.setup.control != Control::Policy || agent.search.is_some() {
                continue;
            }
            let plan = &agent.plan;
            let own = urgency_of(board, agent, plan.is_usable(cop.at), situation.key, apart);
            // The more urgent one is the smaller one.
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
        Some(request(board, pursuit, urgency?, (made, apart), target))
    }

    /// Does a robber want a plan for its next move? The company is that of the pursuit; notes the
    /// number of its situation.
    pub(super) fn request_of_robber(
        &mut self,
        board: &Board,
        pursuit: &PursuitRecord,
        id: AgentId,
        cops_moved: bool,
    ) -> Option<PlanRequest> {
        self.situation.clear();
        let robber = board.agent(id)?;
        if robber.setup.control != Control::Policy || robber.caught.is_some() {
            return None;
        }
        let at = robber.next_vertex(&board.graph)?;
        let known = robber.setup.sight.is_none();
        let known = known.then(|| self.company.key_for_robber(board, at, cops_moved));
        let (key, apart) = if let Some(known) = known.flatten() {
            self.situation.key = known.0;
            known
        } else {
            let (situation, company) = (&mut self.situation, &self.company);
            let is_known = situation.of_robber(board, pursuit, company, id, cops_moved);
            if !is_known || situation.cops.is_empty() {
                return None;
            }
            (situation.key, situation.turns_apart(board))
        };
        let usable = robber.plan.is_usable(at);
        let urgency = urgency_of(board, robber, usable, key, apart)?;
        let made = robber.plan.made;
        Some(request(
            board,
            pursuit,
            urgency,
            (made, apart),
            PlanTarget::Robber(id),
        ))
    }
}

/// Does an agent that walks to a cell want a plan for it?
pub(super) fn request_to_walk(
    board: &Board,
    pursuit: &PursuitRecord,
    id: AgentId,
) -> Option<PlanRequest> {
    let agent = board.agent(id)?;
    let (at, to) = agent.ends_of_walk(&board.graph)?;
    if at == to || agent.knows_walk(at, board.graph.cell(to)) {
        return None;
    }
    // A player waits for it.
    let apart = match agent.setup.control {
        Control::WalkTo(_) => 0,
        _ => u32::MAX,
    };
    let made = agent.plan.made;
    Some(request(
        board,
        pursuit,
        Urgency::Must,
        (made, apart),
        PlanTarget::Walk(id),
    ))
}

fn urgency_of(
    board: &Board,
    agent: &AgentRecord,
    usable: bool,
    key: u64,
    apart: u32,
) -> Option<Urgency> {
    let plan = &agent.plan;
    let kept = ticks_kept(board, apart);
    let age = board.tick.saturating_sub(plan.made);
    if !usable || !plan.is_intact {
        return Some(Urgency::Must);
    }
    if plan.key == key {
        return None;
    }
    // Nobody follows an old plan for ever, however many have none.
    Some(match age {
        age if age > OVERDUE * kept => Urgency::Must,
        age if age > kept => Urgency::Should,
        _ => Urgency::Could,
    })
}

/// For how many ticks a plan is kept gladly by those whose enemy is so many turns away.
pub(in crate::world) fn ticks_kept(board: &Board, apart: u32) -> u64 {
    let turn = board.turn_length();
    if apart <= u32::from(board.settings.near_turns) {
        return turn;
    }
    let turns = (apart / 4).clamp(1, u32::from(board.settings.keep_turns.max(1)));
    u64::from(turns) * turn
}

fn request(
    board: &Board,
    pursuit: &PursuitRecord,
    urgency: Urgency,
    (made, apart): (u64, u32),
    target: PlanTarget,
) -> PlanRequest {
    let age = (board.tick.saturating_sub(made) / board.turn_length()).min(1 << 20) as u32;
    let due = match (urgency, board.clock(pursuit)) {
        (Urgency::Must, PursuitClock::Turns) => pursuit.ends,
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
    /// Is there nothing to go by, or is the enemy so near that an old plan will not do?
    pub(super) fn is_urgent(&self) -> bool {
        self.urgency < Urgency::Could || self.rank <= NEAR
    }

    pub(super) const fn target(&self) -> PlanTarget {
        self.target
    }

    /// The tick at which the target got a plan last.
    pub(super) const fn made(&self) -> u64 {
        self.made
    }
}
