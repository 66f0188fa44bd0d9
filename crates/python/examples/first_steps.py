"""Two flows over one bottleneck: run, look, vary. Needs nothing but ackclock."""

import tempfile

import ackclock as ac

scenario = ac.dumbbell(
    rate_mbit_s=10,
    rtt_ms=40,
    buffer_bdp=1,
    flows={"reno": "reno", "smooth": {"name": "gaimd", "beta": 0.875}},
    duration_s=30,
)
run = ac.run(scenario, seed=1)
for flow in run.summary["flows"]:
    print(f"{flow['label']:>8}: {flow['goodput_bps'] / 1e6:.2f} Mb/s")
assert 9.0 < run.summary["goodput_bps"] / 1e6 < 9.7

# Any key of a scenario file can be changed.
slower = ac.run(scenario.with_(**{"topology.bottleneck.rate": "2 Mbps"}))
print(f"   at 2 Mb/s: {slower.summary['goodput_bps'] / 1e6:.2f} Mb/s")

# Every combination of some values, each with three seeds.
with tempfile.TemporaryDirectory() as folder:
    sweep = ac.sweep(
        scenario.with_(duration="20 s"),
        over={"topology.bottleneck.queue.limit": ["0.25 BDP", "1 BDP", "4 BDP"]},
        seeds=3,
        out=f"{folder}/buffers",
    )
    table = sweep.table
    for limit, jain in zip(table["topology.bottleneck.queue.limit_BDP"], table["jain"]):
        print(f"{limit:>8} BDP: Jain's index {jain:.3f}")
    assert len(table) == 9
