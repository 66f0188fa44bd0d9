//! A controller that passes everything on to another one, and holds what it is told against itself.

use std::sync::{Arc, Mutex};

use controllers::{Ack, Congestion, CongestionController, Episode, Limits, Sent, Signal};
use transport::{SenderConfig, SpuriousDetection};
use units::{Bytes, Rate, Time};

/// What was told so far.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) acked: Bytes,
    pub(crate) delivered: Bytes,
    /// By signals.
    pub(crate) lost: Bytes,
    /// By ACKs.
    pub(crate) newly_lost: Bytes,
    pub(crate) sent: Bytes,
    /// ACKs that only selected.
    pub(crate) selections: u64,
    pub(crate) samples: u64,
    pub(crate) fastest: Rate,
    pub(crate) marks: u64,
    pub(crate) echoes: u64,
    now: Time,
    inside_episode: bool,
}

/// The law under audit.
#[derive(Clone, Debug)]
pub(crate) struct Audit {
    law: Box<dyn CongestionController>,
    tally: Arc<Mutex<Tally>>,
    rate_samples: bool,
    doubts: bool,
}

impl Audit {
    pub(crate) fn new(law: Box<dyn CongestionController>, config: &SenderConfig) -> Self {
        Self {
            law,
            tally: Arc::default(),
            rate_samples: config.properties.rate_samples,
            doubts: config.spurious != SpuriousDetection::Ignore,
        }
    }

    pub(crate) fn tally(&self) -> Arc<Mutex<Tally>> {
        Arc::clone(&self.tally)
    }
}

impl CongestionController for Audit {
    fn limits(&self) -> Limits {
        self.law.limits()
    }

    fn on_sent(&mut self, sent: &Sent) -> bool {
        let mut tally = self.tally.lock().unwrap();
        tally.sent += sent.size;
        tally.now = tally.now.max(sent.packet.sent_at);
        assert!(sent.in_flight >= sent.size, "{sent:?}");
        self.law.on_sent(sent)
    }

    fn on_ack(&mut self, ack: &Ack) {
        let mut tally = self.tally.lock().unwrap();
        assert!(ack.now >= tally.now, "{ack:?}");
        tally.now = ack.now;
        tally.acked += ack.acked;
        tally.delivered += ack.newly_delivered;
        tally.newly_lost += ack.newly_lost;
        tally.selections += u64::from(ack.acked == Bytes::ZERO);
        tally.marks += ack.ecn_ce;
        assert_eq!(ack.delivered_total, tally.delivered, "{ack:?}");
        assert_eq!(tally.newly_lost, tally.lost, "{ack:?}");
        assert!(tally.delivered >= tally.acked, "{ack:?}");
        assert!(ack.delivered_total <= tally.sent, "{ack:?}");
        if ack.acked == Bytes::ZERO {
            assert!(ack.newly_delivered > Bytes::ZERO, "no news: {ack:?}");
            assert_eq!(ack.rtt, None, "of which packet? {ack:?}");
        }
        if let Some(sample) = ack.delivered {
            tally.samples += 1;
            tally.fastest = tally.fastest.max(sample.rate());
            assert!(self.rate_samples, "nobody asked");
            assert!(sample.interval >= ack.min_rtt, "{ack:?}");
            assert!(sample.delivered >= ack.newly_delivered, "{ack:?}");
            let before = ack.delivered_total - sample.delivered;
            assert_eq!(sample.prior_delivered, before, "{ack:?}");
            assert!(sample.lost <= tally.lost, "{ack:?}");
        }
        self.law.on_ack(ack);
    }

    fn on_congestion(&mut self, congestion: &Congestion) {
        let mut tally = self.tally.lock().unwrap();
        assert!(congestion.now >= tally.now, "{congestion:?}");
        tally.lost += congestion.lost;
        tally.echoes += u64::from(congestion.signal == Signal::EcnEcho);
        assert_eq!(congestion.lost_total, tally.lost, "{congestion:?}");
        // What is taken back, or put off by F-RTO, may be lost once more without being sent again.
        assert!(self.doubts || tally.lost <= tally.sent, "{congestion:?}");
        if congestion.signal == Signal::Loss && congestion.episode == Episode::Continues {
            assert!(tally.inside_episode, "{congestion:?}");
        }
        tally.inside_episode = true;
        let told = congestion.sent.is_some();
        let expected = self.rate_samples && congestion.lost > Bytes::ZERO;
        assert_eq!(told, expected, "{congestion:?}");
        if let Some(sent) = congestion.sent {
            assert!(sent.lost < congestion.lost_total, "{congestion:?}");
            assert_eq!(sent.packet.number, congestion.newest.number);
        }
        self.law.on_congestion(congestion);
    }

    fn on_spurious_congestion(&mut self) {
        assert!(
            self.doubts,
            "nothing looks for retransmissions without cause"
        );
        self.law.on_spurious_congestion();
    }

    fn variables(&self, visit: &mut dyn FnMut(&'static str, f64)) {
        self.law.variables(visit);
    }
}
