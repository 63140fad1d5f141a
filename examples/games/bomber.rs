//! Bomber: four rivals blast their way to each other. Everybody hunts everybody, and everybody runs from every bomb.
//!
//! `cargo run --features demo --example bomber` opens a window: the arrow keys steer, and space puts a bomb. With
//! `-- --headless` all four play by themselves for five minutes, and the game fails if two of them share a tile.

use bevy::app::ScheduleRunnerPlugin;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_pursuit::prelude::*;
use bevy_pursuit::{Faction, Kinds, Solid, Struck, TileEdit};

/// `#` is a pillar, and `+` a block that a blast destroys.
const ARENA: [&str; 11] = [
    "...+++++++...",
    ".#+#+#+#+#+#.",
    "..+++.+.+++..",
    "+#+#+#+#+#+#+",
    "++.+++++++.++",
    "+#+#+#.#+#+#+",
    "++.+++++++.++",
    "+#+#+#+#+#+#+",
    "..+++.+.+++..",
    ".#+#+#+#+#+#.",
    "...+++++++...",
];
const TILE: f32 = 44.0;
const CORNERS: [IVec2; 4] = [
    IVec2::new(0, 0),
    IVec2::new(12, 10),
    IVec2::new(0, 10),
    IVec2::new(12, 0),
];
const COLOURS: [Color; 4] = [
    Color::srgb(0.95, 0.95, 0.95),
    Color::srgb(0.95, 0.3, 0.3),
    Color::srgb(0.3, 0.8, 0.4),
    Color::srgb(0.4, 0.5, 1.0),
];
const SECOND: u32 = 64;
/// The time from putting a bomb to its blast, and how long and how far the blast goes.
const FUSE: u32 = SECOND;
const BLAST: u32 = SECOND / 2;
const RANGE: i32 = 3;

/// One of the four: its corner, and the tick until which it has to wait for its next bomb.
#[derive(Component)]
struct Rival {
    corner: IVec2,
    loaded: u64,
}

/// A rival that the keys steer.
#[derive(Component)]
struct Player;

#[derive(Component)]
struct Block(IVec2);

/// A bomb: the tiles of its blast, and the tick at which it goes off.
#[derive(Component)]
struct Bomb {
    tiles: Vec<IVec2>,
    goes_off: u64,
}

#[derive(Resource, Default, Debug)]
struct Score {
    bombs: u32,
    blocks: u32,
    struck: u32,
    shared: u32,
}

fn main() -> AppExit {
    let mut app = App::new();
    let is_headless = std::env::args().any(|argument| argument == "--headless");
    if is_headless {
        app.add_plugins(MinimalPlugins.set(ScheduleRunnerPlugin::run_loop(default())))
            .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
            .add_systems(
                FixedUpdate,
                (check, stop).chain().after(PursuitSystems::Decide),
            );
    } else {
        app.add_plugins(DefaultPlugins)
            .add_systems(FixedUpdate, steer.before(PursuitSystems::Arrive));
    }
    app.add_plugins(PursuitPlugin::default())
        .init_resource::<Score>()
        .add_systems(Startup, move |commands: Commands| {
            set_up(commands, !is_headless);
        })
        .add_systems(
            FixedUpdate,
            (put_bombs, go_off).chain().before(PursuitSystems::Arrive),
        )
        .add_observer(strike)
        .run()
}

fn squares() -> MapGeometry {
    MapGeometry::squares(TILE).centred(13, 11)
}

fn picture(at: IVec2, colour: Color, size: f32, z: f32) -> impl Bundle {
    let sprite = Sprite::from_color(colour, Vec2::splat(TILE * size));
    (
        sprite,
        Transform::from_translation(squares().center(at).extend(z)),
    )
}

fn set_up(mut commands: Commands, has_player: bool) {
    commands.spawn(Camera2d);
    let arena = TileMap::from_rows(&ARENA, |sign| sign == '.').expect("a map");
    let map = PursuitMap::new(&arena, Moves::Orthogonal);
    commands.spawn((map, squares(), PursuitClock::FreeRunning));
    for (row, y) in ARENA.iter().rev().zip(0..) {
        for (sign, x) in row.chars().zip(0..) {
            let at = IVec2::new(x, y);
            match sign {
                '#' => drop(commands.spawn(picture(at, Color::srgb(0.3, 0.3, 0.35), 1.0, -2.0))),
                '+' => drop(commands.spawn((
                    Block(at),
                    picture(at, Color::srgb(0.5, 0.35, 0.2), 0.95, -2.0),
                ))),
                _ => {}
            }
        }
    }
    for (number, (corner, colour)) in (0..).zip(CORNERS.into_iter().zip(COLOURS)) {
        let others = (0..4).filter(|&other| other != number);
        let hunter = (
            Faction {
                fears: 0,
                ..Faction::new(number, others)
            },
            Tactics::Keep(3),
        );
        let rival = Rival { corner, loaded: 0 };
        let body = (
            Sprite::from_color(colour, Vec2::splat(TILE * 0.6)),
            Glide,
            Solid,
        );
        let mut rival =
            commands.spawn((rival, GridPosition(corner), hunter, TicksPerStep(14), body));
        if has_player && number == 0 {
            rival.insert((Player, AgentControl::Steer(IVec2::ZERO)));
        }
    }
}

