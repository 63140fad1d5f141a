//! One function for each kind of input. They return whether the input was accepted.

use crate::ground::Ground;
use crate::input::set_text;
use crate::memory::{Bound, bounded};
use crate::positions::Positions;
use crate::seeds;
use pursuit_engine::endgame::{EndgameShapes, Endgames};
use pursuit_engine::game::{Agent, Side, Speed, State};
use pursuit_engine::graph::{Graph, Vertex};
use pursuit_engine::map::{Cell, MAX_CELLS, Moves, PursuitLevel, TileMap};
use pursuit_engine::policy::{Decision, Source, TablePlayer, TieBreak};
use pursuit_engine::solve::simultaneous::{MixedPlayer, MixedTable};
use pursuit_engine::table::{Arena, CaptureTimes as _, Table};
use pursuit_engine::world::{
    AgentSetup, Expansions, PursuitClock, PursuitSettings, PursuitWorld, Snapshot,
};
use pursuit_lab::eval::survey;
use pursuit_lab::graph::{edge_list, graph6};
use pursuit_lab::patterns::pursuit::{Lookup, Matcher, Search};
use pursuit_lab::patterns::{Kind, PatternFile, Subject};
use std::fmt::Write as _;
use std::path::Path;

/// A map of the allowed size is allocated before its rows are read.
const MAP: Bound = Bound {
    each: 16,
    fixed: MAX_CELLS as u64 + 4096,
};
const LEVEL: Bound = Bound {
    each: 64,
    fixed: 16 << 10,
};
/// A table has a number for each cell of the rectangle around its cells.
const TABLE: Bound = Bound {
    each: 16,
    fixed: 4 * MAX_CELLS as u64 + (16 << 10),
};
/// A table is checked with some numbers for each position of the game that its shape calls for.
const ENDGAMES: Bound = Bound {
    each: 64,
    fixed: 1 << 28,
};
/// serde reserves a megabyte at most for a list that says to be long.
const SNAPSHOT: Bound = Bound {
    each: 1024,
    fixed: 4 << 20,
};
const SETTINGS: Bound = Bound {
    each: 16,
    fixed: 4096,
};
const POSITIONS: Bound = Bound {
    each: 128,
    fixed: 32 << 10,
};
const GRAPH6: Bound = Bound {
    each: 128,
    fixed: 4096,
};
/// The number of vertices is not followed by anything that has to be as long.
const EDGES: Bound = Bound {
    each: 64,
    fixed: 8 * MAX_CELLS as u64 + 4096,
};
const PATTERNS: Bound = Bound {
    each: 64,
    fixed: 16 << 10,
};
/// A program has a number for each arrangement of two cops within 19 columns and rows.
const MATCHER: Bound = Bound {
    each: 1 << 14,
    fixed: 1 << 26,
};

/// Maps with more cells are read and written, but not played on.
const PLAYED_ON: usize = 400;

fn text(data: &[u8]) -> Option<&str> {
    str::from_utf8(data).ok()
}

/// MovingAI maps.
pub fn map(data: &[u8]) -> bool {
    let Some(text) = text(data) else { return false };
    let Ok(map) = bounded(data.len(), &MAP, || TileMap::parse(text)) else {
        return false;
    };
    assert_eq!(TileMap::parse(&map.to_movingai()).as_ref(), Ok(&map));
    graph_of(&map, Moves::Octile);
    true
}

fn graph_of(map: &TileMap, moves: Moves) {
    if map.cells().count() <= PLAYED_ON {
        let graph = Graph::new(map, moves);
        let passable = map.cells().filter(|&cell| map.is_passable(cell)).count();
        assert_eq!(graph.vertices(), passable);
    }
}

/// Levels: RON or MovingAI maps.
pub fn level(data: &[u8]) -> bool {
    let Some(text) = text(data) else { return false };
    let bound = if text.contains("type") { &MAP } else { &LEVEL };
    let bound = Bound {
        each: LEVEL.each,
        fixed: bound.fixed.max(LEVEL.fixed),
    };
    let Ok(level) = bounded(data.len(), &bound, || PursuitLevel::parse(text)) else {
        return false;
    };
    assert_eq!(PursuitLevel::parse(&level.to_ron()).as_ref(), Ok(&level));
    let map = level.initial_map();
    let starts = level
        .cops()
        .iter()
        .chain(level.robbers())
        .map(|start| start.at);
    assert!(
        starts
            .chain(level.spawns().iter().copied())
            .all(|cell| map.is_passable(cell))
    );
    for door in level.doors() {
        assert!(!door.cells.is_empty());
        assert!(
            door.cells
                .iter()
                .all(|&cell| map.is_passable(cell) == door.open)
        );
    }
    graph_of(&map, level.moves());
    true
}

