"""What the tests share."""

from __future__ import annotations

import pytest

import ackclock as ac


@pytest.fixture
def small() -> ac.Scenario:
    """Two Reno flows on 4 Mb/s for 10 s, with series."""
    return ac.dumbbell(
        name="small",
        rate_mbit_s=4,
        rtt_ms=40,
        flows={"reno": {"controller": "reno", "count": 2}},
        duration_s=10,
        warmup_s=2,
    )
