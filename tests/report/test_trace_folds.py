from __future__ import annotations

import time

from hypothesis import given
from hypothesis import strategies as st

from inplace_lsp.report.trace_folds import Part, Repetition, fold_rounds


def flat(parts: list[Part] | tuple[Part, ...]) -> list[int]:
    return [at for part in parts for at in ([part] if isinstance(part, int) else flat((*part.first, *part.rest)))]


def test_rounds():
    assert fold_rounds("xabababy") == [0, Repetition((1, 2), (3, 4, 5, 6), 3), 7]


def test_two_rounds_are_left_alone():
    assert fold_rounds("abab") == [0, 1, 2, 3]


def test_loops_in_loops():
    (outer,) = fold_rounds("aaab" * 3)
    assert isinstance(outer, Repetition)
    assert (outer.times, outer.first[0]) == (3, Repetition((0,), (1, 2), 3))


def test_inner_loops_of_different_lengths_are_one_outer_loop():
    (outer,) = fold_rounds("aaab" + "aaaab" + "aaaaaab")
    assert isinstance(outer, Repetition) and outer.times == 3


@given(st.text("abc", max_size=200))
def test_every_place_is_there_once_and_in_order(text: str):
    assert flat(fold_rounds(text)) == list(range(len(text)))


def test_a_long_tape_is_quick():
    started = time.process_time()
    fold_rounds([(step % 37, step // 5_000) for step in range(20_000)])
    assert time.process_time() - started < 5
