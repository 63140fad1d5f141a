//! Queries of a game about a map, in tile coordinates.

use crate::live_map::LiveMap;
use bevy::prelude::*;
use pursuit_engine::graph::Graph;
use pursuit_engine::map::Walker;
use pursuit_engine::search::shortest_path;
use pursuit_engine::world::PursuitWorld;

/// Queries about the map as it is in this tick, doors included. Each returns `false` or `None` while the
/// map [is not ready](super::MapStatus), and for tiles off the map.
impl LiveMap {
    /// Whether the straight line between two tiles touches no wall, corners included. Walls at its two
    /// ends do not block it. This is the line of sight of agents with [`Sight`](super::Sight), without a
    /// limit of distance.
    ///
    /// Cost: a test of each tile on the line.
    #[must_use]
    pub fn sees(&self, from: IVec2, to: IVec2) -> bool {
        let ends = self.cell(from).zip(self.cell(to));
        self.ready_graph()
            .zip(ends)
            .is_some_and(|(graph, (from, to))| graph.sees(from, to, None))
    }

    /// The number of steps of a shortest path between two tiles; `None` if there is no path.
    ///
    /// Cost: that of [`path`](Self::path).
    #[must_use]
    pub fn distance(&self, from: IVec2, to: IVec2) -> Option<usize> {
        self.path(from, to).map(|path| path.len())
    }

    /// Whether an agent of some [kinds](super::Kinds), or of some kinds and [size](super::BodySize), can stand on the tile now.
    /// While there is no such agent, this is so for the tiles that are for everybody.
    #[must_use]
    pub fn is_passable_for(&self, walker: impl Into<Walker>, at: IVec2) -> bool {
        let world = self.ready_world().zip(self.cell(at));
        world.is_some_and(|(world, cell)| world.graph_for(walker).is_passable(cell))
    }

    /// As [`distance`](Self::distance), for such agents.
    #[must_use]
    pub fn distance_for(&self, walker: impl Into<Walker>, from: IVec2, to: IVec2) -> Option<usize> {
        self.path_for(walker, from, to).map(|path| path.len())
    }

    /// As [`path`](Self::path), for such agents. While there is none, the path is that of an agent of no kind and one tile.
    #[must_use]
    pub fn path_for(
        &self,
        walker: impl Into<Walker>,
        from: IVec2,
        to: IVec2,
    ) -> Option<Vec<IVec2>> {
        let graph = self.ready_world()?.graph_for(walker);
        let vertex = |at| graph.vertex(self.cell(at)?);
        let path = shortest_path(graph, vertex(from)?, vertex(to)?)?;
        let tile = |vertex| self.position(graph.cell(vertex));
        Some(path.into_iter().map(tile).collect())
    }

    /// A shortest path between two tiles: the tiles to step on, without the first. It is empty if both
    /// tiles are the same; `None` if there is no path. [`MoveOrder`](super::MoveOrder) sends an agent
    /// along it.
    ///
    /// Cost: A*, linear in the map if there is no path; it is not counted against the budget. To have
    /// the plugin walk an agent there within the budget, use
    /// [`AgentControl::WalkTo`](super::AgentControl::WalkTo).
    #[must_use]
    pub fn path(&self, from: IVec2, to: IVec2) -> Option<Vec<IVec2>> {
        self.path_for(Walker::PLAIN, from, to)
    }

    /// The passable tile nearest to a tile as the crow flies, which is the tile itself if it is
    /// passable; `None` if the map has no passable tile. For placing agents, such as at the tile under
    /// the mouse.
    ///
    /// Cost: a test of each tile around it, as far as the result is away.
    #[must_use]
    pub fn nearest_passable(&self, at: IVec2) -> Option<IVec2> {
        let nearest = self.ready_graph()?.nearest_passable(self.cell(at)?)?;
        Some(self.position(nearest))
    }

    /// The live graph, if the map is ready.
    fn ready_graph(&self) -> Option<&Graph> {
        self.ready_world().map(PursuitWorld::graph)
    }

    fn ready_world(&self) -> Option<&PursuitWorld> {
        self.world().filter(|_| !self.is_loading())
    }
}
