//! Factions: who hunts whom, where an agent may be hunter and prey at once.
//!
//! For each faction that somebody hunts, the world has a pursuit: its robbers are the members of the faction, and its cops all
//! those that hunt it. An agent is a robber in the pursuit of its own faction, and a cop in those of the factions that it hunts.
//! In one of them it has its role, and chooses its moves by that; in the others it is an agent that the world does not move.

use super::agent::{AgentRecord, AgentSetup};
use super::pursuit::PursuitNumber;
use crate::game::Side;
use crate::search::Party;
use serde::{Deserialize, Serialize};

/// To which faction an agent belongs, and which ones it hunts. Members of a faction do not hunt each other: in a game where
/// everybody hunts everybody, each agent is a faction of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(feature = "bevy", derive(bevy_ecs::component::Component))]
pub struct Faction {
    /// The number of its own faction, below [`MOST`](Self::MOST). Only the lowest bits of a greater number count.
    pub own: u8,
    /// The factions that it hunts, a bit for each number.
    pub hunts: u32,
    /// It flees instead of hunting while an agent that hunts it is within this number of its own steps.
    pub fears: u8,
}

impl Faction {
    /// The number of factions.
    pub const MOST: u8 = 32;

    /// A faction that hunts the factions with these numbers, and flees from hunters within 6 steps.
    #[must_use]
    pub fn new(own: u8, hunts: impl IntoIterator<Item = u8>) -> Self {
        let bit = |faction: u8| 1 << (faction % Self::MOST);
        Self {
            own,
            hunts: hunts.into_iter().fold(0, |all, faction| all | bit(faction)),
            fears: 6,
        }
    }

    const fn number(self) -> u8 {
        self.own % Self::MOST
    }

    /// Whom a solid agent of a pursuit of the game may stand on.
    pub(super) const fn party(self, whole: PursuitNumber) -> Party {
        Party {
            group: (whole.number, true),
            own: 1 << self.number(),
            hunts: self.hunts & !(1 << self.number()),
        }
    }

    /// Returns whether it hunts the faction with this number.
    const fn hunts(self, other: u8) -> bool {
        self.hunts >> other & 1 == 1 && other != self.number()
    }
}

/// Another faction for some time: prey that hunts for eight seconds, a hunter that has to flee. The agent finishes its step
/// and goes on; nobody is freed or captured by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(feature = "bevy", derive(bevy_ecs::component::Component))]
pub struct FactionSwap {
    /// The faction.
    pub faction: Faction,
    /// The tick at which the agent has its own faction again.
    pub until: u64,
}

impl PursuitNumber {
    /// The pursuit of a faction among the agents of a pursuit of the game.
    const fn of_faction(self, faction: u8) -> Self {
        Self {
            faction: Some(faction),
            ..self
        }
    }

    /// Returns whether it is the pursuit of a faction among the agents of a pursuit of the game.
    pub(super) const fn is_part_of(self, whole: Self) -> bool {
        self.faction.is_some() && self.number == whole.number
    }

    /// The pursuit of the game that the pursuit of a faction is part of.
    pub(super) const fn whole(self) -> Option<Self> {
        if self.faction.is_some() {
            Some(Self::new(self.number))
        } else {
            None
        }
    }
}

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
