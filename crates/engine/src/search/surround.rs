//! Plans for all cops of one robber, however many: those that arrive first close in, and the others cover the surroundings.

mod cover;
mod flood;

use super::origin::SearchOrigin;
use super::team_search::STALEMATE;
use super::{
    Distances, FOUND, Footprint, Interception, Maps, STALE, SearchStep, SlicedSearch, TeamSearch,
};
use crate::abstraction::Hierarchy;
use crate::game::{Agent, Side, State, Step, Work};
use crate::graph::{Graph, Vertex};
use cover::Cover;

/// The number of cops of a team that close in. Measured on a town, rooms, caves, mazes, the harbour and open ground: of four to
/// eight, 3 capture more robbers than 5; of hundreds that start in one corner, 5 more than 3. Three cops that all close in take
/// 1.00 to 1.14 times the optimum on six maps, and 1.01 to 1.33 times if only two of them do, unless one [follows](FOLLOWS).
pub(crate) const fn closing(cops: usize) -> usize {
    match cops {
        0..24 => 3,
        _ => 5,
    }
}

/// The number of cops that go straight for a robber that has kept a team without joint moves busy for too long. Other numbers were
/// not measured.
const STORM: usize = 16;

/// Up to this number, cops that come from beyond the surroundings cut the robber off instead of going straight for it. Otherwise
/// cops that start side by side would follow the robber one behind the other.
const FEW: usize = 5;

/// The number of vertices nearest to the robber that are covered. On maps of up to twice as many vertices, all are.
const SURROUNDINGS: u64 = 1 << 13;

/// This number of expansions of a breadth-first search counts as one, which is what they cost.
const MEASURING: u64 = 8;

/// The parameters of a plan for a team.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct TeamParameters {
    /// Whether joint moves are compared.
    pub(crate) joint: bool,
    /// Whether cops cut the robber off, or all chase.
    pub(crate) cut_off: bool,
    /// The minimum number of steps of a path.
    pub(crate) steps: usize,
    /// See [`Pressure`](super::Pressure).
    pub(crate) pressure: u32,
}

/// The next piece of work.
///
/// ```text
/// CloseIn -> Done                                                            a small team
/// Measure -> Approach (if a cop comes from afar) -> CloseIn -> Cover -> Done   a crowd
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum SurroundStage {
    #[default]
    Done,
    /// The distances of the vertices around the robber are measured; `left` is the number of vertices that may still be
    /// measured.
    Measure { left: u64 },
    /// The plan of the cops that come from beyond the surroundings.
    Approach,
    /// The plan of the cops that close in.
    CloseIn,
    /// The plan of the cops that cover the surroundings.
    Cover,
}

/// The cop farthest from the robber follows another one if its distance to that cop is at most its distance to the robber
/// divided by this number. Measured on rooms of 145 to 222 vertices, and caves in which robbers come back elsewhere: with 8, three
/// cops need as many turns for the optimal robber as if all closed in, and they capture 11.5 robbers in caves instead of 8.7. With
/// 4, they need 1 to 3 % more turns.
const FOLLOWS: u32 = 8;

/// Returns whether a cop of a small team would only follow another one, so that it had better bar the robber's way. All distances
/// are those of cells.
fn has_follower(graph: &Graph, state: &State<'_>) -> bool {
    let robber = graph.cell(state.robber.at);
    let cell = |index: usize| graph.cell(state.cops[index].at);
    let cops = 0..state.cops.len();
    let last = cops.clone().max_by_key(|&cop| cell(cop).max_norm(robber));
    last.is_some_and(|last| {
        let distance = cell(last).max_norm(robber);
        let mut others = cops.filter(|&cop| cop != last);
        others.any(|cop| FOLLOWS * cell(cop).max_norm(cell(last)) <= distance)
    })
}

/// What a cop of a crowd does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    /// It closes in, with this number among those that do.
    ClosesIn(usize),
    /// It comes from beyond the surroundings, or cannot reach the robber.
    Approaches {
        reaches: bool,
        is_complete: bool,
    },
    Covers,
}

