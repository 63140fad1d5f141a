//! Cops that play as one team until a capture is proven, and then by the proof.

use super::TeamCops;
use crate::endgame::{EndgameShapes, Endgames, Proof};
use crate::game::{Outcome, State, Value};
use crate::graph::Fingerprint;
use crate::policy::{CopPolicy, Decision, Ground, Source};
use std::sync::Arc;

/// Cops that play as [`TeamCops`] until an [endgame](crate::endgame) proves a capture, and then by the proof: with
/// a bound that falls with each turn.
///
/// Each table is solved at once, in the middle of a decision.
///
/// Cost: that of [`TeamCops`], and in each turn with the robber near and no proof a local table: some ten
/// milliseconds.
#[derive(Debug, Default)]
pub struct EndgameCops {
    team: TeamCops,
    endgames: Endgames,
    /// The map of the last decision.
    fingerprint: Option<Fingerprint>,
    /// The tables that were solved since the start.
    solved: u64,
}

impl EndgameCops {
    /// Cops that know the tables of some shapes beforehand.
    #[must_use]
    pub fn with_shapes(shapes: Arc<EndgameShapes>) -> Self {
        let mut cops = Self::default();
        cops.endgames.use_shapes(shapes);
        cops
    }

    /// Collects the shapes that are solved from now on: see [`Endgames::collect_shapes`].
    pub fn collect_shapes(&mut self) {
        self.endgames.collect_shapes();
    }

    /// The shapes that were solved: see [`Endgames::take_shapes`].
    pub fn take_shapes(&mut self) -> EndgameShapes {
        self.endgames.take_shapes()
    }

    /// The proof for a position with the cops to move, if there is one. Solves what it needs.
    pub fn prove(&mut self, ground: Ground<'_>, state: &State<'_>) -> Option<Proof> {
        let now = ground.graph.fingerprint();
        if self.fingerprint.replace(now) != Some(now) {
            self.endgames.revise(ground.graph);
        }
        if let Some(proof) = self.endgames.prove(ground.graph, state) {
            return Some(proof);
        }
        // A single cop first asks whether the robber is safe.
        let questions = if state.cops.len() == 1 { 2 } else { 1 };
        for _ in 0..questions {
            if self.endgames.begin(ground.graph, state) {
                self.endgames.finish();
                self.solved += 1;
            }
        }
        self.endgames.prove(ground.graph, state)
    }

    /// The tables that were solved since the last [restart](CopPolicy::restart).
    #[must_use]
    pub const fn solved(&self) -> u64 {
        self.solved
    }

    /// The endgames that are known.
    #[must_use]
    pub const fn endgames(&self) -> &Endgames {
        &self.endgames
    }
}

impl CopPolicy for EndgameCops {
    fn decide(&mut self, ground: Ground<'_>, state: &State<'_>) -> Vec<Decision> {
        let mut decisions = self.team.decide(ground, state);
        let Some(proof) = self.prove(ground, state) else {
            return decisions;
        };
        for of_cop in proof.moves {
            if let (Some(decision), Some(cop)) =
                (decisions.get_mut(of_cop.cop), state.cops.get(of_cop.cop))
            {
                *decision = Decision::along(of_cop.path, cop.speed, Source::Endgame);
                decision.value = Some(Value::AtMost(Outcome::Caught(proof.bound)));
            }
        }
        decisions
    }

    fn restart(&mut self, seed: u64) {
        self.team.restart(seed);
        self.endgames.clear();
        self.solved = 0;
    }
}
