"""A controller written in Python, beside a native one."""

import ackclock as ac


class DelayGuard(ac.Controller):
    """One packet more each round trip, less when the queue costs more than `target` round trips."""

    def __init__(self, setup: ac.Setup, target: float = 0.25) -> None:
        self.target = target

    def on_round(self, round: ac.Round) -> None:
        queued = round.smoothed_rtt_s / round.min_rtt_s - 1
        if round.congestion_signals or queued > self.target:
            self.window_bytes = max(2 * self.segment_bytes, 0.8 * self.window_bytes)
        else:
            self.window_bytes += self.segment_bytes


alone = ac.dumbbell(rate_mbit_s=10, rtt_ms=40, flows={"guard": DelayGuard}, duration_s=30)
run = ac.run(alone)
flow = run.summary["flows"][0]
print(f"alone: {flow['goodput_bps'] / 1e6:.2f} Mb/s, round trip {flow['rtt_mean_s'] * 1e3:.0f} ms")
assert flow["rtt_mean_s"] < 0.060

shared = ac.run(
    ac.dumbbell(
        rate_mbit_s=10,
        rtt_ms=40,
        flows={"guard": {"controller": {"name": DelayGuard, "target": 0.5}}, "reno": "reno"},
        duration_s=30,
    )
)
for flow in shared.summary["flows"]:
    print(f"beside each other, {flow['label']}: {flow['goodput_bps'] / 1e6:.2f} Mb/s")
