use super::{AStar, Dice, Footprint, Stamps};
use crate::abstraction::{Hierarchy, Level};
use crate::graph::{Graph, Network as _, Vertex};
use crate::map::{Cell, Moves};

/// Whole-number costs on abstract levels: about so many to the width of a vertex.
const UNITS: f32 = 16.0;

/// Turns paths of abstract vertices into paths on the map: the refinement of PRA* (N. Sturtevant and
/// M. Buro, *Partial pathfinding using map abstraction and refinement*, AAAI 2005; thesis, section
/// 5.4 and figure 5.15).
///
/// The path of a level makes a corridor in the level below: the children of its vertices and of all
/// their neighbours. A* finds the next path there, and so on down to the map. On the map a step
/// costs 1; above it costs as long as it is, the octile distance of the two positions.
///
/// Cost: about as many expansions as the corridors have vertices at the most; a corridor is a few
/// vertices wide. No memory is taken once the largest levels have been seen.
#[derive(Debug, Clone, Default)]
pub struct Refiner {
    /// The vertices of the level above under which the search stays.
    corridor: Stamps,
    search: AStar,
    path: Vec<Vertex>,
    /// The path of the level from which a way is refined.
    planned: Vec<Vertex>,
    /// Has a path been cut off on the way down?
    is_cut: bool,
    /// The vertices that stand for the start, from level 0 up.
    starts: Vec<Vertex>,
    /// What searches have seen, if that is asked for.
    seen: Option<Footprint>,
    expansions: u64,
    touched: u64,
}

/// What a path leads to on the levels below.
enum Target<'a> {
    /// A child of the last vertex, any, of a path that is cut off after so many vertices.
    Child { dice: &'a mut Dice, vertices: usize },
    /// The vertex that stands for this vertex of the map.
    Vertex(Vertex),
    /// The same, but a path is cut off after so many vertices and leads on to where it would have
    /// gone next.
    Toward { goal: Vertex, vertices: usize },
}

impl Refiner {
    /// A refiner without memory yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Refines a path of a level to one on the map, without its start.
    ///
    /// `path` are vertices of `level`, **without** the one that stands for `from`, where the path on
    /// the map starts; an empty path means that one alone. `hierarchy` is that of `graph` as it is
    /// now. On each level the new path ends at a random child of the last vertex. A path of level 0
    /// is refined already. Only so much is refined that the path on the map has at least `steps`
    /// steps, if there are so many (PRA*(K) of the source); `usize::MAX` refines all. Empty if the
    /// hierarchy does not know `from` or if a vertex of the path has no way to it.
    ///
    /// # Panics
    /// If `from` or a vertex of the path is of another, larger graph or level.
    pub fn refine(
        &mut self,
        graph: &Graph,
        hierarchy: &Hierarchy,
        (level, path): (usize, &[Vertex]),
        from: Vertex,
        steps: usize,
        dice: &mut Dice,
    ) -> &[Vertex] {
        self.start(Some(hierarchy), from, level);
        // A step of a level is one of the level below at the least and about two as a rule. The first
        // and the last one may be none.
        let before = dice.clone();
        for vertices in [steps / 2, steps].map(|steps| steps.saturating_add(2)) {
            // The second try makes the choices of the first, so that it is no shorter.
            dice.clone_from(&before);
            self.path.clear();
            self.path.extend_from_slice(path);
            self.is_cut = false;
            let dice = &mut *dice;
            let target = Target::Child { dice, vertices };
            if self.starts.len() <= level || !self.descend(graph, hierarchy, level, target) {
                self.path.clear();
                break;
            }
            if !self.is_cut || self.path.len() >= steps {
                break;
            }
        }
        self.count_effort();
        &self.path
    }

    /// A way on the map, without its start: PRA* from vertex to vertex. It plans at half the height
    /// at which one abstract vertex stands for both and refines from there. `None` if there is no
    /// way. Without a hierarchy it is A* on the map.
    ///
    /// # Panics
    /// If a vertex is of another, larger graph.
    pub fn find(
        &mut self,
        graph: &Graph,
        hierarchy: Option<&Hierarchy>,
        from: Vertex,
        goal: Vertex,
    ) -> Option<&[Vertex]> {
        let is_found = match hierarchy {
            None => {
                self.start(None, from, 0);
                self.search_level(graph, None, 0, goal, false)
            }
            Some(hierarchy) => self.find_by(graph, hierarchy, from, goal),
        };
        self.count_effort();
        is_found.then_some(self.path.as_slice())
    }

    /// The path found last, without its start.
    #[must_use]
    pub fn path(&self) -> &[Vertex] {
        &self.path
    }

    /// Expansions of the last call: vertices of any level whose neighbours were generated.
    #[must_use]
    pub const fn expansions(&self) -> u64 {
        self.expansions
    }

