//! Pac: four ghosts with a mind of their own, a house that only they enter, a tunnel, and pellets that turn hunters into prey.
//!
//! `cargo run --features demo --example pac` opens a window: the arrow keys steer. With `-- --headless` a scripted player
//! plays for five minutes, and the game fails if two ghosts share a tile or one turns back that could go on.

use bevy::app::ScheduleRunnerPlugin;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_pursuit::prelude::*;
use bevy_pursuit::{AgentKinds, Faction, FactionSwap, KeepsDirection, Kinds, Solid, TileEdit};

/// `.` and `o` are pellets, `=` is the house of the ghosts, and a tunnel joins the two `T`.
const MAZE: [&str; 19] = [
    "###################",
    "#o.......#.......o#",
    "#.##.###.#.###.##.#",
    "#.................#",
    "#.##.#.#####.#.##.#",
    "#....#...#...#....#",
    "####.### # ###.####",
    "####.#       #.####",
    "T....  #===#  ....T",
    "####.# ##### #.####",
    "####.#.......#.####",
    "#........#........#",
    "#.##.###.#.###.##.#",
    "#o.#...........#.o#",
    "##.#.#.#####.#.#.##",
    "#....#...#...#....#",
    "#.######.#.######.#",
    "#.................#",
    "###################",
];
const TILE: f32 = 36.0;
const HOME: IVec2 = IVec2::new(9, 5);
const HOUSE: IVec2 = IVec2::new(9, 10);
/// Who may enter the house.
const GHOSTS: Kinds = Kinds::from_bits(1);

// The factions. Ghosts hunt the player, who hunts scared ghosts.
const PAC: u8 = 0;
const GHOST: u8 = 1;
const SCARED: u8 = 2;

const SECOND: u64 = 64;

#[derive(Component)]
struct Player;

/// A ghost: its colour, and where it has come from.
#[derive(Component)]
struct Ghost {
    colour: Color,
    before: IVec2,
    came_from: IVec2,
}

#[derive(Component)]
struct Pellet {
    has_power: bool,
}

#[derive(Resource, Default, Debug)]
struct Score {
    level: u32,
    pellets: u32,
    ghosts: u32,
    captured: u32,
    faults: u32,
}

fn main() -> AppExit {
    let mut app = App::new();
    if std::env::args().any(|argument| argument == "--headless") {
        app.add_plugins(MinimalPlugins.set(ScheduleRunnerPlugin::run_loop(default())))
            .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
            .add_systems(FixedUpdate, script.before(PursuitSystems::Arrive))
            .add_systems(
                FixedUpdate,
                (check, stop).chain().after(PursuitSystems::Decide),
            );
    } else {
        app.add_plugins(DefaultPlugins)
            .add_systems(FixedUpdate, steer.before(PursuitSystems::Arrive))
            .add_systems(Update, (colour, show_score));
    }
    app.add_plugins(PursuitPlugin::default())
        .insert_resource(PursuitSettings {
            clock: PursuitClock::FreeRunning,
            ..default()
        })
        .init_resource::<Score>()
        .add_systems(Startup, set_up)
        .add_systems(FixedUpdate, (eat, come_home).after(PursuitSystems::Arrive))
        .add_observer(furnish)
        .add_observer(capture)
        .run()
}

/// The tiles of the maze with their signs.
fn tiles() -> impl Iterator<Item = (IVec2, char)> {
    let rows = MAZE.iter().rev().zip(0..);
    rows.flat_map(|(row, y)| {
        row.chars()
            .zip(0..)
            .map(move |(sign, x)| (IVec2::new(x, y), sign))
    })
}

