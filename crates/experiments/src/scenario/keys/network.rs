//! Keys of topologies and links.

use std::borrow::Cow;

use units::Duration;
use units::choice::{self, Choice, Kind, Parameter, Table, Value};

use super::{Family, LENGTH, RATE_OR_UNLIMITED};

/// `[topology]`.
pub const TOPOLOGY: Family = Family {
    name: "topology",
    tag: "kind",
    choices: Cow::Borrowed(&[
        Choice {
            name: "dumbbell",
            doc: "Two routers with one link between them; each flow has its own access link on both sides.",
            source: "",
            keys: &[
                Parameter::new(
                    "bottleneck",
                    Kind::Table(&BOTTLENECK),
                    Value::Required,
                    "The link from the left router to the right one.",
                ),
                REVERSE_KEY,
                ACCESS_BOTH,
                ACCESS_SENDER,
                ACCESS_RECEIVER,
            ],
            rule: choice::any,
        },
        Choice {
            name: "parking-lot",
            doc: "Routers in a row; flows enter and leave at any of them.",
            source: "",
            keys: &[
                Parameter::new(
                    "hops",
                    Kind::List(&Kind::Table(&HOP)),
                    Value::Otherwise("as `count` and `hop` say"),
                    "The links from router to router, in order.",
                ),
                Parameter::new(
                    "count",
                    Kind::Integer { min: 1, max: 1_000 },
                    Value::Otherwise("as `hops` says"),
                    "Number of hops that are all like `hop`.",
                ),
                Parameter::new(
                    "hop",
                    Kind::Table(&BOTTLENECK_WITH_REVERSE),
                    Value::Otherwise("as `hops` says"),
                    "What each of `count` hops is like.",
                ),
                ACCESS_BOTH,
                ACCESS_SENDER,
                ACCESS_RECEIVER,
            ],
            rule: choice::any,
        },
        Choice {
            name: "graph",
            doc: "Nodes and links as [[nodes]] and [[links]] give them; packets take the path of least delay.",
            source: "",
            keys: &[],
            rule: choice::any,
        },
    ]),
    common: &[],
};

const REVERSE_KEY: Parameter = Parameter::new(
    "reverse",
    Kind::Table(&REVERSE),
    Value::Otherwise("rate, delay and queue as forward; no loss, no schedule"),
    "The link in the other direction. What it leaves out is as forward, but for loss and schedule.",
);
const ACCESS_BOTH: Parameter = Parameter::new(
    "access",
    Kind::Table(&ACCESS),
    Value::Otherwise("infinitely fast, no delay"),
    "The access links of each flow, the sender's and the receiver's.",
);
const ACCESS_SENDER: Parameter = Parameter::new(
    "sender_access",
    Kind::Table(&ACCESS_SIDE),
    Value::Otherwise("as `access`"),
    "The access link of each flow's sender. What it leaves out is as in `access`.",
);
const ACCESS_RECEIVER: Parameter = Parameter::new(
    "receiver_access",
    Kind::Table(&ACCESS_SIDE),
    Value::Otherwise("as `access`"),
    "The access link of each flow's receiver. What it leaves out is as in `access`.",
);

