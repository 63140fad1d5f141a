//! Where cops go that play alone, by tactics of their own.

use super::agent::AgentRecord;
use super::agent_id::AgentId;
use super::facts::Facts;
use super::pursuit::{PursuitIndex, PursuitRecord};
use super::tactics::{CopAim, OwnTactics, Tactics};
use crate::game::Side;
use crate::graph::Graph;
use crate::map::Cell;
use crate::search::least_steps;

/// The cops that surround a robber wait this many steps away from it, until all have taken their places.
const RING: i32 = 2;

/// The directions in which cops take places around a robber (`y` points down), in a circle.
const AROUND: [(i32, i32); 8] = [
    (1, 0),
    (1, 1),
    (0, 1),
    (-1, 1),
    (-1, 0),
    (-1, -1),
    (0, -1),
    (1, -1),
];

/// A cop that waits near a robber does not follow so many steps of it to and fro.
const TREMOR: u32 = 1;

/// A cop that keeps its distance waits for so many choices for a target that a wall hides.
const BLINKS: u8 = 3;

/// A cop goes on to a former goal while the new one is nearer to that than this part of the way there.
const DRIFT: u32 = 4;

/// A cop whose target it knows.
struct Hunter<'a> {
    id: AgentId,
    cop: &'a AgentRecord,
    own: OwnTactics,
    /// The ground of the cop.
    graph: &'a Graph,
    robber: AgentId,
    /// Where the robber is expected.
    target: Cell,
}

impl Facts {
    /// Finds out which cops play alone, after a change of tactics or of agents. Cost: some nanoseconds for each agent.
    pub(super) fn apply_tactics(&mut self) {
        if !std::mem::take(&mut self.members.has_new_tactics) {
            return;
        }
        let default = self.settings.tactics;
        let mut changed = Vec::new();
        for (id, agent) in self.members.iter() {
            let pursuit = self.members.pursuit(agent.pursuit_number());
            let of_all = pursuit.map_or(default, |pursuit| self.tactics(pursuit));
            let tactics = agent.setup.tactics.unwrap_or(of_all);
            let is_of_team = match tactics {
                Tactics::Intercept => true,
                Tactics::Chase => of_all == Tactics::Chase,
                _ => false,
            };
            let alone = (agent.side() == Side::Cops && !is_of_team).then_some(tactics);
            if alone != agent.own.map(|own| own.tactics) {
                changed.push((id, alone));
            }
        }
        for (id, alone) in changed {
            if let Some(agent) = self.members.get_mut(id) {
                agent.own = alone.map(OwnTactics::new);
                agent.plan.drop();
                agent.search = None;
                // What it has announced was of another game.
                agent.state.value = None;
            }
            self.members.ask_for_plans(id);
            self.members.note_other_game(id);
            self.events.mark_changed(id);
        }
    }

    /// Says for each cop of a pursuit that may move now where it heads for without a plan; and if it plays alone, what it
    /// does with its move.
    ///
    /// Cost: some nanoseconds for each cop, and for those that surround a robber, for each pair of them.
    pub(super) fn set_aims(&mut self, at: PursuitIndex) {
        for index in 0..self.members[at].cops.len() {
            let id = self.members[at].cops[index];
            let number = self.members[at].number;
            let is_due =
                |cop: &&AgentRecord| self.tick >= cop.arrives() && cop.pursuit_number() == number;
            let Some(cop) = self.agent(id).filter(is_due) else {
                continue;
            };
            let sought = self.sought_now(at, cop);
            let own = self.own_tactics_now(at, id, cop, sought);
            if let Some(cop) = self.members.get_mut(id) {
                cop.sought = sought;
                cop.own = own.or(cop.own);
            }
        }
    }

    /// Where a cop heads for without a plan: where it knows its robber to be.
    fn sought_now(&self, at: PursuitIndex, cop: &AgentRecord) -> Option<Cell> {
        let pursuit = &self.members[at];
        let robber = cop.target?;
        let sees_all = !self.cops_have_limited_sight(pursuit);
        let agent = self.agent(robber)?;
        let (cell, _) = self.known_robber(pursuit, sees_all, robber, agent)?;
        let cell = self.place_to_touch(cop, agent, cell);
        Some(steady(cop.setup.cell, cop.sought, cell))
    }

