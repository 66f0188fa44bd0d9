//! `ackclock bench`.

mod common;

use common::ackclock;

/// One flow on 100 Mb/s of 1000-byte packets: 12,500 packets/s for 100 s at most. How much of that
/// it gets is TCP's affair; a fifth at least.
#[test]
fn a_workload_is_measured_in_a_process_of_its_own() {
    let said = ackclock(&["bench", "w1", "--repeat", "1", "--json"]).ok();
    let object = said.json();
    let workloads = object["workloads"].as_array().unwrap();
    assert_eq!(workloads.len(), 1);
    let workload = &workloads[0];
    assert_eq!(workload["name"], "w1");
    let packets = workload["packets_delivered"].as_f64().unwrap();
    assert!((250_000.0..=1_250_000.0).contains(&packets), "{packets}");
    let (cpu, speed) = (
        workload["cpu_s"].as_f64().unwrap(),
        workload["packets_per_cpu_s"].as_f64().unwrap(),
    );
    assert!(
        cpu > 0.0 && (packets / cpu / speed - 1.0).abs() < 1e-6,
        "{workload}"
    );
    assert!(workload["events"].as_u64().unwrap() > 0);
    assert_eq!(workload["flows"], 1);
    // The network is built before the first packet, so building it is a part of the time.
    let setup = workload["setup_s"].as_f64().unwrap();
    assert!(setup > 0.0 && setup < cpu, "{workload}");
    if cfg!(target_os = "linux") {
        // More than nothing, and less than a simulation of one flow ever needs.
        let memory = workload["peak_memory_bytes"].as_u64().unwrap();
        assert!((1_000_000..200_000_000).contains(&memory), "{memory}");
    }
}

#[test]
fn the_workloads_are_listed_without_being_run() {
    let said = ackclock(&["bench", "--list", "--json"]).ok().json();
    let names: Vec<&str> = said["workloads"]
        .as_array()
        .unwrap()
        .iter()
        .map(|workload| workload["name"].as_str().unwrap())
        .collect();
    for name in [
        "w1",
        "w2",
        "w2-sack",
        "w2-tfwc",
        "w2-three-hops",
        "w3",
        "w4",
        "w5",
        "w6",
    ] {
        assert!(names.contains(&name), "{names:?}");
    }
    let two = ackclock(&["bench", "--list", "w3", "bench/w4"]).ok().stdout;
    assert_eq!(two.lines().count(), 3, "{two}"); // a heading and two workloads
}

#[test]
fn instructions_are_counted_of_some_workloads_only() {
    let said = ackclock(&["bench", "w1", "--instructions"]);
    assert!(said.refusal().contains("w1"), "{said:?}");
    assert!(said.stderr.contains("w2, w3"), "{said:?}");
    // A limit is for instructions, not for time.
    assert!(
        ackclock(&["bench", "--gate"])
            .refusal()
            .contains("--instructions")
    );
}
