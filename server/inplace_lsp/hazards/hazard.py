"""What a hazard is made of: its name, its explanation, the programs that prove it, and its fold over a tape."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from inplace_lsp.hazards.finding import Finding
from inplace_lsp.tape.model import Tape


@dataclass(frozen=True, slots=True)
class Program:
    """A complete torch program. `# error: CODE` marks a line where that code must be found; nothing else may be."""

    title: str
    text: str

    @property
    def valid(self) -> bool:
        """Whether nothing may be found in it."""
        return "# error:" not in self.text


@dataclass(frozen=True, slots=True)
class Hazard:
    """One code. The texts are Markdown; `find` yields a finding for each place where the tape shows the hazard.
    `says` is what torch 2.13 answers to the first example, "" if it is silent."""

    code: str
    name: str
    summary: str
    what: str
    why: str
    instead: str
    fix_safety: str
    examples: tuple[Program, ...]
    find: Callable[[Tape], Iterator[Finding]]
    says: str = ""

    @property
    def page(self) -> str:
        """Where the documentation of this code lies in the repository."""
        return f"docs/hazards/{self.code}.md"