fn set_up(mut commands: Commands) {
    commands.spawn(Camera2d);
    let maze = TileMap::from_rows(&MAZE, |sign| sign != '#').expect("a map");
    let squares = MapGeometry::squares(TILE).centred(19, 19);
    commands.spawn((PursuitMap::new(&maze, Moves::Orthogonal), squares));
    for (at, sign) in tiles().filter(|(_, sign)| "#=".contains(*sign)) {
        let colour = match sign {
            '#' => Color::srgb(0.1, 0.12, 0.35),
            _ => Color::srgb(0.25, 0.1, 0.25),
        };
        commands.spawn(picture(squares.center(at), colour, TILE, -2.0));
    }
    fill(&mut commands);
    commands.spawn((Text2d::new(""), Transform::from_xyz(0.0, 9.9 * TILE, 1.0)));
    let body = |colour| (Sprite::from_color(colour, Vec2::splat(TILE * 0.7)), Glide);
    commands.spawn((
        Player,
        Faction::new(PAC, [SCARED]),
        GridPosition(HOME),
        AgentControl::Steer(IVec2::ZERO),
        TicksPerStep(12),
        body(Color::srgb(1.0, 0.9, 0.1)),
    ));
    let minds = [
        (Tactics::Chase, Color::srgb(1.0, 0.2, 0.2)),
        (Tactics::Ahead(4), Color::srgb(1.0, 0.6, 0.8)),
        (Tactics::Flank, Color::srgb(0.2, 0.9, 0.9)),
        (Tactics::Shy(8), Color::srgb(1.0, 0.6, 0.2)),
    ];
    let starts = [
        HOUSE + 2 * IVec2::Y,
        HOUSE - IVec2::X,
        HOUSE,
        HOUSE + IVec2::X,
    ];
    for ((tactics, colour), start) in minds.into_iter().zip(starts) {
        let ghost = Ghost {
            colour,
            before: start,
            came_from: start,
        };
        commands.spawn((
            ghost,
            Faction::new(GHOST, [PAC]),
            GridPosition(start),
            tactics,
            TicksPerStep(14),
            AgentKinds(GHOSTS),
            (Solid, KeepsDirection),
            body(colour),
        ));
    }
}

fn picture(at: Vec2, colour: Color, size: f32, z: f32) -> impl Bundle {
    let sprite = Sprite::from_color(colour, Vec2::splat(size));
    (sprite, Transform::from_translation(at.extend(z)))
}

/// Puts the pellets of a level into the maze.
fn fill(commands: &mut Commands) {
    let squares = MapGeometry::squares(TILE).centred(19, 19);
    for (at, sign) in tiles().filter(|(_, sign)| ".o".contains(*sign)) {
        let has_power = sign == 'o';
        let size = if has_power { 14.0 } else { 6.0 };
        let pellet = picture(squares.center(at), Color::WHITE, size, -1.0);
        commands.spawn((Pellet { has_power }, Tile(at), pellet));
    }
}

/// The tile of a pellet.
#[derive(Component)]
struct Tile(IVec2);

/// The house is for ghosts, and the tunnel for all.
fn furnish(ready: On<MapReady>, mut maps: Query<&mut LiveMap>) {
    let Ok(mut map) = maps.get_mut(ready.map) else {
        return;
    };
    for (at, _) in tiles().filter(|(_, sign)| *sign == '=') {
        map.edit(TileEdit::Kinds { at, kinds: GHOSTS });
    }
    map.set_link(HOUSE, HOUSE + 2 * IVec2::Y, true); // the door, through the roof
    let mouths: Vec<IVec2> = tiles()
        .filter(|(_, sign)| *sign == 'T')
        .map(|(at, _)| at)
        .collect();
    map.set_link(mouths[0], mouths[1], true);
}

/// The player eats pellets. One with power makes prey of the ghosts for eight seconds.
fn eat(
    player: Single<&GridPosition, (With<Player>, Changed<GridPosition>)>,
    pellets: Query<(Entity, &Tile, &Pellet)>,
    mut ghosts: Query<(Entity, &mut TicksPerStep), With<Ghost>>,
    map: Single<&LiveMap>,
    mut score: ResMut<Score>,
    mut commands: Commands,
) {
    let mut left = pellets.iter().len();
    for (pellet, _, Pellet { has_power }) in pellets.iter().filter(|(_, at, _)| at.0 == player.0) {
        commands.entity(pellet).despawn();
        score.pellets += 1;
        left -= 1;
        for (ghost, _) in ghosts.iter().filter(|_| *has_power) {
            let (faction, until) = (Faction::new(SCARED, []), map.tick() + 8 * SECOND);
            commands
                .entity(ghost)
                .insert(FactionSwap { faction, until });
        }
    }
    if left == 0 {
        // Each level is faster.
        score.level += 1;
        for (_, mut ticks) in &mut ghosts {
            ticks.0 = ticks.0.saturating_sub(1).max(8);
        }
        fill(&mut commands);
    }
}

