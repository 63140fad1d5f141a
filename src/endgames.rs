//! Shapes of endgames as assets.

use crate::live_map::LiveMap;
use crate::table_files::PursuitShapes;
use crate::table_list::{PursuitTables, TableHandle};
use crate::work_timer::WorkTimer;
use bevy::prelude::*;
use std::sync::Arc;

/// The endgames on the list of a map.
const fn handle(of: &TableHandle) -> Option<&Handle<PursuitShapes>> {
    match of {
        TableHandle::Endgames(handle) => Some(handle),
        _ => None,
    }
}

/// Gives each map the endgames of its list, as soon as they are loaded, and takes them away with the list.
pub(super) fn share_shapes(
    mut maps: Query<(Option<&PursuitTables>, &mut LiveMap)>,
    assets: Res<Assets<PursuitShapes>>,
    timer: WorkTimer,
) {
    let started = timer.started();
    for (tables, mut map) in &mut maps {
        let endgames = tables.and_then(|tables| tables.0.iter().find_map(handle));
        let map = map.bypass_change_detection();
        let wanted = endgames.and_then(|endgames| assets.get(endgames));
        let is_missing = endgames.is_some() && wanted.is_none();
        let was_missing = std::mem::replace(&mut map.misses_shapes, is_missing);
        let Some(world) = map.world_mut() else {
            continue;
        };
        match wanted {
            Some(PursuitShapes(wanted)) if !Arc::ptr_eq(wanted, world.endgame_shapes()) => {
                world.use_endgame_shapes(Arc::clone(wanted));
                if was_missing {
                    world.note_late_file();
                }
            }
            None if !world.endgame_shapes().is_empty() => {
                world.use_endgame_shapes(Arc::default());
            }
            _ => {}
        }
    }
    timer.finished(started);
}
