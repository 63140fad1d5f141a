//! Tests of exact tables: solving, files, play and the table cache.

use pursuit_testkit as common;

mod best_response;
mod best_response_oracle;
mod cache;
mod cache_late;
mod cache_requests;
mod cache_saved;
mod endgame;
mod endgame_guards;
mod file;
mod file_by_hand;
mod file_forged;
mod oracle;
mod player;
mod solving;
mod variant_builder;
mod variant_files;
mod variant_reference;
mod variant_responses;
mod variants;