/// Tables, as they are and with checksums and lengths put right.
pub fn table(data: &[u8]) -> bool {
    let as_it_is = use_table(data);
    let sealed = sealed(data);
    as_it_is | use_table(&sealed)
}

/// A table with the lengths and checksums that its parts call for.
fn sealed(data: &[u8]) -> Vec<u8> {
    sealed_sections(data, 44, 5)
}

/// The file with the lengths and checksums that its parts call for. The list of its sections begins at the offset
/// `directory`, and the checksum of the header follows.
fn sealed_sections(data: &[u8], directory: usize, sections: usize) -> Vec<u8> {
    let header = directory + 24 * sections + 4;
    let mut file = data.to_vec();
    if file.len() < header {
        return file;
    }
    let length = file.len();
    file[36..44].copy_from_slice(&(length as u64).to_le_bytes());
    let mut start = header;
    for section in 0..sections {
        let entry = directory + 24 * section;
        let said = u64::from_le_bytes(*file[entry + 16..].first_chunk().expect("eight bytes"));
        // The last section is what is left.
        let rest = length - start;
        let size = if section + 1 == sections {
            rest
        } else {
            rest.min(said.try_into().unwrap_or(rest))
        };
        let checksum = crc32fast::hash(&file[start..start + size]);
        file[entry + 4..entry + 8].copy_from_slice(&checksum.to_le_bytes());
        file[entry + 8..entry + 16].copy_from_slice(&(start as u64).to_le_bytes());
        file[entry + 16..entry + 24].copy_from_slice(&(size as u64).to_le_bytes());
        start += size;
    }
    let checksum = crc32fast::hash(&file[..header - 4]);
    file[header - 4..header].copy_from_slice(&checksum.to_le_bytes());
    file
}

/// Endgames, as they are and with the checksums of the file and of its first table put right.
pub fn endgames(data: &[u8]) -> bool {
    let as_it_is = use_endgames(data);
    let mut file = data.to_vec();
    let Some(end) = file.len().checked_sub(4).filter(|&end| end > 25) else {
        return as_it_is;
    };
    let cells = usize::from(u16::from_le_bytes([file[19], file[20]]));
    let start = 14 + 7 + 6 * cells + 4;
    if let Some(length) = file.get(start - 4..start) {
        let length = u32::from_le_bytes(*length.first_chunk().expect("four bytes")) as usize;
        if let Some(table) = file.get(start..start.saturating_add(length)) {
            let table = sealed(table);
            file[start..start + length].copy_from_slice(&table);
        }
    }
    let checksum = crc32fast::hash(&file[..end]);
    file[end..].copy_from_slice(&checksum.to_le_bytes());
    as_it_is | use_endgames(&file)
}

fn use_endgames(data: &[u8]) -> bool {
    let read = || EndgameShapes::from_bytes(data.into());
    let Ok(shapes) = bounded(2 * data.len(), &ENDGAMES, read) else {
        return false;
    };
    assert_eq!(shapes.to_bytes(), data);
    // What was accepted is what the solver finds.
    let (graph, shapes) = (seeds::graph(), std::sync::Arc::new(shapes));
    let vertices: Vec<Vertex> = graph.iter().collect();
    let agent = |at: usize| Agent {
        at: vertices[at],
        speed: Speed::ONE,
    };
    for cops in [&[agent(3)][..], &[agent(3), agent(12)]] {
        let state = State {
            robber: agent(0),
            cops,
            to_move: Side::Cops,
        };
        let bound = |shapes| {
            let mut endgames = Endgames::default();
            endgames.use_shapes(shapes);
            for _ in 0..2 {
                endgames.begin(&graph, &state);
                endgames.finish(&graph);
            }
            let safe = endgames.is_safe(&graph, &state);
            (endgames.bound(&graph, &state), safe)
        };
        assert_eq!(bound(shapes.clone()), bound(std::sync::Arc::default()));
    }
    true
}

fn use_table(data: &[u8]) -> bool {
    let Ok(table) = bounded(2 * data.len(), &TABLE, || Table::from_bytes(data.into())) else {
        return false;
    };
    assert_eq!(**table.bytes(), *data);
    look_up(&table);
    let (graph, digraph) = (seeds::graph(), seeds::digraph());
    let limit = 1 << 20;
    let of_map = table.verify(&graph, limit, |_| true).is_ok();
    let of_graph = table.verify_digraph(&digraph, limit, |_| true).is_ok();
    let of_rules = table
        .verify_arena(&seeds::arena_with_rules(), limit, |_| true)
        .is_ok();
    assert!(u8::from(of_map) + u8::from(of_graph) + u8::from(of_rules) <= 1);
    if table.expect_arena(&Arena::of_map(&graph)).is_ok() {
        play(&table, &graph);
    }
    true
}

