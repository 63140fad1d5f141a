//! Builds the levels above a map in slices of constant size.

use super::grid::{Block, Grid};
use super::groups::{Grouping, GroupingMemory};
use super::hierarchy::Lineage;
use super::level::{AbstractLevel, Below, NONE};
use crate::graph::{Graph, Network as _, Vertex};
use crate::map::Moves;
use std::ops::Range;

/// The number of vertices, cells or edges that a slice processes.
const SLICE: usize = 256;

/// A build in progress of the levels above a map. The graph must not change meanwhile.
///
/// The map passes through the first two stages, each level through the others:
///
/// ```text
/// Lineage -> Grid -> Blocks -> Columns -> Cliques -> Rest -> Places -> Links -> NextGrid -> Done
///             |         ^                                                           |         ^
///             |         +-------------------(the level has edges)-------------------+         |
///             +---------------------------(the map has no edges)------------------------------+
/// ```
#[derive(Debug, Clone, Default)]
pub(super) struct Build {
    /// The parents of the map's vertices, once the first level has its groups.
    parent: Vec<Vertex>,
    /// The finished levels, the lowest first.
    levels: Vec<AbstractLevel>,
    lineage: Option<Lineage>,
    current: LevelBuild,
}

/// The stages of a level, in order. The first two apply to the map only.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum BuildStage {
    /// Reset all parents and compute the lineage.
    #[default]
    Lineage,
    /// Lay out the grid of the map.
    Grid,
    /// Find the blocks of the grid that are cliques. Row by row, as they lie in memory, which saves
    /// a fifth of the build time.
    Blocks,
    /// Turn these blocks into groups, column by column.
    Columns,
    /// Group cliques among the remaining vertices.
    Cliques,
    /// Group the vertices that are in no clique.
    Rest,
    /// Compute the positions of the new vertices.
    Places,
    /// Compute the edges of the new vertices.
    Links,
    /// Lay out the grid of the new level.
    NextGrid,
    /// All levels are complete.
    Done,
}

impl BuildStage {
    /// The cost of a vertex, cell, block or edge, in units of 10/16 ns.
    const fn cost(self) -> u64 {
        match self {
            Self::Lineage | Self::Grid | Self::NextGrid => 8,
            Self::Blocks => 40,
            Self::Columns => 80,
            Self::Cliques | Self::Rest => 30,
            Self::Places => 50,
            Self::Links => 60,
            Self::Done => 0,
        }
    }
}

/// The level under construction.
#[derive(Debug, Clone, Default)]
struct LevelBuild {
    stage: BuildStage,
    /// The number of items that the stage has processed.
    at: usize,
    level: AbstractLevel,
    /// The parents of the vertices below.
    parent: Vec<Vertex>,
    /// The vertices of the map, row by row. Empty above, where the order is that of the numbers.
    order: Vec<Vertex>,
    /// The grid of the level below.
    grid: Grid,
    is_clique: Vec<bool>,
    /// The grid of the new level.
    next_grid: Vec<Vertex>,
    /// The edges of the level below; empty if that is the map.
    edges: Vec<(Vertex, Vertex)>,
    /// The edges of the new level, in order.
    lifted: Vec<(Vertex, Vertex)>,
    work: GroupingMemory,
}

impl Build {
    /// Processes one slice and returns its cost in units of 10 ns. Slices are always the same, whatever
    /// the budget of the caller.
    pub(super) fn step(&mut self, graph: &Graph) -> u64 {
        let (stage, at) = (self.current.stage, self.current.at);
        let moves = graph.moves();
        let all = self.items(graph);
        let slice = at..(at + SLICE).min(all);
        self.current.at = slice.end;
        let mut is_over = slice.end == all;
        let cost = 1 + slice.len() as u64 * stage.cost() / 16;
        match stage {
            BuildStage::Lineage => self.begin_map(graph, slice),
            BuildStage::Grid => self.current.lay_out(graph, slice),
            BuildStage::Links if self.levels.is_empty() => self.current.link_map(graph, slice),
            BuildStage::NextGrid => self.current.lay_out_next(slice),
            BuildStage::Done => {}
            _ => match self.levels.last() {
                None => self.current.work_on(graph, moves, slice),
                Some(below) => self.current.work_on(below, moves, slice),
            },
        }
        if stage == BuildStage::Rest {
            is_over = self.current.at == 0;
        }
        if is_over {
            self.current.at = 0;
            self.end_stage(graph);
        }
        cost
    }

