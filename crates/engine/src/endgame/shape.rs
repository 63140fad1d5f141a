//! The shape of a region: what its table depends on.

use super::cell_shape::CellShape;
use super::link_shape::LinkShape;
use crate::graph::Csr;
use crate::map::{Cell, Moves};
use serde::{Deserialize, Serialize};

/// What the table of a region depends on. Regions of equal shapes share a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shape {
    /// The cells of a map, in a normal form.
    Cells(CellShape),
    /// The links of any network.
    Links(LinkShape),
}

/// The steps of the local game between places.
#[derive(Debug, Clone)]
pub(super) struct LocalSteps {
    /// For each place, the place itself and the places where a robber's step leads. The last place is the outside.
    pub(super) robber: Csr<u32>,
    /// The same for a cop.
    pub(super) cops: Csr<u32>,
    /// For each place, the places from which a cop's step leads to it. `None` if every step leads both ways.
    pub(super) cops_back: Option<Csr<u32>>,
    /// The places that guards close.
    pub(super) guards: Vec<u16>,
    /// The column and row of each place except the outside; empty if the region does not lie on a map.
    pub(super) cells: Vec<Cell>,
}

/// The steps from a place of a region.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct PlaceSteps {
    /// The places where steps inside the region lead.
    pub(super) inside: Vec<u32>,
    /// Whether a step leads out of the region, and whether a step from outside leads here.
    pub(super) leaves: bool,
    pub(super) enters: bool,
    /// Whether guards close the place.
    pub(super) is_guarded: bool,
}

/// Which side may leave a region.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum MayLeave {
    /// The robber, which has then escaped: for proofs of a capture.
    ForRobber,
    /// The cops, which may come back anywhere: for proofs that a robber is safe.
    ForCops,
}

/// The steps from a place of a map, with the place itself and one that leads out of the region.
const MANY_STEPS: usize = 10;

impl Shape {
    /// The kind of steps on the map; `None` if the region does not lie on a map.
    pub(super) const fn moves(&self) -> Option<Moves> {
        match self {
            Self::Cells(cells) => Some(cells.moves()),
            Self::Links(_) => None,
        }
    }

    /// The steps of the local game.
    pub(super) fn steps(&self, outside: MayLeave) -> LocalSteps {
        match self {
            Self::Cells(cells) => cells.steps(outside),
            Self::Links(links) => links.steps(outside),
        }
    }
}

impl LocalSteps {
    /// The steps of a region from the steps of its places. The side that may leave the region goes to the outside where
    /// a step leads out. Cops come back where a step leads in. The caller adds the cells, or the cops' steps back where
    /// steps may lead one way only.
    pub(super) fn new(
        places: impl ExactSizeIterator<Item = PlaceSteps>,
        outside: MayLeave,
    ) -> Self {
        let out = places.len() as u32;
        let rows = || Csr::with_capacity(places.len() + 1, MANY_STEPS * places.len());
        let (mut closed, mut open) = (rows(), rows());
        let (mut hub, mut guards) = (vec![out], Vec::new());
        for (place, steps) in places.enumerate() {
            let row = std::iter::once(place as u32).chain(steps.inside);
            closed.push_row(row.clone());
            open.push_row(row.chain(steps.leaves.then_some(out)));
            // Cops come back from outside, robbers do not.
            let returns = steps.enters && outside == MayLeave::ForCops;
            hub.extend(returns.then_some(place as u32));
            guards.extend(steps.is_guarded.then_some(place as u16));
        }
        open.push(&hub);
        closed.push(&[out]);
        let (robber, cops) = match outside {
            MayLeave::ForRobber => (open, closed),
            MayLeave::ForCops => (closed, open),
        };
        Self {
            robber,
            cops,
            cops_back: None,
            guards,
            cells: Vec::new(),
        }
    }

    /// The place of the outside, the last one.
    pub(super) const fn outside(&self) -> usize {
        self.robber.rows() - 1
    }

    /// For each place, the places from which a cop's step leads to it.
    pub(super) fn cops_back(&self) -> &Csr<u32> {
        self.cops_back.as_ref().unwrap_or(&self.cops)
    }
}
