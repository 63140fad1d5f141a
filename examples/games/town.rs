//! Town: three hundred zombies hunt five survivors, who run for the safe zone. Zombies of two by two tiles go only where there
//! is room for them, and break barricades soonest.
//!
//! `cargo run --features demo --example town` opens a window: the arrow keys steer the white survivor. With `-- --headless` a
//! scripted one walks to the safe zone, night after night, and the game fails if two zombies share a tile.

use bevy::app::ScheduleRunnerPlugin;
use bevy::platform::collections::HashSet;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_pursuit::debug::PursuitDiagnostics;
use bevy_pursuit::prelude::*;
use bevy_pursuit::{Away, BodySize, GotAway, Kinds, Solid, TileEdit};

const SIZE: IVec2 = IVec2::new(160, 96);
const TILE: f32 = 7.0;
const SECOND: u32 = 64;
const ZOMBIES: usize = 300;
/// The houses in which the survivors begin: column and row of the block.
const HOMES: [IVec2; 5] = [
    IVec2::new(3, 4),
    IVec2::new(2, 2),
    IVec2::new(3, 6),
    IVec2::new(5, 3),
    IVec2::new(7, 5),
];
/// What a barricade withstands.
const STRENGTH: u32 = 40;

#[derive(Component)]
struct Survivor {
    home: IVec2,
}

/// A survivor that the keys steer.
#[derive(Component)]
struct Player;

#[derive(Component)]
struct Zombie {
    start: IVec2,
}

#[derive(Component)]
struct Barricade {
    at: IVec2,
    left: u32,
}

#[derive(Resource, Default, Debug)]
struct Score {
    nights: u32,
    saved: u32,
    bitten: u32,
    broken: u32,
    shared: u32,
}

fn main() -> AppExit {
    let mut app = App::new();
    let is_headless = std::env::args().any(|argument| argument == "--headless");
    if is_headless {
        app.add_plugins(MinimalPlugins.set(ScheduleRunnerPlugin::run_loop(default())))
            .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
            .add_systems(FixedUpdate, check.after(PursuitSystems::Decide))
            .add_systems(Last, stop);
    } else {
        app.add_plugins(DefaultPlugins)
            .add_systems(FixedUpdate, steer.before(PursuitSystems::Arrive))
            .add_systems(Update, show_score);
    }
    app.add_plugins(PursuitPlugin::default())
        .init_resource::<Score>()
        .add_systems(Startup, move |commands: Commands| {
            set_up(commands, is_headless);
        })
        .add_systems(
            FixedUpdate,
            (end_night, gnaw).chain().before(PursuitSystems::Arrive),
        )
        .add_observer(furnish)
        .add_observer(|_: On<Captured>, mut score: ResMut<Score>| score.bitten += 1)
        .add_observer(|_: On<GotAway>, mut score: ResMut<Score>| score.saved += 1)
        .run()
}

/// The town: `#` is a wall, `+` a barricade, `~` mud, and `E` the safe zone.
fn sign(at: IVec2) -> char {
    let (x, y) = (at.x % 16, at.y % 12);
    let block = at.x / 16 + 2 * (at.y / 12);
    let is_house = (3..13).contains(&x) && (3..10).contains(&y);
    let is_inside = (4..12).contains(&x) && (4..9).contains(&y);
    if at.x < 2 && (36..60).contains(&at.y) {
        'E'
    } else if is_house && !is_inside {
        match (x, y) {
            (7 | 8, 3) if block % 3 == 0 => '.',
            (7 | 8, 3) => '+',
            // The back door is too narrow for the large ones.
            (12, 6) => '.',
            _ => '#',
        }
    } else if y < 2 && block % 4 == 1 {
        '~'
    } else {
        '.'
    }
}

fn tiles() -> impl Iterator<Item = IVec2> {
    (0..SIZE.y).flat_map(|y| (0..SIZE.x).map(move |x| IVec2::new(x, y)))
}

fn squares() -> MapGeometry {
    MapGeometry::squares(TILE).centred(SIZE.x as u16, SIZE.y as u16)
}

