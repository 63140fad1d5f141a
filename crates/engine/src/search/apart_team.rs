//! Plans for a team of cops that walk on other grounds than their robber, or than each other.

use super::apart_flight::{ApartAgents, ApartFlight, ApartMaps, NumberedGrounds};
use super::interception::outside::NearestCell;
use super::surround::TeamParameters;
use super::{Distances, FOUND, Footprint, Maps, STALE, SearchStep, SlicedSearch};
use crate::abstraction::Hierarchy;
use crate::game::{Agent, Side, State, Step, Work};
use crate::graph::{Graph, Vertex};
use crate::map::Walker;
use crate::search::frontier::Wave;

/// The turns that the robber's flight is searched ahead.
const LOOK_AHEAD: u32 = 32;

/// Whether all cops of a ground are reached is looked at after this number of expansions.
const SLICE: u32 = 256;

/// Plans for a team of cops and a robber that walk on different grounds: the plan of
/// [`Interception`](super::Interception) on the map itself, without levels and feints.
///
/// The cop that arrives first goes straight for the robber. For each further cop, a race finds the path of a robber that
/// runs from the cops planned so far, and the cop goes to the first vertex of that path which it reaches no later than
/// the robber. If there is none, it goes straight for the robber. A cop that cannot reach the robber goes to the cell of
/// its own ground that is nearest to the robber in a straight line.
///
/// Cost: for each ground of cops, a breadth-first search from the robber to the last of them; for each cop but the first,
/// a race of at most 32 turns (without cops, where there are exits, for the first one, too), and a breadth-first search as far as the cop can go in the time of the robber's path.
#[derive(Debug, Clone, Default)]
pub(crate) struct ApartTeam {
    robber: Option<Agent>,
    ground: Walker,
    reach: u8,
    cops: Vec<Agent>,
    walkers: Vec<Walker>,
    members: Vec<PlannedCop>,
    grounds: NumberedGrounds,
    /// For each ground of cops, the distances to the robber.
    distances: Vec<Distances>,
    /// The members, those that arrive first at the front.
    order: Vec<usize>,
    planned: Vec<Agent>,
    planned_walkers: Vec<Walker>,
    flight: ApartFlight,
    flood: PathFlood,
    outside: NearestCell,
    cuts_off: bool,
    steps: usize,
    stage: ApartStage,
    work: Work,
}

/// A cop of the team, and its plan.
#[derive(Debug, Clone, Default)]
struct PlannedCop {
    number: u8,
    /// The steps to the robber; `None` without a path.
    steps: Option<u32>,
    path: Vec<Vertex>,
    is_complete: bool,
}

/// The next piece of work.
///
/// ```text
/// Measure (each ground) -> Plan (each rank) -> Done
/// Plan -> Run -> Meet -> Plan     a cop that may cut the robber off
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum ApartStage {
    #[default]
    Done,
    Measure(usize),
    Plan(usize),
    Run(usize),
    Meet(usize),
}

/// The vertices that an agent reaches, with the paths to them.
#[derive(Debug, Clone, Default)]
struct PathFlood {
    wave: Wave,
    parent: Vec<Vertex>,
    /// The steps of the layer that is being expanded.
    steps: u32,
}

impl PathFlood {
    fn begin(&mut self, slots: usize, from: Vertex) {
        self.wave.start(1, slots);
        self.wave.start_at(from);
        self.wave.front.next_layer();
        if self.parent.len() < slots {
            self.parent.resize(slots, from);
        }
        self.parent[from.index()] = from;
        self.steps = 0;
    }

    /// Expands the next vertex; `false` if all are expanded. Returns the neighbours through `work`.
    fn expand(&mut self, graph: &Graph, work: &mut Work) -> bool {
        if self.wave.front.is_layer_over() {
            self.steps += 1;
            if !self.wave.front.next_layer() {
                return false;
            }
        }
        let Some(vertex) = self.wave.front.pop() else {
            return false;
        };
        let (visited, parent) = (&mut self.wave.visited, &mut self.parent);
        let neighbours = graph.neighbours(vertex);
        work.expansions += 1;
        work.touched += neighbours.len() as u64;
        self.wave.front.extend(neighbours, |next, _| {
            let is_new = visited.insert(next);
            if is_new {
                parent[next.index()] = vertex;
            }
            is_new
        });
        true
    }

