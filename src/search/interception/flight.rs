use super::ways::least_steps;
use crate::abstraction::{Hierarchy, Level};
use crate::game::{Agent, Side, State};
use crate::graph::{Graph, Network as _, Vertex};
use crate::search::octile_race::OctileRace;
use crate::search::refine::{edge_cost, least_cost};
use crate::search::{AStar, Footprint, Race, TrailMax};

/// So many expansions the race on the map takes at most where there are abstract levels: of waves
/// that go by canonical paths, and of others, which cost ten times as much each.
const PATIENCE: [u64; 2] = [3000, 300];

/// A field has at most so many vertices.
const FIELD: usize = 160;

/// How a robber would run from some cops: on the map if the race there is over soon, and else on the
/// field, an abstract level with few vertices.
#[derive(Debug, Clone, Default)]
pub(super) struct Flight {
    ground: TrailMax,
    patience: u64,
    spent: u64,
    race: Race,
    search: AStar,
    level: usize,
    lead: u32,
    stand_ins: Vec<Agent>,
    /// The vertices of the field that the robber runs over from where it stands, and what it costs
    /// to each.
    places: Vec<(Vertex, u32)>,
    expansions: u64,
    touched: u64,
}

/// How the race on the map ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ground {
    /// The way is known.
    Over,
    /// It would take too long.
    Endless,
}

impl Flight {
    pub(super) const fn forget(&mut self) {
        (self.expansions, self.touched) = (0, 0);
    }

    pub(super) const fn effort(&self) -> (u64, u64) {
        (self.expansions, self.touched)
    }

    /// Begins the race on the map, the cops to move.
    pub(super) fn begin(&mut self, graph: &Graph, state: &State<'_>, has_levels: bool) {
        self.ground.begin(graph, state);
        self.spent = 0;
        let index = usize::from(!OctileRace::suits(graph, state));
        self.patience = if has_levels {
            PATIENCE[index] * std::env::var("PAT").map_or(1, |x| x.parse().unwrap())
        } else {
            u64::MAX
        };
    }

    /// Races on for at most `budget` expansions; `None` while it is open.
    pub(super) fn advance(&mut self, graph: &Graph, budget: u64) -> Option<Ground> {
        let limit = budget.min(self.patience - self.spent).min(u32::MAX.into()) as u32;
        let touched = self.ground.touched();
        self.ground.advance(graph, limit);
        self.expansions += self.ground.expansions() - self.spent;
        self.touched += self.ground.touched() - touched;
        self.spent = self.ground.expansions();
        if self.ground.plan().is_some() {
            Some(Ground::Over)
        } else {
            (self.spent >= self.patience).then_some(Ground::Endless)
        }
    }

    /// The robber's path once the race on the map is over.
    pub(super) fn path(&self) -> &[Vertex] {
        self.ground.plan().map_or(&[], |plan| &plan.path)
    }

    /// Adds what the race on the map may have seen: all that agents reach in its turns.
    pub(super) fn ground_footprint(
        &self,
        graph: &Graph,
        state: &State<'_>,
        footprint: &mut Footprint,
    ) {
        let turns = self.ground.turns();
        for agent in state.cops.iter().chain([&state.robber]) {
            let far = turns.saturating_mul(agent.speed.steps().into());
            let far = far.min(u16::MAX.into()) as u16;
            let cell = graph.cell(agent.at);
            let mut corners = [cell, cell];
            corners[0].x = cell.x.saturating_sub(far);
            corners[0].y = cell.y.saturating_sub(far);
            corners[1].x = cell.x.saturating_add(far);
            corners[1].y = cell.y.saturating_add(far);
            footprint.insert_rectangle(corners[0], corners[1]);
        }
    }

    /// Races on the field. Is there a way to run?
    pub(super) fn run_on_field(
        &mut self,
        graph: &Graph,
        hierarchy: &Hierarchy,
        robber: Agent,
        cops: &[Agent],
        is_feint: bool,
    ) -> bool {
        self.places.clear();
        let Some((level, network, at)) = field(hierarchy, robber.at) else {
            return false;
        };
        self.level = level;
        self.lead = 0;
        self.stand_ins.clear();
        for (index, cop) in cops.iter().enumerate() {
            let mut stands = hierarchy.ancestor(cop.at, level);
            if let (true, 0, Some(from)) = (is_feint, index, stands) {
                let ends = (from, at);
                let cost = |a, b| edge_cost(network, level, a, b);
                let rest = |vertex| least_cost(network, level, vertex, at);
                self.search.search(network, ends, |_| true, cost, rest);
                let (expansions, touched) = self.search.take_effort();
                self.expansions += expansions;
                self.touched += touched;
                let Some(&[.., beside, _]) =
                    self.search.path().get(..).filter(|path| path.len() >= 2)
                else {
                    return false;
                };
                stands = Some(beside);
                self.lead = self.search.cost_to(beside) * u32::from(robber.speed.steps())
                    / u32::from(cop.speed.steps());
            }
            let stands = stands.filter(|&stands| stands != at);
            let at = stands.or_else(|| toward(graph, network, at, (robber.at, cop.at)));
            let speed = cop.speed;
            self.stand_ins.extend(at.map(|at| Agent { at, speed }));
        }
        let speed = robber.speed;
        let state = State {
            robber: Agent { at, speed },
            cops: &self.stand_ins,
            to_move: Side::Robber,
        };
        let plan = self.race.solve(network, &state);
        let mut cost = 0;
        let mut last = at;
        self.places.push((at, 0));
        for &next in &plan.path {
            cost += edge_cost(network, level, last, next);
            self.places.push((next, cost));
            last = next;
        }
        self.expansions += self.race.expansions();
        self.touched += self.race.touched();
        self.places.len() > 1
    }

