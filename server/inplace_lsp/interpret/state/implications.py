"""Find out what the answers about an unknown value imply: `n == 1` and `n > 1` are never both true."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from operator import eq, ge, gt, le, lt
from typing import Any, TypeAlias

Asked: TypeAlias = tuple[str, object]
"""A question about a value: how it compares (`==`, `<`, `in`, `is` for None), and with which constant; `truth`: whether
it is true; `isinstance`: whether it is an instance of one of some classes: of Python's, or by name. Any other question
(`hasattr`) has nothing to do with the rest."""

IS_TRUE: Asked = ("truth", None)
IS_EMPTY: Asked = ("==", 0)
"""The question about how many there are."""

Answers: TypeAlias = dict[Asked, bool]
"""The answers about one value."""


@dataclass(frozen=True)
class _Other:
    """A value that is none of the constants of a program, an instance of these `classes`."""

    classes: frozenset[object] = frozenset()


def _is_instance(value: object, classes: Iterable[object]) -> bool:
    """Return whether a value is an instance of one of the classes."""
    named = value.classes if isinstance(value, _Other) else ()
    return any(isinstance(value, kind) if isinstance(kind, type) else kind in named for kind in classes)


_HOLDS: dict[str, Callable[[Any, Any], object]] = {
    "truth": lambda value, _: bool(value),
    "is": lambda value, _: value is None,
    "in": lambda value, several: value in several,
    "isinstance": _is_instance,
    "startswith": str.startswith,
    "endswith": str.endswith,
    "==": eq,
    "<": lt,
    "<=": le,
    ">": gt,
    ">=": ge,
}
_ANYTHING: tuple[object, ...] = (
    _Other(), None, (), (0,), [], [0], {}, {0: 0}, set(), {0}, frozenset(), frozenset({0}), b"", b"other", "", "other",
    0, 1, 0.0, 0.5, True, False,
)  # fmt: skip
"""Values of several kinds, true and false ones."""


def infer_answer(facts: Mapping[Asked, bool], asked: Asked, *, is_count: bool) -> bool | None:
    """Return the answer that follows from those known, None if both are possible. `is_count`: the value is a number of
    things.

    The answers are tried out on values that stand for all others: the constants in question, numbers between them, and
    values of other kinds.
    """
    facts = {key: answer for key, answer in facts.items() if key[0] in _HOLDS}
    if not facts or asked[0] not in _HOLDS:
        return None
    sorted_facts = sorted(facts.items(), key=_decides_little)
    found: bool | None = None
    values: Iterator[object]
    if is_count:
        values = _list_counts((asked, *facts))
    elif _decides_little(sorted_facts[0]):
        values = _list_values((asked, *facts))
    else:
        values = _list_constant_values((asked, *facts))
    for value in values:
        if all(_test_value(value, key) is answer for key, answer in sorted_facts):
            answer = _test_value(value, asked)
            if answer is not None and found is not None and answer is not found:
                return None
            found = found if answer is None else answer
    return found


def _decides_little(fact: tuple[Asked, bool]) -> bool:
    """Return whether many values fit a fact; those that few fit are asked first, since most values fail there."""
    (op, _), answer = fact
    return op != "==" or not answer


def _test_value(value: object, asked: Asked) -> bool | None:
    """Return the answer for one value, None if Python would raise."""
    op, constant = asked
    try:
        return bool(_HOLDS[op](value, constant))
    except TypeError:
        return None


def _list_values(questions: Iterable[Asked]) -> Iterator[object]:
    """Yield representative values: every possible value behaves like one of them. Those of the first questions come
    early."""
    questions = tuple(questions)
    constants = list(_list_constants(questions))
    yield from (*_ANYTHING, *constants)
    classes = [kind for op, kinds in questions if op == "isinstance" for kind in kinds]  # type: ignore[attr-defined]
    yield from (_Other(frozenset((kind, other))) for kind in classes for other in classes)
    texts = ["", *(constant for constant in constants if isinstance(constant, str))]
    numbers = sorted({0, 1, *filter(_is_number, constants)})
    yield from (f"{first}.{last}" for first in texts for last in texts)
    yield from (number + step for number in numbers for step in (-1, -0.5, 0.0, 0.5, 1))
    yield from ((low + high) / 2 for low, high in pairwise(numbers))


def _list_constant_values(questions: Iterable[Asked]) -> Iterator[object]:
    """Yield the values that may be equal to a constant in question."""
    constants = list(_list_constants(questions))
    yield from (*_ANYTHING, *constants)
    yield from (constant + 0.0 for constant in constants if _is_number(constant))


def _is_number(constant: object) -> bool:
    """Return whether a constant is a number that others can be computed from."""
    return isinstance(constant, (int, float)) and abs(constant) < _LARGE


_LARGE = 1e300


def _list_counts(questions: Iterable[Asked]) -> Iterator[int]:
    """Yield numbers of things of which each possible one is like one."""
    yield from (0, 1)
    for constant in _list_constants(questions):
        if type(constant) is int:
            yield from (number for number in (constant - 1, constant, constant + 1) if number >= 0)


def _list_constants(questions: Iterable[Asked]) -> Iterator[Any]:
    """Yield the constants that the questions name."""
    for op, constant in questions:
        if op == "in" and isinstance(constant, tuple):
            yield from constant
        elif op not in ("truth", "is", "isinstance"):
            yield constant
