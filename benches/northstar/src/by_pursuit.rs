//! Cops played by `bevy_pursuit`. The benchmark uses the plugin in this file only.

use crate::chaser::{Chaser, Remarks};
use crate::referee::{Places, Ruling, Step, Steps, TICKS_PER_TURN};
use bevy::prelude::*;
use pursuit_engine::graph::TileEdit;
use pursuit_engine::map::{Cell, TileMap};
use bevy_pursuit::prelude::*;
use bevy_pursuit::MapStatus;
use bevy_pursuit::debug::DecidedBy;

#[derive(Default)]
pub struct ByPursuit {
    /// Whether the plugin also plays the robbers; tick times then include them.
    pub robbers: bool,
    budget: u32,
    tactics: Tactics,
    height: u16,
    map: Option<Entity>,
    pursuits: Vec<Pursuers>,
}

struct Pursuers {
    robber: Entity,
    cops: Vec<Entity>,
}

/// The number of captures reported by the plugin.
#[derive(Resource, Default)]
struct Told(u64);

impl ByPursuit {
    /// Cops with a budget in microseconds a tick, and if `robbers` also robbers.
    pub fn new(budget: u32, tactics: Tactics, robbers: bool) -> Self {
        Self {
            budget,
            tactics,
            robbers,
            ..Self::default()
        }
    }

    fn settings(&self) -> PursuitSettings {
        PursuitSettings {
            ticks_per_turn: TICKS_PER_TURN as u32,
            budget: TickBudget::Micros(self.budget),
            tactics: self.tactics,
            // The turns of all chases start in the same tick.
            stagger: false,
            ..default()
        }
    }

    /// The position of a cell: in Bevy, rows count from the bottom.
    fn position(&self, cell: Cell) -> IVec2 {
        IVec2::new(cell.x.into(), (self.height - 1 - cell.y).into())
    }

    fn cell(&self, at: IVec2) -> Cell {
        Cell::new(at.x as u16, self.height - 1 - at.y as u16)
    }

    /// The step of an agent in the turn that has begun.
    fn step(&self, world: &World, agent: Entity) -> Step {
        let at = world.get::<GridPosition>(agent).expect("an agent").0;
        let next = world.get::<NextStep>(agent).expect("an agent");
        let state = world.get::<PursuitState>(agent).expect("an agent");
        Step {
            from: self.cell(at),
            to: self.cell(next.target().unwrap_or(at)),
            decided: !matches!(state.decided_by, DecidedBy::Nobody(_)),
        }
    }
}

impl Chaser for ByPursuit {
    fn label(&self) -> String {
        let robbers = if self.robbers { ", robbers too" } else { "" };
        let cops = match self.tactics {
            Tactics::Chase => ", straight for the robber",
            _ => "",
        };
        format!("bevy_pursuit, {} us a tick{cops}{robbers}", self.budget)
    }

    fn set_up(&mut self, app: &mut App, town: &TileMap, places: &[Places]) {
        self.height = town.height();
        app.add_plugins(PursuitPlugin::default().in_schedule(Update))
            .insert_resource(self.settings())
            .init_resource::<Told>()
            .add_observer(|_: On<Captured>, mut told: ResMut<Told>| told.0 += 1);
        app.finish();
        app.cleanup();
        let map = PursuitMap::new(town, Moves::Octile);
        let map = app.world_mut().spawn(map).id();
        self.map = Some(map);
        // Whole turns, so that the first turn of the chase begins with the next tick.
        while app.world().get::<MapStatus>(map) != Some(&MapStatus::Ready) {
            (0..TICKS_PER_TURN).for_each(|_| app.update());
        }
        let world = app.world_mut();
        for (pursuit, places) in places.iter().enumerate() {
            let at = |cell| GridPosition(self.position(cell));
            let pursuit = InPursuit(world.spawn(Pursuit(pursuit as u32 + 1)).id());
            let cop = |&cell: &Cell| (Cop, at(cell), PursuitSpeed(1), pursuit);
            let cops = places.cops.iter().map(|cell| world.spawn(cop(cell)).id());
            let cops = cops.collect();
            let control = if self.robbers {
                AgentControl::Policy
            } else {
                AgentControl::External
            };
            let robber = (Robber, at(places.robber), PursuitSpeed(1), control, pursuit);
            let robber = world.spawn(robber).id();
            self.pursuits.push(Pursuers { robber, cops });
        }
    }

    fn swing(&mut self, world: &mut World, edits: &[TileEdit]) {
        if let Some(map) = self.map {
            let mut map = world.get_mut::<LiveMap>(map).expect("a map");
            for edit in edits {
                map.set_passable(self.position(edit.cell), edit.passable);
            }
        }
    }

    fn robber_arrives(&mut self, world: &mut World, pursuit: usize, at: Cell) {
        // The robber arrives in this tick by its order, unless a door beside it has cut its step.
        let robber = self.pursuits[pursuit].robber;
        if !self.robbers && self.step(world, robber).to != at {
            let at = GridPosition(self.position(at));
            world.entity_mut(robber).insert(at);
        }
    }

    fn steps(&mut self, world: &mut World, pursuit: usize) -> Steps {
        let Pursuers { robber, cops } = &self.pursuits[pursuit];
        Steps {
            cops: cops.iter().map(|&cop| self.step(world, cop)).collect(),
            robber: self.robbers.then(|| self.step(world, *robber)),
        }
    }

    fn follow(&mut self, world: &mut World, pursuit: usize, ruling: &Ruling) {
        let Pursuers { robber, cops } = &self.pursuits[pursuit];
        let Some(places) = &ruling.restart else {
            // From here on it is known where the robber goes in this turn.
            let to = self.position(ruling.robber);
            if !self.robbers && world.get::<GridPosition>(*robber) != Some(&GridPosition(to)) {
                world.entity_mut(*robber).insert(MoveOrder(vec![to]));
            }
            return;
        };
        for (&cop, &cell) in cops.iter().zip(&places.cops) {
            let at = GridPosition(self.position(cell));
            world.entity_mut(cop).insert(at);
        }
        let at = GridPosition(self.position(places.robber));
        world.entity_mut(*robber).remove::<Caught>().insert(at);
    }

    fn remarks(&self, world: &World) -> Remarks {
        Remarks {
            refused: 0,
            told: Some(world.resource::<Told>().0),
        }
    }
}
