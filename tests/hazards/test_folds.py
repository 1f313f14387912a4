"""The folds on tapes written by hand: what is found, what is assumed, and what is said."""

from __future__ import annotations

from dataclasses import replace

import pytest

from inplace_lsp.hazards.finding import Finding
from inplace_lsp.hazards.merge import merge_findings
from inplace_lsp.hazards.registry import HAZARDS, find_all, find_hazard
from inplace_lsp.tape.autograd import Rejection
from inplace_lsp.tape.model import (
    ALWAYS,
    NEVER,
    Actor,
    Backward,
    Check,
    Event,
    Refusal,
    Reject,
    Save,
    SetData,
    Span,
    Tape,
    TensorState,
    When,
    Write,
)

X = When(inputs=frozenset({"x"}))
X_OR_W = When(inputs=frozenset({"x", "w"}))
Y = TensorState(id=1, name="y", storage=1, counter=1, version=0, requires_grad=ALWAYS, leaf=False)


def line(row: int) -> Span:
    return Span("/a.py", row, 0, row, 9)


def save(row: int = 3, when: When = ALWAYS, key: int = 1, tensor: TensorState = Y, role: str = "result") -> Save:
    return Save(line(row), tensor, "some_op", role, key, node=key, when=when)


def write(row: int = 4, **changes) -> Write:
    plain = Write(line(row), Y, "add_", version_after=1, grad_mode=True, needs_grad=ALWAYS)
    return replace(plain, **changes)


def check(found: int = 1, key: int = 1, **changes) -> Check:
    return replace(Check(line(9), save=key, backward=1, found_version=found), **changes)


def fold(*events: Event) -> tuple[Finding, ...]:
    return find_all(Tape("f", (*events[:-1], Backward(line(9), 1, retain=False), events[-1])))


def codes(*events: Event) -> list[tuple[int, str]]:
    return [(found.span.row, found.code) for found in fold(*events)]


def test_a_write_between_save_and_check() -> None:
    (found,) = fold(save(), write(), check())
    assert (found.code, found.span.row, found.severity, found.assumptions) == ("IP101", 4, "error", ())
    assert found.message == (
        "`y` is written here (version 0 -> 1), but `some_op` on line 3 saved it: the backward of `some_op` uses "
        "its own result."
    )
    assert [(place.role, place.span.row) for place in found.related] == [("saved", 3), ("backward", 9)]
    assert [type(event) for event in found.story] == [Save, Write, Check]


def test_a_write_before_the_save_or_after_the_check() -> None:
    assert codes(write(), save(tensor=replace(Y, version=1)), check(found=1)) == []
    assert find_all(Tape("f", (save(), check(found=0), write()))) == ()


def test_every_write_is_named() -> None:
    second = write(5, tensor=replace(Y, version=1), version_after=2)
    assert codes(save(), write(), second, check(found=2)) == [(4, "IP101"), (5, "IP101")]


def test_a_step_has_its_own_code() -> None:
    (found,) = fold(save(), write(actor=Actor.STEP), check())
    assert found.code == "IP102"


def test_assumptions_are_the_conditions_that_are_open() -> None:
    (found,) = fold(save(when=X), write(), check(when=ALWAYS))
    assert (found.severity, found.assumptions) == ("warning", ("x requires grad",))
    (found,) = fold(save(when=X), write(), check(when=X_OR_W))
    assert found.assumptions == ("x requires grad",)
    (found,) = fold(save(when=X_OR_W), write(), check())
    assert found.assumptions == ("w or x requires grad",)
    assert fold(save(when=NEVER), write(), check()) == ()


def test_an_assumption_that_is_hard_to_believe_makes_a_hint() -> None:
    labels, either = When(inputs=frozenset({"labels"})), When(inputs=frozenset({"labels", "x"}))
    (found,) = fold(save(when=labels), write(), check(when=labels))
    assert (found.severity, found.assumptions) == ("hint", ("labels requires grad",))
    assert found.message.endswith("`labels` looks like labels or targets, which usually require no grad.")
    (found,) = fold(save(when=either), write(), check())
    assert (found.severity, found.assumptions) == ("warning", ("labels or x requires grad",))


def test_what_the_program_asks_gradients_of_is_believed() -> None:
    labels = When(inputs=frozenset({"labels"}))
    events = (save(when=labels), write(), Backward(line(9), 1, retain=False), check(when=labels))
    assert [found.severity for found in find_all(Tape("f", events))] == ["hint"]
    assert [found.severity for found in find_all(Tape("f", events, trained=frozenset({"labels"})))] == ["warning"]


def test_the_save_that_needs_the_least_assumed_tells_the_story() -> None:
    (found,) = find_all(
        Tape("f", (save(3, X, 1), save(2, ALWAYS, 2), write(), check(key=1, when=X), check(key=2))),
    )
    assert found.severity == "error"
    assert [place.span.row for place in found.related if place.role == "saved"] == [2, 3]


def test_a_write_round_the_counter() -> None:
    alias = replace(Y, id=2, counter=2, name="y")
    through_data = write(tensor=alias, alias=".data", needs_grad=NEVER)
    (found,) = fold(save(), through_data, check(found=0))
    assert (found.code, found.span.row) == ("IP301", 4)
    assert codes(save(), through_data, check(found=0, changed=False)) == []
    assert codes(save(), write(version_after=0, actor=Actor.STEP, grad_mode=False), check(found=0)) == [(4, "IP301")]


