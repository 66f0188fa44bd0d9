"""Figures with matplotlib, in the colours of the report."""

from __future__ import annotations

import io
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

try:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
except ImportError as error:
    raise ImportError("plots need matplotlib: pip install 'ackclock[plot]'") from error

from ._errors import ScenarioError

if TYPE_CHECKING:
    from ._run import Run

#: The report's colours on a light ground, in order.
COLOURS = (
    "#0072b2",
    "#d55e00",
    "#009e73",
    "#b5578c",
    "#db9200",
    "#3fa7dc",
    "#4a4f55",
    "#8f8500",
)


class Plot(Figure):
    """A figure that notebooks show without further ado."""

    def _repr_png_(self) -> bytes:
        png = io.BytesIO()
        self.savefig(png, format="png", dpi=100)
        return png.getvalue()


def run(of: Run) -> Plot:
    """Three panels over one time axis."""
    if len(of.series) == 0:
        raise ScenarioError(
            "the run has no series to plot",
            'record them: scenario.with_(**{"record.every": "100 ms"})',
        )
    figure = Plot(figsize=(8, 7), layout="constrained")
    windows, goodputs, queues = figure.subplots(3, 1, sharex=True)
    series = of.series
    names = [f"{label} {index}" for label, index in zip(series["label"], series["index"])]
    _lines(windows, names, series["time_s"], series["window_packets"])
    windows.set_ylabel("window (packets)")
    _lines(goodputs, names, series["time_s"], [rate / 1e6 for rate in series["goodput_bps"]])
    goodputs.set_ylabel("goodput (Mb/s)")
    links = of.link_series
    _lines(queues, links["link"], links["time_s"], links["queue_packets"])
    queues.set_ylabel("queue (packets)")
    queues.set_xlabel("time (s)")
    figure.suptitle(f"{of.summary['scenario']}, seed {of.summary['seed']}")
    return figure


def _lines(axes: Axes, names: Iterable[str], times: list[Any], values: list[Any]) -> None:
    lines: dict[str, tuple[list[float], list[float]]] = {}
    for name, time, value in zip(names, times, values):
        at, what = lines.setdefault(name, ([], []))
        at.append(time)
        what.append(float("nan") if value is None else value)
    for number, (name, (at, what)) in enumerate(lines.items()):
        axes.plot(at, what, label=name, color=COLOURS[number % len(COLOURS)], linewidth=1)
    if 1 < len(lines) <= len(COLOURS):
        axes.legend(loc="upper right", fontsize="small")
    axes.grid(alpha=0.3)
