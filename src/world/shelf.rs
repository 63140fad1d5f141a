//! STUB
#![allow(missing_docs, dead_code, unused_variables, clippy::all, clippy::pedantic)]
use crate::game::Rules;
use crate::graph::{Fingerprint, Graph};
use crate::table::*;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TableSettings { pub solve: bool, pub memory: u64, pub max_bytes: u64, pub max_seconds: f32, pub timing: TableTiming }
impl Default for TableSettings { fn default() -> Self { Self { solve: true, memory: 1, max_bytes: 1, max_seconds: 1.0, timing: TableTiming::WhenReady } } }
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum TableTiming { Repeatable { ticks: u32, ticks_per_second: u32 }, WhenReady }
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TableKey { pub fingerprint: Fingerprint, pub rules: Rules }
pub struct Found<'a> { pub times: &'a (dyn CaptureTimes), pub arena: &'a Arc<Arena> }
pub enum NoTable { Off, Solving { due: u64 } }
#[derive(Debug, Clone, PartialEq)]
pub enum ShelfEvent { Solving { key: TableKey }, Ready { key: TableKey }, Dropped { key: TableKey }, Refused { key: TableKey, why: SolveError } }
#[derive(Debug)]
pub struct Shelf {}
#[derive(Debug)]
pub struct TableRequest { pub key: TableKey }
#[derive(Debug)]
pub struct TableWork {}
impl TableWork { pub fn new(r: TableRequest) -> Result<Self, SolveError> { Ok(Self {}) } pub fn advance(&mut self, b: usize) -> Progress { unreachable!() } pub fn finish(self) -> Result<Solution, SolveError> { unreachable!() } }
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ShelfState {}
impl Shelf {
    pub fn new(s: TableSettings) -> Self { Self {} }
    pub fn set_settings(&mut self, s: TableSettings) {}
    pub fn find(&mut self, g: &Graph, r: &Rules, t: u64) -> Option<Found<'_>> { None }
    pub fn want(&mut self, g: &Graph, r: &Rules, t: u64) {}
    pub fn why_not(&self, g: &Graph, r: &Rules, t: u64) -> NoTable { NoTable::Off }
    pub fn add_asset(&mut self, t: Table) -> Result<TableKey, TableError> { unreachable!() }
    pub fn remove_asset(&mut self, k: &TableKey) {}
    pub fn next_request(&mut self) -> Option<TableRequest> { None }
    pub fn deliver(&mut self, k: TableKey, a: Result<Solution, SolveError>, t: u64) {}
    pub fn overdue(&self, t: u64) -> Option<TableKey> { None }
    pub fn drain_events(&mut self, f: impl FnMut(ShelfEvent)) {}
    pub fn save(&self) -> ShelfState { ShelfState {} }
    pub fn restore(&mut self, s: ShelfState, t: TableSettings) -> Result<(), ()> { Ok(()) }
}
