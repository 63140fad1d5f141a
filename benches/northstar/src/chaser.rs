//! The interface of a plugin under measurement.

use crate::referee::{Places, Ruling, Steps, TICKS_PER_TURN};
use bevy::prelude::*;
use pursuit_engine::graph::TileEdit;
use pursuit_engine::map::{Cell, TileMap};

/// A plugin that plays the cops in an app. These functions are not timed; only the plugin and the
/// systems that it needs are, in [`Update`].
pub trait Chaser {
    /// The label in the table.
    fn label(&self) -> String;

    /// Adds plugin, map and agents, and waits until the map is ready. Its time is reported as the set-up time.
    fn set_up(&mut self, app: &mut App, town: &TileMap, places: &[Places]);

    /// Opens or closes doors with the next tick.
    fn swing(&mut self, world: &mut World, edits: &[TileEdit]);

    /// Returns whether a turn of a pursuit begins in this tick.
    fn turn_begins(&self, tick: u64, _pursuit: usize) -> bool {
        tick.is_multiple_of(TICKS_PER_TURN)
    }

    /// Moves the robber of a pursuit, whose turn begins with the next tick, to its new cell.
    fn robber_arrives(&mut self, world: &mut World, pursuit: usize, at: Cell);

    /// Returns the steps of the agents of a pursuit, whose turn has begun with this tick.
    fn steps(&mut self, world: &mut World, pursuit: usize) -> Steps;

    /// Applies the ruling of the referee on these steps.
    fn follow(&mut self, world: &mut World, pursuit: usize, ruling: &Ruling);

    /// Returns the chaser's own counts.
    fn remarks(&self, world: &World) -> Remarks;
}

/// Counts made by the chaser itself.
#[derive(Debug, Clone, Copy, Default)]
pub struct Remarks {
    /// Steps onto closed doors that the game's own code had to refuse.
    pub refused: u64,
    /// Captures reported by the plugin, if it reports them.
    pub told: Option<u64>,
}
