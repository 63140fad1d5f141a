//! Who may go where among agents that take room: priority inheritance with backtracking.
//!
//! PIBT (K. Okumura, M. Machida, X. Défago and Y. Tamura, *Priority Inheritance with Backtracking for Iterative Multi-agent
//! Path Finding*, IJCAI 2019, Artificial Intelligence 2022), for moves of different lengths that begin and end at
//! different times: whoever wants to go where another one stands asks that one to make way first, and takes its next best
//! move if it cannot.

/// The number of a place.
pub(crate) type PlaceNumber = u32;

/// A time, in units that the caller chooses.
pub(crate) type Moment = i64;

/// The least and the greatest time.
const EVER: Moment = Moment::MIN;
const NEVER: Moment = Moment::MAX;

/// No place, no entry, no move.
const NONE: u32 = u32::MAX;

/// The longest chain of agents that make way one for the next, which bounds the depth of the recursion.
const LONGEST_CHAIN: usize = 200;

/// The moves that are tried for each agent that chooses, on average, before nobody is asked to make way any more.
const TRIES: usize = 24;

/// A place that an agent comes to, and when. A large agent covers a square of places, of which this is the first one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stop {
    pub(crate) place: PlaceNumber,
    pub(crate) from: Moment,
}

/// Agents of the same group do not keep apart if one of them hunts the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Party {
    pub(crate) group: (u32, bool),
    /// A bit for what it is.
    pub(crate) own: u32,
    /// A bit for each of those that it hunts.
    pub(crate) hunts: u32,
}

/// The moves that agents prefer.
pub(crate) trait MovePreferences {
    /// The number of an agent's moves. It may grow between two calls.
    fn count(&mut self, who: usize, room: &RightOfWay) -> usize;

    /// Appends the places of a move after the present one; nothing for a move that is to stay. Better moves come first.
    fn write(&mut self, who: usize, choice: usize, stops: &mut Vec<Stop>);

    /// Returns whether an agent may make a move that there is room for.
    fn allows(&mut self, who: usize, choice: usize) -> bool;
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BodyStatus {
    /// It does what it does.
    Fixed,
    /// It stands, and may be asked to make way.
    Open,
    /// It has a move.
    Decided,
}

#[derive(Debug, Clone, Copy)]
struct RoomBody {
    party: Party,
    /// Where it is now.
    place: PlaceNumber,
    /// The places along a side of the square that it covers.
    side: u8,
    status: BodyStatus,
    /// Since when it waits. It makes way for those that wait longer.
    waits_since: u64,
    /// It could not make way when it was asked to be gone at this time.
    failed_by: Moment,
    /// The first entry for standing where it is, of a body that stands.
    home: u32,
    /// The first of the entries for its move, and the number of its stops: each has an entry for each place that the body
    /// covers.
    first: u32,
    stops: u32,
    /// Its move, or [`NONE`].
    choice: u32,
}

/// A body on a place for a time.
#[derive(Debug, Clone, Copy)]
struct Visit {
    who: u32,
    place: PlaceNumber,
    from: Moment,
    until: Moment,
    /// The place that this part of it comes from.
    before: PlaceNumber,
    /// The next entry for the place.
    next: u32,
}

/// The room that agents take, now and with the moves that they make. Memory is reused.
#[derive(Debug, Default)]
pub(crate) struct RightOfWay {
    /// The number of places in a row.
    width: u32,
    /// The first entry of each place.
    heads: Vec<u32>,
    visits: Vec<Visit>,
    bodies: Vec<RoomBody>,
    /// The bodies that have got a move, in order.
    decided: Vec<u32>,
    /// Reused memory: the stops of moves that are being tried, and those who are to make way for them.
    stops: Vec<Stop>,
    asked: Vec<u32>,
    stuck: Vec<u32>,
    /// The rank of the body whose move is being decided: since when it waits, and its number.
    rank: (u64, usize),
    /// The moves that may still be tried with others making way.
    left: usize,
}

impl RightOfWay {
    /// Forgets everybody. The places are the cells of a map, row by row.
    pub(crate) fn clear(&mut self, width: u16, height: u16) {
        for visit in &self.visits {
            if let Some(head) = self.heads.get_mut(visit.place as usize) {
                *head = NONE;
            }
        }
        self.width = width.into();
        self.heads
            .resize(usize::from(width) * usize::from(height), NONE);
        self.visits.clear();
        self.bodies.clear();
        self.decided.clear();
    }

