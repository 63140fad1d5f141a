//! The robber's shadow on a retract, and how a cop that has caught the shadow captures the robber.

use crate::graph::{Graph, Retract, Vertex, steps_from};

/// More turns than any value: nothing is known.
const UNKNOWN: u16 = u16::MAX;

/// The most shadows for each vertex, on average, so that those of a map for guides are listed within a millisecond.
const MOST_SHADOWS: usize = 32;

/// The chains of images under the folds of a [`Retract`], and how long a cop on an image takes to capture the robber.
///
/// The image of the robber after some folds is its shadow. When the robber makes the move `r -> s`, a cop that stands
/// on its shadow can move to the shadow of `s` after one fold less, because a folded vertex has no neighbours other
/// than those of the vertex that it was folded onto. So a cop that has caught the robber's image on the retract
/// captures the robber itself, without help, in at most as many turns as there are folds. These turns are found in the
/// order of the folds, since a shadow depends only on the shadows of fewer folds.
///
/// The shadows are found in slices, so that no tick of a game waits for them. Until all are found, nothing is known.
///
/// Source: A. Berarducci and B. Intrigila, *On the cop number of a graph* (1993): a map has the cop number of its retract.
#[derive(Debug, Clone)]
pub(crate) struct Shadows {
    /// For each vertex, where its chain begins in `chain`, followed by where the last chain ends.
    starts: Vec<u32>,
    chain: Vec<Vertex>,
    /// For each shadow in a chain, the number of folds after which it is the image.
    since: Vec<u32>,
    /// For each shadow in a chain, the turns in which a cop on it captures the robber, with the robber to move.
    turns: Vec<u16>,
    /// The most turns, the cops to move, of a cop on or beside the image of the robber in the retract.
    longest: u16,
    /// For each vertex, the number of steps to the retract.
    away: Vec<u16>,
    /// The shadows whose turns are not known yet, those of the most folds first: the vertex, and the index in its
    /// chain.
    waiting: Vec<(Vertex, u32)>,
    /// The number of shadows to be found, those that are known included.
    all: u64,
}

impl Shadows {
    /// Begins to find the shadows of a map. `None` if there are too many: in long corridors, each vertex is folded many
    /// times. Time: linear in the vertices, and in the folds of each of them: 0.1 ms for a thousand vertices.
    pub(crate) fn new(graph: &Graph, retract: &Retract) -> Option<Self> {
        let mut folds = vec![0; graph.slots()];
        for (number, vertex) in (1..).zip(retract.folded()) {
            folds[vertex.index()] = number;
        }
        let mut shadows = Self {
            starts: Vec::with_capacity(graph.slots() + 1),
            chain: Vec::new(),
            since: Vec::new(),
            turns: Vec::new(),
            longest: UNKNOWN,
            away: steps_to(graph, retract.vertices()),
            waiting: Vec::new(),
            all: 0,
        };
        let most = MOST_SHADOWS * graph.slots();
        for slot in 0..graph.slots() {
            if shadows.chain.len() > most {
                return None;
            }
            shadows.starts.push(shadows.chain.len() as u32);
            let vertex = Vertex::from_index(slot);
            if !graph.is_live(vertex) {
                continue;
            }
            let mut since = 0;
            for (index, image) in (0..).zip(retract.chain(vertex)) {
                if index > 0 {
                    shadows.waiting.push((vertex, index));
                }
                shadows.chain.push(image);
                shadows.since.push(since);
                shadows.turns.push(if index == 0 { 0 } else { UNKNOWN });
                since = folds[image.index()];
            }
        }
        shadows.starts.push(shadows.chain.len() as u32);
        shadows.all = shadows.waiting.len() as u64;
        shadows.sort_waiting(retract.folded().len());
        // Where nothing was folded, all is known.
        shadows.advance(graph, 0);
        Some(shadows)
    }

    /// Sorts the waiting shadows: those of the most folds come first. No shadow has more than `folds` folds. Time:
    /// linear.
    fn sort_waiting(&mut self, folds: usize) {
        let since = |&(vertex, index): &(Vertex, u32)| {
            let at = self.starts[vertex.index()] + index;
            folds - self.since[at as usize] as usize
        };
        let mut places = vec![0; folds + 1];
        for shadow in &self.waiting {
            places[since(shadow)] += 1;
        }
        let mut before = 0;
        for place in &mut places {
            before += std::mem::replace(place, before);
        }
        let mut sorted = self.waiting.clone();
        for shadow in &self.waiting {
            let place = &mut places[since(shadow)];
            sorted[*place] = *shadow;
            *place += 1;
        }
        self.waiting = sorted;
    }

