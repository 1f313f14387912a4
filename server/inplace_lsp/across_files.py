"""Findings of several files put together: a call in one file can make a write in another a hazard."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from inplace_lsp.hazards.finding import UNUSED_SUPPRESSION, Finding
from inplace_lsp.hazards.merge import merge
from inplace_lsp.source import suppressions
from inplace_lsp.source.suppressions import Suppression
from inplace_lsp.tape.model import Span


def settle(found: Mapping[str, Sequence[Finding]], text_of: Callable[[str], str]) -> list[Finding]:
    """All findings, each place and code once, in the order of the files and their rows.

    `found` has for every file that was checked what `project` says of it. A finding that lies in another file is hidden
    by the comments there, and those are then not unused, whatever the check of that file by itself says.
    """
    foreign = [one for file, here in found.items() for one in here if one.span.file != file]
    comments = {file: suppressions.find(text_of(file), file) for file in {one.span.file for one in foreign}}
    hidden = {one: hiding for one in foreign if (hiding := _hiding(one, comments[one.span.file]))}
    needed = {comment.span for hiding in hidden.values() for comment in hiding}
    kept = merge(one for here in found.values() for one in here if one not in hidden and not _is_needed(one, needed))
    order = {file: index for index, file in enumerate([*found, *comments])}
    return sorted(kept, key=lambda one: (min(order[one.span.file], len(found)), one.span, one.code))


def _hiding(finding: Finding, comments: Iterable[Suppression]) -> list[Suppression]:
    return [comment for comment in comments if comment.covers(finding.code, finding.span)]


def _is_needed(finding: Finding, needed: set[Span]) -> bool:
    return finding.code == UNUSED_SUPPRESSION and finding.span in needed
