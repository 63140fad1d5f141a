//! What is done to maps and agents.

use crate::headless::{open_tiles, tile};
use crate::town::{rooms, town};
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_pursuit::map::Cell;
use bevy_pursuit::plugin::{TableSettings, TableTiming};
use bevy_pursuit::prelude::*;
use bevy_pursuit::search::Dice;
use bevy_pursuit::world::Snapshot;
use std::path::Path;

/// Pursuits, on each map.
const PURSUITS: usize = 50;
const FEWEST: usize = 200;
const MOST: usize = 400;
/// Cells that are not as they were built, at most.
const MOST_CHANGED: usize = 150;

#[derive(Resource, Default)]
struct Captures(u64);

/// The app and all that is done to it.
pub struct Riot {
    pub app: App,
    pub maps: [Entity; 2],
    pub agents: Vec<Entity>,
    /// Agents that the game has put elsewhere or sent off in this tick.
    pub meddled: Vec<Entity>,
    /// Maps that were restored in this tick.
    pub went_back: Vec<usize>,
    pub acts: u64,
    pub taken: u32,
    pub restored: u32,
    pub dice: Dice,
    pursuits: [Entity; PURSUITS],
    sizes: [(u16, u16); 2],
    open: [Vec<UVec2>; 2],
    doors: [Vec<UVec2>; 2],
    changed: Vec<(usize, UVec2)>,
    saved: [Option<String>; 2],
}

impl Riot {
    pub fn new(seed: u64, tables: bool, folder: &Path) -> Self {
        let mut app = App::new();
        app.add_plugins((
            MinimalPlugins,
            AssetPlugin {
                file_path: folder.to_string_lossy().into_owned(),
                ..default()
            },
            PursuitPlugin::default(),
        ))
        .insert_resource(PursuitSettings {
            tables: TableSettings {
                solve: tables,
                memory: 16_000_000,
                max_bytes: 16_000_000,
                max_milliseconds: 1_000,
                timing: TableTiming::WhenReady,
                ..default()
            },
            ..default()
        })
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .init_resource::<Captures>()
        .add_observer(|_: On<Captured>, mut captures: ResMut<Captures>| captures.0 += 1);
        app.finish();
        app.cleanup();
        app.update(); // the first update starts time and has no tick yet
        let levels = [town(96, 80, seed), rooms(48, 40, seed)];
        let maps = [0, 1].map(|at| {
            let map = PursuitMap::new(&levels[at].map, [Moves::Octile, Moves::Orthogonal][at]);
            app.world_mut().spawn(map).id()
        });
        let pursuits = [(); PURSUITS].map(|()| app.world_mut().spawn(Pursuit::default()).id());
        let doors = [0, 1].map(|at| {
            let height = levels[at].map.height();
            levels[at]
                .doors
                .iter()
                .map(|&door| tile(height, door))
                .collect()
        });
        Self {
            app,
            maps,
            agents: Vec::new(),
            meddled: Vec::new(),
            went_back: Vec::new(),
            acts: 0,
            taken: 0,
            restored: 0,
            dice: Dice::new(seed),
            pursuits,
            sizes: [0, 1].map(|at| (levels[at].map.width(), levels[at].map.height())),
            open: [0, 1].map(|at| open_tiles(&levels[at].map)),
            doors,
            changed: Vec::new(),
            saved: [None, None],
        }
    }

    pub fn captures(&self) -> u64 {
        self.app.world().resource::<Captures>().0
    }

    /// What happens before a tick.
    pub fn stir(&mut self, tick: u64) -> Result<(), String> {
        self.meddled.clear();
        self.went_back.clear();
        while self.agents.len() < FEWEST {
            self.spawn();
        }
        // A quarter of the time nothing is built, and tables of the map as it is come into use.
        if tick.is_multiple_of(3) && tick / 256 % 4 != 3 {
            self.build();
        }
        for _ in 0..self.dice.below(3) {
            self.act();
        }
        self.let_go();
        if tick.is_multiple_of(97) {
            self.rule();
        }
        if tick.is_multiple_of(401) {
            self.save()?;
        }
        if tick.is_multiple_of(601) {
            self.load()?;
        }
        Ok(())
    }

    /// Doors move, walls come and go.
    fn build(&mut self) {
        for _ in 0..=self.dice.below(3) {
            let at = self.dice.below(2);
            let old = self.changed.len() >= MOST_CHANGED;
            let (at, place) = if old {
                self.changed.swap_remove(self.dice.below(MOST_CHANGED))
            } else if self.dice.below(3) > 0 {
                (at, self.doors[at][self.dice.below(self.doors[at].len())])
            } else {
                let (width, height) = self.sizes[at];
                let cell = [width, height].map(|side| self.dice.below(side.into()) as u16);
                (at, tile(height, Cell::new(cell[0], cell[1])))
            };
            if !old {
                self.changed.push((at, place));
            }
            let mut map = self.app.world_mut().get_mut::<PursuitMap>(self.maps[at]);
            let map = map.as_mut().expect("a map");
            let is_open = map.is_passable(place);
            map.set_passable(place, !is_open);
        }
    }

    /// A place on a map; seldom one that is not on it.
    fn place(&mut self, at: usize) -> GridPosition {
        if self.dice.below(40) == 0 {
            return GridPosition::new(self.dice.below(200) as u32, u32::MAX - 3);
        }
        let index = self.dice.below(self.open[at].len());
        GridPosition(self.open[at][index])
    }

