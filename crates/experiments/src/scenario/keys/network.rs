//! Keys of topologies, links, queues, loss and delay models.

use super::Default::{Is, Otherwise};
use super::{
    Draw, Key, Kind, Least, OVER_ZERO, PROBABILITY, REQUIRED, Table, Tagged, Variant, Word,
    ZERO_OR_MORE,
};

/// `[topology]`.
pub const TOPOLOGY: Tagged = Tagged {
    name: "topology",
    tag: "kind",
    variants: &[
        Variant {
            name: "dumbbell",
            doc: "Two routers with one link between them; each flow has its own access link on both sides.",
            source: "",
            keys: &[
                Key::new(
                    "bottleneck",
                    Kind::Table(&BOTTLENECK),
                    REQUIRED,
                    "The link from the left router to the right one.",
                ),
                REVERSE_KEY,
                ACCESS_BOTH,
                ACCESS_SENDER,
                ACCESS_RECEIVER,
            ],
        },
        Variant {
            name: "parking-lot",
            doc: "Routers in a row; flows enter and leave at any of them.",
            source: "",
            keys: &[
                Key::new(
                    "hops",
                    Kind::List(&Kind::Table(&HOP)),
                    Otherwise("as `count` and `hop` say"),
                    "The links from router to router, in order.",
                ),
                Key::new(
                    "count",
                    Kind::Integer { min: 1, max: 1_000 },
                    Otherwise("as `hops` says"),
                    "Number of hops that are all like `hop`.",
                ),
                Key::new(
                    "hop",
                    Kind::Table(&BOTTLENECK_WITH_REVERSE),
                    Otherwise("as `hops` says"),
                    "What each of `count` hops is like.",
                ),
                ACCESS_BOTH,
                ACCESS_SENDER,
                ACCESS_RECEIVER,
            ],
        },
        Variant {
            name: "graph",
            doc: "Nodes and links as [[nodes]] and [[links]] give them; packets take the path of least delay.",
            source: "",
            keys: &[],
        },
    ],
    common: &[],
};

const REVERSE_KEY: Key = Key::new(
    "reverse",
    Kind::Table(&REVERSE),
    Otherwise("rate, delay and queue as forward; no loss, no schedule"),
    "The link in the other direction. What it leaves out is as forward, but for loss and schedule.",
);
const ACCESS_BOTH: Key = Key::new(
    "access",
    Kind::Table(&ACCESS),
    Otherwise("infinitely fast, no delay"),
    "The access links of each flow, the sender's and the receiver's.",
);
const ACCESS_SENDER: Key = Key::new(
    "sender_access",
    Kind::Table(&ACCESS_SIDE),
    Otherwise("as `access`"),
    "The access link of each flow's sender. What it leaves out is as in `access`.",
);
const ACCESS_RECEIVER: Key = Key::new(
    "receiver_access",
    Kind::Table(&ACCESS_SIDE),
    Otherwise("as `access`"),
    "The access link of each flow's receiver. What it leaves out is as in `access`.",
);

const RATE: Key = Key::new(
    "rate",
    Kind::RateOrUnlimited,
    REQUIRED,
    "How fast the link sends.",
);
const DELAY_KEY: Key = Key::new(
    "delay",
    Kind::Delay,
    REQUIRED,
    "Propagation delay; drawn once for the link where it is a distribution.",
);
const QUEUE_KEY: Key = Key::new(
    "queue",
    Kind::Tagged(&QUEUE),
    Otherwise("drop-tail of 1 BDP; unlimited where the rate is"),
    "Where packets wait for the link.",
);
const LOSS_KEY: Key = Key::new(
    "loss",
    Kind::OneOrMore(&Kind::Tagged(&LOSS)),
    Otherwise("none"),
    "Losses on the link; of several, each takes from what the ones before it let through.",
);
const SCHEDULE_KEY: Key = Key::new(
    "schedule",
    Kind::List(&Kind::Table(&CHANGE)),
    Otherwise("no changes"),
    "Changes of the link during the run, in order of time.",
);

/// A link whose rate and delay must be given.
pub const BOTTLENECK: Table = Table::new(
    "link",
    "A link and the queue before it.",
    &[RATE, DELAY_KEY, QUEUE_KEY, LOSS_KEY, SCHEDULE_KEY],
);

const BOTTLENECK_WITH_REVERSE: Table = Table::new(
    "hop",
    "A link of a parking lot and the queue before it.",
    &[
        RATE,
        DELAY_KEY,
        QUEUE_KEY,
        LOSS_KEY,
        SCHEDULE_KEY,
        REVERSE_KEY,
    ],
);

