//! Mistakes on purpose: plausible moves other than the best one.

use crate::game::{Agent, Side};
use crate::graph::{Graph, Vertex};
use crate::map::Cell;
use crate::search::MoveEnds;

/// An agent that errs, and what it knows.
#[derive(Debug, Clone, Copy)]
pub struct ErringAgent<'a> {
    /// Where it is, and its speed.
    pub agent: Agent,
    /// Its side.
    pub side: Side,
    /// The end of its best move.
    pub best: Vertex,
    /// The cells of the opponents that it knows of. Those that cannot be the nearest to an end may be left out.
    pub enemies: &'a [Cell],
}

impl ErringAgent<'_> {
    /// Lists the ends of its mistakes in `mistakes`, with paths in `ends`; none if its best move is its only one.
    ///
    /// A mistake is a move that looks sensible to somebody who does not see walls: of all moves that end elsewhere than
    /// the best one, a robber makes one that ends as far from the nearest cop as possible, and a cop one that ends as near
    /// to its robber as possible. Waiting is a move. No move leads to or over a vertex that is `blocked`. Own work, not from
    /// the papers.
    ///
    /// Returns the number of distances that were computed for it: one for each end but the start, and each enemy.
    #[doc(hidden)]
    pub fn list_mistakes(
        &self,
        graph: &Graph,
        is_blocked: impl Fn(Vertex) -> bool,
        ends: &mut MoveEnds,
        mistakes: &mut Vec<Vertex>,
    ) -> usize {
        let Agent { at: from, speed } = self.agent;
        let ends = ends.find(graph, from, speed, is_blocked);
        let distances = ends.len() * self.enemies.len();
        let mut most = i64::MIN;
        mistakes.clear();
        let all = ends.iter().copied().chain([from]);
        for end in all.filter(|&end| end != self.best) {
            let worth = self.worth(graph.cell(end));
            if worth > most {
                mistakes.clear();
                most = worth;
            }
            if worth == most {
                mistakes.push(end);
            }
        }
        distances
    }

    /// How good an end looks. The greatest worth is the best.
    fn worth(&self, end: Cell) -> i64 {
        let nearest = self.enemies.iter().map(|enemy| enemy.max_norm(end)).min();
        let steps = nearest.map_or(0, i64::from);
        match self.side {
            Side::Robber => steps,
            Side::Cops => -steps,
        }
    }
}
