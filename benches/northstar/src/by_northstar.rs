//! Cops played by `bevy_northstar`, which follow their robbers by path finding.
//!
//! This follows the manual of the plugin: the component `Pathfind` of an agent requests a path, the
//! plugin adds `NextPos`, the game moves the agent and removes `NextPos`. The manual does not cover
//! moving goals; this file does what it recommends for changing grids (remove `NextPos` and `Path`,
//! insert `Pathfind` again).
//!
//! The systems below are those that a game has to write. They are timed with the plugin, and use it
//! favourably: they spread path requests evenly over the ticks between two steps, and request paths
//! from the cell where an agent will be after its step.
//!
//! Notes on the results, from the source code of 0.7.0. `Grid::build` after a door change visits all
//! nodes of the map for each chunk that it rebuilds (nine for a door), so its time grows with the map.
//! Nodes of two diagonally adjacent chunks are connected without applying the filter, so some paths
//! cut corners; the referee puts these cops back. If a door has cut off a cop, there is no path
//! (hierarchical modes have no partial paths): the cop waits, which counts as a missing decision.

use crate::chaser::{Chaser, Remarks};
use crate::referee::{Places, Ruling, Step, Steps, TICKS_PER_TURN};
use bevy::prelude::*;
use bevy_northstar::prelude::*;
use pursuit_engine::graph::TileEdit;
use pursuit_engine::map::{Cell, TileMap};

/// Paths are requested in this number of ticks at the start of a turn. The plugin may take two ticks to
/// answer.
const REQUEST_TICKS: u64 = TICKS_PER_TURN - 4;

pub struct ByNorthstar {
    pub mode: PathfindMode,
    /// The number of turns after which a cop requests a new path, unless a door closes on its path.
    pub repath: u64,
    cops: Vec<Vec<Entity>>,
}

impl ByNorthstar {
    pub fn new(mode: PathfindMode, repath: u64) -> Self {
        Self {
            mode,
            repath: repath.max(1),
            cops: Vec::new(),
        }
    }
}

/// The position of a cop's robber at the end of the current turn.
#[derive(Component)]
struct Quarry(UVec3);

/// The number of a cop, which spreads the requests over ticks.
#[derive(Component)]
struct Number(u64);

/// The last step of a cop, for the referee.
#[derive(Component)]
struct LastStep {
    from: UVec3,
    to: UVec3,
    decided: bool,
}

#[derive(Resource)]
struct Scene {
    tick: u64,
    repath: u64,
    mode: PathfindMode,
    edits: Vec<TileEdit>,
    refused: u64,
}

impl Scene {
    fn request(&self, quarry: &Quarry) -> Pathfind {
        Pathfind::new(quarry.0).mode(self.mode)
    }
}

fn position(cell: Cell) -> UVec3 {
    UVec3::new(cell.x.into(), cell.y.into(), 0)
}

fn cell(position: UVec3) -> Cell {
    Cell::new(position.x as u16, position.y as u16)
}

/// Applies door changes to the grid and rebuilds it. Cops whose path leads through a closed door request
/// another path.
fn swing_doors(
    mut scene: ResMut<Scene>,
    grid: Single<&mut OrdinalGrid>,
    cops: Query<(Entity, &Quarry, Option<&Path>, Option<&NextPos>)>,
    mut commands: Commands,
) {
    if scene.edits.is_empty() {
        return;
    }
    let mut grid = grid.into_inner();
    let edits = std::mem::take(&mut scene.edits);
    for edit in &edits {
        let nav = if edit.passable {
            Nav::Passable(1)
        } else {
            Nav::Impassable
        };
        grid.set_nav(position(edit.cell), nav);
    }
    grid.build();
    for (entity, quarry, path, next) in &cops {
        let is_on = |at: UVec3| {
            path.is_some_and(|path| path.is_position_in_path(at))
                || next.is_some_and(|next| next.0 == at)
        };
        let closed = edits.iter().filter(|edit| !edit.passable);
        if closed.map(|edit| position(edit.cell)).any(is_on) {
            let mut cop = commands.entity(entity);
            cop.remove::<(NextPos, Path)>();
            cop.insert(scene.request(quarry));
        }
    }
}

/// Moves each cop to its next position at the start of a turn.
fn step(
    mut scene: ResMut<Scene>,
    grid: Single<&OrdinalGrid>,
    mut cops: Query<(
        Entity,
        &mut AgentPos,
        &mut LastStep,
        &Quarry,
        Option<&NextPos>,
    )>,
    mut commands: Commands,
) {
    if scene.tick == 0 || !scene.tick.is_multiple_of(TICKS_PER_TURN) {
        return;
    }
    for (entity, mut at, mut last, quarry, next) in &mut cops {
        last.from = at.0;
        last.decided = next.is_some() || at.0 == quarry.0;
        if let Some(next) = next {
            if grid.is_passable(next.0) {
                at.0 = next.0;
                commands.entity(entity).remove::<NextPos>();
            } else {
                scene.refused += 1;
                let mut cop = commands.entity(entity);
                cop.remove::<(NextPos, Path)>();
                cop.insert(scene.request(quarry));
            }
        }
        last.to = at.0;
    }
}