    /// The tactics of a cop that plays alone, with what it does by them.
    fn own_tactics_now(
        &self,
        at: PursuitIndex,
        id: AgentId,
        cop: &AgentRecord,
        sought: Option<Cell>,
    ) -> Option<OwnTactics> {
        let pursuit = &self.members[at];
        let own = cop.own.filter(|_| cop.is_free_to_choose())?;
        if self.is_unaware_of_target(pursuit, cop, own) {
            return None;
        }
        let hunter = self.hunter(pursuit, id, cop, own);
        let Some((hunter, sought)) = hunter.zip(sought) else {
            return Some(OwnTactics { aim: None, ..own });
        };
        let keeps_away = hunter.keeps_away();
        let aim = if keeps_away {
            CopAim::Away
        } else {
            self.aim(pursuit, &hunter, sought)
        };
        let here = cop.setup.cell;
        Some(OwnTactics {
            aim: Some(hunter.steady(aim)),
            keeps_away,
            hidden_for: if self.graph.sees(here, hunter.target, None) {
                0
            } else {
                own.hidden_for.saturating_add(1)
            },
            ..hunter.own
        })
    }

    fn hunter<'a>(
        &'a self,
        pursuit: &PursuitRecord,
        id: AgentId,
        cop: &'a AgentRecord,
        own: OwnTactics,
    ) -> Option<Hunter<'a>> {
        let robber = cop.target.filter(|_| cop.search.is_none())?;
        let agent = self.agent(robber)?;
        let sees_all = !self.cops_have_limited_sight(pursuit);
        let (target, is_seen) = self.known_robber(pursuit, sees_all, robber, agent)?;
        let target = self.place_to_touch(cop, agent, target);
        let heading = if is_seen {
            let from = match agent.way() {
                [] => agent.origin(),
                _ => agent.setup.cell,
            };
            between(from, target)
        } else {
            (0, 0)
        };
        let own = own.with_heading(heading);
        Some(Hunter {
            id,
            cop,
            own,
            graph: self.graph_of(cop),
            robber,
            target,
        })
    }

    /// Where a cop goes that heads for `sought`.
    fn aim(&self, pursuit: &PursuitRecord, hunter: &Hunter<'_>, sought: Cell) -> CopAim {
        match hunter.own.tactics {
            Tactics::Intercept | Tactics::Chase => CopAim::To(sought),
            Tactics::Shy(steps) => hunter.stalk(steps),
            Tactics::Ahead(steps) => CopAim::To(hunter.ahead(steps)),
            Tactics::Flank => CopAim::To(self.flank(pursuit, hunter, sought)),
            Tactics::Keep(steps) => self.keep(hunter, steps),
            Tactics::Surround => CopAim::To(self.place_around(pursuit, hunter, sought)),
            Tactics::Custom => CopAim::To(hunter.cop.setup.heads_for.unwrap_or(sought)),
        }
    }

    /// The cell on the other side of the robber than the nearest other cop.
    fn flank(&self, pursuit: &PursuitRecord, hunter: &Hunter<'_>, target: Cell) -> Cell {
        let others = self.agents(&pursuit.cops);
        let others =
            others.filter(|&(id, cop)| id != hunter.id && self.graph.is_on_map(cop.setup.cell));
        let nearest = others
            .map(|(id, cop)| (cop.setup.cell.squared_distance(target), id, cop.setup.cell))
            .min();
        let Some((_, _, other)) = nearest else {
            return target;
        };
        let (dx, dy) = between(other, target);
        let (x, y) = between(target, hunter.cop.setup.cell);
        // From within an eighth of a turn of the far side, it goes for the robber.
        let [across, down, x, y] = [dx, dy, x, y].map(i64::from);
        let (along_line, off_line) = (x * across + y * down, (x * down - y * across).abs());
        if along_line > 0 && along_line >= off_line {
            target
        } else {
            along(hunter.graph, target, (dx, dy))
        }
    }

    /// Approaches until the robber is near enough and in sight, and backs off from one that is nearer.
    fn keep(&self, hunter: &Hunter<'_>, steps: u8) -> CopAim {
        let (here, target) = (hunter.cop.setup.cell, hunter.target);
        let apart = least_steps(hunter.graph, here, target);
        let stays = hunter.own.aim == Some(CopAim::Stay);
        let steps = u32::from(steps);
        if !self.graph.sees(here, target, None) {
            // The target may come back into sight at once.
            let has_arrived = matches!(hunter.own.aim, Some(CopAim::Stay | CopAim::Away));
            return if has_arrived && hunter.own.hidden_for < BLINKS {
                CopAim::Stay
            } else {
                CopAim::To(target)
            };
        }
        if apart + TREMOR < steps {
            CopAim::Away
        } else if apart <= steps + if stays { TREMOR } else { 0 } {
            CopAim::Stay
        } else {
            CopAim::To(target)
        }
    }

    /// The place of a cop around its robber. Each place goes to the nearest cop that has none, in the order of the places.
    fn place_around(&self, pursuit: &PursuitRecord, hunter: &Hunter<'_>, target: Cell) -> Cell {
        let is_one = |cop: &AgentRecord| {
            let tactics = cop.own.map(|own| own.tactics);
            tactics == Some(Tactics::Surround) && cop.target == Some(hunter.robber)
        };
        let cops = self.agents(&pursuit.cops).filter(|(_, cop)| is_one(cop));
        let mut cops: Vec<(AgentId, Cell)> = cops.map(|(id, cop)| (id, cop.setup.cell)).collect();
        let is_there = |&(_, cell): &(AgentId, Cell)| cell.max_norm(target) <= RING as u32;
        if cops.len() == 1 || cops.iter().all(is_there) {
            return target;
        }
        let all = cops.len().min(AROUND.len());
        for place in 0..all {
            let (dx, dy) = AROUND[place * AROUND.len() / all];
            let cell = along(hunter.graph, target, (dx * RING, dy * RING));
            let nearest = (0..cops.len())
                .min_by_key(|&index| (cops[index].1.squared_distance(cell), cops[index].0));
            let Some(nearest) = nearest else {
                break;
            };
            if cops.swap_remove(nearest).0 == hunter.id {
                return cell;
            }
        }
        target
    }
}

