//! Measures how early endgames announce captures on any network.

use super::announcements::{Announced, RegionCost, all, announce, in_batches};
use super::ask::IllegalMove;
use super::games::{ExperimentError, Start};
use pursuit_engine::endgame::{EndgameNetwork, Endgames, Proof};
use pursuit_engine::game::{Agent, Rules, Side, State};
use pursuit_engine::graph::{Vertex, steps_from};
use pursuit_engine::search::{Dice, MoveEnds, Race, seed_of};
use pursuit_engine::table::Progress;

/// An experiment that plays games on one network, and records when a capture is proven. Links may lead one way only.
///
/// The robber plays the path of a [`Race`]. Until an endgame proves the capture, each cop in turn chooses the move after
/// which the race ends soonest, and of several such moves the one that ends nearest to the robber. From then on the cops
/// follow the proof. These cops are weaker than those of [`Announcements`](super::Announcements), which need a map.
#[derive(Debug, Clone, Copy)]
pub struct NetworkAnnouncements<'a, N> {
    /// The network.
    pub network: &'a N,
    /// The rules of the game. The kind of steps is not used.
    pub rules: Rules,
    /// The turn limit of a game. A game with a proof continues until the proven number of turns is over.
    pub turns: u32,
}

impl<N: EndgameNetwork + Sync> NetworkAnnouncements<'_, N> {
    /// A random start. The same seed and number give the same start. A cop starts at a vertex from which it can reach
    /// the robber. It starts at the robber's own vertex only if there is no other. `None` without vertices.
    #[must_use]
    pub fn start(&self, seed: u64, number: u64) -> Option<Start> {
        let mut dice = Dice::new(seed_of([seed, number]));
        let all = (0..self.network.slots()).map(Vertex::from_index);
        let all: Vec<Vertex> = all.filter(|&vertex| self.network.is_live(vertex)).collect();
        let robber = dice.pick(&all)?;
        let steps = self.steps_to(robber);
        let comes = |vertex: &Vertex| (1..u32::MAX).contains(&steps[vertex.index()]);
        let others: Vec<Vertex> = all.iter().copied().filter(comes).collect();
        let cops = (0..self.rules.cops.get()).map(|_| dice.pick(&others).unwrap_or(robber));
        Some(Start {
            robber,
            cops: cops.collect(),
        })
    }

    /// Plays a game from each start, and returns the games in the order of the starts. `clock` returns nanoseconds. The
    /// experiment calls `go_on` before each batch of games and stops if it returns `false`. With the feature `parallel`,
    /// games are played on all threads; except for the times, the result is the same.
    ///
    /// # Errors
    /// If a move of a proof is not legal, or if `go_on` stopped the experiment.
    pub fn run(
        &self,
        starts: &[Start],
        clock: impl Fn() -> u64 + Sync + Send,
        go_on: impl FnMut(Progress) -> bool,
    ) -> Result<Vec<Announced>, ExperimentError> {
        in_batches(starts, go_on, |_, batch| {
            all(batch.len(), |index| match batch.get(index) {
                Some(start) => self.play(start, &clock),
                None => Ok(Announced::default()),
            })
        })
    }

    fn play(&self, start: &Start, clock: &impl Fn() -> u64) -> Result<Announced, IllegalMove> {
        let speed = self.rules.robber_speed;
        let at = start.robber;
        let mut robber = Agent { at, speed };
        let mut cops = Vec::new();
        start.cops_into(self.rules, &mut cops);
        let (mut endgames, mut race) = (Endgames::default(), Race::new());
        let mut game = Announced::default();
        let mut promised: Option<u32> = None;
        let mut turn = 0;
        while turn < self.turns.max(promised.unwrap_or(0)) {
            turn += 1;
            let proof = self.prove(&mut game, &mut endgames, robber, &cops, clock);
            let bound = proof.as_ref().map(|proof| proof.bound);
            promised = announce(&mut game, bound, turn, promised);
            self.move_cops(&mut race, proof, robber, &mut cops)?;
            if cops.iter().any(|cop| cop.at == robber.at)
                || self.move_robber(&mut race, &mut robber, &cops)
            {
                game.captured = Some(turn);
                break;
            }
        }
        game.settle(turn);
        Ok(game)
    }

    /// The proof for a position with the cops to move. Records the cost of the regions that are solved for the proof.
    fn prove(
        &self,
        game: &mut Announced,
        endgames: &mut Endgames,
        robber: Agent,
        cops: &[Agent],
        clock: &impl Fn() -> u64,
    ) -> Option<Proof> {
        let state = State {
            robber,
            cops,
            to_move: Side::Cops,
        };
        let mut begun = clock();
        endgames.prove_at_once(self.network, &state, |endgames| {
            let now = clock();
            game.regions
                .push(RegionCost::of_last(endgames, now.saturating_sub(begun)));
            begun = now;
        })
    }

    /// Moves the cops. Those with a move in the proof follow it; the others choose by races.
    fn move_cops(
        &self,
        race: &mut Race,
        proof: Option<Proof>,
        robber: Agent,
        cops: &mut [Agent],
    ) -> Result<(), IllegalMove> {
        let mut has_moved = vec![false; cops.len()];
        for of_cop in proof.into_iter().flat_map(|proof| proof.moves) {
            if let (Some(cop), Some(has_moved)) =
                (cops.get_mut(of_cop.cop), has_moved.get_mut(of_cop.cop))
            {
                *has_moved = true;
                cop.at = self.legal_end(robber, *cop, &of_cop.path)?;
            }
        }
        let steps = self.steps_to(robber.at);
        let mut ends = MoveEnds::default();
        for cop in 0..cops.len() {
            if has_moved[cop] || cops.iter().any(|cop| cop.at == robber.at) {
                continue;
            }
            let from = cops[cop];
            let mut best = None;
            ends.find(self.network, from.at, from.speed, |_| false);
            for at in ends.ends().iter().copied().chain([from.at]) {
                cops[cop].at = at;
                let state = State {
                    robber,
                    cops,
                    to_move: Side::Robber,
                };
                let outcome = race.solve(self.network, &state).outcome;
                let rank = (outcome, steps[at.index()], at);
                if best.is_none_or(|best| rank < best) {
                    best = Some(rank);
                }
            }
            cops[cop].at = best.map_or(from.at, |(_, _, at)| at);
        }
        Ok(())
    }

    /// Moves the robber along the path of a race. Returns whether it runs into a cop.
    fn move_robber(&self, race: &mut Race, robber: &mut Agent, cops: &[Agent]) -> bool {
        let state = State {
            robber: *robber,
            cops,
            to_move: Side::Robber,
        };
        let path = &race.solve(self.network, &state).path;
        let steps = usize::from(robber.speed.steps());
        for &at in path.iter().take(steps) {
            robber.at = at;
            if cops.iter().any(|cop| cop.at == at) {
                return true;
            }
        }
        false
    }

    /// Where a path of a proof ends, if it is a legal move.
    fn legal_end(&self, robber: Agent, cop: Agent, path: &[Vertex]) -> Result<Vertex, IllegalMove> {
        let mut at = cop.at;
        let is_legal = path.len() <= usize::from(cop.speed.steps())
            && path.iter().all(|&next| {
                let is_link = self.network.neighbours(at).contains(&next);
                at = next;
                is_link
            });
        let number = |vertex: Vertex| vertex.index().to_string();
        let cells: Vec<String> = path.iter().copied().map(number).collect();
        is_legal.then_some(at).ok_or_else(|| IllegalMove {
            robber: number(robber.at),
            cops: number(cop.at),
            path: cells.join(" "),
        })
    }

    /// The number of steps from each vertex to one of them; `u32::MAX` if no path leads there.
    fn steps_to(&self, to: Vertex) -> Vec<u32> {
        let before = |at| self.network.predecessors(Vertex::from_index(at)).iter();
        let before = |at| before(at).map(|before| before.index());
        steps_from(self.network.slots(), [to.index()], before)
    }
}
