//! Checks the moves of a policy.

use pursuit_engine::game::{Agent, State, is_legal_move};
use pursuit_engine::graph::Vertex;
use pursuit_engine::policy::{Decision, Ground};
use thiserror::Error;

/// A policy made a move that the rules do not allow.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the move {path} is not legal with the robber at {robber}, cops at {cops}")]
pub struct IllegalMove {
    /// The cell of the robber.
    pub robber: String,
    /// The cells of the cops.
    pub cops: String,
    /// The cells of the move.
    pub path: String,
}

/// The path that a policy decides on for an agent of `state`, if it is legal.
pub(super) fn legal_path<'d>(
    ground: Ground<'_>,
    state: &State<'_>,
    agent: Agent,
    decision: &'d Decision,
) -> Result<&'d [Vertex], IllegalMove> {
    let (path, from) = (decision.next_move(), agent.at);
    let on_map = path.iter().all(|&vertex| ground.graph.is_live(vertex));
    if on_map && is_legal_move(ground.graph, from, path, agent.speed) {
        return Ok(path);
    }
    let cops: Vec<Vertex> = state.cops.iter().map(|cop| cop.at).collect();
    Err(IllegalMove {
        robber: cells(ground, &[state.robber.at]),
        cops: cells(ground, &cops),
        path: cells(ground, path),
    })
}

/// Where the cops of `state` go by these decisions, in their order, as far as the moves are legal.
pub(super) fn ends_of_cops<'a>(
    ground: Ground<'a>,
    state: &'a State<'_>,
    decisions: &'a [Decision],
) -> impl Iterator<Item = Result<Vertex, IllegalMove>> + 'a {
    state
        .cops
        .iter()
        .zip(decisions)
        .map(move |(cop, decision)| {
            let path = legal_path(ground, state, *cop, decision)?;
            Ok(path.last().copied().unwrap_or(cop.at))
        })
}

/// The end of the robber's move by this decision, and whether the robber survives the move.
pub(super) fn end_of_robber(
    ground: Ground<'_>,
    state: &State<'_>,
    decision: &Decision,
) -> Result<(Vertex, bool), IllegalMove> {
    let path = legal_path(ground, state, state.robber, decision)?;
    let is_cop = |step: &Vertex| state.cops.iter().any(|cop| cop.at == *step);
    let end = path.last().copied().unwrap_or(state.robber.at);
    Ok((end, !path.iter().any(is_cop)))
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
