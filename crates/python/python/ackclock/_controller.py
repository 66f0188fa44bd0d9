"""How a class of controllers is described to the simulator."""

from __future__ import annotations

import inspect
import re
from typing import Any

# Each subclass of these must answer at least one of them.
_CLOCKS = ("on_ack", "on_round")


def describe(cls: type) -> tuple[str, str, str, bool, bool, list[tuple[str, Any]]]:
    """Name, summary, version, whether it paces, whether it reads rates, parameters."""
    if not any(hasattr(cls, clock) for clock in _CLOCKS):
        raise TypeError(f"{cls.__name__} has neither on_ack nor on_round: nothing would drive it")
    name = cls.__dict__.get("name") or _kebab(cls.__name__)
    summary = (inspect.getdoc(cls) or "").split("\n\n")[0].replace("\n", " ")
    return (
        str(name),
        summary,
        str(getattr(cls, "version", "")),
        bool(getattr(cls, "paced", False)),
        bool(getattr(cls, "rate_samples", False)),
        _parameters(cls),
    )


def _parameters(cls: type) -> list[tuple[str, Any]]:
    if "__init__" not in vars(cls) and not any("__init__" in vars(c) for c in cls.__mro__[:-2]):
        return []
    given = list(inspect.signature(cls.__init__).parameters.values())[2:]  # type: ignore[misc]
    found = []
    for parameter in given:
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        if parameter.default is parameter.empty:
            raise TypeError(
                f"{cls.__name__}: the parameter {parameter.name} needs a default: "
                "a scenario may leave it out"
            )
        found.append((parameter.name, parameter.default))
    return found


def _kebab(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", name).lower()
