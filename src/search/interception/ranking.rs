//! The order in which cops are planned for: by distance.

use super::pathfinder::Length;
use super::{Doing, Interception, LEADERS, Maps, Member, PlanStage};
use crate::game::Agent;

impl Interception {
    /// Measures the distance of a member from the robber.
    pub(super) fn measure(
        &mut self,
        maps: Maps<'_>,
        robber: Agent,
        (index, doing): (usize, Doing),
        budget: u64,
    ) -> PlanStage {
        let next = PlanStage::Measure {
            member: index + 1,
            doing: Doing::Begin,
        };
        // A single cop, and cops that all chase, need no order.
        let is_team = self.cuts_off && self.team.len() > 1;
        let Some(member) = self.team.get_mut(index) else {
            self.sort(maps, robber);
            return PlanStage::Plan { rank: 0 };
        };
        if !member.reaches {
            return next;
        }
        if doing == Doing::Estimate {
            let Some(steps) = self.pathfinder.estimate(maps, budget) else {
                return self.stage;
            };
            member.steps = member.steps.max(steps);
            return next;
        }
        if let Some(steps) = self.crowd.steps(member.cop.at) {
            member.length = Some(Length::Steps(steps));
            member.steps = steps;
            return next;
        }
        if let Some(steps) = member.group.and_then(|group| self.crowd.far_steps(group)) {
            member.steps = steps;
            return next;
        }
        if doing == Doing::Begin {
            self.pathfinder.begin(maps, (member.cop.at, robber.at));
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
            Length::AtLeast(steps) => {
                member.steps = steps;
                if is_team {
                    self.pathfinder.begin_estimate(maps);
                    return PlanStage::Measure {
                        member: index,
                        doing: Doing::Estimate,
                    };
                }
            }
            Length::Endless => member.reaches = false,
        }
        next
    }

    /// Sorts the cops by arrival at the robber, so that plans do not depend on their order in the state.
    fn sort(&mut self, maps: Maps<'_>, robber: Agent) {
        self.order.extend(0..self.team.len());
        let (graph, team) = (maps.graph, &self.team);
        let key = |&index: &usize| {
            let Member {
                cop,
                reaches,
                steps,
                ..
            } = team[index];
            let turns = steps.div_ceil(cop.speed.steps().into());
            let crow = graph.cell(cop.at).squared_distance(graph.cell(robber.at));
            (!reaches, turns, crow, cop.at, cop.speed, index)
        };
        if self.crowd.is_follower(LEADERS) && self.order.len() > LEADERS {
            // The order of the followers does not matter, except that cops without a path are last.
            let (leaders, _, _) = self.order.select_nth_unstable_by_key(LEADERS, key);
            leaders.sort_unstable_by_key(key);
            self.order[LEADERS..].sort_unstable_by_key(|&index| !team[index].reaches);
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
            let apart = (member.cop.at, robber.at);
            self.footprint.insert_parting(graph, hierarchy, apart);
        }
    }
}
