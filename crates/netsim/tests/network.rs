//! The event loop and the way of packets through a network.

use netsim::delay::DelayModel;
use netsim::queues::{DropTail, Fifo, Limit, Queue, Victim};
use netsim::{
    Gone, Hosts, Link, LinkId, Network, Packet, RouteId, Schedule, TimerId, Window, Wire,
};
use units::{Bytes, Duration, Rate, Time};

const ALWAYS: Window = Window {
    from: Time::ZERO,
    to: Time::MAX,
};

/// Notes what arrives, is lost, or expires, with its time.
#[derive(Default)]
struct Notes {
    arrived: Vec<(Time, u32, u64)>,
    gone: Vec<u64>,
    expired: Vec<(Time, u32)>,
}

impl Hosts<u64> for Notes {
    fn on_packet(&mut self, network: &mut Network<u64>, endpoint: u32, packet: Packet<u64>) {
        self.arrived.push((network.now(), endpoint, packet.payload));
    }

    fn on_timer(&mut self, network: &mut Network<u64>, timer: TimerId) {
        self.expired.push((network.now(), timer.0));
    }

    fn on_gone(&mut self, packet: &Packet<u64>, _gone: Gone) {
        self.gone.push(packet.payload);
    }
}

fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

fn at(millis: u64) -> Time {
    Time::ZERO + ms(millis)
}

/// Sends packets `numbers` of 1000 bytes along `route`, now.
fn send(
    network: &mut Network<u64>,
    notes: &mut Notes,
    route: RouteId,
    numbers: std::ops::Range<u64>,
) {
    for number in numbers {
        network.send(notes, route, Packet::new(0, Bytes(1_000), number));
    }
}

/// Two senders with access links of their own, a shared link of 8 Mb/s (1000 B in 1 ms) in which
/// two packets may wait, and a receiver's access link for each.
fn dumbbell(fused: bool) -> (Network<u64>, [RouteId; 2]) {
    let mut network = Network::new(ALWAYS);
    let fast = || Wire::new(Some(Rate::mbit_per_s(80)), ms(1));
    let access: Vec<LinkId> = (0..4).map(|_| network.add_wire(fast())).collect();
    let queue = Queue::DropTail(DropTail::new(Limit::Packets(2)));
    let shared = network.add_link(Link::new(Some(Rate::mbit_per_s(8)), ms(10)).with_queue(queue));
    let routes = [
        network.add_route(&[access[0], shared, access[2]], 0),
        network.add_route(&[access[1], shared, access[3]], 1),
    ];
    if fused {
        network.fuse();
    }
    (network, routes)
}

#[test]
fn a_packet_takes_the_sum_of_its_transmissions_and_delays() {
    // 0.1 + 1, 1 + 10, 0.1 + 1 ms
    for fused in [false, true] {
        let (mut network, routes) = dumbbell(fused);
        let mut notes = Notes::default();
        send(&mut network, &mut notes, routes[0], 0..1);
        network.run(&mut notes, at(100));
        assert_eq!(
            notes.arrived,
            [(Time::ZERO + Duration::from_micros(13_200), 0, 0)]
        );
        assert_eq!(network.in_flight(), 0);
    }
}

#[test]
fn fused_links_change_neither_arrivals_nor_drops() {
    let [plain, fused] = [false, true].map(|fused| {
        let (mut network, routes) = dumbbell(fused);
        let mut notes = Notes::default();
        for step in 0..50 {
            send(
                &mut network,
                &mut notes,
                routes[0],
                step * 10..step * 10 + 3,
            );
            send(
                &mut network,
                &mut notes,
                routes[1],
                step * 10 + 5..step * 10 + 7,
            );
            network.run(&mut notes, at(4 * (step + 1)));
        }
        network.run(&mut notes, at(1_000));
        (notes, network.events())
    });
    assert_eq!(plain.0.arrived, fused.0.arrived);
    assert_eq!(plain.0.gone, fused.0.gone);
    assert!(
        fused.1 < plain.1,
        "{} events, {} without fusing",
        fused.1,
        plain.1
    );
}