    /// Neighbours looked at in the last call.
    #[must_use]
    pub const fn touched(&self) -> u64 {
        self.touched
    }

    fn find_by(
        &mut self,
        graph: &Graph,
        hierarchy: &Hierarchy,
        from: Vertex,
        goal: Vertex,
    ) -> bool {
        let level = self.plan(graph, hierarchy, from, goal);
        level.is_some_and(|level| self.descend(graph, hierarchy, level, Target::Vertex(goal)))
    }

    /// Finds a path of the level from which ways between two vertices of the map are refined, and
    /// the level. `None` if there is no way.
    fn plan(
        &mut self,
        graph: &Graph,
        hierarchy: &Hierarchy,
        from: Vertex,
        goal: Vertex,
    ) -> Option<usize> {
        if !hierarchy.connected(from, goal) {
            return None;
        }
        self.start(Some(hierarchy), from, hierarchy.levels());
        let mut stands = goal;
        let mut common = 0;
        while self
            .starts
            .get(common)
            .is_some_and(|&start| start != stands)
        {
            stands = hierarchy.parent(common, stands)?;
            common += 1;
        }
        let level = common / 2;
        let abstract_goal = hierarchy.ancestor(goal, level)?;
        self.search_level(graph, Some(hierarchy), level, abstract_goal, false)
            .then_some(level)
    }

    /// The beginning of the way that [`Refiner::find`] finds: at least so many steps, if there are
    /// so many, and not much more. Is there one?
    pub(crate) fn find_start(
        &mut self,
        graph: &Graph,
        hierarchy: &Hierarchy,
        (from, goal): (Vertex, Vertex),
        steps: usize,
    ) -> bool {
        let level = self.plan(graph, hierarchy, from, goal);
        self.planned.clear();
        self.planned.extend_from_slice(&self.path);
        let mut is_found = false;
        // As in `refine`.
        for vertices in [steps / 2, steps].map(|steps| steps.saturating_add(2)) {
            self.is_cut = false;
            self.path.clear();
            self.path.extend_from_slice(&self.planned);
            let target = Target::Toward { goal, vertices };
            is_found = level.is_some_and(|level| self.descend(graph, hierarchy, level, target));
            if !is_found || !self.is_cut || self.path.len() >= steps {
                break;
            }
        }
        self.count_effort();
        is_found
    }

    /// How long a way on the map is, about, in cells: the length of a path of an abstract level.
    /// `None` if there is none.
    pub(crate) fn estimate_length(
        &mut self,
        graph: &Graph,
        hierarchy: &Hierarchy,
        from: Vertex,
        goal: Vertex,
    ) -> Option<u32> {
        let level = self.plan(graph, hierarchy, from, goal);
        self.count_effort();
        let level = level?;
        // From the cells themselves, not from the middles of what stands for them.
        let between = self.path.len().saturating_sub(1);
        let mut at = hierarchy.position(graph, 0, from);
        let mut length = 0.0;
        let mut go = |next: [f32; 2]| {
            let [dx, dy] = [0, 1].map(|axis| (next[axis] - at[axis]).abs());
            length += dx.max(dy);
            at = next;
        };
        for &vertex in &self.path[..between] {
            go(hierarchy.position(graph, level, vertex));
        }
        go(hierarchy.position(graph, 0, goal));
        Some(length as u32)
    }

    /// Gathers from now on what searches see.
    pub(crate) fn keep_footprint(&mut self) {
        self.seen.get_or_insert_default();
    }

    /// What searches have seen since it was [forgotten](Self::forget_footprint), if it is kept.
    pub(crate) const fn footprint(&self) -> Option<&Footprint> {
        self.seen.as_ref()
    }

    pub(crate) fn forget_footprint(&mut self, graph: &Graph) {
        if let Some(seen) = &mut self.seen {
            seen.clear(graph.width(), graph.height());
        }
    }

    /// Lists what stands for the start, up to `level`.
    fn start(&mut self, hierarchy: Option<&Hierarchy>, from: Vertex, level: usize) {
        self.starts.clear();
        self.starts.push(from);
        for below in 0..level {
            let parent = hierarchy.and_then(|all| all.parent(below, self.starts[below]));
            let Some(parent) = parent else { break };
            self.starts.push(parent);
        }
    }

