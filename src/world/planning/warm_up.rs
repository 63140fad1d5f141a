//! Warm-up: searches allocate their memory before the first move.

use super::planner::Planner;
use super::searches::{Engine, SearchParameters};
use crate::abstraction::Hierarchy;
use crate::game::{self, Speed};
use crate::graph::{Graph, Vertex};
use crate::search::SearchProgress;
use crate::world::situation::Situation;

/// The length of one piece, in expansions.
const PIECE: u32 = 256;

/// The progress of the warm-up. Each call of `warm_up` searches one piece:
///
/// ```text
///   Team ──▶ TeamGoesOn ──▶ Joint ──▶ JointGoesOn ──▶ Robber ──▶ RobberGoesOn ──▶ Walk ──▶ WalkGoesOn ──▶ Done
///                 ◀─┘                      ◀─┘                        ◀─┘                       ◀─┘
/// ```
///
/// A `..GoesOn` state repeats while its search is running, and is skipped if the search ends in its
/// first piece.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::world) enum WarmUp {
    #[default]
    Team,
    TeamGoesOn,
    Joint,
    JointGoesOn,
    Robber,
    RobberGoesOn,
    Walk,
    WalkGoesOn,
    Done,
}

impl WarmUp {
    /// The state after a piece of a search.
    const fn after(self, progress: SearchProgress) -> Self {
        match (self, progress) {
            (Self::Team | Self::TeamGoesOn, SearchProgress::Running) => Self::TeamGoesOn,
            (Self::Team | Self::TeamGoesOn, _) => Self::Joint,
            (Self::Joint | Self::JointGoesOn, SearchProgress::Running) => Self::JointGoesOn,
            (Self::Joint | Self::JointGoesOn, _) => Self::Robber,
            (Self::Robber | Self::RobberGoesOn, SearchProgress::Running) => Self::RobberGoesOn,
            (Self::Robber | Self::RobberGoesOn, _) => Self::Walk,
            (Self::Walk | Self::WalkGoesOn, SearchProgress::Running) => Self::WalkGoesOn,
            _ => Self::Done,
        }
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
        let Some([first, middle, last]) = places(graph) else {
            *so_far = WarmUp::Done;
            return 0;
        };
        let (engine, begins) = match so_far {
            WarmUp::Team => (Engine::Team, true),
            WarmUp::TeamGoesOn => (Engine::Team, false),
            WarmUp::Joint => (Engine::Joint, true),
            WarmUp::JointGoesOn => (Engine::Joint, false),
            WarmUp::Robber => (Engine::Abstract, true),
            WarmUp::RobberGoesOn => (Engine::Abstract, false),
            WarmUp::Walk => (Engine::Walk, true),
            WarmUp::WalkGoesOn => (Engine::Walk, false),
            WarmUp::Done => return 0,
        };
        let search = self.searches.of(engine);
        if begins {
            let speed = Speed::ONE;
            let agent = |at| game::Agent { at, speed };
            let situation = Situation {
                robber: Some(agent(first)),
                cops: [last, middle].map(agent).into(),
                walk: Some((first, last)),
                ..Situation::default()
            };
            let parameters = SearchParameters {
                joint: engine == Engine::Joint,
                cut_off: true,
                steps: 1,
                seed: 0,
                pressure: 0,
            };
            search.start(graph, Some(hierarchy), &situation, parameters);
        }
        let before = search.expansions();
        let progress = search.advance(graph, Some(hierarchy), PIECE);
        *so_far = so_far.after(progress);
        search.expansions() - before
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
