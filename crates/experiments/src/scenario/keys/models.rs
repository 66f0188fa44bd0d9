//! Keys of queues, loss and delay models, and distributions.

use super::Default::{Is, Otherwise};
use super::{
    Draw, Key, Kind, Least, OVER_ZERO, PROBABILITY, REQUIRED, Table, Tagged, Variant, Word,
    ZERO_OR_MORE,
};

const LIMIT_KEY: Key = Key::new(
    "limit",
    Kind::Limit,
    Otherwise("1 BDP; unlimited where the rate is, and on access links"),
    "How much may wait, the packet being sent not counted. A BDP is the link's rate times the \
     base round trip (the propagation delays there and back: mean over the flows that use the \
     link), in packets of the first group's packet_size, rounded, at least 1.",
);

/// Queue disciplines.
pub const QUEUE: Tagged = Tagged {
    name: "queue",
    tag: "kind",
    variants: &[
        Variant {
            name: "drop-tail",
            doc: "First in, first out; a packet that finds the queue full is dropped.",
            source: "",
            keys: &[Key::new(
                "mark",
                Kind::Packets,
                Otherwise("nothing is marked"),
                "Packets that understand ECN get the CE mark where so many wait when they arrive \
                 (RFC 8257 §3.1, its K).",
            )],
        },
        Variant {
            name: "red",
            doc: "Random early detection: drops or marks the more, the longer the average queue.",
            source: "Floyd and Jacobson, Random Early Detection Gateways for Congestion Avoidance, 1993; \
                     automatic parameters as in ns-2.35",
            keys: &[
                Key::new(
                    "min_threshold",
                    Kind::Threshold,
                    Is("\"auto\""),
                    "Average at which dropping begins. auto: what drains in 2.5 ms, at least 5 packets.",
                ),
                Key::new(
                    "max_threshold",
                    Kind::Threshold,
                    Is("\"auto\""),
                    "Average at which the probability reaches max_probability. auto: 3 × min_threshold.",
                ),
                Key::new(
                    "max_probability",
                    Kind::Number {
                        min: 1e-6,
                        max: 1.0,
                    },
                    Is("0.1"),
                    "Drop probability at max_threshold.",
                ),
                Key::new(
                    "weight",
                    Kind::Weight,
                    Is("\"auto\""),
                    "Weight of a new sample in the average.",
                ),
                Key::new(
                    "gentle",
                    Kind::Flag,
                    Is("true"),
                    "Above max_threshold the probability rises to 1 at twice it, instead of jumping.",
                ),
                Key::new(
                    "wait",
                    Kind::Flag,
                    Is("true"),
                    "Drops keep a distance from each other.",
                ),
                Key::new(
                    "mode",
                    Kind::Choice(RED_MODE),
                    Is("\"packets\""),
                    "What the average counts.",
                ),
                Key::new(
                    "mean_packet_size",
                    Kind::Bytes {
                        min: 1,
                        max: 65_535,
                    },
                    Is("\"1000 B\""),
                    "By which the link's rate becomes packets per second and, in mode bytes, thresholds bytes.",
                ),
                Key::new(
                    "ecn",
                    Kind::Flag,
                    Is("false"),
                    "Marks packets that understand ECN instead of dropping them.",
                ),
            ],
        },
    ],
    common: &[
        LIMIT_KEY,
        Key::new(
            "source_quench",
            Kind::Packets,
            Otherwise("none is sent"),
            "The sender of a data packet is told by an ICMP source quench (RFC 792; 56 B, straight \
             back) where so many wait when the packet arrives; with red, where its average is so \
             long. Not on access links.",
        ),
    ],
};

/// Modes of RED.
pub const RED_MODE: &[Word] = &[
    Word {
        name: "packets",
        doc: "Packets of any size.",
        source: "",
    },
    Word {
        name: "bytes",
        doc: "Bytes; large packets are dropped more often.",
        source: "",
    },
];