    /// Adds a body that is on the first of some stops, and goes on to the others, and since when it waits. `side`: the places
    /// along a side of the square that it covers. Returns its number. It does not make way.
    pub(crate) fn add(
        &mut self,
        party: Party,
        side: u8,
        stops: &[Stop],
        waits_since: u64,
    ) -> usize {
        let who = self.bodies.len();
        let first = self.visits.len() as u32;
        self.bodies.push(RoomBody {
            party,
            place: stops.first().map_or(NONE, |stop| stop.place),
            side,
            status: BodyStatus::Fixed,
            waits_since,
            failed_by: EVER,
            home: first,
            first,
            stops: stops.len() as u32,
            choice: NONE,
        });
        self.lay(who, stops);
        who
    }

    /// From now on, a body that stands may be asked to make way.
    pub(crate) fn open(&mut self, who: usize) {
        let body = &mut self.bodies[who];
        if body.stops == 1 && body.status == BodyStatus::Fixed {
            body.status = BodyStatus::Open;
        }
    }

    /// Returns whether nobody is on a place, nor goes there.
    pub(crate) fn is_free(&self, place: PlaceNumber) -> bool {
        self.heads
            .get(place as usize)
            .is_none_or(|&head| head == NONE)
    }

    /// The move of a body; `None` if it stays as it is.
    pub(crate) fn choice(&self, who: usize) -> Option<usize> {
        let choice = self.bodies[who].choice;
        (choice != NONE).then_some(choice as usize)
    }

    /// The bodies that have got a move since the last call of [`settle`](Self::settle) began.
    pub(crate) fn decided(&self) -> &[u32] {
        &self.decided
    }

    /// Decides for some bodies that are open, those that wait longest first: each takes the first of its moves for which there
    /// is room, or for which all that are in its way can make way.
    ///
    /// Cost: some tens of nanoseconds for each move that is tried, on average of some moves for each body.
    pub(crate) fn settle(&mut self, order: &[usize], preferences: &mut impl MovePreferences) {
        self.reopen();
        self.left = TRIES * (order.len() + 1);
        for &who in order {
            if !self.bodies[who].is_open() {
                continue;
            }
            self.rank = (self.bodies[who].waits_since, who);
            if !self.decide(who, 0, None, preferences) {
                // Somebody was placed where it stands: it stays until there is room.
                self.bodies[who].status = BodyStatus::Decided;
                self.decided.push(who as u32);
            }
            if self.bodies[who].stops == 1 {
                self.ask_slower(who, preferences);
            }
        }
        for who in self.stuck.drain(..) {
            self.bodies[who as usize].failed_by = EVER;
        }
    }

    /// Those who stay may be asked to make way again, by others that choose later.
    fn reopen(&mut self) {
        for who in self.decided.drain(..) {
            let body = &mut self.bodies[who as usize];
            if body.stops == 1 {
                (body.home, body.status, body.choice) = (body.first, BodyStatus::Open, NONE);
            }
        }
    }

