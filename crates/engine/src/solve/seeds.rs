//! The captures at which a backward search starts, each added once the present bound allows a game to reach it.

use super::reachable_graph::{ReachableGraph, UNREACHABLE};
use super::spot::Spot;

/// The turn in which each agent can first be at each place, counted from the start.
#[derive(Debug)]
pub(super) struct Clock {
    /// For each place, the number of moves that the robber needs.
    robber: Vec<u16>,
    /// For each cop and place, the number of moves that the cop needs.
    cops: Vec<Vec<u16>>,
    /// The places with the first turn in which they matter, in order of this turn: see [`Self::is_new`].
    near: Vec<(u16, u16)>,
}

impl Clock {
    pub(super) fn new(graph: &ReachableGraph) -> Self {
        let (cop_speed, robber_speed) = graph.speeds();
        let robber = graph.turns_from(graph.start.robber, robber_speed);
        let starts = &graph.start.cops[..graph.cops];
        let cops: Vec<Vec<u16>> = starts
            .iter()
            .map(|&cop| graph.turns_from(cop, cop_speed))
            .collect();
        let least = |place: usize| cops.iter().map(|turns| turns[place]).min();
        let near =
            (0..graph.places()).map(|place| (least(place).unwrap_or(UNREACHABLE), place as u16));
        let mut near: Vec<(u16, u16)> = near.filter(|&(turns, _)| turns != UNREACHABLE).collect();
        near.sort_unstable();
        Self { robber, cops, near }
    }

    /// The bytes in use.
    pub(super) fn bytes(&self) -> u64 {
        (self.robber.len() * (self.cops.len() + 3) * size_of::<u16>()) as u64
    }

    /// The first turn in which the cops can stand on these places, whichever cop goes where.
    fn cops_at(&self, places: [u16; 3]) -> u16 {
        let [a, b, c] = places.map(usize::from);
        match self.cops.as_slice() {
            [one] => one[a],
            [one, two] => one[a].max(two[b]).min(one[b].max(two[a])),
            [one, two, three] => {
                let rest = |x: usize, y: usize| two[x].max(three[y]).min(two[y].max(three[x]));
                let first = one[a].max(rest(b, c));
                let second = one[b].max(rest(a, c));
                first.min(second).min(one[c].max(rest(a, b)))
            }
            _ => UNREACHABLE,
        }
    }

    /// A lower bound on the turns from the start to a state with the cops to move: the backward heuristic (C.
    /// Moldenhauer's thesis, section 4.5, equations 4.2 and 4.3) with exact distances, where each cop is
    /// assigned to a different place of the state.
    pub(super) fn turns_to(&self, spot: Spot) -> u16 {
        self.robber[usize::from(spot.robber)].max(self.cops_at(spot.cops))
    }

    /// The same for a state with the robber to move. The cops' move of that turn counts.
    pub(super) fn turns_to_reply(&self, spot: Spot) -> u16 {
        let robber = self.robber[usize::from(spot.robber)].saturating_add(1);
        robber.max(self.cops_at(spot.cops))
    }

    /// Returns whether a place comes within reach in exactly this turn, either of a cop or of the robber, which
    /// moves next.
    fn is_new(&self, place: u16, turn: u16) -> bool {
        let place = usize::from(place);
        let reached = self.cops.iter().any(|turns| turns[place] == turn);
        reached || self.robber[place].saturating_add(1) == turn
    }

    /// The last turn in which a capture can come within reach.
    pub(super) fn last_turn(&self) -> u16 {
        let all = self.cops.iter().flatten().chain(&self.robber);
        let farthest = all.copied().filter(|&turns| turns != UNREACHABLE).max();
        farthest.unwrap_or_default().saturating_add(1)
    }

    /// Calls `found` at least once with each capture that comes within reach in exactly this turn. A capture is
    /// a state after a move of the cops in which a cop stands on the robber.
    ///
    /// Cost: over all turns, each capture is generated a few times.
    pub(super) fn captures(&self, turn: u16, mut found: impl FnMut(Spot) -> bool) {
        let near = self.near[..self.near.partition_point(|near| near.0 <= turn)].iter();
        let near: Vec<u16> = near.map(|&(_, place)| place).collect();
        let new = near
            .iter()
            .copied()
            .filter(|&place| self.is_new(place, turn));
        let new: Vec<u16> = new.collect();
        let mut take = |cops: &[u16]| {
            let spot = Spot::new(cops[0], cops);
            self.turns_to_reply(spot) != turn || found(spot)
        };
        for &robber in &near {
            if self.robber[usize::from(robber)] >= turn {
                continue;
            }
            let is_new = self.is_new(robber, turn);
            // A capture that comes within reach in this turn has at least one new place.
            let seconds = if is_new { &near } else { &new };
            let go_on = match self.cops.len() {
                1 => !is_new || take(&[robber]),
                2 => seconds.iter().all(|&second| take(&[robber, second])),
                _ => seconds.iter().all(|&second| {
                    let mut thirds = near.iter();
                    thirds.all(|&third| take(&[robber, second, third]))
                }),
            };
            if !go_on {
                return;
            }
        }
    }
}
