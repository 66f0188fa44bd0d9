//! Keys of `[[flows]]`.

use super::Default::{Is, Otherwise};
use super::{
    Draw, Drive, Key, Kind, LOSS, Least, OVER_ZERO, QUEUE, REQUIRED, TFRC, TFWC, Table, Tagged,
    Variant, Word, ZERO_OR_MORE,
};

/// A group of flows: `protocol` says which keys it has beside the common ones.
pub const FLOW: Tagged = Tagged {
    name: "group of flows",
    tag: "protocol",
    variants: &[
        Variant {
            name: "tcp",
            doc: "Reliable and in order; a congestion controller sets its window.",
            source: "RFC 9293, RFC 5681, RFC 6298",
            keys: TCP,
        },
        Variant {
            name: "udp",
            doc: "Datagrams as the application gives them; nothing is repeated.",
            source: "RFC 768",
            keys: &[],
        },
        Variant {
            name: "tfrc",
            doc: "Datagrams at a rate that follows the loss event rate; nothing is repeated.",
            source: "RFC 5348",
            keys: TFRC,
        },
        Variant {
            name: "tfwc",
            doc: "Datagrams within a window, acknowledged by an ACK vector; nothing is repeated.",
            source: "Choi, TCP-Friendly Window-based Congestion Control, UCL 2006",
            keys: TFWC,
        },
    ],
    common: &[
        Key::new(
            "label",
            Kind::Name,
            Otherwise("protocol, and controller of tcp: \"tcp-reno\", \"udp\""),
            "Name of the group, different from every other group's.",
        ),
        Key::new(
            "count",
            Kind::Integer {
                min: 1,
                max: super::super::MOST_FLOWS,
            },
            Is("1"),
            "Number of flows.",
        ),
        Key::new(
            "application",
            Kind::Tagged(&APPLICATION),
            Otherwise("bulk; udp needs one with a rate"),
            "What has data to send.",
        ),
        Key::new(
            "packets",
            Kind::Integer {
                min: 1,
                max: 1_000_000_000_000,
            },
            Otherwise("no end"),
            "Data packets that each flow transfers.",
        ),
        Key::new(
            "packet_size",
            Kind::Bytes {
                min: 1,
                max: 65_535,
            },
            Is("\"1000 B\""),
            "A full data packet on the wire, header included.",
        ),
        Key::new(
            "header",
            Kind::Bytes {
                min: 0,
                max: 65_534,
            },
            Is("\"40 B\""),
            "The header's share of a packet; with tcp, the size of a packet without data too.",
        ),
        Key::new(
            "start",
            Kind::Distribution(Least::Zero, Draw::EachFlow),
            Is("\"0 s\""),
            "When each flow begins. Equal start times lock flows in phase: draw them.",
        ),
        Key::new(
            "stop",
            OVER_ZERO,
            Otherwise("with the run"),
            "When the flows end.",
        ),
        Key::new(
            "direction",
            Kind::Choice(DIRECTION),
            Is("\"forward\""),
            "Which way the data goes. Not in a graph: there from and to say it.",
        ),
        Key::new(
            "from",
            Kind::Name,
            Otherwise("the first hop; required in a graph"),
            "Where data enters: a node of a graph, or the first hop in a parking lot.",
        ),
        Key::new(
            "to",
            Kind::Name,
            Otherwise("the last hop; required in a graph"),
            "Where data leaves: a node of a graph, or the last hop in a parking lot.",
        ),
        Key::new(
            "access",
            Kind::Table(&FLOW_ACCESS),
            Otherwise("as the topology says"),
            "What is different about the access links of these flows.",
        ),
        Key::new(
            "dither",
            ZERO_OR_MORE,
            Is("\"0 s\""),
            "When an ACK opens the window the sender waits a time drawn evenly up to this, then \
             sends all that the window allows. With tcp and tfwc; TFWC's timer does not wait.",
        ),
    ],
};

