//! Keys of topologies and links.

use super::Default::{Is, Otherwise};
use super::{Draw, Key, Kind, LOSS, Least, QUEUE, REQUIRED, Table, Tagged, Variant, ZERO_OR_MORE};

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
            "The rate of packets whose transmission begins from then on; the one being sent keeps its rate.",
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
