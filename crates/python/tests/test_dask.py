"""Sweeps on a Dask cluster: the same bytes, whoever dies."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import ackclock as ac

distributed = pytest.importorskip("distributed")

from ackclock import _core, _dask  # noqa: E402

OVER: dict[str, list[Any]] = {
    "topology.bottleneck.rate": ["1 Mbps", "2 Mbps"],
    "flows.reno.count": [1, 2, 3, 4],
}
FILES = ["runs.parquet", "sweep.json", "sweep.toml"]


@pytest.fixture
def quick(small: ac.Scenario) -> ac.Scenario:
    return small.with_({"duration": "2 s", "warmup": "0.5 s"})


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        yield cluster


@pytest.fixture
def client(cluster: Any) -> Iterator[Any]:
    with distributed.Client(cluster) as client:
        yield client


@pytest.fixture
def batches_of_20_ms(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_dask, "BATCH_S", 0.02)


def contents(folder: Path) -> list[bytes]:
    return [(folder / name).read_bytes() for name in FILES]


@pytest.mark.usefixtures("batches_of_20_ms")
def test_a_sweep_on_dask_is_the_same_to_the_last_byte(
    quick: ac.Scenario, client: Any, tmp_path: Path
) -> None:
    here = ac.sweep(quick, OVER, seeds=10, out=tmp_path / "here")
    there = ac.sweep(quick, OVER, seeds=10, out=tmp_path / "there", client=client)
    assert there.run == here.run == 80
    assert contents(tmp_path / "there") == contents(tmp_path / "here")
    assert sorted(path.name for path in (tmp_path / "there").iterdir()) == sorted(
        path.name for path in (tmp_path / "here").iterdir()
    )
    again = ac.sweep(quick, OVER, seeds=10, out=tmp_path / "there", client=client)
    assert (again.run, again.skipped) == (0, 80)


@pytest.mark.usefixtures("batches_of_20_ms")
def test_seeds_until_an_interval_is_narrow_are_the_same(
    quick: ac.Scenario, client: Any, tmp_path: Path
) -> None:
    rule = {"until": ["jain"], "within": "2 %", "at_least": 3, "at_most": 8}
    scenario = quick.with_({"sweep.seeds": rule})
    ac.sweep(scenario, OVER, out=tmp_path / "here")
    ac.sweep(scenario, OVER, out=tmp_path / "there", client=client)
    assert contents(tmp_path / "there") == contents(tmp_path / "here")


@pytest.mark.usefixtures("batches_of_20_ms")
def test_a_worker_that_is_killed_loses_and_doubles_nothing(
    quick: ac.Scenario, client: Any, tmp_path: Path
) -> None:
    ac.sweep(quick, OVER, seeds=40, out=tmp_path / "here")
    pids: dict[str, int] = client.run(os.getpid)
    killed: list[int] = []

    def kill(done: int, points: int) -> None:
        if done > 40 and not killed:
            killed.append(next(iter(pids.values())))
            os.kill(killed[0], signal.SIGKILL)

    there = ac.sweep(
        quick, OVER, seeds=40, out=tmp_path / "there", client=client, progress=kill
    )
    assert killed and there.run == 320
    assert contents(tmp_path / "there") == contents(tmp_path / "here")


@pytest.mark.usefixtures("batches_of_20_ms")
def test_a_stopped_sweep_goes_on_with_what_workers_left(
    quick: ac.Scenario, client: Any, tmp_path: Path
) -> None:
    class Stop(Exception):
        pass

    def stop(done: int, points: int) -> None:
        if done >= 20:
            raise Stop

    with pytest.raises(Stop):
        ac.sweep(quick, OVER, seeds=10, out=tmp_path / "s", client=client, progress=stop)
    # A worker that had not heard of it leaves one more, and another one dies over it.
    whole = quick.with_({f'sweep."{key}"': values for key, values in OVER.items()})
    whole = whole.with_({"sweep.seeds": 10})
    left = _core.run_batch(whole, [(7, 9)])
    parcels = tmp_path / "s" / "parcels"
    parcels.mkdir(exist_ok=True)
    (parcels / "late.parcel").write_bytes(left)
    (parcels / "torn.parcel").write_bytes(left[:-9])
    rest = ac.sweep(quick, OVER, seeds=10, out=tmp_path / "s", client=client)
    assert rest.run + rest.skipped == 80 and 20 < rest.skipped < 80
    ac.sweep(quick, OVER, seeds=10, out=tmp_path / "here")
    assert contents(tmp_path / "s") == contents(tmp_path / "here")


@pytest.mark.usefixtures("batches_of_20_ms")
def test_a_store_behind_a_url(quick: ac.Scenario, client: Any, tmp_path: Path) -> None:
    url = f"file://{tmp_path}/shared"
    ac.sweep(quick, OVER, seeds=2, out=tmp_path / "s", client=client, store=url)
    ac.sweep(quick, OVER, seeds=2, out=tmp_path / "here")
    assert contents(tmp_path / "s") == contents(tmp_path / "here")


def test_a_store_that_cannot_be_written_is_one_clear_error(
    quick: ac.Scenario, client: Any, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("no folder")
    store = str(tmp_path / "file" / "store")
    with pytest.raises(ac.StoreError) as raised:
        ac.sweep(quick, OVER, seeds=2, out=tmp_path / "s", client=client, store=store)
    assert str(raised.value).startswith(f"a worker cannot leave its results in {store}: ")
    assert str(raised.value).count("hint: ") == 1
    # Nothing is lost: the folder is in order, and the sweep goes on elsewhere.
    assert ac.sweep(quick, OVER, seeds=2, out=tmp_path / "s", client=client).run == 16


def test_a_worker_of_another_version_is_found_before_the_first_run(
    quick: ac.Scenario, client: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_core, "RESULTS_VERSION", "0.0.1-other")
    with pytest.raises(ac.RunError, match=r"the worker tcp://.* has ackclock 0\.\d.*0\.0\.1-other"):
        ac.sweep(quick, OVER, seeds=2, out=tmp_path / "s", client=client)
    assert not (tmp_path / "s").exists()


PROGRAM = Path(__file__).parents[3] / "target" / "debug" / "ackclock"


@pytest.mark.usefixtures("client")
def test_the_command_sweeps_on_dask(quick: ac.Scenario, cluster: Any, tmp_path: Path) -> None:
    whole = quick.with_({f'sweep."{key}"': values for key, values in OVER.items()})
    (tmp_path / "small.toml").write_text(whole.with_({"sweep.seeds": 3}).toml)

    def command(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [PROGRAM, "sweep", "small.toml", *arguments],
            cwd=tmp_path,
            env={"PATH": str(Path(sys.executable).parent)},
            capture_output=True,
            text=True,
            check=False,
        )

    there = command("--out", "there", "--json", "--dask", cluster.scheduler_address)
    assert there.returncode == 0, there.stderr
    assert json.loads(there.stdout)["points"] == 24
    assert command("--out", "here").returncode == 0
    assert contents(tmp_path / "there") == contents(tmp_path / "here")
