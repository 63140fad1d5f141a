//! Minimax to a fixed depth.

mod table;

use pursuit_engine::game::{Agent, Side, Speed, State, Work};
use pursuit_engine::graph::{Network, Vertex};
use pursuit_engine::search::MoveEnds;
use table::TranspositionTable;

/// Minimax to a fixed depth: the robber delays capture, the cops hasten it, and a distance estimates the
/// rest at the end of the search.
///
/// Alpha-beta with a transposition table; C. Moldenhauer, *Game tree search algorithms for the game of
/// cops and robber*, definition 4.1 (the value of a search to a depth) and section 5.5.1. Values and
/// depths are *plies*: moves of either side. All cops together make one ply. All their joint moves are
/// tried: b^k for k cops with b moves each. A search of d plies has up to (moves of a ply)^d nodes;
/// pruning leaves about the square root of that.
///
/// If a step changes the distance by at most one step, the distance is a lower bound on the value of a
/// position, and the result is exactly that of plain minimax. With other distances, as on the levels of
/// an abstraction, the result is an estimate.
///
/// Memory is kept from search to search.
#[derive(Debug, Clone, Default)]
pub struct Minimax {
    ends: MoveEnds,
    /// The moves of all nodes on the line to the current node.
    moves: Vec<Vertex>,
    /// The cops in the current node.
    cops: Vec<Agent>,
    table: TranspositionTable,
    /// For each number of plies left, the ends of the robber's best moves from there on.
    lines: Vec<Vec<Vertex>>,
    work: Work,
}

impl Minimax {
    /// A search without memory yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The value of a state with the robber to move, in plies until capture: searches `depth` plies and
    /// at the end adds twice the value of `turns`, minus one if the cops are to move.
    ///
    /// `turns(robber, cop)` is the number of moves in which the cop reaches a robber that stays: less
    /// than 2^24, and 0 only on the robber. A captured robber has value 0. Of equally good moves the
    /// first one is chosen. Moves of the robber are ordered nearest first, then in the order of the
    /// graph, waiting last; those of the cops farthest first, waiting last.
    ///
    /// # Panics
    /// If an agent stands on a vertex of another, larger graph.
    pub fn solve(
        &mut self,
        graph: &impl Network,
        state: &State<'_>,
        depth: u8,
        turns: impl Fn(Vertex, &Agent) -> u32,
    ) -> u32 {
        self.solve_knowing(graph, state, depth, turns, |_, _, _| None)
    }

    /// Like [`solve`](Self::solve), with knowledge about positions that makes their search unnecessary. The
    /// value is the same; the line may end where something is known.
    ///
    /// `known(robber, cops, side)` is a number of plies within which the cops certainly capture the robber
    /// if this side is to move. It is asked once for each node that is not decided by its distance.
    ///
    /// # Panics
    /// If an agent stands on a vertex of another, larger graph.
    pub fn solve_knowing(
        &mut self,
        graph: &impl Network,
        state: &State<'_>,
        depth: u8,
        turns: impl Fn(Vertex, &Agent) -> u32,
        known: impl Fn(Vertex, &[Agent], Side) -> Option<u32>,
    ) -> u32 {
        self.table.clear(1 + state.cops.len());
        self.moves.clear();
        self.cops.clear();
        self.cops.extend_from_slice(state.cops);
        self.lines.resize(usize::from(depth) + 1, Vec::new());
        self.lines.iter_mut().for_each(Vec::clear);
        self.work = Work::NONE;
        let mut search = MinimaxSearch {
            memory: self,
            graph,
            speed: state.robber.speed,
            turns,
            known,
        };
        let value = search.value(MinimaxNode {
            robber: state.robber.at,
            to_move: Side::Robber,
            left: depth,
            alpha: -1,
            beta: i32::MAX / 2,
        });
        self.work.touched = self.ends.take_work().touched;
        u32::try_from(value).unwrap_or_default()
    }

    /// The ends of the robber's moves under best play of both sides in the last search, beginning with
    /// the next one; a move may be a wait. Empty if the robber is already captured or the depth was 0.
    #[must_use]
    pub fn line(&self) -> &[Vertex] {
        self.lines.last().map_or(&[], Vec::as_slice)
    }

    /// The work of the last search: its expansions are the nodes of the game tree whose moves were generated.
    #[must_use]
    pub const fn work(&self) -> Work {
        self.work
    }
}

/// A node of the game tree; the cops are in the memory.
#[derive(Debug, Clone, Copy)]
struct MinimaxNode {
    robber: Vertex,
    to_move: Side,
    /// The number of plies left to search.
    left: u8,
    /// A value up to this one is irrelevant: the robber already has a move as good.
    alpha: i32,
    /// A value from this one up is irrelevant: the cops already have a move as good.
    beta: i32,
}

