"""Combine the findings of several files: a call in one file can make a write in another a hazard."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from inplace_lsp.analysis import Analysis
from inplace_lsp.hazards.finding import UNUSED_SUPPRESSION, Finding
from inplace_lsp.hazards.merge import keep_one_per_write, merge_findings
from inplace_lsp.source import suppressions
from inplace_lsp.source.suppressions import Suppression
from inplace_lsp.tape.model import Span


def settle_findings(found: Mapping[str, Sequence[Finding]], text_of: Callable[[str], str]) -> list[Finding]:
    """Return all findings, each place and code once, in the order of the files and their rows.

    `found` has the findings that `project` reports for every checked file. A finding in another file is suppressed by
    the comments there; these then count as used, whatever the check of that file alone says.
    """
    in_other_file = [finding for file, here in found.items() for finding in here if finding.span.file != file]
    files = {finding.span.file for finding in in_other_file}
    comments = {file: suppressions.find_suppressions(text_of(file), file) for file in files}
    hidden = _find_hidden(in_other_file, comments)
    needed = {comment.span for hiding in hidden.values() for comment in hiding}
    shown = (finding for here in found.values() for finding in here if finding not in hidden)
    kept = keep_one_per_write(merge_findings(finding for finding in shown if not _is_needed(finding, needed)))
    order = {file: index for index, file in enumerate(dict.fromkeys([*found, *comments]))}
    return sorted(kept, key=lambda finding: (min(order[finding.span.file], len(found)), finding.span, finding.code))


def _find_hidden(
    findings: Iterable[Finding], comments: Mapping[str, Sequence[Suppression]]
) -> dict[Finding, list[Suppression]]:
    """Return the findings that comments of their own file hide, with these comments."""
    hiding = ((finding, _hiding_comments(finding, comments[finding.span.file])) for finding in findings)
    return {finding: found for finding, found in hiding if found}


def _hiding_comments(finding: Finding, comments: Iterable[Suppression]) -> list[Suppression]:
    return [comment for comment in comments if comment.is_covering(finding.code, finding.span)]


def _is_needed(finding: Finding, needed: set[Span]) -> bool:
    return finding.code == UNUSED_SUPPRESSION and finding.span in needed


CheckFactory = Callable[[Mapping[str, str]], Callable[[str, str], Analysis]]
"""Makes what checks a text of a file while other files are as given, by name."""


def check_both(importer: str, text: str, imported: str, make_check: CheckFactory) -> Callable[[str, str], Analysis]:
    """Return a function that checks texts of the file `imported`: on its own, and through the calls from `importer`
    with the text `text`."""

    def check_file(changed: str, name: str) -> Analysis:
        check_one = make_check({importer: text, imported: changed, name: changed})
        own, through = check_one(changed, imported), check_one(text, importer)
        findings, tapes = (*through.findings, *own.findings), (*through.tapes, *own.tapes)
        return replace(through, findings=findings, tapes=tapes, gaps=(*through.gaps, *own.gaps))

    return check_file
