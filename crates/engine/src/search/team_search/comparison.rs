//! The comparison of the moves of active cops: joint moves of a pair, and moves of single cops.

use super::candidates::{CopMove, TURN, worth};
use super::{JOINT, LONGEST_PLAN, LONGEST_RACE, MOST_ACTIVE, TeamSearch, TeamStage};
use crate::game::{Agent, Work};
use crate::graph::{Graph, Vertex};
use crate::search::FOUND;
use crate::search::joint_race::{JointRace, MOST_MOVES, MoveSet};

/// The number of moves of each cop that are compared in a pair if there are too many to compare all of them: 11 x 11
/// are few enough.
const WIDEST: usize = 11;

/// The moves that one race compares: all joint moves of a pair of cops, and all moves of single cops. The choice for the
/// pair and that for each single cop assume that all other cops make the moves chosen for them so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ComparisonTask {
    pair: Option<[usize; 2]>,
    /// The places of the single cops in the list of active cops: the first, and one more than the last.
    singles: [usize; 2],
    /// Whether the moves of the single cop are sorted, the best first, for the pair that follows.
    sorts: bool,
}

impl ComparisonTask {
    const fn of_singles(singles: [usize; 2]) -> Self {
        Self {
            pair: None,
            singles,
            sorts: false,
        }
    }
}

/// The joint moves of the pair of cops that was compared last.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Compared<'a> {
    /// The cops of the pair.
    pub(crate) cops: [usize; 2],
    /// The ends of the moves of each of them that were compared.
    pub(crate) ends: [&'a [Vertex]; 2],
    search: &'a TeamSearch,
}

impl Compared<'_> {
    /// Where the move of a cop ends that the search has chosen.
    pub(crate) fn chosen(&self, cop: usize) -> Vertex {
        self.search.chosen[cop]
    }

    /// What the joint move with these indices of ends is worth to the robber, in hundredths of a turn:
    /// `i64::MIN` for a capture, and `None` if the whole pair would wait. Cost: linear in the turns of the
    /// race.
    pub(crate) fn worth(&self, [row, column]: [usize; 2]) -> Option<i64> {
        let Self { cops, ends, search } = self;
        let moves = [(cops[0], ends[0][row]), (cops[1], ends[1][column])];
        let found = search.race.evaluated(row * ends[1].len() + column);
        let waits = moves.iter().all(|&(cop, end)| search.cops[cop].at == end);
        let apart = moves.iter().map(|&(cop, end)| search.apart(cop, end)).sum();
        (found.turns == Some(0) || !waits).then(|| worth(found, apart, search.pressure))
    }
}

impl TeamSearch {
    /// From now on, races go on until the outcome of each joint move is known, as [`compared`](Self::compared) needs it, or
    /// end once the choice is settled. The choice is the same.
    pub(crate) const fn compare_all(&mut self, compares_all: bool) {
        self.compares_all = compares_all;
    }

