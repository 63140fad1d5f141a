use super::groups::Clique;
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
    let mut level = group(graph, &order, &grid, &mut parent);
    let mut edges = lift(first_edges(graph, &order), &parent, &mut level);
    grid = grid.above(&parent);
    while !edges.is_empty() {
        let order: Vec<Vertex> = level.iter().collect();
        let mut parent = vec![NONE; level.slots()];
        let mut upper = group(&level, &order, &grid, &mut parent);
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

/// The vertices of the level above, without edges, by the reference program's rules: squares of
/// the grid first, then cliques, then what is left in pairs, with a neighbour's group or alone.
fn group<B: Below>(below: &B, order: &[Vertex], grid: &Grid, parent: &mut [Vertex]) -> Level {
    let mut level = Level::default();
    for square in grid.squares() {
        if is_free_clique(below, parent, &square) {
            found(&mut level, parent, &square);
        }
    }
    let mut rest = Vec::new();
    let mut candidates = Vec::new();
    for &vertex in order {
        if parent[vertex.index()] != NONE {
            continue;
        }
        let clique = match below.degree(vertex) {
            0 | 1 => None,
            _ => Clique::first_at(below, parent, vertex, &mut candidates),
        };
        match clique {
            Some(clique) => found(&mut level, parent, clique.members()),
            None => rest.push(vertex),
        }
    }
    while let Some(vertex) = rest.pop() {
        if parent[vertex.index()] == NONE {
            settle(below, vertex, parent, &mut level);
        }
    }
    for vertex in (0..level.slots()).map(Vertex::from_index) {
        level.places[vertex.index()] = below.place_of_all(level.children.row(vertex));
    }
    level
}

/// Puts a vertex that is in no clique into a group.
fn settle<B: Below>(below: &B, vertex: Vertex, parent: &mut [Vertex], level: &mut Level) {
    let neighbours = below.neighbours(vertex);
    let free = |other: &&Vertex| parent[other.index()] == NONE;
    if let Some(&other) = neighbours.iter().find(free) {
        found(level, parent, &[vertex, other]);
    } else if let &[only] = neighbours {
        let group = parent[only.index()];
        level.children.push(group, vertex);
        parent[vertex.index()] = group;
    } else {
        found(level, parent, &[vertex]);
    }
}

fn found(level: &mut Level, parent: &mut [Vertex], members: &[Vertex]) {
    let group = level.add(members);
    for member in members {
        parent[member.index()] = group;
    }
}

/// Are all four vertices there, without parent and pairwise adjacent?
fn is_free_clique<B: Below>(below: &B, parent: &[Vertex], square: &[Vertex; 4]) -> bool {
    let is_free = |&vertex: &Vertex| vertex != NONE && parent[vertex.index()] == NONE;
    square.iter().all(is_free)
        && (1..4).all(|i| {
            square[..i]
                .iter()
                .all(|&a| below.are_adjacent(a, square[i]))
        })
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
