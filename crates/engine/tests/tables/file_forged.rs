//! Tests of forged tables that would make a careless reader take too much memory.

use allocation_counter::measure;
use pursuit_engine::game::{Outcome, Rules, Turns};
use pursuit_engine::graph::Graph;
use pursuit_engine::map::{Cell, Moves, Terrain, TileMap};
use pursuit_engine::table::{Arena, Solver, Table, TableError};

/// The file of a graph of `boards` boards of 64 vertices, with the given bytes for the section
/// `DICT`.
fn forged(boards: usize, dictionaries: &[u8]) -> Vec<u8> {
    let places = boards * 64;
    let turns = vec![0; 8];
    let directory = vec![0; boards * (8 + 4 * boards)];
    let sections: [(&[u8; 4], &[u8]); 5] = [
        (b"CELL", &[]),
        (b"TURN", &turns),
        (b"DICT", dictionaries),
        (b"SLAB", &directory),
        (b"BLCK", &[]),
    ];
    let length = 168 + sections.iter().map(|(_, bytes)| bytes.len()).sum::<usize>();
    let mut file = b"\x89PTAB\r\n\x1a".to_vec();
    // Version 1, a graph, one cop, speed 1 on both sides, and a longest capture time of 0 turns.
    file.extend([1, 0, 2, 1, 1, 1, 0, 0]);
    file.extend([0; 16]);
    file.extend((places as u32).to_le_bytes());
    file.extend((length as u64).to_le_bytes());
    let mut offset = 168;
    for (name, bytes) in sections {
        file.extend(name);
        file.extend(crc32fast::hash(bytes).to_le_bytes());
        file.extend((offset as u64).to_le_bytes());
        file.extend((bytes.len() as u64).to_le_bytes());
        offset += bytes.len();
    }
    file.extend(crc32fast::hash(&file).to_le_bytes());
    for (_, bytes) in sections {
        file.extend(bytes);
    }
    file
}

/// A dictionary of `kinds` kinds without patterns.
fn dictionary(kinds: u32) -> Vec<u8> {
    let mut bytes = [0_u32, kinds].map(u32::to_le_bytes).concat();
    bytes.resize(8 + 8 * kinds as usize, 0);
    bytes
}

fn offsets(boards: usize, of: impl Fn(usize) -> usize) -> Vec<u8> {
    let offsets = (0..boards).map(|board| (8 * boards + of(board)) as u64);
    offsets.flat_map(u64::to_le_bytes).collect()
}

/// The reader's result, and the greatest number of bytes that it held in addition to the file.
fn read(file: Vec<u8>) -> (Result<(), TableError>, u64) {
    let mut said = Ok(());
    let bytes: std::sync::Arc<[u8]> = file.into();
    let taken = measure(|| said = Table::from_bytes(bytes).map(|_| ()));
    (said, taken.bytes_max)
}

#[test]
fn boards_that_share_a_dictionary_are_refused_before_it_is_read_for_each() {
    let (boards, kinds) = (100, 100_000);
    let dict = [offsets(boards, |_| 0), dictionary(kinds)].concat();
    let file = forged(boards, &dict);
    let length = file.len() as u64;
    let (said, taken) = read(file);
    let error = said.expect_err("refused").to_string();
    // The offset of the second entry of the section, and the end of the first dictionary within it.
    let (entry, end) = (168 + 8 + 8, 800 + 8 + 8 * kinds);
    assert_eq!(
        error,
        format!("offset {entry}: expected an offset in the section from {end} on, found 800")
    );
    assert!(taken < 4 * length, "{taken} bytes for a file of {length}");
}

#[test]
fn dictionaries_that_overlap_or_are_out_of_order_are_refused() {
    let one = dictionary(3);
    let two = [one.clone(), one.clone()].concat();
    let length = one.len();
    let said = |of: [usize; 2]| {
        read(forged(
            2,
            &[offsets(2, |board| of[board]), two.clone()].concat(),
        ))
        .0
    };
    assert_eq!(said([0, length]), Ok(()));
    for wrong in [[0, 0], [length, 0], [0, length - 8], [0, 2 * length - 7]] {
        assert!(
            matches!(said(wrong), Err(TableError::Malformed { .. })),
            "{wrong:?}"
        );
    }
    // A dictionary has to begin after the offsets.
    let inside = read(forged(1, &[0_u64.to_le_bytes().to_vec(), one].concat())).0;
    assert!(matches!(inside, Err(TableError::Malformed { .. })));
}

#[test]
fn the_memory_of_a_reader_is_linear_in_the_file() {
    for (boards, kinds) in [(1, 500_000), (100, 10_000), (300, 2)] {
        let each = dictionary(kinds);
        let dict = [
            offsets(boards, |board| board * each.len()),
            each.repeat(boards),
        ]
        .concat();
        let file = forged(boards, &dict);
        let length = file.len() as u64;
        let (said, taken) = read(file);
        assert_eq!(said, Ok(()), "{boards} boards");
        assert!(taken < 4 * length, "{taken} bytes for a file of {length}");
    }
}

