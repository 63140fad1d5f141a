//! The moves that the game orders: a player's direction, an errand, a duty, or none.

use super::agent::{AgentRecord, Control, Errand};
use super::agent_id::AgentId;
use super::facts::Facts;
use super::moves;
use super::orders::{MoveTime, Order};
use super::pursuit::PursuitRecord;
use super::settings::PursuitClock;
use super::state::{Activity, DecidedBy, Reason};
use crate::game::{Side, Speed};
use crate::graph::Vertex;
use crate::map::Cell;

impl Facts {
    /// Writes the move that the game orders for an agent into `way`; `None` if its policy decides.
    /// `cells` is reused memory.
    pub(super) fn game_order(
        &self,
        pursuit: &PursuitRecord,
        id: AgentId,
        agent: &AgentRecord,
        cells: &mut Vec<Cell>,
        way: &mut Vec<Vertex>,
    ) -> Option<Order> {
        way.clear();
        let stint = self.move_time(pursuit, agent);
        let mut order = Order {
            id,
            by: DecidedBy::Game,
            activity: Activity::Controlled,
            value: None,
            why: Reason::None,
            planned: 0,
            arrives: stint.arrives,
            errand: None,
            gives_up: false,
        };
        if !agent.ordered().is_empty() {
            self.cells_of_opponents(pursuit, agent, cells);
            if self.is_capture(pursuit, agent, cells) {
                return Some(order);
            }
            self.follow_order(agent, stint, cells, way);
            if !way.is_empty() {
                return Some(order);
            }
            // A wall blocks the way: the order ends.
        }
        match agent.setup.control {
            Control::Policy if !agent.is_on_duty() => return None,
            Control::Policy | Control::Duty => {
                self.cells_of_opponents(pursuit, agent, cells);
                self.do_duty(agent, stint, cells, &mut order, way);
                if self.is_capture(pursuit, agent, cells) {
                    order.planned = 0;
                    way.clear();
                }
            }
            Control::External => {}
            Control::Steer { dx, dy } => {
                self.cells_of_opponents(pursuit, agent, cells);
                if !self.is_capture(pursuit, agent, cells) {
                    let from = agent.setup.cell;
                    let graph = self.graph_of(agent);
                    moves::steer(graph, from, stint.speed, dx, dy, cells, way);
                }
            }
            Control::WalkTo(goal) => {
                self.cells_of_opponents(pursuit, agent, cells);
                let errand = self.errand(agent, goal, agent.errand);
                order.errand = Some(errand);
                order.activity = Activity::by_errand(errand);
                if errand == Errand::NoWay {
                    order.why = Reason::NoWay;
                }
                if !self.is_capture(pursuit, agent, cells) {
                    order.planned = self.walk(agent, goal, stint.speed, cells, way);
                }
            }
        }
        Some(order)
    }

    /// Writes the next steps of the path that the game has ordered into `way`, up to a wall or the first opponent's cell.
    fn follow_order(
        &self,
        agent: &AgentRecord,
        stint: MoveTime,
        opponents: &[Cell],
        way: &mut Vec<Vertex>,
    ) {
        let most = usize::from(stint.speed.steps());
        let steps = &agent.ordered()[..most.min(agent.ordered().len())];
        let open = self.open_steps(agent, steps);
        way.extend_from_slice(&steps[..open]);
        self.stop_at_opponent(opponents, way);
    }

    /// Ends a path at the first opponent that it leads onto: a capture happens there.
    fn stop_at_opponent(&self, opponents: &[Cell], way: &mut Vec<Vertex>) {
        let meets = |&at: &Vertex| opponents.contains(&self.graph.cell(at));
        if let Some(met) = way.iter().position(meets) {
            way.truncate(met + 1);
        }
    }

