//! Which robbers a cop may chase, and when it gives one up.

use super::agent::{AgentRecord, Control};
use super::agent_id::AgentId;
use super::duty::{GiveUp, GivenUp};
use super::event::WorldEvent;
use super::facts::Facts;
use super::orders::MoveTime;
use super::pursuit::{PursuitIndex, PursuitRecord};
use crate::game::Side;
use crate::graph::Vertex;
use crate::map::Cell;
use crate::search::AStar;
use std::mem;

/// For this number of turns, a cop does not chase a robber that it has given up.
const FORGOTTEN_TURNS: u64 = 8;

/// The most robbers that a cop remembers to have given up. Others have given it more to do since.
const MOST_GIVEN_UP: usize = 16;

/// What the leash of a cop leaves of its move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OnLeash {
    /// The whole move.
    Whole,
    /// The first steps, or others within the leash.
    Shortened,
    /// Nothing: the cop gives up its robber.
    Nothing,
}

impl AgentRecord {
    /// Returns whether there are robbers in its pursuit that it may not chase.
    fn has_limits(&self) -> bool {
        let routine = &self.routine;
        routine.duty.is_some()
            || self.setup.leash.is_some()
            || !routine.given_up.is_empty()
            || self.setup.control == Control::Duty
    }

    /// Returns whether it may be asked for another target in the middle of a move. A cop with a duty decides when it arrives.
    pub(super) fn takes_targets_at(&self, tick: u64) -> bool {
        tick >= self.arrives() || !self.has_limits()
    }
}

impl Facts {
    /// Lets each cop that may move now give up a robber that it has lost patience with. Finds the cells that leashes reach
    /// whose cops have robbers near.
    ///
    /// Cost: some nanoseconds for each cop, for one with a leash and each robber; and for leashes that of
    /// [`Territories`](super::territory::Territories).
    pub(super) fn update_limits(&mut self, at: PursuitIndex) {
        let pursuit = &self.members[at];
        let is_limited = |cop: &AgentRecord| cop.setup.leash.is_some() || cop.setup.patience > 0;
        if !self.agents(&pursuit.cops).any(|(_, cop)| is_limited(cop)) {
            return;
        }
        let sees_all = !self.cops_have_limited_sight(pursuit);
        let robbers = self.agents(&pursuit.robbers);
        let robbers = robbers.filter(|(_, robber)| robber.caught.is_none());
        let near = robbers.filter_map(|(id, robber)| {
            let (cell, _) = self.known_robber(pursuit, sees_all, id, robber)?;
            Some((cell, u32::from(robber.setup.speed.steps())))
        });
        let near: Vec<(Cell, u32)> = near.collect();
        let mut territories = mem::take(&mut self.territories);
        for index in 0..self.members[at].cops.len() {
            let id = self.members[at].cops[index];
            let Some(cop) = self.agent(id) else {
                continue;
            };
            let patience = cop.setup.patience;
            let is_due = self.tick >= cop.arrives();
            if let Some(leash) = cop.setup.leash {
                let ground = self.ground_of(cop);
                let graph = self.graph_on(ground);
                let mut near = near.iter();
                if cop.target.is_some()
                    || near.any(|&(cell, moves)| leash.may_reach(graph, cell, moves))
                {
                    territories.prepare(graph, leash, ground, self.tick);
                }
            }
            if patience > 0 && is_due {
                self.lose_patience(at, id, sees_all);
            }
        }
        self.territories = territories;
    }

