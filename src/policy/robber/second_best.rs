//! Plausible moves other than the best one.

use crate::game::{Agent, State};
use crate::graph::{Graph, Vertex};
use crate::search::{Dice, MoveEnds};

/// Plausible moves other than the best one: of all remaining moves, those that end furthest from the
/// nearest cop as the crow flies.
///
/// Cost: a list of the moves and a distance for each end and cop.
#[derive(Debug, Clone, Default)]
pub(super) struct SecondBest {
    ends: MoveEnds,
    best: Vec<Vertex>,
    way: Vec<Vertex>,
}

impl SecondBest {
    /// The path of such a move that neither ends at `except` nor crosses a cop of `state`; waiting counts as a move.
    /// `None` if there is no such move. Distances are measured from the `noticed` cops. Ties are broken at random.
    pub(super) fn find(
        &mut self,
        graph: &Graph,
        state: &State<'_>,
        noticed: &[Agent],
        except: Vertex,
        dice: &mut Dice,
    ) -> Option<&[Vertex]> {
        let start = state.robber.at;
        let is_cop = |vertex| state.cops.iter().any(|cop| cop.at == vertex);
        let ends = self.ends.find(graph, start, state.robber.speed, is_cop);
        let ends = ends.iter().copied().chain([start]);
        let mut most = 0;
        self.best.clear();
        for end in ends.filter(|&end| end != except) {
            let here = graph.cell(end);
            let steps = noticed.iter().map(|cop| graph.cell(cop.at).max_norm(here));
            let nearest = steps.min().unwrap_or(0);
            if nearest > most {
                self.best.clear();
                most = nearest;
            }
            if nearest == most {
                self.best.push(end);
            }
        }
        let end = dice.pick(&self.best)?;
        self.ends.way_to(end, &mut self.way);
        Some(&self.way)
    }

    /// Expansions and examined neighbours since the last call of this function.
    pub(super) const fn take_effort(&mut self) -> (u64, u64) {
        self.ends.take_effort()
    }
}
