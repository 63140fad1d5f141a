//! Which region is worth a table: what the robber reaches before the cops, and some more.

use super::network::EndgameNetwork;
use super::region::{self, Region};
use super::waits;
use crate::game::{Agent, Rules, Side, State, Step};
use crate::graph::{Graph, Vertex, VisitedSet};
use serde::{Deserialize, Serialize};
use std::num::NonZeroU8;

/// The most vertices of a region, by its number of players. Each has at most two and a half million positions, a table
/// of some ten milliseconds.
const MOST_VERTICES: [usize; 2] = [1_500, 170];

/// The part of a region, in quarters, that the robber may reach before the cops.
const MOST_AREA_IN_QUARTERS: usize = 3;

/// The most vertices of a region with a guard that is still on its way.
const GUARDED_VERTICES: usize = 700;

/// The most places where such a guard is tried.
const MOST_POSTS: usize = 4;

/// The most vertices of a region in which a robber is safe.
pub(super) const REFUGE_VERTICES: usize = 400;

/// The most vertices that the cops may reach until the robber has nowhere to go, and the most vertices that are
/// searched for the nearest cops.
const MOST_TAKEN: usize = 5_000;
const MOST_SCANNED: usize = 700;

/// The most steps of the choice of a region.
const MOST_STEPS: u32 = 1_000;

/// The cost of a step of the choice of a region, in expansions, about.
const EXPANSIONS_OF_A_STEP: u64 = 64;

/// The kind of region that is grown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) enum RegionKind {
    /// A small region with two players, in which further cops are guards. If the robber's area is too large for it, the
    /// next kind.
    #[default]
    Pair,
    /// A small region with two players or none.
    PairOnly,
    /// A large region with one player.
    Single,
    /// A region with one player, and a guard that is still on its way.
    Guarded,
}

impl RegionKind {
    /// The kind that is grown after this one.
    pub(super) const fn next(self) -> Self {
        match self {
            Self::Pair => Self::Single,
            Self::Single => Self::Guarded,
            Self::PairOnly | Self::Guarded => Self::Pair,
        }
    }
}

/// A position for which a region is chosen, and the progress of the choice.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Chase {
    robber: Agent,
    cops: Vec<Agent>,
    kind: RegionKind,
    /// The number of steps that are done. Work is cut in the same way whatever the budget, so this number determines
    /// the progress.
    steps: u32,
}

impl Chase {
    /// Returns whether the agents stand on a map of `slots` vertices, and whether the number of steps is possible.
    pub(super) fn is_sound(&self, slots: usize) -> bool {
        let mut agents = self.cops.iter().chain([&self.robber]);
        agents.all(|agent| agent.at.index() < slots) && self.steps <= MOST_STEPS
    }
}

/// The current part of the work.
#[derive(Debug, Clone, Copy, Default)]
enum GrowthStage {
    /// Both sides run everywhere at once.
    #[default]
    Race,
    /// The vertices around the robber's area are found.
    Around,
}

/// Where a guard may stand.
#[derive(Debug, Clone)]
struct Post {
    at: Vertex,
    /// The number of the cop that comes.
    guard: usize,
    /// The vertices that it closes, in order.
    closed: Vec<Vertex>,
}

/// Grows regions, in steps. Reuses its memory.
#[derive(Debug, Clone, Default)]
pub(super) struct Growth {
    /// The vertices that the cops have reached, their number, and the last of them.
    taken: VisitedSet,
    taken_count: usize,
    front: Vec<Vertex>,
    next: Vec<Vertex>,
    /// The vertices of the robber's area, then the vertices around it, the nearest first.
    seen: VisitedSet,
    found: Vec<Vertex>,
    /// For each of these vertices, the vertex from which it was found, as its index in `found`.
    parents: Vec<u32>,
    /// During the race, where the robber's last steps begin in `found`; afterwards, the size of its area.
    rim: usize,
    /// The number of vertices of `found` that were searched for cops.
    looked: usize,
    /// The cops that were found: their number and their index in `found`, the nearest first.
    near: Vec<(usize, usize)>,
    stage: GrowthStage,
    /// The kind of the region, as far as it is known.
    kind: RegionKind,
    chase: Option<Chase>,
    /// Where a guard that is still on its way may stand, the best place last; and the place that is tried at present.
    posts: Vec<Post>,
    post: Option<Post>,
    /// A limit on the vertices of a region, if it is less than the built-in one.
    limit: Option<usize>,
}

