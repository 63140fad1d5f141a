//! The geometry of maps: from tiles to places in the world, and back.

use crate::map::PursuitMap;
use bevy::ecs::query::QueryData;
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use pursuit_engine::map::{HexLayout, Moves, PursuitLevel};

/// Where the tiles of a map are, relative to the entity of the map. Put it beside the [`PursuitMap`](super::PursuitMap),
/// and query [`MapPlaces`] to convert.
///
/// [`Glide`](super::Glide), [`DesiredMotion`](super::DesiredMotion) and the overlays need it. On a map without it, bodies stay
/// where they are, and everything else works. On the entity of a `bevy_ecs_tilemap` layer the plugin writes it from the size,
/// grid, anchor and type of the layer, whenever they change.
///
/// All lengths are in units of the map's entity, whose [`Transform`] may move, turn and scale the whole map.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_pursuit::prelude::*;
/// # use bevy_pursuit::engine::map::TileMap;
/// # fn set_up(mut commands: Commands, rows: Res<Rows>) {
/// commands.spawn((
///     PursuitMap::new(&rows.0, Moves::Octile),
///     MapGeometry::squares(32.0).centred(20, 12),
/// ));
/// # }
/// # #[derive(Resource)]
/// # struct Rows(TileMap);
/// ```
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq)]
#[reflect(Component, Default, PartialEq)]
#[require(Transform)]
pub struct MapGeometry {
    /// The centre of tile (0, 0).
    pub origin: Vec2,
    /// From the centre of a tile to that of the next column.
    pub right: Vec2,
    /// From the centre of a tile to that of the next row.
    pub up: Vec2,
    /// The shape of the tiles.
    pub shape: TileShape,
}

/// The shape of the tiles of a map.
#[derive(Reflect, Debug, Clone, Copy, Default, PartialEq, Eq)]
#[reflect(Default, PartialEq)]
#[non_exhaustive]
pub enum TileShape {
    /// Squares, rectangles or diamonds.
    #[default]
    Quadrilateral,
    /// Hexagons. Unlike in the moves of a map, rows count from tile (0, 0) upwards here, as in `bevy_ecs_tilemap`. Between
    /// rows or columns, [`MapGeometry::right`] and [`up`](MapGeometry::up) leave out half a hexagon to the side.
    Hexagon(HexLayout),
}

/// The height of the rows of hexagons whose centres are 1 apart.
const ROW: f32 = 0.866_025_4;

impl Default for MapGeometry {
    /// Squares with a side of 1.
    fn default() -> Self {
        Self::squares(1.0)
    }
}

impl MapGeometry {
    /// Squares with a side of this length. The centre of tile (0, 0) is on the entity of the map.
    #[must_use]
    pub const fn squares(side: f32) -> Self {
        Self {
            origin: Vec2::ZERO,
            right: Vec2::new(side, 0.0),
            up: Vec2::new(0.0, side),
            shape: TileShape::Quadrilateral,
        }
    }

    /// Regular hexagons whose centres are so far apart. Rows of the layout count upwards from tile (0, 0), as in
    /// `bevy_ecs_tilemap`. The centre of tile (0, 0) is on the entity of the map.
    #[must_use]
    pub const fn hexagons(layout: HexLayout, spacing: f32) -> Self {
        let row = ROW * spacing;
        let (right, up) = match layout {
            HexLayout::RowEven | HexLayout::RowOdd => ([spacing, 0.0], [0.0, row]),
            HexLayout::ColumnEven | HexLayout::ColumnOdd => ([row, 0.0], [0.0, spacing]),
            HexLayout::Row => ([spacing, 0.0], [spacing / 2.0, row]),
            HexLayout::Column => ([row, spacing / 2.0], [0.0, spacing]),
        };
        Self {
            origin: Vec2::ZERO,
            right: Vec2::from_array(right),
            up: Vec2::from_array(up),
            shape: TileShape::Hexagon(layout),
        }
    }

    /// The tiles of a level, squares or hexagons, whose centres are so far apart. The centre of tile (0, 0) is on the entity
    /// of the map.
    #[must_use]
    pub const fn of_level(level: &PursuitLevel, spacing: f32) -> Self {
        match level.moves() {
            Moves::Hexagonal(layout) => {
                Self::hexagons(layout.upside_down(level.map().height()), spacing)
            }
            _ => Self::squares(spacing),
        }
    }