/// What a group's access links have in place of the topology's.
pub const FLOW_ACCESS: Table = Table::new(
    "access of a flow",
    "What is different about the access links of a group of flows.",
    &[
        Key::new(
            "rate",
            Kind::RateOrUnlimited,
            Otherwise("as the topology says"),
            "Rate on both sides.",
        ),
        Key::new(
            "delay",
            Kind::Distribution(Least::Zero, Draw::EachFlow),
            Otherwise("as the topology says"),
            "Delay on the sender's side, drawn for each flow.",
        ),
        Key::new(
            "receiver_delay",
            Kind::Distribution(Least::Zero, Draw::EachFlow),
            Otherwise("as the topology says"),
            "Delay on the receiver's side, drawn for each flow.",
        ),
        Key::new(
            "queue",
            Kind::Tagged(&QUEUE),
            Otherwise("as the topology says"),
            "Queues on both sides.",
        ),
        Key::new(
            "loss",
            Kind::OneOrMore(&Kind::Tagged(&LOSS)),
            Otherwise("as the topology says"),
            "Losses of data on the sender's side.",
        ),
        Key::new(
            "receiver_loss",
            Kind::OneOrMore(&Kind::Tagged(&LOSS)),
            Otherwise("as the topology says"),
            "Losses of data on the receiver's side.",
        ),
    ],
);

/// The keys of TCP.
pub const TCP: &[Key] = &[
    Key::new(
        "recovery",
        Kind::Choice(RECOVERY),
        Is("\"sack\""),
        "How losses are found and repaired.",
    ),
    Key::new(
        "controller",
        Kind::Controller(Drive::Tcp),
        Is("\"reno\""),
        "The congestion controller.",
    ),
    Key::new(
        "delayed_ack",
        OVER_ZERO,
        Otherwise("every packet is acknowledged"),
        "The receiver acknowledges every second packet, or after this time.",
    ),
    Key::new(
        "ecn",
        Kind::Flag,
        Is("false"),
        "Explicit congestion notification (RFC 3168).",
    ),
    Key::new(
        "handshake",
        Kind::Flag,
        Is("false"),
        "The connection begins with a SYN and its answer.",
    ),
    Key::new(
        "initial_window",
        Kind::Window,
        Is("\"10 packets\""),
        "Window at the start (RFC 6928 §2).",
    ),
    Key::new(
        "max_window",
        Kind::WindowOrUnlimited,
        Is("\"unlimited\""),
        "The receiver's window: most data in flight.",
    ),
    Key::new(
        "initial_slow_start_threshold",
        Kind::WindowOrUnlimited,
        Is("\"unlimited\""),
        "Slow-start threshold at the start.",
    ),
    Key::new(
        "duplicate_ack_threshold",
        Kind::Integer {
            min: 1,
            max: 1_000_000,
        },
        Is("3"),
        "Duplicate ACKs that are taken for a loss (RFC 5681 §3.2).",
    ),
    Key::new(
        "limited_transmit",
        Kind::Flag,
        Is("true"),
        "New data goes out on the first two duplicate ACKs (RFC 3042).",
    ),
    Key::new(
        "window_inflation",
        Kind::Flag,
        Is("true"),
        "Duplicate ACKs inflate the window in fast recovery (RFC 5681 §3.2); false, with new-reno: the \
         sender waits until its retransmission is acknowledged.",
    ),
    Key::new(
        "tail_loss_probe",
        Kind::Flag,
        Is("true"),
        "With recovery = \"rack\": after two round trips without an ACK one packet leaves, whose ACK tells \
         what the end of a flight missed (RFC 8985 §7).",
    ),
    Key::new(
        "accurate_ecn",
        Kind::Flag,
        Is("false"),
        "With ecn: an ACK echoes whether what it answers was marked (RFC 8257 §3.2), instead of all ACKs \
         until the sender has reduced.",
    ),
    Key::new(
        "timestamps",
        Kind::Flag,
        Is("true"),
        "A round-trip sample from every ACK (RFC 7323); else one for each window, with Karn's rule.",
    ),
    Key::new(
        "karn",
        Kind::Flag,
        Is("false"),
        "Karn's rule with timestamps too: no sample from an ACK that a retransmission triggered.",
    ),
    Key::new(
        "spurious",
        Kind::Choice(SPURIOUS),
        Is("\"ignore\""),
        "How retransmissions without cause are found, which are then undone (RFC 4015). Not with \
         compat = \"ns-2\".",
    ),
    Key::new(
        "d_sack",
        Kind::Flag,
        Otherwise("true with spurious = \"d-sack\" and with recovery = \"rack\""),
        "The receiver's ACKs report packets that arrive a second time (RFC 2883), with and without \
         SACK. Not with compat = \"ns-2\".",
    ),
    Key::new(
        "threshold_adaptation",
        Kind::Choice(THRESHOLD_ADAPTATION),
        Is("\"fixed\""),
        "How duplicate_ack_threshold rises with each fast retransmit that `spurious` (eifel, d-sack) \
         finds to have had no cause, up to the packets out but one. A timeout that had one takes it back.",
    ),
    Key::new(
        "max_burst",
        Kind::WindowOrUnlimited,
        Is("\"unlimited\""),
        "Most packets that one ACK lets out.",
    ),
    Key::new(
        "rto",
        Kind::Table(&RTO),
        Is("{}"),
        "The retransmission timer (RFC 6298).",
    ),
    Key::new(
        "compat",
        Kind::Choice(COMPAT),
        Is("\"rfc\""),
        "Whose TCP: that of the RFCs, or the agents of ns-2.35 with their own arithmetic of the \
         window for `reno`, `gaimd` and `vegas`. Other keys keep their values.",
    ),
];

