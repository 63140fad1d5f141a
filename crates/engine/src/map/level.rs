//! The RON level format: a [`TileMap`] drawn as rows of characters, with a legend for doors and agents.

use super::format::{TAKEN, recognise};
use super::level_rules::{self, EdgeOfLevel, LevelLink};
use super::movingai::{shortened, without_bom};
use super::{
    BodySize, Cell, Corners, Kinds, MAX_CELLS, MapError, Moves, Opacity, Terrain, TextPosition,
    TileMap,
};
use ron::extensions::Extensions;
use serde::de::{self, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZeroU8;

const NORMAL_SPEED: NonZeroU8 = NonZeroU8::MIN;

const LEVEL: &str = "a level in RON";

/// Returns whether a text that is no level begins as one does.
fn is_of_level(text: &str) -> bool {
    let is_comment = |line: &&str| line.is_empty() || line.starts_with("//");
    let mut lines = text.lines().map(str::trim).skip_while(is_comment);
    let first = lines.next().unwrap_or_default();
    ["(", "PursuitLevel", "#!", "/*"]
        .iter()
        .any(|start| first.starts_with(start))
}

/// The meaning of a legend character. Its cells are floor, unless they are a [`Tile`](Self::Tile) that is not passable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Mark {
    /// All cells with the character form one door, which opens and closes as a whole.
    Door {
        /// The name of the door, unique in the level.
        name: String,
        /// Whether the door is open at the start.
        #[serde(default)]
        open: bool,
        /// Whether agents cross it in straight steps only.
        #[serde(default, skip_serializing_if = "is_default")]
        straight: bool,
    },
    /// A cop starts on each cell with the character.
    Cop {
        /// Steps per turn.
        #[serde(default = "normal_speed")]
        speed: NonZeroU8,
        /// The numbers of its kinds, each below 30.
        #[serde(default, skip_serializing_if = "is_default")]
        kinds: Vec<u8>,
        /// The cells along a side of it, 1 to 4. The character is on its upper left cell.
        #[serde(default, skip_serializing_if = "is_default")]
        size: BodySize,
    },
    /// A robber starts on each cell with the character.
    Robber {
        /// Steps per turn.
        #[serde(default = "normal_speed")]
        speed: NonZeroU8,
        /// The numbers of its kinds, each below 30.
        #[serde(default, skip_serializing_if = "is_default")]
        kinds: Vec<u8>,
        /// The cells along a side of it, 1 to 4. The character is on its upper left cell.
        #[serde(default, skip_serializing_if = "is_default")]
        size: BodySize,
    },
    /// A cell where an agent may start if the game chooses start cells itself.
    Spawn,
    /// The two cells with the character are joined by a link: a tunnel, stairs, a pair of teleporters.
    Link,
    /// From each cell with the character, a link leads to the one cell with another character, and not back: a ledge.
    LinkTo(char),
    /// An exit: a robber that gets there has won.
    Exit,
    /// Only cops enter: the house of ghosts.
    CopsOnly,
    /// Only robbers enter: a vent.
    RobbersOnly,
    /// Cells that are seen through otherwise than they are walked through, that not everybody may enter, or that take longer:
    /// bushes, smoke, glass, water, guards' doors, mud.
    Tile {
        /// Whether agents can stand there.
        #[serde(default)]
        passable: bool,
        /// Whether agents see across.
        #[serde(default, skip_serializing_if = "is_default")]
        sight: Opacity,
        /// The numbers of the kinds of agents that may enter, each below 30; none if everybody may.
        #[serde(default, skip_serializing_if = "is_default")]
        kinds: Vec<u8>,
        /// How many times as long as elsewhere a step there takes on the free-running clock; 0 and 1 for a cell like others.
        #[serde(default, skip_serializing_if = "is_default")]
        slow: u8,
    },
}

fn normal_speed() -> NonZeroU8 {
    NORMAL_SPEED
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// A door: cells that are passable while it is open and walls while it is closed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Door {
    /// The name, unique in the level.
    pub name: String,
    /// The cells, row by row; at least one.
    pub cells: Vec<Cell>,
    /// Whether the door is open at the start.
    pub open: bool,
}