/// Automatic weights of RED; `C` is the link's rate in mean packets per second.
pub const RED_WEIGHTS: &[Word] = &[
    Word {
        name: "auto",
        doc: "1 − exp(−1 / (10 R C)) with R = max(0.1 s, 3 (delay + 1 / C)).",
        source: "ns-2.35, q_weight_ −1",
    },
    Word {
        name: "auto-1s",
        doc: "1 − exp(−1 / C): time constant 1 s.",
        source: "ns-2.35, q_weight_ 0",
    },
    Word {
        name: "auto-100ms",
        doc: "1 − exp(−10 / C): time constant 0.1 s.",
        source: "ns-2.35, q_weight_ −2",
    },
];

/// Loss models.
pub const LOSS: Tagged = Tagged {
    name: "loss",
    tag: "kind",
    variants: &[
        Variant {
            name: "bernoulli",
            doc: "Each packet is lost by itself.",
            source: "",
            keys: &[Key::new(
                "probability",
                PROBABILITY,
                REQUIRED,
                "Of each packet.",
            )],
        },
        Variant {
            name: "gilbert-elliott",
            doc: "A good and a bad state that change with each packet, each with its own loss.",
            source: "Gilbert, Capacity of a Burst-Noise Channel, 1960; Elliott, 1963",
            keys: &[
                Key::new(
                    "good_to_bad",
                    PROBABILITY,
                    REQUIRED,
                    "Probability, at each packet, to go from good to bad.",
                ),
                Key::new(
                    "bad_to_good",
                    PROBABILITY,
                    REQUIRED,
                    "Probability, at each packet, to go from bad to good.",
                ),
                Key::new("loss_good", PROBABILITY, Is("0"), "Loss in the good state."),
                Key::new("loss_bad", PROBABILITY, Is("1"), "Loss in the bad state."),
            ],
        },
        Variant {
            name: "every",
            doc: "Each k-th packet is lost.",
            source: "",
            keys: &[Key::new(
                "packets",
                Kind::Integer {
                    min: 1,
                    max: 1_000_000_000_000,
                },
                REQUIRED,
                "k.",
            )],
        },
        Variant {
            name: "list",
            doc: "Given packets are lost.",
            source: "",
            keys: &[
                Key::new(
                    "packets",
                    Kind::List(&Kind::Integer {
                        min: 0,
                        max: 1_000_000_000_000,
                    }),
                    REQUIRED,
                    "Which, counted from 0 in the order in which they come to the link; ascending.",
                ),
                FOR_FLOW,
            ],
        },
        Variant {
            name: "at",
            doc: "The first packet at or after each of some times is lost.",
            source: "",
            keys: &[
                Key::new(
                    "times",
                    Kind::List(&ZERO_OR_MORE),
                    REQUIRED,
                    "The times, ascending.",
                ),
                FOR_FLOW,
            ],
        },
        Variant {
            name: "outage",
            doc: "Everything is lost for some time, again and again.",
            source: "",
            keys: &[
                Key::new(
                    "every",
                    Kind::Distribution(Least::OverZero, Draw::Other),
                    REQUIRED,
                    "From the beginning of the run, or of one outage, to that of the next.",
                ),
                Key::new(
                    "duration",
                    Kind::Distribution(Least::OverZero, Draw::Other),
                    REQUIRED,
                    "How long each lasts.",
                ),
            ],
        },
    ],
    common: &[Key::new(
        "place",
        Kind::Choice(LOSS_PLACE),
        Is("\"exit\""),
        "Where on the link packets are lost.",
    )],
};

const FOR_FLOW: Key = Key::new(
    "flow",
    Kind::Name,
    Otherwise("all packets count"),
    "Label of a group: only the data packets of its flows count, each flow by itself.",
);

