//! Who gets what: TFRC against TFWC, mixed traffic, packets of other sizes.

use super::{because, place};
use crate::claim::{Claim, Quantity};
use crate::rules::{self, judged};
use crate::tfwc::measure::within;
use crate::tfwc::setting::{Media, QUEUES};
use crate::tfwc::{alone, mixed, packet_size};

/// C.1.3 plans the comparison.
pub(in crate::tfwc) const EVEN: Claim = Claim {
    id: "alone-even",
    figures: &["alone"],
    statement: "TFRC and TFWC share a bottleneck evenly: both follow the same equation. (Planned in the \
                report, without a result.)",
    paper: Quantity::words("0.5 expected"),
    unit: "",
    rule: "As for fairness to TCP: at a place (reading of TFRC, queue, number of flows) it holds if the \
           mean of TFWC's part over the bandwidths lies within 0.4 to 0.6, its whole interval. At all \
           twelve: reproduced; at half or more: partly. Ours is that mean with RFC 5348, drop-tail and \
           four of each.",
    judge: |evidence| {
        let data = evidence.figure("alone");
        let part = |tfrc: Media, queue, each| {
            let parts: Vec<_> = data
                .numbers("mbps")
                .into_iter()
                .map(|mbps| data.samples(&alone::key(tfrc, queue, each, mbps), alone::PART))
                .collect();
            super::mean(&parts)
        };
        let mut places = Vec::new();
        for tfrc in alone::TFRC {
            for queue in QUEUES {
                for each in alone::EACH {
                    let part = part(tfrc, queue, each);
                    let label = format!("{}, {queue}, {each} of each", tfrc.name());
                    places.push(place(label, within(&part, 0.4, 0.6), &part, ""));
                }
            }
        }
        let ours = part(alone::TFRC[0], QUEUES[0], alone::EACH[1]);
        because(judged(&places, ours.estimate()), &places, SMALL_WINDOWS)
    },
};

/// Chapter 4 of the thesis outline plans mixed traffic.
pub(in crate::tfwc) const MIXED: Claim = Claim {
    id: "mixed-fair",
    figures: &["mixed"],
    statement: "TCP, TFRC and TFWC together get a fair share each. (Planned in the report, without a \
                result.)",
    paper: Quantity::words("fair shares expected"),
    unit: "",
    rule: "At a place (queue, bandwidth) it holds if each of the three has from 0.8 to 1.2 of its fair \
           share, its whole interval; a share θ of 0.4 to 0.6 between two is the same. At all places: \
           reproduced; at half or more: partly. Ours is the share of TCP with drop-tail at the lowest \
           bandwidth.",
    judge: |evidence| {
        let data = evidence.figure("mixed");
        let shares_of = |variant, queue, mbps, media| {
            data.samples(&mixed::key(variant, queue, mbps), &mixed::share(media))
        };
        let [(as_is, _), others @ ..] = mixed::VARIANTS;
        let mut places = Vec::new();
        let mut ours = None;
        for queue in QUEUES {
            for mbps in data.numbers("mbps") {
                let shares = mixed::MEDIA.map(|media| shares_of(as_is, queue, mbps, media));
                let answers = shares.iter().map(|share| within(share, 0.8, 1.2));
                let label = format!("{queue}, {mbps} Mb/s");
                let mut place = place(label, rules::all(answers), &shares[0], "");
                let found = mixed::MEDIA.iter().zip(&shares).map(|(media, share)| {
                    format!("{} {}", media.name(), rules::shown(share.estimate(), ""))
                });
                place.found = found.collect::<Vec<_>>().join(", ");
                places.push(place);
                ours = ours.or_else(|| shares[0].estimate());
            }
        }
        let share = |variant| {
            let share = shares_of(variant, QUEUES[0], 2.0, Media::Tfwc);
            rules::shown(share.estimate(), "")
        };
        let others = others.map(|(variant, _)| format!("{variant}: {}", share(variant)));
        let why = format!(
            "{SMALL_WINDOWS} TFWC's share with drop-tail and 2 Mb/s is {}; {}.",
            share(as_is),
            others.join("; ")
        );
        because(judged(&places, ours), &places, &why)
    },
};

/// §7.2 leaves other sizes to the future; eq. 4.4 has a window in packets.
pub(in crate::tfwc) const PACKET_SIZE: Claim = Claim {
    id: "packet-size",
    figures: &["packet-size"],
    statement: "A media flow's number of packets does not depend on their size, since the window of the \
                equation (4.4) counts packets: smaller packets mean proportionally less. (The report \
                assumes one size.)",
    paper: Quantity::words("packets as with 1000 B"),
    unit: "",
    rule: "At a place (TFRC or TFWC; drop-tail or RED, counting packets; a size other than 1000 B) it \
           holds if the packets of a flow over those of a TCP flow are from 0.8 to 1.25 times what they \
           are with 1000 B, the whole interval of the ratio. At all places: reproduced; at half or more: \
           partly. Ours is that ratio of TFWC with drop-tail and the smallest packets.",
    judge: |evidence| {
        let data = evidence.figure("packet-size");
        let ratio = |media, queue, size| {
            let of = |size| {
                let key = packet_size::key(media, queue, packet_size::label(size));
                data.samples(&key, &packet_size::packets(size))
            };
            of(size).over(&of(packet_size::EQUAL))
        };
        let mut places = Vec::new();
        for media in [Media::Tfrc, Media::Tfwc] {
            for queue in &packet_size::QUEUES[..2] {
                for size in packet_size::SIZES {
                    let ratio = ratio(media, queue, size);
                    // The quick form has not all sizes.
                    if size != packet_size::EQUAL && !ratio.0.is_empty() {
                        let label = format!("{}, {queue}, {size} B", media.name());
                        places.push(place(label, within(&ratio, 0.8, 1.25), &ratio, ""));
                    }
                }
            }
        }
        let ours = ratio(Media::Tfwc, packet_size::QUEUES[0], packet_size::SIZES[0]);
        let smallest = packet_size::SIZES[0];
        let lost = |media: Media, queue| {
            let key = packet_size::key(media, queue, packet_size::label(smallest));
            let of = |name: &str| rules::shown(data.samples(&key, name).estimate(), "");
            format!(
                "{} {}, TCP's {}",
                media.name(),
                of(&packet_size::loss(smallest)),
                of(packet_size::LOSS_OF_TCP)
            )
        };
        let [drop_tail, red, ..] = packet_size::QUEUES;
        let why = format!(
            "It is the queue, not the equation: small packets that ACKs clock out leave close behind each \
             other, and a full queue refuses more of them; those of TCP too. Loss rates of packets of \
             {smallest} B with {drop_tail}: {}; {}; {}. With {red}: {}.",
            lost(Media::Tfwc, drop_tail),
            lost(Media::Tcp, drop_tail),
            lost(Media::Tfrc, drop_tail),
            lost(Media::Tfwc, red),
        );
        because(judged(&places, ours.estimate()), &places, &why)
    },
};

/// Round trip and full queue of Figure 6.7 hold 2 × 22 ms of the bottleneck, 5.5 packets for each Mb/s:
/// two for each of n flows at n / 2.75 Mb/s.
const SMALL_WINDOWS: &str = "It is uneven where a fair share is less than about two packets in a round \
    trip, which is so for eight flows below 3 Mb/s, for twelve below 4.4, for 32 below 12. There TFWC sends on \
    by its timer, which never backs off.";
