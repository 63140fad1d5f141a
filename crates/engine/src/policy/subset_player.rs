//! Plays more cops than a table covers, by the values of their subsets.

mod candidates;
mod guided;
mod leaders;
mod spending;
mod subsets;
mod team;

use super::table_player::OpenTable;
use super::{Decision, Source, TablePlayer};
use crate::game::{Agent, Outcome, Rules, Side, Speed, State, Turns, Value};
use crate::graph::{Graph, Vertex};
use crate::search::{SlicedSearch as _, TrailMax};
use crate::table::{Arena, CaptureTimes};
use candidates::{JointMove, ValuedSubset};
pub use guided::SubsetGuide;
use guided::{BestByGuide, Guided};
use leaders::{Leaders, Score};
use spending::{EXPANSIONS_OF_ONE_MOVE, Spending, cost_of_all_moves};
use team::{NO_PATH, SubsetTeam, TeamCop};

/// How the moves of the subsets become one joint move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Merge {
    /// By table values alone.
    #[default]
    Rules,
    /// A search compares the joint moves that look best by [`Merge::Rules`]: it finds how long a robber survives that
    /// runs along one path ([`TrailMax`]). The search sees all cops.
    Search,
}

/// Plays any number of cops by a table of fewer: agent subset adversarial search with table values for the
/// sub-searches.
///
/// After V. Lisý, B. Božanský, R. Vaculín and M. Pěchouček, *Agent Subset Adversarial Search for Complex
/// Non-cooperative Domains* (2010), section III. A sub-game has as many cops as the table, and the other cops are left
/// out of it. Further cops never harm, so the value of a sub-game is an upper bound on the value of the whole game.
///
/// - The subset with the least value makes an optimal move of its own sub-game, and one further cop moves with it. Of
///   these joint moves, the cops make the one after which their subsets have the least values, at the robber's best
///   reply and on average.
/// - Each remaining cop makes the move after which its subsets with these cops have the least values.
/// - Cops other than the nearest eight, and cops that are slower than in the table, go along a shortest path. Cops
///   without a path wait.
///
/// *The cops make progress* (without a [guide](SubsetGuide)). Let the least value of all subsets be v > 1. After an optimal move of a subset with this
/// value, the subset's value is at most v - 1, whatever the robber does, so the least value of all subsets is also at
/// most v - 1. With [`Merge::Search`], the cops also accept a move if after each reply some subset has a value of at
/// most v - 1. At v = 1, a cop captures. So the least value falls with each turn, no position occurs twice, and the
/// capture comes within v turns. This requires all subsets to be looked up, which happens if there are at most 8,192
/// subsets: up to 128 cops with a table of two. In larger teams, only the nearest cops form subsets, and the bound may
/// rise when others come nearer.
///
/// Without a guide, a decision depends on the position alone. It never depends on the order of the cops. In the paper,
/// cops outside a sub-search follow their plans of the previous turn; here, they have sub-games of their own.
///
/// Cost: a breadth-first search, a value for each subset, and some thousand more; with [`Merge::Search`]
/// also some [`TrailMax`].
#[derive(Debug, Clone, Default)]
pub struct SubsetPlayer {
    merge: Merge,
    player: TablePlayer,
    team: SubsetTeam,
    core: Leaders,
    search: TrailMax,
    /// The best joint moves of the core, the best first.
    candidates: Vec<JointMove>,
    agents: Vec<Agent>,
    places: Vec<usize>,
    subset: Vec<usize>,
    spending: Spending,
    best_by_guide: BestByGuide,
    /// The cops whose subsets are looked up in any case, by their numbers in the state.
    kept: Vec<usize>,
}

/// The most subsets whose values are compared.
const MOST_SUBSETS: usize = 1 << 13;
/// The most subsets of equal value whose moves are compared.
const MOST_EQUALS: usize = 3;
/// The most cops that move by table values, and not just along a shortest path.
const MOST_PLAYERS: usize = 8;
/// The most joint moves that a search compares,
const MOST_SEARCHES: usize = 64;
/// but not more than expand about this number of vertices,
const MOST_EXPANSIONS: usize = 1 << 14;
/// and at least this number.
const LEAST_SEARCHES: usize = 4;

impl SubsetPlayer {
    /// A player that merges in this way.
    #[must_use]
    pub fn new(merge: Merge) -> Self {
        Self {
            merge,
            ..Self::default()
        }
    }

