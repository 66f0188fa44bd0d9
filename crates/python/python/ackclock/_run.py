"""What a run gives."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from . import _core
from ._display import html_table

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Run:
    """A run: totals in :attr:`summary`, and tables of all that the scenario records.

    Units are in the names: ``_s`` seconds, ``_bps`` bits per second, ``_packets``, ``_bytes``.
    Counts are over the whole run; rates, means and indices over the time after the warm-up.
    """

    def __init__(self, run: _core.Run) -> None:
        self._run = run
        self._summary: dict[str, Any] | None = None

    @property
    def summary(self) -> dict[str, Any]:
        """What ``ackclock run --json`` prints."""
        if self._summary is None:
            self._summary = self._run.summary
        return self._summary

    @property
    def json(self) -> str:
        """The summary as JSON text."""
        return self._run.json

    @property
    def scenario(self) -> _core.Scenario:
        """What ran, its seed included. Not for controllers written in Python."""
        return _core.Scenario(text=self._run.toml)

    @property
    def flows(self) -> _core.Table:
        """One row for each flow."""
        return self._run.table("flows")

    @property
    def links(self) -> _core.Table:
        """One row for each link of the topology."""
        return self._run.table("links")

    @property
    def series(self) -> _core.Table:
        """Window, round trip and rates of each flow over time; needs ``[record] every``."""
        return self._run.table("series")

    @property
    def link_series(self) -> _core.Table:
        """Queue and rates of each link over time; needs ``[record] every``."""
        return self._run.table("link_series")

    @property
    def variables(self) -> _core.Table:
        """Variables of controllers and queues over time; needs ``[record] every``."""
        return self._run.table("variables")

    @property
    def events(self) -> _core.Table:
        """Every send, receive, drop, mark and ACK; needs ``[record] events``."""
        return self._run.table("events")

    def write(self, folder: str | os.PathLike[str]) -> None:
        """Writes the folder that ``ackclock run --out`` writes: tables, and a page with charts."""
        self._run.write(os.fspath(folder))

    def plot(self) -> Figure:
        """Windows, goodputs and queues over time, in the colours of the report.

        Needs matplotlib (``pip install 'ackclock[plot]'``) and ``[record] every``.
        """
        from . import _plot

        return _plot.run(self)

    def __repr__(self) -> str:
        at = self.summary
        return (
            f"<ackclock.Run \"{at['scenario']}\", seed {at['seed']}: "
            f"{at['goodput_bps'] / 1e6:.4g} Mb/s, {len(at['flows'])} flows>"
        )

    def _repr_html_(self) -> str:
        names = ["label", "flows", "goodput_bps", "throughput_bps", "jain"]
        groups = [[group[name] for name in names] for group in self.summary["groups"]]
        links = ["name", "utilization", "drops", "marks", "queue_mean_packets"]
        rows = [[link[name] for name in links] for link in self.summary["links"]]
        return html_table(names, groups) + html_table(links, rows)
