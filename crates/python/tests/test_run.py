"""Runs: their numbers, their tables in other libraries, and how they are stopped."""

from __future__ import annotations

import _thread
import json
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import ackclock as ac


def test_a_run_is_the_commands_run_to_the_last_byte(small: ac.Scenario) -> None:
    one, other = ac.run(small, seed=7), ac.run(small, seed=7)
    assert one.json == other.json
    assert one.json != ac.run(small, seed=8).json
    assert one.summary == json.loads(one.json)
    assert one.scenario == small.with_(seed=7)


def test_two_flows_fill_the_link(small: ac.Scenario) -> None:
    """4 Mb/s, of which 960 of each packet's 1000 bytes are payload: 3.84 Mb/s. What had arrived out
    of order when the 8 s of measurement began, one window of 40 packets at most, counts too: 38.4 kb/s.
    """
    summary = ac.run(small).summary
    assert 0.95 * 3.84e6 < summary["goodput_bps"] <= 3.84e6 + 38.4e3
    sent = summary["packets_delivered"] + summary["drops"] + summary["lost"] + summary["in_flight"]
    assert summary["packets_sent"] + summary["duplicated"] == sent


def test_tables_are_the_summary_row_by_row(small: ac.Scenario) -> None:
    run = ac.run(small)
    assert run.flows["goodput_bps"] == [flow["goodput_bps"] for flow in run.summary["flows"]]
    # 10 s in steps of 100 ms, for each of two flows.
    assert len(run.series) == 2 * 100
    assert set(run.series["label"]) == {"reno"}
    with pytest.raises(KeyError):
        run.flows["goodputs"]


def test_pyarrow_polars_pandas_and_duckdb_read_a_table(small: ac.Scenario) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    polars = pytest.importorskip("polars")
    pandas = pytest.importorskip("pandas")
    duckdb = pytest.importorskip("duckdb")
    table = handed = ac.run(small).series
    windows = table["window_packets"]
    arrow = pyarrow.table(table)
    assert arrow["window_packets"].to_pylist() == windows
    assert polars.DataFrame(table)["window_packets"].to_list() == windows
    assert pandas.DataFrame.from_arrow(table)["window_packets"].tolist() == windows
    total = duckdb.sql("SELECT sum(window_packets) FROM handed").fetchall()
    assert total[0][0] == pytest.approx(sum(windows))


def test_a_table_is_handed_over_without_a_copy(small: ac.Scenario) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    table = ac.run(small).series

    def address() -> int:
        buffers = pyarrow.table(table)["time_s"].chunk(0).buffers()
        return int(buffers[1].address)

    assert address() == address()


def test_the_run_folder_is_the_commands(small: ac.Scenario, tmp_path: Path) -> None:
    ac.run(small).write(tmp_path / "run")
    names = {path.name for path in (tmp_path / "run").iterdir()}
    assert {"scenario.toml", "summary.json", "index.html", "flows.parquet"} <= names
    with pytest.raises(ac.StoreError, match="hint: "):
        ac.run(small).write(tmp_path)


def test_other_threads_go_on_during_a_run() -> None:
    counted = 0
    stop = threading.Event()

    def count() -> None:
        nonlocal counted
        while not stop.is_set():
            counted += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    long = ac.Scenario("dsl").with_(duration="2000 s")
    began = time.perf_counter()
    ac.run(long)
    seconds = time.perf_counter() - began
    stop.set()
    thread.join()
    # It would be a handful if the interpreter were held.
    assert counted > 50 * min(seconds, 1.0)


def test_ctrl_c_stops_a_run() -> None:
    endless = ac.Scenario("dsl").with_(duration="480 h", warmup="1 s")
    timer = threading.Timer(0.3, _thread.interrupt_main)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        ac.run(endless)
    timer.join()


def test_progress_is_told_in_simulated_seconds() -> None:
    told: list[float] = []
    ac.run(ac.Scenario("dsl").with_(duration="2000 s"), progress=told.append)
    assert told == sorted(told) and 0.0 <= told[0] and told[-1] <= 2000.0

    def fail(at: float) -> None:
        raise RuntimeError(f"at {at}")

    with pytest.raises(RuntimeError, match="at "):
        ac.run(ac.Scenario("dsl").with_(duration="480 h"), progress=fail)


def test_notebooks_show_runs_and_tables(small: ac.Scenario) -> None:
    run = ac.run(small)
    shown: list[Any] = [run._repr_html_(), run.flows._repr_html_(), small._repr_html_()]
    assert all(text.startswith(("<table>", "<pre>")) for text in shown)
    assert "small" in repr(run) and "rows of flow, label" in repr(run.flows)


def test_a_plot_has_the_reports_colours(small: ac.Scenario) -> None:
    pytest.importorskip("matplotlib")
    figure = ac.run(small).plot()
    windows = figure.axes[0]
    assert [line.get_color() for line in windows.lines] == ["#0072b2", "#d55e00"]
    points: Any = windows.lines[0].get_xydata()
    assert len(points) == 100
    with pytest.raises(ac.ScenarioError, match="no series"):
        ac.run(ac.dumbbell(rate_mbit_s=1, rtt_ms=20, flows={"a": "reno"}, record_ms=None)).plot()


def test_memory_stays_flat_over_many_runs() -> None:
    resource = pytest.importorskip("resource")
    tiny = ac.dumbbell(
        rate_mbit_s=1, rtt_ms=20, flows={"a": "reno"}, duration_s=0.2, warmup_s=0, record_ms=None
    )

    def peak_kib() -> int:
        return int(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)

    for seed in range(500):
        ac.run(tiny, seed=seed)
    before = peak_kib()
    for seed in range(2500):
        ac.run(tiny, seed=seed)
    # A leak of one kilobyte per run would be 2500.
    assert peak_kib() - before < 1500
