//! The view of a pursuit: where its members are, assembled once for each side that chooses, and the games of tables and
//! proofs that follow from that.

use super::agent::AgentRecord;
use super::agent_id::AgentId;
use super::facts::Facts;
use super::ladder::finding::Finding;
use super::pursuit::{PursuitIndex, PursuitRecord};
use super::pursuit_positions::{CopPosition, PursuitPositions};
use super::settings::PursuitClock;
use super::situation::{Missing, Situation};
use super::state::Reason;
use super::table_ground::CopTraits;
use super::together::{can_all_move, choose_together, is_in_time, is_joint_move, only_robber};
use crate::game::{Agent, Rules, Side, State, Turns};
use crate::graph::Vertex;
use crate::table::TableGround;

/// The most cops against which the position of a robber is assembled that shares its pursuit with other robbers. In
/// large pursuits many robbers choose, and reading the positions of the cops takes time for each of them.
pub(super) const FEW_COPS: usize = 8;

/// Who is to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Movers {
    /// The cops of the pursuit whose moves the world chooses.
    Cops,
    /// A robber whose move the world chooses, in answer to the cops.
    Robber(AgentId),
}

/// A pursuit in which a side is to move, and what better rungs have found.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub(super) facts: &'a Facts,
    pub(super) pursuit: &'a PursuitRecord,
    pub(super) clock: PursuitClock,
    pub(super) movers: Movers,
    /// The game as exact tables know it, or why no table covers it.
    pub(super) game: Result<TableGame<'a>, Reason>,
    /// The game as tables of mixed strategies know it, or why no table covers it.
    pub(super) joint: Result<JointGame<'a>, Reason>,
    /// The game to which proofs apply, for the cops that choose now; `None` if there is no such game.
    pub(super) team: Option<ProofGame<'a>>,
    /// The position of a robber that is to move, after the cops have moved, on the map's own ground. `None` if it does not
    /// see all cops, or if one of them cannot come out of a wall. Against more than [`FEW_COPS`], only for a robber that is alone.
    pub(super) reply: Option<&'a Situation>,
    /// What better rungs have found.
    better: &'a [Finding],
}

impl<'a> View<'a> {
    /// The same view for a rung: with what better rungs have found.
    pub(super) const fn for_rung(self, better: &'a [Finding]) -> Self {
        Self { better, ..self }
    }

    /// Returns whether the cops are to move.
    pub(super) fn is_of_cops(&self) -> bool {
        self.movers == Movers::Cops
    }

    /// The game as exact tables know it, if all agents walk on the map's own ground and there are no other rules: for
    /// sources that know nothing else.
    pub(super) fn own_game(&self) -> Option<TableGame<'a>> {
        self.game.ok().filter(|game| game.is_on_own_ground)
    }

    /// The reason why no better table decides. That the robber escapes is a reason of the game, not of a table.
    pub(super) fn why_no_table(&self) -> Option<Reason> {
        let reasons = self.better.iter().rev().filter_map(Finding::reason);
        reasons.into_iter().find(|&why| why != Reason::Escapes)
    }
}

/// A position for which an exact table may have an entry.
#[derive(Clone, Copy)]
pub(super) struct TableGame<'a> {
    pub(super) rules: Rules,
    pub(super) ground: TableGround<'a>,
    is_on_own_ground: bool,
    pub(super) state: State<'a>,
    /// The cops, in the order of the state.
    pub(super) ids: &'a [AgentId],
    /// Whether these are all cops of the pursuit.
    pub(super) is_whole: bool,
}

/// A position before either side moves, for which a table of mixed strategies may have an entry.
#[derive(Clone, Copy)]
pub(super) struct JointGame<'a> {
    pub(super) rules: Rules,
    pub(super) state: State<'a>,
    /// The cops, in the order of the state.
    pub(super) cops: &'a [CopPosition],
    /// Whether the world moves the whole side that is to move, and this side sees its opponents. Cops must also
    /// intercept the robber.
    pub(super) may_choose: bool,
}

/// The cops of a pursuit that the world moves, and the robber that they see: the game to which proofs apply.
#[derive(Clone, Copy)]
pub(super) struct ProofGame<'a> {
    situation: &'a Situation,
    /// The position, with the cops to move.
    pub(super) state: State<'a>,
}

