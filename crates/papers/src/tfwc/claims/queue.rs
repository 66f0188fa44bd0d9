//! Queue dynamics.

use super::place;
use crate::claim::{Claim, Quantity};
use crate::rules::{self, judged};
use crate::tfwc::queue;
use crate::tfwc::setting::QUEUES;

/// §6.3: "a little bit bulky".
pub(in crate::tfwc) const BULKY: Claim = Claim {
    id: "queue-bulky",
    figures: &["queue"],
    statement: "At RED the queue of TFWC is bulkier than that of TFRC: its sources fill what has drained.",
    paper: Quantity::words("a little bulkier (no numbers)"),
    unit: "packets",
    rule: "With RED it holds at a mix (by itself, beside as much TCP) if the deviation of the number of \
           packets waiting is greater with TFWC than with TFRC, the interval of the difference excluding \
           zero. At both: reproduced; at one: partly. Ours is the difference by itself.",
    judge: |evidence| {
        let data = evidence.figure("queue");
        let more = |tfwc, tfrc| {
            let of = |mix| data.samples(&queue::key(mix, QUEUES[1]), queue::DEVIATION);
            of(tfwc).less(&of(tfrc))
        };
        let alone = more("TFWC", "TFRC");
        let beside = more("TCP + TFWC", "TCP + TFRC");
        let places = [("by itself", &alone), ("beside TCP", &beside)]
            .map(|(label, more)| place(label.to_owned(), rules::above(more, 0.0), more, "packets"));
        judged(&places, alone.estimate())
    },
};