    /// The number of shadows to be found, those that are known included.
    pub(crate) const fn all(&self) -> u64 {
        self.all
    }

    /// The number of shadows that are still to be found.
    pub(crate) const fn left(&self) -> usize {
        self.waiting.len()
    }

    /// The memory in use, in bytes.
    pub(crate) const fn bytes(&self) -> u64 {
        let of_a_vertex = size_of::<u32>() + size_of::<u16>();
        let of_a_shadow = size_of::<Vertex>() + size_of::<u32>() + size_of::<u16>();
        (self.away.len() * of_a_vertex + self.chain.len() * of_a_shadow) as u64
    }

    /// Finds up to `budget` shadows. Returns how many it has found, 0 once all are found. `graph` must be the map of
    /// [`new`](Self::new). Time: 0.1 to 0.2 µs for each shadow.
    pub(crate) fn advance(&mut self, graph: &Graph, budget: u64) -> u64 {
        let mut found = 0;
        while found < budget
            && let Some((robber, index)) = self.waiting.pop()
        {
            let at = (self.starts[robber.index()] + index) as usize;
            self.turns[at] = self.turns_after(graph, robber, at);
            found += 1;
        }
        if self.waiting.is_empty() && self.longest == UNKNOWN {
            self.longest = self.find_longest(graph);
            self.waiting = Vec::new();
        }
        found
    }

    /// The turns in which a cop on the shadow at this place captures the robber, with the robber to move, if the cop
    /// goes to shadows of fewer folds.
    fn turns_after(&self, graph: &Graph, robber: Vertex, at: usize) -> u16 {
        let (cop, folds) = (self.chain[at], self.since[at]);
        let beside = graph.neighbours(cop);
        let least = |reply: Vertex| {
            let range = self.range(reply);
            let before = self.since[range.clone()].partition_point(|&since| since < folds);
            // The last one of these is within reach, and mostly some before it.
            let shadows = range.start..range.start + before;
            let in_reach = shadows.rev().take_while(|&shadow| {
                let shadow = self.chain[shadow];
                shadow == cop || beside.contains(&shadow)
            });
            let turns = in_reach.map(|shadow| self.turns[shadow]).min();
            turns.unwrap_or(UNKNOWN).saturating_add(1)
        };
        let replies = graph.neighbours(robber).iter().filter(|&&to| to != cop);
        let replies = replies.chain(std::iter::once(&robber));
        replies.map(|&reply| least(reply)).max().unwrap_or(UNKNOWN)
    }

    /// The turns in which a cop captures the robber by steps from shadow to shadow, with the cops to move; 0 if it
    /// stands on the robber. `None` if it stands neither on a shadow nor beside one.
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

    /// The most turns that a cop on or beside the last image of the robber needs, with the cops to move.
    fn find_longest(&self, graph: &Graph) -> u16 {
        let last = |vertex: Vertex| self.range(vertex).last().map(|index| self.turns[index]);
        let longest = graph.iter().filter_map(last).max().unwrap_or(0);
        longest.saturating_add(1)
    }

    fn range(&self, vertex: Vertex) -> std::ops::Range<usize> {
        let starts = self.starts.get(vertex.index()..);
        match starts {
            Some(&[start, end, ..]) => start as usize..end as usize,
            _ => 0..0,
        }
    }

    /// The number of steps from a vertex to the retract; [`u16::MAX`] if no path leads there.
    pub(crate) fn steps_away(&self, vertex: Vertex) -> u16 {
        self.away.get(vertex.index()).copied().unwrap_or(UNKNOWN)
    }

    /// The most turns, the cops to move, of a cop on or beside the image of the robber in the retract. [`u16::MAX`]
    /// until all shadows are found.
    pub(crate) const fn most_turns(&self) -> u16 {
        self.longest
    }
}

/// The number of steps from each vertex to the nearest of some vertices; [`UNKNOWN`] if no path leads there.
fn steps_to(graph: &Graph, goals: &[Vertex]) -> Vec<u16> {
    let neighbours = |at| graph.neighbours(Vertex::from_index(at)).iter();
    let goals = goals.iter().map(|goal| goal.index());
    let steps = steps_from(graph.slots(), goals, |at| {
        neighbours(at).map(|next| next.index())
    });
    let steps = steps.into_iter();
    steps
        .map(|steps| u16::try_from(steps).unwrap_or(UNKNOWN))
        .collect()
}