const RATE: Parameter = Parameter::new(
    "rate",
    RATE_OR_UNLIMITED,
    Value::Required,
    "How fast the link sends.",
);
const DELAY_KEY: Parameter = Parameter::new(
    "delay",
    Kind::Delay,
    Value::Required,
    "Propagation delay; drawn once for the link where it is a distribution.",
);
const QUEUE_KEY: Parameter = Parameter::new(
    "queue",
    Kind::OneOf("queue"),
    Value::Otherwise("drop-tail of 1 BDP; unlimited where the rate is"),
    "Where packets wait for the link.",
);
const LOSS_KEY: Parameter = Parameter::new(
    "loss",
    Kind::OneOrMore(&Kind::OneOf("loss")),
    Value::Otherwise("none"),
    "Losses on the link; of several, each takes from what the ones before it let through.",
);
const SCHEDULE_KEY: Parameter = Parameter::new(
    "schedule",
    Kind::List(&Kind::Table(&CHANGE)),
    Value::Otherwise("no changes"),
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
        Parameter::new(
            "rate",
            RATE_OR_UNLIMITED,
            Value::Otherwise("as forward"),
            RATE.doc,
        ),
        Parameter::new(
            "delay",
            Kind::Delay,
            Value::Otherwise("as forward"),
            DELAY_KEY.doc,
        ),
        Parameter::new(
            "queue",
            Kind::OneOf("queue"),
            Value::Otherwise("as forward"),
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
        Parameter::new(
            "name",
            Kind::Name,
            Value::Otherwise("hop1, hop2, …"),
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
    &[Parameter::new(
        "name",
        Kind::Name,
        Value::Required,
        "Its name.",
    )],
);

/// `[[links]]`.
pub const GRAPH_LINK: Table = Table::new(
    "graph link",
    "A link of a graph, one direction.",
    &[
        Parameter::new(
            "name",
            Kind::Name,
            Value::Otherwise("from and to, with a dash between"),
            "Its name.",
        ),
        Parameter::new(
            "from",
            Kind::Name,
            Value::Required,
            "The node where it begins.",
        ),
        Parameter::new("to", Kind::Name, Value::Required, "The node where it ends."),
        Parameter::new(
            "duplex",
            Kind::Flag,
            Value::Flag(false),
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
        Parameter::new(
            "rate",
            RATE_OR_UNLIMITED,
            Value::Choice("unlimited"),
            "How fast they are.",
        ),
        Parameter::new(
            "delay",
            LENGTH,
            Value::Duration(Duration::ZERO),
            "Propagation delay, drawn for each flow.",
        ),
        Parameter::new(
            "queue",
            Kind::OneOf("queue"),
            Value::Otherwise("drop-tail, unlimited"),
            "The queue of each direction.",
        ),
        Parameter::new(
            "loss",
            Kind::OneOrMore(&Kind::OneOf("loss")),
            Value::Otherwise("none"),
            "Losses of each flow's data; what comes back is not lost here.",
        ),
    ],
);

/// Access links of one side.
pub const ACCESS_SIDE: Table = Table::new(
    "access of one side",
    "The access links of all senders, or of all receivers.",
    &[
        Parameter::new(
            "rate",
            RATE_OR_UNLIMITED,
            Value::Otherwise("as in `access`"),
            "How fast they are.",
        ),
        Parameter::new(
            "delay",
            LENGTH,
            Value::Otherwise("as in `access`"),
            "Propagation delay, drawn for each flow.",
        ),
        Parameter::new(
            "queue",
            Kind::OneOf("queue"),
            Value::Otherwise("as in `access`"),
            "The queue of each direction.",
        ),
        Parameter::new(
            "loss",
            Kind::OneOrMore(&Kind::OneOf("loss")),
            Value::Otherwise("as in `access`"),
            "Losses of each flow's data; what comes back is not lost here.",
        ),
    ],
);

/// A change of a link.
pub const CHANGE: Table = Table::new(
    "change",
    "A change of a link at a time.",
    &[
        Parameter::new(
            "at",
            Kind::Duration,
            Value::Required,
            "When, since the run began.",
        ),
        Parameter::new(
            "rate",
            Kind::Rate,
            Value::Otherwise("as before"),
            "The rate of packets whose transmission begins from then on; the one being sent keeps its rate.",
        ),
        Parameter::new(
            "delay",
            Kind::Duration,
            Value::Otherwise("as before"),
            "The delay of packets whose transmission begins from then on; those under way keep theirs.",
        ),
        Parameter::new(
            "up",
            Kind::Flag,
            Value::Otherwise("as before"),
            "Whether packets pass from then on; while not, all that come are lost.",
        ),
    ],
);
