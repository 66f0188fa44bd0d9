//! Keys of `[[flows]]`.

use std::borrow::Cow;

use units::choice::{self, Choice, Kind, Parameter, Table, Value, Word};
use units::{Bytes, Duration, Packets};

use super::{
    Family, LENGTH_EACH, LENGTH_OVER_ZERO, RATE_OR_UNLIMITED, TFRC, TFWC, WINDOW_OR_UNLIMITED,
};

/// A group of flows: `protocol` says which keys it has beside the common ones.
pub const FLOW: Family = Family {
    name: "group of flows",
    tag: "protocol",
    choices: Cow::Borrowed(&[
        Choice {
            name: "tcp",
            doc: "Reliable and in order; a congestion controller sets its window.",
            source: "RFC 9293, RFC 5681, RFC 6298",
            keys: TCP,
            rule: choice::any,
        },
        Choice {
            name: "udp",
            doc: "Datagrams as the application gives them; nothing is repeated.",
            source: "RFC 768",
            keys: &[],
            rule: choice::any,
        },
        Choice {
            name: "tfrc",
            doc: "Datagrams at a rate that follows the loss event rate; nothing is repeated.",
            source: "RFC 5348",
            keys: TFRC,
            rule: choice::any,
        },
        Choice {
            name: "tfwc",
            doc: "Datagrams within a window, acknowledged by an ACK vector; nothing is repeated.",
            source: "Choi, TCP-Friendly Window-based Congestion Control, UCL 2006",
            keys: TFWC,
            rule: choice::any,
        },
    ]),
    common: &[
        Parameter::new(
            "label",
            Kind::Name,
            Value::Otherwise("protocol, and controller of tcp: \"tcp-reno\", \"udp\""),
            "Name of the group, different from every other group's.",
        ),
        Parameter::new(
            "count",
            Kind::Integer {
                min: 1,
                max: super::super::MOST_FLOWS,
            },
            Value::Integer(1),
            "Number of flows.",
        ),
        Parameter::new(
            "application",
            Kind::OneOf("application"),
            Value::Otherwise("bulk; udp needs one with a rate"),
            "What has data to send.",
        ),
        Parameter::new(
            "packets",
            Kind::Integer {
                min: 1,
                max: 1_000_000_000_000,
            },
            Value::Otherwise("no end"),
            "Data packets that each flow transfers.",
        ),
        Parameter::new(
            "packet_size",
            Kind::Bytes {
                min: 1,
                max: 65_535,
            },
            Value::Bytes(Bytes(1_000)),
            "A full data packet on the wire, header included.",
        ),
        Parameter::new(
            "header",
            Kind::Bytes {
                min: 0,
                max: 65_534,
            },
            Value::Bytes(Bytes(40)),
            "The header's share of a packet; with tcp, the size of a packet without data too.",
        ),
        Parameter::new(
            "start",
            LENGTH_EACH,
            Value::Duration(Duration::ZERO),
            "When each flow begins. Equal start times lock flows in phase: draw them.",
        ),
        Parameter::new(
            "stop",
            Kind::DurationOverZero,
            Value::Otherwise("with the run"),
            "When the flows end.",
        ),
        Parameter::new(
            "direction",
            Kind::Words(DIRECTION),
            Value::Choice("forward"),
            "Which way the data goes. Not in a graph: there from and to say it.",
        ),
        Parameter::new(
            "from",
            Kind::Name,
            Value::Otherwise("the first hop; required in a graph"),
            "Where data enters: a node of a graph, or the first hop in a parking lot.",
        ),
        Parameter::new(
            "to",
            Kind::Name,
            Value::Otherwise("the last hop; required in a graph"),
            "Where data leaves: a node of a graph, or the last hop in a parking lot.",
        ),
        Parameter::new(
            "access",
            Kind::Table(&FLOW_ACCESS),
            Value::Otherwise("as the topology says"),
            "What is different about the access links of these flows.",
        ),
        Parameter::new(
            "dither",
            Kind::Duration,
            Value::Duration(Duration::ZERO),
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
        Parameter::new(
            "rate",
            RATE_OR_UNLIMITED,
            Value::Otherwise("as the topology says"),
            "Rate on both sides.",
        ),
        Parameter::new(
            "delay",
            LENGTH_EACH,
            Value::Otherwise("as the topology says"),
            "Delay on the sender's side, drawn for each flow.",
        ),
        Parameter::new(
            "receiver_delay",
            LENGTH_EACH,
            Value::Otherwise("as the topology says"),
            "Delay on the receiver's side, drawn for each flow.",
        ),
        Parameter::new(
            "queue",
            Kind::OneOf("queue"),
            Value::Otherwise("as the topology says"),
            "Queues on both sides.",
        ),
        Parameter::new(
            "loss",
            Kind::OneOrMore(&Kind::OneOf("loss")),
            Value::Otherwise("as the topology says"),
            "Losses of data on the sender's side.",
        ),
        Parameter::new(
            "receiver_loss",
            Kind::OneOrMore(&Kind::OneOf("loss")),
            Value::Otherwise("as the topology says"),
            "Losses of data on the receiver's side.",
        ),
    ],
);

/// The keys of TCP.
pub const TCP: &[Parameter] = &[
    Parameter::new(
        "recovery",
        Kind::Words(RECOVERY),
        Value::Choice("sack"),
        "How losses are found and repaired.",
    ),
    Parameter::new(
        "controller",
        Kind::Controller("tcp"),
        Value::Choice("reno"),
        "The congestion controller.",
    ),
    Parameter::new(
        "delayed_ack",
        Kind::DurationOverZero,
        Value::Otherwise("every packet is acknowledged"),
        "The receiver acknowledges every second packet, or after this time.",
    ),
    Parameter::new(
        "ecn",
        Kind::Flag,
        Value::Flag(false),
        "Explicit congestion notification (RFC 3168).",
    ),
    Parameter::new(
        "handshake",
        Kind::Flag,
        Value::Flag(false),
        "The connection begins with a SYN and its answer.",
    ),
    Parameter::new(
        "initial_window",
        Kind::Window,
        Value::Packets(Packets(10)),
        "Window at the start (RFC 6928 §2).",
    ),
    Parameter::new(
        "max_window",
        WINDOW_OR_UNLIMITED,
        Value::Choice("unlimited"),
        "The receiver's window: most data in flight.",
    ),
    Parameter::new(
        "initial_slow_start_threshold",
        WINDOW_OR_UNLIMITED,
        Value::Choice("unlimited"),
        "Slow-start threshold at the start.",
    ),
    Parameter::new(
        "duplicate_ack_threshold",
        Kind::Integer {
            min: 1,
            max: 1_000_000,
        },
        Value::Integer(3),
        "Duplicate ACKs that are taken for a loss (RFC 5681 §3.2).",
    ),
    Parameter::new(
        "limited_transmit",
        Kind::Flag,
        Value::Flag(true),
        "New data goes out on the first two duplicate ACKs (RFC 3042).",
    ),
    Parameter::new(
        "window_inflation",
        Kind::Flag,
        Value::Flag(true),
        "Duplicate ACKs inflate the window in fast recovery (RFC 5681 §3.2); false, with new-reno: the \
         sender waits until its retransmission is acknowledged.",
    ),
    Parameter::new(
        "pacing",
        Kind::Flag,
        Value::Flag(false),
        "Packets leave spread over the round trip, not in bursts with the ACKs, once a round trip is \
         known and ten packets have left. Not with compat = \"ns-2\".",
    ),
    Parameter::new(
        "pacing_factor",
        Kind::Number {
            min: 0.1,
            max: 100.0,
        },
        Value::Otherwise("2 below half of the slow-start threshold, else 1.2 (Linux)"),
        "With pacing: the rate, in windows for each smoothed round trip (N of RFC 9002 §7.7).",
    ),
    Parameter::new(
        "tail_loss_probe",
        Kind::Flag,
        Value::Flag(true),
        "With recovery = \"rack\": after two round trips without an ACK one packet leaves, whose ACK tells \
         what the end of a flight missed (RFC 8985 §7).",
    ),
    Parameter::new(
        "accurate_ecn",
        Kind::Flag,
        Value::Flag(false),
        "With ecn: an ACK echoes whether what it answers was marked (RFC 8257 §3.2), instead of all ACKs \
         until the sender has reduced.",
    ),
    Parameter::new(
        "timestamps",
        Kind::Flag,
        Value::Flag(true),
        "A round-trip sample from every ACK (RFC 7323); else one for each window, with Karn's rule.",
    ),
    Parameter::new(
        "karn",
        Kind::Flag,
        Value::Flag(false),
        "Karn's rule with timestamps too: no sample from an ACK that a retransmission triggered.",
    ),
    Parameter::new(
        "spurious",
        Kind::Words(SPURIOUS),
        Value::Choice("ignore"),
        "How retransmissions without cause are found, which are then undone (RFC 4015). Not with \
         compat = \"ns-2\".",
    ),
    Parameter::new(
        "d_sack",
        Kind::Flag,
        Value::Otherwise("true with spurious = \"d-sack\" and with recovery = \"rack\""),
        "The receiver's ACKs report packets that arrive a second time (RFC 2883), with and without \
         SACK. Not with compat = \"ns-2\".",
    ),
    Parameter::new(
        "threshold_adaptation",
        Kind::Words(THRESHOLD_ADAPTATION),
        Value::Choice("fixed"),
        "How duplicate_ack_threshold rises with each fast retransmit that `spurious` (eifel, d-sack) \
         finds to have had no cause, up to the packets out but one. A timeout that had one takes it back.",
    ),
    Parameter::new(
        "max_burst",
        WINDOW_OR_UNLIMITED,
        Value::Choice("unlimited"),
        "Most packets that one ACK lets out.",
    ),
    Parameter::new(
        "rto",
        Kind::Table(&RTO),
        Value::Empty,
        "The retransmission timer (RFC 6298).",
    ),
    Parameter::new(
        "compat",
        Kind::Words(COMPAT),
        Value::Choice("rfc"),
        "Whose TCP: that of the RFCs, or the agents of ns-2.35 with their own arithmetic of the \
         window for `reno`, `gaimd` and `vegas`. Other keys keep their values.",
    ),
];

/// The retransmission timer.
pub const RTO: Table = Table::new(
    "rto",
    "The retransmission timer: max(minimum, srtt + max(granularity, k × rttvar)).",
    &[
        Parameter::new(
            "initial",
            Kind::DurationOverZero,
            Value::Duration(Duration::from_secs(1)),
            "Before the first sample (RFC 6298 §2.1).",
        ),
        Parameter::new(
            "minimum",
            Kind::Duration,
            Value::Duration(Duration::from_secs(1)),
            "Never shorter (RFC 6298 §2.4).",
        ),
        Parameter::new(
            "maximum",
            Kind::DurationOverZero,
            Value::Duration(Duration::from_secs(60)),
            "Never longer (RFC 6298 §2.5).",
        ),
        Parameter::new(
            "granularity",
            Kind::DurationOverZero,
            Value::Duration(Duration::from_millis(1)),
            "Clock tick by which round trips are measured (RFC 6298 §4).",
        ),
        Parameter::new(
            "phase",
            Kind::Duration,
            Value::Duration(Duration::ZERO),
            "Where within a tick the clock stands at the start. Used with compat = \"ns-2\" and \
             without timestamps, where a round trip counts the ticks that it spans.",
        ),
        Parameter::new(
            "k",
            Kind::Integer { min: 0, max: 1_000 },
            Value::Integer(4),
            "Variations added to the smoothed round trip (RFC 6298 §2.2).",
        ),
        Parameter::new(
            "arithmetic",
            Kind::Words(RTO_ARITHMETIC),
            Value::Otherwise("as `compat`: rfc, or ticks with ns-2"),
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
pub const APPLICATION: Family = Family {
    name: "application",
    tag: "kind",
    choices: Cow::Borrowed(&[
        Choice {
            name: "bulk",
            doc: "Always has data to send.",
            source: "",
            keys: &[],
            rule: choice::any,
        },
        Choice {
            name: "cbr",
            doc: "Sends at a constant rate.",
            source: "",
            keys: &[
                APPLICATION_RATE,
                Parameter::new(
                    "playback_buffer",
                    Kind::Bytes {
                        min: 1,
                        max: 1_000_000_000_000,
                    },
                    Value::Otherwise("no player"),
                    "TCP only: a player at the receiver takes data at the rate, and holds this much at most. \
                     A read each time a full buffer would be played out succeeds with more than 70 % \
                     of it newly arrived (Zhang and Tsaoussidis §4.2).",
                ),
            ],
            rule: choice::any,
        },
        Choice {
            name: "on-off",
            doc: "Sends at a constant rate during on-times, nothing during off-times; begins with an on-time.",
            source: "",
            keys: &[
                APPLICATION_RATE,
                Parameter::new(
                    "on",
                    LENGTH_OVER_ZERO,
                    Value::Required,
                    "How long each on-time lasts.",
                ),
                Parameter::new(
                    "off",
                    LENGTH_OVER_ZERO,
                    Value::Required,
                    "How long each off-time lasts.",
                ),
            ],
            rule: choice::any,
        },
    ]),
    common: &[],
};

const APPLICATION_RATE: Parameter = Parameter::new(
    "rate",
    Kind::Rate,
    Value::Required,
    "Rate of what is sent: on the wire for udp, else payload.",
);