/// The start cell and speed of an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AgentStart {
    /// The start cell, which is floor.
    pub at: Cell,
    /// Steps per turn.
    pub speed: NonZeroU8,
    /// Its kinds.
    pub kinds: Kinds,
    /// How many cells it covers.
    pub size: BodySize,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename = "PursuitLevel", deny_unknown_fields)]
pub(super) struct RawLevel {
    name: String,
    #[serde(default)]
    pub(super) moves: Moves,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) corners: Corners,
    /// Thin walls.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) walls: Vec<EdgeOfLevel>,
    /// Edges that lead only from their first cell to their second one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) one_way: Vec<EdgeOfLevel>,
    #[serde(default, deserialize_with = "each_once")]
    pub(super) legend: BTreeMap<char, Mark>,
    rows: Vec<String>,
}

/// Reads a map and refuses duplicate keys, of which serde would keep the last.
fn each_once<'de, D: Deserializer<'de>>(from: D) -> Result<BTreeMap<char, Mark>, D::Error> {
    struct Entries;
    impl<'de> Visitor<'de> for Entries {
        type Value = BTreeMap<char, Mark>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a map from characters to marks")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut entries = BTreeMap::new();
            while let Some((symbol, mark)) = map.next_entry::<char, Mark>()? {
                if entries.insert(symbol, mark).is_some() {
                    let twice = format_args!("each character once, found {symbol:?} twice");
                    return Err(de::Error::custom(twice));
                }
            }
            Ok(entries)
        }
    }
    from.deserialize_map(Entries)
}

/// A validated map with doors, spawn points and agent starts.
///
/// ```
/// use pursuit_engine::map::{Cell, PursuitLevel};
/// let level = PursuitLevel::parse(r#"(
///     name: "Cell block",
///     legend: { 'C': Cop(speed: 2), 'R': Robber(), 'd': Door(name: "gate", open: false) },
///     rows: [
///         "@@@@@@@",
///         "@C.d.R@",
///         "@@@@@@@",
///     ],
/// )"#)?;
/// assert_eq!(level.doors()[0].cells, [Cell::new(3, 1)]);
/// assert!(!level.initial_map().is_passable(Cell::new(3, 1)));
/// # Ok::<(), pursuit_engine::map::MapError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "bevy", derive(bevy_asset::Asset, bevy_reflect::TypePath))]
pub struct PursuitLevel {
    raw: RawLevel,
    map: TileMap,
    doors: Vec<Door>,
    links: Vec<LevelLink>,
    cops: Vec<AgentStart>,
    robbers: Vec<AgentStart>,
    spawns: Vec<Cell>,
    exits: Vec<Cell>,
    cops_only: Vec<Cell>,
    robbers_only: Vec<Cell>,
}

