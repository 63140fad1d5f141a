//! Warm-up: searches allocate their memory before the first move.

use super::planner::Planner;
use crate::abstraction::Hierarchy;
use crate::game::{self, Side, Speed, State};
use crate::graph::{Graph, Vertex};
use crate::search::SearchProgress;

/// The length of one piece, in expansions.
const PIECE: u32 = 256;

/// The progress of the warm-up. Each call of `warm_up` searches one piece:
///
/// ```text
///   Team ──▶ TeamGoesOn ──▶ Robber ──▶ RobberGoesOn ──▶ Walk ──▶ WalkGoesOn ──▶ Done
///                 ◀─┘                       ◀─┘                       ◀─┘
/// ```
///
/// A `..GoesOn` state repeats while its search is running. It is skipped if the search ends in its
/// first piece.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::world) enum WarmUp {
    #[default]
    Team,
    TeamGoesOn,
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
            (Self::Team | Self::TeamGoesOn, _) => Self::Robber,
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
        let speed = Speed::ONE;
        let robber = game::Agent { at: first, speed };
        let cops = [last, middle].map(|at| game::Agent { at, speed });
        let state = |to_move| State {
            robber,
            cops: &cops,
            to_move,
        };
        let all = Some(hierarchy);
        match so_far {
            WarmUp::Team => self.team.begin(graph, all, &state(Side::Cops), true, 1),
            WarmUp::Robber => {
                self.by_level.limit_steps(1);
                self.by_level.begin(graph, all, &state(Side::Robber));
            }
            WarmUp::Walk => self.walker.begin_find(graph, all, first, last),
            _ => {}
        }
        let expansions = |planner: &Self| {
            planner.team.expansions() + planner.by_level.expansions() + planner.walker.expansions()
        };
        let before = expansions(self);
        let progress = match so_far {
            WarmUp::Team | WarmUp::TeamGoesOn => self.team.advance(graph, all, PIECE),
            WarmUp::Robber | WarmUp::RobberGoesOn => self.by_level.advance(graph, all, PIECE),
            _ => self.walker.advance(graph, all, PIECE.into()),
        };
        *so_far = so_far.after(progress);
        expansions(self).saturating_sub(before)
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