    /// Collects the cells on which an agent touches its free opponents where they will be, as far as its move can reach. When a robber decides,
    /// the cops have already set out, and the robber knows where they go. None if both sides choose simultaneously: nobody
    /// has set out, and whoever comes past an opponent meets it.
    fn cells_of_opponents(
        &self,
        pursuit: &PursuitRecord,
        agent: &AgentRecord,
        cells: &mut Vec<Cell>,
    ) {
        let opponents = match agent.side() {
            Side::Cops => &pursuit.robbers,
            Side::Robber => &pursuit.cops,
        };
        let opponents = self.agents(opponents);
        let is_simultaneous = self.is_simultaneous(pursuit);
        let free = opponents.filter(|(_, opponent)| opponent.caught.is_none() && !is_simultaneous);
        cells.clear();
        let reach = u32::from(agent.setup.speed.steps());
        let is_near =
            |cell: &Cell| self.graph.has_links() || cell.max_norm(agent.setup.cell) <= reach;
        cells.extend(
            free.flat_map(|(_, opponent)| {
                agent.places_touching(opponent, self.next_cell(opponent))
            })
            .filter(is_near),
        );
    }

    /// Returns whether an opponent ends its move on the agent's cell. On the `Turns` clock that is a
    /// capture; on the other clocks the agent may still get away.
    fn is_capture(&self, pursuit: &PursuitRecord, agent: &AgentRecord, opponents: &[Cell]) -> bool {
        self.clock(pursuit) == PursuitClock::Turns && opponents.contains(&agent.setup.cell)
    }

    /// The progress of an agent's errand. `before`: what was known.
    pub(super) fn errand(&self, agent: &AgentRecord, goal: Cell, before: Errand) -> Errand {
        let cell = agent.setup.cell;
        if cell == goal {
            return Errand::Arrived;
        }
        let graph = self.graph_of(agent);
        let hierarchy = self.hierarchy_on(self.ground_of(agent));
        let Some(to) = graph.vertex(goal) else {
            return Errand::NoWay;
        };
        // Until the abstraction is repaired, it is unknown whether a path has opened.
        if before == Errand::NoWay && hierarchy.is_none() {
            return Errand::NoWay;
        }
        let from = graph.vertex(cell);
        let falls_short = from.is_some_and(|from| {
            let is_apart = hierarchy.is_some_and(|all| !all.connected(from, to));
            is_apart || agent.has_plan_to(from, goal) && agent.plan.falls_short
        });
        let is_stuck = from.is_none() && moves::exits(graph, cell).next().is_none();
        if falls_short || is_stuck {
            return Errand::NoWay;
        }
        Errand::Walking
    }

    /// Writes the next steps of an errand into `way`, up to the first opponent's cell, and returns how
    /// many of them follow the plan. Without a plan, the agent heads straight for its goal if no wall is between them,
    /// and while the abstraction is under repair, since no plan can come then. Otherwise it waits: a plan begins where the agent was when the search began, and a step towards the goal may be
    /// one back into a dead end.
    pub(super) fn walk(
        &self,
        agent: &AgentRecord,
        goal: Cell,
        speed: Speed,
        opponents: &[Cell],
        way: &mut Vec<Vertex>,
    ) -> usize {
        let cell = agent.setup.cell;
        if cell == goal {
            return 0;
        }
        let graph = self.graph_of(agent);
        let Some(from) = graph.vertex(cell) else {
            way.extend(moves::step_out(graph, cell, &[goal], false));
            return 0;
        };
        let is_known = agent.has_plan_to(from, goal);
        if is_known {
            let rest = agent.plan.rest(from).unwrap_or_default();
            let steps = &rest[..rest.len().min(speed.steps().into())];
            if self.open_steps(agent, steps) == steps.len() {
                way.extend_from_slice(steps);
            }
        } else if graph.vertex(goal).is_some()
            && (self.hierarchy_on(self.ground_of(agent)).is_none()
                || graph.is_straight_way(cell, goal))
        {
            moves::step_towards(graph, from, goal, speed, way);
        }
        self.stop_at_opponent(opponents, way);
        if is_known { way.len() } else { 0 }
    }
}
