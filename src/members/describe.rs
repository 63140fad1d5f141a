//! Reads the components of an agent into the setup that worlds use.

use super::member::Member;
use crate::agent::{
    AgentControl, AgentKinds, GridPosition, KeepsDirection, Mistakes, NextStep, PlannedPath,
    PursuitSpeed, Reach, Robber, Sight, Solid, TicksPerStep,
};
use crate::capture::{Away, Caught};
use crate::difficulty::{Difficulty, Reaction, Weakness};
use crate::duty::{Duty, Leash, Nerve, Patience};
use crate::live_map::LiveMap;
use crate::on_map::OnMap;
use crate::order::{Dash, MoveOrder};
use crate::pursuit::InPursuit;
use crate::pursuit::Pursuits;
use crate::target::{HeadsFor, Quarry, Target};
use bevy::ecs::query::QueryData;
use bevy::prelude::*;
use pursuit_engine::game::{Side, Speed};
use pursuit_engine::map::{BodySize, Kinds};
use pursuit_engine::world::{self, AgentSetup};
use pursuit_engine::world::{Faction, FactionSwap, PursuitState, Tactics};

/// An agent with the components that the game may change.
#[derive(QueryData)]
#[query_data(mutable)]
pub(super) struct MemberData {
    pub(super) entity: Entity,
    pub(super) member: &'static mut Member,
    pub(super) position: &'static GridPosition,
    pub(super) step: &'static mut NextStep,
    pub(super) plan: &'static mut PlannedPath,
    pub(super) state: &'static mut PursuitState,
    target: Option<&'static mut Target>,
    speed: &'static PursuitSpeed,
    control: &'static AgentControl,
    ticks_per_step: Option<&'static TicksPerStep>,
    sight: Option<&'static Sight>,
    kinds: Option<&'static AgentKinds>,
    reach: Option<&'static Reach>,
    size: Option<&'static BodySize>,
    quarry: Option<&'static Quarry>,
    heads_for: Option<&'static HeadsFor>,
    tactics: Option<&'static Tactics>,
    is_solid: Has<Solid>,
    keeps_direction: Has<KeepsDirection>,
    pub(super) faction: Option<&'static Faction>,
    swap: Option<&'static FactionSwap>,
    mistakes: Option<&'static Mistakes>,
    reaction: Option<&'static Reaction>,
    difficulty: Option<&'static Difficulty>,
    leash: Option<&'static Leash>,
    patience: Option<&'static Patience>,
    nerve: Option<&'static Nerve>,
    pub(super) duty: Option<&'static Duty>,
    pub(super) on: Option<&'static OnMap>,
    in_pursuit: Option<&'static InPursuit>,
    pub(super) order: Option<&'static MoveOrder>,
    pub(super) is_dash: Has<Dash>,
    pub(super) is_robber: Has<Robber>,
    pub(super) is_caught: Has<Caught>,
    pub(super) is_away: Has<Away>,
}

impl MemberDataItem<'_, '_> {
    /// The setup of the agent for the world of a map, with the cell of its position. `home`: the entity of the map.
    pub(super) fn describe(&self, home: Entity, map: &LiveMap, pursuits: &Pursuits) -> AgentSetup {
        let side = if self.is_robber {
            Side::Robber
        } else {
            Side::Cops
        };
        let mut setup = AgentSetup::new(side, map.cell_or_beside(self.position.0));
        setup.user = self.entity.to_bits();
        setup.pursuit = pursuits.number(self.in_pursuit);
        setup.speed = Speed::from(*self.speed);
        setup.is_immobile = self.speed.0 == 0;
        setup.control = world_control(*self.control, map);
        setup.ticks_per_step = self.ticks_per_step.map_or(0, |ticks| ticks.0.max(1));
        setup.sight = self.sight.map(|sight| sight.0);
        setup.kinds = self.kinds.map_or(Kinds::NONE, |kinds| kinds.0);
        setup.size = self.size.copied().unwrap_or_default();
        setup.quarry = self.quarry.map(|quarry| quarry.0.to_bits());
        let cell = |heads_for: &HeadsFor| map.cell_or_beside(heads_for.0);
        setup.heads_for = self.heads_for.map(cell);
        setup.is_solid = self.is_solid;
        setup.keeps_direction = self.keeps_direction;
        setup.faction = self.faction.copied();
        // The world has taken back what is over, and the component is going to be removed.
        let is_on = |swap: &FactionSwap| swap.until > map.tick();
        setup.swap = self.swap.copied().filter(is_on);
        setup.reach = self.reach.map_or(0, |reach| reach.0);
        setup.tactics = self.tactics.copied();
        let of_all = || pursuits.difficulty(setup.pursuit, home);
        let difficulty = self.difficulty.or_else(of_all);
        let Weakness { mistakes, reaction } =
            Weakness::of(self.mistakes, self.reaction, difficulty);
        (setup.mistakes, setup.reaction) = (mistakes, reaction);
        setup.leash = self.leash.map(|leash| world::Leash {
            cell: map.cell_or_beside(leash.at),
            steps: leash.steps,
        });
        let returns = self.leash.is_some() || self.duty.is_some();
        setup.patience = Patience::of(self.patience.copied(), returns);
        setup.nerve = self.nerve.map(|nerve| nerve.0);
        setup
    }

    /// Whether others may hunt it.
    pub(super) const fn may_be_prey(&self) -> bool {
        self.is_robber || self.faction.is_some()
    }

    /// Clears the home and the outputs of an agent that leaves its world.
    pub(super) fn move_out(&mut self) {
        self.member.leave_home();
        self.state.set_if_neq(PursuitState::default());
        self.rest();
    }

    /// Clears where the agent is going and whom it chases.
    pub(super) fn rest(&mut self) {
        self.step.stand(self.position.0);
        self.plan.path.clear();
        if let Some(target) = &mut self.target {
            target.set_if_neq(Target::default());
        }
    }
}

/// Converts directions and tiles to the world's convention: rows are counted from the top.
fn world_control(control: AgentControl, map: &LiveMap) -> world::Control {
    match control {
        AgentControl::Policy => world::Control::Policy,
        AgentControl::External => world::Control::External,
        AgentControl::Steer(direction) => world::Control::Steer {
            dx: direction.x.signum() as i8,
            dy: -direction.y.signum() as i8,
        },
        AgentControl::WalkTo(at) => world::Control::WalkTo(map.cell_or_beside(at)),
        AgentControl::Duty => world::Control::Duty,
    }
}
