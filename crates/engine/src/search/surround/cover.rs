//! How cops that are not needed near the robber spread over its surroundings.

use super::flood::MultiSourceSearch;
use crate::game::Agent;
use crate::graph::{Graph, Vertex, VisitedSet};
use crate::map::Cell;
use crate::search::Distances;

/// A cop stays where it is if the middle of its part is no farther away than this, so that cops come to rest.
const REST: usize = 1;

/// A cop whose part is smaller than an equal share by this factor leaves it to others.
const LITTLE: u64 = 4;

/// A vertex is in a gap if it is farther from all cops than this many times the root of an equal share, over 2. On open ground
/// with equal parts, no vertex is farther away than half the root.
const GAP: u64 = 3;

/// Vertices of a cop, and the one in their middle.
#[derive(Debug, Clone, Copy, Default)]
struct CoveredArea {
    vertices: u64,
    /// The sums of the coordinates.
    sums: [u64; 2],
    /// The vertex nearest to the middle, with its squared distance from the middle.
    middle: Option<(u64, Vertex)>,
}

impl CoveredArea {
    fn add(&mut self, cell: Cell) {
        self.vertices += 1;
        self.sums[0] += u64::from(cell.x);
        self.sums[1] += u64::from(cell.y);
    }

    /// Compares a vertex with the one in the middle so far. Call it after all have been added.
    fn compare(&mut self, vertex: Vertex, cell: Cell) {
        let [x, y] = self.sums.map(|sum| sum / self.vertices.max(1));
        let apart = u64::from(cell.x).abs_diff(x).pow(2) + u64::from(cell.y).abs_diff(y).pow(2);
        if self.middle.is_none_or(|(least, _)| apart < least) {
            self.middle = Some((apart, vertex));
        }
    }
}

/// The next piece of work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum CoverStage {
    #[default]
    Parts,
    Gaps,
}

/// Paths of cops that cover a region.
///
/// Each cop has the part of the region that it reaches before all others, and goes to the middle of this part. This
/// evens the parts out (S. Lloyd, *Least squares quantization in PCM*, 1982; for teams of robots: J. Cortés, S. Martínez, T.
/// Karatas and F. Bullo, *Coverage control for mobile sensing networks*, 2004). Where cops stand close together, the inner
/// ones have no room to move apart. So cops with little of their own go to the nearest gap, a place that is far from all
/// cops.
#[derive(Debug, Clone, Default)]
pub(super) struct Cover {
    stage: CoverStage,
    parts: MultiSourceSearch,
    /// For each vertex of the region, the cop whose part it belongs to.
    owners: Vec<u32>,
    /// The part of each cop. Of several cops on one vertex, one has a part.
    part_of: Vec<CoveredArea>,
    /// The vertices that the robber reaches before all cops: its territory.
    territory: VisitedSet,
    /// The border of the territory.
    border: Vec<Vertex>,
    /// The part of the border that each cop holds.
    front_of: Vec<CoveredArea>,
    /// The speeds of the robber and of each cop.
    robber_speed: u32,
    speeds: Vec<u32>,
    /// The number of vertices of an equal share.
    share: u64,
    /// Ways to the nearest gaps.
    gaps: MultiSourceSearch,
    /// Where the next moves of cops end.
    taken: VisitedSet,
}

impl Cover {
    /// Begins with cops that cover the vertices that `region` has reached. Cops outside it take no part.
    pub(super) fn begin(
        &mut self,
        graph: &Graph,
        region: &Distances,
        robber: Agent,
        cops: &[Agent],
        order: &[usize],
    ) {
        let slots = graph.slots();
        self.stage = CoverStage::Parts;
        self.parts.begin(slots);
        if self.owners.len() < slots {
            self.owners.resize(slots, 0);
        }
        self.robber_speed = robber.speed.steps().into();
        self.speeds.clear();
        let speeds = cops.iter().map(|cop| u32::from(cop.speed.steps()));
        self.speeds.extend(speeds);
        self.part_of.clear();
        self.part_of.resize(cops.len(), CoveredArea::default());
        let mut members = 0;
        for &cop in order {
            let at = cops[cop].at;
            if region.steps(at).is_some() {
                members += 1;
                if self.parts.add(at) {
                    self.owners[at.index()] = cop as u32;
                }
            }
        }
        self.share = region.reachable().len() as u64 / members.max(1);
    }

    /// Continues for at most `budget` expansions of a breadth-first search. Returns whether all is measured, and the number of
    /// such expansions that were done. Passes over the parts may exceed the budget.
    pub(super) fn advance(
        &mut self,
        graph: &Graph,
        region: &Distances,
        budget: u64,
    ) -> (bool, u64) {
        let flood = match self.stage {
            CoverStage::Parts => &mut self.parts,
            CoverStage::Gaps => &mut self.gaps,
        };
        let unused = flood.advance(graph, region, budget);
        let done = budget - unused;
        if unused == 0 {
            return (false, done);
        }
        match self.stage {
            CoverStage::Parts => {
                self.measure_parts(graph);
                self.find_fronts(graph, region);
                self.stage = CoverStage::Gaps;
                let passes = self.parts.reached().len() as u64;
                (!self.find_gaps(graph), done + passes)
            }
            CoverStage::Gaps => (true, done),
        }
    }

