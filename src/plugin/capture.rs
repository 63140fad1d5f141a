use super::agent::{Cop, GridPosition, OnMap, Robber};
use super::turns::{TurnClock, map_of, only_map};
use super::{PursuitDiagnostics, PursuitMap};
use bevy::prelude::*;

/// A cop has captured a robber: both stand on one tile. Triggered on the robber, once.
///
/// The robber keeps standing there with [`Caught`] until the game despawns it or lets it go: moves
/// one of the two away and removes `Caught`.
#[derive(EntityEvent, Reflect, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Captured {
    /// The robber.
    #[event_target]
    pub robber: Entity,
    /// The cop, or one of them if several are there.
    pub cop: Entity,
    /// The turns that were played on the map, which is the number of the cops' move that captured.
    pub turn: u64,
}

/// A robber that has been captured: it does not move and nobody chases it.
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq, Eq)]
#[reflect(Component, PartialEq)]
pub struct Caught {
    /// The cop.
    pub by: Entity,
    /// The turns that were played on the map.
    pub turn: u64,
}

/// Finds robbers with a cop on their tile. Runs every tick, since a game may move agents at any.
pub(super) fn capture(
    mut commands: Commands,
    maps: Query<(Entity, &PursuitMap, &TurnClock)>,
    robbers: Query<(Entity, &GridPosition, Option<&OnMap>), (With<Robber>, Without<Caught>)>,
    cops: Query<(Entity, &GridPosition, Option<&OnMap>), (With<Cop>, Without<Robber>)>,
    mut diagnostics: ResMut<PursuitDiagnostics>,
    mut occupied: Local<Vec<(Entity, UVec2, Entity)>>,
) {
    diagnostics.time(|_| {
        let only = only_map(maps.iter().map(|(entity, ..)| entity));
        occupied.clear();
        for (cop, at, on) in &cops {
            if let Some(map) = map_of(on, only) {
                occupied.push((map, at.0, cop));
            }
        }
        let key = |&(map, at, cop): &(Entity, UVec2, Entity)| (map, at.x, at.y, cop);
        occupied.sort_unstable_by_key(key);
        for (robber, at, on) in &robbers {
            let Some(map) = map_of(on, only) else {
                continue;
            };
            let place = (map, at.0.x, at.0.y);
            let first = occupied.partition_point(|&(map, at, _)| (map, at.x, at.y) < place);
            let found = occupied.get(first).filter(|o| (o.0, o.1) == (map, at.0));
            if let (Some(&(_, _, cop)), Ok((_, map, clock))) = (found, maps.get(map))
                && map.cell(at.0).is_some()
            {
                let turn = clock.turn.saturating_sub(1);
                commands.entity(robber).try_insert(Caught { by: cop, turn });
                commands.trigger(Captured { robber, cop, turn });
            }
        }
    });
}
