//! Rules of the project that no compiler checks: see `tests/house`.
