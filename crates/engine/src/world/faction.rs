//! Factions: who hunts whom, where an agent may be hunter and prey at once.
//!
//! For each faction that somebody hunts, the world has a pursuit: its robbers are the members of the faction, and its cops all
//! those that hunt it. An agent is a robber in the pursuit of its own faction, and a cop in those of the factions that it hunts.
//! In one of them it has its role, and chooses its moves by that; in the others it is an agent that the world does not move.

use super::pursuit::PursuitNumber;
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

    pub(super) const fn number(self) -> u8 {
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
    pub(super) const fn hunts(self, other: u8) -> bool {
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
    pub(super) const fn of_faction(self, faction: u8) -> Self {
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
