//! The scene: a level, the starts of its agents, and the entities of both.

use crate::args::Args;
use crate::art;
use bevy::prelude::*;
use bevy_ecs_tilemap::prelude::*;
use bevy_pursuit::engine::graph::Graph;
use bevy_pursuit::engine::map::{AgentStart, BodySize, Cell, PursuitLevel};
use bevy_pursuit::engine::search::Distances;
use bevy_pursuit::prelude::*;
use bevy_pursuit::{AgentKinds, Kinds, LayerRules};
use rand_pcg::Pcg32;
use rand_pcg::rand_core::Rng as _;
use std::num::NonZeroU8;

/// The side of a tile in the world.
pub const TILE: f32 = 32.0;

const HARBOUR: &str = include_str!("../../assets/levels/harbour.level.ron");

/// A level and how it is played.
#[derive(Resource, Debug, Clone)]
pub struct Scene {
    pub level: PursuitLevel,
    pub seed: Option<u64>,
    tactics: Tactics,
    budget: u32,
    cops: usize,
    cop_speed: Option<NonZeroU8>,
    mistakes: f32,
}

/// A tile of a door, with the index of the door in the level.
#[derive(Component, Debug, Clone, Copy)]
#[cfg_attr(not(feature = "demo"), expect(dead_code, reason = "for the window"))]
pub struct DoorTile(pub usize);

impl Scene {
    /// Loads the level that the command line names.
    pub fn load(args: &Args) -> Result<Self, String> {
        let level = match &args.map {
            None => {
                PursuitLevel::parse(HARBOUR).map_err(|error| error.in_file("harbour").to_string())
            }
            Some(path) => {
                let name = path.display().to_string();
                std::fs::read_to_string(path)
                    .map_err(|error| format!("{name}: {error}"))
                    .and_then(|text| {
                        PursuitLevel::parse(&text).map_err(|error| error.in_file(name).to_string())
                    })
            }
        }?;
        let scene = Self {
            seed: args.seed,
            tactics: args.tactics.into(),
            budget: args.budget,
            cops: match (args.cops, level.cops().len()) {
                (Some(cops), _) => cops.into(),
                (None, 0) => 2,
                (None, own) => own,
            },
            cop_speed: args.cop_speed.and_then(NonZeroU8::new),
            mistakes: args.mistakes,
            level,
        };
        if scene.places().is_empty() {
            return Err("no cell of this map is free for an agent".into());
        }
        Ok(scene)
    }

    /// The name of the scene.
    pub fn name(&self) -> &str {
        match self.level.name() {
            "" => "unnamed map",
            name => name,
        }
    }

    /// The settings of the plugin.
    pub fn settings(&self) -> PursuitSettings {
        PursuitSettings {
            tactics: self.tactics,
            budget: TickBudget::Expansions(self.budget),
            ..default()
        }
    }

    /// The starts of cops and robbers.
    ///
    /// Without a seed, those of the level; missing agents start at random places.
    pub fn cast(&self) -> (Vec<AgentStart>, Vec<AgentStart>) {
        let own = self.level.cops();
        let default = NonZeroU8::new(2).unwrap_or(NonZeroU8::MIN);
        let last = own.last().map_or(default, |start| start.speed);
        let places = self.places();
        let mut random = Pcg32::new(self.seed.unwrap_or(0), 1);
        let mut place = || places[random.next_u32() as usize % places.len()];

        let keep = self.seed.is_none();
        let cops: Vec<AgentStart> = (0..self.cops)
            .map(|index| {
                let own = own.get(index);
                let speed = own.map_or(last, |start| start.speed);
                let at = own.filter(|_| keep).map(|start| start.at);
                AgentStart {
                    at: at.unwrap_or_else(&mut place),
                    speed: self.cop_speed.unwrap_or(speed),
                    kinds: own.map_or(Kinds::NONE, |start| start.kinds),
                    size: own.map_or(BodySize::ONE, |start| start.size),
                }
            })
            .collect();
        let mut robbers = self.level.robbers().to_vec();
        if robbers.is_empty() || !keep {
            let normal = AgentStart {
                at: Cell::default(),
                speed: NonZeroU8::MIN,
                kinds: Kinds::NONE,
                size: BodySize::ONE,
            };
            robbers.resize(robbers.len().max(1), normal);
            let far = |at: &Cell| cops.iter().map(|cop| cop.at.max_norm(*at)).min();
            for robber in &mut robbers {
                // The farthest from the cops of a few tries.
                let tries = std::iter::repeat_with(&mut place).take(12);
                robber.at = tries.max_by_key(far).unwrap_or_default();
            }
        }
        (cops, robbers)
    }