    /// Writes the path to a vertex that was reached, without its start.
    fn path_to(&self, to: Vertex, path: &mut Vec<Vertex>) {
        path.clear();
        let mut at = to;
        while self.parent[at.index()] != at {
            path.push(at);
            at = self.parent[at.index()];
        }
        path.reverse();
    }
}

impl ApartTeam {
    /// Starts to plan for the cops of a state, which are to move. Joint moves are not compared.
    pub(crate) fn begin(
        &mut self,
        maps: ApartMaps<'_>,
        agents: ApartAgents<'_>,
        parameters: TeamParameters,
    ) {
        let ApartAgents {
            state,
            robber: ground,
            cops: grounds,
            reach,
        } = agents;
        self.robber = Some(state.robber);
        (self.ground, self.reach) = (ground, reach);
        self.cops.clear();
        self.cops.extend_from_slice(state.cops);
        self.walkers.clear();
        self.walkers.extend_from_slice(grounds);
        self.walkers.resize(self.cops.len(), ground);
        self.grounds.clear();
        self.members
            .resize_with(self.cops.len().max(self.members.len()), PlannedCop::default);
        for (member, &walker) in self.members.iter_mut().zip(&self.walkers) {
            member.number = self.grounds.number(maps, walker);
            member.steps = None;
            member.path.clear();
            member.is_complete = true;
        }
        self.distances.resize_with(
            self.grounds.len().max(self.distances.len()),
            Distances::default,
        );
        for number in 0..self.grounds.len() {
            let graph = self.grounds.maps(maps, number as u8).graph;
            let at = state.robber.at;
            if graph.walker().size.is_one() && ground.size.is_one() {
                self.distances[number].begin(graph, at);
            } else {
                // To where a cop touches the robber.
                let touching = graph.vertices_touching(graph.cell(at), ground.size);
                self.distances[number].begin_at_all(graph, touching);
            }
        }
        // The robber's ground may be that of no cop.
        self.grounds.number(maps, ground);
        self.planned.clear();
        self.planned_walkers.clear();
        self.outside.forget();
        self.work = Work::NONE;
        (self.cuts_off, self.steps) = (parameters.cut_off, parameters.steps.max(1));
        self.stage = ApartStage::Measure(0);
    }

    /// Returns whether the grounds are still as they were when the search began.
    pub(crate) fn is_current(&self, maps: ApartMaps<'_>) -> bool {
        self.grounds.are_as_before(maps)
    }

    /// Continues for at most `budget` expansions.
    pub(crate) fn advance_on(&mut self, maps: ApartMaps<'_>, budget: u32) -> SearchStep {
        if self.stage != ApartStage::Done && !self.grounds.are_as_before(maps) {
            return STALE;
        }
        let end = self.work().expansions + u64::from(budget);
        while self.stage != ApartStage::Done {
            let spent = self.work().expansions;
            if spent >= end {
                return Step::Working;
            }
            let left = (end - spent).min(u32::MAX.into()) as u32;
            self.stage = match self.stage {
                ApartStage::Done => ApartStage::Done,
                ApartStage::Measure(number) => self.measure(maps, number, left),
                ApartStage::Plan(rank) => self.plan(maps, rank),
                ApartStage::Run(rank) => match self.flight.advance_on(maps, left) {
                    FOUND => {
                        self.work += self.flight.work();
                        self.begin_to_meet(maps, rank)
                    }
                    STALE => return STALE,
                    Step::Working => ApartStage::Run(rank),
                },
                ApartStage::Meet(rank) => self.meet(maps, rank, left),
            };
        }
        FOUND
    }

