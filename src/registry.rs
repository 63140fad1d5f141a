//! Type registration: everything public that can be reflected, for scenes, inspectors and scripts.

use crate::agent::PlannedPath;
use crate::agent::{
    AgentControl, AgentKinds, Cop, GridPosition, KeepsDirection, Mistakes, NextStep, PursuitSpeed,
    Reach, Robber, Sight, Solid, TicksPerStep,
};
use crate::blocked::Blocked;
use crate::capture::{Away, Captured, Caught, GotAway, Struck};
use crate::diagnostics::{PursuitDiagnostics, PursuitFigures};
use crate::difficulty::{Difficulty, Reaction};
use crate::duty::{Duty, GaveUp, Leash, Nerve, Patience};
use crate::errand::Obstacle;
use crate::errand::{Arrived, NoWay};
use crate::geometry::MapGeometry;
use crate::level::SpawnLevel;
use crate::live_map::MapChanged;
use crate::map::PursuitMap;
use crate::map_status::MapReady;
use crate::map_status::MapStatus;
use crate::messages::{LostSight, Sighted};
use crate::messages::{OutOfReach, PlanInvalidated, TableStatus, TableStatusChanged, WithinReach};
use crate::on_map::OnMap;
use crate::on_map::{MapAgents, MapNumber};
use crate::order::MoveOrder;
use crate::order::{Dash, OrderRefused};
use crate::pursuit::PursuitAgents;
use crate::pursuit::{InPursuit, Pursuit};
use crate::settings_file::SettingsFile;
use crate::table_list::{PursuitTables, TableHandle};
use crate::target::{HeadsFor, LastSeen, Quarry, Target};
use crate::turn_clock::TurnClock;
use bevy::prelude::*;
use bevy::reflect::{FromType, GetTypeRegistration, TypeData, Typed};
use pursuit_engine::game::{Outcome, Turns, Value};
use pursuit_engine::map::{BodySize, Moves};
use pursuit_engine::policy::Source;
use pursuit_engine::table_cache::{TableSchedule, TableSettings, TableTiming};
use pursuit_engine::world::{
    Activity, DecidedBy, Decisions, Faction, FactionSwap, FreeFor, GiveUp, IdleReason, PatrolOrder,
    PursuitClock, PursuitSettings, PursuitState, Reason, RobberPlanner, Tactics, TickBudget,
};

/// Makes the registrations read as a list.
struct Registry<'a>(&'a mut App);

impl Registry<'_> {
    fn plain<T: GetTypeRegistration>(&mut self) -> &mut Self {
        self.0.register_type::<T>();
        self
    }

    /// Registers a type of the core, which cannot name the type data that scenes need.
    fn with<T, D>(&mut self) -> &mut Self
    where
        T: GetTypeRegistration + Typed + Reflect + Default,
        D: TypeData + FromType<T>,
    {
        self.0
            .register_type::<T>()
            .register_type_data::<T, D>()
            .register_type_data::<T, ReflectDefault>();
        self
    }
}

pub(super) fn register_types(app: &mut App) {
    let mut all = Registry(app);
    all.plain::<Cop>()
        .plain::<Robber>()
        .plain::<GridPosition>()
        .plain::<NextStep>()
        .plain::<PlannedPath>()
        .plain::<PursuitSpeed>()
        .plain::<TicksPerStep>()
        .plain::<Sight>()
        .plain::<AgentKinds>()
        .plain::<Reach>()
        .plain::<Solid>()
        .plain::<KeepsDirection>()
        .plain::<Mistakes>()
        .plain::<Reaction>()
        .plain::<Difficulty>()
        .plain::<Duty>()
        .plain::<Leash>()
        .plain::<Patience>()
        .plain::<Nerve>()
        .plain::<Pursuit>()
        .plain::<InPursuit>()
        .plain::<PursuitAgents>()
        .plain::<Blocked>()
        .plain::<MoveOrder>()
        .plain::<Dash>()
        .plain::<Target>()
        .plain::<LastSeen>()
        .plain::<AgentControl>()
        .plain::<OnMap>()
        .plain::<MapAgents>()
        .plain::<MapNumber>()
        .plain::<MapGeometry>()
        .plain::<MapStatus>()
        .plain::<PursuitMap>()
        .plain::<Moves>()
        .plain::<SpawnLevel>()
        .plain::<PursuitTables>()
        .plain::<TableHandle>()
        .plain::<SettingsFile>()
        .plain::<Caught>()
        .plain::<Away>()
        .plain::<TurnClock>()
        .with::<PursuitState, ReflectComponent>();
    all.plain::<PursuitDiagnostics>()
        .plain::<PursuitFigures>()
        .plain::<Decisions>()
        .with::<PursuitSettings, ReflectResource>()
        .with::<PursuitSettings, ReflectComponent>()
        .with::<TableSettings, ReflectDefault>()
        .with::<TableTiming, ReflectDefault>()
        .with::<TableSchedule, ReflectDefault>()
        .with::<TickBudget, ReflectDefault>()
        .with::<PursuitClock, ReflectComponent>()
        .with::<Tactics, ReflectComponent>()
        .with::<BodySize, ReflectComponent>()
        .with::<Quarry, ReflectComponent>()
        .with::<HeadsFor, ReflectComponent>()
        .with::<Faction, ReflectComponent>()
        .with::<FactionSwap, ReflectComponent>()
        .with::<RobberPlanner, ReflectDefault>();
    all.with::<Activity, ReflectDefault>()
        .with::<DecidedBy, ReflectDefault>()
        .with::<IdleReason, ReflectDefault>()
        .with::<Reason, ReflectDefault>()
        .with::<FreeFor, ReflectDefault>()
        .plain::<Source>()
        .plain::<Value>()
        .plain::<Outcome>()
        .plain::<Turns>();
    all.plain::<Captured>()
        .plain::<OutOfReach>()
        .plain::<WithinReach>()
        .plain::<GotAway>()
        .plain::<Struck>()
        .plain::<Sighted>()
        .plain::<LostSight>()
        .plain::<Arrived>()
        .plain::<NoWay>()
        .plain::<GaveUp>()
        .plain::<GiveUp>()
        .with::<PatrolOrder, ReflectDefault>()
        .plain::<Obstacle>()
        .plain::<OrderRefused>()
        .plain::<MapReady>()
        .plain::<MapChanged>()
        .plain::<PlanInvalidated>()
        .plain::<TableStatusChanged>()
        .plain::<TableStatus>();
}