    /// The joint moves of the pair that was compared last, if [all are compared](Self::compare_all); `None` before the end
    /// of the search, and where no pair was compared.
    pub(crate) fn compared(&self) -> Option<Compared<'_>> {
        let cops = self.compared.filter(|_| self.stage == TeamStage::Done)?;
        Some(Compared {
            cops,
            ends: cops.map(|cop| self.ends[cop].as_slice()),
            search: self,
        })
    }

    /// Lists the comparisons: the nearest two cops as a pair, and of three cops also the third with the nearest. In larger
    /// teams, the others are compared one by one, in the race of the pair as far as their moves fit.
    pub(super) fn plan_tasks(&mut self) {
        self.tasks.clear();
        self.tasks.reserve(2 * MOST_ACTIVE);
        let active = self.active.len();
        if active < 2 {
            self.tasks
                .extend((0..active).map(|place| ComparisonTask::of_singles([place, place + 1])));
            return;
        }
        self.push_pair(0, 1);
        if active == 3 {
            self.push_pair(2, 0);
            return;
        }
        let mut room = MOST_MOVES - self.joint_moves([self.active[0], self.active[1]]);
        for place in 2..active {
            // The chosen move needs no joint move of its own.
            let moves = self.ends[self.active[place]].len() - 1;
            if moves > room {
                self.tasks.push(ComparisonTask::of_singles([place; 2]));
                room = MOST_MOVES - 1;
            }
            room -= moves.min(room);
            if let Some(task) = self.tasks.last_mut() {
                task.singles[1] = place + 1;
            }
        }
    }

    /// The joint moves of a pair that are compared.
    fn joint_moves(&self, pair: [usize; 2]) -> usize {
        let [one, other] = pair.map(|cop| self.ends[cop].len());
        if one * other > MOST_MOVES {
            one.min(WIDEST) * other.min(WIDEST)
        } else {
            one * other
        }
    }

    /// Adds the comparison of a pair, by their places in the list of active cops. Cops with too many moves for a pair first
    /// choose the best of these moves alone.
    fn push_pair(&mut self, one: usize, other: usize) {
        let pair = [self.active[one], self.active[other]];
        if self.ends[pair[0]].len() * self.ends[pair[1]].len() > MOST_MOVES {
            self.tasks.extend([one, other].map(|place| ComparisonTask {
                sorts: true,
                ..ComparisonTask::of_singles([place, place + 1])
            }));
        }
        self.tasks.push(ComparisonTask {
            pair: Some(pair),
            ..ComparisonTask::of_singles([2; 2])
        });
    }

    /// Begins the race of a task, or ends the search.
    pub(super) fn begin_task(&mut self, graph: &Graph, index: usize) {
        let (Some(&task), Some(robber)) = (self.tasks.get(index), self.robber) else {
            self.write_paths(graph);
            self.stage = TeamStage::Done;
            return;
        };
        self.candidates.clear(self.pressure);
        self.starts.clear();
        let mut count = 0;
        if let Some(pair) = task.pair {
            count = self.list_joint_moves(pair);
        }
        // The joint move in which all cops make the moves that have been chosen for them.
        let chosen = self.candidates.groups().flatten().find(|candidate| {
            let is_chosen = |(cop, end): (usize, Vertex)| self.chosen[cop] == end;
            candidate.ends.into_iter().all(is_chosen)
        });
        let base = chosen.map_or(count.min(MOST_MOVES - 1), |candidate| candidate.index);
        count = count.max(base + 1);
        let of_pair = count;
        let [first, end] = task.singles;
        for place in first..end {
            count = self.list_moves(self.active[place], base, count);
        }
        let rest = MoveSet::MAX.checked_shl(of_pair as u32).unwrap_or(0) | 1 << base;
        for (cop, &agent) in self.cops.iter().enumerate() {
            let is_single = self.active[first..end].contains(&cop);
            let is_of_pair = task.pair.is_some_and(|pair| pair.contains(&cop));
            if !is_single {
                let at = self.chosen[cop];
                let moves = if is_of_pair { rest } else { MoveSet::MAX };
                self.starts.push((Agent { at, ..agent }, moves));
            }
        }
        self.race
            .begin(graph, robber, count, self.starts.iter().copied());
        self.stage = TeamStage::Race { task: index };
    }

    /// Lists the joint moves of a pair as candidates. Returns their number.
    fn list_joint_moves(&mut self, pair: [usize; 2]) -> usize {
        if self.ends[pair[0]].len() * self.ends[pair[1]].len() > MOST_MOVES {
            // Each of them has chosen alone, and keeps its best moves only.
            for cop in pair {
                self.ends[cop].truncate(WIDEST);
            }
        }
        let [rows, width] = pair.map(|cop| self.ends[cop].len());
        let is_nearest = self.active.first() == Some(&pair[0]);
        for index in 0..rows * width {
            let ends = [
                (pair[0], self.ends[pair[0]][index / width]),
                (pair[1], self.ends[pair[1]][index % width]),
            ];
            let waits = ends.iter().all(|&(cop, end)| self.cops[cop].at == end);
            self.candidates.push(CopMove {
                index,
                apart: ends.iter().map(|&(cop, end)| self.apart(cop, end)).sum(),
                waits: waits && is_nearest,
                ends,
            });
        }
        self.candidates.end_group();
        // A joint move is a row, the move of one cop, and a column, that of the other.
        let row: MoveSet = MoveSet::MAX >> (MOST_MOVES - width);
        let column: MoveSet = (0..rows).map(|place| 1 << (place * width)).sum();
        for (cop, step, moves) in [(pair[0], width, row), (pair[1], 1, column)] {
            let agent = self.cops[cop];
            let start =
                |(place, &at): (usize, &Vertex)| (Agent { at, ..agent }, moves << (place * step));
            self.starts
                .extend(self.ends[cop].iter().enumerate().map(start));
        }
        rows * width
    }

    /// Lists the moves of a single cop as candidates: its chosen move in a joint move that the race has already, and each
    /// other move in a joint move of its own, after `count` others. Returns the number of joint moves.
    fn list_moves(&mut self, cop: usize, base: usize, mut count: usize) -> usize {
        let (agent, chosen) = (self.cops[cop], self.chosen[cop]);
        let is_nearest = self.active.first() == Some(&cop);
        let moves = self.ends[cop].len();
        let mut own = 0;
        for place in 0..=moves {
            let end = place.checked_sub(1).map_or(chosen, |at| self.ends[cop][at]);
            let index = if place == 0 {
                base
            } else if end == chosen || count == MOST_MOVES {
                continue;
            } else {
                count += 1;
                count - 1
            };
            self.candidates.push(CopMove {
                index,
                apart: self.apart(cop, end),
                waits: is_nearest && moves > 1 && end == agent.at,
                ends: [(cop, end); 2],
            });
            if place > 0 {
                let moves = 1 << index;
                own |= moves;
                self.starts.push((Agent { at: end, ..agent }, moves));
            }
        }
        self.candidates.end_group();
        let at = chosen;
        self.starts.push((Agent { at, ..agent }, !own));
        count
    }

    /// Continues the race of a task, and chooses when it ends.
    pub(super) fn race_on(&mut self, graph: &Graph, index: usize, budget: u32) {
        let Some(&task) = self.tasks.get(index) else {
            self.stage = TeamStage::Begin { task: index };
            return;
        };
        let left = LONGEST_RACE.saturating_sub(self.race.work().expansions);
        let budget = u64::from(budget).min(left) as u32;
        let (bounds, candidates) = (self.bounds.as_ref(), &mut self.candidates);
        let needs_all = self.compares_all || task.sorts;
        let is_settled = |race: &JointRace, free| candidates.are_settled(race, free);
        let is_settled = (!needs_all).then_some(is_settled);
        let race = &mut self.race;
        let progress = race.advance_on_map(graph, bounds, budget, is_settled);
        if self.race.is_out_of_bounds() {
            // Cops that were left out may matter: the race is run again, and the others too, without bounds.
            self.bounds = None;
            self.end_race();
            self.stage = TeamStage::Begin { task: index };
            return;
        }
        let is_long = progress.is_working() && u64::from(budget) == left;
        if progress.is_working() && !is_long {
            return;
        }
        if progress == FOUND {
            self.choose(task);
            self.compared = task.pair.filter(|_| self.compares_all);
        }
        self.end_race();
        if is_long {
            self.compared = None;
        }
        // The other races would be as long.
        let is_last = is_long || self.is_last(index);
        let next = if is_last { self.tasks.len() } else { index + 1 };
        self.stage = TeamStage::Begin { task: next };
    }

    /// Returns whether this task was the last one of this plan, because the next pair would take the plan beyond its
    /// limit.
    fn is_last(&self, index: usize) -> bool {
        // Comparisons of one cop may serve the pair that follows.
        let sorts = |index| {
            self.tasks
                .get(index)
                .is_some_and(|task: &ComparisonTask| task.sorts)
        };
        let races = if sorts(index + 1) { 3 } else { 1 };
        let expected = self.spent() + races * self.race.work().expansions / JOINT;
        !sorts(index) && expected > LONGEST_PLAN
    }

    /// The work on the present race. Two expansions of joint moves count as one, since this is what they cost.
    pub(super) const fn work_of_race(&self) -> Work {
        let Work {
            expansions,
            touched,
        } = self.race.work();
        Work {
            expansions: expansions / JOINT,
            touched,
        }
    }

    /// Counts the work on a race as that of this plan.
    fn end_race(&mut self) {
        self.work += self.work_of_race();
    }

    /// Chooses the best moves of a race.
    fn choose(&mut self, task: ComparisonTask) {
        let Self {
            candidates,
            race,
            chosen,
            ..
        } = self;
        for group in candidates.groups() {
            let best = group
                .iter()
                .min_by_key(|candidate| candidates.worth(race, candidate));
            for (cop, end) in best.into_iter().flat_map(|best| best.ends) {
                chosen[cop] = end;
            }
        }
        if task.sorts {
            let worths = candidates.groups().flatten().map(|candidate| {
                let (_, end) = candidate.ends[0];
                (candidates.worth(race, candidate), end)
            });
            self.sorted.clear();
            self.sorted.reserve(MOST_MOVES);
            self.sorted.extend(worths);
            // Of equally good moves, the order stays.
            self.sorted.sort_by_key(|&(worth, _)| worth);
            let ends = &mut self.ends[self.active[task.singles[0]]];
            ends.clear();
            ends.extend(self.sorted.iter().map(|&(_, end)| end));
        }
    }

    /// The distance of a cop from the robber after a move, in hundredths of the cop's turns.
    fn apart(&self, cop: usize, end: Vertex) -> i64 {
        let Agent { at, speed } = self.cops[cop];
        let here = || self.distances.steps(at).unwrap_or(0) + 1;
        let steps = self.distances.steps(end).unwrap_or_else(here);
        i64::from(steps) * TURN / i64::from(speed.steps())
    }
}

