//! What agents announce comes true: the turns within which cops capture, and the turns for which a robber stays free.
//! In many small games with limited sight, doors, orders and agents that come late.

use crate::common;
use bevy::prelude::*;
use bevy_pursuit::TurnClock;
use bevy_pursuit::debug::FreeFor;
use bevy_pursuit::engine::map::{Terrain, TileMap};
use bevy_pursuit::engine::search::Dice;
use bevy_pursuit::prelude::*;
use common::app::{app, at, turns_of};

/// What the games of one kind contain.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::struct_excessive_bools, reason = "they are independent")]
struct Kind {
    cops_with_sight: bool,
    robber_with_sight: bool,
    doors: bool,
    orders_to_cops: bool,
    orders_to_robber: bool,
    ticks_per_turn: u32,
    tables: bool,
    clock: PursuitClock,
    cop_speed: u8,
    robber_speed: u8,
    cops_err: bool,
    robber_errs: bool,
}

impl Kind {
    fn any(dice: &mut Dice) -> Self {
        let mut bit = || dice.below(2) == 0;
        Self {
            cops_with_sight: bit() && bit(),
            robber_with_sight: bit() && bit(),
            doors: bit(),
            orders_to_cops: bit(),
            orders_to_robber: bit(),
            ticks_per_turn: if bit() { 4 } else { 1 },
            tables: bit(),
            cop_speed: if bit() { 1 } else { 2 },
            robber_speed: if bit() { 1 } else { 2 },
            cops_err: bit() && bit() && bit(),
            robber_errs: bit() && bit() && bit(),
            clock: match (bit(), bit()) {
                (true, true) => PursuitClock::FreeRunning,
                (true, false) => PursuitClock::Simultaneous,
                _ => PursuitClock::Turns,
            },
        }
    }
}

struct Game {
    app: App,
    map: Entity,
    cops: Vec<Entity>,
    robber: Entity,
    free: Vec<IVec2>,
    dice: Dice,
}

#[derive(Debug, Default)]
struct Seen {
    captured: usize,
    within: usize,
    free_for: usize,
    broken: Vec<String>,
    lost: usize,
}

impl Game {
    fn new(kind: Kind, seed: u64) -> Self {
        let mut dice = Dice::new(seed);
        let (width, height) = (5 + dice.below(6) as u16, 4 + dice.below(5) as u16);
        let mut map = TileMap::filled(width, height, Terrain::Floor).expect("some cells");
        let share = 3 + dice.below(5);
        for cell in map.cells() {
            if dice.below(share) == 0 {
                map.set(cell, Terrain::Wall);
            }
        }
        let mut app = app();
        let mut settings = turns_of(kind.ticks_per_turn);
        settings.seed = seed;
        settings.clock = kind.clock;
        if !kind.tables {
            settings.tables.max_bytes = 1;
        }
        app.insert_resource(settings);
        let home = app.world_mut().spawn(PursuitMap::new(&map, Moves::Octile));
        let home = home.id();
        let live = app.world().get::<LiveMap>(home).expect("a map");
        let free: Vec<IVec2> = map
            .cells()
            .filter(|&cell| map.is_passable(cell))
            .map(|cell| live.position(cell))
            .collect();
        let map = home;
        let mut place = || GridPosition(dice.pick(&free).expect("a free tile"));
        let places: [GridPosition; 4] = std::array::from_fn(|_| place());
        let many = 1 + dice.below(3);
        let sight = Sight(2 + dice.below(4) as u16);
        let cops = places[..many].iter().map(|&place| {
            let speed = PursuitSpeed(kind.cop_speed);
            let cop = app.world_mut().spawn((Cop, place, speed)).id();
            if kind.cops_err {
                app.world_mut().entity_mut(cop).insert(Mistakes(0.3));
            }
            if kind.cops_with_sight {
                app.world_mut().entity_mut(cop).insert(sight);
            }
            cop
        });
        let cops = cops.collect();
        let speed = PursuitSpeed(kind.robber_speed);
        let robber = app.world_mut().spawn((Robber, places[3], speed)).id();
        if kind.robber_errs {
            app.world_mut().entity_mut(robber).insert(Mistakes(0.3));
        }
        if kind.robber_with_sight {
            app.world_mut().entity_mut(robber).insert(sight);
        }
        Self {
            app,
            map,
            cops,
            robber,
            free,
            dice,
        }
    }