    /// The cells where an agent may start: the spawn points, or the largest connected part of the map.
    fn places(&self) -> Vec<Cell> {
        if !self.level.spawns().is_empty() {
            return self.level.spawns().to_vec();
        }
        let graph = Graph::new(&self.level.initial_map(), self.level.moves());
        let mut distances = Distances::default();
        let mut seen = vec![false; graph.slots()];
        let mut largest = Vec::new();
        for vertex in graph.iter() {
            if seen[vertex.index()] {
                continue;
            }
            distances.measure(&graph, vertex);
            for part in distances.reachable() {
                seen[part.index()] = true;
            }
            if distances.reachable().len() > largest.len() {
                largest = distances.reachable().to_vec();
            }
        }
        let mut cells: Vec<Cell> = largest.into_iter().map(|v| graph.cell(v)).collect();
        cells.sort_unstable();
        cells
    }
}

/// The position of a cell: rows are counted from the top in a level, and from the bottom in a tilemap.
pub fn position(level: &PursuitLevel, cell: Cell) -> IVec2 {
    let up = level.map().height() - 1 - cell.y;
    IVec2::new(cell.x.into(), up.into())
}

/// Spawns the layer with its tiles.
pub fn spawn_layer(commands: &mut Commands, scene: &Scene, texture: TilemapTexture) -> Entity {
    let level = &scene.level;
    let map = level.map();
    let size = TilemapSize {
        x: map.width().into(),
        y: map.height().into(),
    };
    let open = level.initial_map();
    let layer = commands.spawn_empty().id();
    let mut storage = TileStorage::empty(size);
    for cell in map.cells() {
        let position = TilePos::from(position(level, cell).as_uvec2());
        let tile = TileBundle {
            position,
            tilemap_id: TilemapId(layer),
            texture_index: TileTextureIndex(art::tile(level, cell)),
            ..default()
        };
        let mut tile = commands.spawn(tile);
        if map.is_passable(cell) {
            tile.insert(Passable(open.is_passable(cell)));
        }
        if let Some(door) = level.doors().iter().position(|d| d.cells.contains(&cell)) {
            tile.insert(DoorTile(door));
        }
        storage.set(&position, tile.id());
    }
    let side = TilemapTileSize { x: TILE, y: TILE };
    commands.entity(layer).insert((
        (
            PursuitMap::of_layer(level.moves()),
            LayerRules::of_level(level),
        ),
        size,
        storage,
        texture,
        side,
        TilemapGridSize::from(side),
        TilemapType::Square,
        TilemapAnchor::Center,
        TilemapSpacing::default(),
        TilemapRenderSettings::default(),
        Transform::default(),
        Visibility::default(),
    ));
    layer
}

/// Spawns the agents of the scene.
pub fn spawn_agents(commands: &mut Commands, scene: &Scene) {
    let (cops, robbers) = scene.cast();
    let place = |start: &AgentStart| {
        (
            GridPosition(position(&scene.level, start.at)),
            PursuitSpeed(start.speed.get()),
            start.size,
            Glide,
        )
    };
    for (number, start) in cops.iter().enumerate() {
        let name = Name::new(format!("cop {}", number + 1));
        let kinds = AgentKinds(scene.level.kinds_of_cop(start));
        let mut cop = commands.spawn((Cop, place(start), kinds, name));
        if scene.mistakes > 0.0 {
            cop.insert(Mistakes(scene.mistakes));
        }
    }
    for start in &robbers {
        let kinds = AgentKinds(scene.level.kinds_of_robber(start));
        commands.spawn((Robber, place(start), kinds, Name::new("robber")));
    }
}