#[cfg(test)]
mod tests {
    use super::super::candidates::{APART, COVER, ESCAPE};
    use super::*;
    use crate::game::{Side, Speed, State};
    use crate::map::{Cell, Moves, Terrain, TileMap};
    use crate::search::joint_race::JointRace;
    use crate::search::{Dice, Distances, MoveEnds, SlicedSearch as _};

    /// The worth of a joint move, which is raced alone.
    fn worth_alone(graph: &Graph, robber: Agent, cops: &[Agent], pressure: i64) -> i64 {
        let mut race = JointRace::default();
        race.begin(graph, robber, 1, cops.iter().map(|&cop| (cop, 1)));
        while race.advance(graph, 100).is_working() {}
        let found = race.evaluated(0);
        let mut distances = Distances::default();
        distances.measure(graph, robber.at);
        let apart = |cop: &Agent| {
            let steps = distances.steps(cop.at).map_or(0, i64::from);
            steps * TURN / i64::from(cop.speed.steps())
        };
        let apart: i64 = cops.iter().map(apart).sum();
        match found.turns {
            Some(0) => i64::MIN,
            turns => {
                turns.map_or(ESCAPE, i64::from) * TURN
                    + COVER * i64::from(found.covered)
                    + (APART + pressure) * apart / TURN
            }
        }
    }

