"""Sweeps: the data set, taking up what was stopped, and what is refused."""

from __future__ import annotations

import _thread
import threading
from pathlib import Path
from typing import Any

import pytest

import ackclock as ac

OVER: dict[str, list[Any]] = {"topology.bottleneck.rate": ["1 Mbps", "2 Mbps"], "flows.reno.count": [1, 2, 3]}


@pytest.fixture
def quick(small: ac.Scenario) -> ac.Scenario:
    return small.with_({"duration": "2 s", "warmup": "0.5 s"})


def test_a_sweep_has_a_row_for_each_run(quick: ac.Scenario, tmp_path: Path) -> None:
    sweep = ac.sweep(quick, OVER, seeds=2, out=tmp_path / "s")
    table = sweep.table
    assert (len(sweep), sweep.run, sweep.skipped) == (12, 12, 0)
    assert table["flows.reno.count"] == [1, 1, 2, 2, 3, 3] * 2
    assert table["topology.bottleneck.rate_bps"] == [1e6] * 6 + [2e6] * 6
    # A flow that starts within the first second has half of the 1.5 s at least.
    busy = table["links.bottleneck.utilization"]
    assert all(0.3 < part <= 1 for part in busy)
    assert sweep.report().is_file()


def test_the_same_call_runs_nothing_again(quick: ac.Scenario, tmp_path: Path) -> None:
    first = ac.sweep(quick, OVER, seeds=2, out=tmp_path / "s")
    data = first.path.read_bytes()
    again = ac.sweep(quick, OVER, seeds=2, out=tmp_path / "s")
    assert (again.run, again.skipped) == (0, 12)
    assert again.path.read_bytes() == data


def test_ctrl_c_keeps_what_is_finished(quick: ac.Scenario, tmp_path: Path) -> None:
    def stop(done: int, points: int) -> None:
        assert points == 600
        if done == 5:
            _thread.interrupt_main()

    with pytest.raises(KeyboardInterrupt):
        ac.sweep(quick, OVER, seeds=100, out=tmp_path / "s", jobs=1, progress=stop)
    again = ac.sweep(quick, OVER, seeds=100, out=tmp_path / "s")
    assert again.skipped >= 5 and again.run + again.skipped == 600


def test_polars_reads_a_sweep_as_it_is(quick: ac.Scenario, tmp_path: Path) -> None:
    polars = pytest.importorskip("polars")
    sweep = ac.sweep(quick, OVER, seeds=1, out=tmp_path / "s")
    assert polars.DataFrame(sweep).equals(polars.read_parquet(sweep.path))


def test_a_folder_that_is_something_else_is_refused(quick: ac.Scenario, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(ac.StoreError, match="holds mine.txt\nhint: "):
        ac.sweep(quick, OVER, out=tmp_path)
    with pytest.raises(ac.ScenarioError, match=r"no \[sweep\]"):
        ac.sweep(quick, out=tmp_path / "s")


def test_a_controller_without_a_version_is_not_swept(quick: ac.Scenario, tmp_path: Path) -> None:
    class Still(ac.Controller):
        def on_ack(self, ack: ac.Ack) -> None:
            pass

    class Kept(Still):
        version = "1"

    with pytest.raises(ac.ScenarioError, match='the controller "still"'):
        ac.sweep(quick.with_({"flows.reno.controller": Still}), OVER, out=tmp_path / "s")
    kept = quick.with_({"flows.reno.controller": Kept})
    threads = [threading.active_count()]
    sweep = ac.sweep(kept, OVER, seeds=1, out=tmp_path / "s")
    assert (len(sweep), sweep.description["failed"]) == (6, 0)
    assert threading.active_count() == threads[0]
