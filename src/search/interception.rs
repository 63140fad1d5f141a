mod flight;
mod outside;
mod ways;

use super::{Dice, Footprint, Progress};
use crate::abstraction::{Hierarchy, Lineage};
use crate::game::{Agent, Side, State};
use crate::graph::{Fingerprint, Graph, Vertex};
use flight::{Flight, Ground};
use outside::Outside;
use ways::{Length, Ways, least_steps};

/// A chaser is thought to be so many steps from the robber at least.
const LEFT: usize = 2;

/// Plans for all cops of one robber: one chases, each further one blocks the best way that is left.
///
/// The cop that is there first goes straight for the robber. Each next one asks
/// [`TrailMax`](super::TrailMax) how the robber would run from the cops before it, and goes where it
/// meets the robber on that path first; if it comes too late everywhere, to the path's end.
#[derive(Debug, Clone, Default)]
pub struct Interception {
    robber: Option<Agent>,
    team: Vec<Member>,
    /// The members in the order in which they are planned for.
    order: Vec<usize>,
    /// For each member, and more for later teams.
    paths: Vec<Vec<Vertex>>,
    /// The cops that are planned for already.
    decided: Vec<Agent>,
    /// Where the chaser is thought to be, after so many turns more than it has had.
    feint: Option<(Agent, u32)>,
    /// Where a cop goes if it is late for a feint as well.
    late_end: Vertex,
    cuts_off: bool,
    stays: bool,
    far: bool,
    steps: usize,
    stage: Stage,
    ways: Ways,
    flight: Flight,
    outside: Outside,
    /// Of the map and the hierarchy that the search began on.
    began_on: Option<(Fingerprint, Option<Lineage>)>,
    keeps_footprint: bool,
    footprint: Footprint,
    outside_expansions: u64,
}

/// What is known of a cop.
#[derive(Debug, Clone, Copy)]
struct Member {
    cop: Agent,
    reaches: bool,
    /// To the robber, about where it is far.
    steps: u32,
    /// Is the path to the robber known?
    is_near: bool,
}

/// What is done next. Ranks are places in the order.
#[derive(Debug, Clone, Copy, Default)]
enum Stage {
    #[default]
    Done,
    /// How far a member is from the robber; the search has begun or not.
    Measure { member: usize, begun: bool },
    /// Someone's turn.
    Plan { rank: usize },
    /// The robber runs on the map.
    Run { rank: usize },
    /// Where a cop is as soon as the robber after so many of its turns.
    Meet { rank: usize, turn: u32, begun: bool },
    /// The robber runs on the field.
    Field { rank: usize },
    /// A way to a vertex.
    Go {
        rank: usize,
        to: Vertex,
        begun: bool,
    },
}

impl Interception {
    /// A planner without memory yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Gathers the footprint of each plan from now on.
    pub fn keep_footprint(&mut self) {
        self.keeps_footprint = true;
        self.ways.keep_footprint();
    }