impl PursuitLevel {
    /// Reads a level in this project's RON format or a MovingAI `.map` text (which begins with `type`).
    /// Skips a byte-order mark at the start.
    ///
    /// The RON fields are `name`, `moves` (`Octile`, the default, `Orthogonal`, or `Hexagonal` with a
    /// [`HexLayout`](super::HexLayout), such as `Hexagonal(RowOdd)`), `corners` ([`Corners`]), `walls` and
    /// `one_way` (pairs of cells that share a side, such as `((3, 2), (4, 2))`: columns and rows from 0 at the top left; thin
    /// walls, and edges that lead only from the first cell to the second), `legend` (a
    /// [`Mark`] for each character that is not a [`Terrain`]) and `rows`, the top row first. All but `name` and `rows` may be
    /// left out.
    ///
    /// # Errors
    /// Each error carries its position: the text is empty or not valid RON; there are no rows, rows of
    /// different lengths or more than [`MAX_CELLS`] cells; a character is neither terrain nor in the
    /// legend; a legend entry redefines a terrain character or is unused; two doors share a name; an edge does not join two
    /// cells that share a side; a link does not have its two ends; a level of hexagons has a rule about diagonal steps.
    pub fn parse(text: &str) -> Result<Self, MapError> {
        let text = without_bom(text);
        if text.trim().is_empty() {
            return Err(MapError::new(
                TextPosition::new(1, 1),
                TAKEN,
                "an empty text",
            ));
        }
        if text.trim_start().starts_with("type") {
            return TileMap::parse(text).map(|map| Self::from_map("", map));
        }
        if let Some(other) = recognise(text) {
            return Err(MapError::new(TextPosition::new(1, 1), TAKEN, other));
        }
        let raw: RawLevel = ron::Options::default()
            .with_default_extension(Extensions::IMPLICIT_SOME)
            .from_str(text)
            .map_err(|error| {
                let at = error.span.start;
                let first = text.trim_start().lines().next().unwrap_or_default();
                let (expected, found) = match error.code {
                    _ if !is_of_level(text) => (TAKEN, format!("`{}`", shortened(first))),
                    ron::Error::Message(message) => (LEVEL, message),
                    code => (LEVEL, format!("an error: {code}")),
                };
                MapError::new(TextPosition::new(at.line, at.col), expected, found)
            })?;
        Self::validate(raw, &LevelText { text })
    }

    /// Creates a level with octile moves from a map, without doors and agents.
    #[must_use]
    pub fn from_map(name: impl Into<String>, map: TileMap) -> Self {
        let symbol = |cell| map.terrain(cell).map_or('@', Terrain::symbol);
        let rows = (0..map.height())
            .map(|y| (0..map.width()).map(|x| symbol(Cell { x, y })).collect())
            .collect();
        let raw = RawLevel {
            name: name.into(),
            moves: Moves::Octile,
            corners: map.rules().corners(),
            walls: Vec::new(),
            one_way: Vec::new(),
            legend: BTreeMap::new(),
            rows,
        };
        Self {
            raw,
            map,
            doors: Vec::new(),
            links: Vec::new(),
            cops: Vec::new(),
            robbers: Vec::new(),
            spawns: Vec::new(),
            exits: Vec::new(),
            cops_only: Vec::new(),
            robbers_only: Vec::new(),
        }
    }

    /// The level as RON; [`PursuitLevel::parse`] reads it back.
    #[must_use]
    pub fn to_ron(&self) -> String {
        let pretty = ron::ser::PrettyConfig::new();
        // A `RawLevel` holds only strings, characters and plain enums, all of which RON can write.
        ron::ser::to_string_pretty(&self.raw, pretty).unwrap_or_default()
    }

