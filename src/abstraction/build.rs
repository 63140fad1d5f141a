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
        let mut parent = vec![NONE; level.slots()];
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

    /// The squares of two by two, column by column.
    fn squares(&self) -> impl Iterator<Item = [Vertex; 4]> + '_ {
        let height = self.vertices.len() / self.width.max(1);
        let whole = |side: usize| (0..side.saturating_sub(1)).step_by(2);
        let corners = whole(self.width).flat_map(move |x| whole(height).map(move |y| (x, y)));
        corners.map(|(x, y)| {
            let corner = y * self.width + x;
            [
                corner,
                corner + 1,
                corner + self.width,
                corner + self.width + 1,
            ]
            .map(|place| self.vertices[place])
        })
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
    let mut level = Level::default();
    work.touched.clear();
    let mut grouping = Grouping {
        below,
        parent,
        upper: &mut level,
        work,
    };
    for square in grid.squares() {
        grouping.group_square(&square);
    }
    grouping.group(order.iter().copied());
    for vertex in (0..level.slots()).map(Vertex::from_index) {
        level.places[vertex.index()] = below.place_of_all(level.children.row(vertex));
    }
    level
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
    let mut lifted = Vec::new();
    for (a, b) in edges {
        let (a, b) = (parent[a.index()], parent[b.index()]);
        if a != b && !level.are_adjacent(a, b) {
            level.link(a, b);
            lifted.push((a, b));
        }
    }
    lifted
}
