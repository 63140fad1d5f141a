//! Inputs that are accepted, to begin with.

use pursuit_engine::endgame::{EndgameShapes, Endgames};
use pursuit_engine::game::{Agent, Judged, Rules, Side, Speed, State, Variant};
use pursuit_engine::graph::{Digraph, Graph, TileEdit, Vertex};
use pursuit_engine::map::{Cell, Moves, TileMap};
use pursuit_engine::solve::simultaneous::{MixedTable, SimultaneousSolver};
use pursuit_engine::table::{Arena, Solver, Table};
use pursuit_engine::table_cache::TableWork;
use pursuit_engine::world::{
    AgentSetup, Control, Expansions, PursuitClock, PursuitSettings, PursuitSetup, PursuitWorld,
    RobberPlanner, Snapshot,
};
use pursuit_lab::graph::graph6;
use pursuit_lab::patterns::hex::Hex;
use pursuit_lab::patterns::pursuit::PursuitWindows;
use pursuit_lab::patterns::{Generator, PatternFile, Subject};
use std::num::NonZeroU8;

/// A map with a pillar and a dead end.
pub const MAP: &str = "type octile\nheight 4\nwidth 6\nmap\n......\n.@@.T.\n.@..@.\n....@.\n";
/// A ring, a room and a cell by itself.
const PARTS: &str =
    "type octile\nheight 5\nwidth 7\nmap\n...@.@@\n.@.@@..\n...@@..\n@@@@@..\n.GS@OTW\n";

/// MovingAI maps.
pub fn maps() -> Vec<Vec<u8>> {
    let more = [
        "type octile\nheight 1\nwidth 1\nmap\n.\n",
        "\u{feff}type octile\r\nheight 1\r\nwidth 2\r\nmap\r\n.@\r\n",
    ];
    [MAP, PARTS]
        .into_iter()
        .chain(more)
        .map(Vec::from)
        .collect()
}

/// Levels in RON, and a map.
pub fn levels() -> Vec<Vec<u8>> {
    let levels = [
        include_str!("../../crates/testkit/data/house.level.ron"),
        r#"(name: "Cell block", moves: Orthogonal, legend: {'C': Cop(speed: 2), 'R': Robber(), 's': Spawn,
            'd': Door(name: "gate", open: false), 'e': Door(name: "gate \"two\"", open: true)},
            rows: ["@@@@@@@", "@C.d.R@", "@s.e..@", "@@@@@@@"])"#,
        r##"(name: r#"x"#, legend: {'\'': Robber(speed: 3), '\\': Cop(), 'é': Spawn}, rows: ["'é\\", "...", ".#T"])"##,
        MAP,
    ];
    levels.map(Vec::from).to_vec()
}

/// The map of [`MAP`].
///
/// # Panics
/// Never.
pub fn graph() -> Graph {
    let map = TileMap::parse(MAP).expect("a map");
    Graph::new(&map, Moves::Octile)
}

/// A graph that is no map.
///
/// # Panics
/// Never.
pub fn digraph() -> Digraph {
    let edges: Vec<(u32, u32)> = (0..70).map(|vertex| (vertex, (vertex + 1) % 70)).collect();
    Digraph::undirected(70, &edges).expect("a cycle")
}

fn rules(cops: u8, cop_speed: u8) -> Rules {
    Rules {
        cops: NonZeroU8::new(cops).expect("a cop"),
        cop_speed: Speed::new(cop_speed).expect("a speed"),
        ..Rules::default()
    }
}

fn solved(arena: Arena, rules: Rules) -> Vec<u8> {
    let mut solver = Solver::new(arena.into(), rules, 1 << 30).expect("a small table");
    solver.run(|_| true);
    Table::of(&solver.finish().expect("it is done"))
        .bytes()
        .to_vec()
}

/// Tables of [`graph`] and [`digraph`].
pub fn tables() -> Vec<Vec<u8>> {
    let map = |cops, speed| solved(Arena::of_map(&graph()), rules(cops, speed));
    vec![
        map(1, 1),
        map(1, 2),
        map(2, 1),
        solved(Arena::of_digraph(&digraph()), rules(1, 2)),
        solved(arena_with_rules(), rules(2, 1)),
    ]
}

/// The arena of [`graph`] with an exit and other rules.
///
/// # Panics
/// Never.
pub fn arena_with_rules() -> Arena {
    let graph = graph();
    let vertices: Vec<Vertex> = graph.iter().collect();
    let variant = Variant {
        reach: 1,
        distinct: true,
        judged: Judged::AfterRobber,
    };
    let arena = Arena::builder(&graph)
        .exits(&vertices[..1])
        .bar_cops(&vertices[5..7]);
    arena.variant(variant).build().expect("valid rules")
}

