//! Exact tables as assets: the remaining part of the plugin's interface under test.

use crate::api::{moves, tile_map};
use crate::grid::Grid;
use bevy::prelude::*;
use bevy_pursuit::tables::{PursuitTable, PursuitTables};
use pursuit_engine::game::{Rules as GameRules, Speed};
use pursuit_engine::graph::Graph;
use pursuit_engine::table::{Arena, Solver, Table};
use std::num::NonZeroU8;

/// Solves a map and returns the table as the bytes of a file.
pub fn table(grid: &Grid, cops: u8, speed: u8) -> Option<Vec<u8>> {
    let graph = Graph::new(&tile_map(grid), moves(grid));
    let rules = GameRules {
        cops: NonZeroU8::new(cops)?,
        cop_speed: Speed::new(speed)?,
        moves: moves(grid),
        ..GameRules::default()
    };
    let mut solver = Solver::new(Arena::of_map(&graph).into(), rules, 1 << 28).ok()?;
    solver.run(|_| true);
    Some(Table::of(&solver.finish()?).bytes().to_vec())
}

/// Returns whether the bytes are accepted as a table.
pub fn is_table(bytes: Vec<u8>) -> bool {
    Table::from_bytes(bytes.into()).is_ok()
}

/// Adds a table to a map as an asset.
pub fn give_table(world: &mut World, map: Entity, bytes: Vec<u8>) {
    let Ok(table) = Table::from_bytes(bytes.into()) else {
        return;
    };
    let mut assets = world.resource_mut::<Assets<PursuitTable>>();
    let handle = assets.add(PursuitTable(table));
    let mut map = world.entity_mut(map);
    let mut tables = map.take::<PursuitTables>().unwrap_or_default();
    tables.0.push(handle.into());
    let most = tables.0.len().saturating_sub(3);
    tables.0.drain(..most);
    map.insert(tables);
}

/// Simulates that all tables are reloaded.
pub fn reload_tables(world: &mut World) {
    let mut assets = world.resource_mut::<Assets<PursuitTable>>();
    let known: Vec<_> = assets
        .iter()
        .map(|(id, table)| (id, table.clone()))
        .collect();
    for (id, table) in known {
        let _ = assets.insert(id, table);
    }
}

pub fn drop_tables(world: &mut World, map: Entity) {
    world.entity_mut(map).remove::<PursuitTables>();
}