/// The retransmission timer.
pub const RTO: Table = Table::new(
    "rto",
    "The retransmission timer: max(minimum, srtt + max(granularity, k × rttvar)).",
    &[
        Key::new(
            "initial",
            OVER_ZERO,
            Is("\"1 s\""),
            "Before the first sample (RFC 6298 §2.1).",
        ),
        Key::new(
            "minimum",
            ZERO_OR_MORE,
            Is("\"1 s\""),
            "Never shorter (RFC 6298 §2.4).",
        ),
        Key::new(
            "maximum",
            OVER_ZERO,
            Is("\"60 s\""),
            "Never longer (RFC 6298 §2.5).",
        ),
        Key::new(
            "granularity",
            OVER_ZERO,
            Is("\"1 ms\""),
            "Clock tick by which round trips are measured (RFC 6298 §4).",
        ),
        Key::new(
            "phase",
            ZERO_OR_MORE,
            Is("\"0 s\""),
            "Where within a tick the clock stands at the start. Used with compat = \"ns-2\" and \
             without timestamps, where a round trip counts the ticks that it spans.",
        ),
        Key::new(
            "k",
            Kind::Integer { min: 0, max: 1_000 },
            Is("4"),
            "Variations added to the smoothed round trip (RFC 6298 §2.2).",
        ),
        Key::new(
            "arithmetic",
            Kind::Choice(RTO_ARITHMETIC),
            Otherwise("as `compat`: rfc, or ticks with ns-2"),
            "How it is computed.",
        ),
    ],
);

/// How retransmissions without cause are found.
pub const SPURIOUS: &[Word] = &[
    Word {
        name: "ignore",
        doc: "They are not.",
        source: "",
    },
    Word {
        name: "eifel",
        doc: "By the timestamp that the next ACK echoes; needs timestamps.",
        source: "RFC 3522",
    },
    Word {
        name: "f-rto",
        doc: "After a timeout, by two ACKs in a row that advance.",
        source: "RFC 5682 §2.1",
    },
    Word {
        name: "d-sack",
        doc: "By the receiver's reports that all packets sent again arrived twice; needs d_sack.",
        source: "RFC 3708 §3.3",
    },
];

/// How the threshold D follows the reordering that is seen.
pub const THRESHOLD_ADAPTATION: &[Word] = &[
    Word {
        name: "fixed",
        doc: "It does not.",
        source: "",
    },
    Word {
        name: "increment",
        doc: "One higher each time.",
        source: BLANTON_ALLMAN,
    },
    Word {
        name: "average",
        doc: "Half of the way to what the reordering would have needed.",
        source: BLANTON_ALLMAN,
    },
    Word {
        name: "ewma",
        doc: "A quarter of the way: an exponentially weighted moving average.",
        source: BLANTON_ALLMAN,
    },
];

const BLANTON_ALLMAN: &str =
    "Blanton and Allman, On Making TCP More Robust to Packet Reordering, 2002";

/// How the retransmission timeout is computed.
pub const RTO_ARITHMETIC: &[Word] = &[
    Word {
        name: "rfc",
        doc: "srtt + max(granularity, k × rttvar), in real numbers.",
        source: "RFC 6298 §2",
    },
    Word {
        name: "without-floor",
        doc: "srtt + k × rttvar, in real numbers: on a steady path the timeout comes down to the \
              round trip.",
        source: "Jacobson, Congestion Avoidance and Control, 1988",
    },
    Word {
        name: "ticks",
        doc: "Whole ticks, srtt in eighths and rttvar in quarters; rttvar stalls at up to three \
              quarters of a tick.",
        source: "4.3BSD, as in ns-2.35",
    },
];