    /// Adds what the race on the field has seen.
    pub(super) fn field_footprint(&self, hierarchy: &Hierarchy, footprint: &mut Footprint) {
        let Some(network) = hierarchy.level(self.level) else {
            return;
        };
        self.race.for_each_reached(network.slots(), |vertex| {
            let (top_left, bottom_right) = network.bounds(vertex);
            footprint.insert_rectangle(top_left, bottom_right);
        });
    }

    /// The path on the field to where a cop is as soon as the robber first, or to the end of the
    /// robber's way: its level and its vertices without the start. It is empty if the cop is there.
    pub(super) fn meet_on_field(
        &mut self,
        hierarchy: &Hierarchy,
        cop: Agent,
        robber: Agent,
    ) -> (usize, &[Vertex], bool) {
        let level = self.level;
        let network = hierarchy.level(level);
        let from = hierarchy.ancestor(cop.at, level);
        let Some((network, from)) = network.zip(from) else {
            return (level, &[], true);
        };
        let (cop_speed, robber_speed) = (cop.speed.steps(), robber.speed.steps());
        let late = |costs: u32, lead: u32| {
            let late = u64::from(costs) * u64::from(robber_speed);
            late.saturating_sub(u64::from(lead) * u64::from(cop_speed))
        };
        let mut at_least = 0;
        let mut on_time = false;
        for index in 0..self.places.len() {
            let (place, lead) = self.places[index];
            let lead = lead + self.lead;
            let is_last = index + 1 == self.places.len();
            let skips = u64::from(lead) < at_least
                || late(least_cost(network, level, from, place), lead) > 0;
            if skips && !is_last {
                continue;
            }
            let ends = (from, place);
            let cost = |a, b| edge_cost(network, level, a, b);
            let rest = |vertex| least_cost(network, level, vertex, place);
            let is_found = self.search.search(network, ends, |_| true, cost, rest);
            let (expansions, touched) = self.search.take_effort();
            self.expansions += expansions;
            self.touched += touched;
            let costs = self.search.cost_to(place);
            let late = if is_found { late(costs, lead) } else { 1 };
            if late == 0 {
                on_time = true;
                break;
            }
            // The robber comes nearer by no more than it runs.
            at_least = u64::from(lead) + late / u64::from(cop_speed + robber_speed).max(1);
        }
        (level, self.search.path(), on_time)
    }
}

/// The field around a vertex: the first level with few vertices, but one on which there is
/// somewhere to run. The level, and who stands for the vertex.
fn field(hierarchy: &Hierarchy, at: Vertex) -> Option<(usize, &Level, Vertex)> {
    let small = |level: &usize| {
        let network = hierarchy.level(*level);
        network.is_some_and(|network| {
            network.vertices() <= std::env::var("FIELD").map_or(FIELD, |x| x.parse().unwrap())
        })
    };
    let first = (1..hierarchy.levels()).find(small)?;
    let lower = (1..=first).rev().filter_map(|level| {
        let network = hierarchy.level(level)?;
        Some((level, network, hierarchy.ancestor(at, level)?))
    });
    lower
        .into_iter()
        .find(|(_, network, at)| !network.neighbours(*at).is_empty())
}

/// The neighbour of a vertex of a level that lies in the direction from a cell to another.
fn toward(
    graph: &Graph,
    network: &Level,
    vertex: Vertex,
    (from, to): (Vertex, Vertex),
) -> Option<Vertex> {
    if least_steps(graph, (from, to)) == 0 {
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
        (way[0] * aim[0] + way[1] * aim[1]) / way[0].hypot(way[1]).max(1.0)
    };
    let beside = network.neighbours(vertex).iter().copied();
    beside
        .map(|beside| (beside, cosine(beside)))
        .filter(|&(_, cosine)| cosine > 0.0)
        .max_by(|a, b| a.1.total_cmp(&b.1))
        .map(|(beside, _)| beside)
}
