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
    assert [(one.span.row, one.message) for one in check_model(path.read_text("utf-8"), str(path))] == []


@pytest.mark.parametrize("intrinsic", INTRINSICS.values(), ids=INTRINSICS)
def test_a_handler_takes_what_its_signature_declares_and_does_not_ignore(intrinsic: Intrinsic):
    parameters = [one for one in inspect.signature(intrinsic.run).parameters.values() if one.name not in SERVICES]
    declared = {one.name for one in intrinsic.parameters} - intrinsic.ignored.keys()
    needed = {one.name for one in parameters if one.default is one.empty and one.kind != one.VAR_KEYWORD}
    assert needed <= declared
    assert declared <= {one.name for one in parameters} or any(one.kind == one.VAR_KEYWORD for one in parameters)


@pytest.mark.parametrize("intrinsic", INTRINSICS.values(), ids=INTRINSICS)
def test_a_handler_reads_what_it_takes(intrinsic: Intrinsic):
    """A parameter that is bound and never looked at is an ignored one that nobody declared."""
    parameters = set(inspect.signature(intrinsic.run).parameters) - SERVICES
    assert parameters - read_names(intrinsic.run.__code__) == set()


def read_names(code: CodeType) -> set[str]:
    """The variables that a function or one inside it reads."""
    read: set[str] = set()
    for one in dis.get_instructions(code):
        if one.opname.startswith("LOAD_"):
            read.update(one.argval if isinstance(one.argval, tuple) else (str(one.argval),))
    return read.union(*(read_names(one) for one in code.co_consts if isinstance(one, CodeType)))


@pytest.mark.parametrize("intrinsic", INTRINSICS.values(), ids=INTRINSICS)
def test_each_ignored_parameter_has_its_reason(intrinsic: Intrinsic):
    assert all(len(reason.split()) > 2 for reason in intrinsic.ignored.values())