/// A wire for each sender, a link of 8 Mb/s (1000 B in 1 ms) for both, then a receiver's link for
/// each: of 4 Mb/s, with room for one packet, so that some of a burst wait and some are dropped, and
/// with a delay that falls from 10 to 2 ms after 200 ms, so that packets overtake others.
fn queues_in_a_row(fused: bool) -> (Network<u64>, [RouteId; 2], LinkId) {
    let mut network = Network::new(ALWAYS);
    let wires = [(); 2].map(|()| network.add_wire(Wire::new(None, ms(1))));
    let shared = network.add_link(Link::new(Some(Rate::mbit_per_s(8)), ms(10)));
    let last = [(); 2].map(|()| {
        let queue = Queue::DropTail(DropTail::new(Limit::Packets(1)));
        let delays = Schedule::new(ms(10), vec![(at(200), ms(2))]);
        let link = Link::new(Some(Rate::mbit_per_s(4)), ms(10)).with_queue(queue);
        network.add_link(link.with_delay(DelayModel::from(delays)))
    });
    let routes = [0, 1].map(|end: u32| {
        let at = end as usize;
        network.add_route(&[wires[at], shared, last[at]], end)
    });
    if fused {
        network.fuse();
    }
    (network, routes, last[0])
}

/// What a link that one other alone feeds decides ahead of the clock, it decides as with an event,
/// and at the horizon it has taken no packet that arrives later.
#[test]
fn links_that_decide_ahead_change_neither_arrivals_nor_drops_nor_counts() {
    let [plain, fused] = [false, true].map(|fused| {
        let (mut network, routes, last) = queues_in_a_row(fused);
        let mut notes = Notes::default();
        let mut taken = Vec::new();
        for step in 0..50 {
            let first = step * 10;
            send(&mut network, &mut notes, routes[0], first..first + 5);
            send(&mut network, &mut notes, routes[1], first + 5..first + 7);
            // To 9, 40, 49, 80 … ms: a burst reaches the last link 11 ms later, behind the horizon,
            // and the next one while it is still awaited there.
            network.run(
                &mut notes,
                at(20 * step + if step % 2 == 0 { 9 } else { 20 }),
            );
            taken.push(network.link(last).statistics().packets_in);
        }
        network.run(&mut notes, at(1_000));
        (notes, taken, network.events())
    });
    assert_eq!(plain.0.arrived, fused.0.arrived);
    assert_eq!(plain.0.gone, fused.0.gone);
    assert!(plain.0.gone.len() > 50, "{} drops", plain.0.gone.len());
    assert_eq!(plain.1, fused.1);
    assert_eq!(plain.2, fused.2);
}

#[test]
fn packets_are_conserved() {
    // Five packets reach the shared link within 0.2 ms: one is sent at once, two wait, and two
    // find the queue full, each time.
    let (mut network, routes) = dumbbell(true);
    let mut notes = Notes::default();
    for step in 0..100_u64 {
        send(&mut network, &mut notes, routes[0], 0..3);
        send(&mut network, &mut notes, routes[1], 0..2);
        network.run(&mut notes, at(4 * (step + 1)));
    }
    let mut on_the_way = 0;
    network.for_each_in_flight(|_| on_the_way += 1);
    assert_eq!(network.in_flight(), on_the_way);
    assert!(on_the_way > 0);
    let (arrived, gone) = (notes.arrived.len() as u64, notes.gone.len() as u64);
    assert_eq!(gone, 200);
    assert_eq!(arrived + gone + on_the_way, 500);
}

#[test]
fn a_packet_sent_after_the_delay_fell_overtakes() {
    let mut network = Network::new(ALWAYS);
    let delays = Schedule::new(ms(50), vec![(at(10), ms(5))]);
    let link = Link::new(None, ms(50)).with_delay(DelayModel::from(delays));
    let id = network.add_link(link);
    let route = network.add_route(&[id], 0);
    let mut notes = Notes::default();
    send(&mut network, &mut notes, route, 0..2);
    network.run(&mut notes, at(10));
    send(&mut network, &mut notes, route, 2..4);
    network.run(&mut notes, at(100));
    let order: Vec<u64> = notes.arrived.iter().map(|(_, _, number)| *number).collect();
    assert_eq!(order, [2, 3, 0, 1]);
    assert_eq!(notes.arrived[0].0, at(15));
    assert_eq!(notes.arrived[3].0, at(50));
}

#[test]
fn a_timer_expires_once_at_its_last_deadline() {
    let mut network = Network::new(ALWAYS);
    network.set_timer_count(3);
    let mut notes = Notes::default();
    network.set_timer(TimerId(0), Some(at(10)));
    network.set_timer(TimerId(0), Some(at(30))); // later
    network.set_timer(TimerId(1), Some(at(20)));
    network.set_timer(TimerId(1), Some(at(5))); // sooner
    network.set_timer(TimerId(2), Some(at(7)));
    network.set_timer(TimerId(2), None); // stopped
    network.run(&mut notes, at(100));
    assert_eq!(notes.expired, [(at(5), 1), (at(30), 0)]);
}