    /// Refines the path, which is one of `level`, down to the map. `false` where there is no way.
    fn descend(
        &mut self,
        graph: &Graph,
        hierarchy: &Hierarchy,
        level: usize,
        mut target: Target<'_>,
    ) -> bool {
        // Where a path that was cut off would have gone.
        let mut toward = None;
        for above in (1..=level).rev() {
            let Some(abstraction) = hierarchy.level(above) else {
                return false;
            };
            let start = self.starts[above];
            let most = match target {
                // Half of them make as many on the level below, which is cut off again.
                Target::Toward { vertices, .. } if above > 1 => vertices / 2 + 1,
                Target::Child { vertices, .. } | Target::Toward { vertices, .. } => vertices,
                Target::Vertex(_) => usize::MAX,
            };
            if let Some(&ahead) = self.path.get(most) {
                toward = Some(hierarchy.position(graph, above, ahead));
                self.path.truncate(most);
                self.is_cut = true;
            }
            let last = self.path.last().copied().unwrap_or(start);
            let goal = match (&mut target, toward) {
                (Target::Child { dice, .. }, _) => dice.pick(hierarchy.children(above, last)),
                (Target::Toward { .. }, Some(toward)) => {
                    nearest_child(graph, hierarchy, (above, last), toward)
                }
                (Target::Vertex(goal) | Target::Toward { goal, .. }, _) => {
                    hierarchy.ancestor(*goal, above - 1)
                }
            };
            let Some(goal) = goal else {
                return false;
            };
            self.lay_corridor(abstraction, start);
            if !self.search_level(graph, Some(hierarchy), above - 1, goal, true) {
                return false;
            }
        }
        true
    }

    /// Makes the corridor around the path and its start.
    fn lay_corridor(&mut self, level: &Level, start: Vertex) {
        self.corridor.clear(level.slots());
        for &vertex in self.path.iter().chain([&start]) {
            self.corridor.insert(vertex);
            for &beside in level.neighbours(vertex) {
                self.corridor.insert(beside);
            }
        }
    }

    /// Finds a path of a level from what stands for the start to `goal`, within the corridor or
    /// anywhere. `false` if there is none; the path is empty then.
    fn search_level(
        &mut self,
        graph: &Graph,
        hierarchy: Option<&Hierarchy>,
        level: usize,
        goal: Vertex,
        in_corridor: bool,
    ) -> bool {
        let Self {
            corridor,
            search,
            starts,
            ..
        } = self;
        let ends = (starts[level], goal);
        let allowed = |vertex| {
            !in_corridor
                || hierarchy
                    .and_then(|all| all.parent(level, vertex))
                    .is_some_and(|parent| corridor.contains(parent))
        };
        let is_found = if let Some(network) = hierarchy.and_then(|all| all.level(level)) {
            let weight = |a, b| edge_cost(network, level, a, b);
            let estimate = |vertex| least_cost(network, level, vertex, goal);
            search.search(network, ends, allowed, weight, estimate)
        } else {
            let goal = graph.cell(goal);
            let estimate = |vertex| steps_without_walls(graph.moves(), graph.cell(vertex), goal);
            search.search(graph, ends, allowed, |_, _| 1, estimate)
        };
        self.path.clear();
        self.path.extend_from_slice(search.path());
        if let Some(seen) = &mut self.seen {
            for &vertex in search.reached() {
                let (top_left, bottom_right) = match hierarchy {
                    Some(hierarchy) => hierarchy.bounds(graph, level, vertex),
                    None => (graph.cell(vertex), graph.cell(vertex)),
                };
                seen.insert_rectangle(top_left, bottom_right);
            }
        }
        is_found
    }

    const fn count_effort(&mut self) {
        (self.expansions, self.touched) = self.search.take_effort();
    }
}

/// The child of a vertex of a level that lies nearest to a place.
fn nearest_child(
    graph: &Graph,
    hierarchy: &Hierarchy,
    (level, vertex): (usize, Vertex),
    place: [f32; 2],
) -> Option<Vertex> {
    let distance = |child: Vertex| {
        let [x, y] = hierarchy.position(graph, level - 1, child);
        (x - place[0]).powi(2) + (y - place[1]).powi(2)
    };
    let children = hierarchy.children(level, vertex).iter().copied();
    children.min_by(|&a, &b| distance(a).total_cmp(&distance(b)))
}

/// What an edge of an abstract level costs, in units that grow with the level.
pub(super) fn edge_cost(network: &Level, level: usize, a: Vertex, b: Vertex) -> u32 {
    // Rounded up, so that the least cost stays below.
    least_cost(network, level, a, b) + 1
}

/// What the way between two vertices of an abstract level costs at the least.
pub(super) fn least_cost(network: &Level, level: usize, a: Vertex, b: Vertex) -> u32 {
    (network.weight(a, b) * units(level)) as u32
}

/// What a cell's width costs on an abstract level.
pub(super) fn units(level: usize) -> f32 {
    UNITS / (1_u32 << level.min(31)) as f32
}

/// The steps between two cells of a map without walls.
pub(super) fn steps_without_walls(moves: Moves, from: Cell, to: Cell) -> u32 {
    match moves {
        Moves::Octile => from.max_norm(to),
        Moves::Orthogonal => u32::from(from.x.abs_diff(to.x)) + u32::from(from.y.abs_diff(to.y)),
    }
}
