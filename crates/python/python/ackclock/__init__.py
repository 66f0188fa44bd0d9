"""A laboratory for congestion control.

>>> import ackclock as ac
>>> run = ac.run(ac.Scenario("first"), seed=1)      # a file, or a scenario that comes along
>>> sweep = ac.sweep(ac.Scenario("dsl"), seeds=3)   # every combination, on all cores

Quantities are texts with units, as in scenario files: ``"10 Mbps"``, ``"20 ms"``, ``"5 packets"``,
``"1 BDP"``. Results carry the unit in the name: ``goodput_bps``, ``rtt_mean_s``.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _core, _sweep
from ._core import (
    Ack,
    Congestion,
    Controller,
    Round,
    Scenario,
    Sent,
    Setup,
    Table,
    __version__,
)
from ._errors import Error, Fault, RunError, ScenarioError, StoreError
from ._run import Run
from ._sweep import Sweep

if TYPE_CHECKING:
    from distributed import Client

__all__ = [
    "Ack",
    "Congestion",
    "Controller",
    "Error",
    "Fault",
    "Round",
    "Run",
    "RunError",
    "Scenario",
    "ScenarioError",
    "Sent",
    "Setup",
    "StoreError",
    "Sweep",
    "Table",
    "__version__",
    "dumbbell",
    "reproduce",
    "run",
    "scenarios",
    "sweep",
    "validate",
]


def run(
    scenario: Scenario | str | os.PathLike[str],
    *,
    seed: int | None = None,
    progress: Callable[[float], object] | None = None,
) -> Run:
    """Runs a scenario, given as such, as a file, or by the name of one that comes along.

    The same scenario and seed give the same results to the last byte. ``seed`` replaces the
    scenario's. ``progress`` is called now and then with the simulated time reached, in seconds.
    Other Python threads go on meanwhile, except where a controller is written in Python; Ctrl-C
    stops the run.
    """
    return Run(_core.run(_scenario(scenario), seed, progress))


def sweep(
    scenario: Scenario | str | os.PathLike[str],
    over: Mapping[str, Sequence[Any]] | None = None,
    *,
    seeds: int | None = None,
    out: str | os.PathLike[str] | None = None,
    jobs: int | None = None,
    client: Client | None = None,
    store: str | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Sweep:
    """Runs every combination of some values, each with several seeds, on all cores or a cluster.

    ``over`` gives the values by key (``{"flows.tcp.count": [1, 4, 16]}``; flows by their label) and
    ``seeds`` how many seeds each combination has; both go on top of the scenario's own ``[sweep]``.
    ``out`` is the folder of the data set, by default ``out/sweep/`` and the scenario's name: what is
    finished there is not run again, so that the same call goes on where it was stopped. ``jobs`` is
    how many runs go at the same time, by default one for each core. ``progress`` is called with the
    number of finished runs and of all.

    With a Dask ``client`` the cluster's workers run (``pip install 'ackclock[dask]'``). They leave
    results in ``store``, a folder that they share with this process (by default in ``out``) or a URL
    that fsspec knows. The data set is the same, byte for byte.
    """
    whole = _sweep.with_sweep(_scenario(scenario), over, seeds)
    folder = Path(out) if out is not None else _sweep.folder_of(whole)
    if client is not None:
        from ._dask import sweep_on

        return Sweep(folder, sweep_on(client, whole, folder, store, progress))
    return Sweep(folder, _core.sweep(whole, str(folder), jobs, progress))


def reproduce(
    *names: str,
    quick: bool = False,
    out: str | os.PathLike[str] = "out/report",
    jobs: int | None = None,
) -> dict[str, Any]:
    """Runs figures of the published papers and judges their claims.

    ``names`` are papers or figures (``"gaimd"``, ``"gaimd/2"``), by default all; ``quick`` runs fewer
    points and seeds. Writes the report to ``out`` and gives what ``ackclock reproduce --json``
    prints: papers with figures, claims and their verdicts, and the page's path under ``report``.
    """
    return _core.reproduce(list(names), quick, os.fspath(out), jobs)


def validate(only: str | None = None, *, jobs: int | None = None) -> dict[str, Any]:
    """Compares with the reference data of ns-2.35; ``only`` is a part of a scenario's name.

    Gives what ``ackclock validate --json`` prints: ``rows`` with ``ours``, ``reference``,
    ``difference``, ``interval`` and ``verdict``.
    """
    return _core.validate(only, jobs)


def scenarios() -> dict[str, str]:
    """The scenarios that come along, each with what it shows."""
    return dict(_core.included_scenarios())


def dumbbell(
    *,
    rate_mbit_s: float,
    rtt_ms: float,
    flows: Mapping[str, Any],
    buffer_bdp: float = 1.0,
    duration_s: float = 60.0,
    warmup_s: float = 10.0,
    record_ms: float | None = 100.0,
    name: str = "dumbbell",
    seed: int = 1,
) -> Scenario:
    """Flows over one bottleneck, with a drop-tail queue of ``buffer_bdp`` products of rate and delay.

    ``rate_mbit_s`` is the bottleneck's rate in Mb/s. ``rtt_ms`` is about the round trip without
    queues, in ms: a tenth of it is in the access links, whose delays are drawn so that flows do not
    go in step. ``flows`` maps a label to a controller (``"reno"``, a class derived from
    :class:`Controller`), or to the keys of a group of flows
    (``{"controller": "reno", "count": 4}``). Times are in s, except the interval at which series
    are recorded, ``record_ms``; ``None`` records totals only.
    """
    groups = []
    for label, of in flows.items():
        group: dict[str, Any] = {"label": label, "protocol": "tcp", "recovery": "sack"}
        group["start"] = {"uniform": ["0 s", f"{min(1.0, duration_s / 10):.6f} s"]}
        group.update(of if isinstance(of, Mapping) and "name" not in of else {"controller": of})
        groups.append(group)
    # A round trip passes the bottleneck twice and four access links.
    keys: dict[str, Any] = {
        "name": name,
        "seed": seed,
        "duration": f"{duration_s} s",
        "warmup": f"{warmup_s} s",
        "topology": {
            "kind": "dumbbell",
            "bottleneck": {
                "rate": f"{rate_mbit_s} Mbps",
                "delay": f"{rtt_ms * 0.45:.6f} ms",
                "queue": {"kind": "drop-tail", "limit": f"{buffer_bdp} BDP"},
            },
            "access": {
                "rate": f"{rate_mbit_s * 10} Mbps",
                "delay": {"uniform": [f"{rtt_ms * 0.02:.6f} ms", f"{rtt_ms * 0.03:.6f} ms"]},
            },
        },
        "flows": groups,
    }
    if record_ms is not None:
        keys["record"] = {"every": f"{record_ms} ms"}
    return Scenario(**keys)


def _scenario(of: Scenario | str | os.PathLike[str]) -> Scenario:
    return of if isinstance(of, Scenario) else Scenario(of)
