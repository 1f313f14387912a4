from __future__ import annotations

from dataclasses import replace

import pytest

from inplace_lsp.hazards.finding import Finding, Related
from inplace_lsp.report.lines import ShownLine, split_lines
from inplace_lsp.report.paths import shown_path
from inplace_lsp.report.text import finding_text
from inplace_lsp.tape.model import Span
from report.story import FILE, FINDING, PROGRAM, span

SOURCES = {FILE: split_lines(PROGRAM), "/lib/other.py": ["first", "second"], "/gone.py": []}


def text(finding: Finding) -> str:
    return "\n".join(line.plain.rstrip() for line in finding_text(finding, SOURCES, "/project"))


def test_a_finding_is_told_with_its_places_in_the_source():
    assert (
        text(FINDING)
        == """\
train.py:7:1: error[IP101] saved-tensor-modified: `y` is written here (version 0 -> 1), but `exp` on line 4 saved it
  |
4 | y = x.exp()
  |     ------- saved here by `exp`
5 | z = y[0]
6 |     total = y.sum()
7 | y.add_(1)
  | ^^^^^^^^^
8 | total.backward()
  | ---------------- needed here
  |
  = assuming: x requires grad
  = fix (unsafe): write `y = y.add(1)`"""
    )


def test_rows_between_places_far_apart_are_left_out():
    program = ["a", *[""] * 20, "b"]
    finding = replace(FINDING, span=span(22, 0, 1), related=(Related("saved", "saved", span(1, 0, 1)),), fix=None)
    lines = [line.plain.rstrip() for line in finding_text(finding, {FILE: program}, "/project")]
    assert lines[1:8] == ["   |", " 1 | a", "   | - saved", "...", "21 |", "22 | b", "   | ^"]


def test_places_in_other_files_get_frames_of_their_own():
    finding = replace(FINDING, related=(Related("alias", "made here", span(2, 0, 6, "/lib/other.py")),))
    assert " ::: /lib/other.py:2:1\n2 | second\n  | ------ made here" in text(finding)


def test_files_in_messages_are_relative_too():
    finding = replace(FINDING, message="saved on line 5 of /project/deep/b.py", related=())
    assert "saved on line 5 of deep/b.py" in text(finding)


def test_a_file_that_cannot_be_shown_is_still_named():
    finding = replace(FINDING, related=(Related("alias", "made here", span(2, 0, 6, "/gone.py")),))
    assert " ::: /gone.py:2:1\n" in text(finding)


def test_a_place_of_several_lines_is_underlined_to_the_end_of_the_first():
    finding = replace(FINDING, span=Span(FILE, 7, 2, 8, 3), related=())
    assert "7 | y.add_(1)\n  |   ^^^^^^^\n" in text(finding)


def test_two_places_on_one_line():
    finding = replace(FINDING, related=(Related("saved", "saved", span(7, 0, 1)),))
    assert "7 | y.add_(1)\n  | ^^^^^^^^^\n  | - saved\n" in text(finding)


@pytest.mark.parametrize(
    ("line", "start", "end", "shown", "marks"),
    [
        ("\ty.add_(1)", 1, 10, "    y.add_(1)", "    ^^^^^^^^^"),
        ('"🔥漢", y.add_(1)', 6, 15, '"🔥漢", y.add_(1)', "        ^^^^^^^^^"),
        ("\x1b[31m y", 6, 7, "\ufffd[31m y", "      ^"),
        ("y", 0, 0, "y", "^"),
    ],
)
def test_marks_stand_under_what_they_mark(line: str, start: int, end: int, shown: str, marks: str):
    finding = replace(FINDING, span=span(1, start, end), related=(), assumptions=(), fix=None)
    lines = [row.plain.rstrip() for row in finding_text(finding, {FILE: [line]}, "/project")]
    assert lines[2:4] == [f"1 | {shown}", f"  | {marks}"]


def test_a_very_long_line_is_cut_round_the_place():
    line = ShownLine("x" * 5000 + "y.add_(1)" + "z" * 5000, 5000)
    assert len(line.text) < 200
    assert line.text[line.find_cell(5000) : line.find_cell(5009)] == "y.add_(1)"


def test_lines_end_where_python_ends_them():
    assert split_lines("a\r\nb\rc\nd\x0ce\u2028f") == ["a", "b", "c", "d\x0ce\u2028f"]


def test_paths_are_relative_only_inside_the_folder():
    assert shown_path("/project/a/b.py", "/project") == "a/b.py"
    assert shown_path("/projects/b.py", "/project") == "/projects/b.py"
    assert shown_path("/a.py", "/") == "a.py"
