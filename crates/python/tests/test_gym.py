"""Gymnasium environments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

import ackclock as ac

gymnasium = pytest.importorskip("gymnasium")
np = pytest.importorskip("numpy")

from ackclock.gym import CongestionEnv, CongestionVectorEnv, balanced, power  # noqa: E402


@pytest.fixture
def scenario() -> ac.Scenario:
    return ac.dumbbell(
        rate_mbit_s=4, rtt_ms=40, flows={"agent": "reno"}, duration_s=4, warmup_s=0, record_ms=None
    )


@pytest.mark.parametrize("action", ["window", "rate"])
def test_the_checker_passes(scenario: ac.Scenario, action: Any) -> None:
    from gymnasium.utils.env_checker import check_env

    check_env(CongestionEnv(scenario, action=action), skip_render_check=True)


def episode(env: Any, seed: int, actions: Any) -> list[Any]:
    env.reset(seed=seed)
    seen = []
    for action in actions:
        observation, reward, terminated, truncated, info = env.step(np.array([action], np.float32))
        assert not terminated and env.observation_space.contains(observation)
        seen.append((observation.tolist(), reward, truncated, info["time_s"]))
    return seen


def test_the_same_seed_and_actions_are_the_same_episode(scenario: ac.Scenario) -> None:
    scenario = scenario.with_(
        {"topology.bottleneck.loss": {"kind": "bernoulli", "probability": 0.02}}
    )
    actions = [0.1, -0.1] * 40
    env = CongestionEnv(scenario)
    one = episode(env, 3, actions)
    assert one == episode(env, 3, actions) == episode(CongestionEnv(scenario), 3, actions)
    assert one != episode(env, 4, actions)
    # 4 s in steps of 50 ms.
    assert [truncated for _, _, truncated, _ in one] == [False] * 79 + [True]
    assert one[-1][3] == pytest.approx(4.0)


@pytest.mark.parametrize("action", ["window", "rate"])
def test_the_agent_sets_the_speed(scenario: ac.Scenario, action: Any) -> None:
    """The window goes from 10 packets to 5, in 40 ms: 5 x 8000 bits in 40 to 44 ms are 0.91 to
    1 Mb/s. The rate goes from 10 packets in what is taken for a round trip, 100 ms before the
    first sample, to half: 0.4 Mb/s."""
    env = CongestionEnv(scenario, action=action)
    env.reset(seed=1)
    env.step(np.array([-1], np.float32))
    rates = []
    for _ in range(70):
        _, _, _, _, info = env.step(np.array([0], np.float32))
        rates.append(info["delivery_rate_bps"])
    mean = sum(rates[20:]) / 50
    low, high = (0.85e6, 1.02e6) if action == "window" else (0.38e6, 0.42e6)
    assert low < mean < high


def test_many_are_stepped_as_one_is(scenario: ac.Scenario) -> None:
    alone = CongestionEnv(scenario)
    many = CongestionVectorEnv(scenario, num_envs=5)
    alone.reset(seed=9)
    # What the single one draws first from its generator is the run's seed.
    drawn = int(np.random.default_rng(0).integers(1, 2))
    seed = int(gymnasium.utils.seeding.np_random(9)[0].integers(1, 2**31))
    many.reset(seed=[seed, seed + 1, None, seed, drawn])
    for _ in range(100):
        seen, rewards, _, truncated, infos = many.step(np.full((5, 1), 0.05, np.float32))
        if truncated[0]:
            break
        one, reward, *_ = alone.step(np.array([0.05], np.float32))
        assert seen[0].tolist() == seen[3].tolist() == one.tolist() and rewards[0] == reward
    assert truncated.all()
    # The next step begins the next episode.
    seen, rewards, _, truncated, infos = many.step(np.ones((5, 1), np.float32))
    assert not seen.any() and not rewards.any() and not truncated.any()
    assert not infos["time_s"].any()


def test_rewards_are_as_documented() -> None:
    info: Mapping[str, float] = {
        "delivery_rate_bps": 5e6, "capacity_bps": 1e7, "rtt_s": 0.06, "min_rtt_s": 0.04, "loss": 0.01
    }
    # 0.5 - 0.5 / 2 - 5 x 0.01; log2(0.5) - log2(1.5)
    assert balanced(info) == pytest.approx(0.2)
    assert power(info) == pytest.approx(-1.58496, abs=1e-5)


def test_what_cannot_be_an_environment_is_refused(scenario: ac.Scenario) -> None:
    with pytest.raises(ac.ScenarioError, match='no flows labelled "learner"\nhint: there is: agent'):
        CongestionEnv(scenario, "learner")
    with pytest.raises(ac.ScenarioError, match="the agent is one"):
        CongestionEnv(scenario.with_({"flows.agent.count": 2}))
    with pytest.raises(ValueError, match="reward"):
        CongestionEnv(scenario, reward="speed")