/// The key of a controller table that names it.
pub const CONTROLLER_NAME: &str = "name";

/// The parameter of controllers that says whose arithmetic they follow.
pub const READING: &str = "reading";

/// Its value for ns-2's, which `compat = "ns-2"` chooses unless another is given.
pub const NS2_READING: &str = "ns-2";

/// Ways to find and repair losses.
pub const RECOVERY: &[Word] = &[
    Word {
        name: "old-tahoe",
        doc: "Timeouts only, then slow start from the first unacknowledged packet.",
        source: "Jacobson, Congestion Avoidance and Control, 1988, without fast retransmit",
    },
    Word {
        name: "tahoe",
        doc: "Fast retransmit, then slow start.",
        source: "Jacobson, 1988; Fall and Floyd, 1996",
    },
    Word {
        name: "reno",
        doc: "Fast retransmit and fast recovery, ended by the first new ACK.",
        source: "RFC 2581 §3.2",
    },
    Word {
        name: "new-reno",
        doc: "Fast recovery that stays until all losses of a window are repaired.",
        source: "RFC 6582",
    },
    Word {
        name: "sack",
        doc: "Selective acknowledgements: repairs what is known to be missing.",
        source: "RFC 6675",
    },
    Word {
        name: "vegas",
        doc: "As reno, and already on the first duplicate ACK where the oldest packet is overdue by \
              a fine clock.",
        source: "Brakmo and Peterson, TCP Vegas, 1995, §III.A",
    },
    Word {
        name: "rack",
        doc: "As sack, but by the clock: lost is what is overdue when a packet sent later has arrived \
              (how long it may take adapts, see d_sack), and a probe tells of a lost tail.",
        source: "RFC 8985",
    },
    Word {
        name: "genie",
        doc: "As reno, but told what the network lost: late packets are never taken for lost ones. \
              A reference.",
        source: "Abouzeid and Roy, TCP in Networks with Abrupt Delay Variations and Random Loss, 2003",
    },
];

/// Whose habits to follow.
pub const COMPAT: &[Word] = &[
    Word {
        name: "rfc",
        doc: "The RFCs'.",
        source: "",
    },
    Word {
        name: "ns-2",
        doc: "Those of ns-2.35 where they differ from the RFCs.",
        source: "ns-2.35",
    },
];

/// Which way data goes.
pub const DIRECTION: &[Word] = &[
    Word {
        name: "forward",
        doc: "Along the bottleneck or the row of hops.",
        source: "",
    },
    Word {
        name: "reverse",
        doc: "Against it.",
        source: "",
    },
];

/// Applications.
pub const APPLICATION: Tagged = Tagged {
    name: "application",
    tag: "kind",
    variants: &[
        Variant {
            name: "bulk",
            doc: "Always has data to send.",
            source: "",
            keys: &[],
        },
        Variant {
            name: "cbr",
            doc: "Sends at a constant rate.",
            source: "",
            keys: &[
                APPLICATION_RATE,
                Key::new(
                    "playback_buffer",
                    Kind::Bytes {
                        min: 1,
                        max: 1_000_000_000_000,
                    },
                    Otherwise("no player"),
                    "TCP only: a player at the receiver takes data at the rate, and holds this much at most. \
                     A read each time a full buffer would be played out succeeds with more than 70 % \
                     of it newly arrived (Zhang and Tsaoussidis §4.2).",
                ),
            ],
        },
        Variant {
            name: "on-off",
            doc: "Sends at a constant rate during on-times, nothing during off-times; begins with an on-time.",
            source: "",
            keys: &[
                APPLICATION_RATE,
                Key::new(
                    "on",
                    Kind::Distribution(Least::OverZero, Draw::Other),
                    REQUIRED,
                    "How long each on-time lasts.",
                ),
                Key::new(
                    "off",
                    Kind::Distribution(Least::OverZero, Draw::Other),
                    REQUIRED,
                    "How long each off-time lasts.",
                ),
            ],
        },
    ],
    common: &[],
};

const APPLICATION_RATE: Key = Key::new(
    "rate",
    Kind::Rate,
    REQUIRED,
    "Rate of what is sent: on the wire for udp, else payload.",
);
