//! Overlays: those that are off draw nothing, and those that are on draw the current data.

use bevy::asset::AssetPlugin;
use bevy::ecs::schedule::{LogLevel, ScheduleBuildSettings};
use bevy::gizmos::{GizmoAsset, GizmoHandles, GizmoPlugin};
use bevy::mesh::skinning::SkinnedMeshInverseBindposes;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_pursuit::debug::{
    DecidedBy, FreeFor, PursuitFill, PursuitGizmos, PursuitGizmosPlugin, Source,
};
use bevy_pursuit::engine::endgame::EndgameRegion;
use bevy_pursuit::engine::game::{Outcome, Turns};
use bevy_pursuit::engine::map::Cell;
use bevy_pursuit::prelude::*;
use bevy_pursuit::tables::{TableSchedule, TableTiming};
use std::any::TypeId;
use std::time::Duration;

const TILE: f32 = 10.0;

/// An app with a map on a layer without tiles: 20 x 18 cells, with a wall down column 3 that has a gap
/// at the top.
fn app() -> (App, Entity) {
    let mut app = App::new();
    app.add_plugins((
        MinimalPlugins,
        TransformPlugin,
        AssetPlugin::default(),
        GizmoPlugin,
        PursuitPlugin::default(),
        PursuitGizmosPlugin,
    ))
    .init_asset::<Mesh>()
    .init_asset::<SkinnedMeshInverseBindposes>()
    .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
    .edit_schedule(PostUpdate, |schedule| {
        schedule.set_build_settings(ScheduleBuildSettings {
            ambiguity_detection: LogLevel::Error,
            ..default()
        });
    });
    app.finish();
    app.cleanup();
    let rows: Vec<String> = (0..18)
        .map(|row| format!("...{}................", if row == 0 { '.' } else { '@' }))
        .collect();
    let text = format!(
        "type octile\nheight 18\nwidth 20\nmap\n{}\n",
        rows.join("\n")
    );
    let map = PursuitLevel::parse(&text).expect("a map");
    let layer = app.world_mut().spawn((
        PursuitMap::new(map.map(), Moves::Octile),
        MapGeometry::squares(TILE),
    ));
    let layer = layer.id();
    app.world_mut().spawn((Robber, GridPosition::new(15, 3)));
    app.world_mut()
        .spawn((Cop, PursuitSpeed(2), GridPosition::new(0, 0)));
    (app, layer)
}

fn switch(app: &mut App, change: impl FnOnce(&mut PursuitGizmos)) {
    let mut store = app.world_mut().resource_mut::<GizmoConfigStore>();
    change(store.config_mut::<PursuitGizmos>().1);
}

/// The ends of the lines that a group drew in the last frame.
fn drawn<Group: 'static>(app: &App) -> Vec<Vec3> {
    let handles = app.world().resource::<GizmoHandles>().handles();
    let handle = handles.get(&TypeId::of::<Group>()).cloned().flatten();
    let assets = app.world().resource::<Assets<GizmoAsset>>();
    let asset = handle.and_then(|handle| assets.get(&handle));
    asset.map_or_else(Vec::new, |asset| {
        let buffer = asset.buffer();
        let ends = buffer.list_positions.iter().chain(&buffer.strip_positions);
        ends.copied().filter(|end| end.is_finite()).collect()
    })
}

fn off(app: &mut App) {
    switch(app, |config| config.plans = false);
}

#[test]
fn what_is_off_draws_nothing_and_each_overlay_draws_alone() {
    let (mut app, layer) = app();
    off(&mut app);
    for _ in 0..20 {
        app.update();
        assert_eq!(drawn::<PursuitGizmos>(&app), []);
        assert_eq!(drawn::<PursuitFill>(&app), []);
    }
    for on in [
        |config: &mut PursuitGizmos| config.plans = true,
        |config: &mut PursuitGizmos| config.level = 1,
    ] {
        switch(&mut app, on);
        app.update();
        assert_ne!(drawn::<PursuitGizmos>(&app), []);
        switch(&mut app, |config| *config = PursuitGizmos::default());
        off(&mut app);
        app.update();
        assert_eq!(drawn::<PursuitGizmos>(&app), []);
    }
    // The group as a whole.
    switch(&mut app, |config| config.level = 1);
    let mut store = app.world_mut().resource_mut::<GizmoConfigStore>();
    store.config_mut::<PursuitGizmos>().0.enabled = false;
    app.update();
    assert_eq!(drawn::<PursuitGizmos>(&app), []);
    assert!(app.world().get::<LiveMap>(layer).is_some());
}