fn picture(at: IVec2, colour: Color, z: f32) -> impl Bundle {
    let sprite = Sprite::from_color(colour, Vec2::splat(TILE));
    let place = squares().center(at).extend(z);
    (sprite, Transform::from_translation(place))
}

/// A number that looks random, for each tile.
fn draw(at: IVec2) -> u32 {
    let mixed = (at.x as u32).wrapping_mul(0x9E37_79B9) ^ (at.y as u32).wrapping_mul(0x85EB_CA6B);
    (mixed ^ mixed >> 15).wrapping_mul(0x2C1B_3C6D) >> 8
}

fn set_up(mut commands: Commands, is_headless: bool) {
    commands.spawn(Camera2d);
    commands.spawn((Text2d::new(""), Transform::from_xyz(0.0, 49.6 * TILE, 1.0)));
    let row = |y| (0..SIZE.x).map(|x| sign(IVec2::new(x, y))).collect();
    let rows: Vec<String> = (0..SIZE.y).rev().map(row).collect();
    let town = TileMap::from_rows(&rows, |sign| !"#+".contains(sign)).expect("a map");
    let map = PursuitMap::new(&town, Moves::Octile);
    commands.spawn((map, squares(), PursuitClock::FreeRunning));
    for at in tiles() {
        let colour = match sign(at) {
            '#' => Color::srgb(0.35, 0.32, 0.36),
            '~' => Color::srgb(0.3, 0.22, 0.12),
            'E' => Color::srgb(0.1, 0.4, 0.2),
            _ => continue,
        };
        commands.spawn(picture(at, colour, -2.0));
    }
    for (number, home) in HOMES.into_iter().enumerate() {
        let home = home * IVec2::new(16, 12) + IVec2::new(8, 6);
        let is_player = number == 0;
        let blue = if is_player { 1.0 } else { 0.2 };
        let body = Sprite::from_color(Color::srgb(1.0, 0.9, blue), Vec2::splat(TILE));
        let survivor = (Robber, Survivor { home }, GridPosition(home));
        let mut survivor = commands.spawn((survivor, TicksPerStep(8), Solid, body, Glide));
        if is_player && is_headless {
            survivor.insert(AgentControl::WalkTo(IVec2::new(1, 48)));
        } else if is_player {
            survivor.insert((Player, AgentControl::Steer(IVec2::ZERO)));
        }
    }
    let is_near =
        |at: IVec2, home: IVec2| (at / IVec2::new(16, 12) - home).abs().max_element() <= 1;
    // On streets in the east, in squares of two by two tiles.
    let mut starts: Vec<IVec2> = tiles()
        .filter(|at| at.x >= 64 && [0, 14].contains(&(at.x % 16)) && at.y % 2 == 1)
        .filter(|&at| !HOMES.iter().any(|&home| is_near(at, home)))
        .collect();
    starts.sort_by_key(|&at| (draw(at), at.x, at.y));
    for (number, start) in (0_u32..).zip(starts.into_iter().take(ZOMBIES)) {
        let size = [BodySize::ONE, BodySize::TWO][usize::from(number % 8 == 0)];
        let speed = 1 + draw(start) % 4;
        let side = f32::from(size.side()) * TILE - 2.0;
        let green = 0.3 + 0.12 * speed as f32;
        let body = Sprite::from_color(Color::srgb(0.3, green, 0.25), Vec2::splat(side));
        commands.spawn((
            (Cop, Zombie { start }, GridPosition(start), size),
            (Tactics::Chase, TicksPerStep(64 / speed), Solid),
            (body, Glide),
        ));
    }
}

/// The safe zone is an exit, and steps through mud take three times as long.
fn furnish(_: On<MapReady>, mut map: Single<&mut LiveMap>, mut commands: Commands) {
    for at in tiles() {
        match sign(at) {
            'E' => map.edit(TileEdit::Exit {
                at,
                kinds: Kinds::ALL,
            }),
            '~' => map.edit(TileEdit::Slow { at, times: 3 }),
            '+' => build(at, &mut commands),
            _ => {}
        }
    }
}

fn build(at: IVec2, commands: &mut Commands) {
    let left = STRENGTH;
    let brown = Color::srgb(0.6, 0.4, 0.15);
    commands.spawn((Barricade { at, left }, picture(at, brown, -1.0)));
}