/// Endgames of the map of [`MAP`]: a refuge, and captures by one cop and by two.
///
/// # Panics
/// Never.
pub fn endgames() -> Vec<Vec<u8>> {
    let graph = graph();
    let vertices: Vec<Vertex> = graph.iter().collect();
    let agent = |at: usize| Agent {
        at: vertices[at],
        speed: Speed::ONE,
    };
    let mut all = EndgameShapes::default();
    let mut files = vec![all.to_bytes()];
    for (cops, limit) in [(&[agent(3)][..], 9), (&[agent(3), agent(12)], 40)] {
        let mut endgames = Endgames::default();
        endgames.limit_regions(limit);
        endgames.collect_shapes();
        let state = State {
            robber: agent(0),
            cops,
            to_move: Side::Cops,
        };
        for _ in 0..2 {
            endgames.begin(&graph, &state);
            endgames.finish(&graph);
        }
        let shapes = endgames.take_shapes();
        files.push(shapes.to_bytes());
        all.extend(shapes);
    }
    files.push(all.to_bytes());
    files
}

/// Worlds at different moments: turns and the free clock, agents of all kinds of control, walls that come
/// and go, searches under way, tables asked for and in use.
fn snapshots() -> Vec<Snapshot> {
    let mut snapshots = Vec::new();
    for kind in 0..4 {
        let mut world = world(kind);
        for tick in 0..40_u64 {
            let cell = Cell::new(3, 2);
            let edit = TileEdit {
                cell,
                passable: tick % 10 != 5,
            };
            let edits = if tick % 5 == 0 && kind != 3 {
                &[edit][..]
            } else {
                &[]
            };
            world.begin_tick(edits);
            world.arrive();
            world.decide(&mut Expansions([20, 200, 3000, 3000][kind]));
            if let Some(request) = world.next_request().filter(|_| tick > 6) {
                let key = request.key;
                let mut work = TableWork::new(request).expect("a small table");
                work.run(1 << 16, |_| true);
                let (_, solution) = work.finish().expect("it is done");
                world.deliver(&key, Ok(solution));
            }
            if [0, 3, 7, 17, 39].contains(&tick) {
                snapshots.push(world.snapshot());
            }
        }
    }
    snapshots
}

fn world(kind: usize) -> PursuitWorld {
    let settings = PursuitSettings {
        ticks_per_turn: [4, 6, 3, 5][kind],
        clock: [PursuitClock::Turns, PursuitClock::FreeRunning][kind % 2],
        planner: [RobberPlanner::Auto, RobberPlanner::DaTrailMax][kind / 2],
        ..PursuitSettings::default()
    };
    let map = TileMap::parse(MAP).expect("a map");
    let mut world = PursuitWorld::new(&map, [Moves::Octile, Moves::Orthogonal][kind / 2], settings);
    let sight = (kind == 2).then_some(2);
    world.insert(AgentSetup {
        sight,
        ..AgentSetup::new(Side::Robber, Cell::new(0, 0))
    });
    let fast = Speed::new(2).expect("a speed");
    world.insert(AgentSetup {
        speed: fast,
        sight,
        ..AgentSetup::new(Side::Cops, Cell::new(5, 3))
    });
    if kind > 0 {
        world.insert(AgentSetup {
            ticks_per_step: 3,
            ..AgentSetup::new(Side::Cops, Cell::new(2, 3))
        });
        let control = [
            Control::WalkTo(Cell::new(5, 0)),
            Control::Steer { dx: 1, dy: -1 },
        ][kind % 2];
        world.insert(AgentSetup {
            control,
            pursuit: 7,
            ..AgentSetup::new(Side::Cops, Cell::new(0, 3))
        });
        world.insert(AgentSetup {
            pursuit: 7,
            sight,
            ..AgentSetup::new(Side::Robber, Cell::new(3, 0))
        });
        let clocks = [PursuitClock::FreeRunning, PursuitClock::Simultaneous];
        let clock = Some(clocks[kind / 2]);
        world.set_up_pursuit(
            7,
            PursuitSetup {
                clock,
                ..PursuitSetup::default()
            },
        );
    }
    world
}

/// Snapshots in RON.
pub fn snapshots_ron() -> Vec<Vec<u8>> {
    let written = |snapshot| ron::to_string(&snapshot).expect("plain data").into_bytes();
    snapshots().into_iter().map(written).collect()
}

