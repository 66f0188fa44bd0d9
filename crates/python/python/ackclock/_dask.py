"""Sweeps on a Dask cluster.

This process plans and keeps; workers run batches and leave what they gave as files, parcels, in a
store that both sides see. A parcel says by itself whether it is whole, and a run that is done twice
gives the same bytes, so that workers may come, go and die at any time.
"""

from __future__ import annotations

import os
import sys
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

from . import _core
from ._errors import Error, RunError, StoreError

Batch = list[tuple[int, int]]

#: How long a batch runs, in s. A task costs the scheduler and the network some milliseconds.
BATCH_S = 1.0
#: Batches that wait or run for each thread of the cluster, so that none runs dry.
_AHEAD = 3
#: How long the first batches run if nothing is known: a quarter million packets per second.
_FIRST_WORK = 250_000.0


def sweep_on(
    client: Any,
    scenario: _core.Scenario,
    folder: Path,
    store: str | None,
    progress: Callable[[int, int], object] | None,
) -> dict[str, Any]:
    """Runs what is missing of a sweep on the cluster of ``client``, a ``distributed.Client``."""
    import distributed

    as_completed: Any = distributed.as_completed
    _check_versions(client)
    parcels = Parcels(store if store is not None else str((folder / "parcels").absolute()))
    campaign = _core.Campaign(scenario, str(folder), parcels.left())
    parcels.clear()
    speed = _FIRST_WORK  # of one thread, in data packets per second
    waiting: dict[Any, tuple[Batch, float]] = {}
    running = as_completed()
    token, number = uuid.uuid4().hex[:12], [0]

    def feed() -> None:
        threads = max(1, sum(client.nthreads().values()))
        while len(waiting) < _AHEAD * threads:
            # However many workers there are, the scheduler has 5 ms for each task.
            batch = campaign.batch(speed * max(BATCH_S, 0.005 * threads))
            if not batch:
                return
            number[0] += 1
            name = f"{token}-{number[0]}"
            future = client.submit(
                run_batch, scenario, batch, parcels.url, name, key=f"ackclock-{name}", pure=False
            )
            waiting[future] = (batch, campaign.work(batch))
            running.add(future)

    try:
        feed()
        for future in running:
            batch, work = waiting.pop(future)
            error = future.exception()
            if error is not None:
                campaign.give_back(batch)
                raise _explained(error, parcels.url)
            name, seconds = future.result()
            campaign.receive(parcels.take(name))
            if seconds > 0:
                speed += 0.3 * (work / seconds - speed)
            if progress is not None:
                progress(*campaign.progress())
            feed()
    finally:
        for future, (batch, _) in waiting.items():
            future.cancel()
            campaign.give_back(batch)
        done = campaign.finish()
    parcels.clear(remove=True)
    return done


def run_batch(
    scenario: _core.Scenario, batch: Batch, store: str, name: str
) -> tuple[str, float]:
    """What a worker does: runs the batch and leaves a parcel; its name and the seconds it took."""
    began = time.perf_counter()
    parcel = _core.run_batch(scenario, batch)
    Parcels(store).put(name, parcel)
    return name, time.perf_counter() - began


class Parcels:
    """Results in a folder, or behind a URL that fsspec knows."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._files: Any = None
        self._folder = url
        if "://" in url:
            import fsspec

            self._files, self._folder = fsspec.core.url_to_fs(url)

    def put(self, name: str, parcel: bytes) -> None:
        """Writes a parcel so that it is there as a whole or not at all."""
        path = f"{self._folder}/{name}{_SUFFIX}"
        if self._files is not None:
            self._files.makedirs(self._folder, exist_ok=True)
            self._files.pipe_file(path, parcel)
            return
        os.makedirs(self._folder, exist_ok=True)
        fresh = f"{path}.{os.getpid()}.new"
        with open(fresh, "wb") as file:
            file.write(parcel)
        os.replace(fresh, path)

    def take(self, name: str) -> bytes:
        """A parcel."""
        return self._read(f"{self._folder}/{name}{_SUFFIX}")

    def left(self) -> list[bytes]:
        """Those that an earlier sweep did not take in; torn ones are runs not done."""
        parcels = []
        for path in self._paths():
            parcel = self._read(path)
            if _core.is_whole_parcel(parcel):
                parcels.append(parcel)
        return parcels

    def clear(self, remove: bool = False) -> None:
        """Removes what was taken in; the folder too, if it is ours alone."""
        for path in self._paths():
            if self._files is not None:
                self._files.rm_file(path)
            else:
                os.remove(path)
        if remove and self._files is None and os.path.isdir(self._folder):
            if not os.listdir(self._folder):
                os.rmdir(self._folder)

    def _paths(self) -> list[str]:
        if self._files is not None:
            if not self._files.exists(self._folder):
                return []
            names = self._files.ls(self._folder, detail=False)
            return sorted(name for name in names if name.endswith(_SUFFIX))
        if not os.path.isdir(self._folder):
            return []
        names = sorted(os.listdir(self._folder))
        return [f"{self._folder}/{name}" for name in names if name.endswith(_SUFFIX)]

    def _read(self, path: str) -> bytes:
        if self._files is not None:
            return bytes(self._files.cat_file(path))
        with open(path, "rb") as file:
            return file.read()


_SUFFIX = ".parcel"


def _check_versions(client: Any) -> None:
    """Workers must give the results that this process would."""
    ours = _core.RESULTS_VERSION
    for address, theirs in client.run(_version).items():
        if theirs != ours:
            raise RunError(
                f"the worker {address} has ackclock {theirs}, this process {ours}",
                "install the same wheel everywhere",
            )


def _version() -> str:
    return _core.RESULTS_VERSION


def _explained(error: BaseException, store: str) -> BaseException:
    if isinstance(error, OSError) and not isinstance(error, StoreError):
        return StoreError(
            f"a worker cannot leave its results in {store}: {error}",
            "give store= a folder or URL that every worker may write to; what is finished is kept",
        )
    return error


def main(arguments: list[str]) -> int:
    """``ackclock sweep --dask``: a scenario with its ``[sweep]`` on stdin, scheduler and folder as
    arguments; errors on stderr as the command writes them."""
    address, folder = arguments
    try:
        import distributed
    except ImportError:
        print("error: Dask is not installed\nhint: pip install 'ackclock[dask]'", file=sys.stderr)
        return 1
    connect: Any = distributed.Client
    try:
        with connect(address, timeout="10s") as client:
            scenario = _core.Scenario(text=sys.stdin.read())
            sweep_on(client, scenario, Path(folder), None, None)
    except OSError as error:
        text = str(error) if isinstance(error, Error) else f"{address}: {error}"
        print(f"error: {text}", file=sys.stderr)
        return 1
    except Error as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