/// Zombies beside a barricade break it, the large ones four times as fast.
fn gnaw(
    zombies: Query<(&GridPosition, &BodySize), With<Zombie>>,
    mut barricades: Query<(Entity, &mut Barricade)>,
    mut map: Single<&mut LiveMap>,
    mut score: ResMut<Score>,
    mut commands: Commands,
) {
    if !map.tick().is_multiple_of(u64::from(SECOND / 4)) {
        return;
    }
    for (entity, mut barricade) in &mut barricades {
        let Barricade { at, ref mut left } = *barricade;
        for (here, size) in &zombies {
            let (apart, side) = (at - here.0, i32::from(size.side()));
            let is_beside = apart.x >= -1 && apart.x <= side && apart.y <= 1 && apart.y >= -side;
            *left = left.saturating_sub(if is_beside { (side * side) as u32 } else { 0 });
        }
        if *left == 0 {
            commands.entity(entity).despawn();
            map.edit(TileEdit::Passable { at, passable: true });
            score.broken += 1;
        }
    }
}

/// When nobody is left, the next night begins as the first one.
fn end_night(
    survivors: Query<(Entity, &Survivor, Has<Caught>, Has<Away>)>,
    zombies: Query<(Entity, &Zombie)>,
    barricades: Query<&Barricade>,
    mut map: Single<&mut LiveMap>,
    mut score: ResMut<Score>,
    mut commands: Commands,
) {
    let mut all = survivors.iter();
    if all.any(|(.., is_caught, is_away)| !is_caught && !is_away) {
        return;
    }
    score.nights += 1;
    let standing: HashSet<IVec2> = barricades.iter().map(|barricade| barricade.at).collect();
    for at in tiles().filter(|&at| sign(at) == '+' && !standing.contains(&at)) {
        build(at, &mut commands);
        map.edit(TileEdit::Passable {
            at,
            passable: false,
        });
    }
    for (zombie, Zombie { start }) in &zombies {
        commands.entity(zombie).insert(GridPosition(*start));
    }
    for (survivor, Survivor { home }, ..) in &survivors {
        let mut survivor = commands.entity(survivor);
        survivor
            .insert(GridPosition(*home))
            .remove::<(Caught, Away)>();
    }
}

/// The arrow keys steer.
fn steer(keys: Res<ButtonInput<KeyCode>>, mut player: Single<&mut AgentControl, With<Player>>) {
    let axis = |less, more| i32::from(keys.pressed(more)) - i32::from(keys.pressed(less));
    let x = axis(KeyCode::ArrowLeft, KeyCode::ArrowRight);
    let y = axis(KeyCode::ArrowDown, KeyCode::ArrowUp);
    player.set_if_neq(AgentControl::Steer(IVec2::new(x, y)));
}

fn show_score(score: Res<Score>, mut text: Single<&mut Text2d>) {
    text.0 = format!("{:?}", *score).replace(['{', '}'], "");
}

/// Counts the tiles that two zombies share.
fn check(
    zombies: Query<(&GridPosition, &BodySize), With<Zombie>>,
    mut covered: Local<HashSet<IVec2>>,
    mut score: ResMut<Score>,
) {
    covered.clear();
    for (at, size) in &zombies {
        let side = i32::from(size.side());
        for (x, y) in (0..side).flat_map(|x| (0..side).map(move |y| (x, y))) {
            score.shared += u32::from(!covered.insert(at.0 + IVec2::new(x, -y)));
        }
    }
}

fn stop(figures: Res<PursuitDiagnostics>, score: Res<Score>, mut exit: MessageWriter<AppExit>) {
    let all = &figures.total;
    if all.ticks == u64::from(180 * SECOND) {
        let mean = all.time / (180 * SECOND);
        let most = all.slowest_tick;
        let score = score.into_inner();
        println!("{score:?}; {mean:?} a tick, at most {most:?}");
        let has_played = score.saved > 0 && score.bitten > 0 && score.broken > 0;
        let code = u8::from(score.shared > 0 || !has_played);
        exit.write(AppExit::from_code(code));
    }
}