    /// Measures the distances from the cops of one ground to the robber.
    fn measure(&mut self, maps: ApartMaps<'_>, number: usize, left: u32) -> ApartStage {
        let grounds = self.cop_grounds();
        if number >= grounds {
            return self.set_order();
        }
        let graph = self.grounds.maps(maps, number as u8).graph;
        let distances = &mut self.distances[number];
        let slice = left.min(SLICE);
        let rest = distances.advance(graph, slice.into());
        self.work.expansions += u64::from(slice) - rest;
        self.work.touched += distances.take_touched();
        let cops = self.members.iter().zip(&self.cops);
        let mut own = cops.filter(|(member, _)| usize::from(member.number) == number);
        let is_done = rest > 0 || own.all(|(_, cop)| distances.steps(cop.at).is_some());
        if is_done {
            ApartStage::Measure(number + 1)
        } else {
            ApartStage::Measure(number)
        }
    }

    /// The number of grounds that cops walk on.
    fn cop_grounds(&self) -> usize {
        let members = self.members.iter().take(self.cops.len());
        members
            .map(|member| usize::from(member.number) + 1)
            .max()
            .unwrap_or(0)
    }

    fn set_order(&mut self) -> ApartStage {
        for (member, cop) in self.members.iter_mut().zip(&self.cops) {
            member.steps = self.distances[usize::from(member.number)].steps(cop.at);
        }
        self.order.clear();
        self.order.extend(0..self.cops.len());
        let (members, cops) = (&self.members, &self.cops);
        let turns = |&member: &usize| {
            let cop = cops[member];
            let turns = members[member]
                .steps
                .map(|steps| steps.div_ceil(cop.speed.steps().into()));
            (turns.unwrap_or(u32::MAX), cop.at, cop.speed, member)
        };
        self.order.sort_unstable_by_key(turns);
        ApartStage::Plan(0)
    }

    /// Plans for the cop of a rank, or begins to find out where it can cut the robber off.
    fn plan(&mut self, maps: ApartMaps<'_>, rank: usize) -> ApartStage {
        let (Some(&member), Some(robber)) = (self.order.get(rank), self.robber) else {
            return ApartStage::Done;
        };
        // Each rank costs something, so that a crowd is planned for in slices, too.
        self.work.expansions += 1;
        let is_within_reach = self.members[member].steps.is_some();
        // Where there are exits, even the first cop goes to where it bars the way to the nearest one.
        let may_cut_off = rank > 0 || maps(self.ground).graph.has_exits();
        if self.cuts_off && may_cut_off && is_within_reach && rank <= SMALL_TEAM {
            let state = State {
                robber,
                cops: &self.planned,
                to_move: Side::Robber,
            };
            let agents = ApartAgents {
                state: &state,
                robber: self.ground,
                cops: &self.planned_walkers,
                reach: self.reach,
            };
            self.flight.begin(maps, agents, LOOK_AHEAD);
            return ApartStage::Run(rank);
        }
        self.go(maps, member);
        self.finish_rank(rank)
    }

    fn finish_rank(&mut self, rank: usize) -> ApartStage {
        let member = self.order[rank];
        if self.members[member].steps.is_some() {
            self.planned.push(self.cops[member]);
            self.planned_walkers.push(self.walkers[member]);
        }
        ApartStage::Plan(rank + 1)
    }

    /// Sends a cop straight for the robber, or as near to the robber as its ground leads.
    fn go(&mut self, maps: ApartMaps<'_>, member: usize) {
        let cop = self.cops[member];
        let PlannedCop {
            number,
            steps,
            path,
            is_complete,
        } = &mut self.members[member];
        let own = self.grounds.maps(maps, *number);
        path.clear();
        let Some(steps) = *steps else {
            let Some(robber) = self.robber else { return };
            let to = self.outside.find(own, cop.at, robber.at, None);
            self.work += self.outside.work();
            self.outside.forget();
            self.flood.begin(own.graph.slots(), cop.at);
            while !self.flood.wave.visited.contains(to)
                && self.flood.expand(own.graph, &mut self.work)
            {}
            if self.flood.wave.visited.contains(to) {
                self.flood.path_to(to, path);
            }
            return;
        };
        self.distances[usize::from(*number)].extend_path(own.graph, cop.at, self.steps, path);
        *is_complete = path.len() >= steps as usize;
    }