/// Snapshots in postcard.
pub fn snapshots_postcard() -> Vec<Vec<u8>> {
    let written = |snapshot| postcard::to_allocvec(&snapshot).expect("plain data");
    snapshots().into_iter().map(written).collect()
}

/// Settings in RON.
pub fn settings() -> Vec<Vec<u8>> {
    let whole = ron::to_string(&PursuitSettings::default()).expect("plain data");
    let pretty = ron::ser::PrettyConfig::new();
    let pretty =
        ron::ser::to_string_pretty(&PursuitSettings::default(), pretty).expect("plain data");
    let part = "(ticks_per_turn: 12, budget: Micros(500), tactics: Chase)".to_owned();
    let timing =
        "(clock: FreeRunning, tables: (timing: Lockstep((ticks: 9, ticks_per_second: Some(64)))))"
            .to_owned();
    [whole, pretty, part, timing]
        .map(String::into_bytes)
        .to_vec()
}

/// Lists of positions on [`MAP`] and [`digraph`].
pub fn positions() -> Vec<Vec<u8>> {
    let lists = [
        "robber,cop1,cop2\n0,69,5\n3,0,0\n",
        "robber_x,robber_y,cop1_x,cop1_y\n0,0,5,3\n3,0,0,0\n",
        "cop2_x,cop2_y,robber_x,robber_y,cop1_x,cop1_y,turns\r\n1,0,2,0,3,0,4\r\n0,3,1,3,2,3,inf\r\n",
        "\u{feff}note,robber_x, robber_y ,cop1_x,cop1_y\n\"a, \"\"b\"\"\nc\",0,0,5,3\n\nx, 0 , 0,\"5\",3\n",
    ];
    lists.map(Vec::from).to_vec()
}

/// Graphs in graph6.
pub fn graphs() -> Vec<Vec<u8>> {
    let line = |graph: Digraph| graph6::write(&graph).expect("edges both ways");
    let long = line(digraph());
    let list = ["@", "A_", "Bw", ">>graph6<<C~", "DQc", "~??DQc", "E?Bw"].join("\n");
    vec![
        list.into_bytes(),
        format!("{long}\n").into_bytes(),
        b">>graph6<<\n?\n\nFUZZ_\r\n".to_vec(),
    ]
}

/// Lists of edges.
pub fn edge_lists() -> Vec<Vec<u8>> {
    let lists = [
        "3\n0 1\n1 > 2\n",
        "# a ring\n\n5\r\n0 1\r\n1 2\r\n 2 3 \r\n3 4\r\n4 0\r\n",
        "1\n0 0\n",
    ];
    lists.map(Vec::from).to_vec()
}

/// Pattern databases of windows and of Hex.
///
/// # Panics
/// Never.
pub fn patterns() -> Vec<Vec<u8>> {
    let hex = PatternFile {
        subject: Subject::Hex,
        depth: 2,
        database: Generator::new(Hex::new(3), 2).run(),
    };
    let windows = [
        (Moves::Octile, 1, (3, 2), 0),
        (Moves::Orthogonal, 2, (3, 2), 1),
        (Moves::Octile, 2, (2, 2), 2),
    ];
    let windows = windows.map(|(moves, cops, size, guarded)| {
        let game = PursuitWindows::new(moves, cops, size, guarded).expect("valid");
        PatternFile {
            subject: Subject::Pursuit {
                moves,
                cops,
                guarded,
            },
            depth: 2,
            database: Generator::new(game, 2).run(),
        }
    });
    let files = std::iter::once(hex).chain(windows);
    files.map(|file| file.to_bytes()).collect()
}

/// Tables of mixed strategies of [`graph`] and of a short cycle.
///
/// # Panics
/// Never.
pub fn mixed_tables() -> Vec<Vec<u8>> {
    let cycle = Digraph::undirected(5, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)]);
    let cycle = cycle.expect("edges in place");
    let games = [
        (Arena::of_map(&graph()), rules(1, 1)),
        (Arena::of_map(&graph()), rules(2, 1)),
        (Arena::of_digraph(&cycle), rules(2, 1)),
    ];
    let table = |(arena, rules): (Arena, Rules)| {
        let mut solver = Solver::new(arena.into(), rules, 1 << 30).expect("a small table");
        solver.run(|_| true);
        let solution = solver.finish().expect("it is done");
        let solver = SimultaneousSolver::new(&solution, 0.01, 1 << 30);
        let mut solver = solver.expect("a small game");
        solver.run(|_| true);
        let solution = solver.finish().expect("it is done");
        let exploitability = solution.exploitability(|| true).expect("not stopped");
        MixedTable::of(&solution, exploitability).bytes().to_vec()
    };
    games.map(table).to_vec()
}
