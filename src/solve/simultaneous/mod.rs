//! The game in which both sides move at once: expected capture times and mixed strategies.
//!
//! # The game
//!
//! In a turn the robber chooses one of the vertices within its speed, and each cop one of those within its own; all
//! choose without knowing what the others choose, and then all move at once. The robber is captured if it ends on a
//! vertex with a cop, or if it and a cop exchange their vertices along the edge that joins them (C.
//! Moldenhauer's thesis, chapter 7). As in the alternating game, only where a move ends counts for fast
//! agents: a cop that passes over the robber's vertex does not capture there, and agents further apart than an edge that exchange their
//! vertices do not meet. Each turn costs the cops 1. The *value* of a position is the expected
//! number of turns until capture if both sides play optimal mixed strategies, 0 after a capture.
//!
//! # Which values are finite
//!
//! Those of the positions from which the cops capture with probability 1, found without any payoffs (`finite.rs`). If the
//! cops win the alternating game from everywhere, these are all positions: against each move of the robber some joint move leads to a position from which the capture with
//! the robber to move is nearer, and cops that guess capture with positive probability. Position by position the
//! alternating game does not decide. Take the vertices r, a, b, c with all edges among them but a b, and
//! a long path from a to b. With the robber on r, to move, and the cop on c, the robber is captured at
//! once in the alternating game; if both move at once, a cop that guesses wrongly has lost the robber on the long cycle, and the value is infinite. In
//! the other direction it does decide: where the robber escapes if it is to move, it escapes here.
//!
//! # Bounds
//!
//! Let T be the operator of a turn: T v is 1 plus the value of the matrix game of the values v of the next positions. For any
//! v of at least 1 that is 0 after captures and finite elsewhere, one sweep proves bounds. If T v <= v + d for some d < 1, then
//! u = v / (1 - d) satisfies T u <= u, and the cops expect a capture within u turns if they play
//! their strategy of the sweep: after each number of turns the mean of the turns so far and of u at the present position is no more than u at the
//! start. If T v >= v - d, then l = v / (1 + d) satisfies T l >= l, and a robber that plays its strategy either
//! is never captured with positive probability or survives l turns on average. The matrix games need not be solved
//! exactly: what counts is what the strategies of both sides are sure of in them. Sums of
//! positive numbers are off by less than half a unit in the last place for each term; d contains that.
//!
//! So any way to a good v will do. The solver sweeps (theorem 7.9 and corollary 7.10 of the thesis), beginning with the values of the alternating
//! game, and after every few sweeps solves the linear system of the strategies' expected times (M. Pollatschek and B. Avi-Itzhak, *Algorithms for
//! stochastic games with geometrical interpretation*, 1969). These steps converge fast where they do; as they need
//! not, the number of sweeps between them doubles when they lead nowhere. There is no useful bound on the number of sweeps that any method of this kind
//! needs in the worst case (K. Hansen, R. Ibsen-Jensen and P. Miltersen, *The complexity of solving
//! reachability games using value and strategy iteration*, 2011).
//!
//! # How it is fast
//!
//! Positions that a symmetry of the map leads to each other are solved once. The moves that are played in a position mostly stay the
//! same from sweep to sweep: a system of a few equations gives the new shares, and duality shows whether they are still optimal. What is left goes to
//! pure saddle points, dominated moves, the closed form for two moves, and a dense simplex method.
//! Rejected: sweeps alone (4,289 of them on the octile grid of 16 x 16 instead of about 20), and comparing moves in pairs in large matrices,
//! which takes longer than the simplex method.
mod best_response;
mod chain;
mod difference;
pub mod file;
mod finite;
mod matrix;
mod player;
mod positions;
mod rounding;
mod simplex;
mod solution;
mod solver;
mod sweep;
mod symmetry;
mod turn;
mod verify;

pub use best_response::MixedExploitability;
pub use difference::Difference;
pub use file::{MixedStrategies, MixedTable};
pub use player::MixedPlayer;
pub use solution::{MixedSolution, MixedValue};
pub use solver::{MixedProgress, SimultaneousSolver};
pub use verify::{MixedVerification, MixedVerifyError};
