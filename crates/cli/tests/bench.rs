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
    if cfg!(target_os = "linux") {
        // More than nothing, and less than a simulation of one flow ever needs.
        let memory = workload["peak_memory_bytes"].as_u64().unwrap();
        assert!((1_000_000..200_000_000).contains(&memory), "{memory}");
    }
}