impl Growth {
    /// Limits regions to a number of vertices from now on.
    pub(super) const fn limit(&mut self, vertices: usize) {
        self.limit = Some(vertices);
    }

    /// The most vertices of a region with a number of players; 0 without players.
    fn most(&self, players: usize) -> usize {
        let most = match self.kind {
            RegionKind::Guarded => GUARDED_VERTICES,
            RegionKind::Pair | RegionKind::PairOnly | RegionKind::Single => {
                most_vertices(u8::try_from(players).unwrap_or(0))
            }
        };
        self.limit.map_or(most, |limit| limit.min(most))
    }

    /// The most vertices that the robber may reach before the cops, for a number of players.
    fn most_area(&self, players: usize) -> usize {
        MOST_AREA_IN_QUARTERS * self.most(players) / 4
    }

    /// The position for which a region is chosen, as it is saved.
    pub(super) const fn chase(&self) -> Option<&Chase> {
        self.chase.as_ref()
    }

    /// Forgets the position for which a region is chosen.
    pub(super) fn stop(&mut self) {
        self.chase = None;
    }

    /// Returns whether one of these vertices, or a neighbour of one, was looked at for the region that is chosen.
    pub(super) fn has_seen(&mut self, graph: &Graph, vertices: &[Vertex]) -> bool {
        self.taken.grow(graph.slots());
        self.seen.grow(graph.slots());
        // Several races were run for a guard, and what the first of them saw is forgotten.
        if self.kind == RegionKind::Guarded {
            return self.chase.is_some();
        }
        let is_seen = |vertex| self.seen.contains(vertex) || self.taken.contains(vertex);
        self.chase.is_some()
            && vertices.iter().any(|&vertex| {
                let cell = graph.cell(vertex);
                let offsets = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy)));
                let mut beside = offsets.filter_map(|(dx, dy)| graph.vertex(cell.offset(dx, dy)?));
                is_seen(vertex) || beside.any(is_seen)
            })
    }

    /// Begins to choose a region for the chase of a robber, of this kind if that is possible.
    ///
    /// The region contains the robber's area, which consists of the vertices that it reaches before every cop; the
    /// nearest cops, with paths to this area; and the nearest vertices around. Further cops inside a region of two
    /// players are guards.
    pub(super) fn start(
        &mut self,
        graph: &impl EndgameNetwork,
        state: &State<'_>,
        kind: RegionKind,
    ) {
        self.post = None;
        self.posts.clear();
        self.start_race(graph, state.robber.at, state.cops.iter().map(|cop| cop.at));
        let is_alone = state.cops.len() < 2;
        self.kind = if is_alone { RegionKind::Single } else { kind };
        self.chase = Some(Chase {
            robber: state.robber,
            cops: state.cops.to_vec(),
            kind,
            steps: 0,
        });
    }

    /// Begins the race of a robber and cops.
    fn start_race(
        &mut self,
        graph: &impl EndgameNetwork,
        robber: Vertex,
        cops: impl Iterator<Item = Vertex>,
    ) {
        self.taken.clear(graph.slots());
        self.seen.clear(graph.slots());
        self.found.clear();
        self.parents.clear();
        self.front.clear();
        self.near.clear();
        for cop in cops {
            if self.taken.insert(cop) {
                self.front.push(cop);
            }
        }
        self.find(robber, 0);
        (self.taken_count, self.rim, self.looked) = (0, 0, 0);
        self.stage = GrowthStage::Race;
    }

    /// Begins the race for the next vertex where a guard may stand. Returns whether there is one.
    fn next_post(&mut self, graph: &impl EndgameNetwork, chase: &Chase) -> bool {
        let Some(post) = self.posts.pop() else {
            return false;
        };
        let others = chase.cops.iter().enumerate();
        let others = others.filter(|(cop, _)| *cop != post.guard);
        let others: Vec<Vertex> = others.map(|(_, cop)| cop.at).collect();
        self.post = Some(post);
        self.start_race(graph, chase.robber.at, others.into_iter());
        true
    }

    /// Finds the places where the second cop may stand, on its way to the robber, before the robber is there: the
    /// narrowest places.
    fn find_posts(&mut self, graph: &impl EndgameNetwork, chase: &Chase) {
        let Some(rules) = rules(graph, chase, 1) else {
            return;
        };
        let Some(&(guard, at)) = self.near.get(1) else {
            return;
        };
        let mut path = Vec::new();
        let mut index = at;
        while index != 0 {
            path.push(self.found[index]);
            index = self.parents[index] as usize;
        }
        let (cop_steps, robber_steps) = (rules.cop_speed.steps(), rules.robber_speed.steps());
        let turns = waits::turns(GUARDED_VERTICES + 1, 1);
        let length = path.len();
        let is_first = |index: usize| {
            let guard_turns = index.div_ceil(cop_steps.into());
            let robber_turns = (length - index - 1) / usize::from(robber_steps);
            guard_turns <= robber_turns && guard_turns <= turns.into()
        };
        let posts = path
            .iter()
            .enumerate()
            .filter(|(index, _)| is_first(*index));
        let mut posts: Vec<(usize, usize, Vertex)> = posts
            .map(|(index, &post)| (graph.neighbours(post).len(), index, post))
            .collect();
        posts.sort_unstable();
        posts.truncate(MOST_POSTS);
        let posts = posts.into_iter().rev();
        self.posts = posts
            .map(|(_, _, at)| {
                let closed = region::reach(graph, at, rules).vertices().collect();
                Post { at, guard, closed }
            })
            .collect();
    }

    /// Returns whether the guard that is still on its way closes a vertex.
    fn is_closed(&self, vertex: Vertex) -> bool {
        let post = self.post.as_ref();
        post.is_some_and(|post| post.closed.binary_search(&vertex).is_ok())
    }

    /// Returns to a saved position.
    pub(super) fn restore(&mut self, graph: &impl EndgameNetwork, saved: &Chase) {
        let state = State {
            robber: saved.robber,
            cops: &saved.cops,
            to_move: Side::Cops,
        };
        self.start(graph, &state, saved.kind);
        while self.chase().is_some_and(|chase| chase.steps < saved.steps) {
            self.step(graph, &mut 0);
        }
    }

    /// Works for one step. Adds the expansions of this step to `expansions`. The result is the region; `None` if the
    /// robber can leave any region that is small enough, or no cop is near.
    pub(super) fn step(
        &mut self,
        graph: &impl EndgameNetwork,
        expansions: &mut u64,
    ) -> Step<Option<Region>> {
        let Some(mut chase) = self.chase.take() else {
            return Step::Done(None);
        };
        chase.steps += 1;
        self.taken.grow(graph.slots());
        self.seen.grow(graph.slots());
        let is_done = match self.stage {
            GrowthStage::Race => self.race(graph, &chase, expansions),
            GrowthStage::Around => Some(self.look_around(graph, &chase, expansions)),
        };
        let is_done = match (is_done, self.kind, &self.post) {
            // The race without guards has found who may guard.
            (Some(true), RegionKind::Guarded, None) => {
                self.find_posts(graph, &chase);
                self.next_post(graph, &chase).then_some(false)
            }
            (None, RegionKind::Guarded, Some(_)) => self.next_post(graph, &chase).then_some(false),
            (is_done, _, _) => is_done,
        };
        match is_done {
            None => Step::Done(None),
            Some(true) => Step::Done(self.region(graph, &chase)),
            Some(false) => {
                self.chase = Some(chase);
                Step::Working
            }
        }
    }

    /// A step of the race that finds the robber's area: both sides run everywhere at once, but the robber does not run
    /// over vertices that the cops have reached. `None` if this takes too many vertices.
    fn race(
        &mut self,
        graph: &impl EndgameNetwork,
        chase: &Chase,
        expansions: &mut u64,
    ) -> Option<bool> {
        let before = *expansions;
        let cop_steps = slowest(&chase.cops)?.speed.steps();
        while self.rim < self.found.len() {
            if *expansions > before + EXPANSIONS_OF_A_STEP {
                return Some(false);
            }
            for _ in 0..cop_steps {
                self.next.clear();
                for &at in &self.front {
                    let beside = graph.neighbours(at).iter();
                    self.next
                        .extend(beside.filter(|&&beside| self.taken.insert(beside)));
                }
                *expansions += self.front.len() as u64;
                self.taken_count += self.next.len();
                std::mem::swap(&mut self.front, &mut self.next);
                if self.taken_count > MOST_TAKEN {
                    return None;
                }
            }
            for _ in 0..chase.robber.speed.steps() {
                let end = self.found.len();
                for index in self.rim..end {
                    if self.taken.contains(self.found[index]) {
                        continue;
                    }
                    for &beside in graph.neighbours(self.found[index]) {
                        if !self.taken.contains(beside) && !self.is_closed(beside) {
                            self.find(beside, index);
                        }
                    }
                }
                *expansions += (end - self.rim) as u64;
                self.rim = end;
            }
            if self.found.len() > self.most_area(1) {
                return None;
            }
        }
        if self.found.len() > self.most_area(2) {
            match self.kind {
                RegionKind::Pair => self.kind = RegionKind::Single,
                RegionKind::PairOnly => return None,
                RegionKind::Single | RegionKind::Guarded => {}
            }
        }
        self.stage = GrowthStage::Around;
        Some(false)
    }

    /// Adds a vertex that is new.
    fn find(&mut self, vertex: Vertex, from: usize) {
        if self.seen.insert(vertex) {
            self.found.push(vertex);
            self.parents.push(from as u32);
        }
    }

    /// A step of the search for the vertices around the robber's area. Returns whether a region is full and its players
    /// are found, or cannot be found.
    fn look_around<N: EndgameNetwork>(
        &mut self,
        graph: &N,
        chase: &Chase,
        expansions: &mut u64,
    ) -> bool {
        let end = self.looked + EXPANSIONS_OF_A_STEP as usize;
        while self.looked < end {
            let most = self.most(self.players());
            let is_full = self.looked >= most && self.near.len() >= self.wanted();
            if is_full || self.looked >= self.found.len().min(MOST_SCANNED.max(most)) {
                if self.near.len() < self.wanted() && self.kind == RegionKind::Pair {
                    // With one player there is room for a larger region.
                    self.kind = RegionKind::Single;
                    continue;
                }
                if self.kind == RegionKind::Pair && self.path_vertices(2) > self.most(2) {
                    // The second cop is too far away to take part.
                    self.kind = RegionKind::Single;
                    continue;
                }
                return true;
            }
            let here = self.found[self.looked];
            let guard = self.post.as_ref().map(|post| post.guard);
            let all = chase.cops.iter().enumerate();
            let here_now = all.filter(|(cop, agent)| agent.at == here && guard != Some(*cop));
            self.near
                .extend(here_now.map(|(cop, _)| (cop, self.looked)));
            // What is behind a guard is of no use to the robber.
            if !self.is_closed(here) {
                // Cops come against the links, and the robber would leave along them.
                if !graph.is_two_way() {
                    for &beside in graph.predecessors(here) {
                        self.find(beside, self.looked);
                    }
                }
                for &beside in graph.neighbours(here) {
                    self.find(beside, self.looked);
                }
            }
            self.looked += 1;
            *expansions += 1;
        }
        false
    }

    /// The kind of the region, as far as it is known.
    pub(super) const fn kind(&self) -> RegionKind {
        self.kind
    }

    /// The number of cops that are searched for.
    const fn wanted(&self) -> usize {
        match (self.kind, &self.post) {
            (RegionKind::Pair | RegionKind::PairOnly, _) | (RegionKind::Guarded, None) => 2,
            (RegionKind::Single, _) | (RegionKind::Guarded, Some(_)) => 1,
        }
    }

    /// The number of players of the region.
    const fn players(&self) -> usize {
        match self.kind {
            RegionKind::Pair | RegionKind::PairOnly => 2,
            RegionKind::Single | RegionKind::Guarded => 1,
        }
    }

    /// Marks the vertices of the paths from the first players to the robber. Returns how many there are; `None` if
    /// there are fewer players.
    fn mark_paths(&self, players: usize, is_in: &mut [bool]) -> Option<usize> {
        let mut size = 0;
        for &(_, at) in self.near.get(..players)? {
            let mut at = at;
            while !std::mem::replace(&mut is_in[at], true) {
                size += 1;
                at = self.parents[at] as usize;
            }
        }
        Some(size)
    }

    /// The number of vertices of the paths from the first players to the robber; 0 if there are fewer players.
    fn path_vertices(&self, players: usize) -> usize {
        let mut is_in = vec![false; self.found.len()];
        self.mark_paths(players, &mut is_in).unwrap_or(0)
    }

    /// The region of the vertices that were found. `None` without players, and if the players are too far away.
    fn region(&self, graph: &impl EndgameNetwork, chase: &Chase) -> Option<Region> {
        let (players, most) = (self.players(), self.most(self.players()));
        let mut is_in = vec![false; self.found.len()];
        let mut size = self.mark_paths(players, &mut is_in)?;
        if size > most {
            return None;
        }
        for is_in in &mut is_in {
            if size >= most {
                break;
            }
            size += usize::from(!std::mem::replace(is_in, true));
        }
        let vertices = self.found.iter().zip(&is_in);
        let vertices = vertices.filter(|(_, is_in)| **is_in);
        // One player alone needs no guards. The others had better come and help.
        let guards: Vec<Vertex> = match self.kind {
            RegionKind::Pair | RegionKind::PairOnly => {
                let guards = self.near[players..].iter();
                let guards = guards.filter(|(_, at)| is_in[*at]);
                guards.map(|&(cop, _)| chase.cops[cop].at).collect()
            }
            RegionKind::Single => Vec::new(),
            RegionKind::Guarded => self.post.iter().map(|post| post.at).collect(),
        };
        let rules = rules(graph, chase, players)?;
        let vertices = vertices.map(|(&vertex, _)| vertex).collect();
        Some(Region::new(graph, vertices, guards, rules))
    }

    /// A region around a robber in which it may be safe. Adds the expansions that it takes to `expansions`.
    pub(super) fn refuge(
        &mut self,
        graph: &impl EndgameNetwork,
        state: &State<'_>,
        expansions: &mut u64,
    ) -> Option<Region> {
        let most = self
            .limit
            .map_or(REFUGE_VERTICES, |limit| limit.min(REFUGE_VERTICES));
        self.seen.clear(graph.slots());
        self.found.clear();
        self.parents.clear();
        self.find(state.robber.at, 0);
        let mut next = 0;
        while self.found.len() < most && next < self.found.len() {
            for &beside in graph.neighbours(self.found[next]) {
                self.find(beside, next);
            }
            next += 1;
        }
        *expansions += next as u64;
        self.found.truncate(most);
        let fastest = state.cops.iter().map(|cop| cop.speed).max()?;
        let rules = Rules {
            cops: NonZeroU8::new(u8::try_from(state.cops.len()).ok()?)?,
            cop_speed: fastest,
            robber_speed: state.robber.speed,
            moves: graph.moves(),
        };
        Some(Region::of_refuge(graph, self.found.clone(), rules))
    }
}

/// The rules of a region for a chase.
fn rules(graph: &impl EndgameNetwork, chase: &Chase, players: usize) -> Option<Rules> {
    Some(Rules {
        cops: NonZeroU8::new(players as u8)?,
        cop_speed: slowest(&chase.cops)?.speed,
        robber_speed: chase.robber.speed,
        moves: graph.moves(),
    })
}

/// Returns whether a region is within the size limits of regions that are grown.
pub(super) fn fits(region: &Region) -> bool {
    region.vertices().len() <= most_vertices(region.rules().cops.get())
}

/// The most vertices of a region with a number of players; 0 for more players than there ever are.
pub(super) fn most_vertices(players: u8) -> usize {
    let most = usize::from(players).checked_sub(1);
    let most = most.and_then(|index| MOST_VERTICES.get(index));
    most.copied().unwrap_or(0)
}

fn slowest(cops: &[Agent]) -> Option<&Agent> {
    cops.iter().min_by_key(|cop| cop.speed)
}
