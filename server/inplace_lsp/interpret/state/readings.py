"""What is read off the text of a class without executing it: it holds for as long as the class still gives it."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from inplace_lsp.source import ir

Found = TypeVar("Found", bound=Hashable)
Read: TypeAlias = Callable[[ir.ClassDef, str], Found]
"""Reads something about a name off the body of a class."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What `read` found about `name` in a class: an edit of its methods changes nothing here as long as it finds the
    same."""

    definition: ir.ClassDef
    read: Read[Hashable]
    name: str
    found: Hashable

    def holds_in(self, definition: ir.ClassDef) -> bool:
        """Whether the same is found in what the class is now."""
        return self.read(definition, self.name) == self.found
