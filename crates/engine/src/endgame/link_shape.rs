//! The shape of a region of any network: its links.

use super::network::EndgameNetwork;
use super::shape::{LocalSteps, MayLeave, PlaceSteps};
use crate::graph::Vertex;

/// What the table of a region of any network depends on: the links between its vertices in their order, and where links
/// lead out of the region and into it. Two regions with the same links in this order have equal shapes. No other order
/// is tried, so regions may be isomorphic and have different shapes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkShape {
    /// In the order of the vertices.
    places: Vec<PlaceSteps>,
}

impl LinkShape {
    /// The shape of a set of vertices in order, some of which guards close.
    pub(super) fn of(
        network: &(impl EndgameNetwork + ?Sized),
        vertices: &[Vertex],
        guards: &[Vertex],
    ) -> Self {
        let place = |vertex: &Vertex| vertices.binary_search(vertex).ok();
        let places = vertices.iter().map(|&vertex| {
            let heads = network.neighbours(vertex);
            let inside = heads.iter().filter_map(place);
            let mut tails = network.predecessors(vertex).iter();
            let inside: Vec<u32> = inside.map(|place| place as u32).collect();
            PlaceSteps {
                leaves: inside.len() < heads.len(),
                inside,
                enters: tails.any(|tail| place(tail).is_none()),
                is_guarded: guards.contains(&vertex),
            }
        });
        Self {
            places: places.collect(),
        }
    }

    /// The steps of the local game. A place is the number of a vertex in the order of the region.
    pub(super) fn steps(&self, outside: MayLeave) -> LocalSteps {
        let steps = LocalSteps::new(self.places.iter().cloned(), outside);
        LocalSteps {
            cops_back: Some(steps.cops.transposed(steps.cops.rows())),
            ..steps
        }
    }
}
