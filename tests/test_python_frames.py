"""Deep recursion does not ask the system for memory in every pass of a loop."""

from __future__ import annotations

import sys

import pytest

from inplace_lsp.python_frames import keep_frames_in_one_block

resource = pytest.importorskip("resource", reason="page faults are counted on POSIX systems")


def _loop_at_depth(depth: int) -> int:
    """Call functions in a loop that runs `depth` frames below."""
    if depth:
        return _loop_at_depth(depth - 1)
    return sum(_call_twice(number) for number in range(200))


def _call_twice(number: int) -> int:
    return abs(_add_nothing(_add_nothing(number)))


def _add_nothing(number: int) -> int:
    return number


def _count_page_faults() -> int:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for depth in range(200):  # some of them are at the edge of a block
        _loop_at_depth(depth)
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before


@pytest.mark.skipif(sys.version_info < (3, 11), reason="frames are ordinary objects before Python 3.11")
def test_frames_stay_in_one_block():
    _count_page_faults()
    assert keep_frames_in_one_block(_count_page_faults)() * 4 < _count_page_faults()


def test_the_function_is_called_as_before():
    @keep_frames_in_one_block
    def join(first: str, *rest: str, end: str = ".") -> str:
        """Join words."""
        return " ".join((first, *rest)) + end

    assert join("a", "b", end="!") == "a b!"
    assert (join.__name__, join.__doc__) == ("join", "Join words.")
