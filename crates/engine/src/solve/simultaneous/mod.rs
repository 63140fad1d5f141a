//! The game with simultaneous moves: expected capture times and mixed strategies.
//!
//! # The game
//!
//! In each turn, the robber chooses a vertex within its speed, and each cop chooses a vertex within its own
//! speed. All agents choose without knowing the choices of the others, and then move simultaneously. The robber is
//! captured if it ends on a vertex with a cop, or if the robber and a cop exchange their vertices along the
//! edge that joins them (C. Moldenhauer's thesis, chapter 7). As in the alternating game, only the ends of
//! moves count for fast agents: a cop that passes over the robber's vertex does not capture there, and agents
//! that exchange vertices which no edge joins do not meet. Each turn costs the cops 1. The *value* of a
//! position is the expected number of turns until capture if both sides play optimal mixed strategies; it is 0
//! after a capture.
//!
//! # Which values are finite
//!
//! The value of a position is finite if the cops capture with probability 1 from there. The set of these
//! positions is found without any payoffs (`finite.rs`). If the cops win the alternating game from everywhere,
//! the set has all positions: against each move of the robber, some joint move leads to a position from which
//! the capture with the robber to move is nearer, and cops that guess the robber's moves capture with positive
//! probability.
//!
//! For a single position, the alternating game does not decide whether the value is finite. Take the vertices
//! r, a, b, c with all edges among them except for the edge between a and b, and a long path from a to b. With
//! the robber on r, to move, and the cop on c, the robber is captured at once in the alternating game. If both
//! move simultaneously, a cop that guesses wrongly has lost the robber on the long cycle, and the value is infinite.
//! The converse holds: a robber that escapes with the move in the alternating game also escapes in the
//! simultaneous game.
//!
//! Where the value is infinite, the robber plays so that it stays free for ever, if it can be sure of that, and
//! otherwise so that it stays free with positive probability, if it can (`flight.rs`). There are positions of a third
//! kind: for every number of turns, the robber has a strategy that survives longer, but each of its strategies is
//! caught in the end. There it plays any move.
//!
//! # Bounds
//!
//! Let T be the operator of a turn: T v is 1 plus the value of the matrix game whose payoffs are the values v
//! of the next positions. Let v be 0 after captures, and finite and at least 1 elsewhere. Then one sweep proves bounds.
//!
//! If T v <= v + d for some d < 1, then u = v / (1 - d) satisfies T u <= u, and cops that play their strategy
//! of the sweep expect a capture within u turns. The reason is that after any number of turns, the mean of the
//! turns so far plus u at the present position is at most u at the start. If T v >= v - d, then l = v / (1 + d)
//! satisfies T l >= l, and a robber that plays its strategy either avoids capture forever with positive
//! probability or survives l turns on average. The matrix games need not be solved exactly: only the payoffs
//! that the strategies of both sides guarantee count. A sum of positive numbers is off by less than half a unit
//! in the last place for each term; d includes this error.
//!
//! The bounds hold however v was found. The solver sweeps (theorem 7.9 and corollary 7.10 of the thesis),
//! beginning with the values of the alternating game. After every few sweeps, it solves the linear system of
//! the strategies' expected times (M. Pollatschek and B. Avi-Itzhak, *Algorithms for stochastic games with
//! geometrical interpretation*, 1969). These steps need not converge, but converge fast if they do. A step after which
//! a turn changes the values more than ten times as much is halved. If steps do not help, the number of sweeps between
//! them doubles, and from then on each step is halved until it reduces the errors (J. Filar and B. Tolwinski, *On the
//! algorithm of Pollatschek and Avi-Itzhak*, 1991): whole steps may lead to strategies that hardly ever capture, and
//! values of 10^50 turns. For methods of this kind, no useful bound on the number of sweeps exists in the worst case (K. Hansen, R. Ibsen-Jensen and P. Miltersen, *The complexity of solving
//! reachability games using value and strategy iteration*, 2011).
//!
//! # How it is fast
//!
//! Positions that are equal under a symmetry of the map are solved once. The moves in play in a position mostly
//! stay the same from sweep to sweep: a system of a few equations gives the new probabilities, and duality
//! shows whether they are still optimal. The remaining games are solved by pure saddle points, dominated moves,
//! the closed form for two moves, and a dense simplex method.
//!
//! Three alternatives were rejected. Value iteration alone takes 4,289 sweeps instead of about 20 on the octile
//! grid of 16 x 16. Comparing moves in pairs in large matrices takes longer than the simplex method. A double oracle
//! (B. Bosansky et al., *Algorithms for computing strategies in two-player simultaneous move games*, 2016), which begins
//! with the moves in play of the last sweep and adds best responses, takes as long as the simplex method on the whole
//! matrix: with two cops, 0.98 instead of 1.18 s on the grid of 9 x 9 and 4.34 s each on that of 11 x 11; with a cop of
//! speed 2 on AR0408SR, 4.0 instead of 3.3 s (processor time, means of two or three runs).
mod best_response;
mod chain;
pub mod file;
mod finite;
mod flight;
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
pub use file::{MixedStrategies, MixedTable};
pub use player::MixedPlayer;
pub use solution::{MixedSolution, MixedValue};
pub use solver::{MixedProgress, SimultaneousSolver};
pub use verify::{MixedVerification, MixedVerifyError};
