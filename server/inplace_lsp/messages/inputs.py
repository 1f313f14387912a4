"""The inputs of a run: Python source for the arguments of a function, or a program that calls it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Source = Literal["directive", "call-site", "annotation", "inferred", "program"]


@dataclass(frozen=True)
class Driver:
    """A program that calls the target by itself. `call` is evaluated in its namespace; None runs it as `__main__`.

    Judged is the first call of the target, or the `whole` run: what is returned in the end, or backward in between.
    """

    text: str
    filename: str
    module: str | None = None
    call: str | None = None
    whole: bool = False


@dataclass(frozen=True)
class Inputs:
    """One way to run a function. All values are Python source, evaluated in the module's namespace after `setup`."""

    source: Source
    setup: str = ""
    receiver: str | None = None
    arguments: Mapping[str, str] = field(default_factory=dict)
    driver: Driver | None = None
