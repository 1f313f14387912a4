from __future__ import annotations

from dataclasses import replace

from inplace_lsp.analysis import Cause, NotAnalysed
from inplace_lsp.report.summary import (
    count_coverage,
    format_codes,
    format_coverage,
    format_cut,
    format_summary,
    format_unknown,
    format_unreached,
)
from report.story import FINDING, span


def gap(function: str, reason: str, cause: Cause, *, row: int = 1) -> NotAnalysed:
    return NotAnalysed(function, span(row, 0, 1), reason, cause)


def test_a_function_counts_once_and_a_reason_once_a_function():
    gaps = [
        gap("f", "budget", Cause.BUDGET),
        gap("f", "budget", Cause.BUDGET),
        gap("f", "internal error: ValueError: x", Cause.FAULT),
        gap("g", "budget", Cause.BUDGET, row=9),
        gap("<module>", "budget", Cause.BUDGET, row=2),
        gap("def h", "syntax error", Cause.SYNTAX, row=3),
    ]
    counted = count_coverage(5, gaps)
    assert (counted.functions, counted.whole, counted.partly, counted.failed, counted.unparsed) == (5, 3, 1, 1, 1)
    assert counted.reasons[0] == ("budget", 3)


def test_every_unknown_call_of_a_function_is_a_reason():
    unknown = ["not known: Gamma(a.exp(), b.exp())", "not known: a.b"]
    gaps = [*(gap("f", reason, Cause.UNKNOWN) for reason in unknown), gap("g", "not known: a.b", Cause.UNKNOWN, row=2)]
    counted = count_coverage(2, gaps)
    assert (counted.partly, counted.reasons) == (2, (("not known: a.b", 2), ("not known: Gamma(a.exp(), b.exp())", 1)))


def test_coverage_in_words():
    gaps = [gap("f", "budget", Cause.BUDGET), gap("g", "syntax", Cause.SYNTAX, row=2)]
    assert list(format_coverage(count_coverage(4, gaps), reasons=1)) == [
        "4 functions: 3 analysed, 1 in part, 0 not analysed; 1 statement not parsed",
        "     1  budget",
        "     1  for 1 other reason",
    ]


def test_summary():
    assert format_summary([], 1) == "Nothing found in 1 file."
    hint = replace(FINDING, severity="hint")
    assert format_summary([FINDING, hint, hint], 7) == (
        "Found 3 hazards (1 error, 2 hints) in 1 of 7 files. See `inplace-lsp explain IP101`."
    )


def test_codes_are_counted():
    assert list(format_codes([FINDING, FINDING])) == ["     2  IP101  saved-tensor-modified"]


def test_unknown_library_functions_that_most_functions_call_come_first():
    lines = list(format_unknown([("mylib.log", 1), ("mylib.fuse", 2), ("mylib.fuse", 3)]))
    assert lines[1:] == ["     5  mylib.fuse", "     1  mylib.log"]
    assert list(format_unknown([])) == []
    assert len(list(format_unknown([(f"mylib.f{number}", 1) for number in range(30)]))) == 11


def test_what_was_never_reached_is_named():
    lost = replace(gap("f", "too many paths", Cause.BUDGET), unreached=(span(9, 4, 8), span(7, 4, 8)))
    gaps = [lost, replace(lost, function="g", unreached=()), gap("h", "not known: a.b", Cause.UNKNOWN)]
    assert list(format_unreached(gaps, lambda file: "a.py")) == [
        "2 statements that may write or run backward were never reached:",
        "  a.py:7 f: too many paths",
        "  a.py:9 f: too many paths",
    ]
    assert format_cut(gaps) == (
        "Only partly analysed: 2 functions; 2 statements that may write in place were not reached "
        "(--statistics lists them)."
    )
    module = replace(lost, function="<module>", unreached=())
    assert (
        format_cut([module])
        == "Only partly analysed: 1 module, but every statement that may write in place was reached."
    )
    assert format_cut([gap("h", "not known: a.b", Cause.UNKNOWN)]) is None
