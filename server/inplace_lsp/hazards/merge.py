"""Several findings about one place: one is told, the strongest."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from inplace_lsp.hazards.finding import Finding
from inplace_lsp.hazards.wording import unique

_STRENGTH = {"error": 0, "warning": 1, "information": 2, "hint": 3}


def merge(found: Iterable[Finding]) -> tuple[Finding, ...]:
    """One finding for each file, line and code: the one with the strongest evidence, with the related places of all."""
    groups: dict[tuple[str, int, str], list[Finding]] = {}
    for one in found:
        groups.setdefault((one.span.file, one.span.row, one.code), []).append(one)
    merged = (_strongest(group) for group in groups.values())
    return tuple(sorted(merged, key=lambda one: (one.span, one.code)))


def _strongest(group: list[Finding]) -> Finding:
    """The strongest finding of `group`; the first of several that are equally strong."""
    best = min(group, key=lambda one: (_STRENGTH[one.severity], len(one.assumptions)))
    others = (place for one in group for place in one.related if one.severity == best.severity)
    return replace(best, related=unique((*best.related, *others)))