    /// Limits the work of each decision from now on to about a number of expansions, of which a table value
    /// takes six.
    ///
    /// With less work, fewer joint moves are compared. The least useful limit is one expansion for each vertex of the map
    /// and 384 more: the best subset then makes an optimal move of its own, and the other cops go along shortest
    /// paths. The cops keep the bound in both cases,
    /// unless there are too many cops to look up all subsets.
    pub const fn limit_work(&mut self, expansions: u64) {
        self.spending = Spending::within(expansions);
    }

    /// Looks up the subsets of these cops in the next decision whatever the limit of the work is and however many cops
    /// there are: numbers of cops in the state. With the `keepers` of the last decision, the cops keep
    /// the bound of that decision.
    pub(crate) fn keep(&mut self, cops: impl IntoIterator<Item = usize>) {
        self.kept.clear();
        self.kept.extend(cops);
    }

    /// The cops whose subsets prove the bound of the last decision, by their numbers in the state. Empty after a capture.
    pub(crate) fn keepers(&self) -> impl Iterator<Item = usize> {
        let core = self.candidates.first().into_iter();
        let players = core.flat_map(|candidate| &candidate.players);
        players.filter_map(|&player| Some(self.team.players.get(player)?.index))
    }

    /// The least work of a decision in expansions, approximately.
    pub(crate) fn least_cost(graph: &Graph) -> u64 {
        graph.vertices() as u64 + EXPANSIONS_OF_ONE_MOVE
    }

    /// The work of the last decision, in expansions, of which a table value takes six.
    #[must_use]
    pub const fn expansions(&self) -> u64 {
        self.spending.spent()
    }

    /// Writes a joint move of the cops of `state`, which are to move, into `out`: a decision for each, in their
    /// order.
    ///
    /// The value is [`Value::AtMost`], or [`Value::Exact`] where the bound is known to be optimal. Cops that are faster
    /// than those of the table count as cops of the table's speed. Returns `false`, with `out` unchanged, if no subset
    /// of the cops can force a capture, if there are fewer cops than in the table, or if the table or the arena is not
    /// of this graph.
    pub fn cops(
        &mut self,
        times: &(impl CaptureTimes + ?Sized),
        arena: &Arena,
        graph: &Graph,
        state: &State<'_>,
        out: &mut Vec<Decision>,
    ) -> bool {
        self.guided_cops(times, arena, graph, state, None, out)
    }

    /// Writes a joint move as [`Self::cops`] does. If a guide is given and the cops [search](Merge::Search), they choose
    /// among the joint moves that are best by the guide.
    ///
    /// With a guide, the least value of all subsets does not fall with each turn. Instead, the value of the decision falls
    /// with each turn in which the guide is told what was announced: the cops announce somewhat more turns than the least
    /// value, and make no move after which no subset could achieve that number.
    ///
    /// Cost beyond [`Self::cops`]: with three cops of speed 1, about 1,500 values of the guide.
    pub fn guided_cops(
        &mut self,
        times: &(impl CaptureTimes + ?Sized),
        arena: &Arena,
        graph: &Graph,
        state: &State<'_>,
        guide: Option<SubsetGuide<'_>>,
        out: &mut Vec<Decision>,
    ) -> bool {
        let decisions = self.decide(times, arena, graph, state, guide);
        decisions.is_some_and(|decisions| {
            *out = decisions;
            true
        })
    }

    fn decide(
        &mut self,
        times: &(impl CaptureTimes + ?Sized),
        arena: &Arena,
        graph: &Graph,
        state: &State<'_>,
        guide: Option<SubsetGuide<'_>>,
    ) -> Option<Vec<Decision>> {
        let rules = times.rules();
        let size = usize::from(rules.cops.get());
        self.spending.begin();
        self.candidates.clear();
        if Rules::of(state, graph.moves()) == Some(rules) {
            let mut out = Vec::new();
            let is_known = self.player.cops(times, arena, graph, state, &mut out);
            self.spending.look_up(self.player.probes());
            let value = out.first()?.value;
            return (is_known && value != Some(Value::Exact(Outcome::Escapes))).then_some(out);
        }
        if !graph.is_live(state.robber.at) {
            return None;
        }
        self.team.assemble(graph, state, rules.cop_speed);
        self.spending.expand(graph.vertices() as u64);
        self.gather(&(0..size).collect::<Vec<_>>(), rules.cop_speed)?;
        let table = OpenTable::open(times, arena, graph.into(), &sub_game(state, &self.agents))?;
        if self.team.first()?.turns <= 1 {
            return Some(self.capture(graph, state));
        }
        let bounds = self.bounds(&table, state.robber.at, size)?;
        let value = bounds.first()?.value;
        let a_search = 2 * graph.vertices() as u64;
        let searches = self.merge == Merge::Search
            && self.spending.left() >= 2 * LEAST_SEARCHES as u64 * a_search;
        let is_exact = searches && self.is_exact(graph, state, value);
        let most = if !searches || is_exact {
            1
        } else {
            let many = MOST_EXPANSIONS / graph.vertices().max(1);
            many.clamp(LEAST_SEARCHES, MOST_SEARCHES)
        };
        let guided = guide.filter(|_| most > 1);
        let guided = guided.and_then(|guide| guide.of(graph, rules, value));
        let is_guided = self.gather_candidates(&table, state, &bounds, most, guided)?;
        if most > 1 {
            self.compare(graph, state);
        }
        let value = match guided {
            _ if is_exact => Value::Exact(value),
            Some(guided) if is_guided => Value::AtMost(Outcome::Caught(guided.within)),
            _ => Value::AtMost(value),
        };
        self.play(&table, state, value)
    }

