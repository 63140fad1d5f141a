//! The pursuits in which an agent takes part, and the one in which it chooses its moves.

use super::agent::{AgentRecord, AgentSetup};
use super::faction::Faction;
use super::pursuit::PursuitNumber;
use crate::game::Side;

impl AgentSetup {
    /// Its faction now. An agent without a [faction](Self::faction) of its own swaps with nobody.
    #[must_use]
    pub fn faction_now(&self) -> Option<Faction> {
        let own = self.faction?;
        Some(self.swap.map_or(own, |swap| swap.faction))
    }

    /// The pursuits that it takes part in, and its side in each: one, unless it has a faction.
    pub(super) fn memberships(&self) -> impl Iterator<Item = (PursuitNumber, Side)> + use<> {
        let (whole, side) = (self.pursuit_number(), self.side);
        let faction = self.faction_now();
        let plain = faction.is_none().then_some((whole, side));
        let prey = faction.map(|faction| (whole.of_faction(faction.number()), Side::Robber));
        let hunted = faction.into_iter().flat_map(move |faction| {
            let hunted = (0..Faction::MOST).filter(move |&other| faction.hunts(other));
            hunted.map(move |other| (whole.of_faction(other), Side::Cops))
        });
        plain.into_iter().chain(hunted).chain(prey)
    }

    /// The role with which it begins: a hunter, if it hunts anybody.
    pub(super) fn first_role(&self) -> (PursuitNumber, Side) {
        let mut all = self.memberships();
        all.next().unwrap_or((self.pursuit_number(), self.side))
    }
}

impl AgentRecord {
    /// The pursuit in which it chooses its moves.
    pub(super) const fn pursuit_number(&self) -> PursuitNumber {
        self.role.0
    }

    /// Its side in that pursuit.
    #[must_use]
    pub const fn side(&self) -> Side {
        self.role.1
    }

    /// Returns whether its role is one that it may have.
    pub(super) fn has_role(&self) -> bool {
        self.setup.memberships().any(|part| part == self.role)
    }

    /// Returns whether it is on a side of a pursuit, whether or not it chooses its moves there. Who is captured hunts nobody.
    pub(super) fn takes_part(&self, pursuit: PursuitNumber, side: Side) -> bool {
        if self.setup.faction.is_none() {
            return self.is_member(pursuit, side);
        }
        let is_out = self.caught.is_some() && side == Side::Cops;
        !is_out && self.setup.memberships().any(|part| part == (pursuit, side))
    }

    /// Returns whether the world chooses its moves, and does so in this pursuit: see [`chooses`](Self::chooses).
    pub(super) fn chooses_in(&self, pursuit: PursuitNumber) -> bool {
        self.pursuit_number() == pursuit && self.chooses()
    }
}
