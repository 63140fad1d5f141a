//! [`PursuitWorld`]: one live map and everything that decides on it.

mod sightings;

pub use sightings::{Sighting, Sightings, search_goal, search_radius};

use crate::game::{Agent, Outcome, Side, Speed, State, Turns, Value};
use crate::graph::{Graph, GraphDelta, TileEdit, Vertex};
use crate::map::{Cell, Moves, TileMap};
use crate::policy::cop::{Chaser, Interceptor, approach};
use crate::policy::robber::TrailMaxRobber;
use crate::policy::{CopPolicy, Decision, Ground, RobberPolicy, Source};
use crate::search::{Distances, shortest_path};
use std::cmp::Reverse;

/// An agent as the game sees it: on a cell, which need not be passable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Body {
    /// Where it stands.
    pub cell: Cell,
    /// Steps a turn.
    pub speed: Speed,
}

/// How cops of one robber go about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CopTactics {
    /// They cut it off: [`Interceptor`].
    #[default]
    Intercept,
    /// They run after it, all by shortest paths: [`Chaser`].
    Chase,
}

/// One live map and everything that decides on it.
///
/// Edits change the truth at once ([`apply`](Self::apply)); every decision is legal on the map as
/// it is at that moment. Agents that stand in a wall, because it was built over them, step out to
/// a free cell beside them (robbers away from cops, cops towards robbers) or wait; nobody ever
/// enters a wall.
#[derive(Debug, Clone)]
pub struct PursuitWorld {
    graph: Graph,
    robber: TrailMaxRobber,
    interceptor: Interceptor,
    chaser: Chaser,
    distances: Distances,
}

impl PursuitWorld {
    /// A world on a map. Linear in the number of cells.
    #[must_use]
    pub fn new(map: &TileMap, moves: Moves) -> Self {
        Self {
            graph: Graph::new(map, moves),
            robber: TrailMaxRobber::default(),
            interceptor: Interceptor::default(),
            chaser: Chaser::default(),
            distances: Distances::default(),
        }
    }

    /// The graph as it is now.
    #[must_use]
    pub const fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Makes cells passable or walls, in order. Constant cost for each edit.
    pub fn apply(&mut self, edits: &[TileEdit]) -> GraphDelta {
        self.graph.apply(edits)
    }

    /// A decision for each cop, which are to move.
    ///
    /// Each cop goes for the robber that it reaches first (the first in order of those that are
    /// equally near); cops of one robber go together. Where no robber can be reached, a cop goes as
    /// near to one as the walls allow. Without robbers they wait.
    ///
    /// Cost: a search of the map for each robber and about two for each cop.
    pub fn decide_cops(
        &mut self,
        cops: &[Body],
        robbers: &[Body],
        tactics: CopTactics,
    ) -> Vec<Decision> {
        let targets = self.assign(cops, robbers);
        let mut decisions: Vec<Decision> = cops
            .iter()
            .zip(&targets)
            .map(|(&cop, target)| match (self.agent(cop), target) {
                (None, _) => self.step_out(cop, |cell| Self::nearness(cell, robbers)),
                (Some(agent), None) => self.approach_nearest(agent, robbers),
                (Some(_), Some(_)) => Decision::wait(Source::Greedy), // decided below
            })
            .collect();
        for (index, &robber) in robbers.iter().enumerate() {
            let Some(robber) = self.agent(robber) else {
                continue;
            };
            let (team, agents): (Vec<usize>, Vec<Agent>) = (0..cops.len())
                .filter(|&cop| targets[cop] == Some(index))
                .filter_map(|cop| Some((cop, self.agent(cops[cop])?)))
                .unzip();
            if team.is_empty() {
                continue;
            }
            let state = State {
                robber,
                cops: &agents,
                to_move: Side::Cops,
            };
            let policy: &mut dyn CopPolicy = match tactics {
                CopTactics::Intercept => &mut self.interceptor,
                CopTactics::Chase => &mut self.chaser,
            };
            for (cop, decision) in team.into_iter().zip(policy.decide(&self.graph, &state)) {
                decisions[cop] = decision;
            }
        }
        decisions
    }