    /// Gives up the robber that a cop has had no prospect of capturing for too long.
    fn lose_patience(&mut self, at: PursuitIndex, id: AgentId, sees_all: bool) {
        let pursuit = &self.members[at];
        let is_free =
            |cop: &&AgentRecord| cop.is_free_to_choose() && cop.pursuit_number() == pursuit.number;
        let Some(cop) = self.agent(id).filter(is_free) else {
            return;
        };
        let target = cop
            .target
            .and_then(|robber| Some((robber, self.agent(robber)?)));
        let Some((robber, record)) = target.filter(|(_, robber)| robber.caught.is_none()) else {
            return;
        };
        let known = self.known_robber(pursuit, sees_all, robber, record);
        let is_seen = known.is_some_and(|(_, seen)| seen);
        let reaches = known.and_then(|(cell, _)| self.reaches(cop, cell));
        // While the abstraction is repaired, it is unknown whether a path has opened or closed.
        let is_held = is_seen && reaches == Some(true);
        let is_lost = !is_seen || reaches == Some(false);
        let most = u64::from(cop.setup.patience) * self.turn_length();
        let is_over = self.tick.saturating_sub(cop.routine.held_at) >= most;
        if is_held {
            let tick = self.tick;
            if let Some(cop) = self.members.get_mut(id) {
                cop.routine.held_at = tick;
            }
        } else if is_lost && is_over {
            self.give_up(
                id,
                if reaches == Some(false) {
                    GiveUp::Unreachable
                } else {
                    GiveUp::Unseen
                },
            );
        }
    }

    /// Returns whether a path leads a cop to a cell; `None` while that is unknown.
    fn reaches(&self, cop: &AgentRecord, cell: Cell) -> Option<bool> {
        let ground = self.ground_of(cop);
        let (graph, hierarchy) = (self.graph_on(ground), self.hierarchy_on(ground)?);
        let from = graph.vertex(cop.setup.cell)?;
        let to = graph.vertex(cell);
        Some(to.is_some_and(|to| hierarchy.connected(from, to)))
    }

    /// Lets a cop give up its robber, and tells the game. It stops in its plan, but finishes its move.
    pub(super) fn give_up(&mut self, id: AgentId, because: GiveUp) {
        let tick = self.tick;
        let until = tick + FORGOTTEN_TURNS * self.turn_length();
        let Some(cop) = self.members.get_mut(id) else {
            return;
        };
        let Some(robber) = cop.target.take() else {
            return;
        };
        cop.search = None;
        cop.plan.drop();
        let given_up = &mut cop.routine.given_up;
        given_up.retain(|given| given.robber != robber);
        if given_up.len() >= MOST_GIVEN_UP {
            given_up.remove(0);
        }
        given_up.push(GivenUp {
            robber,
            because,
            tick,
            until,
        });
        self.events.mark_changed(id);
        self.events.send(WorldEvent::GaveUp {
            id,
            robber,
            because,
        });
        self.members.note_other_game(id);
    }

    /// Returns whether a cop may chase a robber. A cop with a duty or a leash does not set out in search of one that nobody
    /// has seen, or that is not where it was seen.
    pub(super) fn may_chase(
        &self,
        pursuit: &PursuitRecord,
        sees_all: bool,
        cop: &AgentRecord,
        robber: AgentId,
    ) -> bool {
        if !cop.has_limits() {
            return true;
        }
        let Some(record) = self
            .agent(robber)
            .filter(|_| cop.setup.control != Control::Duty)
        else {
            return false;
        };
        // Who has begun a chase follows to the end of the leash.
        if cop.target == Some(robber) {
            return true;
        }
        let known = self.known_robber(pursuit, sees_all, robber, record);
        let last = pursuit.cops_know.get(robber.key()).filter(|_| !sees_all);
        let seen = known.map(|(cell, is_seen)| {
            let at = last
                .filter(|_| !is_seen)
                .map_or(self.tick, |last| last.tick);
            (cell, at)
        });
        if self.is_given_up(cop, robber, seen) {
            return false;
        }
        if cop.routine.duty.is_none() && cop.setup.leash.is_none() {
            return true;
        }
        let is_trail = last.is_none_or(|last| last.sees_now || !last.checked);
        let contains = |cell| {
            let (Some(leash), ground) = (cop.setup.leash, self.ground_of(cop)) else {
                return true;
            };
            let graph = self.graph_on(ground);
            let ends = [cop.setup.cell, cell];
            let may_be = ends.iter().all(|&at| leash.may_reach(graph, at, 0));
            let territory = may_be.then(|| self.territories.find(graph, leash, ground));
            territory.is_some_and(|all| ends.iter().all(|&at| all.contains(at)))
        };
        is_trail && known.is_some_and(|(cell, _)| contains(cell))
    }