    pub(super) const fn is_done(&self) -> bool {
        matches!(self.current.stage, BuildStage::Done)
    }

    /// Returns the parents of the map's vertices, the levels and their lineage, after the last stage.
    pub(super) fn finish(self, graph: &Graph) -> (Vec<Vertex>, Vec<AbstractLevel>, Lineage) {
        let lineage = self.lineage.unwrap_or_else(|| Lineage::begin(graph));
        (self.parent, self.levels, lineage)
    }

    /// The number of items that the stage processes.
    fn items(&self, graph: &Graph) -> usize {
        let current = &self.current;
        match current.stage {
            BuildStage::Lineage => graph.slots(),
            BuildStage::Grid => graph.cells(),
            BuildStage::Blocks | BuildStage::Columns => current.grid.blocks(),
            BuildStage::Cliques => self
                .levels
                .last()
                .map_or(current.order.len(), AbstractLevel::slots),
            // Unknown: the stage ends when its stack is empty.
            BuildStage::Rest => usize::MAX,
            BuildStage::Places => current.level.slots(),
            BuildStage::Links if self.levels.is_empty() => current.order.len(),
            BuildStage::Links => current.edges.len(),
            BuildStage::NextGrid => current.grid.next_places(),
            BuildStage::Done => 0,
        }
    }

    fn begin_map(&mut self, graph: &Graph, slice: Range<usize>) {
        let mut lineage = self.lineage.unwrap_or_else(|| Lineage::begin(graph));
        for vertex in slice.map(Vertex::from_index) {
            self.current.parent.push(NONE);
            if graph.is_live(vertex) {
                lineage = lineage.with(graph.cell(vertex));
            }
        }
        self.lineage = Some(lineage);
    }

    fn end_stage(&mut self, graph: &Graph) {
        let current = &mut self.current;
        current.stage = match current.stage {
            BuildStage::Lineage => {
                current.grid.width = graph.width().into();
                current.grid.block = Block::first(graph.moves());
                BuildStage::Grid
            }
            BuildStage::Grid
                if current
                    .order
                    .iter()
                    .all(|&vertex| graph.degree(vertex) == 0) =>
            {
                self.parent = std::mem::take(&mut current.parent);
                BuildStage::Done
            }
            BuildStage::Grid => {
                current.level = AbstractLevel::with_capacity(current.order.len() / 2);
                BuildStage::Blocks
            }
            BuildStage::Blocks => BuildStage::Columns,
            BuildStage::Columns => BuildStage::Cliques,
            BuildStage::Cliques => BuildStage::Rest,
            BuildStage::Rest => {
                current.lifted = Vec::with_capacity(current.parent.len());
                BuildStage::Places
            }
            BuildStage::Places => BuildStage::Links,
            BuildStage::Links => {
                current.level.shrink();
                BuildStage::NextGrid
            }
            BuildStage::NextGrid => return self.end_level(),
            BuildStage::Done => BuildStage::Done,
        };
    }

    /// Stores the finished level and starts the next one, if the finished one has edges.
    fn end_level(&mut self) {
        let current = &mut self.current;
        let parent = std::mem::take(&mut current.parent);
        match self.levels.last_mut() {
            None => self.parent = parent,
            Some(below) => below.parent = parent,
        }
        let mut level = std::mem::take(&mut current.level);
        let work = std::mem::take(&mut current.work);
        let edges = std::mem::take(&mut current.lifted);
        if edges.is_empty() {
            self.levels.push(level);
            self.current = LevelBuild {
                stage: BuildStage::Done,
                ..LevelBuild::default()
            };
            return;
        }
        self.current = LevelBuild {
            stage: BuildStage::Blocks,
            parent: std::mem::take(&mut level.parent),
            grid: Grid {
                width: current.grid.next_size().0,
                vertices: std::mem::take(&mut current.next_grid),
                block: current.grid.block.next(),
            },
            level: AbstractLevel::with_capacity(level.slots() / 2),
            edges,
            work,
            ..LevelBuild::default()
        };
        self.current.work.touched.clear();
        self.levels.push(level);
    }
}

