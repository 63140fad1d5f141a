//! The ladder: the sources of a decision, best first.
//!
//! Each source is a [`Rung`] with a file of its own, which has everything that belongs to it: what it remembers, how it
//! finds moves, what it works on ahead, and how it follows the map. [`Rungs`] lists them, and is the only order.
//!
//! A side is asked for as a whole first ([`Ladder::find`]): a rung [finds](Rung::find) moves, a proof or a reason as long
//! as no better rung has decided. Then each agent that moves takes the first move that was found for it, or that a rung
//! finds for it alone ([`Rung::answer`]). The reason shown to the game is the one given by the rung before it.

mod capture;
mod covered_move;
mod endgame;
pub(super) mod finding;
mod greedy;
mod guide;
mod look_around;
pub(super) mod means;
pub(super) mod mistake;
mod mixed_table;
mod own_tactics;
pub(super) mod rung;
pub(super) mod saved_endgames;
pub(super) mod scene;
mod search;
mod stale;
mod subset_table;
mod table;
mod whole_table;

use super::claims::Claims;
use super::state::Reason;
use super::view::View;
use crate::policy::Source;
use finding::{Finding, Findings, MOST_RUNGS};
use means::Means;
use mistake::{Erring, or_mistake};
use rung::Rung;
use scene::{Answer, Scene, Tools};

/// Declares the rungs, the best first. The last one always answers.
macro_rules! rungs {
    ($($name:ident: $rung:ident,)+) => {
        /// The rungs.
        #[derive(Debug, Default)]
        pub(super) struct Rungs {
            $(pub(super) $name: $name::$rung,)+
        }

        /// The number of rungs.
        const RUNGS: usize = [$(stringify!($name)),+].len();
        const _: () = assert!(RUNGS <= MOST_RUNGS);

        impl Rungs {
            pub(super) fn list(&self) -> [&dyn Rung; RUNGS] {
                [$(&self.$name),+]
            }

            pub(super) fn list_mut(&mut self) -> [&mut dyn Rung; RUNGS] {
                [$(&mut self.$name),+]
            }
        }
    };
}

rungs! {
    own_tactics: OwnTacticsRung,
    mixed_table: MixedTableRung,
    covered_move: CoveredMoveRung,
    table: TableRung,
    subset_table: SubsetTableRung,
    endgame: EndgameRung,
    guide: GuideRung,
    search: SearchRung,
    stale: StaleRung,
    look_around: LookAroundRung,
    greedy: GreedyRung,
}

/// The rungs, and the memory in which they are asked.
#[derive(Debug, Default)]
pub(super) struct Ladder {
    pub(super) rungs: Rungs,
    claims: Claims,
}

impl Ladder {
    /// Asks the rungs for the moves of a side, the best first, until one decides.
    pub(super) fn find(&mut self, view: View<'_>, means: &mut Means<'_, '_>) -> Findings {
        let mut found = Findings::none();
        for (place, rung) in self.rungs.list_mut().into_iter().enumerate() {
            let (better, rest) = found.0.split_at_mut(place);
            rest[0] = rung.find(&view.for_rung(better), means);
            if matches!(rest[0], Finding::Decides(..)) {
                break;
            }
        }
        found
    }

    /// Weighs what was found for the cops of a pursuit, if nobody has decided for them, against the plans that they have
    /// made since, and asks for a proof for these plans.
    pub(super) fn compare_with_plans(
        &mut self,
        view: &View<'_>,
        found: &mut Findings,
        means: &mut Means<'_, '_>,
    ) {
        if !self.claims.compare_with_plans(view, found, means) {
            return;
        }
        for (place, rung) in self.rungs.list_mut().into_iter().enumerate() {
            let finding = rung.find_for_plans(view, means);
            if matches!(finding, Finding::Proves(_)) {
                found.drop_local_proof();
                found.0[place] = finding;
            }
        }
    }

    /// Asks one rung after another for an agent's move, and lets it err. The path is in `tools` afterwards.
    pub(super) fn choose(&self, scene: &Scene<'_>, erring: Erring, tools: &mut Tools) -> Answer {
        let answer = self.first_answer(scene, tools);
        // A guide may know several steps, of which the agent takes fewer on the free-running clock.
        tools.way.truncate(scene.speed.steps().into());
        or_mistake(answer, erring, scene, tools)
    }

    /// The first move that a rung has found for an agent, or finds for it alone.
    fn first_answer(&self, scene: &Scene<'_>, tools: &mut Tools) -> Answer {
        let mut why = Reason::None;
        for (rung, finding) in self.rungs.list().into_iter().zip(&scene.found.0) {
            tools.way.clear();
            let answer = if let Some((way, value)) = finding.move_of(scene.id) {
                tools.way.extend_from_slice(way);
                Ok(Answer {
                    value,
                    ..Answer::by(rung.source())
                })
            } else {
                rung.answer(scene, tools)
            };
            match answer {
                Ok(answer) => {
                    return Answer {
                        value: answer.value.or_else(|| scene.kept_value(tools)),
                        why: answer.why.or(Some(why)),
                        ..answer
                    };
                }
                Err(reason) => why = reason.or_else(|| finding.reason()).unwrap_or(why),
            }
        }
        // Not reached, since the last rung always answers. Waiting is always legal.
        tools.way.clear();
        Answer {
            why: Some(why),
            ..Answer::by(Source::Greedy)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A source of several rungs has the place of the last one. A mistake takes the place of a move that was found.
    #[test]
    fn sources_have_the_order_of_the_rungs() {
        let sources = Rungs::default().list().map(Rung::source);
        let is_last = |&(place, source): &(usize, &Source)| !sources[place + 1..].contains(source);
        let order = sources.iter().enumerate().filter(is_last);
        let order = order.map(|(_, &source)| source).chain([Source::Mistake]);
        assert_eq!(order.collect::<Vec<_>>(), Source::ALL);
    }
}