/// The tiles of a blast: as far as no pillar and no block is in its way, and that block.
fn blast(map: &LiveMap, from: IVec2) -> Vec<IVec2> {
    let mut tiles = vec![from];
    for way in [IVec2::X, IVec2::Y, IVec2::NEG_X, IVec2::NEG_Y] {
        for far in 1..=RANGE {
            tiles.push(from + way * far);
            if !map.is_passable(from + way * far) {
                break;
            }
        }
    }
    tiles
}

/// Whoever has a rival or a block in range, and a way out, puts a bomb. The keys do so for the player.
fn put_bombs(
    mut rivals: Query<(Entity, &GridPosition, &mut Rival, Has<Player>)>,
    blocks: Query<&Block>,
    bombs: Query<&Bomb>,
    keys: Option<Res<ButtonInput<KeyCode>>>,
    mut map: Single<&mut LiveMap>,
    mut score: ResMut<Score>,
    mut commands: Commands,
) {
    let at: Vec<(Entity, IVec2)> = rivals.iter().map(|(rival, at, ..)| (rival, at.0)).collect();
    let now = map.tick();
    for (entity, here, mut rival, is_player) in &mut rivals {
        let tiles = blast(&map, here.0);
        let hits = |tile: IVec2| {
            let hits_rival = at.iter().any(|&(other, at)| other != entity && at == tile);
            hits_rival || blocks.iter().any(|block| block.0 == tile)
        };
        let is_quiet = bombs.iter().all(|bomb| !bomb.tiles.contains(&here.0));
        let wants = if is_player {
            (keys.as_ref()).is_some_and(|keys| keys.pressed(KeyCode::Space))
        } else {
            tiles.iter().any(|&tile| hits(tile)) && has_way_out(&map, here.0, &tiles)
        };
        if now < rival.loaded || !wants || !is_quiet {
            continue;
        }
        rival.loaded = now + u64::from(4 * SECOND);
        score.bombs += 1;
        for &tile in &tiles {
            // A tile off the arena is no hazard.
            let _ = map.add_hazard(tile, FUSE, BLAST, Kinds::ALL);
        }
        let goes_off = now + u64::from(FUSE);
        let bomb = Bomb { tiles, goes_off };
        commands.spawn((bomb, picture(here.0, Color::BLACK, 0.4, -1.0)));
    }
}

/// Whether some tile near by is out of the blast.
fn has_way_out(map: &LiveMap, here: IVec2, blast: &[IVec2]) -> bool {
    let mut seen = vec![here];
    let mut next = 0;
    while let Some(&at) = seen.get(next) {
        next += 1;
        if !blast.contains(&at) {
            return true;
        }
        for way in [IVec2::X, IVec2::Y, IVec2::NEG_X, IVec2::NEG_Y] {
            if map.is_passable(at + way) && !seen.contains(&(at + way)) {
                seen.push(at + way);
            }
        }
    }
    false
}

/// Bombs go off: blocks in the blast are gone, and so is the bomb when the blast is over.
fn go_off(
    mut bombs: Query<(Entity, &Bomb, &mut Sprite)>,
    blocks: Query<(Entity, &Block)>,
    mut map: Single<&mut LiveMap>,
    mut score: ResMut<Score>,
    mut commands: Commands,
) {
    let now = map.tick();
    for (entity, bomb, mut sprite) in &mut bombs {
        if now >= bomb.goes_off + u64::from(BLAST) {
            commands.entity(entity).despawn();
        } else if now == bomb.goes_off {
            sprite.color = Color::srgb(1.0, 0.6, 0.1);
            sprite.custom_size = Some(Vec2::splat(TILE * 1.4));
            for (block, Block(at)) in blocks
                .iter()
                .filter(|(_, block)| bomb.tiles.contains(&block.0))
            {
                commands.entity(block).despawn();
                score.blocks += 1;
                map.edit(TileEdit::Passable {
                    at: *at,
                    passable: true,
                });
            }
        }
    }
}

/// Whoever is struck begins again in its corner.
fn strike(
    struck: On<Struck>,
    mut rivals: Query<(&Rival, &mut GridPosition)>,
    mut score: ResMut<Score>,
) {
    if let Ok((rival, mut at)) = rivals.get_mut(struck.agent) {
        score.struck += 1;
        at.0 = rival.corner;
    }
}

/// The arrow keys steer.
fn steer(keys: Res<ButtonInput<KeyCode>>, mut player: Single<&mut AgentControl, With<Player>>) {
    let axis = |less, more| i32::from(keys.pressed(more)) - i32::from(keys.pressed(less));
    let x = axis(KeyCode::ArrowLeft, KeyCode::ArrowRight);
    let y = axis(KeyCode::ArrowDown, KeyCode::ArrowUp);
    player.set_if_neq(AgentControl::Steer(IVec2::new(x, y)));
}

/// Counts the ticks in which two share a tile on which neither was put by a blast.
fn check(rivals: Query<(&GridPosition, &Rival)>, mut score: ResMut<Score>) {
    for [(a, one), (b, other)] in rivals.iter_combinations() {
        let is_corner = a.0 == one.corner || a.0 == other.corner;
        score.shared += u32::from(a == b && !is_corner);
    }
}

fn stop(mut ticks: Local<u32>, score: Res<Score>, mut exit: MessageWriter<AppExit>) {
    *ticks += 1;
    if *ticks == 300 * SECOND {
        println!("{:?}", *score);
        let is_sound = score.shared == 0 && score.struck > 0 && score.blocks > 0;
        let code = if is_sound {
            AppExit::Success
        } else {
            AppExit::error()
        };
        exit.write(code);
    }
}