impl LevelBuild {
    /// Processes a slice of a stage that is the same above the map and above a level.
    fn work_on<B: Below>(&mut self, below: &B, moves: Moves, slice: Range<usize>) {
        let Self {
            level,
            parent,
            work,
            grid,
            ..
        } = self;
        let mut grouping = Grouping {
            below,
            parent,
            upper: level,
            work,
            moves,
        };
        let (columns, rows) = grid.size_in_blocks();
        match self.stage {
            BuildStage::Blocks => {
                let is_clique = slice.map(|at| {
                    let (column, row) = (at % columns, at / columns);
                    grid.with_block(column, row, |block| grouping.is_clique(block))
                });
                self.is_clique.extend(is_clique);
            }
            BuildStage::Columns => {
                for at in slice {
                    let (column, row) = (at / rows, at % rows);
                    if self.is_clique[row * columns + column] {
                        grid.with_block(column, row, |block| grouping.group_block(block));
                    }
                }
            }
            BuildStage::Cliques if self.order.is_empty() => {
                grouping.group_cliques(slice.map(Vertex::from_index));
            }
            BuildStage::Cliques => grouping.group_cliques(self.order[slice].iter().copied()),
            BuildStage::Rest => {
                // 0 when the stack is empty, which ends the stage.
                self.at = grouping.group_rest(SLICE);
            }
            BuildStage::Places => {
                for index in slice {
                    let children = level.children.row(Vertex::from_index(index));
                    level.places[index] = below.place_of_all(children);
                }
            }
            BuildStage::Links => {
                for index in slice {
                    let (a, b) = self.edges[index];
                    self.lift(a, b);
                }
            }
            BuildStage::Lineage | BuildStage::Grid | BuildStage::NextGrid | BuildStage::Done => {}
        }
    }

    fn lay_out(&mut self, graph: &Graph, slice: Range<usize>) {
        for index in slice {
            let vertex = graph.vertex_at(index);
            self.order.extend(vertex);
            self.grid.vertices.push(vertex.unwrap_or(NONE));
        }
    }

    /// Lays out the grid of the new level: the parents of the first vertices of its blocks.
    fn lay_out_next(&mut self, slice: Range<usize>) {
        let (columns, _) = self.grid.next_size();
        for place in slice {
            let corner = self.grid.corner(place % columns, place / columns);
            let vertex = self.grid.vertices[corner];
            let parent = self.parent.get(vertex.index()).copied();
            self.next_grid.push(parent.unwrap_or(NONE));
        }
    }

    /// Lifts the edges of some vertices of the map, in the order of Moldenhauer's research code: to the
    /// left, up, up-left and up-right, which come first among the neighbours.
    fn link_map(&mut self, graph: &Graph, slice: Range<usize>) {
        for index in slice {
            let vertex = self.order[index];
            let cell = graph.cell(vertex);
            for &other in graph.joined(vertex) {
                // Of two adjacent vertices the later one lists the edge.
                if graph.cell(other) < cell {
                    self.lift(vertex, other);
                } else if graph.has_plain_steps() {
                    break;
                }
            }
        }
    }

    /// Adds the edge between the parents of two adjacent vertices, if it does not exist yet.
    fn lift(&mut self, a: Vertex, b: Vertex) {
        let (a, b) = (self.parent[a.index()], self.parent[b.index()]);
        if a != b && !self.level.are_adjacent(a, b) {
            self.level.link(a, b);
            self.lifted.push((a, b));
        }
    }
}
