//! Thousands of tile edits in one frame on a large map: all of them are in effect in the same tick, and agents walk on
//! in every turn.

use crate::common::app::{app, at, passable, turns_of};
use bevy::prelude::*;
use bevy_pursuit::engine::map::{Terrain, TileMap};
use bevy_pursuit::engine::search::Dice;
use bevy_pursuit::prelude::*;
use bevy_pursuit::{MapChanged, MapStatus};
use std::collections::BTreeMap;

const SIDE: i32 = 256;
const TURN: u32 = 4;
const EDITS: usize = 5_000;

#[derive(Resource, Default)]
struct Changes(Vec<MapChanged>);

/// A field with walls here and there, and pairs of a cop and a robber far from each other, who stands.
struct Field {
    app: App,
    map: Entity,
    walkers: Vec<Entity>,
    goals: Vec<IVec2>,
    dice: Dice,
}

impl Field {
    fn new(seed: u64) -> Self {
        let mut dice = Dice::new(seed);
        let mut map = TileMap::filled(SIDE as u16, SIDE as u16, Terrain::Floor).expect("cells");
        for cell in map.cells() {
            let inside = (2..SIDE as u16 - 2).contains(&cell.x);
            if inside && dice.below(8) == 0 {
                map.set(cell, Terrain::Wall);
            }
        }
        let mut app = app();
        app.insert_resource(turns_of(TURN))
            .init_resource::<Changes>()
            .add_systems(
                Last,
                |mut messages: MessageReader<MapChanged>, mut changes: ResMut<Changes>| {
                    changes.0.extend(messages.read());
                },
            );
        let map = app
            .world_mut()
            .spawn(PursuitMap::new(&map, Moves::Octile))
            .id();
        let world = app.world_mut();
        let (mut walkers, mut goals) = (Vec::new(), Vec::new());
        for index in 0..6_i32 {
            let row = 20 + 40 * index;
            let pursuit = world.spawn(Pursuit::default()).id();
            let cop = (Cop, GridPosition::new(0, row), InPursuit(pursuit));
            walkers.push(world.spawn(cop).id());
            let goal = IVec2::new(SIDE - 1, SIDE - 1 - row);
            let stands = AgentControl::External;
            world.spawn((Robber, GridPosition(goal), stands, InPursuit(pursuit)));
            goals.push(goal);
            // An errand the other way.
            let errand = AgentControl::WalkTo(IVec2::new(1, row + 9));
            let walker = (
                Cop,
                GridPosition::new(SIDE - 2, row),
                errand,
                InPursuit(pursuit),
            );
            walkers.push(world.spawn(walker).id());
            goals.push(IVec2::new(1, row + 9));
        }
        let mut field = Self {
            app,
            map,
            walkers,
            goals,
            dice,
        };
        while field.status() != MapStatus::Ready {
            field.app.update();
        }
        for _ in 0..4 * TURN {
            field.app.update();
        }
        field
    }

    fn status(&self) -> MapStatus {
        *self.app.world().get::<MapStatus>(self.map).expect("a map")
    }

    /// Whether an agent or its goal is on the tile or beside it.
    fn is_taken(&self, tile: IVec2) -> bool {
        let places = self.walkers.iter().map(|&walker| at(&self.app, walker));
        let mut all = places.chain(self.goals.iter().copied());
        all.any(|place| place.chebyshev_distance(tile) <= 2)
    }

