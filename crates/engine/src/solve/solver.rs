//! Finds the value of one position, and an optimal line of play, in slices.

use super::bounds::Bounds;
use super::deepening::Deepening;
use super::error::PositionError;
use super::reachable_graph::ReachableGraph;
use super::spot::{MAX_PLACES, Spot};
use crate::game::{State, Step, Work};
use crate::graph::{Network, Vertex};

/// What a slice of a solver's work has led to.
///
/// Once it is done without an error, the value is proven. Unless the robber escapes, a line of play is known.
pub type SolverStep = Step<Result<(), OutOfMemory>>;

/// The solver would need more memory than it may take. It also ends so if a value exceeds 32,767 turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutOfMemory;

/// The work that a solver has done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SolverEffort {
    /// The states whose successors or predecessors were generated, and the generated states. A state counts each time
    /// that it is generated.
    pub work: Work,
    /// The bytes of memory in use.
    pub bytes: u64,
}

/// One turn of a line of play: the positions of all agents after the turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayedTurn {
    /// The cops after their joint move, in the order of the position.
    pub cops: Vec<Vertex>,
    /// The robber after its reply; its place before the reply if the cops' move captures it.
    pub robber: Vertex,
}

/// Finds the value of one position, with the cops to move, and an optimal line of play, by TIDA*.
///
/// The solver copies the part of the graph that it needs, so that the graph may change in the meantime. Any
/// slicing of the work gives the same result.
///
/// ```
/// use pursuit_engine::game::{Agent, Outcome, Side, Speed, State, Turns};
/// use pursuit_engine::graph::Digraph;
/// use pursuit_engine::solve::PositionSolver;
///
/// // A path of four vertices. The cop is at one end, the robber two vertices away.
/// let path = Digraph::undirected(4, &[(0, 1), (1, 2), (2, 3)])?;
/// let agent = |number| Agent { at: path.vertex(number).unwrap(), speed: Speed::ONE };
/// let state = State { robber: agent(2), cops: &[agent(0)], to_move: Side::Cops };
/// let mut solver = PositionSolver::new(&path, &state, 1 << 20)?;
/// while solver.advance(1_000).is_working() {}
/// assert_eq!(solver.bounds().value(), Some(Outcome::Caught(Turns(3))));
/// assert_eq!(solver.line().unwrap().len(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct PositionSolver {
    graph: ReachableGraph,
    search: Box<Deepening>,
}

impl PositionSolver {
    /// Prepares to solve a position within `memory` bytes.
    ///
    /// Cost: linear in the vertices that the agents can reach and in the moves of a cop. For one cop, an array
    /// of all positions is allocated if it takes at most half of the memory.
    ///
    /// # Errors
    /// If the cops are not to move, if there are not one to three cops of the same speed, or if the moves and
    /// distances alone take more than `memory` bytes.
    pub fn new(
        network: &impl Network,
        state: &State<'_>,
        memory: u64,
    ) -> Result<Self, PositionError> {
        let graph = ReachableGraph::new(network, state, memory)?;
        let search = Box::new(Deepening::tida(&graph, memory));
        let solver = Self { graph, search };
        let needed = solver.effort().bytes;
        if needed > memory {
            return Err(PositionError::TooLarge {
                needed,
                limit: memory,
            });
        }
        Ok(solver)
    }

    /// The most vertices within reach of the agents for this number of cops; `None` for more cops than a solver takes.
    #[must_use]
    pub fn most_vertices(cops: usize) -> Option<usize> {
        let index = cops.checked_sub(1)?;
        MAX_PLACES.get(index).copied()
    }

    /// Continues until about `expansions` more states are expanded.
    pub fn advance(&mut self, expansions: u64) -> SolverStep {
        self.search.advance(&self.graph, expansions)
    }

    /// Goes on from another position of the same game on the same graph: as many cops, the same speeds. The solver keeps
    /// what it has proven, so that a position that a game soon reaches takes little more work; where it lies on the
    /// [line](Self::line), none.
    ///
    /// # Errors
    /// If it is a position of another game, or out of reach from the first one. The solver stays as it is.
    pub fn move_on(&mut self, state: &State<'_>) -> Result<(), PositionError> {
        self.graph.move_on(state)?;
        self.search.move_on(&self.graph);
        Ok(())
    }

    /// Where the cops go, in the order of the position, to keep the upper [bound](Self::bounds): after
    /// their move the bound is a turn less whatever the robber replies, and the move stays known after
    /// [`move_on`](Self::move_on) there. `None` if no capture is proven, and after it has happened.
    ///
    /// Cost: linear in the joint moves.
    pub fn cop_move(&mut self) -> Option<Vec<Vertex>> {
        let after = self.search.cop_move(&self.graph)?;
        Some(self.graph.cop_vertices(after))
    }

    /// The optimal reply of the robber to that move, once it is known: to where the cops' bound falls no faster.
    /// `None` also if the move captures.
    #[must_use]
    pub fn reply(&self) -> Option<Vertex> {
        let after = self.search.line.get(1)?;
        Some(self.graph.vertex(after.robber))
    }

    /// What is proven about the value so far.
    #[must_use]
    pub fn bounds(&self) -> Bounds {
        self.search.span().bounds()
    }

    /// The work so far.
    #[must_use]
    pub fn effort(&self) -> SolverEffort {
        self.search.effort()
    }

    /// An optimal line of play, turn by turn to the capture; `None` as long as the value is not known, or if
    /// the robber escapes. Cost: linear in the joint moves along the line.
    #[must_use]
    pub fn line(&self) -> Option<Vec<PlayedTurn>> {
        played(&self.graph, &self.search.line)
    }
}

/// The turns of a line: the states after the cops' moves and after the replies. `None` if it does not end with a capture.
#[must_use]
pub fn played(graph: &ReachableGraph, line: &[Spot]) -> Option<Vec<PlayedTurn>> {
    let is_over = line.last().is_some_and(|spot| spot.is_capture());
    let is_captured = graph.start.is_capture();
    // Each move of the cops is followed by a reply, except for the last one.
    let turns = line.chunks(2).map(|turn| {
        let after = turn.last().unwrap_or(&graph.start);
        PlayedTurn {
            cops: graph.cop_vertices(turn[0]),
            robber: graph.vertex(after.robber),
        }
    });
    (is_over || is_captured).then(|| turns.collect())
}
