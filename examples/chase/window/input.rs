//! Keys and clicks.

use super::hud::Texts;
use crate::art;
use crate::record::Record;
use crate::scene::{DoorTile, Scene, spawn_agents};
use bevy::prelude::*;
use bevy::render::view::screenshot::{Screenshot, save_to_disk};
use bevy_ecs_tilemap::prelude::{TilePos, TileStorage, TileTextureIndex};
use bevy_pursuit::map::Cell;
use bevy_pursuit::plugin::{LayerGeometry, PursuitGizmos};
use bevy_pursuit::prelude::*;

/// Which side the person at the keyboard plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Role {
    #[default]
    Watch,
    Robber,
    Cop,
}

/// The agent the person at the keyboard plays.
#[derive(Resource, Debug, Default)]
pub struct Player {
    pub role: Role,
    pub agent: Option<Entity>,
    /// Which of the cops.
    cop: usize,
    /// The last direction that was pressed, and the turn in which it was: a short press counts
    /// until the next turn begins.
    pressed: Option<(IVec2, u64)>,
}

/// The starts that are being played.
#[derive(Resource, Debug, Default)]
pub struct Start {
    pub seed: Option<u64>,
}

/// The turn at whose beginning the game pauses again.
#[derive(Resource, Debug)]
struct StopAt(u64);

