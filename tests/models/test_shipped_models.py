"""The shipped model files and the intrinsics: everything is declared, and nothing is ignored without a reason."""

from __future__ import annotations

import dis
import inspect
from pathlib import Path
from types import CodeType

import pytest

from inplace_lsp.interpret.machine.intrinsics import Intrinsic
from inplace_lsp.interpret.python.library import find_intrinsics
from inplace_lsp.model_files.check import check_model
from inplace_lsp.models import find_models

INTRINSICS = find_intrinsics()
SERVICES = {"machine", "text"}
"""What a handler takes besides the parameters of its signature."""


@pytest.mark.parametrize(("module", "path"), find_models().items(), ids=find_models())
def test_a_shipped_model_file_has_no_mistake(module: str, path: Path):
    assert [(mistake.span.row, mistake.message) for mistake in check_model(path.read_text("utf-8"), str(path))] == []


@pytest.mark.parametrize("intrinsic", INTRINSICS.values(), ids=INTRINSICS)
def test_a_handler_takes_what_its_signature_declares_and_does_not_ignore(intrinsic: Intrinsic):
    parameters = [
        parameter
        for parameter in inspect.signature(intrinsic.run).parameters.values()
        if parameter.name not in SERVICES
    ]
    declared = {parameter.name for parameter in intrinsic.parameters} - intrinsic.ignored.keys()
    needed = {
        parameter.name
        for parameter in parameters
        if parameter.default is parameter.empty and parameter.kind != parameter.VAR_KEYWORD
    }
    assert needed <= declared
    assert declared <= {parameter.name for parameter in parameters} or any(
        parameter.kind == parameter.VAR_KEYWORD for parameter in parameters
    )


@pytest.mark.parametrize("intrinsic", INTRINSICS.values(), ids=INTRINSICS)
def test_a_handler_reads_what_it_takes(intrinsic: Intrinsic):
    """A parameter that is bound and never looked at is an ignored one that nobody declared."""
    parameters = set(inspect.signature(intrinsic.run).parameters) - SERVICES
    assert parameters - read_names(intrinsic.run.__code__) == set()


def read_names(code: CodeType) -> set[str]:
    """The variables that a function or one inside it reads."""
    read: set[str] = set()
    for instruction in dis.get_instructions(code):
        if instruction.opname.startswith("LOAD_"):
            read.update(instruction.argval if isinstance(instruction.argval, tuple) else (str(instruction.argval),))
    return read.union(*(read_names(constant) for constant in code.co_consts if isinstance(constant, CodeType)))


@pytest.mark.parametrize("intrinsic", INTRINSICS.values(), ids=INTRINSICS)
def test_each_ignored_parameter_has_its_reason(intrinsic: Intrinsic):
    assert all(len(reason.split()) > 2 for reason in intrinsic.ignored.values())
