//! Checks the moves of a policy.

use crate::game::{Agent, State, is_legal_move};
use crate::graph::Vertex;
use crate::policy::{Decision, Ground};
use thiserror::Error;

/// A policy made a move that the rules do not allow.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the move {way} is not legal with the robber at {robber}, cops at {cops}")]
pub struct IllegalMove {
    /// The cell of the robber.
    pub robber: String,
    /// The cells of the cops.
    pub cops: String,
    /// The cells of the move.
    pub way: String,
}

/// The path that a policy decides on for an agent of `state`, if it is legal.
pub(super) fn legal_way<'d>(
    ground: Ground<'_>,
    state: &State<'_>,
    agent: Agent,
    decision: &'d Decision,
) -> Result<&'d [Vertex], IllegalMove> {
    let (way, from) = (decision.way(), agent.at);
    let on_map = way.iter().all(|&vertex| ground.graph.is_live(vertex));
    if on_map && is_legal_move(ground.graph, from, way, agent.speed) {
        return Ok(way);
    }
    let cops: Vec<Vertex> = state.cops.iter().map(|cop| cop.at).collect();
    Err(IllegalMove {
        robber: cells(ground, &[state.robber.at]),
        cops: cells(ground, &cops),
        way: cells(ground, way),
    })
}

/// The cells of vertices, for messages.
fn cells(ground: Ground<'_>, vertices: &[Vertex]) -> String {
    let cell = |&vertex: &Vertex| {
        if vertex.index() < ground.graph.slots() {
            let cell = ground.graph.cell(vertex);
            format!("({}, {})", cell.x, cell.y)
        } else {
            format!("vertex {} of another map", vertex.index())
        }
    };
    let cells: Vec<String> = vertices.iter().map(cell).collect();
    cells.join(" ")
}