impl<'a> ProofGame<'a> {
    /// The cops of the position, in its order.
    pub(super) fn ids(self) -> &'a [AgentId] {
        &self.situation.ids
    }

    /// The number of turns within which the cops have announced a capture: see [`Facts::announced`].
    pub(super) fn promised(self, facts: &Facts) -> Option<Turns> {
        facts.announced(self.ids())
    }

    /// Returns whether a cop has a plan for its next move, by its place in the list.
    pub(super) fn has_plan(self, facts: &Facts, cop: usize) -> bool {
        let agent = facts.agent(self.ids()[cop]);
        agent.is_some_and(|agent| is_usable(agent, self.state.cops[cop]))
    }

    /// Lists where the next moves of the cops' plans end, in the order of the cops.
    pub(super) fn ends_of_plans(self, facts: &Facts, ends: &mut Vec<Vertex>) {
        ends.clear();
        let all = self.ids().iter().zip(self.state.cops);
        ends.extend(all.map(|(&id, &cop)| facts.agent(id).map_or(cop.at, |agent| end(agent, cop))));
    }
}

/// Whether a cop has a plan for its next move, and follows it.
fn is_usable(agent: &AgentRecord, cop: Agent) -> bool {
    let plan = &agent.plan;
    plan.is_intact() && !plan.falls_short && plan.is_usable(cop.at)
}

/// Where the next move of a cop's plan ends; where it stands, if it has none that it can use.
fn end(agent: &AgentRecord, cop: Agent) -> Vertex {
    let rest = agent.plan.rest(cop.at).filter(|_| is_usable(agent, cop));
    let rest = rest.unwrap_or_default();
    let steps = rest.len().min(cop.speed.steps().into());
    rest[..steps].last().copied().unwrap_or(cop.at)
}

/// The positions that views borrow, in memory that is reused.
#[derive(Debug, Default)]
pub(super) struct ViewMemory {
    /// The cops of the pursuit that was assembled last.
    pub(super) pursuit_positions: PursuitPositions,
    /// The position of the side that is to move, or of the last target that may want a plan.
    pub(super) situation: Situation,
    standing: Standing,
}

impl ViewMemory {
    /// Assembles the cops of a pursuit. Views are right until cops get orders.
    pub(super) fn assemble(&mut self, facts: &Facts, pursuit: &PursuitRecord) {
        self.pursuit_positions.assemble(facts, pursuit);
    }

    /// The view of the cops of a pursuit that choose now. Expects that the pursuit is [assembled](Self::assemble).
    pub(super) fn of_cops<'a>(&'a mut self, facts: &'a Facts, at: PursuitIndex) -> View<'a> {
        let pursuit = &facts.members[at];
        let is_chase = self.find_chase(facts, pursuit);
        // A table of the cops is one of those that the world moves. Others do no harm.
        let team = self
            .pursuit_positions
            .cops
            .iter()
            .filter(|cop| cop.chooses)
            .count();
        let has_table = is_chase
            && team > 0
            && self.situation.ids.len() == team
            && choose_together(facts, pursuit)
            && !facts.have_cops_limits(pursuit);
        // Leaves out cops that the game has sent along a path in this turn. Where there are any, there is no table.
        let stands = |cop: &AgentRecord| cop.arrives() <= facts.tick;
        let has_proofs = is_chase
            && self.situation.is_on_own_ground()
            && facts.tick == pursuit.began
            && !facts.have_cops_limits(pursuit)
            && self.leave_out_others(facts, pursuit, stands);
        let movers = Movers::Cops;
        self.standing
            .assemble(facts, pursuit, &self.pursuit_positions, movers);
        View {
            team: self.team().filter(|_| has_proofs),
            ..self.view(facts, pursuit, movers, has_table)
        }
    }

