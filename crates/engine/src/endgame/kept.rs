//! A region with its table, and look-ups of positions in it.

use super::lazy_table::LazyTable;
use super::network::EndgameNetwork;
use super::proof::{EndgameRegion, Proof, ProvenMove};
use super::region::Region;
use super::shape::{MayLeave, Shape};
use crate::game::{State, Turns};
use crate::graph::Vertex;
use std::collections::VecDeque;
use std::sync::Arc;

/// The most cops whose subsets are looked up in a region. More cops hardly fit into a region.
const MOST_CANDIDATES: usize = 64;

/// With more candidates, the distances to the robber are measured first. They cost less than the look-ups that they save.
const MANY_CANDIDATES: usize = 16;

/// The most cops that are tried as the only guard.
const MOST_CHOICES: usize = 3;

/// The cost of looking up a value, in expansions.
pub(super) const EXPANSIONS_OF_A_PROBE: u64 = 4;

/// A region with its table.
#[derive(Debug, Clone)]
pub(super) struct Kept {
    pub(super) region: Region,
    /// The place of each vertex of the region.
    pub(super) places: Vec<u16>,
    pub(super) table: Arc<LazyTable>,
    /// The time until which the region is held; 0 if it may be dropped.
    pub(super) held_until: u64,
}

/// A bound that was looked up: the number of turns, and the players and guards by their numbers in the state.
#[derive(Debug, Clone)]
pub(super) struct FoundBound {
    pub(super) turns: u16,
    players: Vec<usize>,
    guards: Guards,
    /// A guard that captures the robber now is the only player.
    is_taken: bool,
}

/// A cop that may be a player.
#[derive(Debug, Clone, Copy)]
struct PlayerCandidate {
    cop: usize,
    place: usize,
    /// A lower bound on the turns in which players that are no nearer than this one capture the robber.
    least: u16,
}

/// The cops that guard, in the order of the region's guards.
#[derive(Debug, Clone, Default)]
struct Guards {
    cops: Vec<usize>,
    /// The number of moves after which all of them stand at their posts.
    wait: usize,
}

impl FoundBound {
    /// The number of cops other than guards that move by the proof.
    pub(super) const fn players(&self) -> usize {
        self.players.len()
    }
}

impl Kept {
    /// The shape of the region.
    pub(super) fn shape(&self) -> &Shape {
        self.table.shape()
    }

    /// The place of a vertex; `None` outside of the region.
    fn place(&self, vertex: Vertex) -> Option<usize> {
        let place = self.places.get(self.region.index(vertex)?)?;
        Some(usize::from(*place))
    }

    /// The best bound for a position; `None` if no capture is proven. Adds what the look-up takes to `expansions`.
    pub(super) fn look_up(
        &self,
        graph: &impl EndgameNetwork,
        state: &State<'_>,
        expansions: &mut u64,
    ) -> Option<FoundBound> {
        let rules = self.region.rules();
        if self.region.outside() == MayLeave::ForCops {
            return None;
        }
        if rules.robber_speed < state.robber.speed || rules.moves != graph.moves() {
            return None;
        }
        let robber = self.place(state.robber.at)?;
        let mut best: Option<FoundBound> = None;
        for guards in self.guards(state) {
            if let Some(found) = self.with_guards(graph, state, robber, guards, expansions)
                && best.as_ref().is_none_or(|best| found.turns < best.turns)
            {
                best = Some(found);
            }
        }
        best
    }

    /// The best bound for a position with the robber on this place and some cops as guards.
    fn with_guards(
        &self,
        graph: &impl EndgameNetwork,
        state: &State<'_>,
        robber: usize,
        guards: Guards,
        expansions: &mut u64,
    ) -> Option<FoundBound> {
        if guards.wait == 0 && self.region.is_closed(state.robber.at) {
            let is_there = |cop: &usize| state.cops[*cop].at == state.robber.at;
            let captor = (0..state.cops.len()).find(is_there);
            return Some(FoundBound {
                turns: u16::from(captor.is_none()),
                players: vec![captor.or_else(|| self.captor(state, &guards))?],
                guards,
                is_taken: true,
            });
        }
        let candidates = self.candidates(graph, state, &guards, expansions);
        let (turns, players) = self.best_players(&candidates, robber, guards.wait, expansions)?;
        Some(FoundBound {
            turns,
            players,
            guards,
            is_taken: false,
        })
    }

    /// The cops that may be players beside some guards. If there are many, the nearest come first.
    fn candidates(
        &self,
        graph: &impl EndgameNetwork,
        state: &State<'_>,
        guards: &Guards,
        expansions: &mut u64,
    ) -> Vec<PlayerCandidate> {
        let speed = self.region.rules().cop_speed;
        let cops = state.cops.iter().enumerate();
        let cops = cops.filter(|(cop, agent)| !guards.cops.contains(cop) && agent.speed >= speed);
        let candidates = cops.filter_map(|(cop, agent)| {
            let (place, least) = (self.place(agent.at)?, 0);
            Some(PlayerCandidate { cop, place, least })
        });
        let mut candidates: Vec<PlayerCandidate> = candidates.take(MOST_CANDIDATES).collect();
        if candidates.len() > MANY_CANDIDATES && !self.region.is_closed(state.robber.at) {
            self.sort_by_distance(graph, state, &mut candidates);
            *expansions += self.region.vertices().len() as u64;
        }
        candidates
    }

