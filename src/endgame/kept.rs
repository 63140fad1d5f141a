//! A region with its table, and what that says of a position.

use super::lazy_table::LazyTable;
use super::proof::{EndgameRegion, Proof, ProvenMove};
use super::region::Region;
use super::shape::{Outside, Shape};
use crate::game::{State, Turns};
use crate::graph::{Graph, Vertex};
use crate::map::Cell;
use std::sync::Arc;

/// The most cops of which subsets are looked up in a region. More hardly fit into one.
const MOST_CANDIDATES: usize = 64;

/// The cost of looking up a value, in expansions.
pub(super) const COST_OF_A_PROBE: u64 = 4;

/// A region with its table.
#[derive(Debug)]
pub(super) struct Kept {
    pub(super) region: Region,
    /// The place of each vertex of the region.
    pub(super) places: Vec<u16>,
    pub(super) table: Arc<LazyTable>,
}

/// A bound that was looked up: the turns, and the players and guards by their numbers in the state.
#[derive(Debug, Clone)]
pub(super) struct Found {
    pub(super) turns: u16,
    players: Vec<usize>,
    guards: Vec<usize>,
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

    /// The best bound for a position; `None` if no capture is proven. Adds the work to `work`.
    pub(super) fn look_up(
        &self,
        graph: &Graph,
        state: &State<'_>,
        work: &mut u64,
    ) -> Option<Found> {
        let rules = self.region.rules();
        if self.region.outside() == Outside::ForCops {
            return None;
        }
        if rules.robber_speed < state.robber.speed || rules.moves != graph.moves() {
            return None;
        }
        let robber = self.place(state.robber.at)?;
        let mut guards = Vec::new();
        for &guard in self.region.guards() {
            guards.push(state.cops.iter().position(|cop| cop.at == guard)?);
        }
        let candidates = state.cops.iter().enumerate();
        let candidates = candidates
            .filter(|(index, cop)| !guards.contains(index) && cop.speed >= rules.cop_speed);
        let candidates = candidates.filter_map(|(index, cop)| Some((index, self.place(cop.at)?)));
        let candidates: Vec<(usize, usize)> = candidates.take(MOST_CANDIDATES).collect();
        let mut best: Option<(u16, Vec<usize>)> = None;
        for subset in subsets(&candidates, rules.cops.get()) {
            let mut places: Vec<usize> = subset.iter().map(|&(_, place)| place).collect();
            *work += COST_OF_A_PROBE;
            // The table is asked for only where it is needed: it may have to be solved.
            if let Some(turns) = self.table.get()?.turns(robber, &mut places)
                && best.as_ref().is_none_or(|(least, _)| turns < *least)
            {
                best = Some((turns, subset.iter().map(|&(cop, _)| cop).collect()));
            }
        }
        let (turns, players) = best?;
        Some(Found {
            turns,
            players,
            guards,
        })
    }

    /// Returns whether its robber can evade all cops of a state without leaving the region.
    pub(super) fn is_refuge(&self, graph: &Graph, state: &State<'_>) -> bool {
        let rules = self.region.rules();
        let most = usize::from(rules.cops.get());
        let is_of_state = self.region.outside() == Outside::ForCops
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

    /// The proof of a bound. Adds the work to `work`.
    pub(super) fn proof(&self, state: &State<'_>, found: &Found, work: &mut u64) -> Option<Proof> {
        let vertex_of = self.vertices_by_place();
        let table = self.table.get()?;
        let robber = self.place(state.robber.at)?;
        let players: Option<Vec<usize>> = found
            .players
            .iter()
            .map(|&cop| self.place(state.cops.get(cop)?.at))
            .collect();
        let players = players?;
        let mut moves = Vec::with_capacity(players.len() + found.guards.len());
        let ends = if found.turns == 0 {
            players.clone()
        } else {
            let best = table.best_move(robber, &players)?;
            *work += COST_OF_A_PROBE * best.probes;
            best.ends
        };
        for ((&cop, &from), &to) in found.players.iter().zip(&players).zip(&ends) {
            let path = table.path(from, to);
            let path = path.iter().filter_map(|&at| vertex_of.get(at).copied());
            let path = path.collect();
            moves.push(ProvenMove { cop, path });
        }
        let guards = found.guards.iter();
        moves.extend(guards.map(|&cop| ProvenMove {
            cop,
            path: Vec::new(),
        }));
        Some(Proof {
            bound: Turns(found.turns),
            moves,
            players: players.len(),
            region: self.region.vertices().to_vec(),
        })
    }

    /// The region as it lies on the map, for a bound that was looked up there.
    pub(super) fn view(&self, graph: &Graph, state: &State<'_>, found: &Found) -> EndgameRegion {
        let vertices = self.region.vertices();
        let leads_out = |vertex: &&Vertex| {
            let mut beside = graph.neighbours(**vertex).iter();
            beside.any(|&beside| self.region.index(beside).is_none())
        };
        let of = |cops: &[usize]| {
            let cops = cops.iter().filter_map(|&cop| state.cops.get(cop));
            sorted(cops.map(|cop| graph.cell(cop.at)))
        };
        EndgameRegion {
            bound: Turns(found.turns),
            cells: sorted(vertices.iter().map(|&vertex| graph.cell(vertex))),
            exits: sorted(
                vertices
                    .iter()
                    .filter(leads_out)
                    .map(|&exit| graph.cell(exit)),
            ),
            guards: of(&found.guards),
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

fn sorted(cells: impl Iterator<Item = Cell>) -> Vec<Cell> {
    let mut cells: Vec<Cell> = cells.collect();
    cells.sort_unstable();
    cells
}

/// All sets of one or two candidates.
fn subsets(candidates: &[(usize, usize)], size: u8) -> Vec<Vec<(usize, usize)>> {
    let mut all = Vec::new();
    for (index, &first) in candidates.iter().enumerate() {
        match size {
            1 => all.push(vec![first]),
            2 => all.extend(
                candidates[index + 1..]
                    .iter()
                    .map(|&second| vec![first, second]),
            ),
            _ => {}
        }
    }
    all
}
