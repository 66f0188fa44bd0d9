"""Gymnasium environments: an agent is one flow of a scenario and sets its window or its rate.

Needs Gymnasium (``pip install 'ackclock[gym]'``).

**A step** is a fixed time of the run (``step_ms``), about a round trip. **An episode** is a run; it
ends (``truncated``) when the scenario's duration is over.

**The observation** has eight numbers from 0 to 10, all without unit, from what the flow's ACKs told
during the last step:

0. delivery rate over the highest so far;
1. smoothed round trip over the smallest so far, less 1: the queue;
2. mean round trip of the step over the smallest so far, less 1;
3. lost data over lost and delivered data;
4. window over highest delivery rate times smallest round trip: 1 fills the path;
5. logarithm to base 2 of the window in packets, over 4;
6. smallest round trip, in units of 100 ms;
7. marked packets over ACKs.

**The action** is one number from -1 to 1: the window (``action="window"``) or the rate
(``action="rate"``) is multiplied by 2 to its power. With a rate, the window is twice rate times
smallest round trip, as a bound.

**The reward** of a step is by default ``x - d / 2 - 5 l``, with ``x`` the delivery rate over the rate
of the scenario's slowest link, ``d`` the queueing delay over the smallest round trip and ``l`` the
lost part; ``reward="power"`` is ``log2(x) - log2(1 + d)``; a function is called with the dictionary
``info`` (``delivery_rate_bps``, ``rtt_s``, ``min_rtt_s``, ``loss``, ``window_packets``, ``time_s``,
``capacity_bps``).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from typing import Any, Literal

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from . import _core

Reward = Callable[[Mapping[str, float]], float]
Observation = NDArray[np.float32]

_FIELDS = 12
_FEATURES = 8
_HIGHEST = 10.0


def balanced(info: Mapping[str, float]) -> float:
    """Delivery rate, less half the queueing delay, less five times the loss."""
    x = info["delivery_rate_bps"] / info["capacity_bps"]
    delay = max(0.0, info["rtt_s"] / info["min_rtt_s"] - 1) if info["min_rtt_s"] else 0.0
    return x - delay / 2 - 5 * info["loss"]


def power(info: Mapping[str, float]) -> float:
    """The logarithm of power: delivery rate over round trip, each over what is best."""
    x = max(info["delivery_rate_bps"] / info["capacity_bps"], 1e-3)
    delay = max(0.0, info["rtt_s"] / info["min_rtt_s"] - 1) if info["min_rtt_s"] else 0.0
    return math.log2(x) - math.log2(1 + delay)


_REWARDS: dict[str, Reward] = {"balanced": balanced, "power": power}


class _Flow:
    """What one agent's flow has come to; makes observations of it."""

    def __init__(self, capacity_bps: float, segment_bytes: float) -> None:
        self.capacity_bps = capacity_bps
        self.segment_bytes = segment_bytes
        self.window = 10 * segment_bytes
        self.rate = 0.0
        self.highest = 0.0

    def act(self, action: float, kind: str, min_rtt: float) -> tuple[float, float]:
        factor = 2.0 ** min(1.0, max(-1.0, action))
        largest = 1e9
        if kind == "window":
            self.window = min(largest, max(2 * self.segment_bytes, self.window * factor))
            return self.window, 0.0
        floor = 2 * self.segment_bytes * 8
        if self.rate == 0.0:
            self.rate = self.window * 8 / (min_rtt or 0.1)
        self.rate = min(largest, max(floor, self.rate * factor))
        self.window = max(4 * self.segment_bytes, 2 * self.rate / 8 * (min_rtt or 1.0))
        return self.window, self.rate

    def see(self, numbers: NDArray[np.float64]) -> tuple[Observation, dict[str, float]]:
        time, seconds, delivered, lost, rtt, smoothed, least, _, acks, marks, window, _ = (
            float(number) for number in numbers
        )
        rate = delivered * 8 / seconds if seconds else 0.0
        self.highest = max(self.highest, rate)
        loss = lost / (lost + delivered) if lost + delivered else 0.0
        rtt = rtt or smoothed
        path = self.highest / 8 * least
        packets = window / self.segment_bytes
        observation = np.array(
            [
                rate / self.highest if self.highest else 0.0,
                smoothed / least - 1 if least else 0.0,
                rtt / least - 1 if least else 0.0,
                loss,
                window / path if path else 0.0,
                math.log2(max(1.0, packets)) / 4,
                least * 10,
                marks / acks if acks else 0.0,
            ],
            dtype=np.float32,
        )
        info = {
            "time_s": time,
            "delivery_rate_bps": rate,
            "rtt_s": rtt,
            "min_rtt_s": least,
            "loss": loss,
            "window_packets": packets,
            "capacity_bps": self.capacity_bps,
        }
        return np.clip(observation, 0.0, _HIGHEST), info


