"""What Python costs: for a run, for an ACK, for a task on Dask. Prints the table of docs/explanation/scale.md.

    python crates/python/benches/overheads.py [--dask]

Processor time, the least of several repetitions, so that other work on the machine counts little;
tasks on Dask are measured by the wall clock.
"""

import gc
import resource
import sys
import tempfile
import time
from pathlib import Path

import ackclock as ac


class PerAck(ac.Controller):
    """Reno, called for each ACK."""

    def __init__(self, setup: ac.Setup) -> None:
        self.window = 10.0
        self.threshold = float("inf")

    def on_ack(self, ack: ac.Ack) -> None:
        if ack.in_recovery or ack.acked_packets == 0:
            return
        self.window += 1 if self.window < self.threshold else 1 / self.window
        self.window_bytes = self.window * 1000

    def on_congestion(self, congestion: ac.Congestion) -> None:
        if congestion.begins:
            self.window = self.threshold = max(2.0, self.window / 2)
            self.window_bytes = self.window * 1000


class PerRound(ac.Controller):
    """Reno, called once for each round trip."""

    def on_round(self, round: ac.Round) -> None:
        if round.congestion_signals:
            self.window_bytes = max(2000, self.window_bytes / 2)
        else:
            self.window_bytes += 1000


def least(work, repetitions: int = 7) -> float:
    """Processor seconds."""
    times = []
    for _ in range(repetitions):
        gc.collect()
        began = time.process_time()
        work()
        times.append(time.process_time() - began)
    return min(times)


def per_run() -> None:
    tiny = dict(rate_mbit_s=1, rtt_ms=20, duration_s=0.1, warmup_s=0, record_ms=None)
    scenario = ac.dumbbell(flows={"a": "reno"}, **tiny)
    count = 300

    def runs() -> None:
        for seed in range(count):
            ac.run(scenario, seed=seed)

    with tempfile.TemporaryDirectory() as folder:
        number = iter(range(100))

        def sweep() -> None:
            ac.sweep(scenario, seeds=count, out=f"{folder}/{next(number)}", jobs=1)

        print(f"a run of 0.1 s, from Python: {least(runs) / count * 1e6:.0f} us")
        print(f"the same run in a sweep:     {least(sweep) / count * 1e6:.0f} us")
    began = time.perf_counter()
    for _ in range(200):
        scenario.with_({"flows.a.count": 2})
    print(f"with_ one key changed:       {(time.perf_counter() - began) / 200 * 1e6:.0f} us")


def per_ack() -> None:
    base = {}
    for name, controller in [("native", "reno"), ("python", PerAck), ("per round", PerRound)]:
        scenario = ac.dumbbell(
            rate_mbit_s=40, rtt_ms=40, flows={"a": controller}, duration_s=20, record_ms=None
        )
        packets = ac.run(scenario).summary["packets_delivered"]
        base[name] = least(lambda s=scenario: ac.run(s), 5) / packets * 1e9
        print(f"{name:>10}: {base[name]:6.0f} ns for a packet and its ACK")
    print(f"the price of a call for each ACK: {base['python'] - base['native']:.0f} ns")


def memory() -> None:
    scenario = ac.dumbbell(
        rate_mbit_s=1, rtt_ms=20, flows={"a": "reno"}, duration_s=0.1, warmup_s=0, record_ms=None
    )

    def peak_mib() -> float:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

    for seed in range(100_000):
        if seed in (1000, 10_000):
            print(f"peak memory after {seed} runs: {peak_mib():.1f} MiB")
        ac.run(scenario, seed=seed)
    print(f"peak memory after 100000 runs: {peak_mib():.1f} MiB")


def per_task() -> None:
    from distributed import Client, LocalCluster, wait

    scenario = ac.dumbbell(
        rate_mbit_s=10, rtt_ms=20, flows={"a": "reno"}, duration_s=5, warmup_s=1, record_ms=None
    )
    for workers in (1, 2):
        with (
            LocalCluster(
                n_workers=workers, threads_per_worker=1, dashboard_address=None
            ) as cluster,
            Client(cluster) as client,
            tempfile.TemporaryDirectory() as folder,
        ):
            client.submit(int, 1).result()
            began = time.perf_counter()
            wait([client.submit(abs, number, pure=False) for number in range(2000)])
            task = (time.perf_counter() - began) / 2000
            print(f"{workers} workers: {task * 1e3:.2f} ms for an empty task")
            seeds = 2000 * workers
            began = time.perf_counter()
            ac.sweep(scenario, seeds=seeds, out=f"{folder}/dask", client=client)
            there = time.perf_counter() - began
            began = time.perf_counter()
            ac.sweep(scenario, seeds=seeds, out=f"{folder}/here", jobs=workers)
            here = time.perf_counter() - began
            print(
                f"{workers} workers: {seeds / there:.0f} runs/s on Dask, {seeds / here:.0f} in threads"
            )


def coordinator() -> None:
    """What planning and keeping costs for each run, whoever runs: the limit of one process."""
    from ackclock import _core, _sweep

    scenario = ac.dumbbell(
        rate_mbit_s=1, rtt_ms=20, flows={"a": "reno"}, duration_s=0.1, warmup_s=0, record_ms=None
    )
    whole = _sweep.with_sweep(scenario, None, 20_000)
    with tempfile.TemporaryDirectory() as folder:
        began = time.process_time()
        campaign = _core.Campaign(whole, folder, [])
        plan = (time.process_time() - began) / 20_000
        batches = [campaign.batch(50_000) for _ in range(40)]
        runs = sum(len(batch) for batch in batches)
        parcels = [_core.run_batch(whole, batch) for batch in batches]
        began = time.process_time()
        for parcel in parcels:
            campaign.receive(parcel)
        keep = (time.process_time() - began) / runs
        began = time.process_time()
        campaign.finish()
        data = (time.process_time() - began) / runs
        files = {
            "parcels": sum(len(parcel) for parcel in parcels),
            "log": sum(path.stat().st_size for path in Path(folder, "results").iterdir()),
            "data set": Path(folder, "runs.parquet").stat().st_size,
        }
    print(f"plan {plan * 1e6:.1f} us, keep {keep * 1e6:.1f} us, data set {data * 1e6:.1f} us a run")
    for name, size in files.items():
        print(f"{name}: {size / runs:.0f} bytes a run ({runs} runs)")


if __name__ == "__main__":
    per_run()
    per_ack()
    coordinator()
    if "--dask" in sys.argv:
        per_task()
    if "--memory" in sys.argv:
        memory()