    /// The view of a robber that chooses after the cops have moved. Expects that the pursuit is
    /// [assembled](Self::assemble).
    pub(super) fn of_robber<'a>(
        &'a mut self,
        facts: &'a Facts,
        at: PursuitIndex,
        id: AgentId,
    ) -> View<'a> {
        let pursuit = &facts.members[at];
        let is_alone = only_robber(facts, pursuit) == Some(id) && is_joint_move(facts, pursuit);
        let Self {
            pursuit_positions,
            situation,
            ..
        } = self;
        let is_known = (is_alone || pursuit.cops.len() <= FEW_COPS)
            && situation.of_robber(facts, pursuit, pursuit_positions, id, true)
            && situation.is_seen
            && situation.missing == Missing::None;
        let is_limited = facts.has_leashes(pursuit) || facts.react_late(&[id]);
        let has_table = is_alone
            && is_known
            && situation.ids.len() == pursuit.cops.len()
            // No table is for a cop that cannot move.
            && can_all_move(facts, &pursuit.cops)
            && !is_limited;
        let movers = Movers::Robber(id);
        self.standing
            .assemble(facts, pursuit, pursuit_positions, movers);
        let has_reply = is_known && situation.is_on_own_ground() && !is_limited;
        View {
            reply: has_reply.then_some(&self.situation),
            ..self.view(facts, pursuit, movers, has_table)
        }
    }

    /// The view of a side without proofs and replies.
    fn view<'a>(
        &'a self,
        facts: &'a Facts,
        pursuit: &'a PursuitRecord,
        movers: Movers,
        has_table: bool,
    ) -> View<'a> {
        let game = if has_table {
            self.table_game(facts, pursuit, movers)
        } else {
            Err(Reason::NoTableForThis)
        };
        View {
            facts,
            pursuit,
            clock: self.pursuit_positions.clock,
            movers,
            game,
            joint: self.standing.game(facts, &self.pursuit_positions),
            team: None,
            reply: None,
            better: &[],
        }
    }

    /// The game to which proofs apply for the next move of the cops of a pursuit. `None` if there is no such game: proofs
    /// need a game on the `Turns` clock, against one robber that the cops see and try to intercept.
    pub(super) fn of_next_move(
        &mut self,
        facts: &Facts,
        at: PursuitIndex,
    ) -> Option<ProofGame<'_>> {
        let pursuit = &facts.members[at];
        self.assemble(facts, pursuit);
        let has_proofs = self.find_chase(facts, pursuit)
            && self.situation.is_on_own_ground()
            && !facts.have_cops_limits(pursuit)
            && self.leave_out_others(facts, pursuit, |_| true);
        self.team().filter(|_| has_proofs)
    }

    /// Assembles the position of the cops that the world moves and the only free robber of a pursuit, for the next move
    /// of the cops. `false` if neither tables nor proofs are about this position: because the cops do not see the robber
    /// or do not intercept it, or because the robber cannot move. Cops that keep to a proof against such a robber would
    /// take detours.
    fn find_chase(&mut self, facts: &Facts, pursuit: &PursuitRecord) -> bool {
        let robber = only_robber(facts, pursuit);
        robber.is_some_and(|robber| {
            !facts.follows_paths(pursuit)
                && can_all_move(facts, &[robber])
                && self
                    .situation
                    .of_team(facts, pursuit, &self.pursuit_positions, robber)
                && self.situation.is_seen
        })
    }

    /// Leaves out the cops of a chase that do not keep to a proof: those that are under way until the next turn, and those
    /// that `may_move` rejects. They do no harm either. `false` if proofs do not apply to the game of the rest.
    fn leave_out_others(
        &mut self,
        facts: &Facts,
        pursuit: &PursuitRecord,
        may_move: impl Fn(&AgentRecord) -> bool,
    ) -> bool {
        if facts.clock(pursuit) != PursuitClock::Turns {
            return false;
        }
        let is_late =
            |cop: &AgentRecord| facts.tick == pursuit.began && !is_in_time(facts, pursuit, cop);
        let keeps = |cop: &AgentRecord| !is_late(cop) && may_move(cop);
        self.situation
            .retain(|id, _| facts.agent(id).is_some_and(keeps));
        !self.situation.cops.is_empty()
    }

    /// The ground of the position for tables of games with other rules; `None` if they do not know the rules.
    fn table_ground<'a>(&self, facts: &'a Facts) -> Option<TableGround<'a>> {
        let positions = &self.pursuit_positions;
        if positions.clock != PursuitClock::Turns {
            return None;
        }
        let cops = self.situation.ids.iter();
        let cops = cops.filter_map(|&id| positions.cop(id).map(CopTraits::from));
        facts.table_ground(cops, self.situation.ground)
    }

    fn team(&self) -> Option<ProofGame<'_>> {
        let situation = &self.situation;
        let state = situation.state(Side::Cops)?;
        Some(ProofGame { situation, state })
    }

    /// The game of a side in its position, as exact tables know it, or why they do not.
    fn table_game<'a>(
        &'a self,
        facts: &'a Facts,
        pursuit: &PursuitRecord,
        movers: Movers,
    ) -> Result<TableGame<'a>, Reason> {
        let state = self.situation.state(match movers {
            Movers::Cops => Side::Cops,
            Movers::Robber(_) => Side::Robber,
        });
        let state = state.ok_or(Reason::NoTableForThis)?;
        if self.situation.has_hazards {
            return Err(Reason::Hazard);
        }
        let rules = Rules::of(&state, facts.graph.moves());
        let is_on_own_ground = self.situation.is_on_own_ground();
        let ground = if is_on_own_ground {
            TableGround::from(&facts.graph)
        } else {
            self.table_ground(facts).ok_or(Reason::OtherRules)?
        };
        Ok(TableGame {
            rules: rules.ok_or(Reason::NoTableForThis)?,
            ground,
            is_on_own_ground,
            state,
            ids: &self.situation.ids,
            is_whole: self.situation.ids.len() == pursuit.cops.len(),
        })
    }
}

