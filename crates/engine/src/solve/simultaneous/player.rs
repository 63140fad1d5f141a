//! Plays from a table of mixed strategies.

use super::file::MixedTable;
use super::solution::MixedValue;
use crate::game::{Rules, Side, State};
use crate::graph::{Graph, Vertex};
use crate::search::Dice;
use crate::table::{Arena, TableError};
use std::sync::Arc;

/// Plays one or both sides from a table of mixed strategies. Each move is drawn at random. An opponent that
/// knows the strategy, but not the random numbers, gains no more than the table's
/// [exploitability](MixedTable::exploitability).
///
/// Both sides choose simultaneously, so ask for the moves of both sides before either side moves. The same seed and
/// the same sequence of calls give the same moves on every machine.
#[derive(Debug, Clone)]
pub struct MixedPlayer {
    table: Arc<MixedTable>,
    arena: Arc<Arena>,
    dice: Dice,
}

impl MixedPlayer {
    /// Creates a player for a map.
    ///
    /// # Errors
    /// [`TableError::Foreign`] if the table belongs to another map, [`TableError::Malformed`] if it numbers the cells
    /// in another order than this version does.
    pub fn new(table: Arc<MixedTable>, graph: &Graph, seed: u64) -> Result<Self, TableError> {
        table.expect_map(graph.fingerprint())?;
        let arena = Arc::new(Arena::of_map(graph));
        table.expect_cells(&arena)?;
        Ok(Self::on(table, arena, seed))
    }

    /// Creates a player for the map of an arena, on which the table numbers the cells as this version does.
    pub(crate) fn on(table: Arc<MixedTable>, arena: Arc<Arena>, seed: u64) -> Self {
        let dice = Dice::new(seed);
        Self { table, arena, dice }
    }

    /// The bounds of a position. `None` if it is not one of the table.
    #[must_use]
    pub fn value(&self, state: &State<'_>) -> Option<MixedValue> {
        let (robber, cops) = self.places(state)?;
        self.table.value_at(robber, &cops)
    }

    /// Draws the vertex to which the robber moves. `None` if the table does not contain the state, after a
    /// capture, and if the entry of the table is forged.
    pub fn robber_goal(&mut self, state: &State<'_>) -> Option<Vertex> {
        let (robber, cops) = self.places(state)?;
        let played = self.table.strategies_at(robber, &cops)?.robber;
        let drawn = draw(&mut self.dice, played.iter().map(|&(_, share)| share))?;
        self.legal(robber, played[drawn].0, Side::Robber)
    }

    /// Draws the vertices to which the cops move, in the order of the state. `None` as for
    /// [`Self::robber_goal`], and if the cops cannot force a capture.
    pub fn cop_goals(&mut self, state: &State<'_>) -> Option<Vec<Vertex>> {
        let (robber, cops) = self.places(state)?;
        let played = self.table.strategies_at(robber, &cops)?.cops;
        let drawn = draw(&mut self.dice, played.iter().map(|&(_, share)| share))?;
        let goals = played[drawn].0.iter().zip(&cops);
        goals
            .map(|(&goal, &cop)| self.legal(cop, goal, Side::Cops))
            .collect()
    }

    fn places(&self, state: &State<'_>) -> Option<(usize, Vec<usize>)> {
        let rules = Rules::of(state, self.table.rules().moves)?;
        if rules != self.table.rules() {
            return None;
        }
        let robber = self.arena.place(state.robber.at)?;
        let cops = state.cops.iter().map(|cop| self.arena.place(cop.at));
        Some((robber, cops.collect::<Option<Vec<usize>>>()?))
    }

    /// The vertex of a place, if an agent of this side can move there in one turn.
    fn legal(&self, from: usize, to: usize, side: Side) -> Option<Vertex> {
        let rules = self.table.rules();
        let speed = match side {
            Side::Cops => rules.cop_speed,
            Side::Robber => rules.robber_speed,
        };
        let mut reached = vec![from];
        for _ in 0..speed.steps() {
            if reached.contains(&to) {
                break;
            }
            let steps = reached.iter().flat_map(|&place| self.arena.steps(place));
            let mut next: Vec<usize> = steps.map(|&step| step as usize).collect();
            next.sort_unstable();
            next.dedup();
            reached = next;
        }
        reached.contains(&to).then(|| self.arena.vertex(to))
    }
}

/// Draws an index, with the probabilities that `shares` gives.
fn draw(dice: &mut Dice, shares: impl Iterator<Item = f64> + Clone) -> Option<usize> {
    const PARTS: usize = 1 << 30;
    let drawn = dice.below(PARTS) as f64 / PARTS as f64;
    let mut sum = 0.0;
    let mut last = None;
    for (index, share) in shares.enumerate() {
        sum += share;
        last = Some(index);
        if drawn < sum {
            break;
        }
    }
    last
}