    /// Returns whether a cop still has given up a robber, which was seen on a cell at a tick.
    fn is_given_up(&self, cop: &AgentRecord, robber: AgentId, seen: Option<(Cell, u64)>) -> bool {
        let mut given_up = cop.routine.given_up.iter();
        let Some(given) = given_up.find(|given| given.robber == robber) else {
            return false;
        };
        let is_back = match given.because {
            GiveUp::Leash => true,
            GiveUp::Unreachable => {
                seen.is_some_and(|(cell, _)| self.reaches(cop, cell) == Some(true))
            }
            GiveUp::Unseen => seen.is_some_and(|(_, tick)| tick > given.tick),
        };
        self.tick < given.until || !is_back
    }

    /// Forgets the cells that leashes reached on former maps. Call it before edits.
    pub(super) fn forget_former_territories(&mut self) {
        let mut territories = mem::take(&mut self.territories);
        territories.forget_former(|ground| self.graph_on(ground));
        self.territories = territories;
    }

    /// Keeps the cells that leashes reach where no edit of this tick has changed anything.
    pub(super) fn follow_edits_in_territories(&mut self) {
        let mut territories = mem::take(&mut self.territories);
        territories.follow(&self.changed, |ground| self.graph_on(ground));
        self.territories = territories;
    }

    /// Returns whether a cop of a pursuit has a leash. Its game is none that tables and proofs know.
    pub(super) fn has_leashes(&self, pursuit: &PursuitRecord) -> bool {
        let mut cops = self.agents(&pursuit.cops);
        cops.any(|(_, cop)| cop.setup.leash.is_some())
    }

    /// Ends the move of a cop where its leash ends. If nothing is left of it, the cop gives up. But a cop whose robber is
    /// within the leash goes there by a path within, if its plan leads beyond or there is no plan. `robber`: the cell where
    /// the cop knows it to be.
    ///
    /// Cost: nothing without a leash, some nanoseconds for each step of the plan, and A* within the leash for another path.
    /// `search`: reused memory, which counts the work.
    pub(super) fn keep_on_leash(
        &self,
        cop: &AgentRecord,
        stint: MoveTime,
        robber: Option<Cell>,
        search: &mut AStar,
        way: &mut Vec<Vertex>,
    ) -> OnLeash {
        let leash = match cop.setup.leash {
            Some(leash) if cop.side() == Side::Cops => leash,
            _ => return OnLeash::Whole,
        };
        let ground = self.ground_of(cop);
        let graph = self.graph_on(ground);
        let territory = self.territories.find(graph, leash, ground);
        let here = cop.setup.cell;
        let is_cut = territory.cut(graph, way);
        // Who keeps away from its robber does not need a path to it.
        let approaches = cop.own.is_none_or(|own| own.captures());
        let inside = robber.filter(|&robber| territory.contains(robber) && approaches);
        if let Some(robber) = inside {
            let plan = graph.vertex(here).and_then(|from| cop.plan.rest(from));
            let is_within = |&at: &Vertex| territory.contains(graph.cell(at));
            let is_plan_within = || plan.is_some_and(|plan| plan.iter().all(is_within));
            let is_good = !is_cut && (cop.own.is_some() || is_plan_within());
            if !is_good {
                // Not only for this move: the next one would lead back.
                territory.walk(graph, [here, robber], stint.speed, search, way);
                return OnLeash::Shortened;
            }
        }
        match (is_cut, way.is_empty()) {
            (false, _) => OnLeash::Whole,
            (true, false) => OnLeash::Shortened,
            (true, true) => OnLeash::Nothing,
        }
    }
}
