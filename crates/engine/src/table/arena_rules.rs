//! The rules of an arena beyond those of cops and robber on one graph.

use super::bits::PlaceSet;
use crate::game::{Judged, Side, Variant};
use crate::graph::Csr;

/// The rules of an arena that differ from cops and robber on one graph.
///
/// What an agent reaches never leaves its ground: the steps of the arena and of the cops lead only
/// to places where the agent may stand. No step leads away from an exit, because the robber's move
/// ends there.
#[derive(Debug, Clone)]
pub(super) struct ArenaRules {
    pub variant: Variant,
    /// The steps of the cops, if they differ from those of the robber.
    pub cop_steps: Option<Csr<u32>>,
    /// The places where a robber may stand.
    pub robber_ground: PlaceSet,
    /// The places where a cop may stand.
    pub cop_ground: PlaceSet,
    /// For each place of the robber, the places from which a cop captures it, in order: the place
    /// itself, and others. `None` if only a cop on the robber's place captures it.
    pub zones: Option<Csr<u32>>,
    /// The places where an uncaptured robber has won.
    pub exits: PlaceSet,
    /// Whether every step of a cop can be undone by a step of a cop.
    pub is_two_way_for_cops: bool,
}

impl ArenaRules {
    /// A rule that differs, for people.
    pub(super) fn name(&self) -> &'static str {
        if self.has_exits() {
            "exits"
        } else if self.variant.distinct {
            "cops that may not share a place"
        } else if !self.judges_cops() {
            "captures only after the robber's move"
        } else if self.zones.is_some() {
            "captures from other places than the robber's"
        } else {
            "grounds that differ from the base"
        }
    }

    /// The places where an agent of a side may stand.
    pub(super) const fn ground(&self, side: Side) -> &PlaceSet {
        match side {
            Side::Cops => &self.cop_ground,
            Side::Robber => &self.robber_ground,
        }
    }

    /// Returns whether there are exits.
    pub(super) fn has_exits(&self) -> bool {
        self.exits.len() > 0
    }

    /// Returns whether a position is examined after the cops' move.
    pub(super) fn judges_cops(&self) -> bool {
        self.variant.judged == Judged::EachMove
    }

    /// Returns whether a cop captures a robber from where it stands.
    pub(super) fn captures(&self, cop: usize, robber: usize) -> bool {
        match &self.zones {
            None => cop == robber,
            Some(zones) => zones.row(robber).binary_search(&(cop as u32)).is_ok(),
        }
    }

    /// The places of a board from which a cop captures a robber.
    pub(super) fn zone(&self, robber: usize, board: usize) -> u64 {
        let bit = |place: usize| u64::from(place / 64 == board) << (place % 64);
        match &self.zones {
            None => bit(robber),
            Some(zones) => {
                let cops = zones.row(robber).iter().map(|&cop| bit(cop as usize));
                cops.fold(0, |zone, cop| zone | cop)
            }
        }
    }

    /// Returns whether cops may stand on these places at the same time.
    pub(super) fn allows(&self, cops: &[usize]) -> bool {
        let stand = cops.iter().all(|&cop| self.cop_ground.contains(cop));
        stand && !(self.variant.distinct && has_repetition(cops))
    }

    /// The places of a board on which the least cop may stand when the others stand on `row`.
    pub(super) fn allowed(&self, row: &[usize], board: usize) -> u64 {
        if !self.allows(row) {
            return 0;
        }
        let taken = row
            .iter()
            .filter(|&&cop| self.variant.distinct && cop / 64 == board);
        let free = self.cop_ground.board(board);
        taken.fold(free, |free, cop| free & !(1 << (cop % 64)))
    }

    /// Returns whether the position can occur: everybody is on their ground, and distinct cops are on
    /// distinct places.
    pub(super) fn is_legal(&self, robber: usize, cops: &[usize]) -> bool {
        self.robber_ground.contains(robber) && self.allows(cops)
    }

    /// The number of positions, counting cops as distinguished; [`u64::MAX`] if it is greater.
    pub(super) fn positions(&self, cops: usize) -> u64 {
        let places = self.cop_ground.len() as u64;
        let taken = |cop| if self.variant.distinct { cop } else { 0 };
        let all = (0..cops as u64).try_fold(self.robber_ground.len() as u64, |all, cop| {
            all.checked_mul(places.saturating_sub(taken(cop)))
        });
        all.unwrap_or(u64::MAX)
    }
}

/// Returns whether a place occurs twice. For lists of a few places.
fn has_repetition(places: &[usize]) -> bool {
    let mut seen = places.iter().enumerate();
    seen.any(|(index, place)| places[..index].contains(place))
}
