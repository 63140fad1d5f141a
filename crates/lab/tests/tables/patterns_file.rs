//! Files of patterns: round trips, damage, and files of other kinds.

use pursuit_engine::map::Moves;
use pursuit_lab::patterns::hex::Hex;
use pursuit_lab::patterns::pursuit::PursuitWindows;
use pursuit_lab::patterns::{Generator, PatternError, PatternFile, Subject};

fn files() -> Vec<PatternFile> {
    let hex = PatternFile {
        subject: Subject::Hex,
        depth: 3,
        database: Generator::new(Hex::new(5), 3).run(),
    };
    let windows = [(Moves::Octile, 1, 0), (Moves::Orthogonal, 2, 1)];
    let windows = windows.map(|(moves, cops, guarded)| {
        let game = PursuitWindows::new(moves, cops, (3, 2), guarded).expect("valid");
        PatternFile {
            subject: Subject::Pursuit {
                moves,
                cops,
                guarded,
            },
            depth: 2,
            database: Generator::new(game, 2).run(),
        }
    });
    std::iter::once(hex).chain(windows).collect()
}

/// The checksum at the end made right for the bytes before.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.truncate(bytes.len() - 4);
    let sum = crc32(&bytes);
    bytes.extend(sum.to_le_bytes());
    bytes
}

/// CRC-32 of ISO 3309, bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    let mut sum = u32::MAX;
    for &byte in bytes {
        sum ^= u32::from(byte);
        for _ in 0..8 {
            sum = (sum >> 1) ^ (0xedb8_8320 & (sum & 1).wrapping_neg());
        }
    }
    !sum
}

#[test]
fn what_is_written_is_read() {
    for file in files() {
        let bytes = file.to_bytes();
        assert_eq!(PatternFile::from_bytes(&bytes), Ok(file.clone()));
        assert_eq!(sealed(bytes.clone()), bytes);
        assert!(!file.database.patterns().is_empty());
    }
}

#[test]
fn flipped_bits_are_refused() {
    for file in files() {
        let bytes = file.to_bytes();
        for index in 0..bytes.len() {
            for bit in [0, 3, 7] {
                let mut damaged = bytes.clone();
                damaged[index] ^= 1 << bit;
                assert!(
                    PatternFile::from_bytes(&damaged).is_err(),
                    "byte {index}, bit {bit}"
                );
            }
        }
    }
}

#[test]
fn forged_files_are_refused_or_at_least_harmless() {
    for file in files() {
        let bytes = file.to_bytes();
        let step = 1 + bytes.len() / 4000;
        for index in (10..bytes.len() - 4).step_by(step) {
            for value in [0, 1, 7, 0x55, 0xff] {
                let mut forged = bytes.clone();
                forged[index] = value;
                if let Ok(read) = PatternFile::from_bytes(&sealed(forged.clone())) {
                    assert_eq!(read.to_bytes(), sealed(forged), "read as it is written");
                    let matcher = pursuit_lab::patterns::pursuit::Matcher::new(&read.database);
                    assert!(matcher.bytes() < 1 << 28);
                }
            }
        }
    }
}

#[test]
fn cut_and_lengthened_files_are_refused() {
    let bytes = files()[0].to_bytes();
    for length in 0..bytes.len() {
        assert!(
            PatternFile::from_bytes(&bytes[..length]).is_err(),
            "{length} bytes"
        );
    }
    let mut longer = bytes.clone();
    longer.push(0);
    assert!(PatternFile::from_bytes(&longer).is_err());
    longer.truncate(longer.len() - 5);
    longer.extend([0; 9]);
    let error = PatternFile::from_bytes(&sealed(longer)).expect_err("too long");
    assert!(matches!(error, PatternError::Length { .. }), "{error}");
}

#[test]
fn foreign_files_are_refused_by_name() {
    let error = |bytes: &[u8]| {
        PatternFile::from_bytes(bytes)
            .expect_err("foreign")
            .to_string()
    };
    assert_eq!(
        error(b"\x89PTAB\r\n\x1a and so on"),
        "offset 0: expected patterns (89 50 50 41 54 0d 0a 1a), found 89 50 54 41 42 0d 0a 1a"
    );
    assert!(error(b"").ends_with("found nothing"));
    let mut newer = files()[0].to_bytes();
    newer[8] = 2;
    assert_eq!(
        error(&newer),
        "offset 8: expected patterns of version 1, found version 2"
    );
}

#[test]
fn turns_that_a_program_cannot_hold_are_refused() {
    for file in files() {
        let bytes = file.to_bytes();
        let last = bytes.len() - 5;
        for (turns, fits) in [(0, true), (1, true), (254, true), (255, false)] {
            let mut forged = bytes.clone();
            (forged[12], forged[last]) = (255, turns);
            let read = PatternFile::from_bytes(&sealed(forged));
            let is_valid = fits && (turns > 0 || file.subject == Subject::Hex);
            assert_eq!(read.is_ok(), is_valid, "{turns}");
            if let Err(error) = read {
                assert!(error.to_string().contains("to 254 turns, found"), "{error}");
            }
        }
    }
}

#[test]
fn the_work_may_be_cut_anywhere() {
    let game = || PursuitWindows::new(Moves::Octile, 1, (3, 2), 0).expect("valid");
    let mut generator = Generator::new(game(), 2);
    for _ in 0..4 {
        generator.advance(0);
    }
    while generator.progress().done < generator.progress().shapes {
        generator.advance(usize::MAX);
    }
    assert_eq!(generator.finish(), Generator::new(game(), 2).run());
}