    /// The name, possibly empty.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.raw.name
    }

    /// The steps that the level allows.
    #[must_use]
    pub const fn moves(&self) -> Moves {
        self.raw.moves
    }

    /// The map without its marks: door cells are floor here, open or closed.
    #[must_use]
    pub const fn map(&self) -> &TileMap {
        &self.map
    }

    /// The map at the start: closed doors are walls.
    #[must_use]
    pub fn initial_map(&self) -> TileMap {
        let mut map = self.map.clone();
        for door in self.doors.iter().filter(|door| !door.open) {
            for &cell in &door.cells {
                map.set(cell, Terrain::Wall);
            }
        }
        map
    }

    /// The doors, in the order of their characters.
    #[must_use]
    pub fn doors(&self) -> &[Door] {
        &self.doors
    }

    /// The links, in the order of their characters.
    #[must_use]
    pub fn links(&self) -> &[LevelLink] {
        &self.links
    }

    /// The cops of the level, row by row.
    #[must_use]
    pub fn cops(&self) -> &[AgentStart] {
        &self.cops
    }

    /// The robbers of the level, row by row.
    #[must_use]
    pub fn robbers(&self) -> &[AgentStart] {
        &self.robbers
    }

    /// The spawn points, row by row.
    #[must_use]
    pub fn spawns(&self) -> &[Cell] {
        &self.spawns
    }

    /// The exits, row by row: where robbers win.
    #[must_use]
    pub fn exits(&self) -> &[Cell] {
        &self.exits
    }

    /// The cells that only cops enter, row by row.
    #[must_use]
    pub fn cops_only(&self) -> &[Cell] {
        &self.cops_only
    }

    /// The cells that only robbers enter, row by row.
    #[must_use]
    pub fn robbers_only(&self) -> &[Cell] {
        &self.robbers_only
    }

    /// Returns whether an agent of the level covers more than one cell. Such levels are played without tables.
    #[must_use]
    pub fn has_large_agents(&self) -> bool {
        let mut starts = self.cops.iter().chain(&self.robbers);
        starts.any(|start| !start.size.is_one())
    }

    /// The kinds of all cops and of all robbers of the level; `None` if those of one side differ.
    #[must_use]
    pub fn kinds_of_sides(&self) -> Option<[Kinds; 2]> {
        let common = |starts: &[AgentStart]| {
            let first = starts.first().map_or(Kinds::NONE, |start| start.kinds);
            starts
                .iter()
                .all(|start| start.kinds == first)
                .then_some(first)
        };
        Some([common(&self.cops)?, common(&self.robbers)?])
    }

    /// Returns whether the two sides may do the same everywhere: there are no exits, no cells for one side only, and no
    /// agents with kinds or of several cells.
    #[must_use]
    pub fn is_alike_for_both_sides(&self) -> bool {
        let one_side = [&self.exits, &self.cops_only, &self.robbers_only];
        let mut starts = self.cops.iter().chain(&self.robbers);
        let is_plain = |start: &AgentStart| start.kinds.is_empty() && start.size.is_one();
        one_side.into_iter().all(Vec::is_empty) && starts.all(is_plain)
    }

    fn validate(raw: RawLevel, source: &LevelText<'_>) -> Result<Self, MapError> {
        let map = empty_map(&raw, source)?;
        let mut level = Self {
            map,
            doors: Vec::new(),
            links: Vec::new(),
            cops: Vec::new(),
            robbers: Vec::new(),
            spawns: Vec::new(),
            exits: Vec::new(),
            cops_only: Vec::new(),
            robbers_only: Vec::new(),
            raw,
        };
        let cells_of = level.read_rows(source)?;
        for (&symbol, mark) in &level.raw.legend {
            let place = || source.legend_entry(symbol);
            if Terrain::from_symbol(symbol).is_some() {
                return Err(MapError::new(
                    place(),
                    "a character that is not a terrain",
                    format!("{symbol:?}"),
                ));
            }
            let Some(cells) = cells_of.get(&symbol) else {
                return Err(MapError::new(
                    place(),
                    format!("{symbol:?} somewhere in the rows"),
                    "none",
                ));
            };
            let kinds = level_rules::kinds_of(mark, source, symbol)?;
            let starts = |speed: NonZeroU8, size: BodySize| {
                let start = move |&at: &Cell| AgentStart {
                    at,
                    speed,
                    kinds,
                    size,
                };
                cells.iter().map(start)
            };
            match mark {
                Mark::Door { name, open, .. } => {
                    if level.doors.iter().any(|door| door.name == *name) {
                        return Err(MapError::new(
                            place(),
                            "a unique name for each door",
                            format!("a second door `{}`", shortened(name)),
                        ));
                    }
                    level.doors.push(Door {
                        name: name.clone(),
                        cells: cells.clone(),
                        open: *open,
                    });
                }
                Mark::Cop { speed, size, .. } => level.cops.extend(starts(*speed, *size)),
                Mark::Robber { speed, size, .. } => level.robbers.extend(starts(*speed, *size)),
                Mark::Spawn => level.spawns.extend(cells),
                Mark::Exit => level.exits.extend(cells),
                Mark::CopsOnly => level.cops_only.extend(cells),
                Mark::RobbersOnly => level.robbers_only.extend(cells),
                Mark::Link | Mark::LinkTo(_) | Mark::Tile { .. } => {}
            }
        }
        level.links = level_rules::read(&level.raw, source, &cells_of, &mut level.map)?;
        level_rules::expect_room(&level.raw, source, &cells_of, &level.map)?;
        level.cops.sort_by_key(|start| start.at);
        level.robbers.sort_by_key(|start| start.at);
        level.spawns.sort();
        for cells in [
            &mut level.exits,
            &mut level.cops_only,
            &mut level.robbers_only,
        ] {
            cells.sort();
        }
        Ok(level)
    }

    /// Fills the map and returns the cells of each legend character, row by row.
    fn read_rows(&mut self, source: &LevelText<'_>) -> Result<BTreeMap<char, Vec<Cell>>, MapError> {
        let mut cells_of: BTreeMap<char, Vec<Cell>> = BTreeMap::new();
        for (y, row) in (0..self.map.height()).zip(&self.raw.rows) {
            for (x, symbol) in (0..self.map.width()).zip(row.chars()) {
                let cell = Cell { x, y };
                if let Some(terrain) = Terrain::from_symbol(symbol) {
                    self.map.set(cell, terrain);
                } else if self.raw.legend.contains_key(&symbol) {
                    self.map.set(cell, Terrain::Floor);
                    cells_of.entry(symbol).or_default().push(cell);
                } else {
                    return Err(MapError::new(
                        source.row(&self.raw.rows, y.into(), x.into()),
                        "one of `.GS#@OTW` or a character of the legend",
                        format!("{symbol:?}"),
                    ));
                }
            }
        }
        Ok(cells_of)
    }
}

