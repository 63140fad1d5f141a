//! The comparison of the joint moves of one or two active cops.

use super::{JOINT, LONGEST_PLAN, LONGEST_RACE, MOST_ACTIVE, TeamSearch, TeamStage};
use crate::game::Agent;
use crate::graph::{Graph, Vertex};
use crate::search::SearchProgress;
use crate::search::joint_race::{Evaluated, MOST_MOVES, MoveSet};

/// A turn, in hundredths, the unit in which the worth of a joint move to the robber is counted.
const TURN: i64 = 100;
/// The worth of a vertex that the robber reaches first. Measured: 1 to 10 play about equally well.
const COVER: i64 = 3;
/// The worth of a turn that a cop needs to get to the robber. Measured: 10 to 60 play about equally well; without it,
/// cops wait where they guard.
const APART: i64 = 30;
/// The number of turns that an escape counts for.
const ESCAPE: i64 = 10_000;
/// The number of moves of each cop that are compared in a pair if there are too many to compare all of them: 11 x 11
/// are few enough.
const WIDEST: usize = 11;

/// One comparison: all moves of one or two cops while the others make the moves that have been chosen for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Task {
    cop: usize,
    with: Option<usize>,
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
        (found.turns == Some(0) || !waits).then(|| search.worth(found, apart))
    }
}