    /// The candidates that capture a robber in the fewest turns, with these turns; `None` if none do. Guards come in
    /// `wait` moves.
    fn best_players(
        &self,
        candidates: &[PlayerCandidate],
        robber: usize,
        wait: usize,
        expansions: &mut u64,
    ) -> Option<(u16, Vec<usize>)> {
        let size = self.region.rules().cops.get();
        let mut best: Option<(u16, Vec<usize>)> = None;
        for (index, &first) in candidates.iter().enumerate() {
            let is_known = |&(turns, _): &(u16, Vec<usize>)| turns <= first.least;
            if best.as_ref().is_some_and(is_known) {
                break;
            }
            // A single player is its own partner here.
            let partners = match size {
                1 => candidates.get(index..=index).unwrap_or_default(),
                2 => candidates.get(index + 1..).unwrap_or_default(),
                _ => &[],
            };
            for &partner in partners {
                let subset = &[first, partner][..usize::from(size)];
                let mut places = [first.place, partner.place];
                *expansions += EXPANSIONS_OF_A_PROBE;
                // The table is asked for only where it is needed: it may have to be solved.
                let table = self.table.get()?;
                if let Some(turns) = table.turns(wait, robber, &mut places[..subset.len()])
                    && best.as_ref().is_none_or(|(least, _)| turns < *least)
                {
                    best = Some((turns, subset.iter().map(|player| player.cop).collect()));
                }
            }
        }
        best
    }

    /// Sorts candidates by their steps to the robber inside the region. No guard reaches the robber where it is. While it
    /// waits, players therefore need at least as many turns as the nearest of them needs to walk there.
    fn sort_by_distance(
        &self,
        graph: &impl EndgameNetwork,
        state: &State<'_>,
        candidates: &mut [PlayerCandidate],
    ) {
        let mut steps = vec![u16::MAX; self.region.vertices().len()];
        let mut queue = VecDeque::new();
        if let Some(robber) = self.region.index(state.robber.at) {
            steps[robber] = 0;
            queue.push_back((state.robber.at, 0_u16));
        }
        while let Some((vertex, here)) = queue.pop_front() {
            for &tail in graph.predecessors(vertex) {
                let index = self.region.index(tail);
                if let Some(index) = index.filter(|&index| steps[index] == u16::MAX) {
                    steps[index] = here + 1;
                    queue.push_back((tail, here + 1));
                }
            }
        }
        let speed = u16::from(self.region.rules().cop_speed.steps());
        for candidate in candidates.iter_mut() {
            let index = self.region.index(state.cops[candidate.cop].at);
            candidate.least = index.map_or(u16::MAX, |index| steps[index].div_ceil(speed));
        }
        candidates.sort_by_key(|candidate| candidate.least);
    }

    /// The cops that may guard: some ways to choose them, the nearest first. Empty if a guard cannot get to its post.
    fn guards(&self, state: &State<'_>) -> Vec<Guards> {
        let speed = self.region.rules().cop_speed;
        let moves = |cop: usize, post: usize| {
            let cop = state.cops.get(cop).filter(|cop| cop.speed >= speed)?;
            let left = self.region.approaches().get(post)?.left(cop.at)?;
            Some(usize::from(left.div_ceil(speed.steps().into())))
        };
        let nearest = |post: usize, but: &[usize]| {
            let cops = (0..state.cops.len()).filter(|cop| !but.contains(cop));
            let mut cops: Vec<(usize, usize)> = cops
                .filter_map(|cop| Some((moves(cop, post)?, cop)))
                .collect();
            cops.sort_unstable();
            cops
        };
        if let [_] = self.region.guards() {
            let cops = nearest(0, &[]).into_iter().take(MOST_CHOICES);
            let guards = cops.map(|(wait, cop)| Guards {
                cops: vec![cop],
                wait,
            });
            return guards.collect();
        }
        let mut guards = Guards::default();
        for post in 0..self.region.guards().len() {
            let Some(&(wait, cop)) = nearest(post, &guards.cops).first() else {
                return Vec::new();
            };
            guards.cops.push(cop);
            guards.wait = guards.wait.max(wait);
        }
        vec![guards]
    }

    /// The guard that captures a robber within reach of the guards that stand at their posts.
    fn captor(&self, state: &State<'_>, guards: &Guards) -> Option<usize> {
        let reaches = self.region.reaches().iter();
        let mut guards = reaches.zip(&guards.cops);
        let (_, &cop) = guards.find(|(reach, _)| reach.contains(state.robber.at))?;
        Some(cop)
    }

