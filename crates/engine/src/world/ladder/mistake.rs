//! Mistakes on purpose. This is not a rung: it changes what a rung has answered.

use super::scene::{Answer, Scene, Tools};
use crate::game::{Agent, Outcome, Side, Value};
use crate::graph::Vertex;
use crate::map::Cell;
use crate::policy::{ErringAgent, Source};
use crate::search::{Dice, seed_of};
use crate::world::agent::{AgentRecord, AgentSetup};
use crate::world::facts::Facts;
use crate::world::moves;
use crate::world::pursuit::PursuitRecord;
use crate::world::settings::PursuitClock;
use crate::world::state::Reason;

/// An agent with more steps than this, in its mistakes, does not look at all ends of its moves.
const FAST: u8 = 8;

/// Which sides of a pursuit have an agent that makes mistakes or reacts late.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::world) struct Erring {
    cops: bool,
    robbers: bool,
}

impl Erring {
    /// Cost: linear in the number of members.
    pub(in crate::world) fn of(facts: &Facts, pursuit: &PursuitRecord) -> Self {
        let errs = |(_, agent): (_, &AgentRecord)| {
            let plays = agent.caught.is_none() && agent.chooses_in(pursuit.number);
            plays && agent.setup.is_fallible()
        };
        Self {
            cops: facts.agents(&pursuit.cops).any(errs),
            robbers: facts.agents(&pursuit.robbers).any(errs),
        }
    }

    /// The part of a value that still holds with mistakes. A robber lasts at least as long against cops that err, and
    /// at most as long if it errs itself.
    fn weaken(self, value: Value) -> Option<Value> {
        match (value, self.cops, self.robbers) {
            (value, false, false) => Some(value),
            (Value::Exact(outcome) | Value::AtLeast(outcome), true, false) => {
                Some(Value::AtLeast(outcome))
            }
            (Value::Exact(outcome @ Outcome::Caught(_)) | Value::AtMost(outcome), false, true) => {
                Some(Value::AtMost(outcome))
            }
            _ => None,
        }
    }
}

/// Replaces the move in `tools` by a mistake, if the agent makes one now, and weakens the value of the position by
/// the mistakes that the pursuit may make.
///
/// [`ErringAgent`] knows which moves are mistakes. A robber never steps onto a cop, and a cop never misses a capture
/// within its reach.
///
/// An agent of more than [`FAST`] steps goes straight at its robber or away from the nearest cop, step by step.
///
/// Cost: for an agent that errs now, an expansion for each vertex that it reaches with less than its speed, at most
/// 289, or for each of its steps, and a distance for each end and each enemy that may be the nearest to it.
pub(super) fn or_mistake(
    mut answer: Answer,
    erring: Erring,
    scene: &Scene<'_>,
    tools: &mut Tools,
) -> Answer {
    answer.value = answer.value.and_then(|value| erring.weaken(value));
    let Some(dice) = &mut dice_of_mistake(scene) else {
        return answer;
    };
    let Some(end) = other_end(scene, tools, dice) else {
        return answer;
    };
    tools.way.clear();
    match end {
        Mistaken::To(end) => tools.ends.way_to(end, &mut tools.way),
        Mistaken::Straight => tools.way.extend_from_slice(&tools.straight),
    }
    Answer {
        value: answer.value,
        why: Some(Reason::None),
        ..Answer::by(Source::Mistake)
    }
}

/// Where a mistake leads.
enum Mistaken {
    /// To an end with a path in `tools.ends`.
    To(Vertex),
    /// Along `tools.straight`.
    Straight,
}

/// The random choices of an agent's mistake; `None` if it makes none now.
fn dice_of_mistake(scene: &Scene<'_>) -> Option<Dice> {
    // A position that is only remembered has no best move, so that there is none to miss.
    if scene.agent.setup.mistakes == 0 || !scene.sees {
        return None;
    }
    let mut dice = Dice::new(seed_of([
        scene.facts.settings.seed,
        scene.facts.tick,
        scene.id.slot.into(),
        scene.id.generation.into(),
    ]));
    let draw = dice.below(AgentSetup::MOVES_OF_MISTAKES.into());
    (draw < scene.agent.setup.mistakes.into()).then_some(dice)
}

/// A plausible move other than the one in `tools`.
fn other_end(scene: &Scene<'_>, tools: &mut Tools, dice: &mut Dice) -> Option<Mistaken> {
    let (graph, from) = (scene.graph, scene.from?);
    let flees = scene.side() == Side::Robber;
    let best = tools.way.last().copied().unwrap_or(from);
    let is_enemy = |at: Vertex| scene.enemies.contains(&graph.cell(at));
    // A cop may also capture a robber by waiting for it.
    if !flees && tools.way.iter().chain([&best]).any(|&at| is_enemy(at)) {
        return None;
    }
    collect_near(scene, graph.cell(from), &mut tools.opponents);
    if scene.speed.steps() > FAST {
        return go_straight(scene, from, best, tools).then_some(Mistaken::Straight);
    }
    let Tools {
        ends,
        others,
        opponents: near,
        ..
    } = tools;
    let speed = scene.speed;
    let erring = ErringAgent {
        agent: Agent { at: from, speed },
        side: scene.side(),
        best,
        enemies: near,
    };
    let is_blocked = |at| flees && (near.contains(&graph.cell(at)) || stands(scene, at));
    let distances = erring.list_mistakes(graph, is_blocked, ends, others);
    tools.count();
    tools.count_distances(distances);
    dice.pick(&tools.others).map(Mistaken::To)
}

/// Writes the straight way of a fast agent from its vertex to `tools.straight`, if that does not end at its best end.
fn go_straight(scene: &Scene<'_>, from: Vertex, best: Vertex, tools: &mut Tools) -> bool {
    let graph = scene.graph;
    let (near, way) = (&tools.opponents, &mut tools.straight);
    way.clear();
    if scene.side() == Side::Robber {
        moves::step_away(graph, from, near, scene.speed, way);
        let is_blocked = |&at: &Vertex| near.contains(&graph.cell(at)) || stands(scene, at);
        let open = way.iter().position(is_blocked);
        way.truncate(open.unwrap_or(way.len()));
    } else if let Some(&goal) = near.first() {
        moves::step_towards(graph, from, goal, scene.speed, way);
    }
    let is_other = way.last().copied().unwrap_or(from) != best;
    let distances = 8 * way.len() * near.len();
    tools.count_distances(distances);
    is_other
}

/// Collects the enemies that may be the nearest to an end of the agent's move. An end is at most `speed` steps away
/// from the start.
fn collect_near(scene: &Scene<'_>, from: Cell, near: &mut Vec<Cell>) {
    let distances = scene.enemies.iter().map(|enemy| enemy.max_norm(from));
    let reach = 2 * u32::from(scene.speed.steps());
    let most = distances
        .min()
        .map_or(0, |least| least.saturating_add(reach));
    let enemies = scene.enemies.iter().copied();
    near.clear();
    near.extend(enemies.filter(|enemy| enemy.max_norm(from) <= most));
}

/// Returns whether a cop that has not left a cell yet blocks it. Only on the free-running clock are cops under way
/// while a robber chooses.
fn stands(scene: &Scene<'_>, at: Vertex) -> bool {
    let Some(pursuit) = scene.facts.members.pursuit(scene.agent.pursuit_number()) else {
        return false;
    };
    let cell = scene.graph.cell(at);
    let mut cops = scene.facts.agents(&pursuit.cops);
    scene.clock == PursuitClock::FreeRunning
        && cops.any(|(_, cop)| scene.agent.overlaps_from(cell, cop))
}
