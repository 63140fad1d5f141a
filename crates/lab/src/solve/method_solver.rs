//! Solves one position by any of the methods.

use super::alpha_beta::AlphaBeta;
use super::horizon::Horizon;
use super::method::Method;
use super::proof_number::ProofNumber;
use pursuit_engine::game::State;
use pursuit_engine::graph::{Network, Vertex};
use pursuit_engine::solve::{
    Bounds, Deepening, PlayedTurn, PositionError, ReachableGraph, Rma, SolverEffort, SolverStep,
    played,
};

/// Finds the value of one position, with the cops to move, and an optimal line of play.
///
/// The solver copies the part of the graph that it needs, so that the graph may change in the meantime. Any
/// slicing of the work gives the same result.
///
/// ```
/// use pursuit_engine::game::{Agent, Outcome, Side, Speed, State, Turns};
/// use pursuit_engine::graph::Digraph;
/// use pursuit_lab::solve::{Method, MethodSolver};
///
/// // A path of four vertices. The cop is at one end, the robber two vertices away.
/// let path = Digraph::undirected(4, &[(0, 1), (1, 2), (2, 3)])?;
/// let agent = |number| Agent { at: path.vertex(number).unwrap(), speed: Speed::ONE };
/// let state = State { robber: agent(2), cops: &[agent(0)], to_move: Side::Cops };
/// let mut solver = MethodSolver::new(&path, &state, Method::Rma, 1 << 20)?;
/// while solver.advance(1_000).is_working() {}
/// assert_eq!(solver.bounds().value(), Some(Outcome::Caught(Turns(3))));
/// assert_eq!(solver.line().unwrap().len(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct MethodSolver {
    graph: ReachableGraph,
    engine: Engine,
    memory: u64,
}

#[derive(Debug)]
enum Engine {
    Rma(Box<Rma>),
    Tida(Box<Deepening>),
    Ipn(Box<Deepening<ProofNumber>>),
    AlphaBeta(Box<Deepening<AlphaBeta>>),
    Horizon(Box<Horizon>),
}

impl MethodSolver {
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
        method: Method,
        memory: u64,
    ) -> Result<Self, PositionError> {
        let graph = ReachableGraph::new(network, state, memory)?;
        let limit = memory;
        let engine = match method {
            Method::Rma => Engine::Rma(Box::new(Rma::new(&graph, memory))),
            Method::Cones => Engine::Horizon(Box::new(Horizon::new(&graph, memory))),
            Method::Tida => Engine::Tida(Box::new(Deepening::tida(&graph, memory))),
            Method::Ipn => Engine::Ipn(Box::new(ProofNumber::deepening(&graph, memory))),
            Method::AlphaBeta => Engine::AlphaBeta(Box::new(AlphaBeta::deepening(&graph, memory))),
        };
        let solver = Self {
            graph,
            engine,
            memory,
        };
        let needed = solver.effort().bytes;
        if needed > limit {
            return Err(PositionError::TooLarge { needed, limit });
        }
        Ok(solver)
    }

    /// Continues until about `expansions` more states are expanded.
    pub fn advance(&mut self, expansions: u64) -> SolverStep {
        match &mut self.engine {
            Engine::Rma(search) => search.advance(&self.graph, expansions),
            Engine::Tida(search) => search.advance(&self.graph, expansions),
            Engine::Ipn(search) => search.advance(&self.graph, expansions),
            Engine::AlphaBeta(search) => search.advance(&self.graph, expansions),
            Engine::Horizon(search) => search.advance(&self.graph, expansions),
        }
    }

    /// Goes on from another position of the same game on the same graph: as many cops, the same speeds. All methods
    /// except RMA* keep what they have proven. A position that the game soon reaches therefore takes little more work,
    /// and a position on the [line](Self::line) takes none.
    ///
    /// # Errors
    /// If it is a position of another game, or out of reach from the first one. The solver stays as it is.
    pub fn move_on(&mut self, state: &State<'_>) -> Result<(), PositionError> {
        self.graph.move_on(state)?;
        match &mut self.engine {
            Engine::Rma(search) => **search = Rma::new(&self.graph, self.memory),
            Engine::Tida(search) => search.move_on(&self.graph),
            Engine::Ipn(search) => search.move_on(&self.graph),
            Engine::AlphaBeta(search) => search.move_on(&self.graph),
            Engine::Horizon(search) => search.move_on(&self.graph),
        }
        Ok(())
    }

    /// Where the cops go, in the order of the position, to keep the upper [bound](Self::bounds): after
    /// their move the bound is a turn less whatever the robber replies, and the move stays known after
    /// [`move_on`](Self::move_on) there. `None` if no capture is proven, and after it has happened.
    ///
    /// Cost: linear in the joint moves.
    pub fn cop_move(&mut self) -> Option<Vec<Vertex>> {
        let after = match &mut self.engine {
            Engine::Rma(search) => search.line(&self.graph).first().copied(),
            Engine::Tida(search) => search.cop_move(&self.graph),
            Engine::Ipn(search) => search.cop_move(&self.graph),
            Engine::AlphaBeta(search) => search.cop_move(&self.graph),
            Engine::Horizon(search) => search.cop_move(&self.graph),
        }?;
        Some(self.graph.cop_vertices(after))
    }

    /// The optimal reply of the robber to that move, once it is known: to where the cops' bound falls no faster.
    /// `None` also if the move captures.
    #[must_use]
    pub fn reply(&self) -> Option<Vertex> {
        let after = match &self.engine {
            Engine::Rma(search) => search.line(&self.graph).get(1).copied(),
            Engine::Tida(search) => search.line.get(1).copied(),
            Engine::Ipn(search) => search.line.get(1).copied(),
            Engine::AlphaBeta(search) => search.line.get(1).copied(),
            Engine::Horizon(search) => search.line.get(1).copied(),
        }?;
        Some(self.graph.vertex(after.robber))
    }

    /// What is proven about the value so far.
    #[must_use]
    pub fn bounds(&self) -> Bounds {
        let span = match &self.engine {
            Engine::Rma(search) => search.span(),
            Engine::Tida(search) => search.span(),
            Engine::Ipn(search) => search.span(),
            Engine::AlphaBeta(search) => search.span(),
            Engine::Horizon(search) => search.span(),
        };
        span.bounds()
    }

    /// The work so far.
    #[must_use]
    pub fn effort(&self) -> SolverEffort {
        match &self.engine {
            Engine::Rma(search) => search.effort(),
            Engine::Tida(search) => search.effort(),
            Engine::Ipn(search) => search.effort(),
            Engine::AlphaBeta(search) => search.effort(),
            Engine::Horizon(search) => search.effort(),
        }
    }

    /// An optimal line of play, turn by turn to the capture; `None` as long as the value is not known, or if
    /// the robber escapes. Cost: linear in the joint moves along the line.
    #[must_use]
    pub fn line(&self) -> Option<Vec<PlayedTurn>> {
        let spots = match &self.engine {
            Engine::Rma(search) => search.line(&self.graph),
            Engine::Tida(search) => search.line.clone(),
            Engine::Ipn(search) => search.line.clone(),
            Engine::AlphaBeta(search) => search.line.clone(),
            Engine::Horizon(search) => search.line.clone(),
        };
        played(&self.graph, &spots)
    }
}
