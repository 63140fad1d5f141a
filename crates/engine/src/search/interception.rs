//! Plans for a team of cops: one chases, the others cut the robber off.

mod coarse;
mod crowd;
mod cut_off;
mod far;
mod flight;
mod flow;
mod known_routes;
pub(super) mod outside;
mod pathfinder;
mod ranking;
mod walk;

use super::joint_race::Bounds;
use super::level_costs::steps_without_walls;
use super::origin::SearchOrigin;
use super::{Distances, FOUND, Footprint, Maps, STALE, SearchStep, SlicedSearch, TrailMax};
use crate::abstraction::Hierarchy;
use crate::game::{Agent, State, Step, Work};
use crate::graph::{Graph, Vertex};
use crowd::SharedDistances;
use flight::Flight;
use outside::NearestCell;
use pathfinder::{Length, Pathfinder};

pub(crate) use known_routes::KnownRoutes;

/// A team with more cops is a crowd. So is a smaller one whose cops go straight for the robber, if one of them is near.
const SMALL_TEAM: usize = 32;

/// A cop is near a robber within this number of steps without walls. Exact distances around the robber help no other cop.
const NEAR_ENOUGH: u32 = 64;

/// On maps of at most this many vertex numbers, the distances of more than two cops are measured at once. On larger maps,
/// searching for the path of each cop costs less. Measured.
const SMALL_MAP: usize = 1 << 12;

/// Steps of a path for which memory is reserved.
pub(super) const KEPT: usize = 256;

/// The number of cops of a crowd that are planned for one by one.
const LEADERS: usize = 4;

/// Plans for all cops that chase one robber, on maps of any size: one chases, the others cut the robber off.
///
/// The cop that arrives first goes straight for the robber. For each further cop, [`TrailMax`](super::TrailMax) finds
/// the path of a robber that runs from the cops planned so far, and the cop goes to the first place of that path that
/// it reaches no later than the robber. If there is no such place, the race is run again against a chaser that keeps to
/// its chosen path, which leaves the other path round a block to this cop. If this cop is late there too, it goes to
/// the end of the first path. If three or more cops come for a robber that would stay where it is, all cops that are
/// not on the chaser's side of the robber go straight for it. Otherwise each could move back and forth behind a wall
/// for ever.
///
/// The map is searched as far as that is cheap, and the abstraction beyond that, as in
/// [`DaTrailMax`](super::DaTrailMax) for robbers (partial refinement, PRA*(K): N. Sturtevant and M.
/// Buro, AAAI 2005):
/// - A cop's path to the robber is a shortest path if it has at most 24 steps and a search of 300 expansions finds it. Such a
///   cop is near, all others are distant. Of equally short paths, the one that begins with its diagonal steps is taken.
/// - A distant cop that goes straight for the robber has a route on the coarse level (below).
/// - A path to a place where a cop cuts the robber off is a shortest path if the two are within 24 steps of each other without
///   walls, and not much farther with walls. A longer one is found on an abstract level and refined as far as [the caller
///   asks](Self::begin).
/// - The robber runs on the map if the race there is short, and otherwise on a coarse level: the lowest
///   on which no connected part has more than 300 vertices. In the latter case, a cop that is fewer than
///   about 60 steps from the robber goes straight for it, unless the cop is nearer to the chaser than to the
///   robber.
///
/// On maps of at most 4,096 vertices, the distances of three and more cops from the robber are measured at once and are
/// exact.
///
/// In a crowd of more than 32 cops, the four that arrive first are planned for in this way, except those that are
/// distant. All others go straight for the robber, along shared distances from it, which are measured once. On a
/// large map, only the nearest vertices are measured on the map: 32 for each cop, but at least 4,096 and at most
/// 8,192. All other cops are distant. A map is large if it has more than four times as many vertices as are measured on it; on
/// a smaller one, all distances are exact and the paths are shortest paths.
///
/// Two and more cops that do not cut the robber off share such distances too, if one of them is within 64 steps of the robber
/// without walls.
///
/// Distant cops are measured on a coarse level: the lowest on which no connected part has more than 2,000 vertices. The
/// route of a distant cop is the vertex of that level that represents the cop, and the next two on the way to the robber.
/// The cop walks straight to the middle of one of these two, if no wall is in the way and the walk leaves the cop's vertex
/// for one that is nearer to the robber. Otherwise the cop follows a shortest path to the middle of the last one among the
/// cells of the route. The steps of such paths are searched for all cells of a vertex at once, and kept for later plans. So
/// a distant cop always arrives at a robber that stays where it is, however often the cop plans anew. The paths of distant
/// cops are longer than the shortest, in a city by 1 % on average.
///
/// A cop without a path to the robber goes to the vertex that is nearest to the robber in a straight
/// line, among all vertices that the cop can reach, and waits there.
///
/// The plans depend on the positions and speeds of the agents, not on the order of the cops (a repaired
/// hierarchy may number vertices differently from a new one, and so break ties differently). Without a
/// hierarchy, or with that of another graph, everything is done on the map, and a cop without a path to
/// the robber searches only its surroundings.
///
/// A [`SlicedSearch`].
///
/// Cost: hardly depends on the size of the map. With `steps` = 16 and random positions: on a map of
/// 22,841 vertices, 7 µs for a cop alone and 20 µs for each of three cops that cut the robber off; on a
/// map of 799,311 vertices, 4 and 40 µs. In games on the former map, a plan for two cops that go straight takes 22 µs, and
/// one for eight 39 µs. In crowds of 100 and 1,000, less than one microsecond for each
/// cop, if other cops have crossed the same parts of the map before. Otherwise it costs up to 50 microseconds.
#[derive(Debug, Clone, Default)]
pub struct Interception {
    robber: Option<Agent>,
    team: Vec<MeasuredCop>,
    /// The members in the order in which they are planned for. Until all are measured, members whose distances are measured
    /// at once are in the order of their places.
    order: Vec<usize>,
    /// A path for each member. Entries beyond the members are spare memory.
    paths: Vec<Vec<Vertex>>,
    /// The cops that the robber runs from: those planned so far, or all that can reach it.
    chasers: Vec<Agent>,
    cuts_off: bool,
    /// The robber's reaction to all cops, and the race that showed this reaction.
    robber_does: RobberDoes,
    race_of_all: Option<RaceOfAll>,
    /// The robber's last paths from the cops planned so far: from the real chaser, and in a feint.
    trails: [Trail; 2],
    /// The number of turns by which the chaser is assumed to have advanced on its path.
    feint: u32,
    /// The end of the robber's path from the real chaser.
    end: Vertex,
    steps: usize,
    stage: PlanStage,
    pathfinder: Pathfinder,
    flight: Flight,
    outside: NearestCell,
    crowd: SharedDistances,
    began_on: Option<SearchOrigin>,
    keeps_footprint: bool,
    footprint: Footprint,
}

