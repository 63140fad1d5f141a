//! The least number of cops that captures the robber.

use super::AnalysisProgress;
use crate::game::Rules;
use crate::graph::{Digraph, Graph, dismantle_while};
use crate::map::Moves;
use crate::table::{Arena, Progress, SolveError, Solver};
use std::fmt;
use std::num::NonZeroU8;
use thiserror::Error;

/// The most cops that are tried.
const MOST: u8 = 3;

/// How many cops of the robber's speed, 1, it takes to capture the robber: the least number that can choose places
/// from which they capture it wherever it starts (definition 2.4 of the thesis, C. Moldenhauer).
/// For a graph in several components the greatest of their numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CopNumber {
    /// Exactly this number; 0 for a graph without vertices.
    Exactly(u8),
    /// More than this number, the most that was tried.
    MoreThan(u8),
    /// At least this number; whether it is enough is not known.
    AtLeast {
        /// Fewer are not enough.
        cops: u8,
        /// Why no more is known.
        because: Undecided,
    },
}

/// Why a cop number was not found out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Undecided {
    /// The table that decides would not fit into memory.
    #[error(transparent)]
    Table(#[from] SolveError),
    /// The graph itself would take more memory than allowed: see [`AnalysisError::TooLarge`](super::AnalysisError::TooLarge).
    #[error(
        "{vertices} vertices need about {:.3} GB of memory, {:.3} GB allowed",
        *.needed as f64 * 1e-9, *.limit as f64 * 1e-9
    )]
    TooLarge {
        /// How many vertices there are.
        vertices: usize,
        /// The estimate, in bytes.
        needed: u64,
        /// What was allowed, in bytes.
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
/// An undirected graph is dismantled first: a component of which one vertex is left takes one cop
/// (Aigner and Fromme, *A game of cops and robbers*, 1984), and for the others the game is solved
/// on what is left, the core, which has the same cop number; [`dismantle`](crate::graph::dismantle) says why. A directed graph is solved
/// as it is, by weak components.
///
/// `limit` is the memory in bytes that a table may take; copies of the graph come on top. `go_on` gets the progress of the
/// dismantling (as that of table 0 with one cop) and of the tables, and stops the work with `false`. Time: near-linear for dismantling a map; then that of solving tables of two and
/// three cops on the cores, see [`Estimate`](crate::table::Estimate).
#[must_use]
pub fn cop_number(
    graph: &Digraph,
    limit: u64,
    go_on: impl FnMut(AnalysisProgress) -> bool,
) -> CopNumber {
    Search::new(limit, false, go_on).run(graph)
}

/// The cop number of a map as it is now; see [`cop_number`]. A map whose graph alone takes more than `limit`
/// bytes, at 220 a vertex and not counted below a megabyte, is not looked at.
///
/// With orthogonal moves the graph is planar, so that three cops are enough without solving a table
/// of three (Aigner and Fromme, 1984, theorem 6).
#[must_use]
pub fn cop_number_of_map(
    map: &Graph,
    limit: u64,
    go_on: impl FnMut(AnalysisProgress) -> bool,
) -> CopNumber {
    let planar = map.moves() == Moves::Orthogonal;
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
    Search::new(limit, planar, go_on).run(&Digraph::of_map(map).0)
}

struct Search<F> {
    limit: u64,
    /// Three cops are always enough.
    planar: bool,
    go_on: F,
    tables: usize,
}

impl<F: FnMut(AnalysisProgress) -> bool> Search<F> {
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
        // Dismantling deletes within each component by itself.
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
        // What needs the least memory first; it may settle what the others have to be tried for.
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

    /// How many cops it takes, but at least `least`; more than [`MOST`] stands for all greater
    /// numbers. Or how many it takes at least, and why no more is known.
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
        // Where all steps lead both ways, cops who can win from some places can walk there.
        let from_all = last.solved == last.positions;
        if from_all || symmetric && last.done {
            return Ok(from_all);
        }
        let solution = solver.finish().ok_or(Undecided::Cancelled)?;
        Ok(solution.worst_cases().best.is_some())
    }
}

/// The components as graphs of their own. Time: linear but for sorting the edges.
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
    // All ends are numbers of the component, so that none is refused.
    parts.flatten().collect()
}
