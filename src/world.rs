//! [`PursuitWorld`]: one live map and everything that decides on it.

use crate::game::{Agent, Outcome, Side, Speed, State, Turns, Value};
use crate::graph::{Graph, GraphDelta, TileEdit, Vertex};
use crate::map::{Cell, Moves, TileMap};
use crate::policy::cop::{Chaser, Interceptor, approach};
use crate::policy::robber::TrailMaxRobber;
use crate::policy::{CopPolicy, Decision, RobberPolicy, Source};
use crate::search::{Distances, shortest_path};

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
/// the nearest free cell beside them or wait; nobody else ever enters a wall.
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
                (Err(stuck), _) => stuck,
                (Ok(agent), None) => self.approach_nearest(agent, robbers),
                (Ok(_), Some(_)) => Decision::wait(Source::Greedy), // decided below
            })
            .collect();
        for (index, &robber) in robbers.iter().enumerate() {
            let Ok(robber) = self.agent(robber) else {
                continue;
            };
            let (team, agents): (Vec<usize>, Vec<Agent>) = (0..cops.len())
                .filter(|&cop| targets[cop] == Some(index))
                .filter_map(|cop| Some((cop, self.agent(cops[cop]).ok()?)))
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
        let robber = match self.agent(robber) {
            Ok(agent) => agent,
            Err(stuck) => return stuck,
        };
        // A cop inside a wall reaches nothing this turn that a plan could count on.
        let cops: Vec<Agent> = cops
            .iter()
            .filter_map(|&cop| self.agent(cop).ok())
            .collect();
        let state = State {
            robber,
            cops: &cops,
            to_move: Side::Robber,
        };
        self.robber.decide(&self.graph, &state)
    }

    /// Steps in a direction (`dy` downwards), as far as the speed, the walls and the cells of
    /// `opponents` allow. A diagonal that is blocked slides along the wall.
    #[must_use]
    pub fn steer(&self, body: Body, dx: i32, dy: i32, opponents: &[Body]) -> Decision {
        let start = match self.agent(body) {
            Ok(agent) => agent.at,
            Err(stuck) => return stuck,
        };
        let (dx, dy) = (dx.signum(), dy.signum());
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
        let at = match self.agent(body) {
            Ok(agent) => agent.at,
            Err(stuck) => return stuck,
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

    /// The body as an agent of the game, or what it does because it stands in a wall.
    fn agent(&self, body: Body) -> Result<Agent, Decision> {
        match self.graph.vertex(body.cell) {
            Some(at) => Ok(Agent {
                at,
                speed: body.speed,
            }),
            None => Err(self.step_out(body)),
        }
    }

    fn step_out(&self, body: Body) -> Decision {
        let beside = |steps: &[(i32, i32)]| {
            steps.iter().find_map(|&(dx, dy)| {
                let cell = body.cell.offset(dx, dy)?;
                self.graph.vertex(cell)
            })
        };
        let straight = beside(Moves::Orthogonal.steps());
        let path = straight.or_else(|| beside(Moves::Octile.steps()));
        Decision::along(path.into_iter().collect(), body.speed, Source::Greedy)
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
