"""Apply suppression comments to findings; a comment that hides nothing is itself reported, as IP901."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from inplace_lsp.config import codes_off_by_default
from inplace_lsp.hazards.finding import UNUSED_SUPPRESSION, Edit, Finding, Fix
from inplace_lsp.source.suppressions import Suppression

NAME = "unused-suppression"
SUMMARY = "A suppression comment hides nothing, or names a code that does not exist."
PAGE = """\
# unused-suppression (IP901)

A suppression comment hides nothing, or names a code that does not exist.

## What it does

Finds comments such as `# inplace: ignore[IP101]` on a line where nothing is found, and `# inplace: ignore-file`
in a file without findings. Of several codes in one comment those are named that hide nothing.

## Why is this bad?

The comment says that there is a hazard where there is none, and would hide a later one.

## Use instead

Remove the comment, or the codes that are named. To keep it anyway, list IP901 in it. In code that could not be
analysed, no comment is reported as unused.

## Fix safety

The fix removes the comment, or the codes that hide nothing; it changes no code. Editors offer it, but `--fix` does not
make it, since the comment may be needed when another file calls this one.
"""


def apply_suppressions(
    findings: Iterable[Finding], comments: Sequence[Suppression], known: Iterable[str]
) -> tuple[list[Finding], list[Finding]]:
    """Return the findings that no comment hides, and one IP901 finding for every comment (or code in it) that hides
    none.

    `known` are the existing codes: the message names a code that is not among them. A comment that lists IP901 itself
    is always kept.
    """
    kept: list[Finding] = []
    used: dict[int, set[str]] = {index: set() for index in range(len(comments))}
    for finding in findings:
        hiding = [index for index, comment in enumerate(comments) if comment.is_covering(finding.code, finding.span)]
        for index in hiding:
            used[index].add(finding.code)
        if not hiding:
            kept.append(finding)
    codes = frozenset(known)
    unused = [_report_unused(comment, used[index], codes) for index, comment in enumerate(comments)]
    return kept, [finding for finding in unused if finding is not None]


def _report_unused(comment: Suppression, used: set[str], known: frozenset[str]) -> Finding | None:
    idle = [code for code in comment.codes if code not in used and code not in codes_off_by_default()]
    if UNUSED_SUPPRESSION in comment.codes or (not idle if comment.codes else used):
        return None
    return Finding(
        code=UNUSED_SUPPRESSION,
        name=NAME,
        severity="warning",
        message=_describe_unused(comment, idle, known),
        assumptions=(),
        span=comment.span,
        fix=_make_fix(comment, idle),
    )


def _describe_unused(comment: Suppression, idle: list[str], known: frozenset[str]) -> str:
    place = "in this file" if comment.whole_file else "on this line"
    unknown = [code for code in idle if code not in known]
    if unknown:
        return f"Unknown code {', '.join(unknown)} in a suppression comment: it hides nothing."
    return f"Unused suppression: nothing {place} is reported{' as ' + ' or '.join(idle) if idle else ''}."


def _make_fix(comment: Suppression, idle: list[str]) -> Fix:
    """Make a fix for display: no file knows on its own whether a call in another one needs its comments."""
    needed = [code for code in comment.codes if code not in idle]
    if not needed:
        return Fix("display", "Remove the comment, which hides nothing", (Edit("", comment.whole),))
    kept = f"# inplace: ignore{'-file' if comment.whole_file else ''}[{', '.join(needed)}]"
    return Fix("display", f"Remove {', '.join(idle)} from the comment", (Edit(kept, comment.span),))