    #[test]
    fn a_pair_makes_the_best_of_all_its_joint_moves() {
        let dice = &mut Dice::new(1);
        let mut search = TeamSearch::new();
        for round in 0..60 {
            let mut map = TileMap::filled(11, 9, Terrain::Floor).expect("a map");
            for cell in map.cells().filter(|&cell| cell != Cell::new(0, 0)) {
                if dice.below(100) < 20 {
                    map.set(cell, Terrain::Wall);
                }
            }
            let graph = Graph::new(&map, Moves::Octile);
            let vertices: Vec<Vertex> = graph.iter().collect();
            let mut agent = || Agent {
                at: dice.pick(&vertices).expect("a vertex"),
                speed: Speed::ONE,
            };
            let (robber, cops) = (agent(), [agent(), agent()]);
            let mut distances = Distances::default();
            distances.measure(&graph, robber.at);
            // The pair never waits, unless it has captured the robber.
            if cops
                .iter()
                .any(|cop| matches!(distances.steps(cop.at), None | Some(0)))
            {
                continue;
            }
            let pressure = [0, 400][round % 2];
            let state = State {
                robber,
                cops: &cops,
                to_move: Side::Cops,
            };
            search.solve(&graph, None, &state, pressure, 1);
            let ends = |cop: &Agent| {
                let mut ends = vec![cop.at];
                ends.extend(graph.neighbours(cop.at));
                ends
            };
            let moved = |at: [Vertex; 2]| {
                [0, 1].map(|cop| Agent {
                    at: at[cop],
                    ..cops[cop]
                })
            };
            // The pair never waits as a whole.
            let waits = |at: [Vertex; 2]| at == [cops[0].at, cops[1].at];
            let worth = |at| {
                if waits(at) {
                    i64::MAX
                } else {
                    worth_alone(&graph, robber, &moved(at), pressure.into())
                }
            };
            let all = ends(&cops[0]).into_iter().flat_map(|first| {
                let second = ends(&cops[1]);
                second.into_iter().map(move |second| [first, second])
            });
            let best = all.map(worth).min();
            let chosen =
                [0, 1].map(|cop| search.path_of(cop).first().copied().unwrap_or(cops[cop].at));
            assert_eq!(Some(worth(chosen)), best, "{state:?}");
        }
    }
    /// A map, with a tenth of walls, and agents around its middle.
    fn any_game(dice: &mut Dice, side: usize, cops: usize) -> (Graph, Agent, Vec<Agent>) {
        let mut map = TileMap::filled(side as u16, side as u16, Terrain::Floor).expect("a map");
        for cell in map.cells().filter(|&cell| cell != Cell::new(0, 0)) {
            if dice.below(100) < 10 {
                map.set(cell, Terrain::Wall);
            }
        }
        let graph = Graph::new(&map, Moves::Octile);
        let vertices: Vec<Vertex> = graph.iter().collect();
        let mut agent = |speed| Agent {
            at: dice.pick(&vertices).expect("a vertex"),
            speed: Speed::new(speed).expect("a speed"),
        };
        let fast = 1 + u8::from(cops.is_multiple_of(3));
        let robber = agent(1);
        let cops = (0..cops).map(|cop| agent(if cop.is_multiple_of(2) { fast } else { 1 }));
        let cops = cops.collect();
        (graph, robber, cops)
    }

