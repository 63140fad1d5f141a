//! The flight of the robber from some cops, on the map or on a coarse level.

#[cfg(test)]
mod tests;

use super::{Maps, RaceOfAll};
use crate::abstraction::{AbstractLevel, Hierarchy};
use crate::game::{Agent, Side, State, Step, Work};
use crate::graph::{Graph, Network as _, Vertex};
use crate::map::Cell;
use crate::search::level_costs::{edge_cost, least_cost, units};
use crate::search::{AStar, Footprint, LevelPath, Race, SlicedSearch as _, TrailMax};
use std::f32::consts::SQRT_2;

/// The limit of the race on the map, in expansions, if there are abstract levels. Several
/// [expansions](TrailMax::rate) of a wave by canonical paths count as one.
const PATIENCE: u64 = 375;

/// The largest number of vertices of a connected part of a coarse level.
const COARSE: usize = 300;

/// The flight of a robber from some cops: on the map if the race there is short, and otherwise on a
/// coarse level.
#[derive(Debug, Clone, Default)]
pub(super) struct Flight {
    ground: TrailMax,
    /// The robber and the cops on the map.
    agents: Vec<Agent>,
    /// The number of expansions on the map that count as one.
    rate: u64,
    patience: u64,
    /// Expansions on the map, and the value of `expansions` before them.
    spent: u64,
    before: u64,
    race: Race,
    search: AStar,
    level: usize,
    stand_ins: Vec<Agent>,
    /// The number of planned cops from which the robber takes its last path on the coarse level. A cop that is late
    /// everywhere on the path is assumed not to change the path.
    rivals: usize,
    /// The vertices of the robber's path on the coarse level, beginning with its own, and the cost to
    /// each.
    places: Vec<(Vertex, u32)>,
    meeting: Meeting,
    work: Work,
}

/// The search for a place to meet.
#[derive(Debug, Clone, Copy, Default)]
struct Meeting {
    /// The vertex that represents the cop.
    from: Vertex,
    /// The place under test.
    index: usize,
    /// Places that the robber reaches at a lower cost are ruled out.
    sooner: u64,
    /// Whether the path to that place is being searched.
    begun: bool,
}

/// How the race on the map ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MapRace {
    /// The path is known.
    Over,
    /// It is too long.
    Endless,
}

impl Flight {
    pub(super) const fn forget(&mut self) {
        self.work = Work::NONE;
        self.rivals = 0;
    }

    pub(super) const fn work(&self) -> Work {
        self.work
    }

    /// The race on the map.
    pub(super) const fn ground(&mut self) -> &mut TrailMax {
        &mut self.ground
    }

    /// Begins the race on the map.
    pub(super) fn begin(&mut self, maps: Maps<'_>, state: &State<'_>) {
        self.ground.begin(maps.graph, state);
        self.agents.clear();
        self.agents.push(state.robber);
        self.agents.extend_from_slice(state.cops);
        (self.spent, self.before) = (0, self.work.expansions);
        self.rate = self.ground.rate();
        self.patience = match maps.hierarchy {
            Some(_) => PATIENCE * self.rate,
            None => u64::MAX,
        };
    }

    /// Continues the race for at most `budget` expansions.
    pub(super) fn advance(&mut self, maps: Maps<'_>, budget: u64) -> Step<MapRace> {
        let budget = budget.saturating_mul(self.rate);
        let limit = budget.min(self.patience - self.spent).min(u32::MAX.into()) as u32;
        let touched = self.ground.work().touched;
        self.ground.advance(maps.graph, None, limit);
        self.spent = self.ground.work().expansions;
        self.work.expansions = self.before + self.spent.div_ceil(self.rate);
        self.work.touched += self.ground.work().touched - touched;
        if self.ground.plan().is_some() {
            Step::Done(MapRace::Over)
        } else if self.spent >= self.patience {
            Step::Done(MapRace::Endless)
        } else {
            Step::Working
        }
    }

    /// The race on the map as one of all cops, once it is over; `None` if it was not one by canonical wavefronts.
    pub(super) fn race_of_all(&self) -> Option<RaceOfAll> {
        let bounds = self.ground.robber_bounds()?;
        let expansions = self.ground.work().expansions;
        Some(RaceOfAll { expansions, bounds })
    }

    /// The robber's path once the race on the map is over.
    pub(super) fn path(&self) -> &[Vertex] {
        self.ground.plan().map_or(&[], |plan| &plan.path)
    }

    /// Adds the part of the map that the race may have seen: everything that agents can reach in its
    /// turns.
    pub(super) fn ground_footprint(&self, maps: Maps<'_>, footprint: &mut Footprint) {
        let turns = self.ground.turns();
        for agent in &self.agents {
            let far = turns.saturating_mul(agent.speed.steps().into());
            // A link may lead anywhere.
            let far = if maps.graph.has_links() {
                u32::MAX
            } else {
                far
            };
            let far = far.min(u16::MAX.into()) as u16;
            let Cell { x, y } = maps.graph.cell(agent.at);
            let top_left = Cell::new(x.saturating_sub(far), y.saturating_sub(far));
            let bottom_right = Cell::new(x.saturating_add(far), y.saturating_add(far));
            footprint.insert_rectangle(top_left, bottom_right);
        }
    }