/// Where losses happen.
pub const LOSS_PLACE: &[Word] = &[
    Word {
        name: "entry",
        doc: "Before the queue: a lost packet uses neither buffer nor link.",
        source: "",
    },
    Word {
        name: "exit",
        doc: "On the wire: a lost packet has used the link.",
        source: "",
    },
];

/// Delay models beside fixed and drawn ones.
pub const DELAY: Tagged = Tagged {
    name: "delay",
    tag: "kind",
    variants: &[
        Variant {
            name: "alternating",
            doc: "Goes from state to state as a semi-Markov process; packets under way keep their \
                  delay and can be overtaken.",
            source: "Abouzeid and Roy, TCP in Networks with Abrupt Delay Variations and Random Loss",
            keys: &[
                Key::new(
                    "states",
                    Kind::List(&Kind::Table(&DELAY_STATE)),
                    REQUIRED,
                    "The states, at least two; it begins in the first.",
                ),
                Key::new(
                    "transitions",
                    Kind::List(&Kind::List(&PROBABILITY)),
                    Otherwise("to the next state, from the last to the first"),
                    "Row by row, the probabilities of the next state; each row adds up to 1.",
                ),
            ],
        },
        Variant {
            name: "trace",
            doc: "Changes at given times, as measured; packets under way keep their delay and can \
                  be overtaken.",
            source: "",
            keys: &[
                Key::new(
                    "points",
                    Kind::List(&Kind::List(&ZERO_OR_MORE)),
                    Otherwise("file"),
                    "Pairs of a time since the beginning of the run and the delay from then on; the \
                     first time is 0 s, and they ascend.",
                ),
                Key::new(
                    "file",
                    Kind::Text,
                    Otherwise("points"),
                    "The same in a CSV file: a header line with the columns time_s and delay_s, \
                     numbers in seconds. Its path goes from the scenario file's folder.",
                ),
            ],
        },
    ],
    common: &[],
};

/// A state of an alternating delay.
pub const DELAY_STATE: Table = Table::new(
    "delay state",
    "A state of an alternating delay.",
    &[
        Key::new(
            "delay",
            ZERO_OR_MORE,
            REQUIRED,
            "Propagation delay in this state.",
        ),
        Key::new(
            "stay",
            ZERO_OR_MORE,
            Otherwise("0 s"),
            "Least time spent in it.",
        ),
        Key::new(
            "extra",
            ZERO_OR_MORE,
            Otherwise("0 s"),
            "Mean of the exponential time added to it.",
        ),
        Key::new(
            "hold",
            Kind::Distribution(Least::Zero, Draw::Other),
            Otherwise("stay and extra"),
            "Time spent in it by another law, instead of stay and extra.",
        ),
    ],
);

/// Distributions: exactly one of the keys.
pub const DISTRIBUTION: Table = Table::new(
    "distribution",
    "A quantity drawn at random: exactly one of these keys.",
    &[
        Key::new(
            "uniform",
            Kind::List(&ZERO_OR_MORE),
            Otherwise("another key"),
            "Evenly between two values: [least, greatest].",
        ),
        Key::new(
            "exponential",
            OVER_ZERO,
            Otherwise("another key"),
            "Exponential with this mean.",
        ),
        Key::new(
            "pareto",
            Kind::Table(&PARETO),
            Otherwise("another key"),
            "Pareto with this mean and shape.",
        ),
        Key::new(
            "list",
            Kind::List(&ZERO_OR_MORE),
            Otherwise("another key"),
            "One value for each flow of the group, in order.",
        ),
    ],
);

/// Parameters of a Pareto distribution.
pub const PARETO: Table = Table::new(
    "pareto",
    "A Pareto distribution.",
    &[
        Key::new("mean", OVER_ZERO, REQUIRED, "Its mean."),
        Key::new(
            "shape",
            Kind::Number {
                min: 1.01,
                max: 100.0,
            },
            REQUIRED,
            "Its shape; the smaller, the heavier the tail.",
        ),
    ],
);
