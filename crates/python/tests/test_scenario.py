"""Scenarios: from files, text and keyword arguments, and what is wrong with them."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

import ackclock as ac

TEXT = """
name = "text"
duration = "5 s"

[topology]
kind = "dumbbell"
bottleneck = { rate = "1 Mbps", delay = "10 ms" }

[[flows]]
label = "tcp"
protocol = "tcp"
"""


def test_a_file_its_text_and_its_keys_are_the_same_scenario(tmp_path: Path) -> None:
    path = tmp_path / "text.toml"
    path.write_text(TEXT)
    from_keys = ac.Scenario(
        name="text",
        duration="5 s",
        topology={"kind": "dumbbell", "bottleneck": {"rate": "1 Mbps", "delay": "10 ms"}},
        flows=[{"label": "tcp", "protocol": "tcp"}],
    )
    assert ac.Scenario(path) == ac.Scenario(text=TEXT) == from_keys
    assert from_keys.duration_s == 5.0


def test_scenarios_that_come_along_have_names() -> None:
    assert ac.Scenario("dsl").name == "dsl"
    assert "dsl" in ac.scenarios()


def test_with_changes_a_copy() -> None:
    scenario = ac.Scenario(text=TEXT)
    other = scenario.with_({"flows.tcp.count": 3}, duration="7 s")
    assert (scenario.duration_s, other.duration_s) == (5.0, 7.0)
    assert "count = 3" in other.toml
    assert scenario.with_(**{"topology.bottleneck.rate": "2 Mbps"}) != scenario


def test_an_error_is_that_of_the_command_with_its_hint() -> None:
    with pytest.raises(ac.ScenarioError) as raised:
        ac.Scenario(text=TEXT.replace('duration = "5 s"', "duration = 5"))
    error = raised.value
    assert (error.key, error.file, error.line, error.column) == ("duration", "text", 3, 12)
    assert error.hint == "`ackclock explain duration` says what it takes"
    assert str(error).endswith(f"\nhint: {error.hint}")
    assert isinstance(error, ValueError)


def test_a_setting_that_is_wrong_names_its_key() -> None:
    with pytest.raises(ac.ScenarioError, match=r"^topology.bottleneck.rate = "):
        ac.Scenario(text=TEXT).with_(**{"topology.bottleneck.rate": "2 parsecs"})
    with pytest.raises(ac.ScenarioError, match="did you mean"):
        ac.Scenario("dls")
    with pytest.raises(TypeError, match="not complex"):
        ac.Scenario(text=TEXT).with_(duration=1j)


def test_a_pickled_scenario_is_the_same() -> None:
    scenario = ac.Scenario("dsl")
    assert pickle.loads(pickle.dumps(scenario)) == scenario


def test_a_pickled_scenario_of_another_version_is_refused() -> None:
    pickled = pickle.dumps(ac.Scenario("dsl"), protocol=4)
    ours = ac._core.RESULTS_VERSION.encode()
    theirs = b"9" * len(ours)
    assert pickled.count(ours) == 1
    with pytest.raises(ac.ScenarioError, match="was pickled by ackclock 999"):
        pickle.loads(pickled.replace(ours, theirs))


def test_an_error_survives_the_way_between_processes() -> None:
    error = ac.ScenarioError("wrong", "right", "flows", "f.toml", 1, 2)
    copy = pickle.loads(pickle.dumps(error))
    assert (copy.key, copy.line, str(copy)) == ("flows", 1, "wrong\nhint: right")


def test_a_dumbbell_takes_any_numbers() -> None:
    """60 ms: 27 ms in the bottleneck, 1.2 to 1.8 ms in each access link; 0.03 x 60 is no 1.8."""
    scenario = ac.dumbbell(rate_mbit_s=10, rtt_ms=60, flows={"a": "reno"}, duration_s=20)
    assert 'delay = "27 ms"' in scenario.toml and '["1.2 ms", "1.8 ms"]' in scenario.toml
