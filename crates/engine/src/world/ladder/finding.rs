//! What the rungs find for a side: moves, proofs, or the reason why there are none.

use crate::endgame;
use crate::game::{Outcome, Rules, Turns, Value};
use crate::graph::Vertex;
use crate::world::agent_id::AgentId;
use crate::world::pursuit::MovesBy;
use crate::world::state::Reason;
use std::ops::Range;

/// Moves for agents of one side.
#[derive(Debug, Default)]
pub(in crate::world) struct SideMoves {
    /// The agents with their paths in `ways`; `None` for an agent that takes part and whose move another rung finds.
    list: Vec<(AgentId, Option<Range<usize>>)>,
    ways: Vec<Vertex>,
    /// The value of the position, if it is known.
    pub(in crate::world) value: Option<Value>,
}

impl SideMoves {
    pub(super) fn of_value(value: Option<Value>) -> Self {
        Self {
            value,
            ..Self::default()
        }
    }

    /// The move of one agent.
    pub(super) fn of_one(id: AgentId, way: &[Vertex], value: Option<Value>) -> Self {
        let mut moves = Self::of_value(value);
        moves.add(id, way);
        moves
    }

    /// Adds the path of an agent. An empty path is to wait.
    pub(super) fn add(&mut self, id: AgentId, way: &[Vertex]) {
        let start = self.ways.len();
        self.ways.extend_from_slice(way);
        self.list.push((id, Some(start..self.ways.len())));
    }

    /// Adds an agent that takes part, and whose move another rung finds.
    pub(super) fn add_open(&mut self, id: AgentId) {
        self.list.push((id, None));
    }

    fn takes_part(&self, id: AgentId) -> bool {
        self.list.iter().any(|&(of, _)| of == id)
    }

    fn of(&self, id: AgentId) -> Option<&[Vertex]> {
        let (_, way) = self.list.iter().find(|&&(of, _)| of == id)?;
        self.ways.get(way.clone()?)
    }
}

/// The table by which a side moves, for the record of its pursuit.
#[derive(Debug)]
pub(in crate::world) struct TableUse {
    pub(in crate::world) by: MovesBy,
    /// The rules of the table; `None` if none is wanted for the map after an edit.
    pub(in crate::world) rules: Option<Rules>,
    /// The cops whose table of fewer cops proves the value.
    pub(in crate::world) keepers: Option<Vec<AgentId>>,
}

/// By what a rung decides.
#[derive(Debug)]
pub(in crate::world) enum Basis {
    /// A table of the map.
    Table(TableUse),
    /// A guide, which is asked anew for each move.
    Guide,
}

impl Basis {
    /// The table by which a rung decides.
    pub(in crate::world) const fn table(&self) -> Option<&TableUse> {
        match self {
            Self::Table(table) => Some(table),
            Self::Guide => None,
        }
    }
}

/// Moves by which cops capture within a proven number of turns, as long as they go on like this.
#[derive(Debug)]
pub(in crate::world) struct ProvenMoves {
    /// The moves, with the value that they prove.
    pub(in crate::world) moves: SideMoves,
    pub(in crate::world) kind: ProofKind,
}

/// What a proof is about, and therefore what it is [weighed](crate::world::claims::Claims::weigh) against.
#[derive(Debug)]
pub(in crate::world) enum ProofKind {
    /// A local table. Cops that it does not need follow their plans.
    Local(endgame::Proof),
    /// A bound that two cops keep by where their moves end, whatever found the moves.
    Kept(KeptBound),
}

/// A bound that two cops keep by where their moves end.
#[derive(Debug)]
pub(in crate::world) struct KeptBound {
    pub(in crate::world) within: Turns,
    pub(in crate::world) ends: [(AgentId, Vertex); 2],
    /// Where the robber is. A cop that gets there captures it.
    pub(in crate::world) robber: Vertex,
}

impl KeptBound {
    pub(in crate::world) const fn value(&self) -> Value {
        Value::AtMost(Outcome::Caught(self.within))
    }
}

