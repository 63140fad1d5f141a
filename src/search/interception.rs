#![allow(missing_docs, clippy::all, clippy::pedantic)]
use super::*;
use crate::abstraction::Hierarchy;
use crate::game::State;
use crate::graph::{Graph, Vertex};
#[derive(Debug, Clone, Default)]
pub struct Interception { paths: Vec<Vec<Vertex>>, f: Footprint }
impl Interception {
    pub fn new() -> Self { Self::default() }
    pub fn keep_footprint(&mut self) {}
    pub fn begin(&mut self, graph: &Graph, h: Option<&Hierarchy>, state: &State<'_>, _c: bool, _s: usize) {
        let mut r = Refiner::new();
        self.f.clear(graph.width(), graph.height());
        self.paths = state.cops.iter().map(|c| r.find(graph, h, c.at, state.robber.at).unwrap_or_default().to_vec()).collect();
    }
    pub fn advance(&mut self, _g: &Graph, _h: Option<&Hierarchy>, _b: u32) -> Progress { Progress::Done }
    pub fn path(&self, c: usize) -> &[Vertex] { &self.paths[c] }
    pub fn reaches(&self, c: usize) -> bool { !self.paths[c].is_empty() }
    pub fn footprint(&self) -> &Footprint { &self.f }
    pub fn expansions(&self) -> u64 { 100 }
}
