"""Controllers written in Python, beside native ones."""

from __future__ import annotations

import traceback
from typing import Any

import pytest

import ackclock as ac


class Reno(ac.Controller):
    """RFC 5681 in a few lines, as the native one does it."""

    name = "python-reno"

    def __init__(self, setup: ac.Setup) -> None:
        self.window = setup.initial_window_bytes / setup.segment_bytes
        threshold = setup.initial_slow_start_threshold_bytes
        self.threshold = float("inf") if threshold is None else threshold / setup.segment_bytes

    def on_ack(self, ack: ac.Ack) -> None:
        if ack.in_recovery or ack.app_limited or ack.acked_packets == 0:
            return
        self.window += 1 if self.window < self.threshold else 1 / self.window
        self.window_bytes = self.window * self.segment_bytes

    def on_congestion(self, congestion: ac.Congestion) -> None:
        if not congestion.begins:
            return
        flight = congestion.flight_size_bytes / self.segment_bytes
        self.threshold = max(flight / 2, 2)
        self.window = 1 if congestion.signal == "timeout" else self.threshold
        self.window_bytes = self.window * self.segment_bytes

    def variables(self) -> dict[str, float]:
        return {"threshold": self.threshold}


class Steady(ac.Controller):
    """So many packets, whatever happens."""

    def __init__(self, setup: ac.Setup, packets: int = 10, part: float = 1.0) -> None:
        self.window_bytes = packets * part * setup.segment_bytes

    def on_ack(self, ack: ac.Ack) -> None:
        pass


def beside(small: ac.Scenario, controller: Any) -> ac.Scenario:
    """One flow of it and one native."""
    return small.with_(
        flows=[
            {"label": "mine", "protocol": "tcp", "recovery": "sack", "controller": controller},
            {"label": "reno", "protocol": "tcp", "recovery": "sack", "controller": "reno"},
        ]
    )


def test_reno_in_python_shares_with_reno_in_rust(small: ac.Scenario) -> None:
    """Two equal laws: each has about half, over seeds."""
    shares = []
    for seed in range(1, 9):
        groups = ac.run(beside(small, Reno).with_(duration="60 s"), seed=seed).summary["groups"]
        mine, native = (group["goodput_bps"] for group in groups)
        shares.append(mine / (mine + native))
    mean = sum(shares) / len(shares)
    assert 0.42 < mean < 0.58, shares


def test_a_window_of_its_own_is_kept_to(small: ac.Scenario) -> None:
    """8 x 0.5 packets of 1000 bytes in 40 ms: 100 packets/s, of 960 bytes payload: 768 kb/s."""
    alone = small.with_(
        flows=[{"label": "mine", "protocol": "tcp", "recovery": "sack",
                "controller": {"name": Steady, "packets": 8, "part": 0.5}}]
    )
    run = ac.run(alone)
    # Access delays are drawn within 2 %, and sending a packet takes 2 ms at 4 Mb/s.
    assert 0.90 * 768e3 < run.summary["goodput_bps"] < 1.02 * 768e3
    assert set(run.series["window_packets"]) == {4.0}
    assert run.summary["flows"][0]["controller"] == "steady"


def test_a_parameter_can_be_set_and_is_checked(small: ac.Scenario) -> None:
    scenario = beside(small, Steady)
    assert "packets = 3" in scenario.with_({"flows.mine.controller.packets": 3}).toml
    with pytest.raises(ac.ScenarioError, match="packets"):
        scenario.with_({"flows.mine.controller.packets": -3})
    with pytest.raises(ac.ScenarioError, match="gain"):
        scenario.with_({"flows.mine.controller.gain": 1})


def test_variables_are_recorded(small: ac.Scenario) -> None:
    table = ac.run(beside(small, Reno)).variables
    named = [
        value
        for value, name, label in zip(table["value"], table["variable"], table["label"])
        if name == "threshold" and label == "mine"
    ]
    assert len(named) == 100 and min(named) >= 2


