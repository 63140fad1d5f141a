//! What a slice of work has led to.

/// What a slice of work has led to. All work that takes longer than a tick runs in slices: it is continued, slice by
/// slice, until it is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step<T = ()> {
    /// The work goes on with the next slice.
    Working,
    /// The work is done; this is its result.
    Done(T),
}

impl<T> Step<T> {
    /// Returns whether another slice is needed.
    pub const fn is_working(&self) -> bool {
        matches!(self, Self::Working)
    }

    /// The result; `None` while the work goes on.
    pub fn done(self) -> Option<T> {
        match self {
            Self::Working => None,
            Self::Done(result) => Some(result),
        }
    }

    /// Changes the result.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Step<U> {
        match self {
            Self::Working => Step::Working,
            Self::Done(result) => Step::Done(change(result)),
        }
    }
}