impl TeamSearch {
    /// The joint moves of the pair that was compared last; `None` before the end of the search, and where no
    /// pair was compared.
    pub(crate) fn compared(&self) -> Option<Compared<'_>> {
        let cops = self.compared.filter(|_| self.stage == TeamStage::Done)?;
        Some(Compared {
            cops,
            ends: cops.map(|cop| self.ends[cop].as_slice()),
            search: self,
        })
    }

    /// Lists the comparisons: pairs, the nearest first. Cops with too many moves for a pair first choose the best of
    /// these moves alone.
    pub(super) fn plan_tasks(&mut self) {
        self.tasks.clear();
        self.tasks.reserve(3 * MOST_ACTIVE);
        let alone = |cop| Task { cop, with: None };
        for pair in self.active.chunks(2) {
            // The last of an odd number goes with the nearest.
            let with = pair
                .get(1)
                .or(self.active.first().filter(|&&first| first != pair[0]));
            let Some(&with) = with else {
                self.tasks.push(alone(pair[0]));
                continue;
            };
            if self.ends[pair[0]].len() * self.ends[with].len() > MOST_MOVES {
                self.tasks.extend([alone(pair[0]), alone(with)]);
            }
            self.tasks.push(Task {
                cop: pair[0],
                with: Some(with),
            });
        }
    }

    /// The moves of a task: those of the first cop, and the number of those of the second.
    fn width(&self, task: Task) -> usize {
        task.with.map_or(1, |with| self.ends[with].len())
    }

    /// Begins the race of a task, or ends the search.
    pub(super) fn begin_task(&mut self, graph: &Graph, index: usize) {
        let (Some(&task), Some(robber)) = (self.tasks.get(index), self.robber) else {
            self.write_paths(graph);
            self.stage = TeamStage::Done;
            return;
        };
        // Cops that chose alone keep their best moves only.
        if let Some(with) = task.with
            && self.ends[task.cop].len() * self.ends[with].len() > MOST_MOVES
        {
            self.ends[task.cop].truncate(WIDEST);
            self.ends[with].truncate(WIDEST);
        }
        let width = self.width(task);
        let Self {
            race,
            ends,
            cops,
            chosen,
            ..
        } = self;
        let rows = ends[task.cop].len();
        let count = rows * width;
        // A joint move is a row, the move of one cop, and a column, that of the other.
        let row: MoveSet = MoveSet::MAX >> (MOST_MOVES - width);
        let column: MoveSet = (0..rows).map(|place| 1 << (place * width)).sum();
        let all: MoveSet = MoveSet::MAX >> (MOST_MOVES - count);
        let starts = cops.iter().enumerate().flat_map(|(index, &cop)| {
            let (ends, step, moves): (&[Vertex], usize, MoveSet) = if index == task.cop {
                (&ends[index], width, row)
            } else if Some(index) == task.with {
                (&ends[index], 1, column)
            } else {
                (std::slice::from_ref(&chosen[index]), 0, all)
            };
            let place = move |(place, &at): (usize, &Vertex)| {
                (Agent { at, ..cop }, moves << (place * step))
            };
            ends.iter().enumerate().map(place)
        });
        race.begin(graph, robber, count, starts);
        self.stage = TeamStage::Race { task: index };
    }

    /// Continues the race of a task, and chooses when it ends.
    pub(super) fn race_on(&mut self, graph: &Graph, index: usize, budget: u32) {
        let left = LONGEST_RACE.saturating_sub(self.race.expansions());
        let budget = u64::from(budget).min(left) as u32;
        let progress = match &self.bounds {
            Some(bounds) => self.race.advance_within(graph, bounds, budget),
            None => self.race.advance(graph, budget),
        };
        if self.race.is_out_of_bounds() {
            // Cops that were left out may matter: the race is run again, and the others too, without bounds.
            self.bounds = None;
            self.end_race();
            self.stage = TeamStage::Begin { task: index };
            return;
        }
        let is_long = progress == SearchProgress::Running && u64::from(budget) == left;
        if progress == SearchProgress::Running && !is_long {
            return;
        }
        if progress == SearchProgress::Done
            && let Some(&task) = self.tasks.get(index)
        {
            self.choose(task);
            self.compared = task.with.map(|with| [task.cop, with]);
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
        // Comparisons of one cop serve the pair that follows.
        let is_pair = |index| self.tasks.get(index).map(|task: &Task| task.with.is_some());
        let races = if is_pair(index + 1) == Some(false) {
            3
        } else {
            1
        };
        let expected = self.spent() + races * self.race.expansions() / JOINT;
        is_pair(index) == Some(true) && expected > LONGEST_PLAN
    }

    /// Counts the work on a race as that of this plan.
    fn end_race(&mut self) {
        self.expansions += self.race.expansions() / JOINT;
        self.touched += self.race.touched();
    }

    /// Chooses the best joint move of a race.
    fn choose(&mut self, task: Task) {
        let width = self.width(task);
        let count = self.ends[task.cop].len() * width;
        let mut keys = std::mem::take(&mut self.keys);
        keys.clear();
        keys.reserve(MOST_MOVES);
        keys.extend((0..count).map(|place| {
            let row = (task.cop, self.ends[task.cop][place / width]);
            let column = task.with.map(|with| (with, self.ends[with][place % width]));
            let apart: i64 = std::iter::once(row)
                .chain(column)
                .map(|(cop, end)| self.apart(cop, end))
                .sum();
            let stay = |(cop, end): (usize, Vertex)| self.cops[cop].at == end;
            let waits =
                self.active.first() == Some(&task.cop) && stay(row) && column.is_none_or(stay);
            let found = self.race.evaluated(place);
            if waits && count > 1 && found.turns != Some(0) {
                // The robber could wait as well, for ever.
                return (i64::MAX, place);
            }
            (self.worth(found, apart), place)
        }));
        keys.sort_unstable();
        let best = keys.first().map_or(0, |&(_, place)| place);
        self.chosen[task.cop] = self.ends[task.cop][best / width];
        if let Some(with) = task.with {
            self.chosen[with] = self.ends[with][best % width];
        } else {
            // The best first, for the pair that follows.
            let ends = &mut self.ends[task.cop];
            self.sorted.clear();
            self.sorted.reserve(MOST_MOVES);
            self.sorted
                .extend(keys.iter().map(|&(_, place)| ends[place]));
            std::mem::swap(ends, &mut self.sorted);
        }
        self.keys = keys;
    }

    /// What a joint move is worth to the robber.
    fn worth(&self, found: Evaluated, apart: i64) -> i64 {
        let turns = match found.turns {
            Some(0) => return i64::MIN, // a capture
            turns => turns.map_or(ESCAPE, i64::from),
        };
        let pressure = APART + i64::from(self.pressure);
        turns * TURN + COVER * i64::from(found.covered) + pressure * apart / TURN
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
    use super::*;
    use crate::game::{Side, Speed, State};
    use crate::map::{Cell, Moves, Terrain, TileMap};
    use crate::search::joint_race::JointRace;
    use crate::search::{Dice, Distances, SlicedSearch as _};

    /// The worth of a joint move, which is raced alone.
    fn worth_alone(graph: &Graph, robber: Agent, cops: &[Agent], pressure: i64) -> i64 {
        let mut race = JointRace::default();
        race.begin(graph, robber, 1, cops.iter().map(|&cop| (cop, 1)));
        while race.advance(graph, 100) == SearchProgress::Running {}
        let found = race.evaluated(0);
        let mut distances = Distances::default();
        distances.measure(graph, robber.at);
        let apart = |cop: &Agent| i64::from(distances.steps(cop.at).expect("a path"));
        let steps: i64 = cops.iter().map(apart).sum();
        match found.turns {
            Some(0) => i64::MIN,
            turns => {
                turns.map_or(ESCAPE, i64::from) * TURN
                    + COVER * i64::from(found.covered)
                    + (APART + pressure) * steps
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
}