impl MinimaxNode {
    /// The node after a ply. The window moves by the ply that has been made.
    fn after(self, robber: Vertex) -> Self {
        Self {
            robber,
            to_move: match self.to_move {
                Side::Cops => Side::Robber,
                Side::Robber => Side::Cops,
            },
            left: self.left - 1,
            alpha: self.alpha - 1,
            beta: self.beta - 1,
        }
    }
}

/// One search and its memory.
struct MinimaxSearch<'a, G, T, K> {
    memory: &'a mut Minimax,
    graph: &'a G,
    speed: Speed,
    turns: T,
    known: K,
}

impl<G, T, K> MinimaxSearch<'_, G, T, K>
where
    G: Network,
    T: Fn(Vertex, &Agent) -> u32,
    K: Fn(Vertex, &[Agent], Side) -> Option<u32>,
{
    /// The value of a node in plies: exact if it lies between alpha and beta, otherwise a bound on the
    /// correct side.
    fn value(&mut self, node: MinimaxNode) -> i32 {
        self.memory.lines[usize::from(node.left)].clear();
        let turns = |cop: &Agent| (self.turns)(node.robber, cop);
        let turns = self.memory.cops.iter().map(turns).min().unwrap_or(1 << 24);
        let least = 2 * turns.cast_signed() - i32::from(node.to_move == Side::Cops);
        if turns == 0 {
            return 0;
        }
        if node.left == 0 || node.beta <= least {
            return least;
        }
        if let Some(value) = self.memory.table.settled(&node, &self.memory.cops) {
            return value;
        }
        if let Some(most) = (self.known)(node.robber, &self.memory.cops, node.to_move) {
            // A capture beyond the horizon may be worth less to the search than it takes.
            let most = most.cast_signed();
            if most <= node.alpha || most == least {
                return most;
            }
        }
        self.memory.work.expansions += 1;
        let value = match node.to_move {
            Side::Robber => self.robber_to_move(node),
            Side::Cops => self.cops_to_move(node, 0),
        };
        let Minimax { table, cops, .. } = &mut *self.memory;
        table.put(&node, cops, value);
        value
    }

    fn robber_to_move(&mut self, mut node: MinimaxNode) -> i32 {
        let first = self.memory.moves.len();
        let Minimax {
            ends, moves, cops, ..
        } = &mut *self.memory;
        let is_cop = |vertex| cops.iter().any(|cop| cop.at == vertex);
        moves.extend_from_slice(ends.find(self.graph, node.robber, self.speed, is_cop));
        moves.push(node.robber);
        let mut best = -1;
        for index in first..self.memory.moves.len() {
            let to = self.memory.moves[index];
            let value = 1 + self.value(node.after(to));
            best = best.max(value);
            if value > node.alpha {
                node.alpha = value;
                let (line, rest) = self.lines(node.left);
                line.clear();
                line.push(to);
                line.extend_from_slice(rest);
            }
            if best >= node.beta {
                break;
            }
        }
        self.memory.moves.truncate(first);
        best
    }

    /// Moves the cops from index `cop` on; those before have already moved.
    fn cops_to_move(&mut self, mut node: MinimaxNode, cop: usize) -> i32 {
        let Some(&mover) = self.memory.cops.get(cop) else {
            let value = 1 + self.value(node.after(node.robber));
            if value < node.beta {
                let (line, rest) = self.lines(node.left);
                line.clear();
                line.extend_from_slice(rest);
            }
            return value;
        };
        let first = self.memory.moves.len();
        let Minimax { ends, moves, .. } = &mut *self.memory;
        let ends = ends.find(self.graph, mover.at, mover.speed, |_| false);
        moves.extend(ends.iter().rev());
        moves.push(mover.at);
        let mut best = i32::MAX;
        for index in first..self.memory.moves.len() {
            self.memory.cops[cop].at = self.memory.moves[index];
            best = best.min(self.cops_to_move(node, cop + 1));
            node.beta = node.beta.min(best);
            if best <= node.alpha {
                break;
            }
        }
        self.memory.cops[cop] = mover;
        self.memory.moves.truncate(first);
        best
    }

    /// The line from a node with `left` plies left, and the line from the node after it.
    fn lines(&mut self, left: u8) -> (&mut Vec<Vertex>, &[Vertex]) {
        let (rest, line) = self.memory.lines.split_at_mut(usize::from(left));
        (&mut line[0], &rest[usize::from(left) - 1])
    }
}
