use super::groups::{Grouping, Work};
use super::hierarchy::Lineage;
use super::level::{AbstractLevel, Below, NONE};
use crate::graph::{Graph, Network as _, Vertex};
use std::ops::Range;

/// So many vertices, cells or edges are looked at in one piece.
const PIECE: usize = 256;

/// The levels above a map while they are built, a piece at a time. The graph must not change meanwhile.
#[derive(Debug, Clone, Default)]
pub(super) struct Build {
    /// The parents of the map's vertices, once the first level has its groups.
    parent: Vec<Vertex>,
    /// The levels that are done, from the one next to the map.
    levels: Vec<AbstractLevel>,
    lineage: Option<Lineage>,
    now: Rising,
}

/// What is done to a level, in this order. The first two are for the map alone.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Stage {
    /// All vertices lose their parents; the lineage is worked out.
    #[default]
    Numbers,
    /// The grid of the map is laid out.
    Rows,
    /// Which squares of the grid are cliques? Looked at row by row, as they lie in memory: a fifth of
    /// the build's time saved.
    Squares,
    /// These squares become groups, column by column.
    Columns,
    /// The rest of the rules of the reference program: cliques, and who is in none.
    Cliques,
    Rest,
    /// Where the new vertices are.
    Places,
    /// Their edges.
    Links,
    /// The grid of the new level.
    Above,
    /// There is no level to come.
    Done,
}

impl Stage {
    /// What a vertex, cell, square or edge costs, in units of 10/16 ns.
    const fn cost(self) -> u64 {
        match self {
            Self::Numbers | Self::Rows | Self::Above => 8,
            Self::Squares => 40,
            Self::Columns => 80,
            Self::Cliques | Self::Rest => 30,
            Self::Places => 50,
            Self::Links => 60,
            Self::Done => 0,
        }
    }
}

/// The level that is being built.
#[derive(Debug, Clone, Default)]
struct Rising {
    stage: Stage,
    /// How far the stage is.
    at: usize,
    level: AbstractLevel,
    /// The parents of the vertices below.
    parent: Vec<Vertex>,
    /// The vertices of the map, row by row. Those of levels come in the order of their numbers.
    order: Vec<Vertex>,
    grid: Grid,
    is_clique: Vec<bool>,
    /// The grid of the level itself.
    above: Vec<Vertex>,
    /// The edges of the level below; those of the map are not written down.
    edges: Vec<(Vertex, Vertex)>,
    /// The edges of the level itself, in order.
    lifted: Vec<(Vertex, Vertex)>,
    work: Work,
}

impl Build {
    /// Goes on by one piece and returns what it has cost, in units of 10 ns. Pieces do not depend on
    /// who asks for them.
    pub(super) fn step(&mut self, graph: &Graph) -> u64 {
        let (stage, at) = (self.now.stage, self.now.at);
        let all = self.items(graph);
        let piece = at..(at + PIECE).min(all);
        self.now.at = piece.end;
        let mut is_over = piece.end == all;
        let cost = 1 + piece.len() as u64 * stage.cost() / 16;
        match stage {
            Stage::Numbers => self.number(graph, piece),
            Stage::Rows => self.now.lay_out(graph, piece),
            Stage::Links if self.levels.is_empty() => self.now.link_map(graph, piece),
            Stage::Above => self.now.lay_out_above(piece),
            Stage::Done => {}
            _ => match self.levels.last() {
                None => self.now.work_on(graph, piece),
                Some(below) => self.now.work_on(below, piece),
            },
        }
        if stage == Stage::Rest {
            is_over = self.now.at == 0;
        }
        if is_over {
            self.now.at = 0;
            self.end_stage(graph);
        }
        cost
    }

    pub(super) const fn is_done(&self) -> bool {
        matches!(self.now.stage, Stage::Done)
    }

    /// The parents of the map's vertices, the levels, and where they come from, once all is done.
    pub(super) fn finish(self, graph: &Graph) -> (Vec<Vertex>, Vec<AbstractLevel>, Lineage) {
        let lineage = self.lineage.unwrap_or_else(|| Lineage::begin(graph));
        (self.parent, self.levels, lineage)
    }

    /// How many things the stage looks at.
    fn items(&self, graph: &Graph) -> usize {
        let now = &self.now;
        match now.stage {
            Stage::Numbers => graph.slots(),
            Stage::Rows => graph.cells(),
            Stage::Squares | Stage::Columns => now.grid.squares().0 * now.grid.squares().1,
            Stage::Cliques => self
                .levels
                .last()
                .map_or(now.order.len(), AbstractLevel::slots),
            // As long as there are some.
            Stage::Rest => usize::MAX,
            Stage::Places => now.level.slots(),
            Stage::Links if self.levels.is_empty() => now.order.len(),
            Stage::Links => now.edges.len(),
            Stage::Above => now.grid.places_above(),
            Stage::Done => 0,
        }
    }

    fn number(&mut self, graph: &Graph, piece: Range<usize>) {
        let mut lineage = self.lineage.unwrap_or_else(|| Lineage::begin(graph));
        for vertex in piece.map(Vertex::from_index) {
            self.now.parent.push(NONE);
            if graph.is_live(vertex) {
                lineage = lineage.with(graph.cell(vertex));
            }
        }
        self.lineage = Some(lineage);
    }