    /// The same tiles, but hexagons if the level has them.
    pub(super) fn fitted_to(self, level: &PursuitLevel) -> Self {
        match (level.moves(), self.shape) {
            (Moves::Hexagonal(_), TileShape::Quadrilateral) => {
                Self::of_level(level, self.spacing()).with_origin(self.origin)
            }
            _ => self,
        }
    }

    /// Isometric diamonds of this width and height. Columns run down to the right, and rows up to the right, as in the
    /// type `Diamond` of `bevy_ecs_tilemap`. The centre of tile (0, 0) is on the entity of the map.
    #[must_use]
    pub const fn diamonds(width: f32, height: f32) -> Self {
        Self {
            origin: Vec2::ZERO,
            right: Vec2::new(width / 2.0, -height / 2.0),
            up: Vec2::new(width / 2.0, height / 2.0),
            shape: TileShape::Quadrilateral,
        }
    }

    /// The same tiles, with the centre of tile (0, 0) at a place.
    #[must_use]
    pub const fn with_origin(self, origin: Vec2) -> Self {
        Self { origin, ..self }
    }

    /// The same tiles, with the middle of this many columns and rows, from tile (0, 0) on, on the entity of the map.
    #[must_use]
    pub fn centred(self, columns: u16, rows: u16) -> Self {
        let [columns, rows] = [columns, rows].map(|count| (f32::from(count) - 1.0) / 2.0);
        let to_side = self.to_side(IVec2::ONE) / 2.0;
        self.with_origin(-columns * self.right - rows * self.up - to_side)
    }

    /// The centre of a tile, on the map or off it.
    #[must_use]
    pub fn center(&self, at: IVec2) -> Vec2 {
        let to_side = self.to_side(at);
        let at = at.as_vec2();
        self.origin + at.x * self.right + at.y * self.up + to_side
    }

    /// By how much a tile lies beside the regular grid of tile (0, 0).
    pub(super) fn to_side(self, at: IVec2) -> Vec2 {
        let TileShape::Hexagon(layout) = self.shape else {
            return Vec2::ZERO;
        };
        let is_odd = |number: i32| number.rem_euclid(2) == 1;
        match layout {
            HexLayout::RowOdd if is_odd(at.y) => self.right / 2.0,
            HexLayout::RowEven if is_odd(at.y) => -self.right / 2.0,
            HexLayout::ColumnOdd if is_odd(at.x) => self.up / 2.0,
            HexLayout::ColumnEven if is_odd(at.x) => -self.up / 2.0,
            _ => Vec2::ZERO,
        }
    }

    /// The tile at a place, on the map or off it.
    #[must_use]
    pub fn tile_at(&self, place: Vec2) -> IVec2 {
        let to_tiles = Mat2::from_cols(self.right, self.up).inverse();
        let tiles = to_tiles * (place - self.origin);
        if let TileShape::Hexagon(layout) = self.shape {
            // Regular hexagons are nearest to the places on them.
            let regular = Self::hexagons(layout, 1.0);
            let to_regular = Mat2::from_cols(regular.right, regular.up) * to_tiles;
            let first = tiles.floor().as_ivec2();
            let around = (-1..3).flat_map(|x| (-1..3).map(move |y| first + IVec2::new(x, y)));
            let far = |at: &IVec2| (to_regular * (self.center(*at) - place)).length_squared();
            let nearest = around.min_by(|a, b| far(a).total_cmp(&far(b)));
            return nearest.unwrap_or(first);
        }
        // Places that are on no tile, where columns and rows have no length, become tile (0, 0).
        (tiles + 0.5).floor().as_ivec2()
    }

    /// The distance between the centres of neighbouring columns.
    #[must_use]
    pub fn spacing(&self) -> f32 {
        (self.right + self.to_side(IVec2::X)).length()
    }
}

/// The places of a map's tiles in the world: query it on the entity of the map. It matches maps with a [`MapGeometry`].
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_pursuit::prelude::*;
/// fn mark(maps: Query<MapPlaces>, agents: Query<&GridPosition>) {
///     let Ok(places) = maps.single() else { return };
///     for at in &agents {
///         info!("an agent is at {}", places.center(at.0));
///     }
/// }
/// ```
#[derive(QueryData)]
pub struct MapPlaces {
    geometry: &'static MapGeometry,
    transform: &'static GlobalTransform,
}

impl MapPlacesItem<'_, '_> {
    /// The centre of a tile in the world, also for tiles off the map.
    #[must_use]
    pub fn center(&self, at: IVec2) -> Vec2 {
        let local = self.local_center(at);
        self.transform.transform_point(local.extend(0.0)).truncate()
    }