    /// Starts to plan for all cops of a state, the cops to move, forgetting the plans before.
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
        let hierarchy = hierarchy.filter(|all| all.is_of(graph));
        self.began_on = Some((graph.fingerprint(), hierarchy.map(Hierarchy::lineage)));
        self.robber = Some(state.robber);
        (self.cuts_off, self.steps) = (cut_off, steps);
        self.stays = false;
        self.ways.forget(graph);
        self.flight.forget();
        self.outside_expansions = 0;
        if self.keeps_footprint {
            self.footprint.clear(graph.width(), graph.height());
        }
        let member = |&cop: &Agent| Member {
            cop,
            reaches: hierarchy.is_none_or(|all| all.connected(cop.at, state.robber.at)),
            steps: 0,
            is_near: false,
        };
        self.team.clear();
        self.team.extend(state.cops.iter().map(member));
        self.order.clear();
        self.decided.clear();
        for path in &mut self.paths {
            path.clear();
        }
        if self.paths.len() < self.team.len() {
            self.paths.resize_with(self.team.len(), Vec::new);
        }
        self.stage = Stage::Measure {
            member: 0,
            begun: false,
        };
    }

    /// Plans on for at most `budget` expansions and a few hundred more.
    pub fn advance(
        &mut self,
        graph: &Graph,
        hierarchy: Option<&Hierarchy>,
        budget: u32,
    ) -> Progress {
        let hierarchy = hierarchy.filter(|all| all.is_of(graph));
        if self.began_on != Some((graph.fingerprint(), hierarchy.map(Hierarchy::lineage))) {
            return Progress::Stale;
        }
        let end = self.expansions() + u64::from(budget);
        while !self.is_done() && self.expansions() < end {
            self.stage = self.go_on(graph, hierarchy, end - self.expansions());
            if self.is_done() && self.keeps_footprint {
                self.ways.footprint(&mut self.footprint);
            }
        }
        if self.is_done() {
            Progress::Done
        } else {
            Progress::Running
        }
    }

    /// Begins, runs to the end and tells [whether](Progress::Done) there are plans.
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
        while self.advance(graph, hierarchy, u32::MAX) == Progress::Running {}
    }

    const fn is_done(&self) -> bool {
        matches!(self.stage, Stage::Done)
    }

    /// A piece of work of at most `budget` expansions, or some hundreds; what comes after it.
    fn go_on(&mut self, graph: &Graph, hierarchy: Option<&Hierarchy>, budget: u64) -> Stage {
        let Some(robber) = self.robber else {
            return Stage::Done;
        };
        match self.stage {
            Stage::Done => Stage::Done,
            Stage::Measure { member, begun } => {
                self.measure(graph, hierarchy, robber, (member, begun), budget)
            }
            Stage::Plan { rank } => self.plan(graph, hierarchy, robber, rank),
            Stage::Run { rank } => self.run(graph, hierarchy, robber, rank, budget),
            Stage::Meet { rank, turn, begun } => {
                self.meet(graph, hierarchy, robber, (rank, turn, begun), budget)
            }
            Stage::Field { rank } => self.field(graph, hierarchy, robber, rank),
            Stage::Go { rank, to, begun } => self.go(graph, hierarchy, (rank, to, begun), budget),
        }
    }

    /// Measures how far a member is from the robber.
    fn measure(
        &mut self,
        graph: &Graph,
        hierarchy: Option<&Hierarchy>,
        robber: Agent,
        (index, begun): (usize, bool),
        budget: u64,
    ) -> Stage {
        let next = Stage::Measure {
            member: index + 1,
            begun: false,
        };
        let Some(member) = self.team.get_mut(index) else {
            self.sort(graph, hierarchy, robber);
            return Stage::Plan { rank: 0 };
        };
        if !member.reaches {
            return next;
        }
        let has_levels = hierarchy.is_some();
        if !begun {
            let ends = (member.cop.at, robber.at);
            self.ways.begin(graph, ends, has_levels);
        }
        let Some(length) = self.ways.measure(graph, has_levels, budget) else {
            return Stage::Measure {
                member: index,
                begun: true,
            };
        };
        match length {
            Length::Steps(steps) => {
                (member.steps, member.is_near) = (steps, true);
                self.paths[index].extend_from_slice(self.ways.path());
            }
            Length::AtLeast(steps) => {
                let about = hierarchy.map_or(0, |all| self.ways.estimate(graph, all));
                member.steps = steps.max(about);
            }
            Length::Endless => member.reaches = false,
        }
        next
    }

    /// Who is there first is planned for first, whatever the order of the cops.
    fn sort(&mut self, graph: &Graph, hierarchy: Option<&Hierarchy>, robber: Agent) {
        self.order.extend(0..self.team.len());
        let team = &self.team;
        self.order.sort_unstable_by_key(|&index| {
            let Member {
                cop,
                reaches,
                steps,
                ..
            } = team[index];
            let turns = steps.div_ceil(cop.speed.steps().into());
            let crow = graph.cell(cop.at).squared_distance(graph.cell(robber.at));
            (!reaches, turns, crow, cop.at, cop.speed, index)
        });
        if self.keeps_footprint
            && let Some(hierarchy) = hierarchy
        {
            self.see_walls(graph, hierarchy, robber);
        }
    }

    /// Adds what keeps cops from the robber to the footprint: for each cop that cannot come the part
    /// of the map that it is in, or that the robber is in if that is smaller.
    fn see_walls(&mut self, graph: &Graph, hierarchy: &Hierarchy, robber: Agent) {
        let part = |at| {
            let top = hierarchy.levels() - 1;
            let stands = hierarchy.ancestor(at, top);
            stands.map_or((graph.cell(at), graph.cell(at)), |all| {
                hierarchy.bounds(graph, top, all)
            })
        };
        let cells = |&(min, max): &(crate::map::Cell, crate::map::Cell)| {
            (u32::from(max.x - min.x) + 1) * (u32::from(max.y - min.y) + 1)
        };
        let robbers = part(robber.at);
        for member in self.team.iter().filter(|member| !member.reaches) {
            let (min, max) = std::cmp::min_by_key(part(member.cop.at), robbers, cells);
            self.footprint.insert_rectangle(min, max);
        }
    }

    /// What the cop of a rank does.
    fn plan(
        &mut self,
        graph: &Graph,
        hierarchy: Option<&Hierarchy>,
        robber: Agent,
        rank: usize,
    ) -> Stage {
        let Some(&index) = self.order.get(rank) else {
            return Stage::Done;
        };
        let member = self.team[index];
        if !member.reaches {
            let cell = graph.cell(robber.at);
            let seen = self.keeps_footprint.then_some(&mut self.footprint);
            let to = self
                .outside
                .find(graph, hierarchy, member.cop.at, cell, seen);
            self.outside_expansions += self.outside.expansions();
            return Stage::Go {
                rank,
                to,
                begun: false,
            };
        }
        if self.decided.is_empty() || !self.cuts_off {
            return self.go_straight(robber, rank);
        }
        let state = State {
            robber,
            cops: &self.decided,
            to_move: Side::Cops,
        };
        if rank == 1 {
            let all: Vec<Agent> = self
                .team
                .iter()
                .filter(|m| m.reaches)
                .map(|m| m.cop)
                .collect();
            let state = State {
                cops: &all,
                ..state
            };
            self.flight.begin(graph, &state, hierarchy.is_some());
            let over = self.flight.advance(graph, u64::MAX);
            self.far = over == Some(Ground::Endless)
                && hierarchy.is_some()
                && std::env::var("NOFAR").is_err();
            self.stays = over == Some(Ground::Over)
                && self.flight.path().len()
                    <= std::env::var("STAY").map_or(0, |x| x.parse().unwrap());
        }
        let r: Vec<usize> = std::env::var("RANKS")
            .unwrap_or("1,9".into())
            .split(',')
            .map(|x| x.parse().unwrap())
            .collect();
        if self.stays
            && rank >= r[0]
            && rank <= r[1]
            && (self.team.len() > 2 || std::env::var("TWO").is_ok())
            && !self.same_side(graph, index)
        {
            return self.go_straight(robber, rank);
        }
        self.paths[index].clear();
        if self.far {
            return Stage::Field { rank };
        }
        self.flight.begin(graph, &state, hierarchy.is_some());
        self.feint = None;
        Stage::Run { rank }
    }

    fn same_side(&self, graph: &Graph, index: usize) -> bool {
        let first = self.order[0];
        if !self.team[index].is_near || !self.team[first].is_near {
            return std::env::var("FARSAME").is_ok();
        }
        let back: usize = std::env::var("BACK").map_or(3, |x| x.parse().unwrap());
        let (a, b) = (&self.paths[first], &self.paths[index]);
        if a.len() < back + 1 || b.len() < back + 1 {
            return std::env::var("SHORTSAME").is_ok();
        }
        let (a, b) = (a[a.len() - back], b[b.len() - back]);
        graph.cell(a).max_norm(graph.cell(b)) <= 1
    }

    /// The cop is late wherever the robber runs from a chaser that may come by any way. How does it
    /// run from one that comes by the way it has chosen?
    fn feint(
        &mut self,
        graph: &Graph,
        hierarchy: Option<&Hierarchy>,
        robber: Agent,
        rank: usize,
    ) -> Option<Stage> {
        let first = self.order[0];
        let chaser = self.team[first].cop;
        let path = &self.paths[first];
        let speed = usize::from(chaser.speed.steps());
        let left = if self.team[first].is_near { LEFT } else { 0 };
        let turns = path.len().saturating_sub(left) / speed;
        let at = path[..turns * speed].last().copied()?;
        if self.feint.is_some() || at == robber.at {
            return None;
        }
        let ahead = Agent { at, ..chaser };
        self.feint = Some((ahead, turns as u32));
        self.decided[0] = ahead;
        let state = State {
            robber,
            cops: &self.decided,
            to_move: Side::Robber,
        };
        self.flight.begin(graph, &state, hierarchy.is_some());
        self.decided[0] = chaser;
        Some(Stage::Run { rank })
    }

    /// Straight for the robber.
    fn go_straight(&mut self, robber: Agent, rank: usize) -> Stage {
        let index = self.order[rank];
        if self.team[index].is_near && !self.paths[index].is_empty() {
            return self.next(rank);
        }
        Stage::Go {
            rank,
            to: robber.at,
            begun: false,
        }
    }

    fn next(&mut self, rank: usize) -> Stage {
        self.decided.push(self.team[self.order[rank]].cop);
        Stage::Plan { rank: rank + 1 }
    }

    /// The robber runs from the cops that are planned for.
    fn run(
        &mut self,
        graph: &Graph,
        hierarchy: Option<&Hierarchy>,
        robber: Agent,
        rank: usize,
        budget: u64,
    ) -> Stage {
        let Some(ground) = self.flight.advance(graph, budget) else {
            return Stage::Run { rank };
        };
        if self.keeps_footprint {
            let state = State {
                robber,
                cops: &self.decided,
                to_move: Side::Cops,
            };
            self.flight
                .ground_footprint(graph, &state, &mut self.footprint);
        }
        if ground == Ground::Endless && self.feint.is_some() {
            return Stage::Go {
                rank,
                to: self.late_end,
                begun: false,
            };
        }
        match (ground, hierarchy) {
            (Ground::Endless, Some(_)) => Stage::Field { rank },
            _ => Stage::Meet {
                rank,
                turn: 0,
                begun: false,
            },
        }
    }

    /// Where the robber is after so many turns of its way on the map, and whether it is the end.
    fn place(&self, robber: Agent, turn: u32) -> (Vertex, bool) {
        let path = self.flight.path();
        let steps = turn as usize * usize::from(robber.speed.steps());
        let steps = steps.min(path.len());
        let place = steps.checked_sub(1).map_or(robber.at, |last| path[last]);
        (place, steps == path.len())
    }

    /// Looks whether a cop is as soon as the robber where that is after some turns, or later.
    fn meet(
        &mut self,
        graph: &Graph,
        hierarchy: Option<&Hierarchy>,
        robber: Agent,
        (rank, mut turn, mut begun): (usize, u32, bool),
        budget: u64,
    ) -> Stage {
        let cop = self.team[self.order[rank]].cop;
        let (speed, closing) = (
            u32::from(cop.speed.steps()),
            u32::from(cop.speed.steps()) + u32::from(robber.speed.steps()),
        );
        loop {
            let (place, is_end) = self.place(robber, turn);
            // The cops move first.
            let extra = self.feint.map_or(1, |(_, turns)| turns);
            let reach = speed.saturating_mul(turn + extra);
            let least = least_steps(graph, (cop.at, place));
            if !begun && least > reach && !is_end {
                // The robber comes nearer by no more than it runs.
                turn += (least - reach).div_ceil(closing);
                continue;
            }
            if !begun {
                self.ways.begin(graph, (cop.at, place), hierarchy.is_some());
                begun = true;
            }
            let length = self.ways.measure(graph, hierarchy.is_some(), budget);
            let steps = match (length, hierarchy) {
                (None, _) => return Stage::Meet { rank, turn, begun },
                (Some(Length::Steps(steps)), _) => steps,
                (Some(Length::AtLeast(steps)), Some(all)) if steps <= reach && !is_end => {
                    steps.max(self.ways.estimate(graph, all))
                }
                (Some(Length::AtLeast(steps)), _) => steps,
                (Some(Length::Endless), _) => u32::MAX,
            };
            if steps > reach && is_end {
                if self.feint.is_some() {
                    if std::env::var("LATE").is_ok_and(|x| x.parse::<usize>().unwrap() <= rank) {
                        return self.go_straight(robber, rank);
                    }
                    return Stage::Go {
                        rank,
                        to: self.late_end,
                        begun: false,
                    };
                }
                self.late_end = place;
                if let Some(stage) = self.feint(graph, hierarchy, robber, rank) {
                    return stage;
                }
            }
            if steps <= reach || is_end {
                return self.set_out(graph, hierarchy, rank, length);
            }
            turn += (steps - reach).div_ceil(closing);
            return Stage::Meet {
                rank,
                turn,
                begun: false,
            };
        }
    }

    /// Takes the way that was measured last.
    fn set_out(
        &mut self,
        graph: &Graph,
        hierarchy: Option<&Hierarchy>,
        rank: usize,
        length: Option<Length>,
    ) -> Stage {
        if let (Some(Length::AtLeast(_)), Some(hierarchy)) = (length, hierarchy) {
            self.ways.go_far(graph, hierarchy, self.steps);
        }
        let path = &mut self.paths[self.order[rank]];
        path.clear();
        path.extend_from_slice(self.ways.path());
        self.next(rank)
    }

    /// The robber runs on the field, and the cop goes where it meets it.
    fn field(
        &mut self,
        graph: &Graph,
        hierarchy: Option<&Hierarchy>,
        robber: Agent,
        rank: usize,
    ) -> Stage {
        let Some(hierarchy) = hierarchy else {
            return self.go_straight(robber, rank);
        };
        let cop = self.team[self.order[rank]].cop;
        let runs = self
            .flight
            .run_on_field(graph, hierarchy, robber, &self.decided, false);
        if self.keeps_footprint {
            self.flight.field_footprint(hierarchy, &mut self.footprint);
        }
        if !runs {
            return self.go_straight(robber, rank);
        }
        let mut path = self.flight.meet_on_field(hierarchy, cop, robber);
        let copy: Vec<Vertex>;
        if !path.2 && std::env::var("FF").is_err() {
            copy = path.1.to_vec();
            let level = path.0;
            let runs = self
                .flight
                .run_on_field(graph, hierarchy, robber, &self.decided, true);
            if runs {
                path = self.flight.meet_on_field(hierarchy, cop, robber);
                if !path.2 {
                    path = (level, &copy, false);
                }
            } else {
                path = (level, &copy, false);
            }
        }
        let path = (path.0, path.1);
        let last = path.1.last().copied();
        if last.is_none() || last == hierarchy.ancestor(robber.at, path.0) {
            return self.go_straight(robber, rank);
        }
        let dice = &mut Dice::new(0);
        let refiner = &mut self.ways.refiner;
        let way = refiner.refine(graph, hierarchy, path, cop.at, self.steps, dice);
        self.paths[self.order[rank]].extend_from_slice(way);
        self.ways.count_refiner();
        self.next(rank)
    }

    /// Goes to a vertex.
    fn go(
        &mut self,
        graph: &Graph,
        hierarchy: Option<&Hierarchy>,
        (rank, to, begun): (usize, Vertex, bool),
        budget: u64,
    ) -> Stage {
        let member = self.team[self.order[rank]];
        if !begun {
            let ends = (member.cop.at, to);
            self.ways.begin(graph, ends, hierarchy.is_some());
        }
        let length = self.ways.measure(graph, hierarchy.is_some(), budget);
        if length.is_none() {
            return Stage::Go {
                rank,
                to,
                begun: true,
            };
        }
        self.set_out(graph, hierarchy, rank, length)
    }

    /// The path of the cop with this index in the state's cops, without its start; empty to wait,
    /// and while the search runs.
    #[must_use]
    pub fn path(&self, cop: usize) -> &[Vertex] {
        if self.is_done() && cop < self.team.len() {
            &self.paths[cop]
        } else {
            &[]
        }
    }

    /// Can the cop reach the robber at all? Known once the search is done.
    #[must_use]
    pub fn reaches(&self, cop: usize) -> bool {
        self.team.get(cop).is_some_and(|member| member.reaches)
    }

    /// What the plans depend on, if it is [kept](Self::keep_footprint) and the search is done.
    #[must_use]
    pub const fn footprint(&self) -> &Footprint {
        &self.footprint
    }

    /// Expansions of all searches, on the map and above.
    #[must_use]
    pub const fn expansions(&self) -> u64 {
        self.ways.effort().0 + self.flight.effort().0 + self.outside_expansions
    }

    /// Neighbours looked at.
    #[must_use]
    pub const fn touched(&self) -> u64 {
        self.ways.effort().1 + self.flight.effort().1
    }
}