type Agents<'w, 's> = Query<'w, 's, (Entity, &'static GridPosition), Or<(With<Cop>, With<Robber>)>>;

pub fn plugin(app: &mut App) {
    app.init_resource::<Player>()
        .init_resource::<Start>()
        .add_systems(Startup, |mut start: ResMut<Start>, scene: Res<Scene>| {
            start.seed = scene.seed;
        })
        .add_systems(
            Update,
            (
                change_time,
                switch,
                restart,
                choose_player,
                steer,
                click,
                take_screenshot,
            )
                .chain(),
        )
        .add_systems(
            FixedPostUpdate,
            stop_after_a_turn.run_if(resource_exists::<StopAt>),
        );
}

fn change_time(
    keys: Res<ButtonInput<KeyCode>>,
    mut time: ResMut<Time<Virtual>>,
    clock: Single<&TurnClock>,
    mut commands: Commands,
    mut exit: MessageWriter<AppExit>,
) {
    if keys.just_pressed(KeyCode::Escape) {
        exit.write(AppExit::Success);
    }
    if keys.just_pressed(KeyCode::Space) {
        commands.remove_resource::<StopAt>();
        if time.is_paused() {
            time.unpause();
        } else {
            time.pause();
        }
    }
    if keys.just_pressed(KeyCode::Period) {
        commands.insert_resource(StopAt(clock.turn + 1));
        time.unpause();
    }
    let speed = time.relative_speed();
    if keys.any_just_pressed([KeyCode::Equal, KeyCode::NumpadAdd]) {
        time.set_relative_speed((speed * 2.0).min(8.0));
    }
    if keys.any_just_pressed([KeyCode::Minus, KeyCode::NumpadSubtract]) {
        time.set_relative_speed((speed / 2.0).max(0.25));
    }
}

fn stop_after_a_turn(
    stop: Res<StopAt>,
    clock: Single<&TurnClock>,
    mut time: ResMut<Time<Virtual>>,
    mut fixed: ResMut<Time<Fixed>>,
    mut commands: Commands,
) {
    if clock.turn >= stop.0 {
        time.pause();
        // Or the frame would go on with the ticks it still owes.
        let owed = fixed.overstep();
        fixed.discard_overstep(owed);
        commands.remove_resource::<StopAt>();
    }
}

fn switch(
    keys: Res<ButtonInput<KeyCode>>,
    mut settings: ResMut<PursuitSettings>,
    mut gizmos: ResMut<GizmoConfigStore>,
    mut texts: Query<&mut Visibility, With<Texts>>,
) {
    if keys.just_pressed(KeyCode::KeyG) {
        let config = gizmos.config_mut::<PursuitGizmos>().0;
        config.enabled = !config.enabled;
    }
    if keys.just_pressed(KeyCode::KeyT) {
        settings.tactics = match settings.tactics {
            Tactics::Intercept => Tactics::Chase,
            Tactics::Chase => Tactics::Intercept,
        };
    }
    if keys.just_pressed(KeyCode::KeyH) {
        for mut visibility in &mut texts {
            visibility.toggle_inherited_hidden();
        }
    }
}

/// R: the same starts again; N: others. Doors go back to where the level has them.
fn restart(
    keys: Res<ButtonInput<KeyCode>>,
    mut start: ResMut<Start>,
    mut scene: ResMut<Scene>,
    mut record: ResMut<Record>,
    agents: Agents,
    mut clock: Single<&mut TurnClock>,
    mut tiles: Query<(Entity, &TilePos, Option<&Passable>, &mut TileTextureIndex)>,
    mut commands: Commands,
) {
    if keys.just_pressed(KeyCode::KeyN) {
        start.seed = Some(start.seed.map_or(1, |seed| seed.wrapping_add(1)));
    } else if !keys.just_pressed(KeyCode::KeyR) {
        return;
    }
    commands.remove_resource::<StopAt>();
    scene.seed = start.seed;
    *record = Record::default();
    **clock = TurnClock::default();
    for (agent, ..) in &agents {
        commands.entity(agent).despawn();
    }
    spawn_agents(&mut commands, &scene);
    let open = scene.level.initial_map();
    for (tile, at, passable, mut texture) in &mut tiles {
        let cell = cell(&scene, (*at).into());
        texture.set_if_neq(TileTextureIndex(art::tile(&scene.level, cell)));
        let is_open = open.is_passable(cell);
        if passable.is_some_and(|passable| passable.0) != is_open {
            commands.entity(tile).insert(Passable(is_open));
        }
    }
}

fn choose_player(
    keys: Res<ButtonInput<KeyCode>>,
    mut player: ResMut<Player>,
    robbers: Query<Entity, With<Robber>>,
    cops: Query<(&Name, Entity), With<Cop>>,
    mut controls: Query<&mut Control>,
) {
    for (key, role) in [
        (KeyCode::Digit1, Role::Watch),
        (KeyCode::Digit2, Role::Robber),
        (KeyCode::Digit3, Role::Cop),
    ] {
        if keys.just_pressed(key) {
            player.role = role;
        }
    }
    if keys.just_pressed(KeyCode::Tab) {
        player.cop += 1;
    }
    let mut cops: Vec<(&Name, Entity)> = cops.iter().collect();
    cops.sort_unstable_by_key(|(name, _)| name.as_str());
    let agent = match player.role {
        Role::Watch => None,
        Role::Robber => robbers.iter().min(),
        Role::Cop => cops.get(player.cop % cops.len().max(1)).map(|cop| cop.1),
    };
    if agent == player.agent {
        return;
    }
    for (agent, control) in [
        (player.agent, Control::Policy),
        (agent, Control::Steer(IVec2::ZERO)),
    ] {
        if let Some(mut old) = agent.and_then(|agent| controls.get_mut(agent).ok()) {
            *old = control;
        }
    }
    player.agent = agent;
    player.pressed = None;
}

fn steer(
    keys: Res<ButtonInput<KeyCode>>,
    clock: Single<&TurnClock>,
    mut player: ResMut<Player>,
    mut controls: Query<&mut Control>,
) {
    let Some(mut control) = player.agent.and_then(|agent| controls.get_mut(agent).ok()) else {
        return;
    };
    let one = |held: [KeyCode; 2]| i32::from(keys.any_pressed(held));
    let held = IVec2::new(
        one([KeyCode::ArrowRight, KeyCode::KeyD]) - one([KeyCode::ArrowLeft, KeyCode::KeyA]),
        one([KeyCode::ArrowUp, KeyCode::KeyW]) - one([KeyCode::ArrowDown, KeyCode::KeyS]),
    );
    if held != IVec2::ZERO {
        if player.pressed.is_none_or(|(before, _)| before != held) {
            player.pressed = Some((held, clock.turn));
        }
        control.set_if_neq(Control::Steer(held));
    } else if player.pressed.is_some_and(|(_, turn)| turn < clock.turn) {
        player.pressed = None;
        control.set_if_neq(Control::Steer(IVec2::ZERO));
    }
}

fn cell(scene: &Scene, at: UVec2) -> Cell {
    let height = u32::from(scene.level.map().height());
    Cell::new(at.x as u16, (height - 1 - at.y) as u16)
}

/// Left: a door opens or closes, or the player walks there. Right: a wall is built or broken.
fn click(
    buttons: Res<ButtonInput<MouseButton>>,
    window: Single<&Window>,
    camera: Single<(&Camera, &GlobalTransform)>,
    layer: Single<(LayerGeometry, &TileStorage)>,
    scene: Res<Scene>,
    mut player: ResMut<Player>,
    agents: Agents,
    doors: Query<(Entity, &DoorTile, &TilePos)>,
    passable: Query<&Passable>,
    mut controls: Query<&mut Control>,
    mut textures: Query<&mut TileTextureIndex>,
    mut commands: Commands,
) {
    let left = buttons.just_pressed(MouseButton::Left);
    if !left && !buttons.just_pressed(MouseButton::Right) {
        return;
    }
    let (camera, view) = *camera;
    let (layer, storage) = &*layer;
    let place = window
        .cursor_position()
        .and_then(|at| camera.viewport_to_world_2d(view, at).ok());
    let Some(at) = place.and_then(|place| layer.tile_at(place)) else {
        return;
    };
    let Some(tile) = storage.checked_get(&at.into()) else {
        return;
    };
    let is_open = |tile| {
        passable
            .get(tile)
            .is_ok_and(|passable: &Passable| passable.0)
    };
    // Nobody is shut into a wall; who is on the way there is turned back.
    let stands = |at: UVec2| agents.iter().any(|(_, position)| position.0 == at);
    let mut change = |tile: Entity, open: bool, picture: u32| {
        commands.entity(tile).insert(Passable(open));
        if let Ok(mut texture) = textures.get_mut(tile) {
            texture.0 = picture;
        }
    };
    if let Ok((_, door, _)) = doors.get(tile)
        && left
    {
        let open = !is_open(tile);
        let leaves = || doors.iter().filter(|(_, leaf, _)| leaf.0 == door.0);
        if open || !leaves().any(|(_, _, at)| stands((*at).into())) {
            for (leaf, _, at) in leaves() {
                let picture = art::door(&scene.level, cell(&scene, (*at).into()), open);
                change(leaf, open, picture);
            }
        }
    } else if left {
        if let Some(mut control) = player.agent.and_then(|agent| controls.get_mut(agent).ok()) {
            *control = Control::WalkTo(at);
            player.pressed = None;
        }
    } else if !stands(at) && doors.get(tile).is_err() {
        let open = !is_open(tile);
        let picture = if open {
            art::floor(&scene.level, cell(&scene, at))
        } else {
            art::PILLAR
        };
        change(tile, open, picture);
    }
}

fn take_screenshot(
    keys: Res<ButtonInput<KeyCode>>,
    clock: Single<&TurnClock>,
    mut commands: Commands,
) {
    if keys.just_pressed(KeyCode::F12) {
        let path = format!("chase-turn-{}.png", clock.turn);
        info!("screenshot: {path}");
        commands
            .spawn(Screenshot::primary_window())
            .observe(save_to_disk(path));
    }
}
