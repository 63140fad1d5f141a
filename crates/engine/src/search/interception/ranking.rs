//! The order in which cops are planned for: by distance.

use super::pathfinder::Length;
use super::{Doing, Interception, LEADERS, Maps, MeasuredCop, PlanStage};
use crate::game::Agent;

impl Interception {
    /// Measures the distance of a member from the robber.
    pub(super) fn measure(
        &mut self,
        maps: Maps<'_>,
        robber: Agent,
        index: usize,
        doing: Doing,
        budget: u64,
    ) -> PlanStage {
        let index = self.first_unknown(index);
        let next = PlanStage::Measure {
            member: index + 1,
            doing: Doing::Begin,
        };
        let Some(member) = self.team.get_mut(index) else {
            if let Some(stage) = self.begin_far_of_team(maps, robber.at) {
                return stage;
            }
            self.sort(maps, robber);
            return PlanStage::Plan { rank: 0 };
        };
        if doing == Doing::Begin {
            self.pathfinder
                .begin_to_robber(maps, member.cop.at, robber.at);
        }
        let Some(length) = self.pathfinder.measure(maps, budget) else {
            return PlanStage::Measure {
                member: index,
                doing: Doing::Measure,
            };
        };
        member.length = Some(length);
        match length {
            Length::Steps(steps) => {
                member.steps = steps;
                self.paths[index].extend_from_slice(self.pathfinder.path());
            }
            Length::AtLeast(steps) => member.steps = steps,
            Length::Endless => member.reaches = false,
        }
        next
    }

    /// The first member from an index on that has a path to the robber of a length that is not yet known.
    fn first_unknown(&self, index: usize) -> usize {
        let is_unknown = |member: &MeasuredCop| {
            member.reaches && member.length.is_none() && member.group.is_none()
        };
        let rest = &self.team[index.min(self.team.len())..];
        index + rest.iter().position(is_unknown).unwrap_or(rest.len())
    }

    /// Sorts the cops by arrival at the robber, so that plans do not depend on their order in the state.
    fn sort(&mut self, maps: Maps<'_>, robber: Agent) {
        if self.order.is_empty() {
            self.order.extend(0..self.team.len());
        }
        let (graph, team) = (maps.graph, &self.team);
        let turns = |member: &MeasuredCop| member.steps.div_ceil(member.cop.speed.steps().into());
        let key = |&index: &usize| {
            let MeasuredCop { cop, reaches, .. } = team[index];
            let turns = turns(&team[index]);
            let crow = graph.cell(cop.at).squared_distance(graph.cell(robber.at));
            (!reaches, turns, crow, cop.at, cop.speed, index)
        };
        if self.crowd.is_follower(LEADERS) && self.order.len() > LEADERS {
            // The order of the followers does not matter, except that cops without a path are last.
            self.order
                .sort_unstable_by_key(|&index| !team[index].reaches);
            let (leaders, followers) = self.order.split_at_mut(LEADERS);
            leaders.sort_unstable_by_key(key);
            for follower in followers {
                let last = &mut leaders[LEADERS - 1];
                let MeasuredCop { cop, steps, .. } = team[*follower];
                // Most cops are too far away by any measure.
                let reach = turns(&team[*last]).saturating_mul(cop.speed.steps().into());
                if steps <= reach && key(follower) < key(last) {
                    std::mem::swap(follower, last);
                    leaders.sort_unstable_by_key(key);
                }
            }
        } else {
            self.order.sort_unstable_by_key(key);
        }
        if self.keeps_footprint {
            self.see_walls(maps, robber);
        }
    }

    /// Adds the walls that separate cops from the robber to the footprint.
    fn see_walls(&mut self, maps: Maps<'_>, robber: Agent) {
        let Maps { graph, hierarchy } = maps;
        let Some(hierarchy) = hierarchy else {
            return; // searches on the map have seen the walls
        };
        for member in self.team.iter().filter(|member| !member.reaches) {
            self.footprint
                .insert_parting(graph, hierarchy, member.cop.at, robber.at);
        }
    }
}
