"""The findings of the hazard folds: plain data, ready for every kind of output."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from inplace_lsp.tape.model import Event, Span, View, ViewKind

Severity = Literal["error", "warning", "information", "hint"]
SEVERITIES: tuple[Severity, ...] = get_args(Severity)
"""The most severe first."""

Role = Literal["saved", "written", "backward", "leaf", "view", "alias"]
Applicability = Literal["safe", "unsafe", "display"]
Sources = Mapping[str, Sequence[str]]
"""The lines of the files that findings name; an empty list for one that cannot be shown."""

UNUSED_SUPPRESSION = "IP901"
"""The code of findings about comments, which are no hazards."""

MODEL_FILE = "IP902"
"""The code of findings about model files, which are no hazards either."""

OFFER = "IP501"
"""The code of ops that may write in place: no hazards, but the other half of the question."""

NO_HAZARDS = frozenset((UNUSED_SUPPRESSION, MODEL_FILE, OFFER))
"""The codes of what breaks no gradient."""


@dataclass(frozen=True, slots=True)
class Related:
    """Another place that belongs to a finding, with its role."""

    role: Role
    message: str
    span: Span


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the text of `span` by `content`."""

    content: str
    span: Span


@dataclass(frozen=True, slots=True)
class Fix:
    """A repair. *safe*: nothing else can see the write; *unsafe*: the message says what changes; *display*: by hand.

    `title`: the message on one line of a menu, which names the first of the changes; "" if that is the message.
    """

    applicability: Applicability
    message: str
    edits: tuple[Edit, ...]
    title: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """One hazard at one place."""

    code: str
    """The code of the hazard."""
    name: str
    """The hazard's name."""
    severity: Severity
    message: str
    """What happens, in full sentences."""
    assumptions: tuple[str, ...]
    """What has to be true for it to happen; without any it is an error."""
    span: Span
    """The place that is to blame, mostly a write."""
    related: tuple[Related, ...] = ()
    """Other places that belong to it."""
    fix: Fix | None = None
    """The repair that was found."""
    function: str = ""
    """The function in which it happens."""
    story: tuple[Event, ...] = ()
    """The tape's events of the tensor involved, oldest first, for hovers and traces."""
    conditions: tuple[str, ...] = ()
    """The program's tests that decide whether it happens, as they came out where it does."""
    after: Span | None = None
    """Where torch ends the program before this happens; it shows once that is repaired."""
    op: str = ""
    """The op of the write that is to blame, "" if it is none."""
    fixable: Literal["safe", "unsafe"] | None = None
    """The kind of the repair that was found, or can be expected (`remedy.py`)."""
    advice: str = ""
    """What to do, without edits."""
    negligible: bool = False
    """Whether it is a hint that needs a gradient of what no network computes."""
    neighbours: str = ""
    """Which writes beside it may stay, as a sentence without its full stop."""

    def places_of(self, role: str, file: str | None = None) -> list[Span]:
        """Return the related places of a role: all, or those in `file`."""
        return [note.span for note in self.related if note.role == role and file in (None, note.span.file)]

    def views_of(self, kind: ViewKind) -> list[View]:
        """Return the views of a kind in the story."""
        return [event for event in self.story if isinstance(event, View) and event.tensor.view is kind]