    /// A body that waits asks those who are in the way of its best move, and need longer for a step than it does, to set out
    /// now, so that it can follow later.
    fn ask_slower(&mut self, who: usize, preferences: &mut impl MovePreferences) {
        if preferences.count(who, self) == 0 {
            return;
        }
        let (stops, asked) = (self.stops.len(), self.asked.len());
        preferences.write(who, 0, &mut self.stops);
        let next = self.stops.get(stops).copied();
        self.stops.truncate(stops);
        let Some(next) = next else {
            return;
        };
        for place in covered(next.place, self.bodies[who].side, self.width) {
            let mut at = self.heads.get(place as usize).copied().unwrap_or(NONE);
            while at != NONE {
                let visit = self.visits[at as usize];
                at = visit.next;
                let other = &self.bodies[visit.who as usize];
                let is_lower = (other.waits_since, visit.who as usize) > self.rank;
                if is_lower && other.is_open() && !self.bodies[who].ignores(other) {
                    self.asked.push(visit.who);
                }
            }
        }
        for index in asked..self.asked.len() {
            let other = self.asked[index] as usize;
            if self.bodies[other].is_open() {
                self.decide(other, 1, Some(next.from), preferences);
            }
        }
        self.asked.truncate(asked);
    }

    /// Returns whether a move of a body gets room, and commits to the best one. `later`: only if that is a step that ends
    /// later than this.
    fn decide(
        &mut self,
        who: usize,
        depth: usize,
        later: Option<Moment>,
        preferences: &mut impl MovePreferences,
    ) -> bool {
        let mut choice = 0;
        while choice < preferences.count(who, self) {
            let (stops, asked) = (self.stops.len(), self.asked.len());
            let place = self.bodies[who].place;
            self.stops.push(Stop { place, from: EVER });
            preferences.write(who, choice, &mut self.stops);
            let is_step = self.stops.len() > stops + 1;
            let is_asked_for = later.is_none_or(|later| {
                let first = self.stops.get(stops + 1);
                first.is_some_and(|step| step.from > later)
            });
            if !is_asked_for {
                self.stops.truncate(stops);
                if is_step {
                    return false;
                }
                choice += 1;
                continue;
            }
            let is_possible = self.has_room(who, stops)
                && (self.asked.len() == asked || self.may_ask(depth))
                && (!is_step || preferences.allows(who, choice));
            let is_made =
                is_possible && self.try_move(who, choice, stops, asked, depth, preferences);
            self.stops.truncate(stops);
            self.asked.truncate(asked);
            if is_made {
                return true;
            }
            choice += 1;
        }
        false
    }

    fn may_ask(&mut self, depth: usize) -> bool {
        self.left = self.left.saturating_sub(1);
        self.left > 0 && depth < LONGEST_CHAIN
    }

    /// Commits to a move if all that are in its way can make way.
    fn try_move(
        &mut self,
        who: usize,
        choice: usize,
        first_stop: usize,
        first_asked: usize,
        depth: usize,
        preferences: &mut impl MovePreferences,
    ) -> bool {
        let decided = self.decided.len();
        self.commit(who, choice, first_stop);
        for index in first_asked..self.asked.len() {
            let other = self.asked[index] as usize;
            // Another one may have asked it meanwhile: it has chosen with this move in view.
            if self.bodies[other].is_open() && !self.decide(other, depth + 1, None, preferences) {
                let comes = self.comes_to(who, other);
                self.take_back(decided);
                let failed_by = &mut self.bodies[other].failed_by;
                *failed_by = comes.max(*failed_by);
                self.stuck.push(other as u32);
                return false;
            }
        }
        true
    }

    /// When a body first comes with its move to where another one is.
    fn comes_to(&self, who: usize, other: usize) -> Moment {
        let other = self.bodies[other];
        let is_there = |visit: &Visit| {
            covered(other.place, other.side, self.width).any(|at| at == visit.place)
        };
        let mut there = self.visits_of(who).iter().filter(|visit| is_there(visit));
        there.next().map_or(EVER, |visit| visit.from)
    }

    fn visits_of(&self, who: usize) -> &[Visit] {
        let body = &self.bodies[who];
        &self.visits[body.first as usize..(body.first + body.entries()) as usize]
    }

