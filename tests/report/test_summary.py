from __future__ import annotations

from dataclasses import replace

from inplace_lsp.engine import NotAnalysed
from inplace_lsp.report.summary import code_lines, coverage, coverage_lines, summary_line
from report.story import FINDING, span


def gap(function: str, reason: str, *, partly: bool, row: int = 1) -> NotAnalysed:
    return NotAnalysed(function, span(row, 0, 1), reason, partly)


def test_a_function_counts_once_and_a_reason_once_a_function():
    gaps = [
        gap("f", "budget", partly=True),
        gap("f", "budget", partly=True),
        gap("f", "syntax", partly=False),
        gap("g", "budget", partly=True, row=9),
    ]
    counted = coverage(5, gaps)
    assert (counted.functions, counted.partly, counted.not_at_all) == (5, 1, 1)
    assert counted.reasons == (("budget", 2), ("syntax", 1))


def test_coverage_in_words():
    gaps = [gap("f", "budget", partly=True), gap("g", "syntax", partly=False, row=2)]
    assert list(coverage_lines(coverage(4, gaps), reasons=1)) == [
        "4 functions: 2 analysed, 1 in part, 1 not analysed",
        "     1  budget",
        "     1  for 1 other reason",
    ]


def test_summary():
    assert summary_line([], 1) == "Nothing found in 1 file."
    hint = replace(FINDING, severity="hint")
    assert summary_line([FINDING, hint, hint], 7) == (
        "Found 3 hazards (1 error, 2 hints) in 1 of 7 files. `inplace-lsp explain IP101` says more."
    )


def test_codes_are_counted():
    assert list(code_lines([FINDING, FINDING])) == ["     2  IP101  saved-tensor-modified"]
