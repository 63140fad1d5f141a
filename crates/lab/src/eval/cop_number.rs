//! The least number of cops that captures the robber.

use super::AnalysisProgress;
use crate::graph::dismantle_while;
use pursuit_engine::game::Rules;
use pursuit_engine::graph::{Digraph, Graph};
use pursuit_engine::map::Moves;
use pursuit_engine::table::{Arena, Progress, SolveError, Solver};
use std::fmt;
use std::num::NonZeroU8;
use std::sync::Arc;
use thiserror::Error;

/// The largest number of cops that is tried.
const MOST: u8 = 3;

/// The cop number: the least number of cops that can choose starting places from which they capture the robber wherever
/// it starts (C. Moldenhauer's thesis, definition 2.4). All agents have speed 1. A graph with several components has
/// the greatest of their numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CopNumber {
    /// Exactly this number; 0 for a graph without vertices.
    Exactly(u8),
    /// More than this number, the most that was tried.
    MoreThan(u8),
    /// At least this number, which may not be enough.
    AtLeast {
        /// The lower bound: fewer cops cannot win.
        cops: u8,
        /// Why the exact number is unknown.
        because: Undecided,
    },
}

/// Why a cop number is unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Undecided {
    /// The table that would decide does not fit into memory.
    #[error(transparent)]
    Table(#[from] SolveError),
    /// The graph itself would take more memory than allowed: see
    /// [`AnalysisError::TooLarge`](super::AnalysisError::TooLarge).
    #[error(
        "{vertices} vertices need about {:.3} GB of memory, {:.3} GB allowed",
        *.needed as f64 * 1e-9, *.limit as f64 * 1e-9
    )]
    TooLarge {
        /// The number of vertices.
        vertices: usize,
        /// The estimate, in bytes.
        needed: u64,
        /// The limit in bytes.
        limit: u64,
    },
    /// The progress callback stopped the work.
    #[error("cancelled")]
    Cancelled,
}

impl fmt::Display for CopNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exactly(cops) => write!(f, "{cops}"),
            Self::MoreThan(cops) => write!(f, "more than {cops}"),
            Self::AtLeast { cops, .. } => write!(f, "at least {cops}"),
        }
    }
}

/// The cop number of a graph, up to 3 exactly.
///
/// An undirected graph is dismantled first. A component of which a single vertex remains needs one cop (Aigner and
/// Fromme, *A game of cops and robbers*, 1984). For each other component, the game is solved on the remaining part, the
/// core, which has the same cop number; [`dismantle`](crate::graph::dismantle) says why. A directed graph is not
/// dismantled: its weak components are solved.
///
/// `limit` is the memory in bytes that a table may take, not counting copies of the graph. `go_on` is
/// given the progress of the dismantling (reported as table 0 with one cop) and of the tables, and stops
/// the work by returning `false`. Time: near-linear for dismantling a map, plus that of solving tables
/// of two and three cops on the cores, see [`Estimate`](pursuit_engine::table::Estimate).
#[must_use]
pub fn cop_number(
    graph: &Digraph,
    limit: u64,
    go_on: impl FnMut(AnalysisProgress) -> bool,
) -> CopNumber {
    CopNumberSearch::new(limit, false, go_on).run(graph)
}

/// The cop number of the current map; see [`cop_number`]. Refuses a map whose graph alone takes more
/// than `limit` bytes, at 220 bytes per vertex; graphs of less than a megabyte are never refused.
///
/// With orthogonal and hexagonal moves the graph is planar, so that three cops always suffice, and no table of three
/// is solved (Aigner and Fromme, 1984, theorem 6).
#[must_use]
pub fn cop_number_of_map(
    map: &Graph,
    limit: u64,
    go_on: impl FnMut(AnalysisProgress) -> bool,
) -> CopNumber {
    let planar = matches!(map.moves(), Moves::Orthogonal | Moves::Hexagonal(_));
    let vertices = map.vertices();
    if let Some(needed) = super::graph_bytes_over(limit, vertices) {
        return CopNumber::AtLeast {
            cops: 1,
            because: Undecided::TooLarge {
                vertices,
                needed,
                limit,
            },
        };
    }
    CopNumberSearch::new(limit, planar, go_on).run(&Digraph::of_map(map).0)
}

/// The cop number of a game with exits, or with different grounds for the two sides: the least number of cops that can
/// choose starting places from which they capture the robber wherever else it starts, on no exit. Parts of the map are not
/// solved separately.
///
/// `limit` and `go_on` as in [`cop_number`]. Time: that of solving the tables of up to three cops.
///
/// If a table does not fit into memory, the number is a lower bound.
#[must_use]
pub fn cop_number_of_arena(
    arena: &Arc<Arena>,
    moves: Moves,
    limit: u64,
    mut go_on: impl FnMut(AnalysisProgress) -> bool,
) -> CopNumber {
    for cops in (1..=MOST).filter_map(NonZeroU8::new) {
        let undecided = |because| CopNumber::AtLeast {
            cops: cops.get(),
            because,
        };
        let rules = Rules {
            cops,
            moves,
            ..Rules::default()
        };
        let mut solver = match Solver::new(Arc::clone(arena), rules, limit) {
            Ok(solver) => solver,
            Err(error) => return undecided(Undecided::Table(error)),
        };
        solver.run(|solver| {
            go_on(AnalysisProgress {
                table: usize::from(cops.get()) - 1,
                cops: cops.get(),
                vertices: arena.places(),
                solver,
            })
        });
        match solver.finish() {
            None => return undecided(Undecided::Cancelled),
            Some(solution) if solution.worst_cases().best.is_some() => {
                return CopNumber::Exactly(cops.get());
            }
            Some(_) => {}
        }
    }
    CopNumber::MoreThan(MOST)
}