/// Plans for all cops of one robber together, in time that hardly depends on their number.
///
/// For a team of which [all close in](closing), and where nobody is to cut the robber off, [`TeamSearch`] or [`Interception`] plans
/// for all of them. In a larger team, which is a crowd, it plans for those that arrive first, from vertices of their own: more
/// cops near the robber would only queue. All other cops [cover](Cover) the surroundings of the robber: those beside its
/// territory bar its way, and the rest is near the next robber wherever that appears.
///
/// Without joint moves, cops may repeat their moves for ever. Under [pressure](super::Pressure), more cops close in, and then the
/// [`STORM`] that arrive first go straight for the robber, from wherever they are.
///
/// The surroundings are the nearest 8,192 vertices, and on maps of at most 16,384 vertices all that the robber can
/// reach. If a cop of a team of up to five comes from beyond them, all close in. In a larger team, cops from beyond them cut the
/// robber off if they are few, and otherwise go straight for it.
///
/// No two cops that cover end their moves on the same vertex, where there is room, and none
/// ends its move where another cop does.
///
/// Plans depend on the positions and speeds of the agents. Where cops share a vertex, the first in the list goes first.
///
/// A [`SlicedSearch`].
///
/// Cost: that of the plan for the cops that close in and for the cops from afar, and two or three breadth-first searches of the
/// surroundings. Memory for crowds: 32 bytes for each vertex of the map.
#[derive(Debug, Clone, Default)]
pub(crate) struct Surround {
    team: Interception,
    joint: TeamSearch,
    stage: SurroundStage,
    parameters: TeamParameters,
    is_crowd: bool,
    close_in: usize,
    began_on: Option<SearchOrigin>,
    robber: Option<Agent>,
    cops: Vec<Agent>,
    /// The role of each cop of a crowd.
    roles: Vec<Role>,
    near: Distances,
    /// The cops, those that arrive first coming first.
    order: Vec<usize>,
    /// The cops that close in, or those that approach.
    some: Vec<Agent>,
    cover: Cover,
    /// For each cop that does not close in. Entries beyond the cops are spare memory.
    paths: Vec<Vec<Vertex>>,
    /// Expansions and neighbours of searches that are over.
    work: Work,
}

impl Surround {
    /// The search that compares joint moves.
    pub(crate) const fn joint(&self) -> &TeamSearch {
        &self.joint
    }

    /// The same, to change it.
    pub(crate) const fn joint_mut(&mut self) -> &mut TeamSearch {
        &mut self.joint
    }

    /// The search that compares no joint moves.
    pub(crate) const fn team(&self) -> &Interception {
        &self.team
    }

    /// The same, to change it.
    pub(crate) const fn team_mut(&mut self) -> &mut Interception {
        &mut self.team
    }

    /// Starts to plan for all cops of a state with the cops to move. Forgets the previous plans.
    pub(crate) fn begin(&mut self, maps: Maps<'_>, state: &State<'_>, parameters: TeamParameters) {
        self.work = Work::NONE;
        self.began_on = Some(origin(maps));
        (self.robber, self.parameters) = (Some(state.robber), parameters);
        self.close_in = closing(state.cops.len());
        // The comparison of joint moves heeds the pressure itself.
        if !parameters.joint && parameters.pressure > STALEMATE {
            self.close_in = STORM;
            self.parameters.cut_off = false;
        } else if !parameters.joint && parameters.pressure > 0 {
            self.close_in *= 2;
        }
        if self.close_in == state.cops.len() && has_follower(maps.graph, state) {
            self.close_in -= 1;
        }
        self.is_crowd = parameters.cut_off && state.cops.len() > self.close_in;
        if !self.is_crowd {
            self.begin_team(maps, state);
            return;
        }
        self.cops.clear();
        self.cops.extend_from_slice(state.cops);
        if self.paths.len() < self.cops.len() {
            self.paths.resize_with(self.cops.len(), Vec::new);
        }
        self.near.begin(maps.graph, state.robber.at);
        let is_small = maps.graph.vertices() as u64 <= 2 * SURROUNDINGS;
        let left = if is_small { u64::MAX } else { SURROUNDINGS };
        self.stage = SurroundStage::Measure { left };
    }

    /// Begins to plan for the cops of a state that close in.
    fn begin_team(&mut self, maps: Maps<'_>, state: &State<'_>) {
        let Maps { graph, hierarchy } = maps;
        let TeamParameters {
            joint,
            cut_off,
            steps,
            pressure,
        } = self.parameters;
        if joint {
            // A guide may choose among the joint moves of two cops, even one that is ready only at the end of the search.
            self.joint
                .compare_all(!self.is_crowd && state.cops.len() == 2);
            self.joint.begin(graph, hierarchy, state, pressure, steps);
        } else {
            self.team.begin(graph, hierarchy, state, cut_off, steps);
        }
        self.stage = SurroundStage::CloseIn;
    }

    /// The search for the cops that close in.
    fn closing(&self) -> &dyn SlicedSearch {
        if self.parameters.joint {
            &self.joint
        } else {
            &self.team
        }
    }

