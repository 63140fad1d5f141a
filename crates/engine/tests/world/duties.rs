//! Duties: patrols, posts and agents that follow others, beside chases.

use crate::common::hall::{LENGTH, Slices, agent, external, hall, settings};
use crate::common::map;
use pursuit_engine::game::Side;
use pursuit_engine::graph::{Graph, TileEdit, Vertex, steps_from};
use pursuit_engine::map::{Cell, Kinds, MapEdit, Moves, Terrain, TileMap};
use pursuit_engine::search::Dice;
use pursuit_engine::world::{
    Activity, AgentId, AgentRecord, AgentSetup, Control, Duty, Expansions, GiveUp, Meter,
    PatrolOrder, PursuitClock, PursuitWorld, WorldEvent,
};

const CLOCKS: [PursuitClock; 3] = [
    PursuitClock::Turns,
    PursuitClock::FreeRunning,
    PursuitClock::Simultaneous,
];

const ROOMS: [&str; 7] = [
    "....#....",
    ".##.#.##.",
    ".#.....#.",
    ".#..#..#.",
    ".##.#.##.",
    "....#....",
    "....#....",
];

fn cell(x: u16, y: u16) -> Cell {
    Cell::new(x, y)
}

fn world_on(rows: &[&str], clock: PursuitClock) -> PursuitWorld {
    PursuitWorld::new(&map(rows), Moves::Octile, settings(clock))
}

fn patrol(posts: &[Cell], order: PatrolOrder, wait: u16) -> Duty {
    Duty::Patrol {
        posts: posts.to_vec(),
        order,
        wait,
    }
}

fn record(world: &PursuitWorld, id: AgentId) -> &AgentRecord {
    world.agent(id).expect("it is there")
}

fn place_of(world: &PursuitWorld, id: AgentId) -> Cell {
    record(world, id).setup().cell
}

fn tick(world: &mut PursuitWorld, edits: &[TileEdit], meter: &mut dyn Meter) {
    world.begin_tick(edits);
    world.arrive();
    world.decide(meter);
}

/// Plays some turns. Returns the events with their ticks, and where the agent of the event was.
fn play(world: &mut PursuitWorld, turns: u64) -> Vec<(u64, WorldEvent)> {
    let mut events = Vec::new();
    for _ in 0..turns * u64::from(LENGTH) {
        tick(world, &[], &mut Expansions(10_000));
        let now = world.tick();
        events.extend(world.events().iter().cloned().map(|event| (now, event)));
    }
    events
}

/// Plays until an agent has arrived so many times: when and where that was.
fn arrivals(world: &mut PursuitWorld, id: AgentId, number: usize) -> Vec<(u64, Cell)> {
    let mut arrived = Vec::new();
    for _ in 0..40_000 {
        tick(world, &[], &mut Expansions(10_000));
        if world.events().contains(&WorldEvent::Arrived(id)) {
            arrived.push((world.tick(), place_of(world, id)));
            if arrived.len() == number {
                break;
            }
        }
    }
    assert_eq!(arrived.len(), number, "{arrived:?}");
    arrived
}

/// The steps from a cell to each vertex, by breadth-first search.
fn distances(graph: &Graph, from: Cell) -> Vec<u32> {
    let start = graph.vertex(from).map(Vertex::index);
    let steps = |at: usize| {
        let vertex = graph.iter().find(|vertex| vertex.index() == at);
        vertex
            .into_iter()
            .flat_map(|at| graph.neighbours(at).iter().map(|next| next.index()))
    };
    steps_from(graph.slots(), start, steps)
}

fn steps_between(graph: &Graph, from: Cell, to: Cell) -> u32 {
    let to = graph.vertex(to).expect("no wall");
    distances(graph, from)[to.index()]
}