    /// Returns whether the move with the last stops gets room, if those that it adds to `asked` make way.
    fn has_room(&mut self, who: usize, first_stop: usize) -> bool {
        let Self {
            heads,
            visits,
            bodies,
            stops,
            asked,
            rank,
            width,
            ..
        } = self;
        let (stops, first_asked) = (&stops[first_stop..], asked.len());
        let body = bodies[who];
        for (index, stop) in stops.iter().enumerate() {
            let next = stops.get(index + 1);
            let until = next.map_or(NEVER, |next| next.from);
            let places = covered(stop.place, body.side, *width);
            let entries = places.flat_map(|place| {
                let head = heads.get(place as usize).copied().unwrap_or(NONE);
                let first = (head != NONE).then_some((place, head));
                std::iter::successors(first, |&(place, at)| {
                    let next = visits[at as usize].next;
                    (next != NONE).then_some((place, next))
                })
            });
            for (place, at) in entries {
                let visit = visits[at as usize];
                let other = &bodies[visit.who as usize];
                if visit.who as usize == who || body.ignores(other) {
                    continue;
                }
                if visit.from >= until || stop.from >= visit.until {
                    // The same part of the body, one step later.
                    let part = |next: &Stop| next.place.wrapping_add(place - stop.place);
                    let exchange =
                        visit.from == until && next.is_some_and(|next| part(next) == visit.before);
                    if exchange {
                        return false;
                    }
                    continue;
                }
                // Those whom the game has placed together may stay together, and part.
                let are_together = index == 0 && visit.from == EVER;
                if are_together {
                    continue;
                }
                let of_other = (other.waits_since, visit.who as usize);
                let is_open = other.is_open() && stop.from > other.failed_by;
                if !is_open || of_other < *rank {
                    return false;
                }
                if !asked[first_asked..].contains(&visit.who) {
                    asked.push(visit.who);
                }
            }
        }
        true
    }

    /// Gives a body its move: the last stops.
    fn commit(&mut self, who: usize, choice: usize, first_stop: usize) {
        let RoomBody { home, side, .. } = self.bodies[who];
        for visit in home..home + area(side) {
            self.unlink(visit);
        }
        let stops = std::mem::take(&mut self.stops);
        let body = &mut self.bodies[who];
        body.first = self.visits.len() as u32;
        body.stops = (stops.len() - first_stop) as u32;
        (body.status, body.choice) = (BodyStatus::Decided, choice as u32);
        self.lay(who, &stops[first_stop..]);
        self.stops = stops;
        self.decided.push(who as u32);
    }

    /// Takes back all moves but the first `kept` ones.
    fn take_back(&mut self, kept: usize) {
        while self.decided.len() > kept {
            let Some(who) = self.decided.pop() else {
                break;
            };
            let body = self.bodies[who as usize];
            for visit in body.first..body.first + body.entries() {
                self.unlink(visit);
            }
            self.visits.truncate(body.first as usize);
            let body = &mut self.bodies[who as usize];
            (body.first, body.stops) = (body.home, 1);
            (body.status, body.choice) = (BodyStatus::Open, NONE);
            let entries = body.home..body.home + area(body.side);
            for visit in entries {
                self.link(visit);
            }
        }
    }

    fn lay(&mut self, who: usize, stops: &[Stop]) {
        let side = self.bodies[who].side;
        for (index, stop) in stops.iter().enumerate() {
            let before = index.checked_sub(1).map(|before| stops[before].place);
            for place in covered(stop.place, side, self.width) {
                let next = self.visits.len() as u32;
                self.visits.push(Visit {
                    who: who as u32,
                    place,
                    from: if index == 0 { EVER } else { stop.from },
                    until: stops.get(index + 1).map_or(NEVER, |next| next.from),
                    before: before.map_or(NONE, |before| before.wrapping_add(place - stop.place)),
                    next: NONE,
                });
                self.link(next);
            }
        }
    }

