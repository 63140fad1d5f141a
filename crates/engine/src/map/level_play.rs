//! A level as the map of a live world: its exits, and the kinds of agents that its tiles are for.

use super::level::{AgentStart, PursuitLevel};
use super::{Kinds, MapEdit, TileMap};

impl PursuitLevel {
    /// The [initial map](Self::initial_map) for a live world: with the exits, and with the cells for one side only as cells
    /// for [`COPS`](Self::COPS) and [`ROBBERS`](Self::ROBBERS).
    #[must_use]
    pub fn play_map(&self) -> TileMap {
        let mut map = self.initial_map();
        for edit in self.edits_for_play() {
            map.rules_mut().apply(edit);
        }
        map
    }

    /// What the [map for a live world](Self::play_map) has besides the [initial map](Self::initial_map).
    pub(crate) fn edits_for_play(&self) -> impl Iterator<Item = MapEdit> + '_ {
        let of_cops = self.cops_only().iter().map(|&at| (at, Self::COPS));
        let of_robbers = self.robbers_only().iter().map(|&at| (at, Self::ROBBERS));
        let sides = of_cops.chain(of_robbers).map(|cell| MapEdit::Kinds {
            at: cell.0,
            kinds: cell.1,
        });
        let exits = self.exits().iter().map(|&at| MapEdit::Exit {
            at,
            kinds: Kinds::ALL,
        });
        sides.chain(exits)
    }

    /// The kinds of all cops and of all robbers on the [map for a live world](Self::play_map); `None` if those of one side
    /// differ.
    pub(crate) fn kinds_for_play(&self) -> Option<[Kinds; 2]> {
        let [cops, robbers] = self.kinds_of_sides()?;
        // Agents that may go everywhere need no kinds.
        if self.cops_only().is_empty() && self.robbers_only().is_empty() {
            return Some([cops, robbers]);
        }
        Some([cops | Self::COPS, robbers | Self::ROBBERS])
    }

    /// The kinds of a cop of the level on the [map for a live world](Self::play_map).
    #[must_use]
    pub fn kinds_of_cop(&self, cop: &AgentStart) -> Kinds {
        self.kinds_with(cop, Self::COPS)
    }

    /// The kinds of a robber of the level on the [map for a live world](Self::play_map).
    #[must_use]
    pub fn kinds_of_robber(&self, robber: &AgentStart) -> Kinds {
        self.kinds_with(robber, Self::ROBBERS)
    }

    fn kinds_with(&self, start: &AgentStart, side: Kinds) -> Kinds {
        // Agents that may go everywhere need no kinds.
        if self.cops_only().is_empty() && self.robbers_only().is_empty() {
            start.kinds
        } else {
            start.kinds | side
        }
    }

    /// The kind of a cop on the [map for a live world](Self::play_map).
    pub const COPS: Kinds = Kinds::from_bits(1 << 30);

    /// The kind of a robber on the [map for a live world](Self::play_map).
    pub const ROBBERS: Kinds = Kinds::from_bits(1 << 31);
}
