"""A call in `a.py` makes a write in `b.py` a hazard: what both checks say, put together."""

from __future__ import annotations

from dataclasses import replace

from inplace_lsp.across_files import settle_findings
from inplace_lsp.hazards.finding import UNUSED_SUPPRESSION, Finding
from report.story import FINDING, span

A, B, C = "/a.py", "/b.py", "/c.py"


def at(file: str, row: int, code: str = "IP101", severity: str = "error") -> Finding:
    return replace(FINDING, code=code, severity=severity, span=span(row, 0, 9, file), related=())


def settled(found: dict[str, list[Finding]], **texts: str) -> list[tuple[str, int, str, str]]:
    texts_by_file = {f"/{name}.py": text for name, text in texts.items()}
    return [
        (finding.span.file, finding.span.row, finding.code, finding.severity)
        for finding in settle_findings(found, lambda file: texts_by_file.get(file, ""))
    ]


def test_one_finding_a_place_with_the_strongest_evidence():
    found = {A: [at(B, 3)], B: [at(B, 3, severity="hint"), at(B, 9)]}
    assert settled(found) == [(B, 3, "IP101", "error"), (B, 9, "IP101", "error")]


def test_in_the_order_of_the_files_that_were_checked():
    found = {B: [at(B, 9), at(A, 2), at(C, 1)], A: [at(A, 5)]}
    assert [finding[:2] for finding in settled(found)] == [(B, 9), (A, 2), (A, 5), (C, 1)]


def test_comments_in_the_other_file_count():
    found = {A: [at(B, 2), at(A, 1)]}
    assert [finding[:2] for finding in settled(found, b="x\ny.add_(1)  # inplace: ignore\n")] == [(A, 1)]


def test_and_are_not_unused_then():
    unused = replace(at(B, 2, UNUSED_SUPPRESSION, "warning"), span=span(2, 11, 28, B))
    text = "x\ny.add_(1)  # inplace: ignore\n"
    assert settled({A: [at(B, 2)], B: [unused]}, b=text) == []
    assert settled({A: [], B: [unused]}, b=text) == [(B, 2, UNUSED_SUPPRESSION, "warning")]


def test_rows_of_one_file_do_not_hide_those_of_another():
    assert [finding[:2] for finding in settled({A: [at(B, 1)]}, a="x  # inplace: ignore\n")] == [(B, 1)]
