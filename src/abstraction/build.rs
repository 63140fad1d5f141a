use super::groups::{Grouping, Work};
use super::level::{Below, Level, NONE};
use crate::graph::{Graph, Network, Vertex};
use crate::map::Cell;

/// The levels above a map, from the one next to it to the top, and the parents of the map's
/// vertices.
pub(super) fn build(graph: &Graph) -> (Vec<Vertex>, Vec<Level>) {
    let mut levels: Vec<Level> = Vec::new();
    let mut parent = vec![NONE; graph.slots()];
    let mut grid = Grid::of_map(graph);
    let order = grid.by_rows();
    if order.iter().all(|&vertex| graph.degree(vertex) == 0) {
        return (parent, levels);
    }
    let mut work = Work::default();
    let mut level = group(graph, &order, &grid, &mut parent, &mut work);
    let mut edges = lift(first_edges(graph, &order), &parent, &mut level);
    grid = grid.above(&parent);
    while !edges.is_empty() {
        let order: Vec<Vertex> = level.iter().collect();
        let mut parent = std::mem::take(&mut level.parent);
        let mut upper = group(&level, &order, &grid, &mut parent, &mut work);
        edges = lift(edges.into_iter(), &parent, &mut upper);
        grid = grid.above(&parent);
        level.parent = parent;
        levels.push(std::mem::replace(&mut level, upper));
    }
    levels.push(level);
    (parent, levels)
}

/// The vertices of a level that stand for the cells in every 2^L-th column and row.
struct Grid {
    width: usize,
    /// Row by row; [`NONE`] for walls.
    vertices: Vec<Vertex>,
}

impl Grid {
    fn of_map(graph: &Graph) -> Self {
        let (width, height) = (graph.width(), graph.height());
        let cells = (0..height).flat_map(|y| (0..width).map(move |x| Cell::new(x, y)));
        Self {
            width: width.into(),
            vertices: cells
                .map(|cell| graph.vertex(cell).unwrap_or(NONE))
                .collect(),
        }
    }

    /// The grid of the level above: of every second column and row the parents.
    fn above(&self, parent: &[Vertex]) -> Self {
        let rows = self.vertices.chunks(self.width).step_by(2);
        let vertices = rows.flat_map(|row| row.iter().step_by(2));
        let up = |&vertex: &Vertex| parent.get(vertex.index()).copied().unwrap_or(NONE);
        Self {
            width: self.width.div_ceil(2),
            vertices: vertices.map(up).collect(),
        }
    }

    fn by_rows(&self) -> Vec<Vertex> {
        let all = self.vertices.iter().copied();
        all.filter(|&vertex| vertex != NONE).collect()
    }

    /// How many columns and rows of squares of two by two there are.
    fn squares(&self) -> (usize, usize) {
        let height = self.vertices.len() / self.width;
        (self.width / 2, height / 2)
    }

    fn square(&self, column: usize, row: usize) -> [Vertex; 4] {
        let first = 2 * (row * self.width + column);
        let below = first + self.width;
        [first, first + 1, below, below + 1].map(|place| self.vertices[place])
    }
}

/// The vertices of the level above, without edges: squares of the grid first, then the rest of the
/// rules of the reference program.
fn group<B: Below>(
    below: &B,
    order: &[Vertex],
    grid: &Grid,
    parent: &mut [Vertex],
    work: &mut Work,
) -> Level {
    let mut level = Level::with_capacity(order.len() / 2);
    work.touched.clear();
    let mut grouping = Grouping {
        below,
        parent,
        upper: &mut level,
        work,
    };
    group_squares(&mut grouping, grid);
    grouping.group(order.iter().copied());
    for vertex in (0..level.slots()).map(Vertex::from_index) {
        level.places[vertex.index()] = below.place_of_all(level.children.row(vertex));
    }
    level
}

/// Makes the squares of the grid that are cliques groups, column by column.
fn group_squares<B: Below>(grouping: &mut Grouping<B>, grid: &Grid) {
    let (columns, rows) = grid.squares();
    // Adjacency is looked at row by row, as it lies in memory: a fifth of the build's time saved.
    let mut is_clique = Vec::with_capacity(columns * rows);
    for row in 0..rows {
        is_clique.extend((0..columns).map(|column| grouping.is_clique(&grid.square(column, row))));
    }
    for column in 0..columns {
        for row in 0..rows {
            if is_clique[row * columns + column] {
                grouping.group_square(&grid.square(column, row));
            }
        }
    }
}

/// The edges of a map in the order of the reference program: for each vertex, row by row, those to
/// the left, up, up-left and up-right, which come first among the neighbours.
fn first_edges<'a>(
    graph: &'a Graph,
    order: &'a [Vertex],
) -> impl Iterator<Item = (Vertex, Vertex)> + 'a {
    order.iter().flat_map(move |&vertex| {
        let cell = graph.cell(vertex);
        let earlier = move |other: &&Vertex| graph.cell(**other) < cell;
        let neighbours = graph.neighbours(vertex).iter();
        neighbours
            .take_while(earlier)
            .map(move |&other| (vertex, other))
    })
}

/// Adds the edges between the parents of vertices that edges join, each once and in order.
fn lift(
    edges: impl Iterator<Item = (Vertex, Vertex)>,
    parent: &[Vertex],
    level: &mut Level,
) -> Vec<(Vertex, Vertex)> {
    // There are about as many edges as vertices below.
    let mut lifted = Vec::with_capacity(parent.len());
    for (a, b) in edges {
        let (a, b) = (parent[a.index()], parent[b.index()]);
        if a != b && !level.are_adjacent(a, b) {
            level.link(a, b);
            lifted.push((a, b));
        }
    }
    level.shrink();
    lifted
}
