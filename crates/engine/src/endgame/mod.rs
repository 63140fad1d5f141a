//! Local endgames: captures proven on maps of any size, by tables of small regions with external conditions.
//!
//! An [`Endgames`] grows a region around a robber and the cops that are nearest to it, solves the game inside by
//! retrograde analysis, and answers with a [`Proof`]: a bound on the turns until capture that holds whatever the map is
//! like outside, and the moves that keep this promise.
//!
//! The idea is that of local databases with external conditions: T. Cazenave, *Retrograde analysis of patterns versus
//! metaprogramming* (2001), sections 3 and 4, for Hex and Go. The retrograde analysis itself follows K. Thompson,
//! *Retrograde analysis of certain endgames* (1986).
//!
//! # The local game
//!
//! A region is a set R of vertices of the map. Some cops, the *players*, stand in R and never leave it. Others, the
//! *guards*, stand on vertices in R or beside it and never move. They *close* the vertices of R where they stand and,
//! if the robber takes one step a turn, all vertices that they reach in one move: a robber that ends its move on a
//! closed vertex is captured. (The book calls players *active cops* and guards *blocking cops*.) All other cops are
//! left out. The robber may leave R; if it does, it has escaped, and the local game is over. Everything else is as in
//! the game on the map: the players move along edges of the map between vertices of R, and capture where they end.
//!
//! **Theorem.** Let t be the value of a position of the local game, and t finite. Then the cops capture the robber
//! on the whole map in at most t turns.
//!
//! *Proof.* Let the players make moves of an optimal strategy of the local game, let the guards stay, and let all other
//! cops do anything legal. Each move of the strategy is a legal move on the map, because its steps are edges of the
//! map. Claim: after n turns without a capture the robber is in R, and the local position has a value of at most t - n.
//! For n = 0 that is the assumption. If it holds for n < t, the value with the cops to move is finite. After the
//! strategy's move, either a player stands on the robber, which is a capture on the map, or each answer of the local
//! game leads to a value of at most t - n - 1. On the map, the robber has these answers and no others: a move that ends
//! in R is an answer of the local game. A move that leaves R, even in passing, is the escape, whose value is infinite;
//! the strategy has made it impossible. A move onto or over a player or a guard is a capture in both games. A move that
//! ends on another closed vertex is a capture in the local game; on the map, a guard captures with its next move, the
//! move n + 2. That is early enough: the robber could wait on its vertex, which no guard closes, so the value of
//! waiting is at least 1, and n + 2 is at most t. Cops that are left out do not take part in the local game. The only
//! change that they make on the map is that they may capture, too: no cop is ever in the way of another. So the claim
//! holds for n + 1. A value of 0 means that a cop stands on the robber, so the capture comes within t turns.
//!
//! # Guards that are still on their way
//!
//! Let U(0) be the values of the local game, and 1 where the robber stands on a closed vertex without a cop. For d > 0,
//! let U(d) be 0 where a player stands on the robber. Elsewhere, let U(d) be 1 + the least value over the joint moves
//! of the players, where the value of a joint move is the greatest of U(d - 1) over the robber's answers, or 0 if a
//! player has captured. In U(d) the robber may go wherever its steps lead, also over closed vertices. If every guard
//! gets to its vertex with its dth move at the latest, the cops capture the robber within U(d) turns. *Proof* by
//! induction: after the move of the cops, each guard needs at most d - 1 further moves. A robber that runs into a cop
//! on the way, or that a guard meets, is captured all the sooner. So an exit that a guard closes is open until the turn
//! in which the guard stands there, and the condition of the proof is that the guard arrives in time on the shortest
//! way.
//!
//! The value is an upper bound only. The cops may do better with vertices outside of R or with more players.
//! A position with infinite local value says nothing about the map.
//!
//! # External conditions
//!
//! A proof holds as long as its conditions hold:
//!
//! - the passability of R, and of the cells beside it, is unchanged: an edit that changes the steps out of any vertex
//!   of R ends the proof at once ([`Endgames::revise`]);
//! - the paths on which guards come are unchanged: an edit beside these paths ends the proof, too;
//! - the guards stand at their posts, or are a known number of moves away. This is looked up anew in each position, as
//!   are the players, so that a proof is a statement about the present position and never about a past one.
//!
//! *The bound falls.* Each position is looked up in all regions that are kept, and the least value counts. After a turn
//! in which the cops followed a proof of t turns, the same region has a value of at most t - 1. The announced bound
//! therefore falls with each turn, until the capture.
//!
//! # Safety
//!
//! Conversely, a robber that stays in R and evades all cops is *safe*. Let R be a set of vertices, and Q the graph in
//! which all vertices outside R are merged into one, next to all vertices of R from which a step leads out. Let the
//! robber stay in R, and let as many cops as there are on the map play on all of Q, where the cops outside stand on the
//! merged vertex. Each move of a cop on the map is a move on Q: merging vertices keeps edges, and every agent may wait.
//! A cop stands on the robber on the map exactly if it does so on Q, because the robber stands in R. So a robber that
//! is never captured on Q is never captured on the map, by the same moves: it is safe, on a map of any size. (For a
//! retract of the map, no outside would be needed at all; see C. Moldenhauer, *Game tree search algorithms for the game
//! of cops and robber* (2009), chapter 3. Few parts of game maps are retracts of the whole.)
//!
//! # One-way links
//!
//! Endgames work on every [`EndgameNetwork`]: on maps, and on graphs given by their edges, whose links may lead one way
//! only. Cops and robbers move along the same links. The proofs above use no link against its direction:
//!
//! - Exits are links that lead out of R. A link that leads into R is of no use to the robber of the local game, which
//!   does not come back, and the players never leave R.
//! - A guard closes the vertices that it reaches along links from where it stands. It comes to its post along links, so
//!   the paths to the post are searched against them.
//! - In Q, a link leads from a vertex of R to the merged vertex if a link leads out of R there, and from the merged
//!   vertex to a vertex of R if a link leads into R there. Merging vertices keeps links and their direction, so each
//!   move of a cop is still a move on Q. Safety is therefore proven on such networks as well.
//!
//! # Why it is fast
//!
//! The table is one of the room `table`, bit-parallel, with a few hundred places and one more place for the outside.
//! The eight symmetries of the grid count as one: a region of a map is turned into a normal form, and a form that is
//! known is not solved again. Known forms can be kept in a file ([`EndgameShapes`]). On other networks, two regions
//! share a table if their vertices have the same links in the order of the vertices; such tables are not kept in files.
//! Work is done in slices.
mod approach;
mod cell_shape;
mod collection;
mod growth;
mod job;
mod kept;
mod lazy_table;
mod link_shape;
mod local_table;
mod network;
mod proof;
mod region;
mod shape;
mod shape_key;
mod shapes;
pub mod shapes_file;
mod waits;

pub use collection::{Endgames, SavedEndgames};
pub use network::EndgameNetwork;
pub use proof::{EndgameRegion, Proof, ProvenMove};
pub use shapes::EndgameShapes;
pub use shapes_file::ShapesReader;