class _Runs:
    """Several runs, and what both kinds of environment need of them."""

    def __init__(
        self,
        scenario: _core.Scenario,
        flow: str,
        action: str,
        step_ms: float,
        reward: str | Reward,
        count: int,
    ) -> None:
        if action not in ("window", "rate"):
            raise ValueError(f'action = "{action}": it is "window" or "rate"')
        if isinstance(reward, str) and reward not in _REWARDS:
            names = ", ".join(_REWARDS)
            raise ValueError(f'reward = "{reward}": it is a function or one of {names}')
        self.reward = _REWARDS[reward] if isinstance(reward, str) else reward
        self.action = action
        self.runs = _core.Environments(scenario, flow, count, step_ms / 1e3)
        self.capacity_bps, self.segment_bytes = self.runs.path()
        self.flows = [_Flow(self.capacity_bps, self.segment_bytes) for _ in range(count)]
        self.min_rtts = [0.0] * count

    def reset(self, index: int, seed: int) -> None:
        self.runs.reset(index, seed)
        self.flows[index] = _Flow(self.capacity_bps, self.segment_bytes)
        self.min_rtts[index] = 0.0

    def step(
        self, actions: NDArray[Any], resting: Collection[int] = ()
    ) -> tuple[list[Observation], list[float], list[bool], list[dict[str, float]]]:
        """A step of all runs but those that rest."""
        windows: list[float | None] = []
        rates = []
        for index, (flow, action) in enumerate(zip(self.flows, actions)):
            window, rate = None, 0.0
            if index not in resting:
                window, rate = flow.act(float(action), self.action, self.min_rtts[index])
            windows.append(window)
            rates.append(rate)
        numbers = np.frombuffer(self.runs.step(windows, rates)).reshape(-1, _FIELDS)
        seen = [flow.see(of) for flow, of in zip(self.flows, numbers)]
        self.min_rtts = [info["min_rtt_s"] for _, info in seen]
        rewards = [
            0.0 if index in resting else float(self.reward(info))
            for index, (_, info) in enumerate(seen)
        ]
        over = [bool(of[_FIELDS - 1]) for of in numbers]
        return [at for at, _ in seen], rewards, over, [info for _, info in seen]


def _observations() -> Any:
    return gymnasium.spaces.Box(0.0, _HIGHEST, (_FEATURES,), np.float32)


def _actions() -> Any:
    return gymnasium.spaces.Box(-1.0, 1.0, (1,), np.float32)


class CongestionEnv(gymnasium.Env[Observation, NDArray[np.float32]]):
    """One run; see the module for observation, action and reward.

    ``flow`` is the label of the agent's flow, one of its group. ``step_ms`` is the length of a step
    in ms. ``reset(seed=…)`` seeds all: each episode runs the scenario with a seed drawn from it.
    """

    metadata: dict[str, Any] = {"render_modes": []}

    def __init__(
        self,
        scenario: _core.Scenario,
        flow: str = "agent",
        *,
        action: Literal["window", "rate"] = "window",
        step_ms: float = 50.0,
        reward: str | Reward = "balanced",
    ) -> None:
        self.observation_space = _observations()
        self.action_space = _actions()
        self._runs = _Runs(scenario, flow, action, step_ms, reward, 1)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        super().reset(seed=seed)
        self._runs.reset(0, int(self.np_random.integers(1, 2**31)))
        return np.zeros(_FEATURES, np.float32), {}

    def step(
        self, action: NDArray[np.float32]
    ) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        seen, rewards, over, infos = self._runs.step(np.asarray(action).reshape(1))
        return seen[0], rewards[0], False, over[0], dict(infos[0])


class CongestionVectorEnv(
    gymnasium.vector.VectorEnv[Observation, NDArray[np.float32], NDArray[Any]]
):
    """Many runs of one scenario, each with seeds of its own, stepped together in Rust threads.

    An environment whose episode is over begins the next one at the following step, whose action it
    passes over.
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.NEXT_STEP, "render_modes": []}

    def __init__(
        self,
        scenario: _core.Scenario,
        flow: str = "agent",
        *,
        num_envs: int,
        action: Literal["window", "rate"] = "window",
        step_ms: float = 50.0,
        reward: str | Reward = "balanced",
    ) -> None:
        self.num_envs = num_envs
        self.single_observation_space = _observations()
        self.single_action_space = _actions()
        batch = gymnasium.vector.utils.batch_space
        self.observation_space = batch(self.single_observation_space, num_envs)
        self.action_space = batch(self.single_action_space, num_envs)
        self._runs = _Runs(scenario, flow, action, step_ms, reward, num_envs)
        self._over = [False] * num_envs

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        if isinstance(seed, int):
            self._np_random, self._np_random_seed = gymnasium.utils.seeding.np_random(seed)
        for index in range(self.num_envs):
            own = seed[index] if isinstance(seed, (list, tuple)) else None
            self._runs.reset(index, self._draw() if own is None else own)
        self._over = [False] * self.num_envs
        return np.zeros((self.num_envs, _FEATURES), np.float32), {}

    def step(
        self, actions: NDArray[np.float32]
    ) -> tuple[Observation, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        fresh = [index for index, over in enumerate(self._over) if over]
        for index in fresh:
            self._runs.reset(index, self._draw())
        seen, rewards, over, infos = self._runs.step(np.asarray(actions).reshape(-1), fresh)
        self._over = over
        gathered = {name: np.array([info[name] for info in infos]) for name in infos[0]}
        return (
            np.stack(seen),
            np.array(rewards),
            np.zeros(self.num_envs, bool),
            np.array(over),
            gathered,
        )

    def _draw(self) -> int:
        return int(self.np_random.integers(1, 2**31))