    /// Returns whether the robber's path on the coarse level is known, from this number of planned cops.
    pub(super) const fn knows_coarse(&self, cops: usize) -> bool {
        self.rivals == cops
    }

    /// Forgets the robber's path on the coarse level.
    #[cfg(test)]
    pub(super) const fn forget_coarse(&mut self) {
        self.rivals = 0;
    }

    /// Begins the race on the coarse level, with the robber to move; `false` if there is no such level.
    ///
    /// A cop represented by the same vertex as the robber is placed on a neighbouring vertex, on the
    /// cop's side of the robber.
    pub(super) fn begin_coarse(&mut self, maps: Maps<'_>, robber: Agent, cops: &[Agent]) -> bool {
        let coarse = maps
            .hierarchy
            .and_then(|all| Some((all, coarse_level(all, robber.at)?)));
        let Some((hierarchy, (level, network, at))) = coarse else {
            return false;
        };
        (self.level, self.rivals) = (level, cops.len());
        self.stand_ins.clear();
        for cop in cops {
            let stands = hierarchy.ancestor(cop.at, level);
            let stands = stands.filter(|&stands| stands != at);
            let at = stands.or_else(|| toward(maps.graph, network, at, robber.at, cop.at));
            let speed = cop.speed;
            self.stand_ins.extend(at.map(|at| Agent { at, speed }));
        }
        let speed = robber.speed;
        let state = State {
            robber: Agent { at, speed },
            cops: &self.stand_ins,
            to_move: Side::Robber,
        };
        self.race.begin(network, &state);
        true
    }

    /// Continues the race on the coarse level for at most `budget` expansions. The result is whether the
    /// robber runs at all.
    pub(super) fn run_coarse(&mut self, maps: Maps<'_>, robber: Agent, budget: u64) -> Step<bool> {
        let level = self.level;
        let coarse = maps.hierarchy.and_then(|all| {
            let at = all.ancestor(robber.at, level)?;
            Some((all.level(level)?, at))
        });
        let Some((network, at)) = coarse else {
            return Step::Done(false);
        };
        let before = self.race.work();
        let budget = budget.min(u32::MAX.into()) as u32;
        let progress = self.race.advance(network, budget);
        self.work += self.race.work() - before;
        let plan = match (progress, self.race.plan()) {
            (Step::Working, _) => return Step::Working,
            (_, None) => return Step::Done(false),
            (_, Some(plan)) => plan,
        };
        self.places.clear();
        self.places.push((at, 0));
        let (mut last, mut cost) = (at, 0);
        for &next in &plan.path {
            cost += if last == at {
                first_cost(maps.graph, network, level, robber.at, next)
            } else {
                edge_cost(network, level, last, next)
            };
            self.places.push((next, cost));
            last = next;
        }
        Step::Done(self.places.len() > 1)
    }

    /// Adds the part of the map that the race on the coarse level has seen.
    pub(super) fn coarse_footprint(&self, maps: Maps<'_>, footprint: &mut Footprint) {
        let Some(network) = maps.hierarchy.and_then(|all| all.level(self.level)) else {
            return;
        };
        self.race.for_each_reached(|vertex| {
            let (top_left, bottom_right) = network.bounds(vertex);
            footprint.insert_rectangle(top_left, bottom_right);
        });
    }

    /// Begins to search where a cop meets the robber on the coarse level.
    pub(super) fn begin_to_meet(&mut self, maps: Maps<'_>, cop: Agent) {
        let stands = maps
            .hierarchy
            .and_then(|all| all.ancestor(cop.at, self.level));
        self.meeting = Meeting {
            from: stands.unwrap_or_default(),
            // A cop that no vertex represents meets the robber nowhere.
            index: stands.map_or(self.places.len(), |_| 0),
            ..Meeting::default()
        };
        self.search.forget_path();
    }