    /// The ends of all moves of a cop.
    fn ends_of(graph: &Graph, cop: Agent) -> Vec<Vertex> {
        let mut moves = MoveEnds::default();
        let mut ends = vec![cop.at];
        ends.extend_from_slice(moves.find(graph, cop.at, cop.speed, |_| false));
        ends
    }

    #[test]
    fn races_that_end_once_they_are_settled_choose_the_same_moves() {
        let dice = &mut Dice::new(2);
        let (mut early, mut full) = (TeamSearch::new(), TeamSearch::new());
        full.compare_all(true);
        let (mut shorter, mut same) = (0, 0);
        for round in 0..300 {
            let (graph, robber, cops) = any_game(dice, 12 + round % 20, 2 + round % 7);
            let state = State {
                robber,
                cops: &cops,
                to_move: Side::Cops,
            };
            let pressure = [0, 400][round % 2];
            full.solve(&graph, None, &state, pressure, 4);
            early.begin(&graph, None, &state, pressure, 4);
            let slice = [1, 30, u32::MAX][round % 3];
            while early.advance(&graph, None, slice).is_working() {}
            assert!(early.compared().is_none());
            if full.work().expansions > LONGEST_PLAN / 4 {
                // Longer races may leave no time for further ones.
                continue;
            }
            assert_eq!(early.active, full.active, "{state:?}");
            assert_eq!(early.chosen, full.chosen, "{state:?}");
            assert!(
                early.work().expansions <= full.work().expansions,
                "{state:?}"
            );
            if early.work().expansions < full.work().expansions {
                shorter += 1;
            } else {
                same += 1;
            }
        }
        assert!(shorter > 150 && same > 10, "{shorter} {same}");
    }

    #[test]
    fn each_further_cop_makes_the_best_move_beside_those_of_the_interception() {
        let dice = &mut Dice::new(3);
        let mut search = TeamSearch::new();
        let (mut compared, mut own) = (0, 0);
        for round in 0..200 {
            let (graph, robber, cops) = any_game(dice, 12, 4 + round % 4);
            let pressure = [0, 400][round % 2];
            let state = State {
                robber,
                cops: &cops,
                to_move: Side::Cops,
            };
            search.solve(&graph, None, &state, pressure, 4);
            // Where all cops stand if they move as the interception plans.
            let planned: Vec<Agent> = cops
                .iter()
                .enumerate()
                .map(|(index, cop)| {
                    let path = search.base.path_of(index);
                    let steps = path.len().min(cop.speed.steps().into());
                    let at = path[..steps].last().copied().unwrap_or(cop.at);
                    Agent { at, ..*cop }
                })
                .collect();
            for &cop in search.active.iter().skip(2) {
                let worth = |at| {
                    let mut moved = planned.clone();
                    moved[cop].at = at;
                    // Only the distance of the cop itself differs.
                    worth_alone(&graph, robber, &moved, pressure.into())
                };
                let best = ends_of(&graph, cops[cop]).into_iter().map(worth).min();
                assert_eq!(Some(worth(search.chosen[cop])), best, "{state:?}");
                compared += 1;
                own += u32::from(search.chosen[cop] != planned[cop].at);
            }
        }
        assert!(compared > 100 && own > 20, "{compared} {own}");
    }
}
