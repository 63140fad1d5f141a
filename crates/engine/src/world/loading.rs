//! Prepares a map for play in small pieces.

use super::grounds::Grounds;
use super::planning::{Planning, WarmUp};
use super::pursuit_world::PursuitWorld;
use super::repairs::UNITS;
use super::settings::PursuitSettings;
use crate::abstraction::Maintenance;
use crate::graph::{Fingerprint, Graph, GraphBuilder, GraphDelta};
use crate::map::{Moves, TileMap};

/// Cells or graph vertices per piece, and the cost of one, in units of 10/16 ns.
const CELLS: usize = 512;
const CELL: u64 = 40;

/// A map on its way into a [`PursuitWorld`]: its graph, its abstraction and the memory of searches are
/// made in pieces, so that no frame takes long, however large the map. The resulting world is the same
/// on every machine and for any sequence of budgets.
///
/// The total is about 200 ns per cell; [`PursuitWorld::new`] does all of it at once.
#[derive(Debug)]
pub struct MapLoader {
    map: TileMap,
    stage: LoadingStage,
}

/// The part that is being made. Each call of `step` does one piece:
///
/// ```text
///           all cells           abstraction          searches
///           in graph            is current           have memory
///   Graph ────────────▶ Levels ────────────▶ WarmUp ────────────▶ Ready
///   ◀─┘ piece           ◀─┘ piece            ◀─┘ piece
/// ```
///
/// `None` stands in while `step` owns the stage; no other method sees it.
#[derive(Debug)]
enum LoadingStage {
    Graph(Box<GraphBuilder>),
    Levels(Box<(Graph, Maintenance)>),
    WarmUp(Box<Ready>),
    Ready(Box<Ready>),
    None,
}

/// The parts of a world that are made from its map.
#[derive(Debug)]
struct Ready {
    graph: Graph,
    maintenance: Maintenance,
    planning: Planning,
    warm_up: WarmUp,
}

impl MapLoader {
    /// Starts loading. Cost: constant.
    #[must_use]
    pub fn new(map: TileMap, moves: Moves) -> Self {
        let stage = LoadingStage::Graph(Box::new(GraphBuilder::new(&map, moves)));
        Self { map, stage }
    }

    /// Continues until about `budget` expansions are spent or the map is ready, and returns the number
    /// spent. It exceeds `budget` by at most one piece: some microseconds, and some milliseconds for
    /// the memory of searches on a map of a million cells.
    pub fn advance(&mut self, budget: u64) -> u64 {
        let mut units = 0;
        while units < budget.saturating_mul(UNITS) && !self.is_ready() {
            units += self.step();
        }
        units.div_ceil(UNITS)
    }

    /// Returns whether the map is ready to play on.
    #[must_use]
    pub const fn is_ready(&self) -> bool {
        matches!(self.stage, LoadingStage::Ready(_))
    }

    /// The map.
    #[must_use]
    pub const fn map(&self) -> &TileMap {
        &self.map
    }

    /// The fingerprint of the map's graph, once the graph is complete.
    #[must_use]
    pub fn fingerprint(&self) -> Option<Fingerprint> {
        match &self.stage {
            LoadingStage::Graph(_) | LoadingStage::None => None,
            LoadingStage::Levels(parts) => Some(parts.0.fingerprint()),
            LoadingStage::WarmUp(ready) | LoadingStage::Ready(ready) => {
                Some(ready.graph.fingerprint())
            }
        }
    }

    /// Creates a world on the map. Does any remaining pieces at once.
    #[must_use]
    pub fn finish(self, settings: PursuitSettings) -> PursuitWorld {
        let Ready {
            graph,
            maintenance,
            planning,
            ..
        } = self.into_parts();
        PursuitWorld::on(graph, maintenance, planning, settings)
    }

