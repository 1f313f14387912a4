"""Records: dataclasses that are frozen for the type checker only, because real freezing costs time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from typing_extensions import dataclass_transform
else:

    def dataclass_transform(**_options: object) -> Callable[[type], type]:
        """Do nothing: only the type checker asks."""
        return lambda decorated: decorated


Kind = TypeVar("Kind")


@dataclass_transform(frozen_default=True)
def record(cls: type[Kind]) -> type[Kind]:
    """Make `cls` a dataclass with slots that compares and hashes by its fields.

    It is frozen for the type checker alone. `dataclass(frozen=True)` would also have Python check every assignment, the
    first ones in `__init__` included: a record of five fields then takes four times as long to make, and a recorder
    makes a hundred thousand of them a second.
    """
    return dataclass(slots=True, unsafe_hash=True)(cls)
