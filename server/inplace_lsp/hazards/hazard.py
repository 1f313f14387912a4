"""The parts of a hazard: its name, its explanation, the programs that prove it, and its fold over a tape."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, get_args

from inplace_lsp.hazards.expected_fixes import ExpectFix, expect_rebinding
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.hazards.rewrites import Rewrite
from inplace_lsp.tape.autograd import Rejection
from inplace_lsp.tape.model import Event, Refusal, Tape


@dataclass(frozen=True, slots=True)
class ExampleProgram:
    """A complete torch program. `# error: CODE` marks a line with that finding; there are no others."""

    title: str
    text: str

    @property
    def is_valid(self) -> bool:
        """Whether the program has no findings."""
        return "# error:" not in self.text


ErrorKind = Literal[
    "saved", "leaf", "view-of-leaf", "multi-view", "no-grad-view", "inference", "freed", "overlap", "other"
]  # fmt: skip
"""The kinds of torch's error messages. `other`: one that a single hazard ends in."""
ERROR_KINDS: tuple[ErrorKind, ...] = get_args(ErrorKind)


REFUSED = "refused"
"""The family of the hazards for which torch refuses a write."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hazard:
    """One hazard code: its page (in Markdown), its fold over a tape, and every trait that another room asks about.

    `registry` collects the hazards; nothing else in the package lists their codes.
    """

    code: str
    name: str
    summary: str
    what: str
    why: str
    instead: str
    fix_safety: str
    examples: tuple[ExampleProgram, ...]
    """The first one is the example of the page, and ends in `says`."""
    says: str = ""
    """The error of torch 2.13 for the first example; "" if there is none."""

    find: Callable[[Tape], Iterator[Finding]]
    """Yields the findings of a tape."""
    events: frozenset[type[Event]]
    """Kinds of events: `find` is called for tapes with at least one event of these kinds."""

    refusals: frozenset[Rejection | Refusal] = frozenset()
    """The reasons for which torch refuses a write or a use because of this hazard. Each reason is of one hazard."""
    absence: str = ""
    """Why torch accepted the write, if it did: the tensor `was not a leaf that requires grad`."""
    error_kinds: tuple[ErrorKind, ...] = ()
    """The kinds of torch's errors that it ends in, the usual one first; none if it never raises."""
    error_pattern: str = ""
    """A regular expression for a message of kind `other` that only this hazard ends in; blanks in it do not count."""

    is_write_to_saved: bool = False
    """Whether a write changes what an op has saved for its backward."""
    is_at_backward: bool = False
    """Whether the finding is a backward, not a write."""
    is_silent: bool = False
    """Whether training may go on with wrong gradients and no error."""
    needs_gradients: bool = True
    """Whether it is harmless while grad mode is off."""
    is_on_by_default: bool = True
    """Whether it is reported if the configuration does not name it."""

    is_repairable: bool = True
    """Whether repairs for any hazard (out of place, of a copy) apply to it; repairs of its own name its code."""
    rewrite: Rewrite | None = None
    """Says how the statement should be written; None if the first advice of the page is enough."""
    expect_fix: ExpectFix = expect_rebinding
    """Tells which kind of repair a finding has, before the repairs are looked for."""

    @property
    def page(self) -> str:
        """The path of its documentation in the repository."""
        return f"docs/hazards/{self.code}.md"

    @property
    def family(self) -> str:
        """A name that hazards share if the inputs decide which of them a line shows."""
        if self.is_write_to_saved or self.is_silent:
            return "saved"
        return REFUSED if self.refusals else self.code