/// Some values: places at the ends and in between.
fn look_up(table: &Table) {
    let places = table.places();
    let cops = usize::from(table.rules().cops.get());
    let some = || {
        (0..=places)
            .step_by(1 + places / 9)
            .chain([places.saturating_sub(1), usize::MAX])
    };
    for robber in some() {
        for cop in some() {
            let mut all: Vec<usize> = (0..cops)
                .map(|number| cop.saturating_sub(7 * number))
                .collect();
            let is_there = robber < places && cop < places;
            let is_some = table.value_at(robber, &mut all).is_some();
            assert!(is_some == is_there || !table.is_plain() && is_there);
        }
    }
    let cells = table.cells();
    for &cell in cells.iter().step_by(1 + cells.len() / 9) {
        let all = vec![cell; cops];
        let is_some = table.value(cell, &all).is_some();
        assert!(table.place(cell).is_some() && (is_some || !table.is_plain()));
        let _ = table.value(Cell::new(cell.y, cell.x), &all);
    }
    let _ = table.place(Cell::new(u16::MAX, u16::MAX));
    let _ = (table.longest(), table.histogram().len());
    let _ = (
        table.longest_away(),
        table.away_histogram().len(),
        table.variant(),
    );
}

/// Asks for the best moves of a few positions. A forged table may contradict itself and have none.
fn play(table: &Table, graph: &Graph) {
    let rules = table.rules();
    let cops = usize::from(rules.cops.get());
    if cops > 3 || rules.cop_speed.steps() > 3 || rules.robber_speed.steps() > 3 {
        return;
    }
    let arena = Arena::of_map(graph);
    let vertices: Vec<Vertex> = graph.iter().collect();
    let mut player = TablePlayer::new(TieBreak::Distance);
    for (index, &at) in vertices.iter().enumerate().step_by(5) {
        let robber = Agent {
            at,
            speed: rules.robber_speed,
        };
        let places = (0..cops).map(|cop| vertices[(index * 3 + cop) % vertices.len()]);
        let cops: Vec<Agent> = places
            .map(|at| Agent {
                at,
                speed: rules.cop_speed,
            })
            .collect();
        let state = |to_move| State {
            robber,
            cops: &cops,
            to_move,
        };
        let (mut decisions, mut decision) = (Vec::new(), Decision::wait(Source::Table));
        player.cops(table, &arena, graph, &state(Side::Cops), &mut decisions);
        player.robber(table, &arena, graph, &state(Side::Robber), &mut decision);
        let _ = player.all_cop_moves(table, &arena, graph, &state(Side::Cops));
        let _ = player.all_robber_moves(table, &arena, graph, &state(Side::Robber));
    }
}

/// Snapshots in RON.
pub fn snapshot_ron(data: &[u8]) -> bool {
    let Some(text) = text(data) else { return false };
    let snapshot = bounded(data.len(), &SNAPSHOT, || ron::from_str(text));
    snapshot.is_ok_and(|snapshot| use_snapshot(snapshot, data.len()))
}

/// Snapshots in postcard, which believes what it reads.
pub fn snapshot_postcard(data: &[u8]) -> bool {
    let snapshot = bounded(data.len(), &SNAPSHOT, || postcard::from_bytes(data));
    snapshot.is_ok_and(|snapshot| use_snapshot(snapshot, data.len()))
}

fn use_snapshot(snapshot: Snapshot, length: usize) -> bool {
    let written = postcard::to_allocvec(&snapshot).expect("plain data");
    let again: Snapshot = postcard::from_bytes(&written).expect("what was written");
    assert_eq!(postcard::to_allocvec(&again).as_ref(), Ok(&written));
    let restored = bounded(length, &SNAPSHOT, || PursuitWorld::from_snapshot(snapshot));
    let Ok(mut world) = restored else {
        return false;
    };
    let mut other = PursuitWorld::from_snapshot(again).expect("the same snapshot");
    for _ in 0..4 {
        assert_eq!(world.position_hash(), other.position_hash());
        for world in [&mut world, &mut other] {
            tick(world);
        }
    }
    let later = PursuitWorld::from_snapshot(world.snapshot());
    assert!(
        later.is_ok(),
        "a world that goes on is refused when it is saved: {later:?}"
    );
    true
}

fn tick(world: &mut PursuitWorld) {
    world.begin_tick(&[]);
    world.arrive();
    world.decide(&mut Expansions(300));
}

