//! Which path is requested, and how much of the planned path is refined for it.

use crate::graph::Vertex;

/// The requested result.
#[derive(Debug, Clone, Copy)]
pub(super) enum RefineTask {
    /// A path to a vertex of the map.
    Path(Vertex),
    /// The first steps of a path to a vertex.
    Beginning { goal: Vertex, steps: usize },
    /// An estimate of the length of a path to a vertex.
    Length(Vertex),
    /// The first steps along a path of a level, to any child of its last vertex. Where it is brief, the path is cut off
    /// earlier on the levels between.
    Along { steps: usize, is_brief: bool },
}

impl RefineTask {
    pub(super) const fn is_brief(self) -> bool {
        matches!(self, Self::Along { is_brief: true, .. })
    }

    /// The number of steps that suffice; `None` for the whole path.
    const fn steps(self) -> Option<usize> {
        match self {
            Self::Beginning { steps, .. } | Self::Along { steps, .. } => Some(steps),
            Self::Path(_) | Self::Length(_) => None,
        }
    }
}

/// An attempt to refine a path down from the level that it was planned on.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Attempt {
    extent: PathShare,
    /// The number of vertices after which a path is cut off.
    vertices: usize,
    pub(super) is_cut: bool,
    /// The position that a path would have gone to if it had not been cut off.
    pub(super) toward: Option<[f32; 2]>,
}

/// How much of the planned path an attempt refines: more in each further attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum PathShare {
    /// Half as many vertices as steps are needed. A step on a level is about two steps on the level below and at least one,
    /// except that the first and the last may be none. So this nearly always suffices.
    #[default]
    Half,
    /// As many vertices as steps are needed.
    Same,
    Whole,
}

impl Attempt {
    pub(super) const fn new(task: RefineTask, extent: PathShare) -> Self {
        let vertices = match (task.steps(), extent) {
            (None, _) | (_, PathShare::Whole) => usize::MAX,
            (Some(steps), PathShare::Same) => steps,
            (Some(steps), PathShare::Half) => steps / 2,
        };
        Self {
            extent,
            vertices: vertices.saturating_add(2),
            is_cut: false,
            toward: None,
        }
    }

    /// The number of vertices of a level that are refined to the level below.
    pub(super) fn most(&self, task: RefineTask, level: usize) -> usize {
        let may_halve = task.is_brief() || matches!(task, RefineTask::Beginning { .. });
        if may_halve && level > 1 && self.extent == PathShare::Half {
            // Half as many vertices give as many on the level below, where the path is cut off again.
            self.vertices / 2 + 1
        } else {
            self.vertices
        }
    }

    /// The share of the next attempt if a path of this number of steps on the map is too short.
    pub(super) fn next(&self, task: RefineTask, steps: usize) -> Option<PathShare> {
        let is_short = self.is_cut && task.steps().is_some_and(|needed| steps < needed);
        match self.extent {
            PathShare::Half if is_short => Some(PathShare::Same),
            PathShare::Same if is_short => Some(PathShare::Whole),
            _ => None,
        }
    }
}
