use proptest::prelude::*;

use super::*;

fn block(start: u64, end: u64) -> SackBlock {
    SackBlock { start, end }
}

/// Segments 0 to 9 are out; 0 and 4 were lost, the rest arrives in order. D = 3.
#[test]
fn a_segment_is_lost_when_three_above_it_are_sacked() {
    let mut board = Scoreboard::new(3);
    assert_eq!(board.sack(block(1, 2), 10), 1);
    assert_eq!(board.sack(block(1, 3), 10), 1);
    assert!(!board.is_lost(0));
    assert_eq!(board.pipe(10), 8); // 10 − 2 SACKed
    board.sack(block(1, 4), 10);
    assert!(board.is_lost(0));
    assert_eq!(board.pipe(10), 6); // 10 − 3 SACKed − 1 lost
    board.sack(block(5, 6), 10);
    board.sack(block(5, 7), 10);
    assert!(!board.is_lost(4)); // 5 and 6 above it
    board.sack(block(5, 8), 10);
    assert!(board.is_lost(4));
    assert!(!board.is_lost(5) && !board.is_lost(8));
    assert_eq!(board.pipe(10), 2); // 10 − 6 SACKed − 2 lost: 8 and 9
}

/// The same, through `NextSeg`: first the lost ones, then new data, then what may be lost, then
/// the rescue.
#[test]
fn next_segment_goes_through_the_four_rules() {
    let mut board = Scoreboard::new(3);
    for end in [2, 3, 4] {
        board.sack(block(1, end), 10);
    }
    board.begin_recovery(); // retransmits 0
    assert_eq!(board.pipe(10), 7); // 10 − 3 SACKed − 1 lost + 1 retransmitted
    // Nothing more is lost. New data if there is any; without, and with nothing SACKed above
    // the rest, no hole is known; a rescue needs a partial ACK first.
    assert_eq!(board.next_segment(10, true), Some(NextSegment::New));
    assert_eq!(board.next_segment(10, false), None);
    // 6 arrives: 4 and 5 may be lost.
    board.sack(block(6, 7), 10);
    assert_eq!(board.next_segment(10, true), Some(NextSegment::New));
    let maybe = NextSegment::Retransmission(4);
    assert_eq!(board.next_segment(10, false), Some(maybe));
    // 7 and 8 arrive: now they are lost, and go before new data.
    board.sack(block(6, 9), 10);
    assert_eq!(board.next_segment(10, true), Some(maybe));
    board.on_sent(maybe, 10);
    let next = NextSegment::Retransmission(5);
    assert_eq!(board.next_segment(10, true), Some(next));
    board.on_sent(next, 10);
    assert_eq!(board.next_segment(10, true), Some(NextSegment::New));
    // Out are the retransmissions of 0, 4 and 5, and 9.
    assert_eq!(board.pipe(10), 4);
    // 0 and 4 arrive. With nothing else to send, the last unSACKed segment is sent again, once.
    assert_eq!(board.acknowledge(5), 3);
    assert_eq!(board.pipe(10), 2);
    let rescue = NextSegment::Rescue(9);
    assert_eq!(board.next_segment(10, false), Some(rescue));
    board.on_sent(rescue, 10);
    assert_eq!(board.next_segment(10, false), None);
}

/// Rule 4 asks for an ACK beyond the last retransmission, not just up to it.
#[test]
fn the_ack_of_the_first_retransmission_brings_no_rescue() {
    let mut board = Scoreboard::new(3);
    board.sack(block(2, 5), 10);
    board.begin_recovery(); // 0
    board.on_sent(NextSegment::Retransmission(1), 10);
    board.acknowledge(1);
    assert_eq!(board.next_segment(10, false), None);
    board.acknowledge(5);
    assert_eq!(board.next_segment(10, false), Some(NextSegment::Rescue(9)));
}

#[test]
fn blocks_outside_the_window_count_as_what_they_cover_of_it() {
    let mut board = Scoreboard::new(3);
    board.pass(5);
    assert_eq!(board.sack(block(0, 5), 10), 0); // old
    assert_eq!(board.sack(block(10, u64::MAX), 10), 0); // never sent
    assert_eq!(board.sack(block(9, 7), 10), 0); // reversed
    assert_eq!(board.sack(block(0, u64::MAX), 10), 5);
    assert_eq!(board.pipe(10), 0);
}

#[test]
fn a_timeout_forgets_what_was_sacked() {
    let mut board = Scoreboard::new(3);
    board.sack(block(1, 5), 10);
    board.begin_recovery();
    board.forget(10);
    assert_eq!(board.pipe(10), 10);
    assert!(!board.is_lost(0));
}

/// RFC 6675 §4 word for word, over a plain list of segments.
struct ByTheBook {
    una: u64,
    high: u64,
    sacked: Vec<u64>,
    high_rxt: Option<u64>,
}

impl ByTheBook {
    fn is_lost(&self, number: u64) -> bool {
        !self.sacked.contains(&number) && self.sacked.iter().filter(|s| **s > number).count() >= 3
    }

    fn pipe(&self) -> u64 {
        let mut pipe = 0;
        for number in self.una..self.high {
            if self.sacked.contains(&number) {
                continue;
            }
            pipe += u64::from(!self.is_lost(number));
            pipe += u64::from(self.high_rxt.is_some_and(|high_rxt| number <= high_rxt));
        }
        pipe
    }
}

proptest! {
    /// Blocks, cumulative ACKs and retransmissions in any order.
    #[test]
    fn counts_agree_with_the_words_of_the_rfc(
        operations in proptest::collection::vec((0..5_u8, 0..40_u64, 1..6_u64), 1..60)
    ) {
        let mut board = Scoreboard::new(3);
        let mut book = ByTheBook { una: 0, high: 40, sacked: vec![], high_rxt: None };
        for (kind, start, length) in operations {
            match kind {
                0 if start > book.una => {
                    // What is SACKed from there on is acknowledged with it.
                    let start = (start..100)
                        .find(|n| !book.sacked.contains(n))
                        .unwrap_or(start);
                    board.acknowledge(start);
                    book.una = start;
                    book.sacked.retain(|number| *number >= start);
                }
                1 if book.high_rxt.is_none() && book.una < book.high => {
                    board.begin_recovery();
                    book.high_rxt = Some(book.una);
                }
                2 if book.high_rxt.is_some() => {
                    let next = board.next_segment(book.high, false);
                    if let Some(segment @ NextSegment::Retransmission(number)) = next {
                        prop_assert!(!book.sacked.contains(&number));
                        prop_assert!(number >= book.una);
                        board.on_sent(segment, book.high);
                        book.high_rxt = Some(number);
                    }
                }
                _ => {
                    // A receiver never SACKs the next segment that it expects.
                    let start = start.max(book.una + 1);
                    board.sack(block(start, start + length), book.high);
                    for number in start..(start + length).min(book.high) {
                        if !book.sacked.contains(&number) {
                            book.sacked.push(number);
                        }
                    }
                }
            }
            prop_assert_eq!(board.pipe(book.high), book.pipe());
            for number in book.una..book.high {
                prop_assert_eq!(board.is_lost(number), book.is_lost(number));
            }
        }
    }
}
