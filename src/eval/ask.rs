//! What is common to all who ask a robber for its moves.

use crate::game::{State, is_legal_move};
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

/// The way that a policy decides on, if it is legal.
pub(super) fn legal_way<'d>(
    ground: Ground<'_>,
    state: &State<'_>,
    decision: &'d Decision,
) -> Result<&'d [Vertex], IllegalMove> {
    let (way, from) = (decision.way(), state.robber.at);
    let on_map = way.iter().all(|&vertex| ground.graph.is_live(vertex));
    if on_map && is_legal_move(ground.graph, from, way, state.robber.speed) {
        return Ok(way);
    }
    let cops: Vec<Vertex> = state.cops.iter().map(|cop| cop.at).collect();
    Err(IllegalMove {
        robber: cells(ground, &[from]),
        cops: cells(ground, &cops),
        way: cells(ground, way),
    })
}

/// The cells of vertices, for people.
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

/// A seed that follows from other numbers: each of them changes it as a whole.
pub(super) fn seed_of(numbers: impl IntoIterator<Item = u64>) -> u64 {
    let numbers = numbers.into_iter();
    numbers.fold(0, |seed, number| mix(seed ^ number))
}

/// A step of SplitMix64 (Steele, Lea and Flood, 2014): numbers in a row give numbers that have
/// nothing to do with each other.
const fn mix(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}