    /// The search under way, if there is one.
    fn running(&self) -> Option<&dyn SlicedSearch> {
        match self.stage {
            SurroundStage::CloseIn => Some(self.closing()),
            SurroundStage::Approach => Some(&self.team),
            SurroundStage::Done | SurroundStage::Measure { .. } | SurroundStage::Cover => None,
        }
    }

    /// Measures distances from the robber for at most `budget` expansions, and then gives each cop its role.
    fn measure(&mut self, maps: Maps<'_>, robber: Agent, left: u64, budget: u64) {
        let granted = budget.saturating_mul(MEASURING).min(left);
        let unused = self.near.advance(maps.graph, granted);
        self.work.expansions += (granted - unused).div_ceil(MEASURING);
        let left = left - granted;
        if unused == 0 && left > 0 {
            self.stage = SurroundStage::Measure { left };
            return;
        }
        self.work.touched += self.near.take_touched();
        self.give_roles();
        self.some.clear();
        let far = self.cops.iter().zip(&self.roles);
        let far = far.filter(|(_, role)| matches!(role, Role::Approaches { .. }));
        self.some.extend(far.map(|(cop, _)| *cop));
        if self.some.is_empty() {
            self.close_in(maps, robber);
            return;
        }
        let mut cops = std::mem::take(&mut self.some);
        if self.cops.len() <= FEW {
            // Nobody bars the way of a robber whose surroundings it can leave. All cut it off together, however far they are.
            cops.clone_from(&self.cops);
            self.is_crowd = false;
        }
        let state = State {
            robber,
            cops: &cops,
            to_move: Side::Cops,
        };
        let Maps { graph, hierarchy } = maps;
        if self.is_crowd {
            let cut_off = cops.len() <= FEW;
            self.team
                .begin(graph, hierarchy, &state, cut_off, self.parameters.steps);
            self.stage = SurroundStage::Approach;
        } else {
            self.begin_team(maps, &state);
        }
        self.some = cops;
    }

    fn give_roles(&mut self) {
        let Self {
            near,
            cops,
            roles,
            order,
            close_in,
            ..
        } = self;
        order.clear();
        order.extend(0..cops.len());
        order.sort_unstable_by_key(|&index| {
            let Agent { at, speed } = cops[index];
            let turns = near
                .steps(at)
                .map(|steps| steps.div_ceil(u32::from(speed.steps())));
            (turns.unwrap_or(u32::MAX), at, speed, index)
        });
        roles.clear();
        let role = |cop: &Agent| match near.steps(cop.at) {
            Some(_) => Role::Covers,
            None => Role::Approaches {
                reaches: true,
                is_complete: true,
            },
        };
        roles.extend(cops.iter().map(role));
        // A second cop on the same vertex would make the same moves.
        let (mut closing, mut last) = (0, None);
        for &index in &*order {
            let at = cops[index].at;
            if closing == *close_in || near.steps(at).is_none() {
                break;
            }
            if last.replace(at) != Some(at) {
                roles[index] = Role::ClosesIn(closing);
                closing += 1;
            }
        }
    }

    /// Keeps the paths of the cops that come from beyond the surroundings.
    fn keep_approaches(&mut self) {
        let mut number = 0;
        for (role, path) in self.roles.iter_mut().zip(&mut self.paths) {
            if let Role::Approaches {
                reaches,
                is_complete,
            } = role
            {
                path.clear();
                path.extend_from_slice(self.team.path_of(number));
                *reaches = self.team.reaches(number);
                *is_complete = self.team.is_complete(number);
                number += 1;
            }
        }
    }

    /// Begins to plan for the cops that close in.
    fn close_in(&mut self, maps: Maps<'_>, robber: Agent) {
        let mut some = std::mem::take(&mut self.some);
        some.clear();
        let closing = self.order.iter().copied();
        let closing = closing.filter(|&cop| matches!(self.roles[cop], Role::ClosesIn(_)));
        some.extend(closing.map(|cop| self.cops[cop]));
        let state = State {
            robber,
            cops: &some,
            to_move: Side::Cops,
        };
        self.begin_team(maps, &state);
        self.some = some;
    }

    /// Advances the search under way, and ends its stage when it is done.
    fn advance_team(&mut self, maps: Maps<'_>, robber: Agent, budget: u32) -> SearchStep {
        let Maps { graph, hierarchy } = maps;
        let approaches = self.stage == SurroundStage::Approach;
        let progress = if self.parameters.joint && !approaches {
            self.joint.advance(graph, hierarchy, budget)
        } else {
            self.team.advance(graph, hierarchy, budget)
        };
        if progress != FOUND {
            return progress;
        }
        let work = self.running().map(SlicedSearch::work);
        self.work += work.unwrap_or_default();
        if approaches {
            self.keep_approaches();
            self.close_in(maps, robber);
        } else if self.is_crowd {
            self.cover
                .begin(graph, &self.near, robber, &self.cops, &self.order);
            self.stage = SurroundStage::Cover;
        } else {
            self.stage = SurroundStage::Done;
        }
        Step::Working
    }

