//! The best response to a policy of the cops, by rounds over all positions: an oracle for tournaments.

use crate::field::Field;
use pursuit_engine::game::{Agent, Rules, Side, State};
use pursuit_engine::graph::{Graph, Vertex};
use pursuit_lab::CopPolicy;
use pursuit_lab::eval::CopExploitability;
use std::collections::BTreeMap;

/// A position, and the turns until capture by a best response; `None` if it escapes.
pub(crate) type Answered = ((Vertex, Vec<Vertex>), Option<u32>);

/// The same as `cop_exploitability`, by rounds over all positions.
pub(crate) fn slow_exploitability(field: &Field, policy: &mut dyn CopPolicy) -> CopExploitability {
    let mut found = CopExploitability::default();
    let mut ratios = Vec::new();
    for (start, turns) in slow_responses(field, policy) {
        let Some(optimum) = field.value(start.0, &start.1) else {
            continue;
        };
        found.positions += 1;
        match turns {
            Some(turns) => ratios.push(f64::from(turns) / f64::from(optimum)),
            None => found.escapes += 1,
        }
    }
    let sum: f64 = ratios.iter().sum();
    found.mean_ratio = (!ratios.is_empty()).then(|| sum / ratios.len() as f64);
    found.worst_ratio = ratios.into_iter().reduce(f64::max);
    found
}

/// The best response from each position in which no cop stands on the robber.
pub(crate) fn slow_responses(field: &Field, policy: &mut dyn CopPolicy) -> Vec<Answered> {
    let (graph, rules) = (&field.graph, field.solution.rules());
    let vertices: Vec<Vertex> = graph.iter().collect();
    let mut answers = BTreeMap::new();
    for start in all_positions(&vertices, rules) {
        if start.1.contains(&start.0) {
            continue;
        }
        let speed = rules.cop_speed;
        let agents: Vec<Agent> = start.1.iter().map(|&at| Agent { at, speed }).collect();
        let state = State {
            robber: Agent {
                at: start.0,
                speed: rules.robber_speed,
            },
            cops: &agents,
            to_move: Side::Cops,
        };
        let decisions = policy.decide(graph.into(), &state);
        let ends = agents.iter().zip(decisions);
        let mut ends: Vec<Vertex> = ends
            .map(|(cop, decision)| decision.next_move().last().copied().unwrap_or(cop.at))
            .collect();
        ends.sort();
        answers.insert(start, ends);
    }
    let mut turns: BTreeMap<(Vertex, Vec<Vertex>), u32> = BTreeMap::new();
    for round in 1.. {
        let lost: Vec<_> = answers
            .iter()
            .filter(|(start, _)| !turns.contains_key(*start))
            .filter(|((robber, _), cops)| {
                let speed = rules.robber_speed.steps();
                cops.contains(robber)
                    || replies(graph, *robber, cops, speed)
                        .into_iter()
                        .all(|reply| turns.contains_key(&(reply, (*cops).clone())))
            })
            .map(|(start, _)| start.clone())
            .collect();
        if lost.is_empty() {
            break;
        }
        turns.extend(lost.into_iter().map(|start| (start, round)));
    }
    let turns_of = |start: &(Vertex, Vec<Vertex>)| turns.get(start).copied();
    let starts = answers.into_keys();
    starts
        .map(|start| (start.clone(), turns_of(&start)))
        .collect()
}

/// All positions, the cops in the order of their vertices.
fn all_positions(vertices: &[Vertex], rules: Rules) -> Vec<(Vertex, Vec<Vertex>)> {
    let mut sorted: Vec<Vertex> = vertices.to_vec();
    sorted.sort();
    let mut teams: Vec<Vec<Vertex>> = vec![Vec::new()];
    for _ in 0..rules.cops.get() {
        let longer = teams.iter().flat_map(|team| {
            let from = team.last().copied();
            let more = sorted.iter().filter(move |&&cop| Some(cop) >= from);
            more.map(move |&cop| [&team[..], &[cop]].concat())
        });
        teams = longer.collect();
    }
    let both = sorted.iter();
    both.flat_map(|&robber| teams.iter().map(move |team| (robber, team.clone())))
        .collect()
}

/// Ends of all moves of the robber, none of which passes a cop.
fn replies(graph: &Graph, robber: Vertex, cops: &[Vertex], speed: u8) -> Vec<Vertex> {
    let mut ends = vec![robber];
    for _ in 0..speed {
        for end in ends.clone() {
            let next = graph.neighbours(end).iter();
            ends.extend(next.filter(|next| !cops.contains(next)));
        }
    }
    ends
}
