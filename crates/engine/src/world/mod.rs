//! [`PursuitWorld`]: one live map, all agents on it, and the decisions of both sides.
//!
//! The world plays the game one tick at a time. It uses no clock and no threads: a [`Meter`] limits the work on plans,
//! and the caller solves the [requested](crate::table_cache::TableCache::next_request) tables. With a budget in
//! [expansions](TickBudget::Expansions), a run depends only on the map, the settings and the actions of the game, on
//! every machine; a [`Snapshot`] continues it bit for bit.
//!
//! # A tick
//!
//! The file `tick.rs` shows a whole tick in order, and `turn.rs` the turn of a pursuit.
//!
//! 1. [`begin_tick`](PursuitWorld::begin_tick): edits change the map at once. Paths that lead into a new wall are cut,
//!    and plans whose footprint the edits touch are invalidated.
//! 2. [`arrive`](PursuitWorld::arrive): agents reach the ends of their moves; captures are found.
//! 3. [`decide`](PursuitWorld::decide): the abstraction is repaired. Each pursuit with a member that may move now
//!    updates its senses, plans, choices and orders, first for the cops together, then for each robber. Before agents set
//!    out, `room.rs` replaces moves for which there is no room ([`AgentSetup::is_solid`]) or that the game refuses
//!    ([`decide_with`](PursuitWorld::decide_with)). The rest of the
//!    budget goes into plans for coming turns. The positions after a turn are known as soon as the turn has begun, so
//!    that the work for a turn is spread over the ticks of the turn before.
//!
//! # Turns and steps
//!
//! On clocks with turns, all members of a pursuit set out when a turn begins, and arrive when it ends. On the
//! free-running clock, each agent sets out when it arrives. On each clock, an agent decides exactly at the ticks at
//! which it arrives. An agent that joins, changes or is placed elsewhere in the middle of a turn arrives at other ticks
//! than the rest of the pursuit until it is in step with them.
//!
//! If [both sides choose simultaneously](PursuitClock::Simultaneous), no agent sets out before all have chosen, and
//! agents that come past each other on the way meet.
//!
//! # The ladder
//!
//! A move comes from the first of the following sources that has one. Each source is a rung, with its own file in
//! `ladder/`: the [tactics](Tactics) of a cop that plays alone; a table of mixed strategies of the current map, where both sides choose simultaneously; there, the share of
//! a cop in the moves that its robber may make; an exact table of the current map; an exact table for fewer cops; an exact
//! solution of the present position; a local table that proves a capture; a table of a similar game, as a guide; a plan
//! whose footprint no edit has touched; an older plan, as far as it is legal; a walk in search of a robber that is out of
//! sight; a greedy step. An agent with [`mistakes`](AgentSetup::mistakes) may then make another move; one with a
//! [`reaction`](AgentSetup::reaction) time goes by plans, which it keeps for some turns. Every agent gets a
//! move in time, and the move is always legal.
//!
//! A rung is asked for the moves of a side only while no better rung has decided, and returns what it finds: moves, a
//! proof, or the reason why it has none. What is proven, announced and planned is weighed in one place (`claims.rs`).
//! Chosen moves are written into agents in one place, too (`orders.rs`).
//!
//! # Who owns what
//!
//! `Facts` holds the facts: the live map with its abstraction, the members, the time, the events of the
//! tick. `ViewMemory` holds where the members of a pursuit are; rungs and planning borrow it. `Planning` holds the searches
//! and the plan requests, `TableCache` the tables of the map and of its parts, `Ladder` everything else that the rungs
//! remember. All of these only read the facts; the file `plans.rs` writes plans into the agents. All work is counted in the
//! `Purse` of the tick.

mod actions;
mod activity;
mod agent;
mod agent_grounds;
mod agent_id;
mod aims;
mod alternatives;
mod at_once;
mod barred;
mod blocked;
mod bodies;
mod budget;
mod captures;
mod cells_by_column;
mod choices;
mod claims;
mod control;
mod course;
mod covered_places;
#[cfg(test)]
mod crowded;
mod cuts;
mod dangers;
mod doubtful_plans;
mod duties;
mod duty;
mod evasion;
mod event;
mod faction;
mod faction_roles;
mod facts;
mod giving_up;
mod grounds;
mod hash;
mod hazards;
mod inspect;
mod ladder;
mod loading;
mod lookout;
mod meetings;
mod members;
mod memberships;
mod moves;
mod orders;
mod overlap;
mod pace;
mod plan;
mod planning;
mod plans;
mod purse;
mod pursuit;
mod pursuit_positions;
mod pursuit_world;
mod reach;
mod reaction;
mod repairs;
mod restore;
mod room;
mod roster;
mod search_walks;
mod senses;
mod settings;
mod share;
mod sight;
mod sightings;
mod situation;
mod snapshot;
mod state;
mod steps;
mod table_ground;
mod tactics;
mod targets;
mod territory;
mod tick;
mod tick_events;
mod together;
mod traces;
mod turn;
mod veto;
mod view;
mod views;

pub use agent::{AgentRecord, AgentSetup, Catch, Control};
pub use agent_id::AgentId;
pub use budget::{Expansions, Meter, TickBudget};
pub use duty::{Duty, GiveUp, Leash, PatrolOrder};
pub use event::{Decisions, TickReport, WorldEvent};
pub use faction::{Faction, FactionSwap};
pub use hazards::{Hazard, HazardError};
pub use inspect::TableValues;
pub use loading::MapLoader;
pub use pursuit::{PursuitRecord, PursuitSetup};
pub use pursuit_world::PursuitWorld;
pub use settings::{PursuitClock, PursuitSettings, RobberPlanner};
pub use sightings::Sighting;
pub use snapshot::{Snapshot, SnapshotError};
pub use state::{Activity, DecidedBy, FreeFor, IdleReason, PursuitState, Reason};
pub use tactics::Tactics;
pub use veto::{Verdict, Wish};