impl Hunter<'_> {
    /// Whether it runs away from its target.
    fn keeps_away(&self) -> bool {
        let Tactics::Shy(steps) = self.own.tactics else {
            return false;
        };
        let least = if self.own.keeps_away {
            2 * u32::from(steps)
        } else {
            u32::from(steps) + 1
        };
        least_steps(self.graph, self.cop.setup.cell, self.target) < least
    }

    /// Approaches until the robber is as near as it may come.
    fn stalk(&self, steps: u8) -> CopAim {
        let apart = least_steps(self.graph, self.cop.setup.cell, self.target);
        let spare = if self.own.aim == Some(CopAim::Stay) {
            1 + 2 * TREMOR
        } else {
            1 + TREMOR
        };
        if apart > u32::from(steps) + spare {
            CopAim::To(self.target)
        } else {
            CopAim::Stay
        }
    }

    /// The cell some steps in front of the robber; the robber's own if the cop is as near.
    fn ahead(&self, steps: u8) -> Cell {
        let (dx, dy) = self.own.heading.unwrap_or_default();
        let is_close = self.cop.setup.cell.max_norm(self.target) <= u32::from(steps);
        let length = dx.abs().max(dy.abs());
        if is_close || length == 0 {
            return self.target;
        }
        let steps = i32::from(steps);
        let far = (dx * steps / length, dy * steps / length);
        along(self.graph, self.target, far)
    }

    /// An aim that does not change with each step of a robber that is far away, so that a plan can be followed for longer.
    fn steady(&self, aim: CopAim) -> CopAim {
        let (CopAim::To(goal), Some(before)) = (aim, self.own.goal()) else {
            return aim;
        };
        // Each place around a robber is for one cop, and the game knows where it wants its cops.
        if matches!(self.own.tactics, Tactics::Surround | Tactics::Custom) {
            return aim;
        }
        let goal = steady(self.cop.setup.cell, Some(before), goal);
        if self.graph.is_passable(goal) {
            CopAim::To(goal)
        } else {
            aim
        }
    }
}

/// A goal that does not change with each step of a robber that is far away: the one before, as long as that is near the new
/// one.
fn steady(here: Cell, before: Option<Cell>, goal: Cell) -> Cell {
    let is_near = |before: &Cell| {
        let (moved, far) = (goal.max_norm(*before), before.max_norm(here));
        moved * DRIFT <= far || moved <= TREMOR && far > TREMOR
    };
    before.filter(is_near).unwrap_or(goal)
}

/// The columns and rows from one cell to another.
fn between(from: Cell, to: Cell) -> (i32, i32) {
    (
        i32::from(to.x) - i32::from(from.x),
        i32::from(to.y) - i32::from(from.y),
    )
}

/// The last passable cell on the straight line from a cell, up to a wall.
fn along(graph: &Graph, from: Cell, by: (i32, i32)) -> Cell {
    let (dx, dy) = by;
    let length = dx.abs().max(dy.abs());
    let mut last = from;
    for step in 1..=length {
        let part = |all: i32| {
            let [all, step, length] = [all, step, length].map(i64::from);
            (2 * all * step + length * all.signum()) / (2 * length)
        };
        // No part is longer than the whole.
        let next = from.offset(part(dx) as i32, part(dy) as i32);
        match next.filter(|&next| graph.is_passable(next)) {
            Some(next) => last = next,
            None => break,
        }
    }
    last
}
