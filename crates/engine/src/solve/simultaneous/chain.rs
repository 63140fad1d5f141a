//! The expected time until capture under fixed strategies, by a sparse linear system.

/// The transition probabilities of a turn between distinct positions, for a range of positions.
#[derive(Debug, Clone, Default)]
pub(super) struct Transitions {
    /// The end of the links of each position in `links`.
    ends: Vec<u32>,
    /// For each link, the next position and the probability. A capture has no link.
    links: Vec<(u32, f64)>,
}

impl Transitions {
    pub(super) fn clear(&mut self) {
        self.ends.clear();
        self.links.clear();
    }

    /// Adds a link of the present position.
    pub(super) fn push(&mut self, to: u32, chance: f64) {
        self.links.push((to, chance));
    }

    /// Ends the links of the present position.
    pub(super) fn end(&mut self) {
        self.ends.push(self.links.len() as u32);
    }

    fn rows(&self) -> impl Iterator<Item = &[(u32, f64)]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let row = &self.links[start as usize..end as usize];
            start = end;
            row
        })
    }

    /// Computes, for each position from `first` on, its number minus the sum over its links, weighted by probability.
    fn apply(&self, first: usize, numbers: &[f64], out: &mut [f64]) {
        for ((row, out), own) in self.rows().zip(out).zip(&numbers[first..]) {
            let mean: f64 = row
                .iter()
                .map(|&(to, chance)| chance * numbers[to as usize])
                .sum();
            *out = own - mean;
        }
    }
}

/// Solves v = 1 + P v for the expected times v by the stabilised bi-conjugate gradient method (H. van der
/// Vorst, 1992) with the diagonal as preconditioner.
///
/// If the chain may continue forever, there is no solution and the result is meaningless. The caller has to
/// check the result.
#[derive(Debug, Clone, Default)]
pub(super) struct TimeSystem {
    /// The expected times, one for each distinct position.
    pub times: Vec<f64>,
    /// For each position, 1 minus the probability of staying there.
    diagonal: Vec<f64>,
    residual: Vec<f64>,
    shadow: Vec<f64>,
    direction: Vec<f64>,
    scaled: Vec<f64>,
    image: Vec<f64>,
    second: Vec<f64>,
    rho: f64,
    alpha: f64,
    omega: f64,
}

/// The number of positions that are processed together.
pub(super) const CHUNK: usize = 64;

impl TimeSystem {
    /// Begins with the given times. `is_open` says in which positions the game continues. In the other
    /// positions, the times stay unchanged and no link leads there.
    pub(super) fn begin<L: AsRef<Transitions> + Sync>(
        &mut self,
        links: &[L],
        times: &[f64],
        is_open: &[bool],
    ) {
        let count = times.len();
        self.times.clear();
        self.times.extend(
            times
                .iter()
                .zip(is_open)
                .map(|(&time, &open)| if open { time } else { 0.0 }),
        );
        self.diagonal.clear();
        for (chunk, links) in links.iter().enumerate() {
            let own = (chunk * CHUNK) as u32..;
            self.diagonal
                .extend(own.zip(links.as_ref().rows()).map(|(own, row)| {
                    let stays = row.iter().filter(|&&(to, _)| to == own);
                    1.0 - stays.map(|&(_, chance)| chance).sum::<f64>()
                }));
        }
        self.diagonal
            .iter_mut()
            .for_each(|number| *number = number.max(1e-9));
        for vector in [
            &mut self.residual,
            &mut self.direction,
            &mut self.scaled,
            &mut self.image,
            &mut self.second,
        ] {
            vector.clear();
            vector.resize(count, 0.0);
        }
        apply(links, &self.times, &mut self.residual);
        for (residual, &open) in self.residual.iter_mut().zip(is_open) {
            *residual = f64::from(u8::from(open)) - *residual;
        }
        self.shadow.clone_from(&self.residual);
        (self.rho, self.alpha, self.omega) = (1.0, 1.0, 1.0);
    }

    /// Performs one step. Returns the residual of the equations; NaN or infinity if the method breaks down.
    pub(super) fn step<L: AsRef<Transitions> + Sync>(&mut self, links: &[L]) -> f64 {
        let rho = dot(&self.shadow, &self.residual);
        let beta = rho / self.rho * (self.alpha / self.omega);
        self.rho = rho;
        for ((direction, residual), image) in self
            .direction
            .iter_mut()
            .zip(&self.residual)
            .zip(&self.image)
        {
            *direction = residual + beta * (*direction - self.omega * image);
        }
        self.scale_direction();
        apply(links, &self.scaled, &mut self.image);
        self.alpha = rho / dot(&self.shadow, &self.image);
        add(&mut self.times, self.alpha, &self.scaled);
        add(&mut self.residual, -self.alpha, &self.image);
        let rest = largest(&self.residual);
        if rest <= TINY {
            return rest;
        }
        self.scale_residual();
        apply(links, &self.scaled, &mut self.second);
        self.omega = dot(&self.second, &self.residual) / dot(&self.second, &self.second);
        add(&mut self.times, self.omega, &self.scaled);
        add(&mut self.residual, -self.omega, &self.second);
        largest(&self.residual)
    }

    fn scale_direction(&mut self) {
        let numbers = self.direction.iter().zip(&self.diagonal);
        self.scaled
            .iter_mut()
            .zip(numbers)
            .for_each(|(out, (number, scale))| *out = number / scale);
    }

    fn scale_residual(&mut self) {
        let numbers = self.residual.iter().zip(&self.diagonal);
        self.scaled
            .iter_mut()
            .zip(numbers)
            .for_each(|(out, (number, scale))| *out = number / scale);
    }
}

/// A residual below this is caused by rounding.
const TINY: f64 = 1e-14;

fn apply<L: AsRef<Transitions> + Sync>(links: &[L], numbers: &[f64], out: &mut [f64]) {
    let work = |(chunk, (links, out)): (usize, (&L, &mut [f64]))| {
        links.as_ref().apply(chunk * CHUNK, numbers, out);
    };
    #[cfg(feature = "parallel")]
    {
        use rayon::prelude::*;
        let chunks = links.par_iter().zip(out.par_chunks_mut(CHUNK)).enumerate();
        chunks.with_min_len(64).for_each(work);
    }
    #[cfg(not(feature = "parallel"))]
    links
        .iter()
        .zip(out.chunks_mut(CHUNK))
        .enumerate()
        .for_each(work);
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    // With four sums, an addition does not have to wait for the one before it.
    let mut sums = [0.0; 4];
    let (a, a_rest) = a.as_chunks::<4>();
    let (b, b_rest) = b.as_chunks::<4>();
    for (a, b) in a.iter().zip(b) {
        for (sum, (a, b)) in sums.iter_mut().zip(a.iter().zip(b)) {
            *sum += a * b;
        }
    }
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    sums.iter().sum::<f64>() + rest
}

fn add(numbers: &mut [f64], factor: f64, others: &[f64]) {
    for (number, other) in numbers.iter_mut().zip(others) {
        *number += factor * other;
    }
}

/// The largest absolute value; NaN if one of the numbers is NaN.
fn largest(numbers: &[f64]) -> f64 {
    let larger = |most: f64, number: &f64| {
        if most.is_nan() || number.abs() <= most {
            most
        } else {
            number.abs()
        }
    };
    numbers.iter().fold(0.0, larger)
}
