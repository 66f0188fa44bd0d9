"""What a sweep gives."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from . import _core
from ._display import html_table


class Sweep:
    """The data set of a sweep: one row for each run, in the order of the grid.

    polars, pandas, DuckDB and pyarrow read it as it is (``polars.DataFrame(sweep)``); what is too
    large for memory they read from :attr:`path`.
    """

    def __init__(self, folder: Path, done: Mapping[str, Any]) -> None:
        self.folder = folder
        #: What ``sweep.json`` says: axes, metrics with their units, failed runs.
        self.description: dict[str, Any] = done["description"]
        #: Runs done now.
        self.run: int = done["run"]
        #: Runs that were finished before.
        self.skipped: int = done["skipped"]

    @property
    def path(self) -> Path:
        """The Parquet file."""
        return self.folder / "runs.parquet"

    @property
    def table(self) -> _core.Table:
        """All rows, in memory."""
        return _core.read_parquet(str(self.path))

    def report(self) -> Path:
        """Draws the charts of ``ackclock report``; the page's path."""
        return Path(_core.write_report(str(self.folder)))

    def __arrow_c_stream__(self, requested_schema: object = None) -> Any:
        return self.table.__arrow_c_stream__(requested_schema)

    def __len__(self) -> int:
        return int(self.description["done"])

    def __repr__(self) -> str:
        failed = self.description["failed"]
        failures = f", {failed} failed" if failed else ""
        return f"<ackclock.Sweep {self.folder}: {len(self)} runs{failures}>"

    def _repr_html_(self) -> str:
        axes = [key for axis in self.description["axes"] for key in axis["keys"]]
        rows = [[key["label"], ", ".join(key["shown"])] for key in axes]
        return html_table(["axis", "values"], rows, repr(self))


def with_sweep(
    scenario: _core.Scenario,
    over: Mapping[str, Sequence[Any]] | None,
    seeds: int | None,
) -> _core.Scenario:
    """The scenario with the axes of a sweep; flows by their label, as for ``with_``."""
    settings: dict[str, Any] = {}
    for key, values in (over or {}).items():
        settings[f"sweep.{json.dumps(key)}"] = list(values)
    if seeds is not None:
        settings["sweep.seeds"] = seeds
    return scenario.with_(settings) if settings else scenario


def folder_of(scenario: _core.Scenario) -> Path:
    """Where the command puts a sweep that is given no folder."""
    plain = "".join(c if c.isalnum() or c in "-_." else "-" for c in scenario.name).strip(".")
    return Path("out/sweep") / (plain or "scenario")
