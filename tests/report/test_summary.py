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
        gap("f", "internal error: ValueError: x", partly=False),
        gap("g", "budget", partly=True, row=9),
        gap("<module>", "budget", partly=True, row=2),
        gap("def h", "syntax error", partly=False, row=3),
    ]
    counted = coverage(5, gaps)
    assert (counted.functions, counted.whole, counted.partly, counted.failed, counted.unparsed) == (5, 3, 1, 1, 1)
    assert counted.reasons[0] == ("budget", 3)


def test_every_unknown_name_is_a_reason():
    gaps = [gap("f", "not known: os.get(..., 1), a.b", partly=True), gap("g", "not known: a.b", partly=True, row=2)]
    assert coverage(2, gaps).reasons == (("not known: a.b", 2), ("not known: os.get(..., 1)", 1))


def test_coverage_in_words():
    gaps = [gap("f", "budget", partly=True), gap("g", "syntax", partly=False, row=2)]
    assert list(coverage_lines(coverage(4, gaps), reasons=1)) == [
        "4 functions: 3 analysed, 1 in part, 0 not analysed; 1 statement not parsed",
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