/// A cop and its distance.
#[derive(Debug, Clone, Copy)]
struct MeasuredCop {
    cop: Agent,
    reaches: bool,
    /// Steps to the robber: exact if it is near, estimated if it is far.
    steps: u32,
    length: Option<Length>,
    /// For a distant cop, the vertex of a coarse level that represents it.
    group: Option<Vertex>,
}

/// A path of the robber.
#[derive(Debug, Clone, Default)]
struct Trail {
    path: Vec<Vertex>,
    /// The number of planned cops from which the robber takes this path. A cop that is late everywhere on the path is taken not
    /// to change it: that cop only reaches a robber that waits at the end. With a new race for each cop, 4 % of the paths of
    /// cops differ, and teams play equally well.
    rivals: usize,
}

/// The next piece of work. Ranks are places in the order.
///
/// ```text
/// Spread -> SpreadFar (a crowd, or a small map) -> Measure (each member) -> Plan (each rank) -> Done
/// Measure -> SpreadFar -> Plan   distant cops of a small team
/// Plan -> Go                     straight for the robber, or as near as the cop gets
/// Plan -> Walk                   the same for a distant cop; Walk may go on to Flow, and Flow to Walk
/// Plan -> Run -> Meet            cut off on the map; Meet may go back to Run for a feint
/// Plan -> RunCoarse -> MeetCoarse -> Refine    cut off on a coarse level
/// Go, Meet -> Far                where the path is long
/// Go, Walk, Meet, Refine, Far -> Plan  the next rank
/// ```
#[derive(Debug, Clone, Copy, Default)]
enum PlanStage {
    #[default]
    Done,
    /// The distances of all vertices near the robber.
    Spread,
    /// The distances of distant cops, on a coarse level.
    SpreadFar,
    /// The distance of a member from the robber.
    Measure { member: usize, doing: Doing },
    /// The cop of a rank.
    Plan { rank: usize },
    /// Computes the robber's flight on the map.
    Run { rank: usize, from: Rivals },
    /// Checks whether a cop arrives no later than the robber at the robber's place after `turn` turns.
    Meet {
        rank: usize,
        turn: u32,
        doing: Doing,
    },
    /// Computes the robber's flight on a coarse level.
    RunCoarse { rank: usize, begun: bool },
    /// Finds where a cop meets the robber on that level.
    MeetCoarse { rank: usize, begun: bool },
    /// Refines the path to that place.
    Refine { rank: usize },
    /// Finds a path to a vertex.
    Go {
        rank: usize,
        to: Vertex,
        begun: bool,
    },
    /// Goes straight for a distant robber.
    Walk { rank: usize },
    /// Searches for the next steps of a distant cop and of all cops near it.
    Flow { rank: usize },
    /// Finds the first steps of a long path.
    Far { rank: usize },
}

