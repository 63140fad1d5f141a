//! Who wants a plan, and in which order.

use super::agent::{Agent, Control};
use super::budget::Meter;
use super::planner::Unit;
use super::settings::Clock;
use super::view::Position;
use super::{AgentId, Pursuit, PursuitWorld};

/// Of enemies so many turns apart, by the age of their plan, each move wants a plan of its own.
const NEAR: u32 = 8 * 16;

/// A plan that is so many times as old as it is kept gladly is as good as none.
const OVERDUE: u64 = 4;

/// How much a unit wants a plan, most first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Need {
    /// Somebody of it has none to go by.
    Must,
    /// It is old.
    Should,
    /// It was made for another position.
    Could,
}

/// A unit that wants a plan. Orders by who gets one first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Wish {
    need: Need,
    /// Turns between the enemies, divided by the age of the plan in turns: the near ones first, and
    /// everybody in the end.
    rank: u32,
    /// The tick by which it is wanted, for those who have to have one.
    due: u64,
    unit: Unit,
    /// The tick at which it got a plan last.
    made: u64,
}

/// The first of so many plans in a row is for whoever has waited longest: everybody gets one in the
/// end, however many are nearer.
const PATIENT: u64 = 4;

impl PursuitWorld {
    /// Spends what is left of the budget on plans for turns to come.
    pub(super) fn plan_ahead(&mut self, meter: &mut dyn Meter) {
        if !self.finish_job(meter) {
            return;
        }
        let mut wishes = std::mem::take(&mut self.scratch.wishes);
        wishes.clear();
        let mut position = std::mem::take(&mut self.scratch.position);
        for at in 0..self.pursuits.len() {
            let pursuit = &self.pursuits[at];
            if pursuit.is_settled {
                continue;
            }
            let before = wishes.len();
            self.wishes_of(pursuit, &mut position, &mut wishes);
            let in_turns = self.clock(pursuit) == Clock::Turns;
            self.pursuits[at].is_settled = in_turns && wishes.len() == before;
        }
        self.scratch.position = position;
        wishes.sort_unstable();
        let mut next = 0;
        while next < wishes.len() {
            if self.planner.begun.is_multiple_of(PATIENT) {
                let waiting = (next..wishes.len()).min_by_key(|&index| wishes[index].made);
                // The others stay in their order.
                wishes[next..=waiting.unwrap_or(next)].rotate_right(1);
            }
            if !self.plan(wishes[next].unit, false, meter) {
                break;
            }
            next += 1;
        }
        self.report.waiting = (wishes.len() - next) as u32;
        self.scratch.wishes = wishes;
    }

    fn wishes_of(&self, pursuit: &Pursuit, position: &mut Position, wishes: &mut Vec<Wish>) {
        if pursuit.is_exact() || pursuit.cops.is_empty() {
            return;
        }
        for &robber in &pursuit.robbers {
            if !pursuit.cops_by_table {
                wishes.extend(self.wish_of_team(pursuit, robber, position));
            }
            if !pursuit.robber_by_table {
                wishes.extend(self.wish_of_robber(pursuit, robber, false, position));
            }
        }
        for &id in pursuit.cops.iter().chain(&pursuit.robbers) {
            wishes.extend(self.wish_to_walk(pursuit, id));
        }
    }

    /// Does the team that goes for a robber want a plan for its next move?
    pub(super) fn wish_of_team(
        &self,
        pursuit: &Pursuit,
        robber: AgentId,
        position: &mut Position,
    ) -> Option<Wish> {
        self.view_for_cops(pursuit, robber, position)?;
        let mut need: Option<Need> = None;
        let mut made = u64::MAX;
        let apart = self.turns_apart(position);
        for (&id, cop) in position.ids.iter().zip(&position.cops) {
            let agent = self.roster.get(id)?;
            if agent.setup.control != Control::Policy || agent.search.is_some() {
                continue;
            }
            let plan = &agent.plan;
            let own = self.need_of(agent, plan.is_usable(cop.at), position.key, apart);
            // The more urgent one is the smaller one.
            need = match (need, own) {
                (Some(need), Some(own)) => Some(need.min(own)),
                (need, own) => need.or(own),
            };
            made = made.min(plan.made);
        }
        let unit = Unit::Team {
            pursuit: pursuit.number,
            robber,
        };
        Some(self.wish(pursuit, need?, made, apart, unit))
    }