class Broken(ac.Controller):
    """Does something wrong at the tenth ACK."""

    wrong: Any = None

    def __init__(self, setup: ac.Setup) -> None:
        self.acks = 0

    def on_ack(self, ack: ac.Ack) -> None:
        self.acks += 1
        if self.acks == 10:
            type(self).wrong(self)


def set_window(value: Any) -> Any:
    def wrong(self: ac.Controller) -> None:
        self.window_bytes = value

    return wrong


@pytest.mark.parametrize(
    ("wrong", "error", "text"),
    [
        (set_window(float("nan")), ValueError, "window_bytes = NaN: it is a number of bytes"),
        (set_window(-1), ValueError, "window_bytes = -1: it is a number of bytes, 0 or more"),
        (set_window("many"), TypeError, "window_bytes = 'many': it is a number of bytes"),
        (set_window(None), TypeError, "window_bytes = None"),
        (lambda self: setattr(self, "pacing_bps", 0), ValueError, "pacing_bps = 0"),
        (lambda self: vars(self)["nothing"], KeyError, "nothing"),
    ],
)
def test_what_a_controller_does_wrong_stops_the_run(
    small: ac.Scenario, wrong: Any, error: type[Exception], text: str
) -> None:
    class Mine(Broken):
        pass

    Mine.wrong = wrong
    with pytest.raises(error, match=text) as raised:
        ac.run(beside(small, Mine))
    frames = [frame.name for frame in traceback.extract_tb(raised.tb)]
    assert "on_ack" in frames, "the traceback leads to the line"


def test_what_is_no_controller_is_refused(small: ac.Scenario) -> None:
    class Deaf(ac.Controller):
        pass

    class Needs(ac.Controller):
        def __init__(self, setup: ac.Setup, gain: float) -> None:
            pass

        def on_ack(self, ack: ac.Ack) -> None:
            pass

    for controller, text in [
        (int, "does not derive from ackclock.Controller"),
        (Deaf, "neither on_ack nor on_round"),
        (Needs, "needs a default"),
    ]:
        with pytest.raises(TypeError, match=text):
            beside(small, controller)
    with pytest.raises(TypeError, match="give the class to the scenario"):
        Steady(3)  # type: ignore[arg-type]


class Rounds(ac.Controller):
    """One packet more each round trip, half on congestion: called once per round trip."""

    seen: list[ac.Round] = []

    def on_round(self, round: ac.Round) -> None:
        self.seen.append(round)
        if round.congestion_signals:
            self.window_bytes = max(self.window_bytes / 2, 2 * self.segment_bytes)
        else:
            self.window_bytes += self.segment_bytes


def test_a_controller_may_be_called_once_per_round_trip(small: ac.Scenario) -> None:
    Rounds.seen = []
    scenario = small.with_(
        flows=[{"label": "mine", "protocol": "tcp", "recovery": "sack", "controller": Rounds}]
    )
    run = ac.run(scenario)
    flow = run.summary["flows"][0]
    # Without a queue a round takes 40 ms and more, with a full one twice that: in 9 to 10 s
    # between 112 and 250.
    assert 100 < len(Rounds.seen) < 260
    # Each packet in order is told of once, but for the round under way at the end.
    acked = sum(round.acked_packets for round in Rounds.seen)
    assert 0.95 * flow["packets_delivered"] < acked <= flow["packets_delivered"]
    assert all(0.039 < (round.rtt_min_s or 1) < 0.1 for round in Rounds.seen)
    assert 0.7 * 3.84e6 < run.summary["goodput_bps"] <= 3.84e6


def test_two_classes_of_one_name_are_not_mixed_up(small: ac.Scenario) -> None:
    def make(packets: int) -> type[ac.Controller]:
        class Mine(ac.Controller):
            def on_ack(self, ack: ac.Ack) -> None:
                self.window_bytes = packets * self.segment_bytes

        return Mine

    one, two = (beside(small, make(packets)) for packets in (3, 7))
    windows = [max(ac.run(scenario).series["window_packets"][20::2]) for scenario in (one, two)]
    assert windows == [3.0, 7.0]
