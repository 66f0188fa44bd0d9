//! What ns-2.35 gave for the same figures: a yardstick beside ours.

/// System goodput by number of flows.
pub(super) struct Reference {
    /// How its runs differ from ours.
    pub(super) differs: &'static str,
    /// Number of flows, and the goodput of each of [`PROTOCOLS`](super::PROTOCOLS), in Mb/s.
    rows: &'static [(f64, [f64; 4])],
    /// What the rows are multiplied with to count payload only.
    payload: f64,
}

impl Reference {
    /// The goodput of a protocol, by its place in [`PROTOCOLS`](super::PROTOCOLS).
    pub(super) fn points(&self, protocol: usize) -> Vec<(f64, f64)> {
        self.rows
            .iter()
            .map(|(flows, goodput)| (*flows, goodput[protocol] * self.payload))
            .collect()
    }
}

/// Means over seeds.
pub(super) const FIGURE_2: Reference = Reference {
    differs: "packets of 1000 + 40 B, so that the full link is 9.62 Mb/s of payload; 49 packets \
              wait at most; bottleneck 20 ms and access 5 ms (the round trip is the same); dither \
              up to 1 ms; starts within 1 s; unlimited access queues; \
              ten seeds with 10, 40 and 100 flows, three with the others.",
    rows: &[
        (10.0, [9.51, 9.51, 9.33, 8.73]),
        (20.0, [9.50, 9.50, 9.46, 9.22]),
        (40.0, [9.38, 9.38, 9.42, 9.40]),
        (60.0, [9.23, 9.24, 9.28, 9.31]),
        (80.0, [9.08, 9.14, 9.18, 9.20]),
        (100.0, [8.98, 9.06, 9.13, 9.15]),
    ],
    payload: 1.0,
};

/// One run for each number of flows. 98.4 Mb/s is more than the 96 Mb/s of payload that packets of
/// 960 + 40 B can bring through 100 Mb/s: these rows count headers too.
pub(super) const FIGURE_3: Reference = Reference {
    differs: "one seed, 10 and 100 flows only; counted with headers, here × 0.96; 249 packets \
              wait at most.",
    rows: &[
        (10.0, [95.2, 95.6, 88.9, 79.9]),
        (100.0, [98.2, 98.4, 96.4, 89.8]),
    ],
    payload: 0.96,
};
