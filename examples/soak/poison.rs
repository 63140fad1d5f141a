//! Damaged tables and save games.

use crate::riot::Riot;
use crate::town::rooms;
use bevy::prelude::*;
use bevy_pursuit::game::{Rules, Speed};
use bevy_pursuit::graph::Graph;
use bevy_pursuit::prelude::*;
use bevy_pursuit::search::Dice;
use bevy_pursuit::table::{Arena, Solver, Table};
use bevy_pursuit::world::{Expansions, PursuitWorld, Snapshot};
use std::fmt;
use std::path::{Path, PathBuf};

/// A good table, and what has become of bad ones.
pub struct Poison {
    dice: Dice,
    good: Vec<u8>,
    folder: PathBuf,
    files: u32,
    tables: u32,
    games: u32,
    survived: u32,
}

impl Poison {
    /// A table of the smaller map as it is in the beginning, and a folder to put damaged ones into.
    pub fn new(seed: u64) -> Result<Self, String> {
        let level = rooms(48, 40, seed);
        let graph = Graph::new(&level.map, Moves::Orthogonal);
        let rules = Rules {
            cop_speed: Speed::new(2).unwrap_or_default(),
            moves: Moves::Orthogonal,
            ..Rules::default()
        };
        let mut solver = Solver::new(Arena::of_map(&graph).into(), rules, 1 << 30)
            .map_err(|error| error.to_string())?;
        solver.run(|_| true);
        let solution = solver.finish().ok_or("no table")?;
        let folder = std::env::temp_dir().join(format!("pursuit-soak-{}", std::process::id()));
        std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
        Ok(Self {
            dice: Dice::new(seed),
            good: Table::of(&solution).bytes().to_vec(),
            folder,
            files: 0,
            tables: 0,
            games: 0,
            survived: 0,
        })
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    pub fn feed(&mut self, riot: &mut Riot, tick: u64) -> Result<(), String> {
        if tick.is_multiple_of(41) {
            self.damaged_table()?;
        }
        if tick.is_multiple_of(211) {
            self.table_file(riot)?;
        }
        if tick.is_multiple_of(1_009) {
            self.damaged_game(riot);
        }
        Ok(())
    }

    fn damaged(&mut self) -> Vec<u8> {
        let mut bytes = self.good.clone();
        for _ in 0..=self.dice.below(3) {
            let at = self.dice.below(bytes.len());
            bytes[at] ^= 1 << self.dice.below(8);
        }
        if self.dice.below(4) == 0 {
            bytes.truncate(self.dice.below(bytes.len()));
        }
        bytes
    }

    fn damaged_table(&mut self) -> Result<(), String> {
        let bytes = self.damaged();
        if bytes == self.good {
            return Ok(());
        }
        self.tables += 1;
        match Table::from_bytes(bytes.into()) {
            Err(_) => Ok(()),
            Ok(_) => Err("a damaged table was taken for a good one".to_owned()),
        }
    }

    /// The maps get a file as table that is damaged, most of the time.
    fn table_file(&mut self, riot: &mut Riot) -> Result<(), String> {
        let bytes = if self.dice.below(4) == 0 {
            self.good.clone()
        } else {
            self.damaged()
        };
        let name = format!("{}.ptab", self.dice.below(6));
        std::fs::write(self.folder.join(&name), bytes).map_err(|error| error.to_string())?;
        self.files += 1;
        for map in riot.maps {
            let handle = riot.app.world().resource::<AssetServer>().load(&name);
            riot.app
                .world_mut()
                .entity_mut(map)
                .insert(PursuitTables(vec![handle]));
        }
        Ok(())
    }

    /// A save game of which some letters are others. What can be restored all the same has to run.
    fn damaged_game(&mut self, riot: &Riot) {
        let Some(text) = riot.saved() else {
            return;
        };
        for _ in 0..8 {
            let mut text = text.as_bytes().to_vec();
            let at = self.dice.below(text.len());
            let digits = text[at..].iter().position(u8::is_ascii_digit);
            text[at + digits.unwrap_or(0)] = b'0' + self.dice.below(10) as u8;
            self.games += 1;
            let snapshot = serde_json::from_slice::<Snapshot>(&text).ok();
            let world = snapshot.and_then(|it| PursuitWorld::from_snapshot(it).ok());
            if let Some(mut world) = world {
                self.survived += 1;
                for _ in 0..20 {
                    world.begin_tick(&[]);
                    world.arrive();
                    world.decide(&mut Expansions(2_000));
                }
            }
        }
    }
}

impl fmt::Display for Poison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} damaged tables refused, {} files loaded, {} damaged save games of which {} ran on",
            self.tables, self.files, self.games, self.survived
        )
    }
}

impl Drop for Poison {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
