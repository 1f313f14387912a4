from __future__ import annotations

import pytest

from inplace_lsp.report.trace import Fold, Row, draw_picture, flatten_items
from inplace_lsp.report.trace_text import picture_text, trace_text
from inplace_lsp.tape.model import Tape
from report.pictures import TAPE, training, weights
from report.story import FILE, PROGRAM

SOURCES = {FILE: PROGRAM.split("\n")}


def test_the_table_under_the_sentence():
    assert (
        trace_text(TAPE, SOURCES)
        == """\
line 7 wrote `y` (version 0 -> 1) after `exp` on line 4 had saved it at version 0; backward on line 8 found 1

    line  source            what happens                                           y
    4     y = x.exp()       y is made by exp (requires grad)                       0
╭─●                         exp saves y, its result, at version 0                  0
│   5     z = y[0]          z shares memory and version counter with y (select)    0
├─▶ 7     y.add_(1)         add_ writes y                                          0 -> 1
│   8     total.backward()  backward starts                                        1
╰─✗                         backward needs y for exp at version 0, finds 1: error  1
                            backward frees what exp saved                          1
"""
    )


def test_plain_characters():
    text = trace_text(TAPE, SOURCES, ascii_only=True)
    assert text.isascii()
    assert "|-> 7     y.add_(1)" in text


@pytest.mark.parametrize("width", [60, 80, 100])
def test_it_fits_the_columns_that_there_are(width: int):
    for tape in (TAPE, training(400, bad_step=200), weights(5)):
        shown = draw_picture(tape)
        text = picture_text(shown, tape, SOURCES, width=width)
        lines = text.content.split("\n")
        assert max(map(len, lines)) <= width
        for row in (item for item in shown.items if isinstance(item, Row)):
            assert row.words.split()[0] in lines[text.lines[row.index]]


def test_in_few_columns_the_source_stands_above_what_happens():
    text = trace_text(TAPE, SOURCES, width=60)
    assert "│   7     y.add_(1)\n├─▶         add_ writes y" in text


def test_rounds_of_a_loop():
    assert "      ... the same again 499 times (lines 4 to 6, 1996 events)" in trace_text(weights(500), SOURCES)


def test_several_violations():
    first, other = training(1, bad_step=0), training(2, bad_step=1)
    moved = tuple(event for event in other.events[5:])
    text = trace_text(Tape("f", (*first.events, *TAPE.events, *moved)), SOURCES)
    assert text.count("had saved it at version 0") >= 1


def test_a_file_without_source_and_no_events():
    assert "add_ writes y" in trace_text(TAPE, {})
    assert trace_text(Tape("f"), {}).startswith("nothing was written between")


def test_long_lines_are_cut():
    text = trace_text(TAPE, {FILE: ["x = 1  # " + "long " * 40] * 9})
    assert max(map(len, text.split("\n")[2:])) < 160


def test_the_line_of_every_event():
    for tape in (TAPE, weights(500)):
        shown = draw_picture(tape)
        text = picture_text(shown, tape, SOURCES)
        lines = text.content.splitlines()
        assert sorted(text.lines) == list(range(len(tape.events)))
        for row in (row for row in shown.items if isinstance(row, Row)):
            assert row.words in lines[text.lines[row.index]]
        for fold in (fold for fold in shown.items if isinstance(fold, Fold)):
            (at,) = {text.lines[row.index] for row in flatten_items([fold])}
            assert fold.words in lines[at]