/// Settings in RON, as the plugin reads them.
pub fn settings(data: &[u8]) -> bool {
    let read = || ron::de::from_bytes::<PursuitSettings>(data);
    let Ok(settings) = bounded(data.len(), &SETTINGS, read) else {
        return false;
    };
    let written = ron::to_string(&settings).expect("plain data");
    assert_eq!(
        ron::from_str::<PursuitSettings>(&written).as_ref(),
        Ok(&settings)
    );
    let map = TileMap::parse(seeds::MAP).expect("a map");
    let mut world = PursuitWorld::new(&map, Moves::Octile, settings);
    world.insert(AgentSetup::new(Side::Robber, Cell::new(0, 0)));
    world.insert(AgentSetup::new(Side::Cops, Cell::new(5, 3)));
    for _ in 0..6 {
        tick(&mut world);
        world.next_request();
    }
    let later = PursuitWorld::from_snapshot(world.snapshot());
    assert!(
        later.is_ok(),
        "a world that goes on is refused when it is saved: {later:?}"
    );
    true
}

/// Lists of positions.
pub fn positions(data: &[u8]) -> bool {
    let Some(text) = text(data) else { return false };
    set_text(text);
    let path = Path::new("positions.csv");
    let Ok(mut positions) = bounded(data.len(), &POSITIONS, || Positions::read(path)) else {
        return false;
    };
    let (graph, digraph) = (seeds::graph(), seeds::digraph());
    for record in &positions.records {
        let _ = positions.agents(record, Ground::Map(&graph));
        let _ = positions.agents(record, Ground::Edges(&digraph));
        let _ = positions.wrong_field(record, record.len() - 1, "a number", "none");
    }
    let _ = positions.cops().and_then(|cops| positions.take_cops(cops));
    // A mark of UTF-8 in the first field would not be read back without quotes.
    let mut writer = csv::WriterBuilder::new()
        .quote_style(csv::QuoteStyle::Always)
        .from_writer(Vec::new());
    for record in std::iter::once(&positions.header).chain(&positions.records) {
        writer.write_record(record).expect("records of one length");
    }
    let written = writer.into_inner().expect("a list of bytes");
    set_text(str::from_utf8(&written).expect("fields of text"));
    let Ok(again) = Positions::read(path) else {
        panic!("what was written is refused")
    };
    assert_eq!(
        (&again.header, &again.records),
        (&positions.header, &positions.records)
    );
    true
}

/// Graphs in graph6.
pub fn graph6(data: &[u8]) -> bool {
    let Some(text) = text(data) else { return false };
    let graphs = bounded(data.len(), &GRAPH6, || {
        graph6::parse_lines(text).collect::<Result<Vec<_>, _>>()
    });
    let Ok(graphs) = graphs else { return false };
    for graph in &graphs {
        let line = graph6::write(graph).expect("edges both ways");
        assert_eq!(graph6::parse(&line).as_ref(), Ok(graph));
    }
    if graphs.iter().all(|graph| graph.vertices() < 8) && graphs.len() < 4 {
        let found = survey(text, 1 << 20, |_| true);
        assert!(found.is_ok(), "{found:?}");
    }
    true
}

/// Graphs with one edge a line.
pub fn edge_list(data: &[u8]) -> bool {
    let Some(text) = text(data) else { return false };
    let Ok(graph) = bounded(data.len(), &EDGES, || edge_list::parse(text)) else {
        return false;
    };
    if graph.vertices() > 1 << 16 {
        return true;
    }
    let mut written = format!("{}\n", graph.vertices());
    for tail in graph.iter() {
        for head in graph.successors(tail) {
            writeln!(written, "{} > {}", tail.index(), head.index()).expect("a string grows");
        }
    }
    assert_eq!(edge_list::parse(&written).as_ref(), Ok(&graph));
    let components: usize = graph.components().iter().map(Vec::len).sum();
    assert_eq!(components, graph.vertices());
    true
}

/// Pattern databases, as they are and with the checksum put right.
pub fn patterns(data: &[u8]) -> bool {
    let as_it_is = use_patterns(data);
    let mut file = data.to_vec();
    let Some(end) = file.len().checked_sub(4) else {
        return as_it_is;
    };
    let checksum = crc32fast::hash(&file[..end]);
    file[end..].copy_from_slice(&checksum.to_le_bytes());
    as_it_is | use_patterns(&file)
}