    fn link(&mut self, at: u32) {
        let visit = &mut self.visits[at as usize];
        if let Some(head) = self.heads.get_mut(visit.place as usize) {
            visit.next = std::mem::replace(head, at);
        }
    }

    fn unlink(&mut self, at: u32) {
        let Visit { place, next, .. } = self.visits[at as usize];
        let Some(head) = self.heads.get_mut(place as usize) else {
            return;
        };
        if *head == at {
            *head = next;
            return;
        }
        let mut before = *head;
        while before != NONE {
            let after = self.visits[before as usize].next;
            if after == at {
                self.visits[before as usize].next = next;
                return;
            }
            before = after;
        }
    }

    /// The first stop at which a body runs into another one that is there first, or at the same time, or whose place it
    /// exchanges with its own; `None` if it gets through.
    pub(crate) fn first_clash(&self, who: usize) -> Option<usize> {
        let body = self.bodies[who];
        let own = self.visits_of(who);
        let area = area(body.side) as usize;
        let later = own.iter().enumerate().skip(area);
        let mut later = later.map(|(index, visit)| (index / area, visit));
        later.find_map(|(index, stop)| {
            let mut at = self.heads.get(stop.place as usize).copied().unwrap_or(NONE);
            while at != NONE {
                let visit = self.visits[at as usize];
                at = visit.next;
                let other = &self.bodies[visit.who as usize];
                if visit.who as usize == who || body.ignores(other) {
                    continue;
                }
                let is_there = visit.from <= stop.from && stop.from < visit.until;
                // It comes to the place that the other one leaves for its own at this time.
                let exchanges = visit.until == stop.from
                    && self.next_place(visit, stop.from) == Some(stop.before);
                if is_there || exchanges {
                    return Some(index);
                }
            }
            None
        })
    }

    /// The place that a visitor goes to at a time.
    fn next_place(&self, visit: Visit, then: Moment) -> Option<PlaceNumber> {
        let mut all = self.visits_of(visit.who as usize).iter();
        let next = all.find(|next| next.from == then && next.before == visit.place);
        next.map(|next| next.place)
    }

    /// Ends the move of a body before one of its stops: it stays on the stop before.
    pub(crate) fn cut(&mut self, who: usize, stop: usize) {
        let body = self.bodies[who];
        let area = area(body.side);
        let stop = (stop as u32).clamp(1, body.stops.max(1));
        for visit in body.first + stop * area..body.first + body.entries() {
            self.unlink(visit);
        }
        self.bodies[who].stops = stop;
        let last = body.first + (stop - 1) * area;
        for visit in last..last + area {
            if let Some(visit) = self.visits.get_mut(visit as usize) {
                visit.until = NEVER;
            }
        }
    }
}

/// The number of places that a body covers.
const fn area(side: u8) -> u32 {
    side as u32 * side as u32
}

/// The places that a body covers. They are numbered beyond the map where it reaches beyond the bottom, and are on the next row
/// where it reaches beyond the right side: only the game places a body there.
fn covered(place: PlaceNumber, side: u8, width: u32) -> impl Iterator<Item = PlaceNumber> {
    let side = u32::from(side);
    let rows = 0..side;
    rows.flat_map(move |dy| {
        (0..side).map(move |dx| place.wrapping_add(dy * width).wrapping_add(dx))
    })
}

impl RoomBody {
    /// The number of entries for its move.
    const fn entries(&self) -> u32 {
        self.stops * area(self.side)
    }

    fn is_open(&self) -> bool {
        matches!(self.status, BodyStatus::Open)
    }

    fn ignores(&self, other: &Self) -> bool {
        let [a, b] = [self.party, other.party];
        a.group == b.group && a.hunts & b.own | b.hunts & a.own != 0
    }
}

#[cfg(test)]
mod tests;