    fn turn(&self) -> u64 {
        let clock = self.app.world().get::<TurnClock>(self.map);
        clock.expect("a map").turn
    }

    fn state(&self, agent: Entity) -> &PursuitState {
        self.app.world().get::<PursuitState>(agent).expect("it")
    }

    /// An order to a tile beside the one on which the agent stands, or to wait.
    fn order(&mut self, agent: Entity) {
        let here = at(&self.app, agent);
        let [x, y] = [(); 2].map(|()| i32::from(self.dice.below(3) as u8) - 1);
        let to = here + IVec2::new(x, y);
        let path = if to == here || to.min_element() < 0 {
            Vec::new()
        } else {
            vec![to]
        };
        let mut agent = self.app.world_mut().entity_mut(agent);
        agent.insert(MoveOrder(path));
    }

    fn swing(&mut self) {
        let Some(door) = self.dice.pick(&self.free) else {
            return;
        };
        let mut map = self.app.world_mut().get_mut::<LiveMap>(self.map);
        let map = map.as_mut().expect("a map");
        let open = map.is_passable(door);
        map.set_passable(door, !open);
    }

    fn caught_in(&self) -> Option<u64> {
        Some(self.app.world().get::<Caught>(self.robber)?.turn)
    }

    /// Plays to the end, and counts what comes true.
    fn play(&mut self, kind: Kind, turns: u64, seen: &mut Seen) {
        // The turn in which the capture must have happened, and the turns until which there is none.
        let (mut captured_by, mut free_until): (Option<u64>, Option<u64>) = (None, None);
        let mut last = 0;
        while self.turn() < turns {
            let quiet = self
                .dice
                .below(if kind.ticks_per_turn == 1 { 12 } else { 50 })
                > 0;
            if !quiet && kind.doors && self.dice.below(2) == 0 {
                self.swing();
                (captured_by, free_until) = (None, None);
            }
            if !quiet && kind.orders_to_cops {
                let cop = self.dice.pick(&self.cops).expect("a cop");
                self.order(cop);
                (captured_by, free_until) = (None, None);
            }
            if !quiet && kind.orders_to_robber {
                self.order(self.robber);
                free_until = None;
                // A cop may be on its way to the tile that the robber now leaves.
                captured_by = captured_by.filter(|&by| by > self.turn());
            }
            self.app.update();
            let turn = self.turn();
            if let Some(caught) = self.caught_in() {
                if free_until.is_some_and(|until| caught <= until) {
                    seen.broken.push(format!(
                        "captured in turn {caught}, free until {free_until:?}"
                    ));
                }
                seen.captured += 1;
                return;
            }
            if captured_by.is_some_and(|by| turn > by) {
                seen.broken
                    .push(format!("free in turn {turn}, captured by {captured_by:?}"));
                captured_by = None;
            }
            if turn == last {
                continue;
            }
            last = turn;
            let within = self.cops.iter();
            let within = within.filter_map(|&cop| self.state(cop).captured_within());
            match within.max() {
                Some(within) => {
                    // The last of these turns ends when the next one begins.
                    let by = turn + u64::from(within) - 1;
                    captured_by = Some(captured_by.map_or(by, |before| before.min(by)));
                    seen.within += 1;
                }
                // The robber may have got out of sight.
                None if kind.cops_with_sight => captured_by = None,
                None => seen.lost += usize::from(captured_by.is_some()),
            }
            match self.state(self.robber).free_for() {
                // A robber that moves at the same time as the cops may be captured with this move.
                FreeFor::Exactly(0) | FreeFor::Turns(0) => {}
                FreeFor::Turns(turns) | FreeFor::Exactly(turns) => {
                    free_until = free_until.max(Some(turn + u64::from(turns)));
                    seen.free_for += 1;
                }
                FreeFor::Ever => {
                    free_until = Some(u64::MAX);
                    seen.free_for += 1;
                }
                // It may have lost sight of a cop.
                FreeFor::Unknown => free_until = None,
            }
        }
    }
}

#[test]
fn what_agents_announce_comes_true() {
    let dice = &mut Dice::new(1);
    let mut seen = Seen::default();
    for seed in 0..400 {
        let kind = Kind::any(dice);
        Game::new(kind, seed).play(kind, 60, &mut seen);
        assert!(seen.broken.is_empty(), "seed {seed}, {kind:?}: {seen:?}");
    }
    assert!(
        seen.captured > 100 && seen.within > 100 && seen.free_for > 1000,
        "{seen:?}"
    );
}
