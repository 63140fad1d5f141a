//! Tests of the world: ticks, budgets, repairs and saves.

use pursuit_testkit as common;

mod agreement;
mod agreement_robbers;
mod optimum;
