use crate::referee::{Places, Ruling, Steps, TICKS_PER_TURN};
use bevy::prelude::*;
use bevy_pursuit::graph::TileEdit;
use bevy_pursuit::map::{Cell, TileMap};

/// A plugin that chases, in an app. Whatever these functions do is not timed: only what the plugin
/// and the systems that it needs do in [`Update`] is.
pub trait Chaser {
    /// The words for the table.
    fn label(&self) -> String;

    /// Adds plugin, map and agents. Its time is told as that of the set-up.
    fn set_up(&mut self, app: &mut App, town: &TileMap, places: &[Places]);

    /// Doors that swing with the next tick.
    fn swing(&mut self, world: &mut World, edits: &[TileEdit]);

    /// Does a turn of a pursuit begin in this tick?
    fn turn_begins(&self, tick: u64, _pursuit: usize) -> bool {
        tick.is_multiple_of(TICKS_PER_TURN)
    }

    /// The next tick begins a turn of a pursuit, whose robber has arrived here.
    fn robber_arrives(&mut self, world: &mut World, pursuit: usize, at: Cell);

    /// The tick has begun a turn of a pursuit: what do its agents do?
    fn steps(&mut self, world: &mut World, pursuit: usize) -> Steps;

    /// The referee has judged that.
    fn follow(&mut self, world: &mut World, pursuit: usize, ruling: &Ruling);

    /// What else is to be said.
    fn remarks(&self, world: &World) -> Remarks;
}

/// Counted by the chaser itself.
#[derive(Debug, Clone, Copy, Default)]
pub struct Remarks {
    /// Steps onto doors that had closed, which the game's own code had to refuse.
    pub refused: u64,
    /// Captures that the plugin told, where it tells them.
    pub told: Option<u64>,
}