#[test]
fn outlines_of_groups_lie_on_the_map_and_leave_out_walls() {
    let (mut app, _) = app();
    off(&mut app);
    switch(&mut app, |config| config.level = 2);
    app.update();
    app.update();
    let ends = drawn::<PursuitGizmos>(&app);
    assert!(!ends.is_empty());
    for end in ends {
        // The centres of tiles are at multiples of 10; the bottom left tile is at 0, 0.
        assert!(
            (-5.0..195.0).contains(&end.x) && (-5.0..175.0).contains(&end.y),
            "{end}"
        );
        let in_wall = (25.0..35.0).contains(&end.x) && end.y < 165.0;
        assert!(!in_wall, "{end}");
    }
}

#[test]
fn the_footprint_of_a_plan_surrounds_where_it_leads() {
    let (mut app, _) = app();
    app.world_mut()
        .resource_mut::<PursuitSettings>()
        .tables
        .solve = false;
    off(&mut app);
    switch(&mut app, |config| config.footprints = true);
    let mut most = 0;
    for _ in 0..40 {
        app.update();
        most = most.max(drawn::<PursuitGizmos>(&app).len());
    }
    assert!(most >= 8, "a rectangle has four lines: {most} ends");
}

#[test]
fn changes_fade_within_a_second() {
    let (mut app, layer) = app();
    off(&mut app);
    switch(&mut app, |config| config.changes = true);
    for _ in 0..4 {
        app.update();
    }
    assert_eq!(drawn::<PursuitGizmos>(&app), []);
    let mut map = app.world_mut().get_mut::<LiveMap>(layer).expect("a map");
    map.set_passable(IVec2::new(3, 5), true);
    map.set_passable(IVec2::new(10, 10), false);
    app.update();
    // A square and a cross.
    assert_eq!(drawn::<PursuitGizmos>(&app).len(), 8 + 4);
    for _ in 0..60 {
        app.update();
    }
    assert_eq!(drawn::<PursuitGizmos>(&app).len(), 8 + 4);
    for _ in 0..8 {
        app.update();
    }
    assert_eq!(drawn::<PursuitGizmos>(&app), []);
}

#[test]
fn a_table_fills_the_tiles_that_are_open_and_agrees_with_the_robber() {
    let (mut app, layer) = app();
    // A table that soon comes into use, even on a busy machine.
    let schedule = TableSchedule {
        ticks_per_second: Some(64),
        ..default()
    };
    let timing = TableTiming::Lockstep(schedule);
    app.world_mut()
        .resource_mut::<PursuitSettings>()
        .tables
        .timing = timing;
    off(&mut app);
    switch(&mut app, |config| config.table = true);
    let mut robbers = app
        .world_mut()
        .query_filtered::<(&PursuitState, &NextStep, &GridPosition), With<Robber>>();
    let mut agreed = 0;
    for _ in 0..400 {
        app.update();
        let (state, step, position) = robbers.single(app.world()).expect("a robber");
        let map = app.world().get::<LiveMap>(layer).expect("a map");
        let next = step.target().unwrap_or(position.0);
        let (DecidedBy::Policy(Source::Table), FreeFor::Exactly(turns)) =
            (state.decided_by, state.free_for())
        else {
            continue;
        };
        if turns == 0 {
            continue; // it may already be captured
        }
        let world = map.world().expect("a world");
        let mut values = world.table_values(0).expect("a table in use");
        let value = values.at(map.cell(next).expect("a cell"));
        assert_eq!(value, Some(Outcome::Caught(Turns(turns + 1))));
        let ends = drawn::<PursuitFill>(&app);
        let filled: f32 = ends
            .chunks_exact(2)
            .map(|two| two[0].distance(two[1]))
            .sum();
        assert!(
            (filled / TILE - (20.0 * 18.0 - 17.0)).abs() < 0.01,
            "{filled}"
        );
        assert_eq!(drawn::<PursuitGizmos>(&app), []);
        agreed += 1;
        if agreed == 5 {
            // Off means off, even while a table is in use.
            switch(&mut app, |config| config.table = false);
            app.update();
            assert_eq!(drawn::<PursuitFill>(&app), []);
            switch(&mut app, |config| config.table = true);
        }
    }
    assert!(agreed > 10, "a table was in use for {agreed} ticks only");
}