/// A header can claim any number of places and cops. The file is refused before memory is taken for them.
#[test]
fn a_forged_number_of_places_takes_no_memory() {
    let numbers = [
        0,
        1,
        63,
        65,
        65_535,
        65_536,
        65_537,
        1 << 20,
        u32::MAX - 63,
        u32::MAX,
    ];
    for kind in [0, 2] {
        for cops in [1, 2, 3, 4, 200, 255] {
            for places in numbers {
                let mut file = forged(1, &[offsets(1, |_| 0), dictionary(0)].concat());
                file[8] = if cops < 3 { 1 } else { 2 };
                (file[10], file[11]) = (kind, cops);
                file[32..36].copy_from_slice(&places.to_le_bytes());
                let checksum = crc32fast::hash(&file[..164]);
                file[164..168].copy_from_slice(&checksum.to_le_bytes());
                let (said, taken) = read(file);
                // Only these have one board and one word of placements.
                let is_word = places == 1 || cops == 1 && (1..65).contains(&places);
                let is_right = kind == 2 && is_word;
                assert_eq!(said.is_ok(), is_right, "{kind} {cops} {places}: {said:?}");
                assert!(taken < 1 << 16, "{cops} {places}: {taken} bytes");
            }
        }
    }
}

/// The longest side of a map is 65,535 cells. A column or row of that number is on no map.
#[test]
fn tables_of_maps_with_the_longest_side_are_read() {
    for (width, height) in [(65_535, 2), (2, 65_535), (65_535, 256)] {
        let mut map = TileMap::filled(width, height, Terrain::Wall).expect("a map");
        let (right, bottom) = (width - 1, height - 1);
        let cells = [
            (right, bottom),
            (right, bottom - 1),
            (right - 1, bottom),
            (0, 0),
        ];
        let cells = cells.map(|(x, y)| Cell::new(x, y));
        for cell in cells {
            map.set(cell, Terrain::Floor);
        }
        let graph = Graph::new(&map, Moves::Octile);
        let arena = Arena::of_map(&graph).into();
        let mut solver = Solver::new(arena, Rules::default(), 1 << 28).expect("a small table");
        assert!(solver.run(|_| true).done);
        let mut file = Table::of(&solver.finish().expect("done")).bytes().to_vec();
        let table = Table::from_bytes(file.clone().into()).expect("a valid table");
        assert_eq!(table.expect_map(graph.fingerprint()), Ok(()));
        let value = table.value(cells[0], &[cells[1]]);
        assert_eq!(value, Some(Outcome::Caught(Turns(1))));
        assert_eq!(table.value(cells[0], &[cells[3]]), Some(Outcome::Escapes));
        assert_eq!(table.value(cells[0], &[Cell::new(width, height)]), None);
        // The same cell one column or row further.
        let longer = if width > height { 0 } else { 2 };
        let place = table.place(cells[0]).expect("a place");
        let at = 168 + 4 * place + longer;
        file[at..at + 2].copy_from_slice(&u16::MAX.to_le_bytes());
        let section = crc32fast::hash(&file[168..168 + 16]);
        file[48..52].copy_from_slice(&section.to_le_bytes());
        let header = crc32fast::hash(&file[..164]);
        file[164..168].copy_from_slice(&header.to_le_bytes());
        let error = Table::from_bytes(file.into()).expect_err("on no map");
        assert!(error.to_string().contains("65535 on a side"), "{error}");
    }
}

/// Two rooms in the far corners of a large map. A forged file could claim the same.
#[test]
fn a_few_cells_on_a_large_map_take_little_memory() {
    let mut map = TileMap::filled(4000, 4000, Terrain::Wall).expect("a map");
    let cells = [(0, 0), (1, 0), (3998, 3999), (3999, 3999)].map(|(x, y)| Cell::new(x, y));
    for cell in cells {
        map.set(cell, Terrain::Floor);
    }
    let graph = Graph::new(&map, Moves::Octile);
    let arena = Arena::of_map(&graph).into();
    let mut solver = Solver::new(arena, Rules::default(), 1 << 28).expect("a small table");
    assert!(solver.run(|_| true).done);
    let file = Table::of(&solver.finish().expect("done")).bytes().to_vec();
    let (said, taken) = read(file.clone());
    assert_eq!(said, Ok(()));
    assert!(taken < 1 << 16, "{taken} bytes");
    let table = Table::from_bytes(file.into()).expect("a valid table");
    for robber in cells {
        for cop in cells {
            let is_captured = (robber.y == cop.y).then_some(Turns(u16::from(robber != cop)));
            let value = is_captured.map_or(Outcome::Escapes, Outcome::Caught);
            assert_eq!(
                table.value(robber, &[cop]),
                Some(value),
                "{robber:?} {cop:?}"
            );
        }
        assert_eq!(table.value(robber, &[Cell::new(2, 2)]), None);
    }
}
