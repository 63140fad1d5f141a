//! A robber that plays below its strength.

use super::delay::Delay;
use super::difficulty::{Difficulty, happens, rounded};
use crate::RobberPolicy;
use pursuit_engine::game::{Agent, Side, State, Work};
use pursuit_engine::graph::{Graph, Vertex};
use pursuit_engine::map::Cell;
use pursuit_engine::policy::{Decision, Effort, ErringAgent, Ground, Source};
use pursuit_engine::search::{Dice, MoveEnds};

/// A robber that plays worse than its policy, by as much as its [`Difficulty`] says.
///
/// At full strength it makes the moves of the policy. At lower strength, the policy is given only the cops that the
/// robber notices, at the positions where the robber assumes them to be. Sometimes the robber makes a mistake instead,
/// as agents of a game do. It never runs into an unnoticed cop, since it sees what is directly in its way. Own work,
/// not from the papers.
///
/// Cost: that of the policy, and a list of the robber's moves for each mistake.
#[derive(Debug, Clone)]
pub struct DialledRobber<P> {
    policy: P,
    difficulty: Difficulty,
    delay: Delay,
    noticed: Vec<Agent>,
    /// The cells of these cops.
    cells: Vec<Cell>,
    ends: MoveEnds,
    mistakes: Vec<Vertex>,
    path: Vec<Vertex>,
    dice: Dice,
}

impl<P: RobberPolicy> DialledRobber<P> {
    /// Weakens `policy`.
    pub fn new(policy: P, difficulty: Difficulty) -> Self {
        let difficulty = difficulty.in_range();
        Self {
            policy,
            difficulty,
            delay: Delay::new(difficulty.reaction.ceil() as u16),
            noticed: Vec::new(),
            cells: Vec::new(),
            ends: MoveEnds::default(),
            mistakes: Vec::new(),
            path: Vec::new(),
            dice: Dice::new(0),
        }
    }

    /// Lists the cops that the robber notices, at their delayed positions.
    fn look(&mut self, graph: &Graph, state: &State<'_>) {
        let Difficulty {
            reaction,
            look_ahead,
            ..
        } = self.difficulty;
        let dice = &mut self.dice;
        let ago = rounded(reaction, dice);
        let look_ahead = look_ahead.map(|turns| u32::from(rounded(turns, dice)));
        let here = graph.cell(state.robber.at);
        let is_near = |cop: &&Agent| {
            let steps = graph.cell(cop.at).max_norm(here);
            let turns = steps.div_ceil(u32::from(cop.speed.steps()));
            look_ahead.is_none_or(|most| turns <= most)
        };
        let cops = self.delay.pass(graph, state, ago);
        self.noticed.clear();
        self.noticed.extend(cops.iter().filter(is_near));
    }

    /// Decides for a mistake, if there is one: a move that does not end at `best`. An agent of a game errs in the same way.
    /// Returns the work.
    fn err(
        &mut self,
        graph: &Graph,
        state: &State<'_>,
        best: Vertex,
        decision: &mut Decision,
    ) -> Work {
        self.cells.clear();
        let cops = self.noticed.iter();
        self.cells.extend(cops.map(|cop| graph.cell(cop.at)));
        let erring = ErringAgent {
            agent: state.robber,
            side: Side::Robber,
            best,
            enemies: &self.cells,
        };
        let is_cop = |vertex| state.cops.iter().any(|cop| cop.at == vertex);
        erring.list_mistakes(graph, is_cop, &mut self.ends, &mut self.mistakes);
        if let Some(end) = self.dice.pick(&self.mistakes) {
            self.ends.way_to(end, &mut self.path);
            decision.take(&self.path, state.robber.speed, Source::Mistake);
        }
        self.ends.take_work()
    }
}

impl<P: RobberPolicy> RobberPolicy for DialledRobber<P> {
    fn decide(&mut self, ground: Ground<'_>, state: &State<'_>, decision: &mut Decision) -> Effort {
        self.look(ground.graph, state);
        let errs = happens(self.difficulty.mistakes, &mut self.dice);
        if self.noticed.is_empty() && !state.cops.is_empty() {
            decision.take(&[], state.robber.speed, Source::Greedy);
            return Effort::default();
        }
        let noticed = State {
            cops: &self.noticed,
            ..*state
        };
        let mut effort = self.policy.decide(ground, &noticed, decision);
        let is_cop = |vertex: &Vertex| state.cops.iter().any(|cop| cop.at == *vertex);
        let sees_all = self.noticed == state.cops;
        if !sees_all {
            // The policy has evaluated a position with other cops than the real ones.
            decision.value = None;
            if decision.source == Source::Table {
                decision.source = Source::Search;
            }
        }
        if errs || !sees_all && decision.next_move().iter().any(is_cop) {
            let best = decision
                .next_move()
                .last()
                .copied()
                .unwrap_or(state.robber.at);
            effort.work += self.err(ground.graph, state, best, decision);
        }
        effort
    }

    fn restart(&mut self, seed: u64) {
        self.policy.restart(seed);
        self.delay.forget();
        // A seed other than that of the policy, whose choices would be the same.
        self.dice = Dice::new(!seed);
    }
}
