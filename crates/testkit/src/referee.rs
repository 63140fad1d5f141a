//! Checks after each tick that all agents of a world follow the rules.

use pursuit_engine::game::Side;
use pursuit_engine::map::Cell;
use pursuit_engine::world::{AgentId, Control, DecidedBy, IdleReason, PursuitWorld};
use std::collections::BTreeMap;

/// The positions and paths of all agents after the last tick.
#[derive(Debug, Default)]
pub struct Referee {
    before: BTreeMap<AgentId, Seen>,
}

#[derive(Debug, Clone, PartialEq)]
struct Seen {
    cell: Cell,
    path: Vec<Cell>,
    /// Whether it has taken the first of several steps of its move.
    has_walked: bool,
}

impl Referee {
    /// Checks a world after a tick. The game has moved the agents `placed` itself in this tick.
    ///
    /// # Errors
    /// The first violation of a rule.
    pub fn watch(&mut self, world: &PursuitWorld, placed: &[AgentId]) -> Result<(), String> {
        let mut now = BTreeMap::new();
        for (id, agent) in world.agents() {
            let setup = agent.setup();
            let path: Vec<Cell> = agent
                .way()
                .iter()
                .map(|&at| world.graph().cell(at))
                .collect();
            let seen = Seen {
                cell: setup.cell,
                path,
                has_walked: walked(world, id) > 0,
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
            let open = world.open_steps(setup.kinds, setup.cell, agent.way());
            // An agent between two cells may have a wall behind it.
            let walked = walked(world, id);
            // An agent that turns back in the middle of a step returns to its own cell.
            let turns = agent.turned_at().is_some() && seen.path == [seen.cell];
            if open < agent.way().len() && walked == 0 && !turns {
                return tell("follows an impassable path");
            }
            if let Some(before) = self.before.get(&id)
                && before.cell != seen.cell
                && !placed.contains(&id)
                && !before.path.contains(&seen.cell)
            {
                return tell("is on a cell that was not on its path");
            }
            let in_a_wall = world.graph_for(setup.kinds).vertex(setup.cell).is_none();
            // Who stands on the cell of a step when it becomes a wall arrives there all the same.
            let came = self
                .before
                .get(&id)
                .is_some_and(|before| before.cell != seen.cell && !before.has_walked);
            if in_a_wall && came && !placed.contains(&id) {
                return tell("walked into a wall");
            }
            let (_, ends) = world
                .pursuit(setup.pursuit)
                .map_or((0, 0), pursuit_engine::world::PursuitRecord::turn_ticks);
            let is_ours = setup.control == Control::Policy;
            let late = world.tick() >= ends
                || world.tick() > agent.times().1 + 1 && !agent.way().is_empty();
            let unasked = agent.state().decided_by == DecidedBy::Nobody(IdleReason::NotAsked)
                && world.tick() > ends;
            if is_ours && (late || unasked) && world.pursuit(setup.pursuit).is_some() {
                return tell("received no decision");
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
