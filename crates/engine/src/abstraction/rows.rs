//! Growing and shrinking lists of vertices in one allocation.

use crate::graph::Vertex;

/// Lists of vertices that grow and shrink, in one allocation.
///
/// The length of a row determines the size of its block: the next power of two, at least `MIN`. A row
/// that needs another size moves to another block; the old block joins the free list of its size. The
/// links of these lists are stored in the free blocks themselves.
#[derive(Debug, Clone)]
pub(super) struct Rows<const MIN: usize> {
    spans: Vec<RowSpan>,
    items: Vec<Vertex>,
    /// For each block size, by its binary logarithm, the first free block.
    free: [u32; 32],
    /// The number of items in all rows.
    total: usize,
}

#[derive(Debug, Clone, Copy)]
struct RowSpan {
    start: u32,
    len: u32,
}

/// The end of a list of free blocks.
const END: u32 = u32::MAX;

impl<const MIN: usize> Default for Rows<MIN> {
    fn default() -> Self {
        Self {
            spans: Vec::new(),
            items: Vec::new(),
            free: [END; 32],
            total: 0,
        }
    }
}

impl<const MIN: usize> Rows<MIN> {
    /// Reserves memory for this number of rows.
    pub(super) fn with_capacity(rows: usize) -> Self {
        Self {
            spans: Vec::with_capacity(rows),
            items: Vec::with_capacity(rows * MIN),
            ..Self::default()
        }
    }

    /// Removes all rows and keeps the memory.
    pub(super) fn clear(&mut self) {
        self.spans.clear();
        self.items.clear();
        self.free = [END; 32];
        self.total = 0;
    }

    /// Frees unused memory, except room to grow by a quarter.
    pub(super) fn shrink(&mut self) {
        shrink(&mut self.spans);
        shrink(&mut self.items);
    }

    /// The number of rows, empty ones included.
    pub(super) const fn rows(&self) -> usize {
        self.spans.len()
    }

    /// The number of items in all rows.
    pub(super) const fn total(&self) -> usize {
        self.total
    }

    pub(super) fn row(&self, row: Vertex) -> &[Vertex] {
        let RowSpan { start, len } = self.spans[row.index()];
        &self.items[start as usize..(start + len) as usize]
    }

    /// Adds an empty row.
    pub(super) fn add(&mut self) {
        let start = self.block(MIN);
        self.spans.push(RowSpan { start, len: 0 });
    }

    /// Adds an item at the end of a row.
    pub(super) fn push(&mut self, row: Vertex, item: Vertex) {
        let len = self.spans[row.index()].len;
        self.resize(row, len + 1);
        let start = self.spans[row.index()].start;
        self.items[(start + len) as usize] = item;
    }

    /// Removes an item from a row, if present; the others keep their order.
    pub(super) fn remove(&mut self, row: Vertex, item: Vertex) {
        let Some(place) = self.row(row).iter().position(|&other| other == item) else {
            return;
        };
        let RowSpan { start, len } = self.spans[row.index()];
        let (first, end) = (start as usize + place, (start + len) as usize);
        self.items.copy_within(first + 1..end, first);
        self.resize(row, len - 1);
    }

    /// Replaces the items of a row.
    pub(super) fn set(&mut self, row: Vertex, items: &[Vertex]) {
        self.resize(row, items.len() as u32);
        let start = self.spans[row.index()].start as usize;
        self.items[start..start + items.len()].copy_from_slice(items);
    }

    /// Memory in bytes.
    pub(super) const fn bytes(&self) -> usize {
        self.spans.capacity() * size_of::<RowSpan>() + self.items.capacity() * size_of::<Vertex>()
    }

    /// Changes the length of a row. Moves it if it needs a block of another size.
    fn resize(&mut self, row: Vertex, len: u32) {
        let old = self.spans[row.index()];
        let (room, needed) = (Self::room(old.len), Self::room(len));
        let mut start = old.start;
        if room != needed {
            start = self.block(needed);
            let kept = old.start as usize..(old.start + old.len.min(len)) as usize;
            self.items.copy_within(kept, start as usize);
            self.release(old.start, room);
        }
        self.spans[row.index()] = RowSpan { start, len };
        self.total = self.total + len as usize - old.len as usize;
    }

    /// The block size for a row of this length.
    fn room(len: u32) -> usize {
        (len as usize).next_power_of_two().max(MIN)
    }

    /// Takes a free block of `room` items, or adds one.
    fn block(&mut self, room: usize) -> u32 {
        let first = &mut self.free[room.trailing_zeros() as usize];
        if *first != END {
            let start = *first;
            *first = self.items[start as usize].index() as u32;
            return start;
        }
        let start = self.items.len();
        self.items.resize(start + room, Vertex::default());
        start as u32
    }

    fn release(&mut self, start: u32, room: usize) {
        let first = &mut self.free[room.trailing_zeros() as usize];
        self.items[start as usize] = Vertex::from_index(*first as usize);
        *first = start;
    }
}

/// Frees unused memory, except room to grow by a quarter.
pub(super) fn shrink<T>(items: &mut Vec<T>) {
    items.shrink_to(items.len() + items.len() / 4);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pushes and removes items to cover every case: growth, shrinking, missing items.
    fn shuffle(rows: &mut Rows<4>, lists: &mut [Vec<Vertex>]) {
        let vertex = Vertex::from_index;
        for step in 0..4000_usize {
            let (row, item) = (step * 5 / 3 % 7, vertex(step * 31 % 23));
            if step < 2000 {
                rows.push(vertex(row), item);
                lists[row].push(item);
            }
            if step >= 2000 || step % 3 == 0 {
                rows.remove(vertex(row), item);
                let place = lists[row].iter().position(|&other| other == item);
                place.map(|place| lists[row].remove(place));
            }
            assert_eq!(rows.row(vertex(row)), lists[row]);
        }
    }

    #[test]
    fn rows_keep_their_items_wherever_they_move() {
        let vertex = Vertex::from_index;
        let mut rows = Rows::<4>::default();
        let mut lists = vec![Vec::new(); 7];
        for _ in &lists {
            rows.add();
        }
        shuffle(&mut rows, &mut lists);
        for (row, list) in lists.iter_mut().enumerate() {
            *list = vec![vertex(row); row * row * 3];
            rows.set(vertex(row), list);
        }
        for (row, list) in lists.iter().enumerate() {
            assert_eq!(rows.row(vertex(row)), list);
        }
        assert_eq!(rows.total(), lists.iter().map(Vec::len).sum::<usize>());
    }

    #[test]
    fn free_blocks_are_used_again() {
        let mut rows = Rows::<4>::default();
        let mut lists = vec![Vec::new(); 7];
        for _ in &lists {
            rows.add();
        }
        let mut memory = Vec::new();
        for _ in 0..3 {
            shuffle(&mut rows, &mut lists);
            for (row, list) in lists.iter_mut().enumerate() {
                rows.set(Vertex::from_index(row), &[]);
                list.clear();
            }
            memory.push(rows.items.len());
        }
        assert_eq!(memory[1..], [memory[0]; 2]);
    }
}
