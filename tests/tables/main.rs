//! Tests of exact tables: solving, files, play and the table cache.

#[path = "../common/mod.rs"]
mod common;

mod best_response;
mod cache;
mod cache_late;
mod cache_requests;
mod cache_saved;
mod file;
mod file_by_hand;
mod file_forged;
mod memory;
mod oracle;
mod player;
mod reference;
mod solving;
mod subsets;