fn use_patterns(data: &[u8]) -> bool {
    let Ok(file) = bounded(data.len(), &PATTERNS, || PatternFile::from_bytes(data)) else {
        return false;
    };
    assert_eq!(file.to_bytes(), data);
    let Subject::Pursuit { guarded, .. } = file.subject else {
        return true;
    };
    // The compiled programs say what a look at each pattern says.
    let compile = || Matcher::with_guards(&file.database, guarded);
    let matcher = bounded(data.len(), &MATCHER, compile);
    let lookup = Lookup::new(&file.database, guarded);
    let graph = seeds::graph();
    let cells: Vec<Cell> = graph.iter().map(|vertex| graph.cell(vertex)).collect();
    for (index, &robber) in cells.iter().enumerate() {
        let others: Vec<Cell> = (1..cells.len())
            .map(|more| cells[(index + more) % cells.len()])
            .collect();
        for cops in [&others[..1], &others[3..5], &others[2..6]] {
            for kind in [Kind::Won, Kind::InOne] {
                let run = matcher.turns(&graph, kind, robber, cops);
                let [scan, find] = [Search::Scan, Search::Binary]
                    .map(|search| lookup.turns(&graph, kind, robber, cops, search));
                assert_eq!(scan, find);
                // A capture that is proven with the robber to move is also proven with the cops to move.
                let won = lookup.turns(&graph, Kind::Won, robber, cops, Search::Scan);
                assert_eq!(run, scan.into_iter().chain(won).min());
            }
        }
    }
    true
}

/// Tables of mixed strategies, as they are and with checksums and lengths put right.
pub fn mixed_table(data: &[u8]) -> bool {
    let as_it_is = use_mixed_table(data);
    let sealed = sealed_sections(data, 76, 4);
    as_it_is | use_mixed_table(&sealed)
}

fn use_mixed_table(data: &[u8]) -> bool {
    let read = || MixedTable::from_bytes(data.into());
    let Ok(table) = bounded(2 * data.len(), &TABLE, read) else {
        return false;
    };
    assert_eq!(**table.bytes(), *data);
    let places = table.places();
    let cops = usize::from(table.rules().cops.get());
    let some = || (0..=places).step_by(1 + places / 9).chain([usize::MAX]);
    for robber in some() {
        for cop in some() {
            let all: Vec<usize> = (0..cops)
                .map(|number| cop.saturating_sub(7 * number))
                .collect();
            let is_there = robber < places && all.iter().all(|&cop| cop < places);
            assert_eq!(table.value_at(robber, &all).is_some(), is_there);
            let found = table.strategies_at(robber, &all);
            assert!(is_there || found.is_none());
        }
    }
    let _ = table.values().count();
    let (graph, digraph) = (seeds::graph(), seeds::digraph());
    let arenas = [Arena::of_map(&graph), Arena::of_digraph(&digraph)];
    let [of_map, of_graph] = arenas.map(|arena| {
        let found = table.verify(arena.into(), 1 << 20, |_| true);
        found.is_ok()
    });
    assert!(!of_map || !of_graph);
    play_mixed(table, &graph);
    true
}

/// Plays some turns in a world. A forged table may have no strategies, or illegal ones.
fn play_mixed(table: MixedTable, graph: &Graph) {
    let (rules, table) = (table.rules(), std::sync::Arc::new(table));
    let Ok(mut player) = MixedPlayer::new(table.clone(), graph, 1) else {
        return;
    };
    let vertices: Vec<Vertex> = graph.iter().collect();
    let agent = |index: usize, speed| Agent {
        at: vertices[index % vertices.len()],
        speed,
    };
    let map = TileMap::parse(seeds::MAP).expect("a map");
    for first in 0..3 {
        let robber = agent(first, rules.robber_speed);
        let cops = 0..usize::from(rules.cops.get());
        let cops: Vec<Agent> = cops
            .map(|cop| agent(first + 4 + 5 * cop, rules.cop_speed))
            .collect();
        let state = State {
            robber,
            cops: &cops,
            to_move: Side::Cops,
        };
        let _ = (
            player.value(&state),
            player.robber_goal(&state),
            player.cop_goals(&state),
        );
        let settings = PursuitSettings {
            ticks_per_turn: 1,
            clock: PursuitClock::Simultaneous,
            ..PursuitSettings::default()
        };
        let mut world = PursuitWorld::new(&map, rules.moves, settings);
        if world.add_mixed_table(table.clone()).is_err() {
            return;
        }
        let sides = cops.iter().map(|cop| (Side::Cops, cop));
        for (side, agent) in sides.chain([(Side::Robber, &robber)]) {
            world.insert(AgentSetup {
                speed: agent.speed,
                ..AgentSetup::new(side, graph.cell(agent.at))
            });
        }
        for _ in 0..6 {
            tick(&mut world);
        }
    }
}