#[test]
fn all_overlays_together_are_drawn_and_each_adds_lines() {
    let (mut app, layer) = app();
    app.world_mut()
        .resource_mut::<PursuitSettings>()
        .tables
        .solve = false;
    switch(&mut app, |config| {
        config.plans = true;
        config.footprints = true;
        config.level = 1;
        config.table = true;
        config.changes = true;
    });
    for _ in 0..5 {
        app.update();
    }
    let mut map = app.world_mut().get_mut::<LiveMap>(layer).expect("a map");
    // Far from all agents and their plans.
    map.set_passable(IVec2::new(0, 17), false);
    app.update();
    // Time stands still, so that the drawing depends only on the switches.
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::ZERO));
    app.update();
    let mut last = drawn::<PursuitGizmos>(&app).len();
    for (name, off) in [
        (
            "plans",
            (|config| config.plans = false) as fn(&mut PursuitGizmos),
        ),
        ("footprints", |config| config.footprints = false),
        ("changes", |config| config.changes = false),
        ("level", |config| config.level = 0),
    ] {
        switch(&mut app, off);
        app.update();
        let now = drawn::<PursuitGizmos>(&app).len();
        assert!(now < last, "{name}: {now} of {last} ends");
        last = now;
    }
    assert_eq!(last, 0);
}

/// The ends of the lines that show a region: two for each side of a cell to the outside, eight for a diamond, four for
/// a cross.
fn ends_of(region: &EndgameRegion) -> usize {
    let sides = region.cells.iter().flat_map(|cell| {
        let beside = [(-1, 0), (1, 0), (0, -1), (0, 1)];
        beside.map(|(dx, dy)| cell.offset(dx, dy))
    });
    let is_outside = |cell: &Option<Cell>| !cell.is_some_and(|cell| region.cells.contains(&cell));
    2 * sides.filter(is_outside).count() + 8 * region.exits.len() + 4 * region.guards.len()
}

#[test]
fn the_region_of_a_proof_is_outlined_with_its_exits_while_it_holds() {
    let (mut app, layer) = app();
    // A second cop, and no table of the whole map. The budget has room to solve regions within a turn.
    app.world_mut().spawn((Cop, GridPosition::new(19, 17)));
    let mut settings = app.world_mut().resource_mut::<PursuitSettings>();
    settings.tables.max_bytes = 1;
    settings.budget = TickBudget::Expansions(100_000);
    off(&mut app);
    switch(&mut app, |config| config.endgame = true);
    let (mut shown, mut with_exits) = (0, 0);
    for _ in 0..400 {
        app.update();
        let map = app.world().get::<LiveMap>(layer).expect("a map");
        let region = map.world().and_then(|world| world.endgame_region(0));
        let ends = drawn::<PursuitGizmos>(&app).len();
        assert_eq!(ends, region.as_ref().map_or(0, ends_of));
        if let Some(region) = region {
            shown += 1;
            with_exits += u32::from(!region.exits.is_empty());
            switch(&mut app, |config| config.endgame = false);
            app.update();
            assert_eq!(drawn::<PursuitGizmos>(&app), []);
            switch(&mut app, |config| config.endgame = true);
        }
    }
    assert!(shown > 5 && with_exits > 0, "{shown} {with_exits}");
}
