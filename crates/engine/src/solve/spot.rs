//! States of a game, encoded as small numbers.

/// The greatest number of cops.
pub(crate) const MAX_COPS: usize = 3;

/// The greatest number of places for one, two and three cops, so that a state fits into [`KEY_BITS`] bits.
pub(crate) const MAX_PLACES: [usize; MAX_COPS] = [1 << 16, 1 << 16, 1 << 12];

/// The number of bits of a [`Spot::key`]. A search may use the other bits for its own data.
pub const KEY_BITS: u32 = 48;

/// The positions of all agents, as places of a [`ReachableGraph`](super::ReachableGraph). Cops are
/// interchangeable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Spot {
    /// The place of the robber.
    pub robber: u16,
    /// The places of the cops. The entries beyond the last cop repeat its place.
    pub cops: [u16; 3],
}

impl Spot {
    /// The state of a robber and at least one cop.
    #[must_use]
    pub fn new(robber: u16, cops: &[u16]) -> Self {
        let last = cops.last().copied().unwrap_or_default();
        let mut all = [last; 3];
        for (place, &cop) in all.iter_mut().zip(cops) {
            *place = cop;
        }
        Self { robber, cops: all }
    }

    /// The same state with the robber on another place.
    #[must_use]
    pub const fn with_robber(self, robber: u16) -> Self {
        Self { robber, ..self }
    }

    /// Returns whether a cop stands on the robber.
    #[must_use]
    pub fn is_capture(self) -> bool {
        self.cops.contains(&self.robber)
    }

    /// The number of the state for this number of cops. States that differ only in the order of the cops have
    /// the same number.
    pub fn key(self, cops: usize) -> u64 {
        let robber = u64::from(self.robber);
        let [a, b, c] = self.cops.map(u64::from);
        match cops {
            1 => robber << 16 | a,
            2 => robber << 32 | a.max(b) << 16 | a.min(b),
            _ => {
                let (least, most) = (a.min(b).min(c), a.max(b).max(c));
                let middle = a + b + c - least - most;
                robber << 36 | most << 24 | middle << 12 | least
            }
        }
    }

    /// The state with this number. Its cops are in descending order of their places.
    #[must_use]
    pub fn of_key(key: u64, cops: usize) -> Self {
        match cops {
            1 => Self::new((key >> 16) as u16, &[key as u16]),
            2 => Self::new((key >> 32) as u16, &[(key >> 16) as u16, key as u16]),
            _ => {
                let [most, middle, least] = [24, 12, 0].map(|shift| (key >> shift) as u16 & 0xfff);
                Self::new((key >> 36) as u16 & 0xfff, &[most, middle, least])
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_gives_the_state_back_and_knows_no_order_of_cops() {
        let spot = Spot::new(4000, &[7, 4095, 0]);
        let key = spot.key(3);
        assert!(key >> KEY_BITS == 0);
        assert_eq!(Spot::of_key(key, 3), Spot::new(4000, &[4095, 7, 0]));
        assert_eq!(Spot::new(4000, &[0, 7, 4095]).key(3), key);
        let spot = Spot::new(65_535, &[3, 65_535]);
        assert_eq!(spot.key(2), Spot::new(65_535, &[65_535, 3]).key(2));
        assert_eq!(
            Spot::of_key(spot.key(2), 2),
            Spot::new(65_535, &[65_535, 3])
        );
        assert!(spot.key(2) >> KEY_BITS == 0);
        let spot = Spot::new(9, &[65_535]);
        assert_eq!(Spot::of_key(spot.key(1), 1), spot);
    }
}
