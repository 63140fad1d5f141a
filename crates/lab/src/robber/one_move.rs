//! One move of a robber.

use pursuit_engine::game::State;
use pursuit_engine::graph::{Graph, Vertex};
use pursuit_engine::policy::{Decision, Effort, Source};
use pursuit_engine::search::MoveEnds;

/// Generates one move of the robber: to the best vertex, or to one that the caller has chosen.
///
/// The candidates of a robber of speed s are waiting and the ends of all paths of up to s steps that do
/// not touch a cop. (A move onto a cop is never better than waiting.)
#[derive(Debug, Clone, Default)]
pub(super) struct OneMove {
    ends: MoveEnds,
    path: Vec<Vertex>,
}

impl OneMove {
    /// Hill climbing: decides for the move whose end has the greatest `value`. Ties go to the nearest
    /// end, then by the graph's order of neighbours, waiting last. Returns the work of generating the
    /// moves.
    pub(super) fn climb<V: PartialOrd>(
        &mut self,
        graph: &Graph,
        state: &State<'_>,
        decision: &mut Decision,
        mut value: impl FnMut(Vertex) -> V,
    ) -> Effort {
        self.generate(graph, state);
        let mut best: Option<(V, Vertex)> = None;
        for &end in self.ends.ends().iter().chain([&state.robber.at]) {
            let value = value(end);
            if best.as_ref().is_none_or(|(most, _)| value > *most) {
                best = Some((value, end));
            }
        }
        let end = best.map_or(state.robber.at, |(_, end)| end);
        self.ends.way_to(end, &mut self.path);
        decision.take(&self.path, state.robber.speed, Source::Search);
        Effort {
            planned: true,
            work: self.ends.take_work(),
        }
    }

    /// Decides for the move to `end`, which has to be a candidate.
    pub(super) fn go(
        &mut self,
        graph: &Graph,
        state: &State<'_>,
        decision: &mut Decision,
        end: Vertex,
    ) {
        self.generate(graph, state);
        self.ends.way_to(end, &mut self.path);
        decision.take(&self.path, state.robber.speed, Source::Search);
    }

    fn generate(&mut self, graph: &Graph, state: &State<'_>) {
        let is_cop = |vertex| state.cops.iter().any(|cop| cop.at == vertex);
        let robber = state.robber;
        self.ends.find(graph, robber.at, robber.speed, is_cop);
    }
}
