//! `DATrailMax`: `TrailMax` in turns over abstract levels.

use super::descent::{Descent, Layer, Racer};
use super::sliced::{FOUND, SearchStep, SlicedSearch as _};
use super::{Footprint, Race, TrailMax};
use crate::abstraction::AbstractLevel;
use crate::game::{Agent, Outcome, Side, Speed, State, Turns, Work};
use crate::graph::{Graph, Vertex};

/// `DATrailMax`: [`TrailMax`] on an abstract level of the map, its path refined to the map. See
/// [`Descent`].
///
/// The threshold is in plies.
pub type DaTrailMax = Descent<TurnRacer>;

/// `TrailMax` in turns on the layers of a map.
#[derive(Debug, Clone, Default)]
pub struct TurnRacer {
    ground: TrailMax,
    race: Race,
    robber: Speed,
    cops: Vec<Speed>,
    /// The cops on a layer.
    team: Vec<Agent>,
    /// The limit of a search in turns of the map; 0 for none.
    turns: u32,
}

/// The least limit of a search on an abstract level, in turns of that level.
pub(super) const FEWEST: u32 = 12;

impl Racer for TurnRacer {
    type State<'a> = State<'a>;

    fn robber(state: &State<'_>) -> Vertex {
        state.robber.at
    }

    fn cop(state: &State<'_>, index: usize) -> Option<Vertex> {
        state.cops.get(index).map(|cop| cop.at)
    }

    fn set(&mut self, state: &State<'_>) {
        self.robber = state.robber.speed;
        self.cops.clear();
        self.cops.extend(state.cops.iter().map(|cop| cop.speed));
    }

    fn begin(
        &mut self,
        layer: Layer<'_>,
        robber: Vertex,
        cops: impl Iterator<Item = (usize, Vertex)>,
    ) {
        let speeds = &self.cops;
        let cops = cops.map(|(index, at)| Agent {
            at,
            speed: speeds[index],
        });
        self.team.clear();
        self.team.extend(cops);
        let state = State {
            robber: Agent {
                at: robber,
                speed: self.robber,
            },
            cops: &self.team,
            to_move: Side::Robber,
        };
        match layer {
            Layer::Map(graph) => self.ground.begin(graph, &state),
            Layer::Abstract(level, number) => {
                // A step of a level is about two of the level below.
                let turns = self.turns.checked_shr(number as u32).unwrap_or(0);
                let limit = if self.turns == 0 {
                    0
                } else {
                    turns.max(FEWEST)
                };
                self.race.limit_turns(limit);
                self.race.begin(level, &state);
            }
        }
    }

    fn advance(&mut self, layer: Layer<'_>, budget: u32) -> SearchStep {
        match layer {
            Layer::Map(graph) => self.ground.advance(graph, None, budget),
            Layer::Abstract(level, _) => {
                let progress = self.race.advance(level, budget);
                if progress == FOUND && self.race.is_cut() {
                    self.aim(layer);
                }
                progress
            }
        }
    }

    fn path(&self, layer: Layer<'_>) -> &[Vertex] {
        let plan = match layer {
            Layer::Map(_) => self.ground.plan(),
            Layer::Abstract(..) => self.race.plan(),
        };
        plan.map_or(&[], |plan| &plan.path)
    }

    fn survives(&self, _: Layer<'_>, threshold: u16) -> bool {
        self.race.plan().is_some_and(|plan| match plan.outcome {
            Outcome::Caught(Turns(turns)) => 2 * u32::from(turns) > u32::from(threshold),
            Outcome::Escapes | Outcome::Away(_) => true,
        })
    }

    fn outcome(&self) -> Option<Outcome> {
        self.ground.outcome()
    }

    fn best_so_far(&self, graph: &Graph, path: &mut Vec<Vertex>) {
        self.ground.best_so_far(graph, path);
    }

    fn footprint(&self, graph: &Graph, footprint: &mut Footprint) {
        self.ground.add_footprint(graph, footprint);
    }

    fn for_each_reached(&self, _: &AbstractLevel, visit: impl FnMut(Vertex)) {
        self.race.for_each_reached(visit);
    }

    fn for_each_on_rim(&self, _: &AbstractLevel, visit: impl FnMut(Vertex)) {
        self.race.for_each_on_rim(visit);
    }

    fn work(&self, layer: Layer<'_>) -> Work {
        match layer {
            Layer::Map(_) => self.ground.work(),
            Layer::Abstract(..) => self.race.work(),
        }
    }
}

impl TurnRacer {
    /// Of all places where the robber is free when the search ends, chooses the one where the nearest
    /// cop is farthest in a straight line.
    fn aim(&mut self, layer: Layer<'_>) {
        let team = &self.team;
        self.race
            .aim(|vertex| layer.nearest_square(vertex, team.iter().map(|cop| cop.at)));
    }
}

impl DaTrailMax {
    /// Limits the search to about `turns` turns ahead on each level, but at least 12 turns of that
    /// level; 0 for no limit. A robber that is free for longer runs to where the nearest cop is
    /// farthest. Against cops that are no faster than the robber, much of the map is often free, and a
    /// search without a limit costs a hundred times as much.
    pub const fn limit_turns(&mut self, turns: u32) {
        self.racer.turns = turns;
        self.racer.ground.limit_turns(turns);
    }
}
