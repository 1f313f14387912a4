"""Plain data: what JSON can say, and so what tapes and messages are written as."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias, Union

Plain: TypeAlias = Union[bool, int, float, str, Sequence["Plain"], Mapping[str, "Plain"], None]  # noqa: UP007
"""A value of JSON. Tuples are written as lists."""
