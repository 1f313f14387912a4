"""The parts of a hazard: its name, its explanation, the programs that prove it, and its fold over a tape."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from inplace_lsp.hazards.finding import Finding
from inplace_lsp.tape.model import Tape


@dataclass(frozen=True, slots=True)
class ExampleProgram:
    """A complete torch program. `# error: CODE` marks a line with that finding; there are no others."""

    title: str
    text: str

    @property
    def is_valid(self) -> bool:
        """Whether the program has no findings."""
        return "# error:" not in self.text


@dataclass(frozen=True, slots=True)
class Hazard:
    """One hazard code. The texts are Markdown; `find` yields the findings of a tape. `says` is the error of torch 2.13
    for the first example, "" if it is silent."""

    code: str
    name: str
    summary: str
    what: str
    why: str
    instead: str
    fix_safety: str
    examples: tuple[ExampleProgram, ...]
    find: Callable[[Tape], Iterator[Finding]]
    says: str = ""

    @property
    def page(self) -> str:
        """The path of its documentation in the repository."""
        return f"docs/hazards/{self.code}.md"