    fn spawn(&mut self) {
        let at = self.dice.below(2);
        let agent = (
            self.place(at),
            OnMap(self.maps[at]),
            InPursuit(self.pursuits[self.dice.below(PURSUITS)]),
            PursuitSpeed(1 + self.dice.below(3) as u8),
        );
        let is_robber = self.dice.below(5) < 2;
        let mut entity = self.app.world_mut().spawn(agent);
        if is_robber {
            entity.insert(Robber);
        } else {
            entity.insert(Cop);
        }
        self.agents.push(entity.id());
    }

    /// Something happens to somebody.
    fn act(&mut self) {
        self.acts += 1;
        let (kind, number) = (self.dice.below(18), self.dice.below(8));
        let at = self.dice.below(2);
        let place = self.place(at);
        let near = IVec2::new(
            i32::from(self.dice.below(3) as u16) - 1,
            i32::from(self.dice.below(3) as u16) - 1,
        );
        let index = self.dice.below(self.agents.len());
        let agent = self.agents[index];
        let pursuit = InPursuit(self.pursuits[self.dice.below(PURSUITS)]);
        let home = self.maps[at];
        let mut entity = self.app.world_mut().entity_mut(agent);
        match kind {
            0 | 1 if self.agents.len() < MOST => self.spawn(),
            0..=2 => {
                entity.despawn();
                self.agents.swap_remove(index);
            }
            3 => {
                entity.remove::<Cop>().remove::<Caught>().insert(Robber);
            }
            4 => {
                entity.remove::<Robber>().remove::<Caught>().insert(Cop);
            }
            5 => {
                entity.insert(Sight(number as u16 * 3));
            }
            6 => {
                entity.remove::<Sight>();
            }
            7 => {
                entity.insert(TicksPerStep(number as u32 * 3));
            }
            8 => {
                entity.remove::<TicksPerStep>();
            }
            9 => {
                entity.insert(PursuitSpeed(number as u8));
            }
            10 => {
                entity.insert(pursuit);
            }
            11 => {
                entity.insert(Control::Steer(near));
            }
            12 => {
                entity.insert(Control::WalkTo(place.0));
            }
            13 => {
                entity.insert(Control::External);
            }
            14 => {
                entity.insert(Control::Policy);
            }
            15 => {
                entity.insert((OnMap(home), place));
                self.meddled.push(agent);
            }
            16 => {
                let from = entity.get::<GridPosition>().expect("an agent").0;
                let to = from.as_ivec2().saturating_add(near).as_uvec2();
                entity.insert(MoveOrder(vec![to, place.0]));
                self.meddled.push(agent);
            }
            _ => {
                entity.insert(place);
                self.meddled.push(agent);
            }
        }
    }

    /// Captured robbers come back elsewhere, most of them soon.
    fn let_go(&mut self) {
        let world = self.app.world_mut();
        let mut caught = world.query_filtered::<(Entity, &OnMap), With<Caught>>();
        let caught: Vec<_> = caught
            .iter(world)
            .map(|(robber, on)| (robber, on.0))
            .collect();
        for (robber, home) in caught {
            if self.dice.below(40) == 0 {
                let at = usize::from(home == self.maps[1]);
                let place = self.place(at);
                let mut robber = self.app.world_mut().entity_mut(robber);
                robber.remove::<Caught>().insert(place);
                self.meddled.push(robber.id());
            }
        }
    }

    /// Other settings, another clock for a pursuit.
    fn rule(&mut self) {
        let budgets = [0, 500, 5_000, 50_000];
        let turns = [1, 4, 16, 16, 16];
        let [budget, turn, tactics, clock, other] = [4, 5, 2, 2, 3].map(|end| self.dice.below(end));
        let mut settings = self.app.world_mut().resource_mut::<PursuitSettings>();
        settings.budget = TickBudget::Expansions(budgets[budget]);
        settings.ticks_per_turn = turns[turn];
        let tactics = [Tactics::Intercept, Tactics::Chase][tactics];
        settings.tactics = tactics;
        let clock = [Clock::Turns, Clock::FreeRunning][clock];
        let pursuit = self.pursuits[self.dice.below(PURSUITS)];
        let mut pursuit = self.app.world_mut().entity_mut(pursuit);
        pursuit.insert(tactics);
        if other > 0 {
            pursuit.insert(clock);
        } else {
            pursuit.remove::<Clock>();
        }
    }

    fn save(&mut self) -> Result<(), String> {
        let at = self.dice.below(2);
        let map = self.app.world().get::<PursuitMap>(self.maps[at]);
        let snapshot = map.and_then(PursuitMap::snapshot).ok_or("no snapshot")?;
        let text = serde_json::to_string(&snapshot).map_err(|error| error.to_string())?;
        self.saved[at] = Some(text);
        self.taken += 1;
        Ok(())
    }

    /// What has been saved last, of either map.
    pub fn saved(&self) -> Option<&str> {
        self.saved.iter().flatten().next().map(String::as_str)
    }

    /// A map goes back in time; agents that have gone meanwhile do not come back, and those who are on
    /// the other map by now stay there.
    fn load(&mut self) -> Result<(), String> {
        let at = self.dice.below(2);
        let Some(text) = &self.saved[at] else {
            return Ok(());
        };
        let snapshot: Snapshot = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let home = self.maps[at];
        let world = self.app.world_mut();
        let mut on = world.query::<&OnMap>();
        let here: Vec<Entity> = self
            .agents
            .iter()
            .copied()
            .filter(|&agent| on.get(world, agent).is_ok_and(|on| on.0 == home))
            .collect();
        let mut map = world.get_mut::<PursuitMap>(home);
        let map = map.as_mut().ok_or("no map")?;
        map.restore(snapshot, |entity| here.contains(&entity).then_some(entity))
            .map_err(|error| error.to_string())?;
        self.changed.retain(|&(of, _)| of != at);
        self.went_back.push(at);
        self.restored += 1;
        Ok(())
    }
}