    /// Begins to measure how far a cop is from the robber's path.
    fn begin_to_meet(&mut self, maps: ApartMaps<'_>, rank: usize) -> ApartStage {
        let member = self.order[rank];
        let own = self.grounds.maps(maps, self.members[member].number);
        self.flood.begin(own.graph.slots(), self.cops[member].at);
        ApartStage::Meet(rank)
    }

    /// Looks for the first vertex of the robber's path that a cop reaches no later than the robber.
    fn meet(&mut self, maps: ApartMaps<'_>, rank: usize, left: u32) -> ApartStage {
        let member = self.order[rank];
        let Some(robber) = self.robber else {
            return ApartStage::Done;
        };
        let graph = self.grounds.maps(maps, self.members[member].number).graph;
        let trail = self.flight.path_of(0);
        let speed = u32::from(self.cops[member].speed.steps());
        // The cops move first: in the robber's n-th turn, a cop has made n moves.
        let turn = |place: usize| (place as u32 + 1).div_ceil(robber.speed.steps().into());
        let deadline = |place: usize| turn(place) * speed;
        let last = trail.len().checked_sub(1).map_or(0, deadline);
        let end = self.work.expansions + u64::from(left);
        while self.flood.steps <= last {
            if self.work.expansions >= end {
                return ApartStage::Meet(rank);
            }
            if !self.flood.expand(graph, &mut self.work) {
                break;
            }
        }
        let meets = |(place, &at): (usize, &Vertex)| {
            let mut touching = graph.vertices_touching(graph.cell(at), self.ground.size);
            touching.find(|&at| {
                self.flood.wave.visited.contains(at) && self.flood.depth(at) <= deadline(place)
            })
        };
        let met = trail.iter().enumerate().find_map(meets);
        if let Some(at) = met {
            let path = &mut self.members[member].path;
            self.flood.path_to(at, path);
            self.members[member].is_complete = true;
        } else {
            self.go(maps, member);
        }
        self.finish_rank(rank)
    }
}

/// Of a larger team, only this number of cops cut the robber off. The others go straight for it.
const SMALL_TEAM: usize = 8;

impl PathFlood {
    /// The number of steps to a vertex that was reached. Cost: linear in it.
    fn depth(&self, to: Vertex) -> u32 {
        let (mut at, mut steps) = (to, 0);
        while self.parent[at.index()] != at {
            at = self.parent[at.index()];
            steps += 1;
        }
        steps
    }
}

impl SlicedSearch for ApartTeam {
    /// Plans with all agents on this graph.
    fn advance(&mut self, graph: &Graph, hierarchy: Option<&Hierarchy>, budget: u32) -> SearchStep {
        self.advance_on(&|_| Maps::new(graph, hierarchy), budget)
    }

    fn path_of(&self, cop: usize) -> &[Vertex] {
        match self.members.get(cop) {
            Some(member) if self.stage == ApartStage::Done => &member.path,
            _ => &[],
        }
    }

    fn best_so_far(&self, _: &Graph, path: &mut Vec<Vertex>) {
        path.extend_from_slice(self.path_of(0));
    }

    fn is_complete(&self, cop: usize) -> bool {
        self.members
            .get(cop)
            .is_some_and(|member| member.is_complete)
    }

    fn reaches(&self, cop: usize) -> bool {
        self.members
            .get(cop)
            .is_some_and(|member| member.steps.is_some())
    }

    /// The plans of cops depend on their paths.
    fn keep_footprint(&mut self) {}

    fn add_footprint(&self, graph: &Graph, footprint: &mut Footprint) {
        let paths = self.members.iter().flat_map(|member| &member.path);
        for &at in paths {
            footprint.insert(graph.cell(at));
        }
    }

    fn work(&self) -> Work {
        match self.stage {
            ApartStage::Run(_) => self.work + self.flight.work(),
            _ => self.work,
        }
    }
}