    /// Lists the moves of the subsets with the given bounds, as long as the work is not used up. Returns whether a guide
    /// has chosen among them.
    fn gather_candidates<T: CaptureTimes + ?Sized>(
        &mut self,
        table: &OpenTable<'_, T>,
        state: &State<'_>,
        bounds: &[ValuedSubset],
        most: usize,
        guided: Option<Guided<'_>>,
    ) -> Option<bool> {
        let (times, arena, graph) = (table.times, table.arena, table.ground.robber);
        let rules = times.rules();
        self.candidates.clear();
        for bound in bounds {
            if let Some(guided) = guided
                && self.list_guided(table, state, bound, guided, most)?
            {
                return Some(true);
            }
            let is_affordable = self.spending.left() >= cost_of_all_moves(graph, rules);
            if !is_affordable && !self.candidates.is_empty() {
                break;
            }
            self.gather(&bound.players, rules.cop_speed)?;
            let sub_game = sub_game(state, &self.agents);
            if !is_affordable {
                let mut moves = Vec::new();
                let is_known = self.player.cops(times, arena, graph, &sub_game, &mut moves);
                self.spending.look_up(self.player.probes());
                is_known.then_some(())?;
                self.take(table, state.robber.at, bound, &moves)?;
                break;
            }
            let (_, moves) = self.player.all_cop_moves(times, arena, graph, &sub_game)?;
            self.spending.look_up(self.player.probes());
            self.list_candidates(table, state.robber.at, bound, moves, most)?;
        }
        Some(false)
    }

    /// Lists some players as cops of the table; `None` if there are too few players.
    fn gather(&mut self, players: &[usize], speed: Speed) -> Option<()> {
        self.agents.clear();
        for &player in players {
            let at = self.team.players.get(player)?.at;
            self.agents.push(Agent { at, speed });
        }
        Some(())
    }

    /// One cop captures, or has captured; the others come nearer.
    fn capture(&self, graph: &Graph, state: &State<'_>) -> Vec<Decision> {
        let turns = self.team.first().map_or(0, |first| first.turns);
        let mut out = vec![Decision::wait(Source::SubsetTable); state.cops.len()];
        if turns > 0 {
            self.chase(graph, self.team.players.iter(), &mut out);
            self.chase(graph, self.team.slower.iter(), &mut out);
        }
        let value = Value::Exact(Outcome::Caught(Turns(turns as u16)));
        for decision in &mut out {
            decision.value = Some(value);
        }
        out
    }