/// The position of a pursuit before either side moves.
#[derive(Debug, Default)]
struct Standing {
    /// Whether there are rules that no table of mixed strategies knows.
    has_other_rules: bool,
    robber: Option<Agent>,
    cops: Vec<Agent>,
    /// See [`JointGame::may_choose`].
    may_choose: bool,
}

impl Standing {
    /// Assembles the position, if both sides of the pursuit choose simultaneously and a table can cover it: a table needs
    /// one free robber against cops of one speed, which all set out now from where they stand.
    ///
    /// An agent that the game has already sent on its way in this tick counts as standing where it was: the other
    /// agents do not know where it goes.
    fn assemble(
        &mut self,
        facts: &Facts,
        pursuit: &PursuitRecord,
        pursuit_positions: &PursuitPositions,
        movers: Movers,
    ) {
        self.has_other_rules = false;
        self.robber = None;
        self.cops.clear();
        if pursuit_positions.clock != PursuitClock::Simultaneous {
            return;
        }
        let robber = only_robber(facts, pursuit).and_then(|id| Some((id, facts.agent(id)?)));
        let Some((id, robber)) = robber else {
            return;
        };
        let is_plain = |cop: &CopPosition| cop.ground.is_plain() && cop.reach == 0;
        let are_plain = pursuit_positions.cops.iter().all(is_plain);
        let has_other_rules =
            facts.graph.has_exits() || !facts.hazards.is_empty() || facts.has_leashes(pursuit);
        if !are_plain || !facts.ground_of(robber).is_plain() || has_other_rules {
            self.has_other_rules = true;
            return;
        }
        if !is_joint_move(facts, pursuit) || !is_in_time(facts, pursuit, robber) {
            return;
        }
        let stands = |cell, speed| {
            Some(Agent {
                at: facts.graph.vertex(cell)?,
                speed,
            })
        };
        let cops = pursuit_positions.cops.iter();
        self.cops
            .extend(cops.map_while(|cop| stands(cop.cell, cop.speed)));
        if self.cops.len() < pursuit_positions.cops.len() {
            return;
        }
        self.may_choose = match movers {
            Movers::Cops => {
                let known = facts.known_robber(pursuit, pursuit_positions.sees_all, id, robber);
                known.is_some_and(|(_, seen)| seen)
                    && !facts.follows_paths(pursuit)
                    && pursuit_positions.cops.iter().all(|cop| cop.chooses)
                    && !facts.react_late(&pursuit.cops)
            }
            Movers::Robber(of) => {
                let sees = |cop: &CopPosition| {
                    let known = Facts::known_cop(pursuit, id, robber, cop.id, cop.cell);
                    known.is_some_and(|(_, seen)| seen)
                };
                of == id
                    && robber.chooses_in(pursuit.number)
                    && robber.setup.reaction == 0
                    && pursuit_positions.cops.iter().all(sees)
            }
        };
        self.robber = stands(robber.setup.cell, robber.setup.speed);
    }

    fn game<'a>(
        &'a self,
        facts: &Facts,
        pursuit_positions: &'a PursuitPositions,
    ) -> Result<JointGame<'a>, Reason> {
        if self.has_other_rules {
            return Err(Reason::OtherRules);
        }
        let state = State {
            robber: self.robber.ok_or(Reason::NoTableForThis)?,
            cops: &self.cops,
            to_move: Side::Cops,
        };
        let rules = Rules::of(&state, facts.graph.moves());
        Ok(JointGame {
            rules: rules.ok_or(Reason::NoTableForThis)?,
            state,
            cops: &pursuit_positions.cops,
            may_choose: self.may_choose,
        })
    }
}
