//! Two cops of a live world (no table of the map) against an optimal robber: turns over the optimum.
//! `cargo run --release --no-default-features --features parallel --example played -- MAP POSITIONS.csv LIMIT`
use bevy_pursuit::game::{Outcome, Rules, Side, Turns};
use bevy_pursuit::graph::{Graph, Vertex};
use bevy_pursuit::map::{Cell, Moves, TileMap};
use bevy_pursuit::table::{Arena, Estimate, Solver};
use bevy_pursuit::table_cache::{TableSchedule, TableTiming, TableWork};
use bevy_pursuit::world::{AgentSetup, Control, Expansions, PursuitSettings, PursuitWorld};
use std::num::NonZeroU8;
const T: u64 = 16;
fn tick(world: &mut PursuitWorld) {
    world.begin_tick(&[]);
    while let Some(request) = world.next_request() {
        let key = request.key.clone();
        match TableWork::new(request) {
            Ok(mut work) => {
                work.run(100_000, |_| true);
                if let Some((_, s)) = work.finish() {
                    world.deliver(&key, Ok(s));
                }
            }
            Err(_) => {
                world.give_back(&key);
                break;
            }
        }
    }
    world.arrive();
    world.decide(&mut Expansions(10_000));
}
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let map = TileMap::parse(&std::fs::read_to_string(&args[1]).unwrap()).unwrap();
    let limit: usize = args[3].parse().unwrap();
    let graph = Graph::new(&map, Moves::Octile);
    let rules = Rules {
        cops: NonZeroU8::new(2).unwrap(),
        ..Rules::default()
    };
    let mut s = Solver::new(Arena::of_map(&graph).into(), rules, 16 << 30).unwrap();
    s.run(|_| true);
    let sol = s.finish().unwrap();
    let mut settings = PursuitSettings {
        ticks_per_turn: T as u32,
        stagger: false,
        ..PursuitSettings::default()
    };
    settings.tables.max_bytes = settings
        .tables
        .max_bytes
        .min(Estimate::new(graph.vertices(), &rules).unwrap().bytes - 1);
    if let Ok(ms) = std::env::var("MS") {
        settings.tables.max_milliseconds = ms.parse().unwrap();
    }
    settings.tables.timing = TableTiming::Lockstep(TableSchedule {
        ticks: 4,
        times: 0,
        ticks_per_second: Some(64),
    });
    let mut world = PursuitWorld::new(&map, Moves::Octile, settings);
    let (mut games, mut caught, mut ratio, mut worst) = (0, 0, 0.0, 0.0f64);
    let text = std::fs::read_to_string(&args[2]).unwrap();
    let value = |r: Vertex, c: &[Vertex]| {
        if c.contains(&r) {
            0
        } else {
            match sol.value(r, c) {
                Some(Outcome::Caught(Turns(t))) => u32::from(t),
                _ => u32::MAX,
            }
        }
    };
    let mut ids = None;
    for line in text.lines().skip(1).take(limit) {
        let v: Vec<u16> = line.split(',').map(|x| x.trim().parse().unwrap()).collect();
        let cell = |i: usize| Cell::new(v[i], v[i + 1]);
        let at = |i: usize| graph.vertex(cell(i)).unwrap();
        let opt = value(at(0), &[at(2), at(4)]);
        if opt == 0 || opt == u32::MAX {
            continue;
        }
        games += 1;
        let (robber, cops) = *ids.get_or_insert_with(|| {
            let robber = world.insert(AgentSetup {
                control: Control::External,
                ..AgentSetup::new(Side::Robber, cell(0))
            });
            let cops = [2, 4].map(|i| world.insert(AgentSetup::new(Side::Cops, cell(i))));
            for _ in 0..64 * T {
                tick(&mut world);
            }
            (robber, cops)
        });
        // a new game begins with a turn
        world.remove(robber);
        for c in cops {
            world.remove(c);
        }
        tick(&mut world);
        let robber = world.insert(AgentSetup {
            control: Control::External,
            ..AgentSetup::new(Side::Robber, cell(0))
        });
        let cops = [2, 4].map(|i| world.insert(AgentSetup::new(Side::Cops, cell(i))));
        ids = Some((robber, cops));
        let (mut r, mut c) = (at(0), [at(2), at(4)]);
        let mut turns = 0u32;
        let mut done = false;
        let mut silent = 0;
        let mut last = [u64::MAX; 2];
        while turns < 10 * opt && silent < 10 * T {
            tick(&mut world);
            let now = world.tick();
            let departs = cops.map(|id| world.agent(id).unwrap().times().0);
            let begins = departs != last
                && departs
                    .iter()
                    .any(|&d| last.iter().all(|&l| l == u64::MAX || d > l));
            last = departs;
            silent += 1;
            if !begins && silent < T {
                continue;
            }
            silent = 0;
            turns += 1;
            for (i, &id) in cops.iter().enumerate() {
                if let Some(&end) = world.agent(id).unwrap().way().last() {
                    c[i] = end;
                }
            }
            if c.contains(&r) {
                done = true;
                break;
            }
            let best = graph
                .neighbours(r)
                .iter()
                .copied()
                .chain([r])
                .max_by_key(|&n| (value(n, &c), n == r))
                .unwrap();
            if best != r {
                world.order(robber, &[graph.cell(best)]);
                r = best;
            }
            if c.contains(&r) {
                done = true;
                break;
            }
            if std::env::var("TRACE").is_ok() {
                println!(
                    "turn {turns} tick {now} r {:?} c {:?} {:?} v {}",
                    graph.cell(r),
                    graph.cell(c[0]),
                    graph.cell(c[1]),
                    value(r, &c)
                );
            }
        }
        if done {
            caught += 1;
            let x = f64::from(turns) / f64::from(opt);
            ratio += x;
            worst = worst.max(x);
        }
    }
    println!(
        "{}: {caught}/{games} caught, {:.3}, worst {worst:.2}",
        args[1].rsplit('/').next().unwrap(),
        ratio / f64::from(caught.max(1))
    );
}