def test_a_swap_of_data_reaches_saved_inputs_only() -> None:
    leaf = replace(Y, leaf=True)
    graph = replace(Y, id=5, storage=5, counter=5)
    swap = SetData(line(4), leaf, graph, grad_mode=True)
    silent = write(tensor=leaf, version_after=0, needs_grad=NEVER)
    assert codes(save(tensor=leaf, role="self"), swap, silent, check(found=0)) == [(4, "IP301"), (4, "IP302")]
    assert codes(save(tensor=leaf), swap, silent, check(found=0)) == [(4, "IP302")]
    view = replace(leaf, id=7)
    assert codes(save(tensor=view, role="self"), swap, silent, check(found=0)) == [(4, "IP302")]


def test_a_value_without_a_graph_drops_no_gradient() -> None:
    for value in (replace(Y, requires_grad=NEVER), replace(Y, leaf=True)):
        assert find_all(Tape("f", (SetData(line(4), Y, value, grad_mode=True),))) == ()


def test_a_graph_that_is_dropped_is_missed_by_a_later_backward_only() -> None:
    swap = SetData(line(4), replace(Y, leaf=True), replace(Y, id=5, storage=5, counter=5), grad_mode=True)
    walk = Backward(line(9), 1, retain=False)
    (found,) = find_all(Tape("f", (swap, walk)))
    assert found.severity == "error"
    (found,) = find_all(Tape("f", (walk, swap)))
    assert found.severity == "hint"
    assert "no backward follows in sight" in found.message
    (found,) = find_all(Tape("f", (replace(walk, retain=True), swap)))
    assert found.severity == "error"


def test_freed_once_a_backward() -> None:
    freed = check(freed=True)
    tape = Tape("f", (save(), Backward(line(8), 7, retain=False), Backward(line(9), 1, retain=False), freed, freed))
    (found,) = find_all(tape)
    assert (found.code, found.span.row) == ("IP103", 9)
    assert "the backward on line 8" in found.message


def test_only_an_earlier_backward_can_have_freed() -> None:
    walks = [Backward(line(row), row, retain=False) for row in (7, 8, 9)]
    again = replace(check(freed=True, key=-1), span=line(8), backward=8)
    (found,) = find_all(Tape("f", (walks[0], walks[1], again, walks[2])))
    assert found.span.row == 8
    assert "the backward on line 7" in found.message


def test_a_refused_write_never_reaches_the_check() -> None:
    leaf = replace(Y, leaf=True)
    assert codes(save(tensor=leaf), write(tensor=leaf), check()) == [(4, "IP201")]


def test_a_write_that_is_refused_or_a_hazard_by_turns() -> None:
    leaf = replace(Y, leaf=True, requires_grad=X)
    both = fold(save(tensor=leaf, when=When(inputs=frozenset({"w"}))), write(tensor=leaf, needs_grad=X_OR_W), check())
    assert [(found.code, found.assumptions) for found in both] == [
        ("IP101", ("w requires grad",)),
        ("IP201", ("x requires grad",)),
    ]
    assert codes(save(tensor=leaf, when=X), write(tensor=leaf, needs_grad=X), check()) == [(4, "IP201")]


def test_what_was_observed_counts_more_than_the_rules() -> None:
    leaf = replace(Y, leaf=True)
    assert codes(save(tensor=leaf), write(tensor=leaf, refused=False), check()) == [(4, "IP101")]


def test_the_last_write_under_a_stale_view_is_to_blame() -> None:
    part = replace(Y, id=3, name="part")
    second = write(5, tensor=replace(Y, version=1), version_after=2)
    stale = Reject(line(7), part, "sum", Refusal.STALE_MULTI_VIEW)
    (found,) = find_all(Tape("f", (write(), second, stale)))
    assert (found.code, found.span.row) == ("IP203", 5)
    assert "`part` is used on line 7" in found.message


@pytest.mark.parametrize(("reason", "code"), [(Refusal.INFERENCE_SAVED, "IP206"), (Refusal.OUT_REQUIRES_GRAD, "IP207")])
def test_refusals_are_found_where_torch_raises(reason: Refusal, code: str) -> None:
    (found,) = find_all(Tape("f", (Reject(line(4), Y, "mul", reason, X),)))
    assert (found.code, found.span.row, found.assumptions) == (code, 4, ("x requires grad",))


def test_one_finding_a_line_and_code_the_strongest() -> None:
    (sure,) = fold(save(), write(), check())
    assumed = replace(sure, severity="warning", assumptions=("x requires grad",))
    assert merge_findings([assumed, sure, replace(sure, severity="hint")]) == (sure,)
    elsewhere = replace(sure, span=line(2))
    assert merge_findings([sure, elsewhere]) == (elsewhere, sure)


def test_hazards_are_found_by_code_or_name() -> None:
    by_code, by_name = find_hazard("ip101"), find_hazard("saved-tensor-modified")
    assert by_code is by_name is not None
    assert find_hazard("IP999") is None


def test_each_refusal_is_of_one_hazard():
    of_hazards = [reason for hazard in HAZARDS for reason in hazard.refusals]
    assert len(of_hazards) == len(set(of_hazards))
    assert set(of_hazards) == {*Rejection, *Refusal}
