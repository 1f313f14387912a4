"""Facts read from the text of a class without executing it: they hold as long as the class still yields them."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import NamedTuple, TypeAlias, TypeVar

from inplace_lsp.source import ir

Found = TypeVar("Found", bound=Hashable)
Read: TypeAlias = Callable[[ir.ClassDef, str], Found]
"""A function that reads something about a name from the body of a class."""


class ClassFact(NamedTuple):
    """What `read` found about `name` in a class. An edit of its methods has no effect here as long as it finds the
    same."""

    definition: ir.ClassDef
    read: Read[Hashable]
    name: str
    found: Hashable

    def holds_in(self, definition: ir.ClassDef) -> bool:
        """Return whether the same is found in the class's new definition."""
        return self.read(definition, self.name) == self.found
