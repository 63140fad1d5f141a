//! Keyboard and mouse input.

use super::hud::Texts;
use crate::art;
use crate::scene::{DoorTile, Scene};
use bevy::prelude::*;
use bevy::render::view::screenshot::{Screenshot, save_to_disk};
use bevy_ecs_tilemap::prelude::{TilePos, TileStorage, TileTextureIndex};
use bevy_pursuit::TurnClock;
use bevy_pursuit::engine::map::Cell;
use bevy_pursuit::prelude::*;

/// The side that the player plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Role {
    #[default]
    Watch,
    Robber,
    Cop,
}

/// The agent that the player controls.
#[derive(Resource, Debug, Default)]
pub struct Player {
    pub role: Role,
    pub agent: Option<Entity>,
    /// The index of the cop.
    cop: usize,
    /// The last direction pressed, and its turn: a short press counts until the next turn begins.
    pressed: Option<(IVec2, u64)>,
}

/// The smallest budget of a tick, in expansions.
const SMALLEST_BUDGET: u32 = 100;
const LARGEST_BUDGET: u32 = 1_000_000;

/// The turn at whose beginning the game pauses again.
#[derive(Resource, Debug)]
pub struct StopAt(u64);

pub type Agents<'w, 's> =
    Query<'w, 's, (Entity, &'static GridPosition), Or<(With<Cop>, With<Robber>)>>;

pub fn plugin(app: &mut App) {
    app.init_resource::<Player>()
        .add_systems(
            Update,
            (
                change_time,
                switch,
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
        // Otherwise the frame would continue with the ticks it still owes.
        let owed = fixed.overstep();
        fixed.discard_overstep(owed);
        commands.remove_resource::<StopAt>();
    }
}

fn switch(
    keys: Res<ButtonInput<KeyCode>>,
    mut settings: ResMut<PursuitSettings>,
    mut texts: Query<&mut Visibility, With<Texts>>,
) {
    if keys.just_pressed(KeyCode::KeyT) {
        settings.tactics = match settings.tactics {
            Tactics::Intercept => Tactics::Chase,
            _ => Tactics::Intercept,
        };
    }
    if keys.just_pressed(KeyCode::KeyC) {
        settings.clock = match settings.clock {
            PursuitClock::Turns => PursuitClock::FreeRunning,
            PursuitClock::FreeRunning => PursuitClock::Simultaneous,
            _ => PursuitClock::Turns,
        };
    }
    if let TickBudget::Expansions(budget) = &mut settings.bypass_change_detection().budget {
        let before = *budget;
        if keys.just_pressed(KeyCode::BracketLeft) {
            *budget = (before / 2).max(SMALLEST_BUDGET);
        }
        if keys.just_pressed(KeyCode::BracketRight) {
            *budget = before.saturating_mul(2).min(LARGEST_BUDGET);
        }
        if *budget != before {
            settings.set_changed();
        }
    }
    if keys.just_pressed(KeyCode::KeyH) {
        for mut visibility in &mut texts {
            visibility.toggle_inherited_hidden();
        }
    }
}

fn choose_player(
    keys: Res<ButtonInput<KeyCode>>,
    mut player: ResMut<Player>,
    robbers: Query<Entity, With<Robber>>,
    cops: Query<(&Name, Entity), With<Cop>>,
    mut controls: Query<(Entity, &mut AgentControl)>,
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
    // Going back to a bookmark restores the controls of that moment, too.
    for (other, mut control) in &mut controls {
        let is_player = agent == Some(other);
        match *control {
            AgentControl::Steer(_) | AgentControl::WalkTo(_) if !is_player => {
                *control = AgentControl::Policy;
            }
            AgentControl::Policy if is_player => *control = AgentControl::Steer(IVec2::ZERO),
            _ => {}
        }
    }
    if agent != player.agent {
        player.agent = agent;
        player.pressed = None;
    }
}

fn steer(
    keys: Res<ButtonInput<KeyCode>>,
    clock: Single<&TurnClock>,
    mut player: ResMut<Player>,
    mut controls: Query<&mut AgentControl>,
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
        control.set_if_neq(AgentControl::Steer(held));
    } else if player.pressed.is_some_and(|(_, turn)| turn < clock.turn) {
        player.pressed = None;
        control.set_if_neq(AgentControl::Steer(IVec2::ZERO));
    }
}

pub fn cell(scene: &Scene, at: IVec2) -> Cell {
    let height = i32::from(scene.level.map().height());
    Cell::new(at.x as u16, (height - 1 - at.y) as u16)
}

/// Left button: opens or closes a door, or sends the player's agent there. Right button: builds or
/// breaks a wall.
fn click(
    buttons: Res<ButtonInput<MouseButton>>,
    window: Single<&Window>,
    camera: Single<(&Camera, &GlobalTransform)>,
    layer: Single<(MapPlaces, &TileStorage)>,
    scene: Res<Scene>,
    mut player: ResMut<Player>,
    agents: Agents,
    doors: Query<(Entity, &DoorTile, &TilePos)>,
    passable: Query<&Passable>,
    mut controls: Query<&mut AgentControl>,
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
    let Some(at) = place.map(|place| layer.tile_at(place)) else {
        return;
    };
    let Some(tile) = storage.checked_get(&at.as_uvec2().into()) else {
        return;
    };
    let is_open = |tile| {
        passable
            .get(tile)
            .is_ok_and(|passable: &Passable| passable.0)
    };
    // No agent may be shut into a wall; an agent on its way there is turned back.
    let stands = |at: IVec2| agents.iter().any(|(_, position)| position.0 == at);
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
        if open || !leaves().any(|(_, _, at)| stands(GridPosition::from(*at).0)) {
            for (leaf, _, at) in leaves() {
                let picture =
                    art::door(&scene.level, cell(&scene, GridPosition::from(*at).0), open);
                change(leaf, open, picture);
            }
        }
    } else if left {
        if let Some(mut control) = player.agent.and_then(|agent| controls.get_mut(agent).ok()) {
            *control = AgentControl::WalkTo(at);
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