/// A short wait again and again before a long one: the event for the long one stays, and each
/// expires once.
#[test]
fn a_timer_that_comes_forward_again_and_again_expires_at_each_deadline() {
    let mut network = Network::new(ALWAYS);
    network.set_timer_count(1);
    let mut notes = Notes::default();
    let timer = TimerId(0);
    network.set_timer(timer, Some(at(50)));
    for step in 0..4 {
        network.set_timer(timer, Some(at(10 * step + 3)));
        network.run(&mut notes, at(10 * step + 5));
        network.set_timer(timer, Some(at(50 + step)));
        network.run(&mut notes, at(10 * step + 10));
    }
    network.set_timer(timer, Some(at(45)));
    network.set_timer(timer, Some(at(42)));
    network.set_timer(timer, Some(at(44)));
    network.run(&mut notes, at(44));
    network.set_timer(timer, Some(at(53)));
    network.run(&mut notes, at(100));
    let times: Vec<Time> = notes.expired.iter().map(|(time, _)| *time).collect();
    assert_eq!(times, [3, 13, 23, 33, 44, 53].map(at));
}

#[test]
fn equal_times_keep_the_order_of_scheduling() {
    let mut network = Network::new(ALWAYS);
    let links: Vec<LinkId> = (0..3)
        .map(|_| network.add_link(Link::new(None, ms(1))))
        .collect();
    let routes: Vec<RouteId> = (0..3)
        .map(|end| network.add_route(&[links[end as usize]], end))
        .collect();
    let mut notes = Notes::default();
    for end in [2, 0, 1, 0, 2] {
        send(&mut network, &mut notes, routes[end], 0..1);
    }
    network.run(&mut notes, at(1));
    let ends: Vec<u32> = notes.arrived.iter().map(|(_, end, _)| *end).collect();
    assert_eq!(ends, [2, 0, 1, 0, 2]);
}

/// Link A is given two packets at 0 ms: the second waits for a millisecond, and arrives at 12 ms.
/// Link B is given one at 1 ms, which finds it idle and arrives at 12 ms, too. It comes first,
/// though its way began later, and though the link that decides at departure decides later.
#[test]
fn of_two_packets_at_once_the_one_that_did_not_wait_comes_first() {
    let queues: [fn() -> Queue; 2] = [
        || Queue::DropTail(DropTail::new(Limit::None)),
        || Queue::at_departure(Fifo::new(Limit::None, Victim::Newest)),
    ];
    for queue in queues {
        for fused in [false, true] {
            let mut network = Network::new(ALWAYS);
            let link = || Link::new(Some(Rate::mbit_per_s(8)), ms(10)).with_queue(queue());
            let routes = [0, 1].map(|_| {
                let link = network.add_link(link());
                network.add_route(&[link], 0)
            });
            if fused {
                network.fuse();
            }
            let mut notes = Notes::default();
            send(&mut network, &mut notes, routes[0], 0..2);
            network.run(&mut notes, at(1));
            send(&mut network, &mut notes, routes[1], 2..3);
            network.run(&mut notes, at(100));
            assert_eq!(
                notes.arrived,
                [(at(11), 0, 0), (at(12), 0, 2), (at(12), 0, 1)]
            );
        }
    }
}

/// Packets overtake others on a link; the transmitter behind it takes them as they come, not as
/// they were sent, so it gets an event for each.
#[test]
fn what_follows_a_link_that_reorders_needs_its_events() {
    for behind_is_link in [false, true] {
        let [events, arrived]: [Vec<_>; 2] = [false, true].map(|fused| {
            let mut network = Network::new(ALWAYS);
            let delays = Schedule::new(ms(50), vec![(at(10), ms(5))]);
            let first = Link::new(None, ms(50)).with_delay(DelayModel::from(delays));
            let first = network.add_link(first);
            let rate = Some(Rate::mbit_per_s(8));
            let behind = if behind_is_link {
                network.add_link(Link::new(rate, ms(1)))
            } else {
                network.add_wire(Wire::new(rate, ms(1)))
            };
            let route = network.add_route(&[first, behind], 0);
            if fused {
                network.fuse();
            }
            let mut notes = Notes::default();
            send(&mut network, &mut notes, route, 0..2);
            network.run(&mut notes, at(10));
            send(&mut network, &mut notes, route, 2..4);
            network.run(&mut notes, at(100));
            notes.arrived
        });
        assert_eq!(events, arrived);
        // 5 ms, a millisecond each, one more; then those of 50 ms.
        let times = [(17, 2), (18, 3), (52, 0), (53, 1)];
        assert_eq!(arrived, times.map(|(time, number)| (at(time), 0, number)));
    }
}
