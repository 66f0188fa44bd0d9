//! Words and units for the variables that senders, controllers and queues show of themselves.

/// What a variable is, and its unit; its own name where nothing is known of it.
pub(super) fn words(name: &str) -> (String, &'static str) {
    let known = VARIABLES.iter().find(|(known, ..)| *known == name);
    known.map_or_else(
        || (name.replace('_', " "), ""),
        |(_, words, unit)| ((*words).to_owned(), *unit),
    )
}

/// Name, words and unit.
const VARIABLES: &[(&str, &str, &str)] = &[
    ("average_loss_interval", "average loss interval", "packets"),
    ("average_packets", "average queue", "packets"),
    ("backoff", "doublings of the timeout", ""),
    ("base_rtt", "least round trip seen", "s"),
    ("drop_probability", "probability of a drop", ""),
    ("duplicate_acks", "duplicate ACKs in a row", ""),
    ("equation_rate", "rate by the equation", "bps"),
    ("equation_window", "window by the equation", "packets"),
    (
        "expected_less_actual",
        "expected less actual rate, times the base round trip",
        "packets",
    ),
    ("loss_event_rate", "loss event rate", ""),
    ("lost", "packets held for lost", "packets"),
    (
        "open_loss_interval",
        "packets since the last loss event",
        "packets",
    ),
    ("packet_interval", "time between packets", "s"),
    ("rate_driven", "sent by a timer (1) or by ACKs (0)", ""),
    ("receive_rate", "rate that the receiver reports", "bps"),
    ("rtt_deviation", "deviation of the round trip", "s"),
    ("rtt_threshold", "round trip from which it gives way", "s"),
    ("sending_rate", "sending rate", "bps"),
    ("slow_start", "in slow start (1) or not (0)", ""),
    ("slow_start_limit", "window that ends slow start", "packets"),
    ("timeout_term", "timeout in the equation", "s"),
    (
        "virtual_queue_occupancy",
        "occupancy of the virtual queue",
        "",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_variables_have_words_and_others_their_name() {
        assert_eq!(words("base_rtt"), ("least round trip seen".to_owned(), "s"));
        assert_eq!(words("my_own"), ("my own".to_owned(), ""));
        assert!(VARIABLES.is_sorted(), "in order of name");
    }
}
