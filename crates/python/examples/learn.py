"""Learns a window policy on a lossy path, in a minute or two, and says where it beats Reno.

The policy is linear in eight numbers that it sees; the cross-entropy method tries many at once and
keeps the best. Needs the extra `gym`: pip install 'ackclock[gym]'.

    python learn.py [seconds of training]
"""

import sys
import time

import numpy as np

import ackclock as ac
from ackclock.gym import CongestionVectorEnv

LOSSY = {
    "rate_mbit_s": 10,
    "rtt_ms": 60,
    "flows": {"agent": "reno"},
    "duration_s": 20,
    "warmup_s": 5,
    "record_ms": None,
}
STEP_MS = 60.0
POLICIES = 32
BEST = 6


def path(loss: float = 0.0, **changed) -> ac.Scenario:
    """One flow, and packets lost at random on the bottleneck."""
    scenario = ac.dumbbell(**{**LOSSY, **changed})
    if loss:
        key = "topology.bottleneck.loss"
        scenario = scenario.with_({key: {"kind": "bernoulli", "probability": loss}})
    return scenario


def features(seen: np.ndarray) -> np.ndarray:
    return np.concatenate([seen, np.ones((len(seen), 1))], axis=1)


def rewards(env: CongestionVectorEnv, policies: np.ndarray, seed: int) -> np.ndarray:
    """Mean reward of each policy over an episode, all with the same seed."""
    seen, _ = env.reset(seed=[seed] * len(policies))
    total, steps, over = np.zeros(len(policies)), 0, False
    while not over:
        actions = np.tanh(np.einsum("ij,ij->i", features(seen), policies))
        seen, reward, _, truncated, _ = env.step(actions[:, None].astype(np.float32))
        total += reward
        steps += 1
        over = bool(truncated.all())
    return total / steps


def train(seconds: float, seed: int = 1) -> np.ndarray:
    env = CongestionVectorEnv(path(loss=0.01), num_envs=POLICIES, step_ms=STEP_MS)
    random = np.random.default_rng(seed)
    mean, spread = np.zeros(9), np.ones(9)
    began, generation = time.monotonic(), 0
    while time.monotonic() - began < seconds and generation < 40:
        policies = random.normal(mean, spread, (POLICIES, 9))
        score = rewards(env, policies, int(random.integers(1, 2**31)))
        best = policies[np.argsort(score)[-BEST:]]
        mean, spread = best.mean(axis=0), best.std(axis=0) + 0.02
        generation += 1
    print(f"{generation} generations of {POLICIES} policies, best mean reward {score.max():.3f}")
    return mean


def goodput_mbit_s(policy: np.ndarray, scenario: ac.Scenario, seeds: range) -> tuple[float, float]:
    """Delivered data in Mb/s and mean round trip in ms, after the warm-up."""
    env = CongestionVectorEnv(scenario, num_envs=len(seeds), step_ms=STEP_MS)
    seen, _ = env.reset(seed=list(seeds))
    rates, rtts, over = [], [], False
    while not over:
        actions = np.tanh(features(seen) @ policy)
        seen, _, _, truncated, info = env.step(actions[:, None].astype(np.float32))
        if info["time_s"][0] > scenario.warmup_s:
            rates.append(info["delivery_rate_bps"].mean() / 1e6)
            rtts.append(info["rtt_s"].mean() * 1e3)
        over = bool(truncated.all())
    return float(np.mean(rates)), float(np.mean(rtts))


def reno(scenario: ac.Scenario, seeds: range) -> tuple[float, float]:
    runs = [ac.run(scenario, seed=seed).summary["flows"][0] for seed in seeds]
    rate = np.mean([flow["throughput_bps"] / 1e6 for flow in runs])
    return float(rate), float(np.mean([flow["rtt_mean_s"] * 1e3 for flow in runs]))


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0
    policy = train(seconds)
    seeds = range(1001, 1009)
    places = {
        "trained on: 1 % loss": path(loss=0.01),
        "0.1 % loss": path(loss=0.001),
        "no loss": path(),
        "no loss, buffer of 0.1 BDP": path(buffer_bdp=0.1),
        "1 % loss, 2 Mb/s": path(loss=0.01, rate_mbit_s=2),
        "1 % loss, 40 Mb/s": path(loss=0.01, rate_mbit_s=40),
        "1 % loss, 200 ms": path(loss=0.01, rtt_ms=200),
    }
    print(f"{'':<28} {'policy':>16} {'Reno':>16}")
    results = {}
    for name, scenario in places.items():
        ours, theirs = goodput_mbit_s(policy, scenario, seeds), reno(scenario, seeds)
        results[name] = (ours[0], theirs[0])
        shown = [f"{rate:5.2f} Mb/s {rtt:4.0f} ms" for rate, rtt in (ours, theirs)]
        print(f"{name:<28} {shown[0]:>16} {shown[1]:>16}")
    ours, theirs = results["trained on: 1 % loss"]
    assert ours > 1.3 * theirs, "the policy beats Reno where it was trained"


if __name__ == "__main__":
    main()
