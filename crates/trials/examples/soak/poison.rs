//! Feeds damaged tables and saves to the library: it must refuse them or run without panics.

use crate::api;
use crate::grid::Grid;
use crate::ops::{Ground, Style};
use crate::tables;
use pursuit_engine::search::Dice;
use std::fmt;

/// The number of damaged copies per game.
const COPIES: usize = 24;

/// A valid table, and the results for damaged copies.
pub struct Poison {
    dice: Dice,
    table: Vec<u8>,
    tables: u32,
    games: u32,
    survived: u32,
}

impl Poison {
    pub fn new(seed: u64) -> Result<Self, String> {
        let ground = Ground {
            style: Style::Maze,
            width: 21,
            height: 15,
            seed,
            is_layer: false,
            octile: true,
            offset: (0, 0),
        };
        Ok(Self {
            dice: Dice::new(seed),
            table: tables::table(&Grid::of(&ground), 1, 2).ok_or("no table")?,
            tables: 0,
            games: 0,
            survived: 0,
        })
    }

    fn damaged(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut bytes = bytes.to_vec();
        for _ in 0..=self.dice.below(3) {
            let at = self.dice.below(bytes.len());
            bytes[at] ^= 1 << self.dice.below(8);
        }
        if self.dice.below(4) == 0 {
            bytes.truncate(self.dice.below(bytes.len()).max(1));
        }
        bytes
    }

    pub fn feed(&mut self, save: Option<&[u8]>) -> Result<(), String> {
        for _ in 0..COPIES {
            let table = self.table.clone();
            let bytes = self.damaged(&table);
            self.tables += 1;
            if bytes != table && tables::is_table(bytes) {
                return Err("a damaged table was accepted".to_owned());
            }
            if let Some(save) = save {
                let bytes = self.damaged(save);
                self.games += 1;
                self.survived += u32::from(api::survives(&bytes));
            }
        }
        Ok(())
    }
}

impl fmt::Display for Poison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} tables refused; {} saves, of which {} could be restored and ran",
            self.tables, self.games, self.survived
        )
    }
}
