//! The ground of a pursuit for tables: where its sides walk, whether its robber wins on exits, and how far its cops reach.

use super::agent::AgentRecord;
use super::facts::Facts;
use super::pursuit::PursuitRecord;
use super::pursuit_positions::CopPosition;
use crate::map::Walker;
use crate::table::TableGround;

/// What distinguishes the cops of a game besides their speed: the ground that a cop walks on, and its reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct CopTraits {
    ground: Walker,
    reach: u8,
}

impl From<&CopPosition> for CopTraits {
    fn from(cop: &CopPosition) -> Self {
        Self {
            ground: cop.ground,
            reach: cop.reach,
        }
    }
}

impl Facts {
    /// The ground of a game of some cops against a robber on a ground, for tables. `None` if cops walk on different grounds
    /// or capture from different distances: those of a table are interchangeable. Nor do tables know large agents.
    ///
    /// Cost: linear in the cops.
    pub(super) fn table_ground(
        &self,
        mut cops: impl Iterator<Item = CopTraits>,
        robber: Walker,
    ) -> Option<TableGround<'_>> {
        let CopTraits { ground, reach } = cops.next().unwrap_or_default();
        let is_large = !ground.size.is_one() || !robber.size.is_one();
        if is_large || cops.any(|cop| cop != CopTraits { ground, reach }) {
            return None;
        }
        let (cops, robber) = (self.graph_on(ground), self.graph_on(robber));
        let ground = TableGround {
            cops,
            robber,
            exits: true,
            reach,
        };
        let is_own = ground.is_plain() && cops.walker().is_plain() && robber.walker().is_plain();
        Some(if is_own {
            TableGround::from(&self.graph)
        } else {
            ground
        })
    }

    /// The ground of the game of a pursuit's cops that the world moves, against its robber. `None` if no table can be of these
    /// cops.
    ///
    /// Cost: linear in the members.
    pub(super) fn table_ground_of(&self, pursuit: &PursuitRecord) -> Option<TableGround<'_>> {
        let robbers = self.agents(&pursuit.robbers).map(|(_, robber)| robber);
        let is_free = |robber: &&AgentRecord| robber.caught.is_none();
        let free = robbers.clone().find(is_free);
        let robber = free.or_else(|| robbers.clone().next());
        let robber = robber.map_or(Walker::PLAIN, |robber| self.ground_of(robber));
        let cops = self.agents(&pursuit.cops).map(|(_, cop)| cop);
        let cops = cops.filter(|cop| cop.chooses_in(pursuit.number));
        self.table_ground(cops.map(|cop| self.traits_of(cop)), robber)
    }

    /// What distinguishes a cop from others in a game for tables.
    pub(super) fn traits_of(&self, cop: &AgentRecord) -> CopTraits {
        CopTraits {
            ground: self.ground_of(cop),
            reach: cop.setup.reach,
        }
    }
}