    /// Continues to measure who covers what for at most `budget` expansions, and then plans for the cops that cover.
    fn cover(&mut self, graph: &Graph, budget: u64) {
        let granted = budget.saturating_mul(MEASURING);
        let (done, expansions) = self.cover.advance(graph, &self.near, granted);
        self.work.expansions += expansions.div_ceil(MEASURING);
        if !done {
            return;
        }
        self.cover.begin_moves(graph);
        for (cop, &agent) in self.cops.iter().enumerate() {
            let path = match self.roles[cop] {
                Role::ClosesIn(number) => self.closing().path_of(number),
                Role::Approaches { .. } => &self.paths[cop],
                Role::Covers => continue,
            };
            let end = cover::end_of_move(agent, path);
            self.cover.take(end);
        }
        for &cop in &self.order {
            if self.roles[cop] == Role::Covers {
                let steps = self.parameters.steps;
                let path = &mut self.paths[cop];
                self.cover.plan(graph, cop, self.cops[cop], steps, path);
            }
        }
        self.stage = SurroundStage::Done;
    }
}

fn origin(maps: Maps<'_>) -> SearchOrigin {
    let Maps { graph, hierarchy } = maps;
    SearchOrigin::of(graph, hierarchy.filter(|all| all.serves(graph)))
}

impl SlicedSearch for Surround {
    fn advance(&mut self, graph: &Graph, hierarchy: Option<&Hierarchy>, budget: u32) -> SearchStep {
        let maps = Maps { graph, hierarchy };
        if self.began_on != Some(origin(maps)) {
            return STALE;
        }
        let end = self.work().expansions + u64::from(budget);
        while self.stage != SurroundStage::Done {
            let left = end.saturating_sub(self.work().expansions);
            let Some(robber) = self.robber.filter(|_| left > 0) else {
                return Step::Working;
            };
            match self.stage {
                SurroundStage::Done => {}
                SurroundStage::Measure { left: vertices } => {
                    self.measure(maps, robber, vertices, left);
                }
                SurroundStage::Approach | SurroundStage::CloseIn => {
                    let left = left.min(u32::MAX.into()) as u32;
                    let progress = self.advance_team(maps, robber, left);
                    if progress == STALE {
                        return progress;
                    }
                }
                SurroundStage::Cover => self.cover(graph, left),
            }
        }
        FOUND
    }

    fn path_of(&self, cop: usize) -> &[Vertex] {
        if self.stage != SurroundStage::Done {
            return &[];
        }
        if !self.is_crowd {
            return self.closing().path_of(cop);
        }
        match self.roles.get(cop) {
            Some(&Role::ClosesIn(number)) => self.closing().path_of(number),
            Some(Role::Approaches { .. } | Role::Covers) => &self.paths[cop],
            None => &[],
        }
    }

    /// Appends nothing before the search is done.
    fn best_so_far(&self, _: &Graph, path: &mut Vec<Vertex>) {
        path.extend_from_slice(self.path_of(0));
    }

    fn is_complete(&self, cop: usize) -> bool {
        if !self.is_crowd {
            return self.closing().is_complete(cop);
        }
        match self.roles.get(cop) {
            Some(&Role::ClosesIn(number)) => self.closing().is_complete(number),
            Some(&Role::Approaches { is_complete, .. }) => is_complete,
            // It waits at the end of its path for the next plan.
            Some(Role::Covers) | None => true,
        }
    }

    fn reaches(&self, cop: usize) -> bool {
        if !self.is_crowd {
            return self.closing().reaches(cop);
        }
        match self.roles.get(cop) {
            Some(&Role::ClosesIn(number)) => self.closing().reaches(number),
            Some(&Role::Approaches { reaches, .. }) => reaches,
            Some(Role::Covers) => true,
            None => false,
        }
    }

    fn keep_footprint(&mut self) {
        self.team.keep_footprint();
        self.joint.keep_footprint();
    }

    /// Without the part of the map that is covered: plans of teams depend on their paths only.
    fn add_footprint(&self, graph: &Graph, footprint: &mut Footprint) {
        self.closing().add_footprint(graph, footprint);
    }

    fn work(&self) -> Work {
        let running = self.running().map(SlicedSearch::work);
        self.work + running.unwrap_or_default()
    }
}

#[cfg(test)]
mod tests;
