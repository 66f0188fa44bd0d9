//! The simulated network: event loop, links, queues, loss and delay models, routes, random streams.
//!
//! The network moves packets with an opaque payload. It knows neither controllers nor transport:
//! what a packet means is the business of the [`Hosts`] that send and receive it.
//!
//! Links work ahead of the clock. When a packet reaches a link, its fate and its departure are
//! computed at once, so a hop costs one event at most, and none over a [`Wire`] that this link
//! alone feeds.

pub mod delay;
mod lengths;
mod link;
pub mod loss;
mod network;
mod packet;
mod pending;
pub mod queues;
pub mod random;
mod schedule;
mod wire;

pub use lengths::Lengths;
pub use link::{Fate, Link, LinkStatistics, LossPlace, Window};
pub use network::{Gone, Hosts, LinkId, Network, Observation, Observed, RouteId, TimerId};
pub use packet::Packet;
pub use pending::{PendingSet, Rank, Taken};
pub use schedule::Schedule;
pub use wire::Wire;
