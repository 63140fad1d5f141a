//! Tests of searches, policies and experiments.

use pursuit_testkit as common;

mod allocation;
mod behind;
mod cover_examples;
mod difficulty;
mod effort;
mod eval;
mod eval_reference;
mod field;
mod guide;
mod guided_cops;
mod interception;
mod interception_games;
mod quotient;
mod repetition;
mod rivals;
mod rivals_reference;
mod slow_response;
mod team;
mod tournament;
mod wrapped;
