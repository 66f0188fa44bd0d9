"""The exceptions of ackclock. Their texts are those of the command ``ackclock``."""

from __future__ import annotations

from typing import Any


class Error(Exception):
    """What is wrong (``message``) and what helps (``hint``, or ``None``)."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return self.message if self.hint is None else f"{self.message}\nhint: {self.hint}"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.message, self.hint)


class ScenarioError(Error, ValueError):
    """A scenario is not valid, or not what is asked for.

    ``key`` is the dotted key that is wrong; ``file``, ``line`` and ``column`` (from 1) say where it
    stands, as far as that is known.
    """

    def __init__(
        self,
        message: str,
        hint: str | None = None,
        key: str = "",
        file: str = "",
        line: int | None = None,
        column: int | None = None,
    ) -> None:
        super().__init__(message, hint)
        self.key = key
        self.file = file
        self.line = line
        self.column = column

    def __reduce__(self) -> tuple[Any, ...]:
        place = (self.key, self.file, self.line, self.column)
        return type(self), (self.message, self.hint, *place)


class RunError(Error, RuntimeError):
    """A run gave no result."""


class StoreError(Error, OSError):
    """Results cannot be kept, written or read."""


class Fault(Error, RuntimeError):
    """A fault of ackclock itself: please report it."""