#[test]
fn patrols_come_to_their_posts_in_order_and_in_time() {
    let posts = [cell(0, 0), cell(8, 0), cell(4, 2), cell(0, 6)];
    let rounds = [0, 1, 2, 3, 0, 1, 2, 3, 0];
    let to_and_fro = [0, 1, 2, 3, 2, 1, 0, 1, 2];
    for clock in CLOCKS {
        for (order, expected) in [
            (PatrolOrder::Rounds, rounds),
            (PatrolOrder::ToAndFro, to_and_fro),
        ] {
            for wait in [0, 3] {
                for control in [Control::Policy, Control::Duty] {
                    let mut world = world_on(&ROOMS, clock);
                    let guard = world.insert(AgentSetup {
                        control,
                        ..agent(Side::Cops, 2, 2)
                    });
                    world.set_duty(guard, Some(patrol(&posts, order, wait)));
                    let came = arrivals(&mut world, guard, expected.len());
                    let places: Vec<Cell> = came.iter().map(|&(_, place)| place).collect();
                    assert_eq!(
                        places,
                        expected.map(|post| posts[post]),
                        "{clock:?} {order:?}"
                    );
                    for [(left, from), (arrived, to)] in came.array_windows() {
                        let steps = steps_between(world.graph(), *from, *to);
                        let turns = u64::from(steps) + u64::from(wait);
                        let what = format!("{clock:?} {order:?} {wait} {from:?} {to:?}");
                        assert_eq!(arrived - left, turns * u64::from(LENGTH), "{what}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_random_patrol_comes_to_all_posts_and_to_none_twice_in_a_row() {
    let posts = [cell(0, 0), cell(8, 0), cell(4, 2), cell(0, 6), cell(8, 6)];
    let mut runs = Vec::new();
    for seed in [1, 1, 2] {
        let settings = pursuit_engine::world::PursuitSettings {
            seed,
            ..settings(PursuitClock::Turns)
        };
        let mut world = PursuitWorld::new(&map(&ROOMS), Moves::Octile, settings);
        let guard = world.insert(agent(Side::Cops, 0, 0));
        world.set_duty(guard, Some(patrol(&posts, PatrolOrder::Random, 0)));
        let came = arrivals(&mut world, guard, 60);
        let places: Vec<Cell> = came.iter().map(|&(_, place)| place).collect();
        for post in posts {
            let times = places.iter().filter(|&&place| place == post).count();
            assert!((4..=25).contains(&times), "{post:?}: {times}");
        }
        assert!(places.array_windows().all(|[one, next]| one != next));
        runs.push(places);
    }
    assert_eq!(runs[0], runs[1]);
    assert_ne!(runs[0], runs[2]);
}

#[test]
fn an_agent_on_its_post_waits_there_and_says_so_once() {
    for clock in CLOCKS {
        let mut world = world_on(&ROOMS, clock);
        let guard = world.insert(agent(Side::Cops, 0, 0));
        world.set_duty(guard, Some(Duty::Post(cell(8, 6))));
        arrivals(&mut world, guard, 1);
        let events = play(&mut world, 30);
        assert_eq!(events, [], "{clock:?}");
        assert_eq!(record(&world, guard).state().activity, Activity::Waiting);
        assert!(record(&world, guard).is_on_duty());
        // The game leads it away: it comes back.
        world.place(guard, cell(5, 2));
        arrivals(&mut world, guard, 1);
        assert_eq!(place_of(&world, guard), cell(8, 6), "{clock:?}");
        // The same again is nothing new.
        world.set_duty(guard, Some(Duty::Post(cell(8, 6))));
        assert_eq!(play(&mut world, 5), [], "{clock:?}");
        world.set_duty(guard, None);
        play(&mut world, 3);
        assert_eq!(record(&world, guard).state().activity, Activity::Idle);
    }
}

#[test]
fn posts_without_a_way_are_left_out_and_told_once() {
    let rows = ["...#.", "...#.", "....."];
    let door = cell(3, 2);
    for clock in CLOCKS {
        for order in [
            PatrolOrder::Rounds,
            PatrolOrder::ToAndFro,
            PatrolOrder::Random,
        ] {
            let mut world = world_on(&rows, clock);
            let guard = world.insert(agent(Side::Cops, 1, 1));
            // A wall, off the map, behind the door, and two that can be reached.
            let posts = [cell(3, 0), cell(40, 7), cell(4, 0), cell(0, 0), cell(2, 2)];
            world.set_duty(guard, Some(patrol(&posts, order, 0)));
            let shut = TileEdit {
                cell: door,
                passable: false,
            };
            let mut told = Vec::new();
            let mut arrived = 0;
            tick(&mut world, &[shut], &mut Expansions(10_000));
            for _ in 0..120 * u64::from(LENGTH) {
                for event in world.events() {
                    match event {
                        WorldEvent::NoWay(_) => told.extend(record(&world, guard).refused_post()),
                        WorldEvent::Arrived(_) => arrived += 1,
                        other => panic!("{other:?}"),
                    }
                }
                tick(&mut world, &[], &mut Expansions(10_000));
            }
            told.sort_unstable();
            let mut closed = [posts[0], posts[1], posts[2]];
            closed.sort_unstable();
            assert_eq!(told, closed, "{clock:?} {order:?}");
            assert!(arrived > 15, "{clock:?} {order:?}: {arrived}");
            // The door opens: it goes there.
            let open = TileEdit {
                cell: door,
                passable: true,
            };
            tick(&mut world, &[open], &mut Expansions(10_000));
            let mut is_there = false;
            for _ in 0..120 * u64::from(LENGTH) {
                tick(&mut world, &[], &mut Expansions(10_000));
                is_there |= place_of(&world, guard) == posts[2];
                assert!(!world.events().contains(&WorldEvent::NoWay(guard)));
            }
            assert!(is_there, "{clock:?} {order:?}");
        }
    }
}

#[test]
fn a_patrol_whose_posts_are_all_closed_stands_and_one_without_posts_too() {
    for clock in CLOCKS {
        let mut world = world_on(&["..#..", "..#.."], clock);
        let guard = world.insert(agent(Side::Cops, 0, 0));
        let posts = [cell(2, 0), cell(4, 0), cell(4, 0), cell(9, 9)];
        world.set_duty(guard, Some(patrol(&posts, PatrolOrder::Rounds, 5)));
        let events = play(&mut world, 20);
        assert_eq!(events.len(), 3, "{clock:?}: {events:?}");
        assert_eq!(record(&world, guard).state().activity, Activity::Stuck);
        for duty in [
            patrol(&[], PatrolOrder::Random, 0),
            Duty::Follow {
                leader: guard,
                apart: 0,
            },
        ] {
            world.set_duty(guard, Some(duty));
            assert_eq!(play(&mut world, 20), [], "{clock:?}");
            assert_eq!(place_of(&world, guard), cell(0, 0));
        }
    }
}

fn any_map(dice: &mut Dice, side: usize) -> TileMap {
    let size = |dice: &mut Dice| (side + dice.below(side)) as u16;
    let (width, height) = (size(dice), size(dice));
    let mut map = TileMap::filled(width, height, Terrain::Floor).expect("some cells");
    for at in map.cells().collect::<Vec<_>>() {
        if dice.below(4) == 0 {
            map.set(at, Terrain::Wall);
        }
    }
    map
}

fn free_cells(world: &PursuitWorld) -> Vec<Cell> {
    let graph = world.graph();
    graph.iter().map(|at| graph.cell(at)).collect()
}

#[test]
fn whoever_follows_stays_near_and_keeps_off() {
    let (mut walked, mut near) = (0, 0);
    for seed in 0..500 {
        let dice = &mut Dice::new(seed);
        let clock = CLOCKS[seed as usize % 3];
        let moves = [Moves::Octile, Moves::Orthogonal][dice.below(2)];
        let map = any_map(dice, 5);
        let mut world = PursuitWorld::new(&map, moves, settings(clock));
        let free = free_cells(&world);
        let any = |dice: &mut Dice| dice.pick(&free).expect("some");
        let (start, goal) = (any(dice), any(dice));
        let leader = world.insert(AgentSetup {
            control: Control::WalkTo(goal),
            ..agent(Side::Robber, start.x, start.y)
        });
        let apart = 1 + dice.below(3) as u8;
        let begin = any(dice);
        let follower = world.insert(AgentSetup {
            control: Control::Duty,
            pursuit: 1,
            ..agent([Side::Cops, Side::Robber][dice.below(2)], begin.x, begin.y)
        });
        world.set_duty(follower, Some(Duty::Follow { leader, apart }));
        for _ in 0..3 {
            let goal = any(dice);
            world.change(leader, |setup| setup.control = Control::WalkTo(goal));
            for _ in 0..30 * u64::from(LENGTH) {
                tick(&mut world, &[], &mut Expansions(10_000));
                let (own, other) = (record(&world, follower), record(&world, leader));
                let end = own.way().last().map(|&end| world.graph().cell(end));
                walked += u64::from(end.is_some());
                // It never sets out onto the leader, as far as it knows where that one goes.
                let stands = other.way().is_empty();
                let is_new = own.times().0 == world.tick();
                let is_on_it = end == Some(other.setup().cell);
                assert!(!(is_new && stands && is_on_it), "{seed}");
            }
            // The leader has arrived, and stands.
            let (own, there) = (place_of(&world, follower), place_of(&world, leader));
            let steps = steps_between(world.graph(), own, there);
            if steps_between(world.graph(), begin, there) < u32::MAX {
                near += 1;
                let apart = u32::from(apart);
                // Counted without walls, and the line between them is free: a corner may cost some steps.
                let crow = match moves {
                    Moves::Octile => own.max_norm(there),
                    _ => u32::from(own.x.abs_diff(there.x) + own.y.abs_diff(there.y)),
                };
                let is_near = steps <= apart || crow <= apart && steps <= 2 * apart;
                assert!(steps > 0 && is_near, "{seed}: {steps} {apart}");
            }
        }
    }
    assert!(walked > 20_000 && near > 500, "{walked} {near}");
}

#[test]
fn a_leader_that_leaves_ends_the_duty_and_circles_of_followers_do_no_harm() {
    for clock in CLOCKS {
        let mut world = hall(clock, 12, 12);
        let all: Vec<AgentId> = (0..4)
            .map(|number| {
                world.insert(AgentSetup {
                    control: Control::Duty,
                    ..agent(Side::Cops, 3 * number, 5)
                })
            })
            .collect();
        for (number, &id) in all.iter().enumerate() {
            let leader = all[(number + 1) % 4];
            world.set_duty(id, Some(Duty::Follow { leader, apart: 2 }));
        }
        play(&mut world, 20);
        world.remove(all[1]);
        play(&mut world, 4);
        assert_eq!(record(&world, all[0]).duty(), None, "{clock:?}");
        assert!(record(&world, all[2]).duty().is_some(), "{clock:?}");
        // Unknown agents, and the duty of an agent that has left.
        world.set_duty(all[1], Some(Duty::Post(cell(0, 0))));
        world.set_duty(
            all[2],
            Some(Duty::Follow {
                leader: all[1],
                apart: 2,
            }),
        );
        play(&mut world, 4);
        assert_eq!(record(&world, all[2]).duty(), None, "{clock:?}");
    }
}

/// A guard walks its rounds, sees a robber, hunts it, loses it, and walks its rounds again.
#[test]
fn a_guard_hunts_whom_it_sees_and_returns_to_its_rounds() {
    let rows = [
        "............#...",
        "............#...",
        "............#...",
        "............#...",
    ];
    for clock in CLOCKS {
        let mut world = world_on(&rows, clock);
        let guard = world.insert(AgentSetup {
            sight: Some(6),
            patience: 5,
            ..agent(Side::Cops, 0, 0)
        });
        let robber = world.insert(external(Side::Robber, 14, 1));
        let posts = [cell(0, 0), cell(4, 3)];
        world.set_duty(guard, Some(patrol(&posts, PatrolOrder::Rounds, 1)));
        arrivals(&mut world, guard, 4);
        assert!(
            record(&world, guard).is_on_duty(),
            "{clock:?}: nobody has seen the robber"
        );
        for round in 0..3 {
            world.place(robber, cell(9, 2));
            let events = play(&mut world, 4);
            let (own, known) = (record(&world, guard), &events);
            assert_eq!(own.target(), Some(robber), "{clock:?} {round}: {known:?}");
            assert!(!own.is_on_duty(), "{clock:?} {round}");
            world.place(robber, cell(14, 1));
            let events = play(&mut world, 24);
            let gave_up = WorldEvent::GaveUp {
                id: guard,
                robber,
                because: GiveUp::Unseen,
            };
            let times = events.iter().filter(|(_, event)| *event == gave_up).count();
            assert_eq!(times, 1, "{clock:?} {round}: {events:?}");
            assert_eq!(record(&world, guard).target(), None);
            arrivals(&mut world, guard, 3);
        }
        // It captures whom it can.
        world.place(robber, cell(7, 2));
        let events = play(&mut world, 40);
        let is_capture = |event: &WorldEvent| matches!(event, WorldEvent::Captured { .. });
        assert!(
            events.iter().any(|(_, event)| is_capture(event)),
            "{clock:?}"
        );
        arrivals(&mut world, guard, 3);
    }
}

/// A robber with a duty does it until it sees a cop, and goes on when it has forgotten the cop.
#[test]
fn a_robber_goes_about_its_business_until_it_sees_a_cop() {
    for clock in CLOCKS {
        let mut world = hall(clock, 30, 4);
        let robber = world.insert(AgentSetup {
            sight: Some(5),
            ..agent(Side::Robber, 0, 0)
        });
        let cop = world.insert(external(Side::Cops, 29, 3));
        let posts = [cell(2, 0), cell(9, 3)];
        world.set_duty(robber, Some(patrol(&posts, PatrolOrder::ToAndFro, 0)));
        arrivals(&mut world, robber, 5);
        world.place(cop, cell(12, 2));
        let events = play(&mut world, 12);
        assert_eq!(
            record(&world, robber).state().activity,
            Activity::Waiting,
            "{events:?}"
        );
        assert!(place_of(&world, robber).x < 8, "{clock:?}");
        world.place(cop, cell(29, 3));
        arrivals(&mut world, robber, 5);
    }
}

/// A robber with nerve, which sees everything, is on its way to a hut until a cop comes near, and goes on when the cop has left.
#[test]
fn a_robber_with_nerve_flees_from_near_cops_only() {
    for clock in CLOCKS {
        let mut world = hall(clock, 40, 5);
        let hut = cell(30, 2);
        let robber = world.insert(AgentSetup {
            nerve: Some(6),
            ..agent(Side::Robber, 10, 2)
        });
        let cop = world.insert(external(Side::Cops, 0, 2));
        world.set_duty(robber, Some(Duty::Post(hut)));
        play(&mut world, 8);
        assert!(record(&world, robber).is_on_duty(), "{clock:?}");
        let here = place_of(&world, robber);
        assert!((13..20).contains(&here.x), "{clock:?}: {here:?}");
        // A cop ahead: within the nerve it turns round, and it does not go on while the cop is only one step farther away.
        world.place(cop, cell(here.x + 5, 2));
        play(&mut world, 6);
        let fled = place_of(&world, robber);
        assert!(fled.x < here.x, "{clock:?}: {fled:?}");
        world.place(cop, cell(fled.x + 7, 2));
        play(&mut world, 1);
        assert!(!record(&world, robber).is_on_duty(), "{clock:?}");
        world.place(cop, cell(0, 4));
        let arrived = arrivals(&mut world, robber, 1);
        assert_eq!(arrived[0].1, hut, "{clock:?}");
        // Without nerve, it leaves its post for any cop that it sees.
        world.change(robber, |setup| setup.nerve = None);
        play(&mut world, 1);
        assert!(!record(&world, robber).is_on_duty(), "{clock:?}");
    }
}

/// Doors, other kinds, other sides, a capture and other duties: the duty goes on.
#[test]
fn duties_outlast_what_happens_to_their_agents() {
    const KEY: Kinds = Kinds::from_bits(1);
    let posts = [cell(0, 0), cell(6, 0), cell(6, 2)];
    for clock in CLOCKS {
        let mut world = world_on(&["...#...", "...#...", "......."], clock);
        let begin = |world: &mut PursuitWorld, edits: &[MapEdit]| {
            world.begin_tick_with(edits);
            world.arrive();
            world.decide(&mut Expansions(10_000));
        };
        let at = cell(3, 2);
        let guard = world.insert(agent(Side::Cops, 0, 2));
        world.set_duty(guard, Some(patrol(&posts, PatrolOrder::Rounds, 0)));
        arrivals(&mut world, guard, 4);
        world.change(guard, |setup| setup.side = Side::Robber);
        arrivals(&mut world, guard, 4);
        world.hold(guard);
        assert!(
            play(&mut world, 10).is_empty(),
            "{clock:?}: who is captured does nothing"
        );
        world.release(guard);
        arrivals(&mut world, guard, 4);
        world.change(guard, |setup| setup.side = Side::Cops);
        arrivals(&mut world, guard, 4);
        // The way through is for others, until the guard has the key.
        begin(&mut world, &[MapEdit::Kinds { at, kinds: KEY }]);
        let told = play(&mut world, 40);
        let refused = told
            .iter()
            .filter(|(_, event)| *event == WorldEvent::NoWay(guard));
        assert!((1..=2).contains(&refused.count()), "{clock:?} {told:?}");
        world.change(guard, |setup| setup.kinds = KEY);
        let came = arrivals(&mut world, guard, 6);
        for post in posts {
            assert!(
                came.iter().any(|&(_, place)| place == post),
                "{clock:?} {post:?}"
            );
        }
        // Other posts: it goes on with the post of the same number.
        let later = posts.map(|post| cell(post.x, 2 - post.y));
        world.set_duty(guard, Some(patrol(&later, PatrolOrder::Rounds, 0)));
        arrivals(&mut world, guard, 4);
    }
}

/// Without any budget, agents walk where no wall is between; with very little, everywhere.
#[test]
fn duties_go_on_with_no_budget_and_with_slices() {
    for clock in CLOCKS {
        let mut world = hall(clock, 10, 10);
        let guard = world.insert(agent(Side::Cops, 0, 0));
        let posts = [cell(9, 4), cell(2, 9)];
        world.set_duty(guard, Some(patrol(&posts, PatrolOrder::Rounds, 1)));
        let mut arrived = 0;
        for _ in 0..100 * u64::from(LENGTH) {
            tick(&mut world, &[], &mut Expansions(0));
            arrived += world.events().len();
        }
        assert!(arrived >= 8, "{clock:?}: {arrived}");
        let budgets: [&mut dyn Meter; 2] = [&mut Expansions(80), &mut Slices(200)];
        for meter in budgets {
            let mut world = world_on(&ROOMS, clock);
            let guard = world.insert(agent(Side::Cops, 0, 0));
            let leader = world.insert(AgentSetup {
                control: Control::Duty,
                ..agent(Side::Cops, 8, 0)
            });
            let posts = [cell(0, 0), cell(8, 6), cell(0, 6)];
            world.set_duty(leader, Some(patrol(&posts, PatrolOrder::Rounds, 4)));
            world.set_duty(guard, Some(Duty::Follow { leader, apart: 1 }));
            let (mut arrived, mut apart) = (0, 0);
            for _ in 0..150 * u64::from(LENGTH) {
                tick(&mut world, &[], &mut *meter);
                arrived += world.events().len();
                if world.events().contains(&WorldEvent::Arrived(leader)) {
                    apart += place_of(&world, guard).max_norm(place_of(&world, leader));
                }
            }
            assert!(arrived >= 8, "{clock:?}: {arrived}");
            assert!(
                apart as usize <= 4 * arrived,
                "{clock:?}: {apart} {arrived}"
            );
        }
    }
}