struct CopNumberSearch<F> {
    limit: u64,
    /// Three cops are known to be enough.
    planar: bool,
    go_on: F,
    tables: usize,
}

impl<F: FnMut(AnalysisProgress) -> bool> CopNumberSearch<F> {
    const fn new(limit: u64, planar: bool, go_on: F) -> Self {
        Self {
            limit,
            planar,
            go_on,
            tables: 0,
        }
    }

    fn run(mut self, graph: &Digraph) -> CopNumber {
        if graph.vertices() == 0 {
            return CopNumber::Exactly(0);
        }
        let symmetric = graph.is_symmetric();
        // Dismantling works on each component independently.
        let mut parts = if symmetric {
            let vertices = graph.vertices();
            let (dismantling, is_done) = dismantle_while(graph, |deleted| {
                (self.go_on)(AnalysisProgress {
                    table: 0,
                    cops: 1,
                    vertices,
                    solver: Progress::of_work(deleted as u64, vertices as u64),
                })
            });
            if !is_done {
                return CopNumber::AtLeast {
                    cops: 1,
                    because: Undecided::Cancelled,
                };
            }
            split(&graph.induced(&dismantling.core))
        } else {
            split(graph)
        };
        // Cheapest components first: their result may make it unnecessary to try small numbers of cops
        // on the others.
        parts.retain(|part| part.vertices() > 1);
        parts.sort_by_key(Digraph::vertices);
        // A core of more than one vertex takes two cops.
        let least = if symmetric { 2 } else { 1 };
        let mut most = 1;
        let mut undecided = None;
        for part in &parts {
            match self.number_of(part, most.max(least), symmetric) {
                Ok(cops) if cops > MOST => return CopNumber::MoreThan(MOST),
                Ok(cops) => most = cops,
                Err((cops, because)) => {
                    most = cops;
                    undecided = undecided.or(Some(because));
                    if because == Undecided::Cancelled {
                        break;
                    }
                }
            }
        }
        match undecided {
            Some(because) => CopNumber::AtLeast {
                cops: most,
                because,
            },
            None => CopNumber::Exactly(most),
        }
    }

    /// The number of cops needed, but at least `least`. A value above [`MOST`] means that more than [`MOST`] cops are
    /// needed. On failure a lower bound, and why the exact number is unknown.
    fn number_of(
        &mut self,
        part: &Digraph,
        least: u8,
        symmetric: bool,
    ) -> Result<u8, (u8, Undecided)> {
        let few = NonZeroU8::new(least).into_iter();
        let tried = few.flat_map(|least| (least.get()..=MOST).filter_map(NonZeroU8::new));
        for cops in tried {
            let enough = self.planar && cops.get() == 3;
            let enough = enough
                || self
                    .do_win(part, cops, symmetric)
                    .map_err(|why| (cops.get(), why))?;
            if enough {
                return Ok(cops.get());
            }
        }
        Ok(MOST + 1)
    }

    /// Returns whether this number of cops wins.
    fn do_win(
        &mut self,
        part: &Digraph,
        cops: NonZeroU8,
        symmetric: bool,
    ) -> Result<bool, Undecided> {
        let rules = Rules {
            cops,
            ..Rules::default()
        };
        let arena = Arena::of_digraph(part).into();
        let mut solver = Solver::new(arena, rules, self.limit).map_err(Undecided::Table)?;
        let table = self.tables;
        self.tables += 1;
        let last = solver.run(|solver| {
            (self.go_on)(AnalysisProgress {
                table,
                cops: cops.get(),
                vertices: part.vertices(),
                solver,
            })
        });
        // If all edges lead both ways, cops that can win from some places can walk to them.
        let from_all = last.solved == last.positions;
        if from_all || symmetric && last.done {
            return Ok(from_all);
        }
        let solution = solver.finish().ok_or(Undecided::Cancelled)?;
        Ok(solution.worst_cases().best.is_some())
    }
}

/// The components as separate graphs. Time: linear except for sorting the edges.
fn split(graph: &Digraph) -> Vec<Digraph> {
    let components = graph.components();
    let mut number = vec![0; graph.vertices()];
    for component in &components {
        for (place, vertex) in component.iter().enumerate() {
            number[vertex.index()] = place as u32;
        }
    }
    let parts = components.iter().map(|component| {
        let tails = (0..).zip(component);
        let arcs = tails.flat_map(|(tail, &vertex)| {
            let heads = graph.successors(vertex).iter();
            let number = &number;
            heads.map(move |head| (tail, number[head.index()]))
        });
        Digraph::directed(component.len() as u32, &arcs.collect::<Vec<_>>())
    });
    // Never fails: all ends are vertex numbers of the component.
    parts.flatten().collect()
}
