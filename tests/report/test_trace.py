from __future__ import annotations

from dataclasses import replace

import pytest

from inplace_lsp.engine import analyse_source
from inplace_lsp.report.trace import Fold, Picture, Row, draw_picture, flatten_items
from inplace_lsp.report.trace_cells import Board
from inplace_lsp.report.trace_html import trace_html
from inplace_lsp.report.trace_json import trace_json
from inplace_lsp.report.violations import find_violations
from inplace_lsp.tape.model import (
    ALWAYS,
    Backward,
    Check,
    Create,
    Event,
    Free,
    Refusal,
    Reject,
    Save,
    Tape,
    TensorState,
    View,
    Write,
)
from report.pictures import TAPE, training, weights
from report.story import BACKWARD, FILE, IF_X, STORY, X, Y, span


def in_sight(shown: Picture) -> list[Row]:
    return [item for item in shown.items if isinstance(item, Row)]


def folds(shown: Picture) -> list[Fold]:
    return [item for item in shown.items if isinstance(item, Fold)]


def sentences(*events: Event) -> list[str]:
    return [violation.sentence for violation in find_violations(Tape("f", events))]


def test_the_line_a_person_sees_first():
    assert draw_picture(TAPE).headline == (
        "line 7 wrote `y` (version 0 -> 1) after `exp` on line 4 had saved it at version 0; backward on line 8 found 1"
    )


def test_the_check_is_joined_to_its_save_and_its_write():
    (found,) = draw_picture(TAPE).violations
    assert (found.save, found.writes, found.check) == (1, (3,), 5)
    assert (found.expected_version, found.found_version) == (0, 1)


def test_a_lane_for_the_storage_and_a_track_for_its_view():
    (lane,) = draw_picture(TAPE).lanes
    assert (lane.title, lane.tracks) == ("y", 2)
    assert [(segment.name, segment.track, segment.origin) for segment in lane.segments] == [("y", 0, None), ("z", 1, 0)]
    assert (lane.segments[0].first, lane.segments[0].last) == (0, 6)


def test_a_view_without_a_name_is_drawn_on_the_track_of_its_base():
    nameless = TensorState(id=X.id + 90, name="", storage=Y.storage, counter=Y.counter, version=1)
    events = list(TAPE.events)
    view = View(span(7, 0, 9), nameless, replace(Y, version=1), "transpose")
    piece = View(span(7, 0, 9), replace(nameless, id=nameless.id + 1), nameless, "select")
    tape = replace(TAPE, events=(*events, view, piece))
    (lane,) = draw_picture(tape).lanes
    assert [segment.name for segment in lane.segments] == ["y", "z"]
    rows = {row.index: row for row in flatten_items(draw_picture(tape).items)}
    assert [mark.track for at in (len(events), len(events) + 1) for mark in rows[at].marks] == [0, 0]


def test_an_object_that_no_event_begins_is_drawn_on_the_track_of_the_tensor_with_its_name():
    made = Create(span(1, 0, 9), replace(Y, id=91), "empty")
    tape = replace(TAPE, events=(made, *TAPE.events[1:]))
    (lane,) = draw_picture(tape).lanes
    assert [(segment.tensor, segment.name) for segment in lane.segments] == [(91, "y"), (lane.segments[1].tensor, "z")]


def test_a_track_that_begins_in_a_fold_is_drawn_from_there():
    board = Board(draw_picture(TAPE))
    lines = [line.attrib for line in board.draw_gap(0, 0) if line.get("class") == "track put-away"]
    assert [(line["y1"], line["y2"]) for line in lines] == [("15", "100%")]
    lines = [line.attrib for line in board.draw_gap(3, 4) if line.get("class") == "track put-away"]
    assert [(line["y1"], line["y2"]) for line in lines] == [("0", "100%")]


def test_marks():
    rows = {row.index: row for row in flatten_items(draw_picture(TAPE).items)}
    assert [(rows[at].marks[0].kind, rows[at].marks[0].track, rows[at].role) for at in (1, 2, 3, 5)] == [
        ("save", 0, "saved"),
        ("view", 1, ""),
        ("write", 0, "written"),
        ("check", 0, "checked"),
    ]
    assert (rows[3].marks[0].version, rows[3].marks[0].after) == (0, 1)


def test_a_statement_is_opened_by_its_first_event():
    assert [row.opens for row in in_sight(draw_picture(TAPE))] == [True, False, True, True, True, False, False]


def test_writes_in_several_lines_are_all_named():
    second = Write(span(9, 0, 9), Y, "mul_", version_after=2, grad_mode=True)
    events = (*STORY[:4], second, BACKWARD, Check(span(8, 0, 16), 1, 1, found_version=2))
    assert sentences(*events)[0].startswith("line 7, line 9 wrote `y` (version 0 -> 2) after `exp`")


def test_a_write_in_another_file_names_it():
    write = Write(span(2, 0, 9, "/project/helpers.py"), Y, "add_", version_after=1, grad_mode=True)
    (told,) = sentences(STORY[1], write, BACKWARD, STORY[5])
    assert told.startswith("line 2 of /project/helpers.py wrote `y`")


def test_a_silent_write():
    alias = TensorState(9, "y", storage=2, counter=9, version=0)
    events = [
        STORY[1],
        View(span(5, 0, 1), alias, Y, ".data"),
        Write(span(6, 0, 1), alias, "mul_", version_after=1, grad_mode=True, alias=".data"),
        BACKWARD,
        Check(span(8, 0, 1), save=1, backward=1, found_version=0, changed=True),
    ]
    assert sentences(*events) == [
        "line 6 wrote `y` through `.data`, unseen by the version counter, after `exp` on line 4 had saved it; "
        "backward on line 8 computes with the new values: wrong gradient, no error"
    ]


