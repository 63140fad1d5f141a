//! One move of a robber.

use crate::game::State;
use crate::graph::{Graph, Vertex};
use crate::policy::{Decision, Effort, Source};
use crate::search::MoveEnds;

/// One move of the robber: to the best end, or to one that the caller has chosen.
///
/// A robber of speed s has the ends of all paths of up to s steps that neither end on a cop nor
/// pass one, since waiting is no worse; and it may wait.
#[derive(Debug, Clone, Default)]
pub(super) struct OneMove {
    ends: MoveEnds,
    way: Vec<Vertex>,
}

impl OneMove {
    /// Hill climbing: decides for the move whose end has the greatest `value`, and of several for
    /// the first: nearest first, then as the graph lists neighbours, waiting last. Returns what
    /// generating the moves took.
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
        self.ends.way_to(end, &mut self.way);
        decision.take(&self.way, state.robber.speed, Source::Search);
        let (expansions, touched) = self.ends.take_effort();
        Effort {
            planned: true,
            expansions,
            touched,
        }
    }

    /// Decides for the move that ends at `end`, which has to be one of its ends.
    pub(super) fn go(
        &mut self,
        graph: &Graph,
        state: &State<'_>,
        decision: &mut Decision,
        end: Vertex,
    ) {
        self.generate(graph, state);
        self.ends.way_to(end, &mut self.way);
        decision.take(&self.way, state.robber.speed, Source::Search);
    }

    fn generate(&mut self, graph: &Graph, state: &State<'_>) {
        let is_cop = |vertex| state.cops.iter().any(|cop| cop.at == vertex);
        let robber = state.robber;
        self.ends.find(graph, robber.at, robber.speed, is_cop);
    }
}
