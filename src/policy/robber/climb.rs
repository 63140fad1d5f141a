use crate::game::State;
use crate::graph::{Graph, Vertex};
use crate::policy::{Decision, Effort, Source};
use crate::search::MoveEnds;

/// Hill climbing: looks one move ahead and takes the first of the best moves.
///
/// A robber of speed s looks at all ends of its moves, nearest first, then at waiting.
#[derive(Debug, Clone, Default)]
pub(super) struct Climb {
    ends: MoveEnds,
    way: Vec<Vertex>,
}

impl Climb {
    /// Decides for the move whose end has the greatest `value`. Moves onto or over cops are left
    /// out: waiting is no worse. Returns what generating the moves took.
    pub(super) fn decide<V: PartialOrd>(
        &mut self,
        graph: &Graph,
        state: &State<'_>,
        decision: &mut Decision,
        mut value: impl FnMut(Vertex) -> V,
    ) -> Effort {
        let start = state.robber.at;
        let is_cop = |vertex| state.cops.iter().any(|cop| cop.at == vertex);
        let ends = self.ends.find(graph, start, state.robber.speed, is_cop);
        let mut best: Option<(V, Vertex)> = None;
        for &end in ends.iter().chain([&start]) {
            let value = value(end);
            if best.as_ref().is_none_or(|(most, _)| value > *most) {
                best = Some((value, end));
            }
        }
        let end = best.map_or(start, |(_, end)| end);
        self.ends.way_to(end, &mut self.way);
        decision.take(&self.way, state.robber.speed, Source::Search);
        let (expansions, touched) = self.ends.take_effort();
        Effort {
            planned: true,
            expansions,
            touched,
        }
    }
}