def test_a_freed_graph_is_told_once_a_backward():
    again = Backward(span(9, 0, 16), key=2, retain=False)
    checks = [Check(span(9, 0, 16), 1, 2, 0, freed=True)] * 3
    events = [STORY[1], BACKWARD, Free(span(8, 0, 16), 1, 1), again, *checks]
    assert sentences(*events) == [
        "backward on line 9 needed what `exp` on line 4 had saved, but the backward on line 8 had freed it"
    ]


@pytest.mark.parametrize(
    ("event", "told"),
    [
        (
            Write(span(3, 0, 1), X, "add_", 1, grad_mode=True, needs_grad=ALWAYS),
            "torch refuses add_ of `x` on line 3: leaf that requires grad",
        ),
        (
            Reject(span(3, 0, 1), Y, "exp", Refusal.INFERENCE_SAVED, IF_X),
            "torch refuses exp of `y` on line 3: an inference tensor cannot be saved for backward "
            "(if `x` requires grad)",
        ),
    ],
)
def test_refusals(event: Event, told: str):
    assert sentences(event) == [told]


def test_a_backward_that_a_caller_may_start():
    later = Backward(span(8, 0, 1), key=1, retain=False, assumed=True)
    save = Save(span(4, 0, 1), Y, "exp", "result", 1, 1, IF_X)
    (told,) = sentences(save, STORY[3], later, STORY[5])
    assert told.endswith("a backward through what `f` returns would find 1 (if `x` requires grad)")


def test_no_violation():
    shown = draw_picture(weights(2))
    assert shown.headline.startswith("nothing was written between")
    assert draw_picture(weights(2), headline="another word").headline == "another word"


def test_only_the_storage_of_the_violation_has_a_lane_in_a_long_tape():
    shown = draw_picture(training(400, bad_step=200))
    assert [lane.title for lane in shown.lanes] == ["y"]
    assert [row.index for row in in_sight(shown)] == [800, 801, 802, 803, 804]
    assert [fold.words for fold in folds(shown)] == ["800 events before", "796 events after"]


def test_nothing_gets_lost_by_folding():
    for tape in (training(400, bad_step=200), weights(500), TAPE, Tape("empty")):
        assert [row.index for row in flatten_items(draw_picture(tape).items)] == list(range(len(tape.events)))


def test_rounds_of_a_loop_are_folded_behind_the_first():
    shown = draw_picture(weights(500))
    assert [row.index for row in in_sight(shown)] == [0, 1, 2, 3, 4]
    assert [fold.words for fold in folds(shown)] == ["the same again 499 times (lines 4 to 6, 1996 events)"]


def test_the_violation_stays_in_sight_when_every_round_has_it():
    tape = training(50, bad_step="every")
    shown = draw_picture(tape)
    told = {row.role for row in in_sight(shown)}
    assert {"saved", "written", "checked"} <= told
    assert len(in_sight(shown)) < 20 < len(tape.events)
    assert len(shown.violations) == 1, "a loop tells the same again"


def test_the_violation_asked_for_comes_first():
    other = TensorState(50, "q", 50, 50, 0, ALWAYS, leaf=False)
    save = Save(span(1, 0, 1), other, "sin", "self", 9, 9)
    write = Write(span(2, 0, 1), other, "zero_", 1, grad_mode=True)
    tape = Tape("f", (save, write, *STORY, Check(span(8, 0, 16), save=9, backward=1, found_version=1)))
    assert [violation.save for violation in draw_picture(tape).violations] == [3, 0]
    assert [violation.save for violation in draw_picture(tape, at=write.span).violations] == [0, 3]


STOPPED_TWICE = """\
import torch


def train():
    w = torch.rand(3, requires_grad=True)
    w.add_(1)
    p = torch.rand(3, requires_grad=True)
    p.mul_(2)
    h = torch.rand(3, requires_grad=True).exp()
    h.zero_()
    h.sum().backward()
"""


def stopped_rows(row: int) -> dict[int, str]:
    """The rows of the story about the write on `row` at which torch stops, those put away left out."""
    tape = next(tape for tape in analyse_source(STOPPED_TWICE, FILE).tapes if tape.refusals)
    [place] = {event.span for event in tape.events if isinstance(event, Write) and event.span.row == row}
    shown = draw_picture(tape, "predicted", place)
    return {item.span.row: item.words for item in in_sight(shown) if item.stops}


def test_a_refused_write_says_that_torch_stops_there():
    assert stopped_rows(6) == {6: "add_ writes w; torch stops here"}


def test_a_story_behind_a_refused_write_shows_where_torch_stops_before_it():
    first, second = "add_ writes w; torch stops here", "mul_ writes p; torch stops here once line 6 is mended"
    assert stopped_rows(8) == {6: first, 8: second}
    assert stopped_rows(10) == {6: first, 8: second}


def test_the_page_and_the_data_mark_where_torch_stops():
    tape = next(tape for tape in analyse_source(STOPPED_TWICE, FILE).tapes if tape.refusals)
    data = trace_json(tape, origin="predicted")
    events, stops = data["events"], data["stops"]
    assert [events[at]["span"]["row"] for at in stops] == [6, 8]
    assert all("torch stops here" in events[at]["words"] for at in stops)
    page = trace_html(tape, {FILE: STOPPED_TWICE.split("\n")}, origin="predicted")
    assert " stops opens" in page
