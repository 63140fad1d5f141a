//! The robber's shadow on a retract, and how a cop that has caught the shadow captures the robber.

use crate::graph::{Graph, Retract, Vertex};

/// More turns than any: nothing is known.
const UNKNOWN: u16 = u16::MAX;

/// The chains of images under the folds of a [`Retract`], and how long a cop on one of them takes to capture the robber.
///
/// The image of the robber after some folds is its shadow. A cop that stands on a shadow after the robber's move `r -> s`
/// can move to the shadow of `s` after one fold less: a vertex that was folded has no neighbours but those of the vertex that
/// it was folded onto. So a cop that has caught the robber's image on the retract captures the robber itself within as many
/// turns as there are folds, and it needs no help. The turns that this takes in the worst case are found by retrograde
/// analysis of the positions with a cop on a shadow.
///
/// Source: A. Berarducci and B. Intrigila, *On the cop number of a graph* (1993): a map has the cop number of its retract.
#[derive(Debug, Clone)]
pub(crate) struct Shadows {
    /// For each vertex where its chain begins in `chain`, and where that of the last one ends.
    starts: Vec<u32>,
    chain: Vec<Vertex>,
    /// For each shadow in a chain the turns in which a cop there captures the robber, the robber to move.
    turns: Vec<u16>,
    /// The most turns, the cops to move, of a cop on or beside the image of the robber in the retract.
    longest: u16,
    /// For each vertex the steps to the retract.
    away: Vec<u16>,
}

impl Shadows {
    /// Time: as many passes as the most turns, each over the steps out of all vertices, for each shadow in their chains: half
    /// a millisecond for 600 vertices of which half are left.
    pub(crate) fn new(graph: &Graph, retract: &Retract) -> Self {
        let mut shadows = Self {
            starts: Vec::with_capacity(graph.slots() + 1),
            chain: Vec::new(),
            turns: Vec::new(),
            longest: 0,
            away: steps_to(graph, retract.vertices()),
        };
        for slot in 0..graph.slots() {
            shadows.starts.push(shadows.chain.len() as u32);
            let vertex = Vertex::from_index(slot);
            if graph.is_live(vertex) {
                shadows.chain.extend(retract.chain(vertex));
            }
        }
        shadows.starts.push(shadows.chain.len() as u32);
        shadows.turns = vec![UNKNOWN; shadows.chain.len()];
        for vertex in graph.iter() {
            let first = shadows.starts[vertex.index()] as usize;
            if let Some(turns) = shadows.turns.get_mut(first) {
                *turns = 0;
            }
        }
        while shadows.pass(graph) {}
        shadows.longest = shadows.longest(graph);
        shadows
    }

    /// Lowers the turns of all shadows once by the definition. Returns whether one has changed.
    fn pass(&mut self, graph: &Graph) -> bool {
        let mut has_changed = false;
        for robber in graph.iter() {
            let range = self.range(robber);
            for index in range.start + 1..range.end {
                let cop = self.chain[index];
                let turns = self.turns_after(graph, robber, cop);
                if turns < self.turns[index] {
                    self.turns[index] = turns;
                    has_changed = true;
                }
            }
        }
        has_changed
    }

    /// The turns in which a cop captures the robber, the robber to move.
    fn turns_after(&self, graph: &Graph, robber: Vertex, cop: Vertex) -> u16 {
        let replies = graph.neighbours(robber).iter().filter(|&&to| to != cop);
        let replies = replies.chain(std::iter::once(&robber));
        let turns = |&to: &Vertex| self.turns(graph, to, cop).unwrap_or(UNKNOWN);
        replies.map(turns).max().unwrap_or(UNKNOWN)
    }

    /// The turns in which a cop captures the robber by steps from shadow to shadow, the cops to move; 0 if it stands on the
    /// robber. `None` if it stands on no shadow and beside none.
    pub(crate) fn turns(&self, graph: &Graph, robber: Vertex, cop: Vertex) -> Option<u16> {
        if cop == robber {
            return Some(0);
        }
        let beside = graph.neighbours(cop);
        let range = self.range(robber);
        let shadows = self.chain[range.clone()].iter().zip(&self.turns[range]);
        let in_reach = shadows.filter(|&(shadow, _)| *shadow == cop || beside.contains(shadow));
        let least = in_reach.map(|(_, &turns)| turns).min()?;
        (least < UNKNOWN).then(|| least + 1)
    }

    /// The most turns of a cop on or beside the last image of the robber, the cops to move.
    fn longest(&self, graph: &Graph) -> u16 {
        let last = |vertex: Vertex| self.range(vertex).last().map(|index| self.turns[index]);
        let longest = graph.iter().filter_map(last).max().unwrap_or(0);
        longest.saturating_add(1)
    }

    fn range(&self, vertex: Vertex) -> std::ops::Range<usize> {
        let bound = |slot: usize| self.starts.get(slot).map_or(0, |&start| start as usize);
        bound(vertex.index())..bound(vertex.index() + 1)
    }

    /// The steps from a vertex to the retract; [`u16::MAX`] if no way leads there.
    pub(crate) fn steps_away(&self, vertex: Vertex) -> u16 {
        self.away.get(vertex.index()).copied().unwrap_or(UNKNOWN)
    }

    /// The most turns, the cops to move, of a cop on or beside the image of the robber in the retract.
    pub(crate) const fn most_turns(&self) -> u16 {
        self.longest
    }
}

/// The steps from each vertex to the nearest of some.
fn steps_to(graph: &Graph, goals: &[Vertex]) -> Vec<u16> {
    let mut steps = vec![UNKNOWN; graph.slots()];
    for goal in goals {
        steps[goal.index()] = 0;
    }
    let mut queue = goals.to_vec();
    let mut next = 0;
    while let Some(&vertex) = queue.get(next) {
        next += 1;
        let further = steps[vertex.index()].saturating_add(1);
        for &beside in graph.neighbours(vertex) {
            if steps[beside.index()] == UNKNOWN {
                steps[beside.index()] = further;
                queue.push(beside);
            }
        }
    }
    steps
}
