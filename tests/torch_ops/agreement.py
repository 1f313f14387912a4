"""Compares the table with torch, case by case: (op, tensor, who requires grad) -> does writing it break backward?"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from inplace_lsp.torch_ops.model import Overload
from tests.torch_ops.predictions import output_role, overload_of, saved
from tests.torch_ops.reality import Case, Unusable, backward_raises, can_require_grad, memory_shared, tensors
from tools.op_table.binding import make_caller

Call = Callable[[Mapping[str, Any]], Any]


@dataclass
class Score:
    """`wrong` counts by (op, role, what the table says)."""

    cases: int = 0
    calls: int = 0
    unbound: Counter[str] = field(default_factory=Counter)
    wrong: Counter[tuple[str, str, bool]] = field(default_factory=Counter)

    @property
    def share(self) -> float:
        """The share of cases in which the table and torch agree."""
        return 1 - sum(self.wrong.values()) / max(self.cases, 1)


def compare(cases: Iterable[Case]) -> Score:
    """The score of the table over `cases`."""
    score = Score()
    for case in cases:
        chosen = overload_of(case.name, case.args, case.kwargs)
        if chosen is None:
            score.unbound[case.name] += 1
            continue
        overload, given = chosen
        compare_call(case.name, overload, make_caller(case.function, overload.params), given, score)
    return score


def compare_call(name: str, overload: Overload, call: Call, given: Mapping[str, Any], score: Score) -> None:
    """One call, with every set of arguments that may require grad, and every tensor written in turn."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            shared = memory_shared(call, given)
        except Exception:
            return
        score.calls += 1
        for requiring in subsets([each for each, value in given.items() if can_require_grad(value)]):
            try:
                if backward_raises(call, given, requiring, None):
                    continue
            except Exception:
                continue
            for role, index in _places(overload, given, shared):
                try:
                    truth = backward_raises(call, given, requiring, (role, index))
                except (Unusable, RuntimeError, NotImplementedError):
                    continue
                if truth is None:
                    continue
                score.cases += 1
                said = _says(overload, role, index, requiring, shared)
                if said != truth:
                    score.wrong[name, role if role != "result" else output_role(overload, index), said] += 1


def subsets(names: list[str]) -> Iterator[frozenset[str]]:
    """Each alone, all but one, and all together."""
    found = {frozenset([name]) for name in names}
    found |= {frozenset(names) - {name} for name in names} | {frozenset(names)}
    yield from sorted((each for each in found if each), key=sorted)


def _places(
    overload: Overload, given: Mapping[str, Any], shared: set[tuple[str, int, str, int]]
) -> Iterator[tuple[str, int]]:
    """Every tensor that can be written. The base of views made at once is not: using them after that is refused."""
    rigid = {alias.of for alias in overload.aliases if alias.kind == "multi"}
    for name, value in given.items():
        if name not in rigid:
            yield from ((name, index) for index in range(len(tensors(value))))
    outputs = 4 if overload.returns < 0 else overload.returns
    if not any(alias.kind == "multi" for alias in overload.aliases):
        yield from (("result", index) for index in range(outputs))


def _says(
    overload: Overload, role: str, index: int, requiring: frozenset[str], shared: set[tuple[str, int, str, int]]
) -> bool:
    """The table's answer for a tensor and for all that have the same version counter."""
    own = role if role != "result" else output_role(overload, index)
    roles = {own}
    for name, place, _, output in shared:
        if (name, place) == (role, index):
            roles.add(output_role(overload, output))
        elif (role, index) == ("result", output):
            roles.add(name)
    return any(saved(overload, each, requiring) for each in roles)
