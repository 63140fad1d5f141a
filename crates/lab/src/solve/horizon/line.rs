//! Play along a line or a proof, and the line itself, once the value is known.

use super::{Horizon, Phase};
use crate::solve::cones::{Answer, Part};
use pursuit_engine::solve::ReachableGraph;
use pursuit_engine::solve::Spot;
use pursuit_engine::solve::{MOST_TURNS, Span};

/// The number of expansions of TIDA* for a reply.
const PATIENCE: u64 = 1 << 10;

impl Horizon {
    /// Goes on from another position, which the graph has as its start now.
    pub(in crate::solve) fn move_on(&mut self, graph: &ReachableGraph) {
        let follows = self.line.get(1).is_some_and(|&spot| spot == graph.start);
        let is_line = matches!(self.phase, Phase::Done | Phase::Line { .. });
        if is_line && follows && self.line.get(2).is_some() {
            self.line.drain(..2);
            self.span = Span::exactly(self.span.upper.saturating_sub(1));
            return;
        }
        let Span { upper, .. } = self.span;
        self.drop_cones();
        self.search.move_on(graph);
        self.open(graph);
        self.limit_search();
        // If the cops follow the proof, the bound falls by a turn.
        let known = [upper.saturating_sub(1), upper].into_iter();
        let mut known = known.filter(|&turns| turns > 0 && turns < MOST_TURNS);
        let proof = self.proof.as_ref();
        match known
            .find(|&turns| proof.is_some_and(|proof| proof.is_won(graph, graph.start, turns)))
        {
            Some(turns) => self.span.upper = self.span.upper.min(turns),
            None => self.drop_proof(),
        }
    }

    pub(in crate::solve) fn cop_move(&mut self, graph: &ReachableGraph) -> Option<Spot> {
        if let Some(&after) = self.line.first() {
            return Some(after);
        }
        let proof = self.proof.as_ref();
        let proven = proof.and_then(|proof| proof.cop_move(graph, graph.start, self.span.upper));
        proven.or_else(|| self.search.cop_move(graph))
    }

    /// Begins the line of a value that the proof has found.
    pub(super) fn play(&mut self, graph: &ReachableGraph) {
        let (spot, turns) = (graph.start, self.span.upper);
        self.phase = Phase::Proof { spot, turns };
    }

    /// Adds a move of the proof to the line, and looks for the reply.
    pub(super) fn follow(&mut self, graph: &ReachableGraph, spot: Spot, turns: u16) {
        let proof = self.proof.as_ref();
        match proof.and_then(|proof| proof.cop_move(graph, spot, turns)) {
            None => self.go_on(graph, spot, turns),
            Some(after) if after.is_capture() => {
                self.line.push(after);
                self.go_on(graph, after, 0);
            }
            Some(after) => self.find_reply(graph, spot, after, turns - 1, 0),
        }
    }

    /// Adds a reply of value `turns` to the line. Asks TIDA* where the analysis does not tell.
    pub(super) fn find_reply(
        &mut self,
        graph: &ReachableGraph,
        spot: Spot,
        after: Spot,
        turns: u16,
        first: usize,
    ) {
        let mut moves = Vec::new();
        graph.robber_moves(after, &mut moves);
        let mut is_asked = matches!(self.phase, Phase::Reply { .. });
        for (reply, &robber) in moves.iter().enumerate().skip(first) {
            let next = after.with_robber(robber);
            let cones = self.cones.as_ref();
            let is_longest = cones.is_some_and(|cones| cones.is_lost(graph, next, turns - 1))
                || self.search.lower(graph, next) >= turns;
            if is_longest {
                self.line.extend([after, next]);
                self.phase = Phase::Proof { spot: next, turns };
                return;
            }
            let is_short = self
                .proof
                .as_ref()
                .is_some_and(|proof| proof.is_won(graph, next, turns - 1));
            if !is_short && !std::mem::take(&mut is_asked) {
                self.limit_search();
                self.search.ask(graph, next, turns - 1);
                self.phase = Phase::Reply {
                    spot,
                    after,
                    turns,
                    reply,
                    until: self.search.effort().work.expansions + PATIENCE,
                };
                return;
            }
        }
        self.go_on(graph, spot, turns + 1);
    }

    /// Goes on with the line from a state.
    pub(super) fn go_on(&mut self, graph: &ReachableGraph, spot: Spot, turns: u16) {
        self.phase = if turns == 0 {
            self.drop_cones();
            Phase::Done
        } else {
            self.set_cones(graph, spot, turns, Part::All);
            Phase::Line { spot, turns }
        };
    }

    pub(super) fn extend(&mut self, graph: &ReachableGraph, from: Spot, value: u16, budget: u64) {
        let Some(cones) = &mut self.cones else {
            return;
        };
        match cones.advance(graph, budget) {
            Answer::Running => {}
            // What proves the value takes memory, too.
            Answer::Full if self.proof.is_some() => {
                self.drop_proof();
                self.set_cones(graph, from, value, Part::All);
            }
            // The line ends here. Its moves are right all the same.
            Answer::Later | Answer::Never | Answer::Full => self.phase = Phase::Done,
            Answer::Value(_) => {
                let (spot, turns) = cones.play(graph, &mut self.line, from, value);
                self.go_on(graph, spot, turns);
            }
        }
    }
}