    /// The centre of a tile relative to the entity of the map, also for tiles off the map. It stays the same wherever the
    /// map moves.
    #[must_use]
    pub fn local_center(&self, at: IVec2) -> Vec2 {
        self.geometry.center(at)
    }

    /// By how much a tile lies beside the regular grid of tile (0, 0), in the world.
    #[cfg(feature = "gizmos")]
    pub(super) fn to_side(&self, at: IVec2) -> Vec2 {
        let to_side = self.geometry.to_side(at);
        let along = self
            .transform
            .affine()
            .transform_vector3(to_side.extend(0.0));
        along.truncate()
    }

    /// The tile at a place in the world, also off the map:
    /// [`PursuitMap::cell`](super::LiveMap::cell) and [`is_passable`](super::LiveMap::is_passable) tell whether it is
    /// on the map.
    #[must_use]
    pub fn tile_at(&self, place: Vec2) -> IVec2 {
        let local = self.transform.affine().inverse();
        let local = local.transform_point3(place.extend(0.0)).truncate();
        self.geometry.tile_at(local)
    }

    /// The distance between the centres of two neighbouring tiles in the world.
    #[must_use]
    pub fn spacing(&self) -> f32 {
        self.center(IVec2::ZERO).distance(self.center(IVec2::X))
    }
}

/// The maps without places, on which nothing moves.
#[derive(SystemParam)]
pub(super) struct Unplaced<'w, 's> {
    maps: Query<'w, 's, (), (With<PursuitMap>, Without<MapGeometry>)>,
}

impl Unplaced<'_, '_> {
    /// Warns once of agents whose body cannot move, if this is the reason.
    pub(super) fn warn_of(&self, map: Entity) {
        if self.maps.contains(map) {
            warn_once!(
                "the map {map} has no `MapGeometry`: `Glide` and `DesiredMotion` do nothing there. Insert \
                 `MapGeometry::squares`, or the size, grid size and tile size of its layer"
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn geometry_finds_the_tile_of_each_centre_and_around_it() {
        let skewed = MapGeometry {
            origin: Vec2::new(3.0, -7.0),
            right: Vec2::new(10.0, 2.0),
            up: Vec2::new(-1.0, 8.0),
            shape: TileShape::Quadrilateral,
        };
        for geometry in [
            MapGeometry::default(),
            MapGeometry::squares(16.0).centred(7, 4),
            MapGeometry::diamonds(64.0, 32.0).with_origin(Vec2::new(5.0, 5.0)),
            skewed,
        ] {
            for at in (-3..4).flat_map(|x| (-3..4).map(move |y| IVec2::new(x, y))) {
                let center = geometry.center(at);
                assert_eq!(geometry.tile_at(center), at);
                assert_eq!(geometry.tile_at(center + 0.49 * geometry.right), at);
                assert_eq!(geometry.tile_at(center - 0.49 * geometry.up), at);
            }
        }
    }

    #[test]
    fn hexagons_have_six_neighbours_at_the_same_distance() {
        for layout in HexLayout::ALL {
            let flat = MapGeometry {
                origin: Vec2::new(4.0, 1.0),
                ..MapGeometry::hexagons(layout, 10.0)
            };
            let all = (-4..5).flat_map(|x| (-4..5).map(move |y| IVec2::new(x, y)));
            for at in (-2..3).flat_map(|x| (-2..3).map(move |y| IVec2::new(x, y))) {
                let center = flat.center(at);
                let far = |other: &IVec2| flat.center(*other).distance(center);
                let beside: Vec<IVec2> = all
                    .clone()
                    .filter(|to| (9.0..11.0).contains(&far(to)))
                    .collect();
                assert_eq!(beside.len(), 6, "{layout:?}");
                assert!(all.clone().all(|to| to == at || far(&to) > 9.99));
                for to in beside {
                    assert_eq!(flat.tile_at(center.lerp(flat.center(to), 0.49)), at);
                }
            }
        }
    }

    #[test]
    fn centred_geometry_has_its_middle_on_the_entity() {
        let even = MapGeometry::squares(10.0).centred(4, 2);
        assert_eq!(even.center(IVec2::ZERO), Vec2::new(-15.0, -5.0));
        let odd = MapGeometry::diamonds(8.0, 4.0).centred(3, 3);
        assert_eq!(odd.center(IVec2::ONE), Vec2::ZERO);
    }

    #[test]
    fn geometry_without_length_knows_no_tiles_and_does_not_panic() {
        let flat = MapGeometry::squares(0.0);
        assert_eq!(flat.tile_at(Vec2::ZERO), IVec2::ZERO);
    }
}