    /// The path on the coarse level to the first place where a cop is no later than the robber, or to the
    /// end of the robber's path; without vertices if the cop is there. `None` if that takes more than `budget`
    /// expansions.
    pub(super) fn meet_coarse(
        &mut self,
        maps: Maps<'_>,
        cop: Agent,
        robber: Agent,
        mut budget: u64,
    ) -> Option<LevelPath<'_>> {
        let level = self.level;
        let Some(network) = maps.hierarchy.and_then(|all| all.level(level)) else {
            return Some(LevelPath::new(level, &[]));
        };
        let (cop_speed, robber_speed) = (cop.speed.steps(), robber.speed.steps());
        let late = |costs: u32, lead: u32| {
            let late = u64::from(costs) * u64::from(robber_speed);
            late.saturating_sub(u64::from(lead) * u64::from(cop_speed))
        };
        let closing = u64::from(cop_speed) + u64::from(robber_speed);
        while let Some(&(place, lead)) = self.places.get(self.meeting.index) {
            let Meeting {
                from,
                index,
                sooner,
                begun,
            } = self.meeting;
            let least = least_cost(network, level, from, place);
            let is_last = index + 1 == self.places.len();
            // Too early by far, or too far even in a straight line.
            let is_no_place = u64::from(lead) < sooner || late(least, lead) > 0;
            if is_no_place && !is_last {
                self.meeting.index += 1;
                continue;
            }
            if !begun {
                self.search.begin(network, from, least);
            }
            self.meeting.begun = true;
            let before = self.work.expansions;
            let is_found = self.search_coarse(network, place, budget).done()?;
            budget = budget.saturating_sub(self.work.expansions - before);
            self.meeting.begun = false;
            self.meeting.index += 1;
            if is_found {
                let late = late(self.costs_coarse(maps.graph, network, place, cop), lead);
                if late == 0 {
                    return Some(LevelPath::new(level, self.search.path()));
                }
                // In a turn, the distance shrinks by at most the sum of both speeds.
                self.meeting.sooner = u64::from(lead) + late / closing;
            }
        }
        self.rivals += 1;
        Some(LevelPath::new(level, self.search.path()))
    }

    /// Continues to search for a path to a vertex of the coarse level. The result is whether there is
    /// one. Takes at most `budget` expansions.
    fn search_coarse(&mut self, network: &AbstractLevel, place: Vertex, budget: u64) -> Step<bool> {
        let level = self.level;
        let cost = |a, b| edge_cost(network, level, a, b);
        let rest = |vertex| least_cost(network, level, vertex, place);
        let found = self
            .search
            .run(network, place, budget, |_| true, cost, rest);
        self.work += self.search.take_work();
        found
    }

    /// The cost of the path that was found, measured from the cop's cell and not from the centre of the
    /// vertex that represents the cop.
    fn costs_coarse(
        &self,
        graph: &Graph,
        network: &AbstractLevel,
        place: Vertex,
        cop: Agent,
    ) -> u32 {
        let (level, from) = (self.level, self.meeting.from);
        let costs = self.search.cost_to(place);
        self.search.path().first().map_or(costs, |&first| {
            costs - edge_cost(network, level, from, first)
                + first_cost(graph, network, level, cop.at, first)
        })
    }
}

/// The coarse level for a vertex, and the vertex that represents it there. The coarse level is the first
/// one with few vertices or, if the vertex has no neighbours there, the next lower level on which it
/// has.
fn coarse_level(hierarchy: &Hierarchy, at: Vertex) -> Option<(usize, &AbstractLevel, Vertex)> {
    let first = hierarchy.lowest_level(COARSE)?;
    let mut lower = (1..=first).rev().filter_map(|level| {
        let network = hierarchy.level(level)?;
        Some((level, network, hierarchy.ancestor(at, level)?))
    });
    lower.find(|(_, network, at)| !network.neighbours(*at).is_empty())
}

/// The cost from a cell to a vertex of a level.
fn first_cost(
    graph: &Graph,
    network: &AbstractLevel,
    level: usize,
    from: Vertex,
    to: Vertex,
) -> u32 {
    let cell = graph.cell(from);
    let [x, y] = network.position(to);
    let (dx, dy) = ((x - f32::from(cell.x)).abs(), (y - f32::from(cell.y)).abs());
    let cells = dx.max(dy) + (SQRT_2 - 1.0) * dx.min(dy);
    (cells * units(level)) as u32 + 1
}

/// The neighbour of a vertex of a level that lies in the direction from a cell to another.
fn toward(
    graph: &Graph,
    network: &AbstractLevel,
    vertex: Vertex,
    from: Vertex,
    to: Vertex,
) -> Option<Vertex> {
    if from == to {
        return None;
    }
    let place = |vertex| {
        let cell = graph.cell(vertex);
        [f32::from(cell.x), f32::from(cell.y)]
    };
    let (from, to) = (place(from), place(to));
    let aim = [to[0] - from[0], to[1] - from[1]];
    let cosine = |beside: Vertex| {
        let at = network.position(beside);
        let way = [at[0] - from[0], at[1] - from[1]];
        let square = way[0] * way[0] + way[1] * way[1];
        (way[0] * aim[0] + way[1] * aim[1]) / square.sqrt().max(1.0)
    };
    let beside = network.neighbours(vertex).iter().copied();
    beside
        .map(|beside| (beside, cosine(beside)))
        .filter(|&(_, cosine)| cosine > 0.0)
        .max_by(|a, b| a.1.total_cmp(&b.1))
        .map(|(beside, _)| beside)
}
