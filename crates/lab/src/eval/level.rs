//! Statistics of a whole map.

use super::{AnalysisProgress, Statistics};
use pursuit_engine::game::Rules;
use pursuit_engine::graph::{Digraph, Graph, Vertex};
use pursuit_engine::map::{Cell, Moves, Terrain, TileMap};
use pursuit_engine::table::{Arena, Estimate, SolveError, Solver};
use thiserror::Error;

/// Why an analysis failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum AnalysisError {
    /// A required table cannot be solved.
    #[error(transparent)]
    Table(#[from] SolveError),
    /// The graph itself would take more memory than allowed.
    #[error(
        "an analysis of {vertices} vertices needs about {:.3} GB of memory, {:.3} GB allowed",
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
    /// The map has no passable cell.
    #[error("a map without a passable cell")]
    Empty,
}

/// The statistics of the current map for the given rules.
///
/// Each component of a map is a separate game, with the cops and the robber in that component, as in C.
/// Moldenhauer's definition of the cop number (thesis, definition 2.4). Positions are added up, and the
/// search time is the greatest of all components. The moves are those of the graph.
///
/// `limit` is the memory in bytes that the analysis may take in addition to the map. `go_on` is called
/// while tables are solved, and stops the work by returning `false`. Time: that of solving a table for
/// each component, see [`Estimate`](pursuit_engine::table::Estimate). Memory: at most 220 bytes a vertex (not
/// counted below a megabyte), and then that of the largest table.
///
/// # Errors
/// If the limit is too small, if the work was stopped, or if the map has no passable cell.
pub fn analyze(
    map: &Graph,
    rules: Rules,
    limit: u64,
    mut go_on: impl FnMut(AnalysisProgress) -> bool,
) -> Result<Statistics<Cell>, AnalysisError> {
    expect_room(map.vertices(), limit)?;
    let mut all: Option<Statistics<Cell>> = None;
    for (table, cells) in components(map).iter().enumerate() {
        Estimate::new(cells.len(), &rules)?.within(limit)?;
        let component = Component::new(cells, map).ok_or(AnalysisError::Empty)?;
        let graph = Graph::new(&component.map, component.moves);
        let found = statistics(Arena::of_map(&graph), table, rules, limit, &mut go_on)?;
        let found = found.named(|vertex| component.outside(graph.cell(vertex)));
        match &mut all {
            Some(all) => all.add(found),
            None => all = Some(found),
        }
    }
    all.ok_or(AnalysisError::Empty)
}

/// The statistics of a graph that is given by its edges; see [`analyze`]. Its weak components are separate games.
///
/// # Errors
/// If the limit is too small, if the work was stopped, or if the graph has no vertex.
pub fn analyze_graph(
    graph: &Digraph,
    rules: Rules,
    limit: u64,
    mut go_on: impl FnMut(AnalysisProgress) -> bool,
) -> Result<Statistics, AnalysisError> {
    expect_room(graph.vertices(), limit)?;
    let mut all: Option<Statistics> = None;
    for (table, vertices) in graph.components().iter().enumerate() {
        Estimate::new(vertices.len(), &rules)?.within(limit)?;
        let component = graph.induced(vertices);
        let found = statistics(
            Arena::of_digraph(&component),
            table,
            rules,
            limit,
            &mut go_on,
        )?;
        let found = found.named(|vertex: Vertex| vertices[vertex.index()]);
        match &mut all {
            Some(all) => all.add(found),
            None => all = Some(found),
        }
    }
    all.ok_or(AnalysisError::Empty)
}

/// Refuses a graph that takes too much memory by itself.
fn expect_room(vertices: usize, limit: u64) -> Result<(), AnalysisError> {
    match super::graph_bytes_over(limit, vertices) {
        None => Ok(()),
        Some(needed) => Err(AnalysisError::TooLarge {
            vertices,
            needed,
            limit,
        }),
    }
}

/// The statistics of one component, whose table has a number.
fn statistics(
    arena: Arena,
    table: usize,
    rules: Rules,
    limit: u64,
    go_on: &mut impl FnMut(AnalysisProgress) -> bool,
) -> Result<Statistics, AnalysisError> {
    let vertices = arena.places();
    let mut solver = Solver::new(arena.into(), rules, limit)?;
    solver.run(|solver| {
        go_on(AnalysisProgress {
            table,
            cops: rules.cops.get(),
            vertices,
            solver,
        })
    });
    let solution = solver.finish().ok_or(AnalysisError::Cancelled)?;
    Ok(Statistics::of(&solution))
}

/// The cells of each component.
fn components(map: &Graph) -> Vec<Vec<Cell>> {
    let (graph, vertices) = Digraph::of_map(map);
    let cell = |vertex: &Vertex| map.cell(vertices[vertex.index()]);
    let components = graph.components();
    let cells = components
        .iter()
        .map(|component| component.iter().map(cell).collect());
    cells.collect()
}

/// A component, cut out of its map so that many small components cost no more than their own cells.
struct Component {
    map: TileMap,
    moves: Moves,
    left: u16,
    top: u16,
}

impl Component {
    /// `None` without cells. All steps are kept, since the square of a step and both ends of a link lie within one component.
    fn new(cells: &[Cell], whole: &Graph) -> Option<Self> {
        let rules = whole.rules();
        let (left, right) = range(cells, |cell| cell.x)?;
        let (top, bottom) = range(cells, |cell| cell.y)?;
        let mut map = TileMap::filled(right - left + 1, bottom - top + 1, Terrain::Wall)?;
        for cell in cells {
            map.set(Cell::new(cell.x - left, cell.y - top), Terrain::Floor);
        }
        let moves = whole.moves().within(left, top);
        map.rules_mut().set_corners(rules.corners());
        // What lies beyond the part has no effect on it.
        for edit in rules.edits().filter_map(|edit| edit.within(left, top)) {
            if edit.fits_with(map.width(), map.height(), moves) {
                map.rules_mut().apply(edit);
            }
        }
        Some(Self {
            map,
            moves,
            left,
            top,
        })
    }

    /// The corresponding cell of the whole map.
    const fn outside(&self, cell: Cell) -> Cell {
        Cell::new(cell.x + self.left, cell.y + self.top)
    }
}

/// The smallest and the greatest value.
fn range(cells: &[Cell], of: fn(&Cell) -> u16) -> Option<(u16, u16)> {
    let all = cells.iter().map(of);
    all.clone().min().zip(all.max())
}
