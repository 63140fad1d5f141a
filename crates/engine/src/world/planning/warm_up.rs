//! Warm-up: searches allocate their memory before the first move.

use super::planner::Planner;
use super::searches::{SearchKind, SearchParameters, Start};
use crate::abstraction::Hierarchy;
use crate::game::{self, Speed};
use crate::graph::{Graph, Vertex};
use crate::map::Walker;
use crate::search::Maps;
use crate::world::situation::Situation;

/// The length of one piece, in expansions.
const PIECE: u32 = 256;

/// The searches that the warm-up runs, one after another.
const ENGINES: [SearchKind; 4] = [
    SearchKind::Team,
    SearchKind::Joint,
    SearchKind::Abstract,
    SearchKind::Walk,
];

/// The progress of the warm-up. Each call of `warm_up` does one piece of a search.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::world) struct WarmUp {
    /// The number of searches that are done.
    done: usize,
    /// Whether the next search has begun.
    is_begun: bool,
}

impl WarmUp {
    /// Returns whether all searches have memory.
    pub(in crate::world) const fn is_done(self) -> bool {
        self.done >= ENGINES.len()
    }
}

impl Planner {
    /// Allocates the memory that searches on a map need, so that the first searches take no longer than
    /// later ones. The test game has its robber and cops at both ends and in the middle of the list of
    /// vertices. Does one piece and returns its cost, in expansions.
    pub(super) fn warm_up(
        &mut self,
        so_far: &mut WarmUp,
        graph: &Graph,
        hierarchy: &Hierarchy,
    ) -> u64 {
        let engine = ENGINES.get(so_far.done).copied();
        let Some((engine, [first, middle, last])) = engine.zip(places(graph)) else {
            so_far.done = ENGINES.len();
            return 0;
        };
        let search = self.searches.of(engine);
        if !so_far.is_begun {
            let speed = Speed::ONE;
            let agent = |at| game::Agent { at, speed };
            let situation = Situation {
                robber: Some(agent(first)),
                cops: [last, middle].map(agent).into(),
                grounds: vec![Walker::PLAIN; 2],
                walk: Some((first, last)),
                ..Situation::default()
            };
            let parameters = SearchParameters {
                joint: engine == SearchKind::Joint,
                cut_off: true,
                steps: 1,
                seed: 0,
                pressure: 0,
                turns: 0,
            };
            search.start(Start {
                maps: Maps::new(graph, Some(hierarchy)),
                grounds: &|_| Maps::new(graph, Some(hierarchy)),
                situation: &situation,
                parameters,
            });
        }
        let before = search.work().expansions;
        let progress = search.advance(graph, Some(hierarchy), PIECE);
        so_far.is_begun = progress.is_working();
        so_far.done += usize::from(!so_far.is_begun);
        search.work().expansions - before
    }
}

/// The first, a middle and the last vertex.
fn places(graph: &Graph) -> Option<[Vertex; 3]> {
    let slots = graph.slots();
    let live = |index: &usize| graph.is_live(Vertex::from_index(*index));
    let (first, last) = (0..slots).find(live).zip((0..slots).rfind(live))?;
    let middle = (slots / 2..slots).find(live).unwrap_or(last);
    Some([first, middle, last].map(Vertex::from_index))
}
