from __future__ import annotations

from dataclasses import replace

import pytest

from inplace_lsp.report.tape_text import tape_markdown, tape_table, tape_text
from inplace_lsp.report.tape_words import EventDescriber
from inplace_lsp.tape.model import (
    ALWAYS,
    Check,
    Create,
    Event,
    Refusal,
    Reject,
    Save,
    SetData,
    TensorState,
    View,
    Write,
)
from report.story import BACKWARD, IF_X, STORY, X, Y, span

ALIAS = TensorState(9, "y.data", storage=2, counter=9, version=0, leaf=True)
HERE = span(1, 0, 1)


def test_the_story_of_a_hazard_as_a_table():
    assert (
        tape_text(STORY)
        == """\
   line  what happens                                           version of y
-  ----  -----------------------------------------------------  ------------
1  4     y is made by exp (requires grad)                       0
2  4     exp saves y, its result, at version 0                  0
3  5     z shares memory and version counter with y (select)    0
4  7     add_ writes y                                          0 -> 1
5  8     backward starts                                        1
6  8     backward needs y for exp at version 0, finds 1: error  1
7  8     backward frees what exp saved                          1
"""
    )


def test_markdown_has_the_same_cells():
    assert "| 4 | 7 | add_ writes y | 0 -> 1 |" in tape_markdown(STORY)


def test_an_alias_with_a_counter_of_its_own_gets_a_column():
    events: list[Event] = [
        Create(HERE, Y, "exp"),
        View(HERE, ALIAS, Y, "data"),
        Write(HERE, ALIAS, "mul_", version_after=1, grad_mode=True, alias=".data"),
    ]
    table = tape_table(events)
    assert table.counters == ("version of y", "version of y.data")
    assert [row.versions for row in table.rows] == [("0", ""), ("0", "0"), ("0", "0 -> 1")]


def test_a_silent_write_to_what_was_saved():
    alias = TensorState(9, "y", storage=2, counter=9, version=0, leaf=True)
    events: list[Event] = [
        Create(HERE, replace(Y, name=""), "exp"),
        Save(HERE, Y, "exp", "result", 1, 1),
        View(HERE, alias, Y, ".data"),
        Write(HERE, alias, "mul_", version_after=1, grad_mode=True, alias=".data"),
        Check(HERE, save=1, backward=1, found_version=0),
    ]
    table = tape_table(events)
    assert table.counters == ("version of y", "version of y (.data)")
    assert [row.words for row in table.rows] == [
        "y is made by exp (requires grad)",
        "exp saves y, its result, at version 0",
        "y (.data) shares memory, not the version counter, with y",
        "mul_ writes y (.data)",
        "backward needs y for exp: the version fits, the contents do not: wrong gradient, no error",
    ]


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (Create(HERE, X, "rand"), "x is made by rand (leaf, requires grad)"),
        (
            Create(HERE, TensorState(1, "w", 1, 1, 0, IF_X, leaf=False), "input"),
            "w is given (requires grad if x does)",
        ),
        (Save(HERE, Y, "mul", "self", 1, 1, IF_X), "mul saves y at version 0 if x requires grad"),
        (View(HERE, ALIAS, Y, "data"), "y.data shares memory, not the version counter, with y (data)"),
        (
            Write(HERE, Y, "add_", version_after=0, grad_mode=True, alias=".data"),
            "add_ writes y through .data: the counter does not see it",
        ),
        (SetData(HERE, X, Y, grad_mode=True), "x.data = y: the memory is swapped, the version stays"),
        (
            Reject(HERE, Y, "exp", Refusal.OUT_REQUIRES_GRAD),
            "torch refuses exp on y: out= does not support automatic differentiation",
        ),
        (Check(HERE, save=5, backward=1, found_version=0), "backward needs what an op saved at version 0: fine"),
        (BACKWARD, "backward starts"),
    ],
)
def test_words(event: Event, words: str):
    assert EventDescriber().describe_event(event) == words


@pytest.mark.parametrize(
    ("check", "end"),
    [
        (Check(HERE, 1, 1, 0), "at version 0: fine"),
        (Check(HERE, 1, 1, 2), "at version 0, finds 2: error"),
        (Check(HERE, 1, 1, 0, changed=True), "the contents do not: wrong gradient, no error"),
        (Check(HERE, 1, 1, 0, freed=True), "an earlier backward has freed it"),
    ],
)
def test_checks(check: Check, end: str):
    speaker = EventDescriber()
    speaker.describe_event(Save(HERE, Y, "exp", "result", 1, 1, ALWAYS))
    assert speaker.describe_event(check).endswith(end)


def test_no_events():
    assert tape_table([]).rows == ()
    assert "what happens" in tape_text([])
