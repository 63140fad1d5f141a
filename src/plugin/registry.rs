//! Everything public that can be reflected, for scenes, inspectors and scripts.

use super::{
    Captured, Caught, Clock, Control, Cop, DecidedBy, Decisions, FreeFor, GridPosition, Idle,
    LostSight, MapChanged, NextStep, OnMap, OutOfReach, Plan, PlanDropped, Pursuit,
    PursuitDiagnostics, PursuitFigures, PursuitSettings, PursuitSpeed, PursuitState, Reason,
    Robber, RobberPlanner, Sight, Sighted, Source, TableNews, TableSettings, TableStatus,
    TableTiming, Tactics, TickBudget, TicksPerStep, TurnClock, WithinReach,
};
use crate::game::{Outcome, Turns, Value};
use bevy::prelude::*;
use bevy::reflect::{FromType, GetTypeRegistration, TypeData, Typed};

/// Makes registrations read as a list.
struct Registry<'a>(&'a mut App);

impl Registry<'_> {
    fn plain<T: GetTypeRegistration>(&mut self) -> &mut Self {
        self.0.register_type::<T>();
        self
    }

    /// A type of the core, which cannot name the data that scenes want.
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
        .plain::<Plan>()
        .plain::<PursuitSpeed>()
        .plain::<TicksPerStep>()
        .plain::<Sight>()
        .plain::<Pursuit>()
        .plain::<Control>()
        .plain::<OnMap>()
        .plain::<Caught>()
        .plain::<TurnClock>()
        .with::<PursuitState, ReflectComponent>();
    all.plain::<PursuitDiagnostics>()
        .plain::<PursuitFigures>()
        .plain::<Decisions>()
        .with::<PursuitSettings, ReflectResource>()
        .with::<TableSettings, ReflectDefault>()
        .with::<TableTiming, ReflectDefault>()
        .with::<TickBudget, ReflectDefault>()
        .with::<Clock, ReflectDefault>()
        .with::<Tactics, ReflectDefault>()
        .with::<RobberPlanner, ReflectDefault>();
    all.with::<DecidedBy, ReflectDefault>()
        .with::<Idle, ReflectDefault>()
        .with::<Reason, ReflectDefault>()
        .with::<FreeFor, ReflectDefault>()
        .plain::<Source>()
        .plain::<Value>()
        .plain::<Outcome>()
        .plain::<Turns>();
    all.plain::<Captured>()
        .plain::<OutOfReach>()
        .plain::<WithinReach>()
        .plain::<Sighted>()
        .plain::<LostSight>()
        .plain::<MapChanged>()
        .plain::<PlanDropped>()
        .plain::<TableNews>()
        .plain::<TableStatus>();
}
