//! What a run records beside its totals.

/// Series and events of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recording {
    /// State of each flow at each sample.
    pub flows: Vec<FlowSample>,
    /// State of each link at each sample.
    pub links: Vec<LinkSample>,
    /// The controllers' and queues' own variables at each sample.
    pub variables: Vec<VariableSample>,
    /// Every send, receive, drop, mark and ACK.
    pub events: Vec<Event>,
}

/// A flow at an instant. Rates are means since the sample before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlowSample {
    /// When.
    pub time_s: f64,
    /// Number of the flow.
    pub flow: u32,
    /// Congestion window; none for a flow without a controller.
    pub window_packets: Option<f64>,
    /// Slow-start threshold; none where there is none.
    pub slow_start_threshold_packets: Option<f64>,
    /// Data in flight.
    pub in_flight_packets: f64,
    /// Last round trip measured.
    pub rtt_s: Option<f64>,
    /// Smoothed round trip.
    pub smoothed_rtt_s: Option<f64>,
    /// Retransmission timeout.
    pub rto_s: Option<f64>,
    /// Highest segment acknowledged in order.
    pub acknowledged_packets: u64,
    /// Source quenches that reached the sender so far.
    pub source_quenches: u64,
    /// New payload at the receiver, in order.
    pub goodput_bps: f64,
    /// New payload at the receiver, in order or not: smoother than goodput, which stands still while
    /// a packet is missing and leaps when it comes.
    pub delivery_rate_bps: f64,
    /// All data sent, headers included.
    pub throughput_bps: f64,
}

/// A link at an instant. Rates are means since the sample before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkSample {
    /// When.
    pub time_s: f64,
    /// Number of the link in the summary.
    pub link: u32,
    /// Packets waiting, without the one being sent.
    pub queue_packets: u64,
    /// Their bytes.
    pub queue_bytes: u64,
    /// Packets that reached the link so far.
    pub packets_in: u64,
    /// Packets refused by the queue so far.
    pub drops: u64,
    /// Packets marked so far.
    pub marks: u64,
    /// Packets taken by loss models so far.
    pub lost: u64,
    /// Source quenches sent so far.
    pub source_quenches: u64,
    /// Rate at which packets left, lost ones not counted.
    pub throughput_bps: f64,
}

/// A named variable at an instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VariableSample {
    /// When.
    pub time_s: f64,
    /// Number of the flow, for a controller's variable.
    pub flow: Option<u32>,
    /// Number of the link in the summary, for a queue's variable.
    pub link: Option<u32>,
    /// Its name.
    pub name: &'static str,
    /// Its value.
    pub value: f64,
}

/// Something that happened to a packet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Event {
    /// When, in picoseconds.
    pub time_ps: u64,
    /// Number of the flow.
    pub flow: u32,
    /// What.
    pub kind: EventKind,
    /// Number of the data packet; for an ACK, of the next packet expected.
    pub packet_number: u64,
    /// Where, for what happens on a link: its number in the summary.
    pub link: Option<u32>,
    /// The sender's window at that time, for what happens at the sender.
    pub window_packets: Option<f64>,
}

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// The sender sent a data packet.
    Send,
    /// A data packet reached the receiver.
    Receive,
    /// A queue refused a packet.
    Drop,
    /// A loss model took a packet.
    Lost,
    /// A queue set the CE mark.
    Mark,
    /// An acknowledgement reached the sender.
    Ack,
    /// A source quench reached the sender.
    SourceQuench,
}

impl EventKind {
    /// Its name in the table.
    pub fn name(self) -> &'static str {
        match self {
            Self::Send => "send",
            Self::Receive => "receive",
            Self::Drop => "drop",
            Self::Lost => "lost",
            Self::Mark => "mark",
            Self::Ack => "ack",
            Self::SourceQuench => "source-quench",
        }
    }
}
