from __future__ import annotations

from dataclasses import replace

import pytest

from inplace_lsp.analysis import Analysis, Cause, NotAnalysed
from inplace_lsp.config import Config
from inplace_lsp.hazards.edits import apply_edits
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.project import apply_config
from inplace_lsp.tape.model import Span
from report.story import FILE, FINDING, span


def found(
    text: str, *findings: Finding, config: Config | None = None, blind: Span | None = None
) -> list[tuple[int, str]]:
    gaps = (NotAnalysed("f", blind, "does not parse", Cause.SYNTAX),) if blind else ()
    analysis = apply_config(Analysis(findings, gaps=gaps), text, FILE, config or Config())
    return [(finding.span.row, finding.code) for finding in analysis.findings]


def without_unused(text: str, *findings: Finding) -> str:
    """`text` with the repairs of all comments that hide nothing."""
    unused = apply_config(Analysis(findings), text, FILE, Config()).findings
    return apply_edits(text, [edit for finding in unused if finding.fix is not None for edit in finding.fix.edits])


def at(row: int, code: str = "IP101") -> Finding:
    return replace(FINDING, code=code, span=span(row, 0, 9), related=())


def test_a_comment_hides_the_findings_of_its_line():
    assert found("y.add_(1)  # inplace: ignore\ny.add_(1)\n", at(1), at(2)) == [(2, "IP101")]


def test_a_comment_with_codes_hides_these():
    assert found("y.add_(1)  # inplace: ignore[IP101]\n", at(1), at(1, "IP202")) == [(1, "IP202")]


def test_a_file_comment_hides_everywhere():
    assert found("a\nb\n# inplace: ignore-file\n", at(1), at(2, "IP202")) == []


def test_an_unused_comment_is_reported_and_can_be_removed():
    analysis = apply_config(Analysis(), "y.add_(1)  # inplace: ignore\n", FILE, Config())
    [finding] = analysis.findings
    assert (finding.code, finding.severity, finding.span) == ("IP901", "warning", span(1, 11, 28))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("y = 1  # inplace: ignore\n", "y = 1\n"),
        ("y = 1  # inplace: ignore[IP101]  the graph is gone by now\nz = 1\n", "y = 1\nz = 1\n"),
        ("y = 1  # inplace: ignore[IP101] for now  # type: ignore\n", "y = 1  # type: ignore\n"),
        ("y = 1  # type: ignore  # inplace: ignore why\n", "y = 1  # type: ignore\n"),
        ("y = 1#inplace: ignore", "y = 1"),
        ("x = 1\n    # inplace: ignore-file  why\nz = 1\n", "x = 1\nz = 1\n"),
        ("f(\r\n    # inplace: ignore\r\n    1,  # inplace: ignore-file\r\n)\r\n", "f(\r\n    1,\r\n)\r\n"),
        ("x = 1\n# inplace: ignore", "x = 1\n"),
        ("if x:\n    # inplace: ignore[IP101]  # noqa\n    pass\n", "if x:\n    # noqa\n    pass\n"),
    ],
)
def test_what_belongs_to_an_unused_comment_goes_with_it(before: str, after: str):
    assert without_unused(before) == after


def test_a_comment_used_in_part_keeps_that_part():
    text = "y.add_(1)  # inplace: ignore[IP101, IP202]  the graph is gone\n"
    [finding] = apply_config(Analysis((at(1),)), text, FILE, Config()).findings
    assert "IP202" in finding.message
    assert "IP101" not in finding.message
    assert without_unused(text, at(1)) == "y.add_(1)  # inplace: ignore[IP101]  the graph is gone\n"


def test_an_unknown_code_is_named():
    [finding] = apply_config(Analysis(), "x  # inplace: ignore[E501]\n", FILE, Config()).findings
    assert "Unknown code E501" in finding.message


def test_codes_that_are_off_and_ip901_itself_are_no_complaint():
    assert found("x  # inplace: ignore[IP401]\ny  # inplace: ignore[IP101, IP901]\n") == []


def test_of_two_comments_that_hide_the_same_neither_is_unused():
    assert found("y.add_(1)  # inplace: ignore\n# inplace: ignore-file\n", at(1)) == []


def test_ignored_codes_do_not_make_comments_unused():
    assert found("y.add_(1)  # inplace: ignore[IP101]\n", at(1), config=Config(ignore=("IP101",))) == []


def test_where_nothing_was_analysed_no_comment_is_called_unused():
    text = "def f(:\n    y.add_(1)  # inplace: ignore\nz = 1  # inplace: ignore\n# inplace: ignore-file\n"
    assert found(text, blind=Span(FILE, 1, 0, 2, 20)) == [(3, "IP901")]


def test_findings_are_in_the_order_of_the_file():
    assert found("", at(3), at(1, "IP202"), at(1)) == [(1, "IP101"), (1, "IP202"), (3, "IP101")]