    /// A plan that was made for the very position is as good as a new one.
    pub(super) fn confirm_plans(&mut self, position: &Position) {
        for &id in &position.ids {
            if let Some(cop) = self.roster.get_mut(id) {
                cop.plan.confirm(position.key, self.tick);
            }
        }
    }

    /// Does a robber want a plan for its next move?
    pub(super) fn wish_of_robber(
        &self,
        pursuit: &Pursuit,
        id: AgentId,
        cops_moved: bool,
        position: &mut Position,
    ) -> Option<Wish> {
        let robber = self.roster.get(id)?;
        if robber.setup.control != Control::Policy || robber.caught.is_some() {
            return None;
        }
        self.view_for_robber(pursuit, id, cops_moved, position)?;
        let at = position.robber?.at;
        let apart = self.turns_apart(position);
        if position.cops.is_empty() {
            return None;
        }
        let usable = robber.plan.is_usable(at);
        let need = self.need_of(robber, usable, position.key, apart)?;
        let made = robber.plan.made;
        Some(self.wish(pursuit, need, made, apart, Unit::Robber(id)))
    }

    fn wish_to_walk(&self, pursuit: &Pursuit, id: AgentId) -> Option<Wish> {
        let agent = self.roster.get(id)?;
        let (at, to) = self.ends_of_walk(agent)?;
        if at == to || agent.knows_walk(at, self.graph.cell(to)) {
            return None;
        }
        // A player waits for it.
        let apart = match agent.setup.control {
            Control::WalkTo(_) => 0,
            _ => u32::MAX,
        };
        let made = agent.plan.made;
        Some(self.wish(pursuit, Need::Must, made, apart, Unit::Walk(id)))
    }

    fn need_of(&self, agent: &Agent, usable: bool, key: u64, apart: u32) -> Option<Need> {
        let plan = &agent.plan;
        let kept = self.ticks_kept(apart);
        let age = self.tick.saturating_sub(plan.made);
        if !usable || !plan.is_intact {
            return Some(Need::Must);
        }
        if plan.key == key {
            return None;
        }
        // Nobody follows an old plan for ever, however many have none.
        Some(match age {
            age if age > OVERDUE * kept => Need::Must,
            age if age > kept => Need::Should,
            _ => Need::Could,
        })
    }

    /// For how many ticks a plan is kept gladly.
    fn ticks_kept(&self, apart: u32) -> u64 {
        let turn = u64::from(self.settings.ticks_per_turn.max(1));
        if apart <= u32::from(self.settings.near_turns) {
            return turn;
        }
        let turns = (apart / 4).clamp(1, u32::from(self.settings.keep_turns.max(1)));
        u64::from(turns) * turn
    }

    fn wish(&self, pursuit: &Pursuit, need: Need, made: u64, apart: u32, unit: Unit) -> Wish {
        let turn = u64::from(self.settings.ticks_per_turn.max(1));
        let age = (self.tick.saturating_sub(made) / turn).min(1 << 20) as u32;
        let due = match (need, self.clock(pursuit)) {
            (Need::Must, Clock::Turns) => pursuit.ends,
            _ => 0,
        };
        Wish {
            need,
            rank: apart.min(1 << 12) * 16 / (1 + age),
            due,
            unit,
            made,
        }
    }
}

impl Wish {
    /// Is there nothing to go by, or is the enemy so near that an old plan will not do?
    pub(super) fn is_urgent(&self) -> bool {
        self.need < Need::Could || self.rank <= NEAR
    }

    pub(super) const fn unit(&self) -> Unit {
        self.unit
    }
}