    fn end_stage(&mut self, graph: &Graph) {
        let now = &mut self.now;
        now.stage = match now.stage {
            Stage::Numbers => {
                now.grid.width = graph.width().into();
                Stage::Rows
            }
            Stage::Rows if now.order.iter().all(|&vertex| graph.degree(vertex) == 0) => {
                self.parent = std::mem::take(&mut now.parent);
                Stage::Done
            }
            Stage::Rows => {
                now.level = AbstractLevel::with_capacity(now.order.len() / 2);
                Stage::Squares
            }
            Stage::Squares => Stage::Columns,
            Stage::Columns => Stage::Cliques,
            Stage::Cliques => Stage::Rest,
            Stage::Rest => {
                now.lifted = Vec::with_capacity(now.parent.len());
                Stage::Places
            }
            Stage::Places => Stage::Links,
            Stage::Links => {
                now.level.shrink();
                Stage::Above
            }
            Stage::Above => return self.end_level(),
            Stage::Done => Stage::Done,
        };
    }

    /// The level is done: the next one is begun, if it has edges.
    fn end_level(&mut self) {
        let now = &mut self.now;
        let parent = std::mem::take(&mut now.parent);
        match self.levels.last_mut() {
            None => self.parent = parent,
            Some(below) => below.parent = parent,
        }
        let mut level = std::mem::take(&mut now.level);
        let work = std::mem::take(&mut now.work);
        let edges = std::mem::take(&mut now.lifted);
        if edges.is_empty() {
            self.levels.push(level);
            self.now = Rising {
                stage: Stage::Done,
                ..Rising::default()
            };
            return;
        }
        self.now = Rising {
            stage: Stage::Squares,
            parent: std::mem::take(&mut level.parent),
            grid: Grid {
                width: now.grid.width.div_ceil(2),
                vertices: std::mem::take(&mut now.above),
            },
            level: AbstractLevel::with_capacity(level.slots() / 2),
            edges,
            work,
            ..Rising::default()
        };
        self.now.work.touched.clear();
        self.levels.push(level);
    }
}

impl Rising {
    /// A piece of what is the same for the map and for levels.
    fn work_on<B: Below>(&mut self, below: &B, piece: Range<usize>) {
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
        };
        let (columns, rows) = grid.squares();
        match self.stage {
            Stage::Squares => {
                let square = |at: usize| grid.square(at % columns, at / columns);
                let is_clique = piece.map(|at| grouping.is_clique(&square(at)));
                self.is_clique.extend(is_clique);
            }
            Stage::Columns => {
                for at in piece {
                    let (column, row) = (at / rows, at % rows);
                    if self.is_clique[row * columns + column] {
                        grouping.group_square(&grid.square(column, row));
                    }
                }
            }
            Stage::Cliques if self.order.is_empty() => {
                grouping.group_cliques(piece.map(Vertex::from_index));
            }
            Stage::Cliques => grouping.group_cliques(self.order[piece].iter().copied()),
            Stage::Rest => {
                // 0 once nobody is left.
                self.at = grouping.settle_rest(PIECE);
            }
            Stage::Places => {
                for index in piece {
                    let children = level.children.row(Vertex::from_index(index));
                    level.places[index] = below.place_of_all(children);
                }
            }
            Stage::Links => {
                for index in piece {
                    self.lift(self.edges[index]);
                }
            }
            Stage::Numbers | Stage::Rows | Stage::Above | Stage::Done => {}
        }
    }

    fn lay_out(&mut self, graph: &Graph, piece: Range<usize>) {
        for index in piece {
            let vertex = graph.vertex_at(index);
            self.order.extend(vertex);
            self.grid.vertices.push(vertex.unwrap_or(NONE));
        }
    }

    /// Of every second column and row the parents.
    fn lay_out_above(&mut self, piece: Range<usize>) {
        let columns = self.grid.width.div_ceil(2);
        for place in piece {
            let (column, row) = (place % columns, place / columns);
            let vertex = self.grid.vertices[2 * row * self.grid.width + 2 * column];
            let parent = self.parent.get(vertex.index()).copied();
            self.above.push(parent.unwrap_or(NONE));
        }
    }

    /// The edges of some vertices of the map in the order of the reference program: those to the left,
    /// up, up-left and up-right, which come first among the neighbours.
    fn link_map(&mut self, graph: &Graph, piece: Range<usize>) {
        for index in piece {
            let vertex = self.order[index];
            let cell = graph.cell(vertex);
            for &other in graph.neighbours(vertex) {
                if graph.cell(other) > cell {
                    break;
                }
                self.lift((vertex, other));
            }
        }
    }

    /// Adds the edge between the parents of two vertices that an edge joins, if there is none yet.
    fn lift(&mut self, (a, b): (Vertex, Vertex)) {
        let (a, b) = (self.parent[a.index()], self.parent[b.index()]);
        if a != b && !self.level.are_adjacent(a, b) {
            self.level.link(a, b);
            self.lifted.push((a, b));
        }
    }
}

/// The vertices of a level that stand for the cells in every 2^L-th column and row.
#[derive(Debug, Clone, Default)]
struct Grid {
    width: usize,
    /// Row by row; [`NONE`] for walls.
    vertices: Vec<Vertex>,
}

impl Grid {
    /// How many columns and rows of squares of two by two there are.
    fn squares(&self) -> (usize, usize) {
        (self.width / 2, self.height() / 2)
    }

    /// How many places the grid of the level above has.
    fn places_above(&self) -> usize {
        self.width.div_ceil(2) * self.height().div_ceil(2)
    }

    fn height(&self) -> usize {
        self.vertices.len() / self.width.max(1)
    }

    fn square(&self, column: usize, row: usize) -> [Vertex; 4] {
        let first = 2 * (row * self.width + column);
        let below = first + self.width;
        [first, first + 1, below, below + 1].map(|place| self.vertices[place])
    }
}