/// The progress of measuring a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Doing {
    #[default]
    Begin,
    Measure,
    /// The path is too long to be measured; its length is estimated.
    Estimate,
}

/// The cops that the robber runs from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rivals {
    /// All cops.
    All,
    /// The cops planned so far.
    Decided,
    /// The cops planned so far, with the chaser advanced on its path.
    Feint,
}

/// A finished race of all cops against the robber, by canonical wavefronts.
#[derive(Debug, Clone, Copy)]
pub(super) struct RaceOfAll {
    pub(super) expansions: u64,
    pub(super) bounds: Bounds,
}

/// The robber's reaction to all cops.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum RobberDoes {
    /// It runs, or its reaction is unknown.
    #[default]
    Run,
    /// It stays where it is.
    Stay,
    /// It stays free for too long to race on the map.
    GoFar,
}

impl Interception {
    /// A planner without memory yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Starts to plan for all cops of a state with the cops to move. Forgets the previous plans.
    ///
    /// With `cut_off`, one cop chases and the others cut the robber off; without it, all cops go
    /// straight for the robber. At least `steps` steps of each path are computed, or all of a shorter
    /// path.
    ///
    /// # Panics
    /// If an agent stands on a vertex of another, larger graph.
    pub fn begin(
        &mut self,
        graph: &Graph,
        hierarchy: Option<&Hierarchy>,
        state: &State<'_>,
        cut_off: bool,
        steps: usize,
    ) {
        let hierarchy = hierarchy.filter(|all| all.serves(graph));
        self.began_on = Some(SearchOrigin::of(graph, hierarchy));
        self.robber = Some(state.robber);
        (self.cuts_off, self.steps) = (cut_off, steps);
        (self.robber_does, self.race_of_all) = (RobberDoes::Run, None);
        self.pathfinder.forget(graph);
        self.flight.forget();
        self.outside.forget();
        self.crowd.forget();
        if self.keeps_footprint {
            self.footprint.clear(graph.width(), graph.height());
        }
        let robbers = state.robber.at;
        let place = graph.cell(robbers);
        let apart = |cop: &Agent| steps_without_walls(graph.moves(), graph.cell(cop.at), place);
        let is_near = |cop: &Agent| apart(cop) <= NEAR_ENOUGH;
        let goes_straight = !cut_off && state.cops.len() > 1;
        let is_crowd =
            state.cops.len() > SMALL_TEAM || goes_straight && state.cops.iter().any(is_near);
        let is_small = cut_off && state.cops.len() > 2 && graph.slots() <= SMALL_MAP;
        let is_shared = is_crowd || is_small;
        // Where distances are shared, only the cops that are not found near the robber are looked at.
        let reaches = |cop| is_shared || hierarchy.is_none_or(|all| all.connected(cop, robbers));
        let member = |&cop: &Agent| MeasuredCop {
            cop,
            reaches: reaches(cop.at),
            steps: 0,
            length: None,
            group: None,
        };
        self.team.clear();
        self.team.extend(state.cops.iter().map(member));
        self.order.clear();
        if is_shared {
            self.crowd.by_place(graph, &self.team, &mut self.order);
        }
        self.chasers.clear();
        self.trails.iter_mut().for_each(|trail| trail.rivals = 0);
        self.paths.iter_mut().for_each(Vec::clear);
        if self.paths.len() < self.team.len() {
            self.paths.resize_with(self.team.len(), Vec::new);
        }
        self.stage = PlanStage::Measure {
            member: 0,
            doing: Doing::Begin,
        };
        if is_shared {
            let crowd = is_crowd.then_some(state.cops.len());
            self.crowd
                .begin(Maps { graph, hierarchy }, state.robber.at, crowd);
            self.stage = PlanStage::Spread;
        }
    }