/// Requests a path to the robber for cops that are due and for cops at the end of their path.
fn request_paths(
    mut scene: ResMut<Scene>,
    cops: Query<(Entity, &AgentPos, &Number, &Quarry, Has<Pathfind>)>,
    mut commands: Commands,
) {
    let (turn, tick) = (scene.tick / TICKS_PER_TURN, scene.tick % TICKS_PER_TURN);
    for (entity, at, number, quarry, has_goal) in &cops {
        let is_due = turn % scene.repath == number.0 % scene.repath
            && tick == 1 + number.0 / scene.repath % REQUEST_TICKS;
        if (is_due || !has_goal) && at.0 != quarry.0 {
            let mut cop = commands.entity(entity);
            cop.remove::<(NextPos, Path)>();
            cop.insert(scene.request(quarry));
        }
    }
    scene.tick += 1;
}

impl Chaser for ByNorthstar {
    fn label(&self) -> String {
        let turns = match self.repath {
            1 => "turn".to_owned(),
            more => format!("{more} turns"),
        };
        format!(
            "bevy_northstar 0.7, {:?}, new path every {turns}",
            self.mode
        )
    }

    fn set_up(&mut self, app: &mut App, town: &TileMap, places: &[Places]) {
        app.add_plugins(NorthstarPlugin::<OrdinalNeighborhood>::default())
            .insert_resource(Scene {
                tick: 0,
                repath: self.repath,
                mode: self.mode,
                edits: Vec::new(),
                refused: 0,
            })
            .add_systems(
                Update,
                (swing_doors, step, request_paths)
                    .chain()
                    .before(PathingSet),
            );
        // A diagonal step needs all four cells, as in bevy_pursuit.
        let settings = GridSettingsBuilder::new_2d(town.width().into(), town.height().into())
            .add_neighbor_filter(filter::NoCornerCutting)
            .default_impassable()
            .build();
        let mut grid = OrdinalGrid::new(&settings);
        for floor in town.cells().filter(|&cell| town.is_passable(cell)) {
            grid.set_nav(position(floor), Nav::Passable(1));
        }
        grid.build();
        app.finish();
        app.cleanup();
        let world = app.world_mut();
        let grid = world.spawn(grid).id();
        let mut number = 0..;
        self.cops = places
            .iter()
            .map(|places| {
                let quarry = position(places.robber);
                let cops = places.cops.iter().map(|&cop| {
                    let at = position(cop);
                    let cop = (
                        AgentPos(at),
                        AgentOfGrid(grid),
                        Quarry(quarry),
                        Number(number.next().unwrap_or(0)),
                        LastStep {
                            from: at,
                            to: at,
                            decided: false,
                        },
                        Pathfind::new(quarry).mode(self.mode),
                    );
                    world.spawn(cop).id()
                });
                cops.collect()
            })
            .collect();
    }

    fn swing(&mut self, world: &mut World, edits: &[TileEdit]) {
        world.resource_mut::<Scene>().edits.extend_from_slice(edits);
    }

    /// The first paths may take a whole turn.
    fn turn_begins(&self, tick: u64, _pursuit: usize) -> bool {
        tick > 0 && tick.is_multiple_of(TICKS_PER_TURN)
    }

    fn robber_arrives(&mut self, _world: &mut World, _pursuit: usize, _at: Cell) {
        // The cops know this cell since the previous turn.
    }

    fn steps(&mut self, world: &mut World, pursuit: usize) -> Steps {
        let cops = self.cops[pursuit].iter().map(|&cop| {
            let last = world.get::<LastStep>(cop).expect("a cop");
            Step {
                from: cell(last.from),
                to: cell(last.to),
                decided: last.decided,
            }
        });
        Steps {
            cops: cops.collect(),
            robber: None,
        }
    }

    fn follow(&mut self, world: &mut World, pursuit: usize, ruling: &Ruling) {
        for (index, &entity) in self.cops[pursuit].iter().enumerate() {
            let mut cop = world.entity_mut(entity);
            let quarry = position(ruling.robber);
            cop.insert(Quarry(quarry));
            let at = match &ruling.restart {
                Some(places) => position(places.cops[index]),
                None if ruling.put_back[index] => cop.get::<LastStep>().expect("a cop").from,
                None => continue,
            };
            cop.remove::<(NextPos, Path)>();
            cop.insert((AgentPos(at), Pathfind::new(quarry).mode(self.mode)));
        }
    }

    fn remarks(&self, world: &World) -> Remarks {
        Remarks {
            refused: world.resource::<Scene>().refused,
            told: None,
        }
    }
}