    fn chase<'a>(
        &self,
        graph: &Graph,
        members: impl Iterator<Item = &'a TeamCop>,
        out: &mut [Decision],
    ) {
        for member in members {
            let path = self.team.path(graph, member);
            if let Some(decision) = out.get_mut(member.index) {
                *decision = Decision::along(path, member.speed, Source::Search);
            }
        }
    }

    /// The subsets of the nearest players that capture soonest, those nearest to the robber first.
    fn bounds(
        &mut self,
        table: &OpenTable<'_, impl CaptureTimes + ?Sized>,
        robber: Vertex,
        size: usize,
    ) -> Option<Vec<ValuedSubset>> {
        let mut near = size;
        let all = self.team.players.len();
        let affordable = self.spending.left() / (4 * TablePlayer::EXPANSIONS_OF_A_PROBE);
        let most = usize::try_from(affordable).map_or(MOST_SUBSETS, |most| most.min(MOST_SUBSETS));
        while near < all && subsets::count(near + 1, size, most + 1) <= most {
            near += 1;
        }
        let robber = table.place_of_robber(robber)?;
        let mut bounds: Vec<ValuedSubset> = Vec::new();
        let mut subset = std::mem::take(&mut self.subset);
        subsets::first(size, &mut subset);
        loop {
            self.add_bound(table, robber, &subset, &mut bounds)?;
            if !subsets::advance(&mut subset, near) {
                break;
            }
        }
        // Cops that have announced a capture may not be among the nearest ones any more.
        let kept = self.kept_players();
        let are_near = kept.iter().all(|&player| player < near);
        if !are_near && kept.len() >= size {
            let mut places = Vec::new();
            subsets::first(size, &mut places);
            loop {
                subset.clear();
                subset.extend(places.iter().map(|&place| kept[place]));
                if subset.iter().any(|&player| player >= near) {
                    self.add_bound(table, robber, &subset, &mut bounds)?;
                }
                if !subsets::advance(&mut places, kept.len()) {
                    break;
                }
            }
        }
        self.subset = subset;
        bounds.sort_unstable();
        bounds.truncate(MOST_EQUALS);
        Some(bounds)
    }

    /// The players among the cops that are [kept](Self::keep), in ascending order.
    fn kept_players(&self) -> Vec<usize> {
        let players = self.team.players.iter().enumerate();
        let kept = players.filter(|(_, member)| self.kept.contains(&member.index));
        kept.map(|(player, _)| player).collect()
    }

    /// Adds a subset if no other one captures sooner.
    fn add_bound(
        &mut self,
        table: &OpenTable<'_, impl CaptureTimes + ?Sized>,
        robber: usize,
        subset: &[usize],
        bounds: &mut Vec<ValuedSubset>,
    ) -> Option<()> {
        let value = self.value(table, robber, subset.iter().copied())?;
        let least = bounds.first().map_or(Outcome::Escapes, |least| least.value);
        if value < least {
            bounds.clear();
        }
        if value <= least && value < Outcome::Escapes {
            let steps = subset
                .iter()
                .map(|&player| u64::from(self.team.players[player].steps));
            bounds.push(ValuedSubset {
                value,
                steps: steps.sum(),
                players: subset.to_vec(),
            });
        }
        Some(())
    }

    /// The value of the sub-game of some players, with the robber on a place.
    fn value(
        &mut self,
        table: &OpenTable<'_, impl CaptureTimes + ?Sized>,
        robber: usize,
        players: impl Iterator<Item = usize>,
    ) -> Option<Outcome> {
        self.places.clear();
        for player in players {
            self.places
                .push(table.place_of_cop(self.team.players.get(player)?.at)?);
        }
        self.spending.look_up(1);
        table.times.value_at(robber, &mut self.places)
    }

    /// The player whose sub-games with all but one member of a subset have the most worth for the cops. `None` if there
    /// is no other player.
    fn partner(
        &mut self,
        table: &OpenTable<'_, impl CaptureTimes + ?Sized>,
        robber: Vertex,
        subset: &[usize],
    ) -> Option<usize> {
        let robber = table.place_of_robber(robber)?;
        let mut best: Option<(u32, usize)> = None;
        let players = self
            .team
            .players
            .len()
            .min(MOST_PLAYERS.max(subset.len() + 1));
        let is_partner = |&player: &usize| {
            !subset.contains(&player) && self.team.players[player].turns < NO_PATH
        };
        for player in (0..players).filter(is_partner).collect::<Vec<_>>() {
            let mut cost = 0;
            for left_out in subset {
                let others = subset.iter().filter(|&other| other != left_out);
                let players = others.copied().chain([player]);
                cost += leaders::turns(self.value(table, robber, players)?);
            }
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, player));
            }
        }
        best.map(|(_, player)| player)
    }

    /// Makes one optimal move of a subset the only candidate.
    fn take(
        &mut self,
        table: &OpenTable<'_, impl CaptureTimes + ?Sized>,
        robber: Vertex,
        bound: &ValuedSubset,
        moves: &[Decision],
    ) -> Option<()> {
        let players = bound.players.clone();
        self.begin_core(table, robber, &players)?;
        let from = players
            .iter()
            .map(|&player| Some(self.team.players.get(player)?.at));
        let ends = from.zip(moves).map(|(from, decision)| {
            let end = decision.next_move().last().copied();
            end.or(from)
        });
        let ends = ends.collect::<Option<Vec<Vertex>>>()?;
        let numbers = ends.iter().enumerate();
        let joint = numbers.map(|(cop, &end)| self.core.move_to(cop, end));
        let joint = joint.collect::<Option<Vec<usize>>>()?;
        self.candidates.push(JointMove {
            score: Score::default(),
            players,
            joint,
            ends,
        });
        Some(())
    }

    fn begin_core(
        &mut self,
        table: &OpenTable<'_, impl CaptureTimes + ?Sized>,
        robber: Vertex,
        players: &[usize],
    ) -> Option<()> {
        let members = players
            .iter()
            .filter_map(|&player| self.team.players.get(player));
        let cops = members.map(|member| member.at);
        self.core.begin(table, robber, cops)
    }

    /// Returns whether a bound is known to be exact, because a robber that runs along one path survives for this number
    /// of turns. All candidates are then optimal.
    fn is_exact(&mut self, graph: &Graph, state: &State<'_>, value: Outcome) -> bool {
        self.gather_all();
        let outcome = self
            .search
            .solve(graph, &sub_game(state, &self.agents))
            .outcome;
        self.spending.expand(self.search.work().expansions);
        outcome == value
    }

    /// Lists the players and the slower cops as they are.
    fn gather_all(&mut self) {
        self.agents.clear();
        let members = self.team.players.iter().chain(&self.team.slower);
        self.agents.extend(members.map(|member| Agent {
            at: member.at,
            speed: member.speed,
        }));
    }

    /// Moves the candidate to the front after which a robber that runs along one path is caught soonest.
    fn compare(&mut self, graph: &Graph, state: &State<'_>) {
        self.gather_all();
        let mut best = None;
        for (number, candidate) in self.candidates.iter().enumerate() {
            for (&player, &end) in candidate.players.iter().zip(&candidate.ends) {
                self.agents[player].at = end;
            }
            let after = State {
                to_move: Side::Robber,
                ..sub_game(state, &self.agents)
            };
            let lasts = self.search.solve(graph, &after).outcome;
            self.spending.expand(self.search.work().expansions);
            if best.is_none_or(|(least, _)| lasts < least) {
                best = Some((lasts, number));
            }
            for &player in &candidate.players {
                self.agents[player].at = self.team.players[player].at;
            }
            if self.spending.left() < 2 * graph.vertices() as u64 {
                break;
            }
        }
        if let Some((_, number)) = best {
            self.candidates.swap(0, number);
        }
    }

    /// The decisions of all cops if the core makes the first candidate.
    fn play(
        &mut self,
        table: &OpenTable<'_, impl CaptureTimes + ?Sized>,
        state: &State<'_>,
        value: Value,
    ) -> Option<Vec<Decision>> {
        let JointMove { players, joint, .. } = self.candidates.first()?.clone();
        self.begin_core(table, state.robber.at, &players)?;
        let mut out = vec![Decision::wait(Source::Greedy); state.cops.len()];
        for (cop, (&player, &number)) in players.iter().zip(&joint).enumerate() {
            let member = self.team.players.get(player)?;
            let decision = out.get_mut(member.index)?;
            // Without a path to the robber it waits: its moves do not matter.
            if member.turns < NO_PATH {
                self.core.path_to(cop, number, &mut decision.path);
                decision.source = Source::SubsetTable;
            }
        }
        let others = usize::from(table.times.rules().cops.get()) - 1;
        let to_join = self.core.probes_to_join(others);
        let to_join = to_join.saturating_mul(TablePlayer::EXPANSIONS_OF_A_PROBE);
        let mut most = self.team.players.len().min(MOST_PLAYERS);
        for player in 0..most {
            if players.contains(&player) {
                continue;
            }
            if self.spending.left() < to_join {
                most = player;
                break;
            }
            let member = self.team.players[player];
            let decision = out.get_mut(member.index)?;
            self.core
                .join(table, &joint, member.at, &mut decision.path)?;
            self.spending.look_up(self.core.take_probes());
            decision.source = Source::SubsetTable;
        }
        for decision in &mut out {
            decision.steps = decision.path.len();
        }
        let rest = (most..).zip(self.team.players.iter().skip(most));
        let rest = rest.filter(|(player, _)| !players.contains(player));
        self.chase(
            table.ground.robber,
            rest.map(|(_, member)| member),
            &mut out,
        );
        self.chase(table.ground.robber, self.team.slower.iter(), &mut out);
        for decision in &mut out {
            decision.value = Some(value);
        }
        Some(out)
    }
}

/// The game of the robber with other cops.
const fn sub_game<'a>(state: &State<'_>, cops: &'a [Agent]) -> State<'a> {
    State {
        robber: state.robber,
        cops,
        to_move: Side::Cops,
    }
}
