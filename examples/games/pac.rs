//! Pac: four ghosts with a mind of their own, a house that only they enter, a tunnel, and pellets that turn hunters into prey.
//!
//! `cargo run --features demo --example pac` opens a window: the arrow keys steer. With `-- --headless` a scripted player
//! plays for five minutes, and the game fails if two ghosts share a tile or one turns back that could go on.

use bevy::app::ScheduleRunnerPlugin;
use bevy::platform::collections::HashMap;
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
const TILE: f32 = 34.0;
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

/// A ghost: its colour, and where it begins.
#[derive(Component)]
struct Ghost(Color, IVec2);

#[derive(Component)]
struct Pellet {
    at: IVec2,
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
    let tile = |y| move |(sign, x)| (IVec2::new(x, y), sign);
    rows.flat_map(move |(row, y)| row.chars().zip(0..).map(tile(y)))
}

fn set_up(mut commands: Commands) {
    commands.spawn(Camera2d);
    let maze = TileMap::from_rows(&MAZE, |sign| sign != '#').expect("a map");
    let squares = MapGeometry::squares(TILE).centred(19, 19);
    let map = PursuitMap::new(&maze, Moves::Orthogonal);
    commands.spawn((map, squares, PursuitClock::FreeRunning));
    for (at, sign) in tiles().filter(|(_, sign)| "#=".contains(*sign)) {
        let red = if sign == '#' { 0.1 } else { 0.3 };
        let colour = Color::srgb(red, 0.1, 0.3);
        commands.spawn(picture(squares.center(at), colour, TILE, -2.0));
    }
    fill(&mut commands);
    commands.spawn((Text2d::new(""), Transform::from_xyz(0.0, 9.9 * TILE, 1.0)));
    let body = |colour| (Sprite::from_color(colour, Vec2::splat(TILE * 0.7)), Glide);
    let player = (Player, Faction::new(PAC, [SCARED]), TicksPerStep(12));
    let control = AgentControl::Steer(IVec2::ZERO);
    let yellow = body(Color::srgb(1.0, 0.9, 0.1));
    commands.spawn((player, control, GridPosition(HOME), yellow));
    let minds = [
        (Tactics::Chase, Color::srgb(1.0, 0.2, 0.2)),
        (Tactics::Ahead(4), Color::srgb(1.0, 0.6, 0.8)),
        (Tactics::Flank, Color::srgb(0.2, 0.9, 0.9)),
        (Tactics::Shy(8), Color::srgb(1.0, 0.6, 0.2)),
    ];
    let starts = [HOUSE + IVec2::Y, HOUSE - IVec2::X, HOUSE, HOUSE + IVec2::X];
    for ((tactics, colour), start) in minds.into_iter().zip(starts) {
        commands.spawn((
            Ghost(colour, start),
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
        commands.spawn((Pellet { at, has_power }, pellet));
    }
}

/// The house is for ghosts, and the tunnel for all.
fn furnish(_: On<MapReady>, mut map: Single<&mut LiveMap>) {
    for (at, _) in tiles().filter(|(_, sign)| *sign == '=') {
        map.edit(TileEdit::Kinds { at, kinds: GHOSTS });
    }
    map.set_link(IVec2::new(0, 10), IVec2::new(18, 10), true);
}

/// The player eats pellets. One with power makes prey of the ghosts for eight seconds.
fn eat(
    player: Single<&GridPosition, (With<Player>, Changed<GridPosition>)>,
    pellets: Query<(Entity, &Pellet)>,
    mut ghosts: Query<(Entity, &mut TicksPerStep), With<Ghost>>,
    map: Single<&LiveMap>,
    mut score: ResMut<Score>,
    mut commands: Commands,
) {
    let mut left = pellets.iter().len();
    for (pellet, Pellet { has_power, .. }) in pellets.iter().filter(|(_, it)| it.at == player.0) {
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

/// A captured player begins again, and so do the ghosts. A captured ghost goes home as a pair of eyes.
fn capture(
    captured: On<Captured>,
    ghosts: Query<(Entity, &Ghost, &GridPosition)>,
    map: Single<&LiveMap>,
    mut score: ResMut<Score>,
    mut commands: Commands,
) {
    let mut robber = commands.entity(captured.robber);
    if let Ok((.., at)) = ghosts.get(captured.robber) {
        score.ghosts += 1;
        let way = map.path_for(GHOSTS, at.0, HOUSE).unwrap_or_default();
        robber.insert(MoveOrder(way));
    } else {
        score.captured += 1;
        robber.insert(GridPosition(HOME)).remove::<Caught>();
        for (ghost, Ghost(_, start), _) in &ghosts {
            commands.entity(ghost).insert(GridPosition(*start));
        }
    }
}

/// A pair of eyes that is at home is a ghost again, and hunts, whatever the others do.
fn come_home(eyes: Query<(Entity, &GridPosition), With<Caught>>, mut commands: Commands) {
    for (ghost, _) in eyes.iter().filter(|(_, at)| at.0 == HOUSE) {
        commands.entity(ghost).remove::<(Caught, FactionSwap)>();
    }
}

/// The arrow keys steer.
fn steer(keys: Res<ButtonInput<KeyCode>>, mut player: Single<&mut AgentControl, With<Player>>) {
    let axis = |less, more| i32::from(keys.pressed(more)) - i32::from(keys.pressed(less));
    let x = axis(KeyCode::ArrowLeft, KeyCode::ArrowRight);
    let y = axis(KeyCode::ArrowDown, KeyCode::ArrowUp);
    if (x, y) != (0, 0) {
        player.set_if_neq(AgentControl::Steer(IVec2::new(x, y)));
    }
}

/// The scripted player goes for the nearest pellet, as the crow flies.
fn script(
    player: Single<(&GridPosition, &mut AgentControl), With<Player>>,
    pellets: Query<&Pellet>,
) {
    let (at, mut control) = player.into_inner();
    let far = |to: IVec2| ((to - at.0).length_squared(), to.x, to.y);
    let nearest = pellets
        .iter()
        .map(|pellet| pellet.at)
        .min_by_key(|&to| far(to));
    if let Some(to) = nearest {
        control.set_if_neq(AgentControl::WalkTo(to));
    }
}

fn colour(mut ghosts: Query<(&Ghost, &mut Sprite, Has<Caught>, Has<FactionSwap>)>) {
    for (ghost, mut sprite, is_caught, is_scared) in &mut ghosts {
        let size = if is_caught { 0.25 } else { 0.7 };
        sprite.custom_size = Some(Vec2::splat(TILE * size));
        let blue = is_scared.then_some(Color::srgb(0.3, 0.3, 1.0));
        sprite.color = blue.unwrap_or(ghost.0);
    }
}

fn show_score(score: Res<Score>, mut text: Single<&mut Text2d>) {
    text.0 = format!("{:?}", *score).replace(['{', '}'], "");
}

/// Counts ghosts that share a tile, and those that have turned back although they could go on.
fn check(
    ghosts: Query<(Entity, &GridPosition, Has<Caught>), With<Ghost>>,
    map: Single<&LiveMap>,
    mut trails: Local<HashMap<Entity, [IVec2; 2]>>,
    mut score: ResMut<Score>,
) {
    for (ghost, at, is_caught) in &ghosts {
        let [from, here] = *trails.entry(ghost).or_insert([at.0; 2]);
        if at.0 != here {
            let sides = [IVec2::X, IVec2::Y, IVec2::NEG_X, IVec2::NEG_Y];
            let open = sides.map(|way| map.is_passable_for(GHOSTS, here + way));
            let open = open.into_iter().filter(|is_open| *is_open).count();
            let mut others = ghosts.iter().filter(|(other, ..)| *other != ghost);
            let is_alone = others.all(|(_, to, _)| (to.0 - here).abs().max_element() > 2);
            let turns = at.0 == from && open > 1;
            score.faults += u32::from(turns && is_alone && !is_caught);
            trails.insert(ghost, [here, at.0]);
        }
    }
    for [(_, a, a_out), (_, b, b_out)] in ghosts.iter_combinations() {
        score.faults += u32::from(a == b && !a_out && !b_out);
    }
}

fn stop(mut ticks: Local<u64>, score: Res<Score>, mut exit: MessageWriter<AppExit>) {
    *ticks += 1;
    if *ticks == 300 * SECOND {
        println!("{:?}", *score);
        let is_sound = score.faults == 0 && score.ghosts > 0 && score.captured > 0;
        let code = if is_sound {
            AppExit::Success
        } else {
            AppExit::error()
        };
        exit.write(code);
    }
}
