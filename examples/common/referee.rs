//! Watches a world: does everybody keep to the rules?

use bevy_pursuit::game::Side;
use bevy_pursuit::map::Cell;
use bevy_pursuit::world::{AgentId, Control, DecidedBy, IdleReason, PursuitWorld};
use std::collections::BTreeMap;

/// Where everybody was, and was going.
#[derive(Debug, Default)]
pub struct Referee {
    before: BTreeMap<AgentId, Seen>,
}

#[derive(Debug, Clone, PartialEq)]
struct Seen {
    cell: Cell,
    way: Vec<Cell>,
}

impl Referee {
    /// To be called when a tick is over. `placed` have been put elsewhere by the game in this tick.
    ///
    /// # Errors
    /// What is against the rules.
    pub fn watch(&mut self, world: &PursuitWorld, placed: &[AgentId]) -> Result<(), String> {
        let mut now = BTreeMap::new();
        for (id, agent) in world.agents() {
            let setup = agent.setup();
            let way: Vec<Cell> = agent
                .way()
                .iter()
                .map(|&at| world.graph().cell(at))
                .collect();
            let seen = Seen {
                cell: setup.cell,
                way,
            };
            let tell = |what: &str| {
                let side = if setup.side == Side::Cops {
                    "cop"
                } else {
                    "robber"
                };
                let before = self.before.get(&id);
                Err(format!(
                    "tick {}: {side} {id:?} {what}: {before:?} -> {seen:?}, {:?}",
                    world.tick(),
                    agent.state()
                ))
            };
            let open = world.open_steps(setup.cell, agent.way());
            // Who is under way may have walls behind it.
            let walked = walked(world, id);
            // Who turns round in the middle of a step walks back to its own cell.
            let turns = agent.turned_at().is_some() && seen.way == [seen.cell];
            if open < agent.way().len() && walked == 0 && !turns {
                return tell("goes where it cannot");
            }
            if let Some(before) = self.before.get(&id)
                && before.cell != seen.cell
                && !placed.contains(&id)
                && !before.way.contains(&seen.cell)
            {
                return tell("is where it did not go");
            }
            let in_a_wall = world.graph().vertex(setup.cell).is_none();
            let came = self
                .before
                .get(&id)
                .is_some_and(|before| before.cell != seen.cell);
            if in_a_wall && came && !placed.contains(&id) {
                return tell("walked into a wall");
            }
            let (_, ends) = world
                .pursuit(setup.pursuit)
                .map_or((0, 0), bevy_pursuit::world::PursuitRecord::turn_ticks);
            let is_ours = setup.control == Control::Policy;
            let late = world.tick() >= ends
                || world.tick() > agent.times().1 + 1 && !agent.way().is_empty();
            let unasked = agent.state().decided_by == DecidedBy::Nobody(IdleReason::NotAsked)
                && world.tick() > ends;
            if is_ours && (late || unasked) && world.pursuit(setup.pursuit).is_some() {
                return tell("got no decision");
            }
            now.insert(id, seen);
        }
        self.before = now;
        Ok(())
    }
}

fn walked(world: &PursuitWorld, id: AgentId) -> u64 {
    world.agent(id).map_or(0, |agent| {
        let (departs, arrives) = agent.times();
        let length = arrives.saturating_sub(departs).max(1);
        world.tick().saturating_sub(departs).min(length) * u64::from(agent.pace()) / length
    })
}