/// What a rung has found for a side.
#[derive(Debug)]
pub(in crate::world) enum Finding {
    /// Moves for all agents of the side whose moves the world chooses. No further rung is asked.
    Decides(SideMoves, Basis),
    /// Moves for some agents of the side, whatever further rungs find.
    Shares(SideMoves),
    /// Moves that are weighed against other proofs, plans, and what has been announced.
    Proves(ProvenMoves),
    /// No moves, and the reason if the game is to know it.
    Nothing(Option<Reason>),
}

impl Finding {
    /// The reason why an agent gets no move from this finding.
    pub(in crate::world) const fn reason(&self) -> Option<Reason> {
        match self {
            Self::Nothing(reason) => *reason,
            Self::Decides(..) => Some(Reason::NoTableForThis),
            Self::Shares(_) | Self::Proves(_) => None,
        }
    }

    fn moves(&self) -> Option<&SideMoves> {
        match self {
            Self::Decides(moves, _) | Self::Shares(moves) => Some(moves),
            Self::Proves(proof) => Some(&proof.moves),
            Self::Nothing(_) => None,
        }
    }

    /// The path of an agent, and the value of the position.
    pub(super) fn move_of(&self, id: AgentId) -> Option<(&[Vertex], Option<Value>)> {
        let moves = self.moves()?;
        Some((moves.of(id)?, moves.value))
    }
}

/// The most rungs for which findings have room. They take no memory from the heap.
pub(super) const MOST_RUNGS: usize = 16;

/// What the rungs have found for a side, in the order of the list of rungs: nothing, if they were not asked.
#[derive(Debug)]
pub(in crate::world) struct Findings(pub(super) [Finding; MOST_RUNGS]);

impl Findings {
    /// The findings for a side whose moves the world does not choose.
    pub(in crate::world) fn of_nobody() -> Self {
        let mut found = Self::none();
        found.0[0] = Finding::Nothing(Some(Reason::NoTableForThis));
        found
    }

    /// The findings before any rung was asked.
    pub(super) fn none() -> Self {
        Self([const { Finding::Nothing(None) }; MOST_RUNGS])
    }

    /// By what a rung decides; `None` if no rung does.
    pub(in crate::world) fn decided_by(&self) -> Option<&Basis> {
        self.0.iter().find_map(|finding| match finding {
            Finding::Decides(_, basis) => Some(basis),
            _ => None,
        })
    }

    /// The proof by a local table.
    pub(in crate::world) fn local_proof(&self) -> Option<&endgame::Proof> {
        self.0.iter().find_map(|finding| match finding {
            Finding::Proves(ProvenMoves {
                kind: ProofKind::Local(proof),
                ..
            }) => Some(proof),
            _ => None,
        })
    }

    /// Drops the proofs of which `is_dropped` is true.
    pub(in crate::world) fn drop_proofs(&mut self, is_dropped: impl Fn(&ProvenMoves) -> bool) {
        for finding in &mut self.0 {
            if let Finding::Proves(proof) = finding
                && is_dropped(proof)
            {
                *finding = Finding::Nothing(None);
            }
        }
    }

    /// Returns whether a cop takes part in moves that cops share out.
    pub(super) fn shares(&self, id: AgentId) -> bool {
        let mut shares = self.0.iter().filter_map(|finding| match finding {
            Finding::Shares(moves) => Some(moves),
            _ => None,
        });
        shares.any(|moves| moves.takes_part(id))
    }

    /// The bound that a cop keeps if its move ends at `end`, whatever found the move.
    pub(super) fn kept_value(&self, id: AgentId, end: Vertex) -> Option<Value> {
        let kept = self.0.iter().find_map(|finding| match finding {
            Finding::Proves(ProvenMoves {
                kind: ProofKind::Kept(kept),
                ..
            }) => Some(kept),
            _ => None,
        })?;
        let keeps = kept.robber == end || kept.ends.contains(&(id, end));
        keeps.then(|| kept.value())
    }
}