/// A captured player begins again. A captured ghost goes home as a pair of eyes.
fn capture(
    captured: On<Captured>,
    ghosts: Query<&GridPosition, With<Ghost>>,
    map: Single<&LiveMap>,
    mut score: ResMut<Score>,
    mut commands: Commands,
) {
    let mut robber = commands.entity(captured.robber);
    if let Ok(at) = ghosts.get(captured.robber) {
        score.ghosts += 1;
        let way = map.path_for(GHOSTS, at.0, HOUSE).unwrap_or_default();
        robber.insert(MoveOrder(way));
    } else {
        score.captured += 1;
        robber.insert(GridPosition(HOME)).remove::<Caught>();
    }
}

/// A pair of eyes that is at home is a ghost again, and hunts, whatever the others do.
fn come_home(
    eyes: Query<(Entity, &GridPosition), (With<Ghost>, With<Caught>)>,
    mut commands: Commands,
) {
    for (ghost, _) in eyes.iter().filter(|(_, at)| at.0 == HOUSE) {
        commands.entity(ghost).remove::<(Caught, FactionSwap)>();
    }
}

/// The arrow keys steer.
fn steer(keys: Res<ButtonInput<KeyCode>>, mut player: Single<&mut AgentControl, With<Player>>) {
    let ways = [
        (KeyCode::ArrowLeft, IVec2::NEG_X),
        (KeyCode::ArrowRight, IVec2::X),
        (KeyCode::ArrowDown, IVec2::NEG_Y),
        (KeyCode::ArrowUp, IVec2::Y),
    ];
    if let Some((_, way)) = ways.iter().find(|(key, _)| keys.just_pressed(*key)) {
        player.set_if_neq(AgentControl::Steer(*way));
    }
}

/// The scripted player goes for the nearest pellet, as the crow flies.
fn script(
    player: Single<(&GridPosition, &mut AgentControl), With<Player>>,
    pellets: Query<&Tile, With<Pellet>>,
) {
    let (at, mut control) = player.into_inner();
    let far = |to: IVec2| (to - at.0).length_squared();
    let nearest = pellets
        .iter()
        .map(|tile| tile.0)
        .min_by_key(|&to| (far(to), to.x, to.y));
    if let Some(to) = nearest {
        control.set_if_neq(AgentControl::WalkTo(to));
    }
}

fn colour(mut ghosts: Query<(&Ghost, &mut Sprite, Has<Caught>, Has<FactionSwap>)>) {
    for (ghost, mut sprite, is_caught, is_scared) in &mut ghosts {
        let size = if is_caught { 0.25 } else { 0.7 };
        sprite.custom_size = Some(Vec2::splat(TILE * size));
        sprite.color = match (is_caught, is_scared) {
            (true, _) => Color::WHITE,
            (false, true) => Color::srgb(0.3, 0.3, 1.0),
            (false, false) => ghost.colour,
        };
    }
}

fn show_score(score: Res<Score>, mut text: Single<&mut Text2d>) {
    text.0 = format!(
        "level {}    pellets {}    ghosts {}    captured {}",
        score.level + 1,
        score.pellets,
        score.ghosts,
        score.captured
    );
}

/// Counts ghosts that share a tile, and those that have turned back although they could go on.
fn check(
    mut ghosts: Query<(&GridPosition, &mut Ghost), Without<Caught>>,
    map: Single<&LiveMap>,
    mut score: ResMut<Score>,
) {
    for (at, mut ghost) in &mut ghosts {
        if at.0 != ghost.before {
            let sides =
                [IVec2::X, IVec2::Y, IVec2::NEG_X, IVec2::NEG_Y].map(|way| ghost.before + way);
            let open = sides
                .iter()
                .filter(|&&side| map.is_passable_for(GHOSTS, side))
                .count();
            score.faults += u32::from(at.0 == ghost.came_from && open > 2);
            ghost.came_from = ghost.before;
            ghost.before = at.0;
        }
    }
    for [(a, _), (b, _)] in ghosts.iter_combinations() {
        score.faults += u32::from(a == b);
    }
}

fn stop(mut ticks: Local<u64>, score: Res<Score>, mut exit: MessageWriter<AppExit>) {
    *ticks += 1;
    if *ticks == 300 * SECOND {
        println!("{:?}", *score);
        let is_sound = score.faults == 0 && score.ghosts > 0 && score.captured > 0;
        exit.write(if is_sound {
            AppExit::Success
        } else {
            AppExit::error()
        });
    }
}