    /// Begins the search and runs it to the end.
    ///
    /// # Panics
    /// As [`Interception::begin`].
    pub fn solve(
        &mut self,
        graph: &Graph,
        hierarchy: Option<&Hierarchy>,
        state: &State<'_>,
        cut_off: bool,
        steps: usize,
    ) {
        self.begin(graph, hierarchy, state, cut_off, steps);
        self.finish(graph, hierarchy);
    }

    const fn is_done(&self) -> bool {
        matches!(self.stage, PlanStage::Done)
    }

    /// The search for flights on the map, which this plan no longer needs once it is done. Also returns whether it holds
    /// the unfinished race of all cops that reach the robber, with the cops to move.
    pub(super) const fn race(&mut self) -> (&mut TrailMax, bool) {
        // Where the race of all cops was too long, no other race on the map follows it.
        let is_of_all = matches!(self.robber_does, RobberDoes::GoFar);
        (self.flight.ground(), is_of_all)
    }

    /// The sum of the distances of all cops that can reach the robber, in steps; estimated where they are far.
    pub(super) fn steps_of_all(&self) -> u64 {
        let reaching = self.team.iter().filter(|member| member.reaches);
        reaching.map(|member| u64::from(member.steps)).sum()
    }

    /// The race of all cops that reach the robber, with the cops to move, if this plan has finished such a race.
    pub(super) const fn race_of_all(&self) -> Option<RaceOfAll> {
        self.race_of_all
    }

    /// Swaps the distances from the robber with those of the caller, if this plan has measured them. The plan has to be
    /// done. Returns whether the distances were swapped.
    pub(super) const fn swap_distances(&mut self, distances: &mut Distances) -> bool {
        self.crowd.swap_distances(distances)
    }

    /// Does a piece of work of at most `budget` expansions. Returns the next piece.
    fn go_on(&mut self, maps: Maps<'_>, budget: u64) -> PlanStage {
        let Some(robber) = self.robber else {
            return PlanStage::Done;
        };
        match self.stage {
            PlanStage::Done => PlanStage::Done,
            PlanStage::Spread => self.spread(maps, robber.at, budget),
            PlanStage::SpreadFar => self.spread_far(maps, budget),
            PlanStage::Walk { rank } => self.walk_all(maps, robber, rank, budget),
            PlanStage::Flow { rank } => self.search_flow(maps, rank, budget),
            PlanStage::Measure { member, doing } => {
                self.measure(maps, robber, member, doing, budget)
            }
            PlanStage::Plan { rank } => self.plan(maps, robber, rank),
            PlanStage::Run { rank, from } => self.run(maps, robber, rank, from, budget),
            PlanStage::Meet { rank, turn, doing } => {
                self.meet(maps, robber, rank, turn, doing, budget)
            }
            PlanStage::RunCoarse { rank, begun } => {
                self.run_coarse(maps, robber, rank, begun, budget)
            }
            PlanStage::MeetCoarse { rank, begun } => {
                self.meet_coarse(maps, robber, rank, begun, budget)
            }
            PlanStage::Refine { rank } => self.refine(maps, rank, budget),
            PlanStage::Go { rank, to, begun } => self.go(maps, rank, to, begun, budget),
            PlanStage::Far { rank } => self.go_far(maps, rank, budget),
        }
    }

    /// Begins to plan for the cop of a rank.
    fn plan(&mut self, maps: Maps<'_>, robber: Agent, rank: usize) -> PlanStage {
        let Some(&index) = self.order.get(rank) else {
            return PlanStage::Done;
        };
        if self.follows(rank)
            && let Some(stage) = self.follow(maps, robber, rank)
        {
            return stage;
        }
        let member = self.team[index];
        if !member.reaches {
            let seen = self.keeps_footprint.then_some(&mut self.footprint);
            let to = self.outside.find(maps, member.cop.at, robber.at, seen);
            return PlanStage::Go {
                rank,
                to,
                begun: false,
            };
        }
        self.write_shared_path(maps, rank);
        if rank == 0 || !self.cuts_off {
            return self.go_straight(maps, robber, rank);
        }
        self.cut_off(maps, robber, rank)
    }

