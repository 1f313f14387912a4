"""Every legal spelling of a call tells the same tape, for every signature that intrinsics, models and ops declare.

The arguments need not make sense to the function: whatever it does with them, by place or by name it must do the same.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Sequence
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import declared
from declared import TENSOR, Declared
from inplace_lsp.engine import analyse_source
from inplace_lsp.tape.model import Span, Tape

HEAD = """\
import {module}
import torch
from torch import nn
tensor_that_somebody_has_computed = torch.rand(4, requires_grad=True).exp()
another_tensor_that_was_computed = torch.rand(4, requires_grad=True).sigmoid()
list_of_both_of_these_long_named = [tensor_that_somebody_has_computed, another_tensor_that_was_computed]
module_with_a_long_name_of_its_own = nn.Linear(4, 4)
optimizer_with_a_long_name_of_its_own = torch.optim.SGD(module_with_a_long_name_of_its_own.parameters(), lr=0.1)
def function_with_a_long_name_of_its_own(*given, **named):
    return another_tensor_that_was_computed.exp()
"""
TAIL = """
result = CALL
tensor_that_somebody_has_computed.add_(1)
another_tensor_that_was_computed.mul_(2)
(tensor_that_somebody_has_computed.sum() + another_tensor_that_was_computed.sum()).backward()
"""
ARGUMENTS = (
    TENSOR,
    "another_tensor_that_was_computed",
    "list_of_both_of_these_long_named",
    "module_with_a_long_name_of_its_own",
    "optimizer_with_a_long_name_of_its_own",
    "function_with_a_long_name_of_its_own",
    "True",
    "False",
    "None",
    "2",
    "'weight'",
)
"""What parameters are given: names so long that the text of the call, by which results are called, is cut."""
SOURCES = {"intrinsics": declared.intrinsics, "models": declared.models, "ops": declared.ops}
EXAMPLES = int(os.environ.get("INPLACE_LSP_EXAMPLES", "150"))
"""So many calls of each source are spelt twice; `make fuzz` takes 400."""
SOME = 150
"""Callables of each source that are called with an argument too many."""


@cache
def callables(source: str) -> tuple[Declared, ...]:
    return tuple(declared for declared in SOURCES[source]() if declared.text)


@st.composite
def spellings(draw: st.DrawFn, callables: Sequence[Declared]) -> tuple[Declared, str, str]:
    """A call and the same call, spelt otherwise."""
    chosen = draw(st.sampled_from(callables))
    plain = [parameter for parameter in chosen.parameters if parameter.kind in ("positional", "normal")]
    named = [parameter for parameter in chosen.parameters if parameter.kind == "keyword"]
    omitted = next(
        (at for at, parameter in enumerate(plain) if not parameter.required and draw(st.booleans())), len(plain)
    )
    given = {parameter.name: draw(st.sampled_from(ARGUMENTS)) for parameter in plain[:omitted]}
    options = {
        parameter.name: draw(st.sampled_from(ARGUMENTS))
        for parameter in named
        if parameter.required or draw(st.booleans())
    }
    fewest = sum(parameter.kind == "positional" for parameter in plain[:omitted])
    return chosen, *(spell(draw, chosen.text, given, options, fewest) for _ in range(2))


def spell(draw: st.DrawFn, text: str, given: dict[str, str], options: dict[str, str], fewest: int) -> str:
    """The call with some of the arguments that have a place given by place, the others by name in any order."""
    by_place = draw(st.integers(fewest, len(given)))
    names = draw(st.permutations([*list(given)[by_place:], *options]))
    everything = given | options
    return f"{text}({', '.join([*list(given.values())[:by_place], *(f'{name}={everything[name]}' for name in names)])})"


def tapes(program: str) -> list[object]:
    """The events of a program, without the columns in which they happened."""
    return [without_columns(tape) for tape in analyse_source(program, "/program.py").tapes]


def without_columns(value: object) -> object:
    if isinstance(value, Span):
        return value.row
    if isinstance(value, Tape):
        return tuple(map(without_columns, value.events))
    if isinstance(value, tuple):
        return tuple(map(without_columns, value))
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        inside = (without_columns(getattr(value, field.name)) for field in dataclasses.fields(value))
        return type(value).__name__, *inside
    return value


@pytest.mark.parametrize("source", SOURCES)
def test_every_spelling_tells_the_same_tape(source: str):
    @settings(max_examples=EXAMPLES, deadline=None, derandomize=True)
    @given(spellings(callables(source)))
    def check(drawn: tuple[Declared, str, str]) -> None:
        chosen, call, same_call = drawn
        head = HEAD.format(module=chosen.module)
        first, second = (tapes(head + TAIL.replace("CALL", spelling)) for spelling in (call, same_call))
        assert first == second, f"{call}\n{same_call}"

    check()


@pytest.mark.parametrize("source", SOURCES)
def test_arguments_that_do_not_bind_are_counted(source: str):
    """What is required, and one argument by a name that no parameter has."""
    strict = [
        declared
        for declared in callables(source)
        if not any(parameter.kind == "kwarg" for parameter in declared.parameters)
    ]
    for chosen in strict[:: max(1, len(strict) // SOME)]:
        required = [parameter for parameter in chosen.parameters if parameter.required]
        by_place = [TENSOR for parameter in required if parameter.kind == "positional"]
        by_name = [f"{parameter.name}={TENSOR}" for parameter in required if parameter.kind != "positional"]
        call = f"{chosen.text}({', '.join([*by_place, *by_name, f'no_such_parameter={TENSOR}'])})"
        analysis = analyse_source(HEAD.format(module=chosen.module) + f"result = {call}\n", "/program.py")
        assert [gap.reason for gap in analysis.gaps], call