    /// Returns whether its robber can evade all cops of a state without leaving the region.
    pub(super) fn is_refuge(&self, graph: &impl EndgameNetwork, state: &State<'_>) -> bool {
        let rules = self.region.rules();
        let most = usize::from(rules.cops.get());
        let is_of_state = self.region.outside() == MayLeave::ForCops
            && rules.moves == graph.moves()
            && state.robber.speed >= rules.robber_speed
            && (1..=most).contains(&state.cops.len())
            && state.cops.iter().all(|cop| cop.speed <= rules.cop_speed);
        let Some(robber) = self.place(state.robber.at).filter(|_| is_of_state) else {
            return false;
        };
        // A cop twice is no help for the cops.
        let cops = state.cops.iter().map(|cop| self.place(cop.at)).cycle();
        let table = self.table.get();
        table.is_some_and(|table| table.escapes(robber, cops.take(most)))
    }

    /// The proof of a bound. Adds what it takes to `expansions`.
    pub(super) fn proof(
        &self,
        state: &State<'_>,
        found: &FoundBound,
        expansions: &mut u64,
    ) -> Option<Proof> {
        if found.is_taken {
            return self.taken(state, found);
        }
        let vertex_of = self.vertices_by_place();
        let table = self.table.get()?;
        let robber = self.place(state.robber.at)?;
        let players: Option<Vec<usize>> = found
            .players
            .iter()
            .map(|&cop| self.place(state.cops.get(cop)?.at))
            .collect();
        let players = players?;
        let mut moves = Vec::with_capacity(players.len() + found.guards.cops.len());
        let ends = if found.turns == 0 {
            players.clone()
        } else {
            let best = table.best_move(found.guards.wait, robber, &players)?;
            *expansions += EXPANSIONS_OF_A_PROBE * best.probes;
            best.ends
        };
        for ((&cop, &from), &to) in found.players.iter().zip(&players).zip(&ends) {
            let path = table.path(from, to);
            let path = path.iter().filter_map(|&at| vertex_of.get(at).copied());
            let path = path.collect();
            moves.push(ProvenMove { cop, path });
        }
        moves.extend(self.moves_of_guards(state, found));
        Some(Proof {
            bound: Turns(found.turns),
            moves,
            players: players.len(),
            region: self.region.vertices().to_vec(),
        })
    }

    /// The moves of the guards: to their posts, and no farther.
    fn moves_of_guards(
        &self,
        state: &State<'_>,
        found: &FoundBound,
    ) -> impl Iterator<Item = ProvenMove> {
        let steps = self.region.rules().cop_speed.steps();
        let approaches = self.region.approaches().iter();
        approaches
            .zip(&found.guards.cops)
            .map(move |(approach, &cop)| {
                let at = state.cops.get(cop).map(|cop| cop.at);
                let path = at.map_or_else(Vec::new, |at| approach.path(at, steps));
                ProvenMove { cop, path }
            })
    }

    /// The proof of a capture by a guard that stands at its post.
    fn taken(&self, state: &State<'_>, found: &FoundBound) -> Option<Proof> {
        let &cop = found.players.first()?;
        let at = state.cops.get(cop)?.at;
        let post = found.guards.cops.iter().position(|&guard| guard == cop);
        let mut path = Vec::new();
        if let Some(post) = post.filter(|_| found.turns > 0) {
            path = self.region.reaches().get(post)?.path(state.robber.at);
            path.retain(|&vertex| vertex != at);
        }
        let guards = self.moves_of_guards(state, found);
        let others = guards.filter(|guard| guard.cop != cop);
        let moves = std::iter::once(ProvenMove { cop, path }).chain(others);
        Some(Proof {
            bound: Turns(found.turns),
            moves: moves.collect(),
            players: 1,
            region: self.region.vertices().to_vec(),
        })
    }

    /// The region as it lies on the network, for a bound that was looked up there.
    pub(super) fn view<N: EndgameNetwork>(
        &self,
        graph: &N,
        state: &State<'_>,
        found: &FoundBound,
    ) -> EndgameRegion<N::Site> {
        let vertices = self.region.vertices();
        let leads_out = |vertex: &&Vertex| {
            let mut beside = graph.neighbours(**vertex).iter();
            beside.any(|&beside| !self.region.contains(beside))
        };
        let of = |cops: &[usize]| {
            let cops = cops.iter().filter_map(|&cop| state.cops.get(cop));
            sorted(cops.map(|cop| graph.site(cop.at)))
        };
        let sites = vertices.iter().map(|&vertex| graph.site(vertex));
        let exits = vertices.iter().filter(leads_out);
        EndgameRegion {
            bound: Turns(found.turns),
            cells: sorted(sites),
            exits: sorted(exits.map(|&exit| graph.site(exit))),
            guards: of(&found.guards.cops),
            players: of(&found.players),
        }
    }

    /// The vertex of each place.
    fn vertices_by_place(&self) -> Vec<Vertex> {
        let mut vertices = self.region.vertices().to_vec();
        for (&vertex, &place) in self.region.vertices().iter().zip(&self.places) {
            if let Some(at) = vertices.get_mut(usize::from(place)) {
                *at = vertex;
            }
        }
        vertices
    }
}

fn sorted<S: Ord>(sites: impl Iterator<Item = S>) -> Vec<S> {
    let mut sites: Vec<S> = sites.collect();
    sites.sort_unstable();
    sites
}
