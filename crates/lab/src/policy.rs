//! What a player of experiments is: one trait for robbers and one for cops.

use pursuit_engine::game::State;
use pursuit_engine::policy::{Decision, Effort, Ground};

/// Chooses moves for a robber.
pub trait RobberPolicy: Send {
    /// Writes a move for the robber of `state`, with the robber to move, into `decision`. Always legal
    /// on `ground`. Returns the work that it took.
    fn decide(&mut self, ground: Ground<'_>, state: &State<'_>, decision: &mut Decision) -> Effort;

    /// Forgets plans and reseeds the random numbers: the same seed and the same states give the same
    /// decisions. A policy that decides by the state alone has nothing to do.
    fn restart(&mut self, _seed: u64) {}
}

impl<P: RobberPolicy + ?Sized> RobberPolicy for Box<P> {
    fn decide(&mut self, ground: Ground<'_>, state: &State<'_>, decision: &mut Decision) -> Effort {
        (**self).decide(ground, state, decision)
    }

    fn restart(&mut self, seed: u64) {
        (**self).restart(seed);
    }
}

/// Decides for all cops that chase one robber.
pub trait CopPolicy: Send {
    /// A move for each cop of `state`, in the order of the cops. It is the cops' turn to move. The moves are always
    /// legal on `ground`.
    fn decide(&mut self, ground: Ground<'_>, state: &State<'_>) -> Vec<Decision>;

    /// Forgets plans and reseeds the random numbers: the same seed and the same states give the same decisions. A
    /// policy that decides by the state alone has nothing to do.
    fn restart(&mut self, _seed: u64) {}
}
