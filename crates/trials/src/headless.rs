//! Apps without a window in which each update is one tick, and printing.

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_pursuit::prelude::*;
use bevy_pursuit::tables::{TableSchedule, TableTiming};
use pursuit_engine::map::{Cell, Terrain};
use pursuit_engine::search::Dice;
use pursuit_engine::world::{AgentId, PursuitWorld};
use std::time::Duration;

/// Settings of a reproducible simulation that runs faster than real time: ticks wait for late tables.
pub fn in_lockstep() -> PursuitSettings {
    let mut settings = PursuitSettings::default();
    settings.tables.timing = TableTiming::Lockstep(TableSchedule::default());
    settings
}

/// An app with the plugin, in which each update is one tick of the fixed clock, without pauses.
pub fn app(settings: PursuitSettings) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PursuitPlugin::default()))
        .insert_resource(settings)
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.update(); // the first update starts time and has no tick yet
    app
}

/// A map from rows of text, with `#` for walls.
pub fn level(rows: &[&str]) -> TileMap {
    let (width, height) = (rows[0].len() as u16, rows.len() as u16);
    let mut map = TileMap::filled(width, height, Terrain::Floor).expect("a map of some size");
    for cell in map.cells() {
        if rows[usize::from(cell.y)].as_bytes()[usize::from(cell.x)] == b'#' {
            map.set(cell, Terrain::Wall);
        }
    }
    map
}

/// The world of a map.
pub fn world_of(app: &App, map: Entity) -> &PursuitWorld {
    let map = app.world().get::<LiveMap>(map).expect("a map");
    map.world().expect("a map with cells")
}

/// The agent of a world that belongs to an entity.
pub fn agent_of(world: &PursuitWorld, entity: Entity) -> Option<AgentId> {
    let mut agents = world.agents();
    agents.find_map(|(id, agent)| (agent.setup().user == entity.to_bits()).then_some(id))
}

/// The passable cells of a map, as positions with `y` upwards.
pub fn open_tiles(map: &TileMap) -> Vec<IVec2> {
    let open = map.cells().filter(|&cell| map.is_passable(cell));
    open.map(|cell| tile(map.height(), cell)).collect()
}

/// The position of a cell on a map with `height` rows.
pub fn tile(height: u16, cell: Cell) -> IVec2 {
    IVec2::new(cell.x.into(), (height - 1 - cell.y).into())
}

/// A random tile of a list.
pub fn any(dice: &mut Dice, tiles: &[IVec2]) -> GridPosition {
    GridPosition(tiles[dice.below(tiles.len())])
}

/// A random tile of a list, at most `most` columns and rows from a place; the place itself if none is
/// found.
pub fn any_near(dice: &mut Dice, tiles: &[IVec2], place: IVec2, most: u32) -> GridPosition {
    let is_near = |at: &IVec2| at.chebyshev_distance(place) <= most;
    let tries = (0..10_000).map(|_| tiles[dice.below(tiles.len())]);
    GridPosition(tries.into_iter().find(is_near).unwrap_or(place))
}

/// A map as text, with cops (`C`), robbers (`R`), captured robbers (`x`) and other symbols.
pub fn picture(app: &mut App, map: Entity, others: &[(IVec2, char)]) -> String {
    let mut agents = app
        .world_mut()
        .query::<(&GridPosition, Has<Robber>, Has<Caught>, Option<&OnMap>)>();
    let mut symbols = others.to_vec();
    for (at, is_robber, is_caught, on) in agents.iter(app.world()) {
        if on.is_none_or(|on| on.0 == map) {
            let symbol = if is_robber { 'R' } else { 'C' };
            symbols.push((at.0, if is_caught { 'x' } else { symbol }));
        }
    }
    let graph = world_of(app, map).graph();
    let mut text = String::new();
    for y in (0..i32::from(graph.height())).rev() {
        text.push_str("  ");
        for x in 0..i32::from(graph.width()) {
            let at = IVec2::new(x, y);
            let cell = Cell::new(x as u16, graph.height() - 1 - y as u16);
            let ground = if graph.is_passable(cell) { '.' } else { '#' };
            let here = symbols.iter().rev().find(|(place, _)| *place == at);
            text.push(here.map_or(ground, |&(_, symbol)| symbol));
        }
        text.push('\n');
    }
    text
}

/// A sample of measurements, with its mean and quantiles.
#[derive(Debug, Default)]
pub struct Figures(Vec<f64>);

impl Figures {
    pub fn note(&mut self, figure: f64) {
        self.0.push(figure);
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }

    pub fn count(&self) -> usize {
        self.0.len()
    }

    pub fn mean(&self) -> f64 {
        self.0.iter().sum::<f64>() / self.0.len().max(1) as f64
    }

    /// The value that this share of the sample does not exceed.
    pub fn quantile(&mut self, share: f64) -> f64 {
        self.0.sort_unstable_by(f64::total_cmp);
        let last = self.0.len().saturating_sub(1);
        let index = (share * self.0.len() as f64).ceil() as usize;
        let at = index.saturating_sub(1).min(last);
        self.0.get(at).copied().unwrap_or(0.0)
    }

    /// The median, the 99 % and 99.9 % quantiles and the maximum.
    pub fn line(&mut self, digits: usize, unit: &str) -> String {
        let [a, b, c, d] = [0.5, 0.99, 0.999, 1.0].map(|share| self.quantile(share));
        format!(
            "median {a:.digits$}{unit}, 99 % {b:.digits$}{unit}, 99.9 % {c:.digits$}{unit}, \
             max {d:.digits$}{unit}"
        )
    }
}

/// The total time that this thread has waited for a core. Zero if the system does not report it.
pub fn waited() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split_whitespace().nth(1);
    let nanoseconds = nanoseconds.and_then(|number| number.parse().ok());
    Duration::from_nanos(nanoseconds.unwrap_or(0))
}

/// A fraction in %.
pub fn percent(part: u64, of: u64) -> f64 {
    100.0 * part as f64 / of.max(1) as f64
}