    /// A decision for a robber, which is to move, against all cops.
    ///
    /// A robber on which a cop stands is captured and waits. Cost: a search of the map (`TrailMax`).
    pub fn decide_robber(&mut self, robber: Body, cops: &[Body]) -> Decision {
        if cops.iter().any(|cop| cop.cell == robber.cell) {
            return Decision {
                value: Some(Value::Exact(Outcome::Caught(Turns(0)))),
                ..Decision::wait(Source::Search)
            };
        }
        let Some(robber) = self.agent(robber) else {
            return self.step_out(robber, |cell| -Self::nearness(cell, cops));
        };
        // A cop inside a wall is taken to be at all of its exits at once: it will be at one of them.
        let (mut agents, mut shut_in) = (Vec::new(), false);
        for &cop in cops {
            let before = agents.len();
            agents.extend(self.agent(cop));
            if agents.len() == before {
                let speed = cop.speed;
                agents.extend(self.exits(cop.cell).map(|at| Agent { at, speed }));
                agents.retain(|agent| agent.at != robber.at);
            }
            shut_in |= agents.len() == before;
        }
        let state = State {
            robber,
            cops: &agents,
            to_move: Side::Robber,
        };
        let mut decision = Decision::wait(Source::Search);
        self.robber
            .decide(Ground::from(&self.graph), &state, &mut decision);
        if let Some(Value::Exact(outcome)) = decision.value.filter(|_| shut_in) {
            // Who is shut in may come out when the map changes.
            decision.value = Some(Value::AtLeast(outcome));
        }
        decision
    }

    /// Steps in a direction (`dy` downwards), as far as the speed, the walls and the cells of
    /// `opponents` allow. A diagonal that is blocked slides along the wall.
    #[must_use]
    pub fn steer(&self, body: Body, dx: i32, dy: i32, opponents: &[Body]) -> Decision {
        let (dx, dy) = (dx.signum(), dy.signum());
        let Some(Agent { at: start, .. }) = self.agent(body) else {
            // Out of the wall in that direction, or not at all.
            let asked = body.cell.offset(dx, dy);
            let out = asked.and_then(|cell| self.graph.vertex(cell));
            return Decision::along(out.into_iter().collect(), body.speed, Source::Greedy);
        };
        let mut path = Vec::new();
        let mut at = start;
        for _ in 0..body.speed.steps() {
            let next = [(dx, dy), (dx, 0), (0, dy)]
                .into_iter()
                .filter(|&step| step != (0, 0))
                .find_map(|(dx, dy)| {
                    let next = self.graph.cell(at).offset(dx, dy)?;
                    let next = self.graph.vertex(next)?;
                    self.graph.are_adjacent(at, next).then_some(next)
                });
            let Some(next) = next else { break };
            path.push(next);
            at = next;
        }
        self.up_to(opponents, body, path, Source::Greedy)
    }

    /// Walks to a cell by a shortest path, but not through `opponents`; waits if there is none.
    ///
    /// Cost: A* on the map.
    #[must_use]
    pub fn walk(&self, body: Body, to: Cell, opponents: &[Body]) -> Decision {
        let Some(Agent { at, .. }) = self.agent(body) else {
            return self.step_out(body, |cell| -i64::from(cell.max_norm(to)));
        };
        let goal = self.graph.vertex(to);
        match goal.and_then(|goal| shortest_path(&self.graph, at, goal)) {
            Some(path) => self.up_to(opponents, body, path, Source::Search),
            None => Decision::wait(Source::Greedy),
        }
    }