    /// Edits tiles between two ticks: a third of them are real changes, and the others doors that are opened and closed.
    /// Returns the tiles that were edited, and whether they are passable afterwards.
    fn edit(&mut self, edits: usize) -> BTreeMap<(i32, i32), bool> {
        let mut after = BTreeMap::new();
        let mut list = Vec::new();
        while list.len() < edits {
            let tile = IVec2::from([(); 2].map(|()| self.dice.below(SIDE as usize) as i32));
            let key = (tile.x, tile.y);
            if self.is_taken(tile) || after.contains_key(&key) {
                continue;
            }
            let open = passable(&self.app, self.map, tile);
            match self.dice.below(5) {
                0 => list.extend([(tile, !open), (tile, open)]),
                1 => list.push((tile, open)),
                2 => list.extend([(tile, !open), (tile, open), (tile, !open)]),
                // Mostly walls open, so that the field does not fall apart.
                _ if !open => list.push((tile, true)),
                _ => continue,
            }
            let (_, last) = list[list.len() - 1];
            after.insert(key, last);
        }
        let mut map = self.app.world_mut().get_mut::<LiveMap>(self.map);
        let map = map.as_mut().expect("a map");
        let (ours, others) = list.split_at(edits / 2);
        for &(tile, open) in ours {
            map.set_passable(tile, open);
        }
        let outside = map.edits();
        for &(tile, open) in others {
            outside.set_passable(tile, open);
        }
        after
    }

    /// The number of agents that are still on their way.
    fn under_way(&self) -> usize {
        let all = self.walkers.iter().zip(&self.goals);
        let apart = |(&walker, goal): (&Entity, &IVec2)| {
            let here = at(&self.app, walker);
            here.chebyshev_distance(*goal) > 3
        };
        all.filter(|&agent| apart(agent)).count()
    }

    /// Plays a turn. Returns how many agents walk in it.
    fn play_turn(&mut self, each_tick: usize) -> usize {
        let mut walk = vec![false; self.walkers.len()];
        for _ in 0..TURN {
            if each_tick > 0 {
                self.edit(each_tick);
            }
            self.app.update();
            for (walk, &walker) in walk.iter_mut().zip(&self.walkers) {
                let step = self.app.world().get::<NextStep>(walker).expect("it");
                *walk |= !step.path.is_empty();
            }
        }
        walk.into_iter().filter(|walks| *walks).count()
    }
}

#[test]
fn five_thousand_edits_are_in_effect_in_the_same_tick_and_nobody_stops() {
    for edits in [5, EDITS] {
        let mut field = Field::new(edits as u64);
        for _ in 0..3 {
            let before = |field: &Field, (x, y)| passable(&field.app, field.map, IVec2::new(x, y));
            let old: Vec<bool> = (0..SIDE * SIDE)
                .map(|tile| before(&field, (tile % SIDE, tile / SIDE)))
                .collect();
            let after = field.edit(edits);
            let was = |(x, y): (i32, i32)| old[(y * SIDE + x) as usize];
            let of = |open| {
                let changed = after
                    .iter()
                    .filter(|&(&tile, &is)| is == open && was(tile) != open);
                changed.count()
            };
            let (opened, closed) = (of(true), of(false));
            field.app.world_mut().resource_mut::<Changes>().0.clear();
            field.app.update();
            for tile in 0..SIDE * SIDE {
                let key = (tile % SIDE, tile / SIDE);
                let expected = after.get(&key).copied().unwrap_or(was(key));
                assert_eq!(before(&field, key), expected, "{key:?}");
            }
            let changed = MapChanged {
                map: field.map,
                opened,
                closed,
                rebuilt: false,
            };
            assert_eq!(field.app.world().resource::<Changes>().0, [changed]);
            // To the end of the turn, and some more.
            for _ in 1..TURN {
                field.app.update();
            }
            let mut walked = Vec::new();
            for _ in 0..6 {
                walked.push((field.play_turn(0), field.under_way()));
            }
            let all = field.walkers.len();
            assert!(
                walked.iter().all(|&(walked, _)| walked == all),
                "{walked:?}"
            );
        }
    }
}

#[test]
fn agents_walk_on_while_thousands_of_tiles_change_in_every_tick() {
    let (mut walked, mut all) = (0, 0);
    for seed in 1..=8 {
        let mut field = Field::new(seed);
        for _ in 0..5 {
            walked += field.play_turn(EDITS);
            all += field.walkers.len();
        }
    }
    // Edits may shut a walker in, or make its path impassable while the abstraction is under repair.
    assert!(walked * 100 >= all * 97, "{walked} of {all}");
}