    /// Finds the owner of each vertex and the middle of each part.
    fn measure_parts(&mut self, graph: &Graph) {
        let Self {
            parts,
            owners,
            part_of,
            ..
        } = self;
        for &vertex in parts.reached() {
            let before = parts.before(vertex).unwrap_or(vertex);
            let owner = owners[before.index()];
            owners[vertex.index()] = owner;
            part_of[owner as usize].add(graph.cell(vertex));
        }
        for &vertex in parts.reached() {
            let owner = owners[vertex.index()];
            part_of[owner as usize].compare(vertex, graph.cell(vertex));
        }
    }

    /// Finds the part of the border of the robber's territory that each cop holds: vertices that it reaches no later than the
    /// robber, beside vertices that the robber reaches first.
    fn find_fronts(&mut self, graph: &Graph, region: &Distances) {
        let Self {
            parts,
            owners,
            territory,
            border,
            front_of,
            part_of,
            robber_speed,
            speeds,
            ..
        } = self;
        territory.clear(graph.slots());
        border.clear();
        for (vertex, steps) in parts.with_steps() {
            let Some(of_robber) = region.steps(vertex) else {
                continue;
            };
            let speed = speeds[owners[vertex.index()] as usize];
            if of_robber * speed < steps * *robber_speed {
                territory.insert(vertex);
            } else if of_robber.saturating_sub(1) * speed < (steps + 1) * *robber_speed {
                // Farther from the robber, no vertex is beside its territory.
                border.push(vertex);
            }
        }
        border.retain(|&vertex| {
            let mut beside = graph.neighbours(vertex).iter();
            beside.any(|&next| territory.contains(next))
        });
        front_of.clear();
        front_of.resize(part_of.len(), CoveredArea::default());
        for &vertex in &*border {
            front_of[owners[vertex.index()] as usize].add(graph.cell(vertex));
        }
        for &vertex in &*border {
            front_of[owners[vertex.index()] as usize].compare(vertex, graph.cell(vertex));
        }
    }

    fn has_little(&self, cop: usize) -> bool {
        self.part_of[cop].vertices * LITTLE < self.share
    }

    /// Begins to search for ways to gaps; `false` if there are none, or no cop that is free to go there.
    fn find_gaps(&mut self, graph: &Graph) -> bool {
        self.gaps.begin(graph.slots());
        let far = self.share.isqrt() * GAP / 2;
        let gaps = self.parts.beyond(far as usize);
        let mut cops = 0..self.part_of.len();
        if gaps.is_empty() || !cops.any(|cop| self.has_little(cop)) {
            return false;
        }
        for &vertex in gaps {
            self.gaps.add(vertex);
        }
        true
    }

    /// Begins to plan moves: no vertex is taken.
    pub(super) fn begin_moves(&mut self, graph: &Graph) {
        self.taken.clear(graph.slots());
    }

    /// Notes where the next move of a cop ends.
    pub(super) fn take(&mut self, end: Vertex) {
        self.taken.insert(end);
    }

    /// Writes the path of a cop, of at most `steps` steps, and takes the end of its next move.
    pub(super) fn plan(
        &mut self,
        graph: &Graph,
        cop: usize,
        agent: Agent,
        steps: usize,
        path: &mut Vec<Vertex>,
    ) {
        path.clear();
        if let Some((_, middle)) = self.front_of[cop].middle {
            self.write_way_to(middle, agent.at, path);
            path.truncate(steps);
        } else if self.has_little(cop) && self.gaps.before(agent.at).is_some() {
            self.write_way_to_gap(agent.at, steps, path);
        } else if let Some((_, middle)) = self.part_of[cop].middle {
            self.write_way_to(middle, agent.at, path);
            if path.len() <= REST {
                path.clear();
            }
            path.truncate(steps);
        }
        if self.taken.contains(end_of_move(agent, path)) {
            self.step_aside(graph, agent, path);
        }
        self.taken.insert(end_of_move(agent, path));
    }

    fn write_way_to_gap(&self, from: Vertex, steps: usize, path: &mut Vec<Vertex>) {
        let mut at = from;
        while path.len() < steps
            && let Some(next) = self.gaps.before(at).filter(|&next| next != at)
        {
            path.push(next);
            at = next;
        }
    }

    fn write_way_to(&self, middle: Vertex, from: Vertex, path: &mut Vec<Vertex>) {
        let mut at = middle;
        while at != from
            && let Some(before) = self.parts.before(at)
        {
            path.push(at);
            if before == at {
                break;
            }
            at = before;
        }
        path.reverse();
    }

    /// Replaces a path whose next move ends where that of another cop does by a step to a free vertex, as near as possible to
    /// where the path leads. It may be the vertex where the cop stands.
    fn step_aside(&self, graph: &Graph, agent: Agent, path: &mut Vec<Vertex>) {
        let at = agent.at;
        let goal = graph.cell(path.last().copied().unwrap_or(at));
        let beside = [at].into_iter().chain(graph.neighbours(at).iter().copied());
        let free = beside.filter(|&vertex| !self.taken.contains(vertex));
        let free = free.min_by_key(|&vertex| graph.cell(vertex).squared_distance(goal));
        path.clear();
        path.extend(free.filter(|&vertex| vertex != at));
    }
}

/// Where the next move of a cop along a path ends.
pub(super) fn end_of_move(Agent { at, speed }: Agent, path: &[Vertex]) -> Vertex {
    let steps = path.len().min(speed.steps().into());
    path[..steps].last().copied().unwrap_or(at)
}

#[cfg(test)]
mod tests;
