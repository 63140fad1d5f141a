use super::{AnalysisProgress, Statistics};
use crate::game::Rules;
use crate::graph::{Digraph, Graph};
use crate::map::{Cell, Terrain, TileMap};
use crate::table::{Arena, SolveError, Solver};
use thiserror::Error;

/// Why there is no analysis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum AnalysisError {
    /// A table that it needs cannot be solved.
    #[error(transparent)]
    Table(#[from] SolveError),
    /// Who asked had no time to wait.
    #[error("cancelled")]
    Cancelled,
    /// There is nowhere to stand.
    #[error("a map without a passable cell")]
    Empty,
}

/// The statistics of a map as it is now, for some rules.
///
/// A map in several components counts as so many games, with the cops and the robber in the same
/// component, as the thesis does for the cop number (definition 2.4): positions are added up, and
/// the search time is the greatest of the components'. The moves are those of the graph.
///
/// `limit` is the memory in bytes that a table may take, `go_on` is asked during the work and stops
/// it with `false`. Time: that of solving a table for each component, see
/// [`Estimate`](crate::table::Estimate).
///
/// # Errors
/// If a table would not fit, if it was stopped, or if the map has no passable cell.
pub fn analyze(
    map: &Graph,
    rules: Rules,
    limit: u64,
    mut go_on: impl FnMut(AnalysisProgress) -> bool,
) -> Result<Statistics<Cell>, AnalysisError> {
    let (graph, vertices) = Digraph::of_map(map);
    let mut all: Option<Statistics<Cell>> = None;
    for (table, component) in graph.components().iter().enumerate() {
        let cells = component.iter().map(|v| map.cell(vertices[v.index()]));
        let component = Component::new(&cells.collect::<Vec<_>>());
        let component = component.ok_or(AnalysisError::Empty)?;
        let graph = Graph::new(&component.map, map.moves());
        let mut solver = Solver::new(Arena::of_map(&graph).into(), rules, limit)?;
        solver.run(|solver| {
            go_on(AnalysisProgress {
                table,
                cops: rules.cops.get(),
                vertices: graph.vertices(),
                solver,
            })
        });
        let solution = solver.finish().ok_or(AnalysisError::Cancelled)?;
        let found = Statistics::of(&solution).named(|vertex| component.outside(graph.cell(vertex)));
        match &mut all {
            Some(all) => all.add(found),
            None => all = Some(found),
        }
    }
    all.ok_or(AnalysisError::Empty)
}

/// A component by itself, cut out of its map, so that many small ones cost no more than their own
/// cells.
struct Component {
    map: TileMap,
    left: u16,
    top: u16,
}

impl Component {
    /// `None` without cells. A step's square lies within one component, so that all steps stay.
    fn new(cells: &[Cell]) -> Option<Self> {
        let (left, right) = range(cells, |cell| cell.x)?;
        let (top, bottom) = range(cells, |cell| cell.y)?;
        let mut map = TileMap::filled(right - left + 1, bottom - top + 1, Terrain::Wall)?;
        for cell in cells {
            map.set(Cell::new(cell.x - left, cell.y - top), Terrain::Floor);
        }
        Some(Self { map, left, top })
    }

    /// The cell of the whole map.
    const fn outside(&self, cell: Cell) -> Cell {
        Cell::new(cell.x + self.left, cell.y + self.top)
    }
}

/// The least and the greatest.
fn range(cells: &[Cell], of: fn(&Cell) -> u16) -> Option<(u16, u16)> {
    let all = cells.iter().map(of);
    all.clone().min().zip(all.max())
}