/// Creates a map of the size of the rows, after checking that they have the same length.
fn empty_map(raw: &RawLevel, source: &LevelText<'_>) -> Result<TileMap, MapError> {
    let length = |row: &String| row.chars().count();
    let columns = raw.rows.first().map_or(0, length);
    for (y, row) in raw.rows.iter().enumerate() {
        let found = length(row);
        if found != columns {
            return Err(MapError::new(
                source.row(&raw.rows, y, found.min(columns)),
                format!("a row of {columns} characters like the first"),
                format!("{found} characters"),
            ));
        }
    }
    let rows = raw.rows.len();
    u16::try_from(columns)
        .ok()
        .zip(u16::try_from(rows).ok())
        .and_then(|(width, height)| TileMap::filled(width, height, Terrain::Wall))
        .ok_or_else(|| {
            MapError::new(
                source.row(&raw.rows, 0, 0),
                format!("1 to {MAX_CELLS} cells, at most 65535 per side"),
                format!("{columns} x {rows}"),
            )
        })
}

/// The text of a level, for finding error positions after serde has read it.
pub(super) struct LevelText<'t> {
    text: &'t str,
}

impl LevelText<'_> {
    /// The position of column `x` of row `y`, both from 0.
    ///
    /// Searches for the rows as string literals after the word `rows`. A row written with escapes is
    /// not found; the result is then the position of the row before it.
    fn row(&self, rows: &[String], y: usize, x: usize) -> TextPosition {
        let mut at = self.text.find("rows").unwrap_or(0);
        let mut column = 0;
        for (index, row) in rows.iter().enumerate().take(y + 1) {
            let literal = format!("\"{row}\"");
            let Some(found) = self.text.get(at..).and_then(|rest| rest.find(&literal)) else {
                break;
            };
            at += found + 1;
            column = if index == y { x } else { 0 };
        }
        let mut place = self.place(at);
        place.column += column;
        place
    }

    /// The position of a list of the level.
    pub(super) fn list(&self, name: &str) -> TextPosition {
        self.place(self.text.find(name).unwrap_or(0))
    }

    /// The position of a legend character.
    pub(super) fn legend_entry(&self, symbol: char) -> TextPosition {
        let legend = self.text.find("legend").unwrap_or(0);
        let entry = self.text[legend..].find(&format!("'{symbol}'"));
        self.place(legend + entry.unwrap_or(0))
    }

    fn place(&self, offset: usize) -> TextPosition {
        let before = &self.text[..offset];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        TextPosition::new(
            before.matches('\n').count() + 1,
            before[line_start..].chars().count() + 1,
        )
    }
}