    /// Sends a cop straight for the robber.
    fn go_straight(&mut self, maps: Maps<'_>, robber: Agent, rank: usize) -> PlanStage {
        let index = self.order[rank];
        let MeasuredCop {
            cop, length, group, ..
        } = self.team[index];
        if group.is_some() {
            self.paths[index].clear();
            return PlanStage::Walk { rank };
        }
        match length {
            // The path was written when it was measured.
            Some(Length::Steps(_)) => Self::next(rank),
            Some(length) => {
                self.pathfinder.set(cop.at, robber.at);
                self.set_out(maps, rank, length)
            }
            None => PlanStage::Go {
                rank,
                to: robber.at,
                begun: false,
            },
        }
    }

    /// Sends a cop to a vertex.
    fn go(
        &mut self,
        maps: Maps<'_>,
        rank: usize,
        to: Vertex,
        begun: bool,
        budget: u64,
    ) -> PlanStage {
        if !begun {
            let cop = self.team[self.order[rank]].cop;
            let bound = self.crowd.least_steps(cop.at, to);
            self.pathfinder.begin(maps, cop.at, to, bound);
        }
        match self.pathfinder.measure(maps, budget) {
            Some(length) => self.set_out(maps, rank, length),
            None => PlanStage::Go {
                rank,
                to,
                begun: true,
            },
        }
    }

    /// Uses the path that was measured last.
    fn set_out(&mut self, maps: Maps<'_>, rank: usize, length: Length) -> PlanStage {
        if matches!(length, Length::AtLeast(_)) {
            self.pathfinder.begin_far(maps, self.steps);
            return PlanStage::Far { rank };
        }
        self.take_path(rank)
    }

    fn go_far(&mut self, maps: Maps<'_>, rank: usize, budget: u64) -> PlanStage {
        if self.pathfinder.go_far(maps, budget) {
            self.take_path(rank)
        } else {
            PlanStage::Far { rank }
        }
    }

    fn take_path(&mut self, rank: usize) -> PlanStage {
        let path = &mut self.paths[self.order[rank]];
        path.clear();
        path.extend_from_slice(self.pathfinder.path());
        Self::next(rank)
    }

    const fn next(rank: usize) -> PlanStage {
        PlanStage::Plan { rank: rank + 1 }
    }
}

impl SlicedSearch for Interception {
    /// A cop without a path to the robber, or a distant cop, may take 500 expansions more than `budget`.
    fn advance(&mut self, graph: &Graph, hierarchy: Option<&Hierarchy>, budget: u32) -> SearchStep {
        let hierarchy = hierarchy.filter(|all| all.serves(graph));
        if self.began_on != Some(SearchOrigin::of(graph, hierarchy)) {
            return STALE;
        }
        let maps = Maps { graph, hierarchy };
        let end = self.work().expansions + u64::from(budget);
        while !self.is_done() && self.work().expansions < end {
            self.stage = self.go_on(maps, end - self.work().expansions);
            if self.is_done() && self.keeps_footprint {
                self.pathfinder.footprint(&mut self.footprint);
            }
        }
        if self.is_done() { FOUND } else { Step::Working }
    }

    fn path_of(&self, cop: usize) -> &[Vertex] {
        if self.is_done() && cop < self.team.len() {
            &self.paths[cop]
        } else {
            &[]
        }
    }

    /// Appends nothing before the search is done.
    fn best_so_far(&self, _: &Graph, path: &mut Vec<Vertex>) {
        path.extend_from_slice(self.path_of(0));
    }

    fn is_complete(&self, cop: usize) -> bool {
        self.path_of(cop).len() < self.steps
    }

    fn reaches(&self, cop: usize) -> bool {
        self.team.get(cop).is_some_and(|member| member.reaches)
    }

    fn keep_footprint(&mut self) {
        self.keeps_footprint = true;
        self.pathfinder.keep_footprint();
    }

    /// The notes on footprints at [`Descent`](super::Descent) hold here too.
    fn add_footprint(&self, _: &Graph, footprint: &mut Footprint) {
        if self.keeps_footprint {
            footprint.union(&self.footprint);
        }
    }

    /// Eight expansions of a race on an octile map against a robber of one step per turn count as one,
    /// since they cost as much as one other expansion.
    fn work(&self) -> Work {
        let work = self.pathfinder.work() + self.flight.work() + self.crowd.work();
        work + self.outside.work()
    }
}