    /// Goes along a path, but only to the first opponent on it: there it captures or is captured.
    fn up_to(
        &self,
        opponents: &[Body],
        body: Body,
        mut path: Vec<Vertex>,
        source: Source,
    ) -> Decision {
        let meets = |cell: Cell| opponents.iter().any(|opponent| opponent.cell == cell);
        if meets(body.cell) {
            return Decision::wait(source);
        }
        let met = path.iter().position(|&at| meets(self.graph.cell(at)));
        path.truncate(met.map_or(path.len(), |index| index + 1));
        Decision::along(path, body.speed, source)
    }

    /// How many steps of a way from a cell lead along edges of the map as it is now. The first
    /// step may lead out of a wall.
    #[must_use]
    pub fn open_steps(&self, from: Cell, way: &[Cell]) -> usize {
        let mut at = from;
        let mut open = |next: Cell| {
            let Some(to) = self.graph.vertex(next) else {
                return false;
            };
            let is_open = match self.graph.vertex(at) {
                Some(vertex) => self.graph.are_adjacent(vertex, to),
                None => at == from && at.max_norm(next) == 1,
            };
            at = next;
            is_open
        };
        way.iter().take_while(|&&next| open(next)).count()
    }

    /// The body as an agent of the game, `None` if it stands in a wall.
    fn agent(&self, body: Body) -> Option<Agent> {
        let at = self.graph.vertex(body.cell)?;
        let speed = body.speed;
        Some(Agent { at, speed })
    }

    /// The free cells beside a wall, straight ones first.
    fn exits(&self, wall: Cell) -> impl Iterator<Item = Vertex> + '_ {
        let beside = move |&(dx, dy): &(i32, i32)| {
            let cell = wall.offset(dx, dy)?;
            self.graph.vertex(cell)
        };
        let (straight, all) = (Moves::Orthogonal.steps(), Moves::Octile.steps());
        let diagonal = all.iter().filter(|step| !straight.contains(step));
        straight.iter().chain(diagonal).filter_map(beside)
    }

    /// Out of a wall to the free cell beside it that `worth` puts first; waits if there is none.
    fn step_out(&self, body: Body, mut worth: impl FnMut(Cell) -> i64) -> Decision {
        let exit = self
            .exits(body.cell)
            .enumerate()
            .max_by_key(|&(order, exit)| (worth(self.graph.cell(exit)), Reverse(order)));
        let path = exit.into_iter().map(|(_, exit)| exit).collect();
        Decision::along(path, body.speed, Source::Greedy)
    }

    /// How near the nearest of some bodies is to a cell, counted downwards from 0.
    fn nearness(cell: Cell, to: &[Body]) -> i64 {
        let distance = |body: &Body| i64::from(body.cell.max_norm(cell));
        -to.iter().map(distance).min().unwrap_or(0)
    }

    /// For each cop the robber that it reaches in the fewest steps, `None` if it reaches none.
    fn assign(&mut self, cops: &[Body], robbers: &[Body]) -> Vec<Option<usize>> {
        let mut nearest: Vec<Option<(u32, usize)>> = vec![None; cops.len()];
        for (index, robber) in robbers.iter().enumerate() {
            let Some(at) = self.graph.vertex(robber.cell) else {
                continue;
            };
            self.distances.measure(&self.graph, at);
            for (cop, best) in cops.iter().zip(&mut nearest) {
                let steps = self
                    .graph
                    .vertex(cop.cell)
                    .and_then(|v| self.distances.steps(v));
                if let Some(steps) = steps
                    && best.is_none_or(|best| (steps, index) < best)
                {
                    *best = Some((steps, index));
                }
            }
        }
        nearest
            .into_iter()
            .map(|best| best.map(|(_, robber)| robber))
            .collect()
    }

    fn approach_nearest(&mut self, cop: Agent, robbers: &[Body]) -> Decision {
        let here = self.graph.cell(cop.at);
        robbers
            .iter()
            .map(|robber| robber.cell)
            .min_by_key(|cell| cell.max_norm(here))
            .map_or(Decision::wait(Source::Greedy), |cell| {
                approach(&self.graph, &mut self.distances, cop, cell)
            })
    }
}