    fn into_parts(mut self) -> Ready {
        loop {
            match std::mem::replace(&mut self.stage, LoadingStage::None) {
                LoadingStage::Ready(ready) => return *ready,
                stage => self.stage = stage,
            }
            self.step();
        }
    }

    /// Does one piece and returns its cost, in units of 10 ns.
    fn step(&mut self) -> u64 {
        let mut cost = 1;
        self.stage = match std::mem::replace(&mut self.stage, LoadingStage::None) {
            LoadingStage::Graph(mut builder) => {
                let before = builder.done();
                let is_done = builder.advance(&self.map, CELLS);
                cost += (builder.done() - before) as u64 * CELL / 16;
                if is_done {
                    let graph = builder.finish(&self.map);
                    let maintenance = Maintenance::begin(&graph);
                    LoadingStage::Levels(Box::new((graph, maintenance)))
                } else {
                    LoadingStage::Graph(builder)
                }
            }
            LoadingStage::Levels(mut parts) => {
                let (graph, maintenance) = &mut *parts;
                cost = maintenance.advance(graph, 1).max(1);
                if maintenance.is_current(graph) {
                    let (graph, maintenance) = *parts;
                    LoadingStage::WarmUp(Box::new(Ready {
                        graph,
                        maintenance,
                        planning: Planning::new(),
                        warm_up: WarmUp::default(),
                    }))
                } else {
                    LoadingStage::Levels(parts)
                }
            }
            LoadingStage::WarmUp(mut ready) => {
                let Ready {
                    graph,
                    maintenance,
                    planning,
                    warm_up,
                } = &mut *ready;
                cost += planning.warm_up(warm_up, graph, maintenance.hierarchy()) * UNITS;
                if warm_up.is_done() {
                    LoadingStage::Ready(ready)
                } else {
                    LoadingStage::WarmUp(ready)
                }
            }
            stage @ (LoadingStage::Ready(_) | LoadingStage::None) => stage,
        };
        cost
    }
}

impl PursuitWorld {
    /// A world on a map, made at once: near-linear in the number of cells, see
    /// [`Hierarchy::new`](crate::abstraction::Hierarchy::new). Use a [`MapLoader`] for a large map that must not take a whole
    /// frame.
    #[must_use]
    pub fn new(map: &TileMap, moves: Moves, settings: PursuitSettings) -> Self {
        MapLoader::new(map.clone(), moves).finish(settings)
    }

    /// Replaces the map: agents keep their cells and drop their plans. On a map of another size, agents
    /// also forget where they saw enemies that are out of sight, because cells count from the top left. Finishes
    /// building the map first if necessary.
    pub fn take_map(&mut self, map: MapLoader) {
        let ready = map.into_parts();
        let facts = &mut self.facts;
        let size = |graph: &Graph| (graph.width(), graph.height());
        let is_resized = size(&facts.graph) != size(&ready.graph);
        facts.graph = ready.graph;
        facts.sight.forget_views();
        facts.territories.forget();
        facts.delta = GraphDelta::default();
        facts.maintenance = ready.maintenance;
        facts.grounds = Grounds::of_map(&facts.graph);
        facts.prepare_grounds();
        let before = std::mem::replace(&mut self.planning, ready.planning);
        self.planning.follow(&before);
        self.cache.replace_map(&facts.graph, facts.tick);
        for rung in self.ladder.rungs.list_mut() {
            rung.take_map(facts);
        }
        facts.members.forget_steps();
        for (_, agent) in facts.members.iter_mut() {
            agent.halt();
            agent.set_origin(agent.setup.cell);
            agent.plan.forget();
            agent.state.value = None;
            // The goal of a search is a cell of the previous map.
            if is_resized {
                agent.search = None;
            }
        }
        for pursuit in facts.members.pursuits_mut() {
            pursuit.forget_table();
            pursuit.ask_for_plans();
            if is_resized {
                pursuit.forget_hidden();
            } else {
                pursuit.follow_map(&facts.graph);
            }
        }
        self.touch_all();
    }
}