/// A link whose rate, delay and queue are those of the other direction if not given.
pub const REVERSE: Table = Table::new(
    "reverse link",
    "The link in the other direction.",
    &[
        Key::new(
            "rate",
            Kind::RateOrUnlimited,
            Otherwise("as forward"),
            RATE.doc,
        ),
        Key::new("delay", Kind::Delay, Otherwise("as forward"), DELAY_KEY.doc),
        Key::new(
            "queue",
            Kind::Tagged(&QUEUE),
            Otherwise("as forward"),
            QUEUE_KEY.doc,
        ),
        LOSS_KEY,
        SCHEDULE_KEY,
    ],
);

/// One of a parking lot's hops.
pub const HOP: Table = Table::new(
    "hop in a list",
    "One of a parking lot's hops: a link in each direction.",
    &[
        Key::new(
            "name",
            Kind::Name,
            Otherwise("hop1, hop2, …"),
            "Its name, for the flows' from and to.",
        ),
        RATE,
        DELAY_KEY,
        QUEUE_KEY,
        LOSS_KEY,
        SCHEDULE_KEY,
        REVERSE_KEY,
    ],
);

/// `[[nodes]]`.
pub const NODE: Table = Table::new(
    "node",
    "A node of a graph.",
    &[Key::new("name", Kind::Name, REQUIRED, "Its name.")],
);

/// `[[links]]`.
pub const GRAPH_LINK: Table = Table::new(
    "graph link",
    "A link of a graph, one direction.",
    &[
        Key::new(
            "name",
            Kind::Name,
            Otherwise("from and to, with a dash between"),
            "Its name.",
        ),
        Key::new("from", Kind::Name, REQUIRED, "The node where it begins."),
        Key::new("to", Kind::Name, REQUIRED, "The node where it ends."),
        Key::new(
            "duplex",
            Kind::Flag,
            Is("false"),
            "A second link, alike, leads back. Its name is `to`-`from`, or this one's and \"-reverse\".",
        ),
        RATE,
        DELAY_KEY,
        QUEUE_KEY,
        LOSS_KEY,
        SCHEDULE_KEY,
    ],
);

/// Access links.
pub const ACCESS: Table = Table::new(
    "access",
    "The links between a host and its router: one in each direction, both alike.",
    &[
        Key::new(
            "rate",
            Kind::RateOrUnlimited,
            Is("\"unlimited\""),
            "How fast they are.",
        ),
        Key::new(
            "delay",
            Kind::Distribution(Least::Zero, Draw::Other),
            Is("\"0 s\""),
            "Propagation delay, drawn for each flow.",
        ),
        Key::new(
            "queue",
            Kind::Tagged(&QUEUE),
            Otherwise("drop-tail, unlimited"),
            "The queue of each direction.",
        ),
        Key::new(
            "loss",
            Kind::OneOrMore(&Kind::Tagged(&LOSS)),
            Otherwise("none"),
            "Losses of each flow's data; what comes back is not lost here.",
        ),
    ],
);

/// Access links of one side.
pub const ACCESS_SIDE: Table = Table::new(
    "access of one side",
    "The access links of all senders, or of all receivers.",
    &[
        Key::new(
            "rate",
            Kind::RateOrUnlimited,
            Otherwise("as in `access`"),
            "How fast they are.",
        ),
        Key::new(
            "delay",
            Kind::Distribution(Least::Zero, Draw::Other),
            Otherwise("as in `access`"),
            "Propagation delay, drawn for each flow.",
        ),
        Key::new(
            "queue",
            Kind::Tagged(&QUEUE),
            Otherwise("as in `access`"),
            "The queue of each direction.",
        ),
        Key::new(
            "loss",
            Kind::OneOrMore(&Kind::Tagged(&LOSS)),
            Otherwise("as in `access`"),
            "Losses of each flow's data; what comes back is not lost here.",
        ),
    ],
);

/// A change of a link.
pub const CHANGE: Table = Table::new(
    "change",
    "A change of a link at a time.",
    &[
        Key::new("at", ZERO_OR_MORE, REQUIRED, "When, since the run began."),
        Key::new(
            "rate",
            Kind::Rate,
            Otherwise("as before"),
            "The rate from then on.",
        ),
        Key::new(
            "delay",
            ZERO_OR_MORE,
            Otherwise("as before"),
            "The delay of packets whose transmission begins from then on; those under way keep theirs.",
        ),
        Key::new(
            "up",
            Kind::Flag,
            Otherwise("as before"),
            "Whether packets pass from then on; while not, all that come are lost.",
        ),
    ],
);

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
            keys: &[],
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
    common: &[LIMIT_KEY],
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
    variants: &[Variant {
        name: "alternating",
        doc: "Goes from state to state as a semi-Markov process; packets under way keep their delay \
              and can be overtaken.",
        source: "Abouzeid and Roy, Stochastic Modeling of TCP in Networks with Abrupt Delay Variations",
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
    }],
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
            Is("\"0 s\""),
            "Least time spent in it.",
        ),
        Key::new(
            "extra",
            ZERO_OR_MORE,
            Is("\"0 s\""),
            "Mean of the exponential time added to it.",
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
