"""The tables of docs/models.md and `inplace_lsp.modelling` say what the intrinsics and the shipped files say."""

from __future__ import annotations

import inspect

import pytest

from inplace_lsp import modelling
from inplace_lsp.interpret.machine.intrinsics import Intrinsic
from inplace_lsp.interpret.python.library import find_intrinsics
from tools.pages.models import PAGE, STUB, fill_page, make_stub

AGAIN = "run: make pages"
OWN = {name: intrinsic for name, intrinsic in find_intrinsics().items() if name.startswith(f"{modelling.__name__}.")}


def test_the_page_is_up_to_date():
    page = PAGE.read_text(encoding="utf-8")
    assert page == fill_page(page), AGAIN


def test_what_editors_see_is_up_to_date():
    assert STUB.read_text(encoding="utf-8") == make_stub(), AGAIN


@pytest.mark.parametrize(("name", "intrinsic"), OWN.items(), ids=OWN)
def test_what_editors_see_has_the_real_signature(name: str, intrinsic: Intrinsic):
    function = getattr(modelling, name.rpartition(".")[2])
    assert list(inspect.signature(function).parameters) == [parameter.name for parameter in intrinsic.parameters]
    given = [None for parameter in intrinsic.parameters if parameter.kind in ("positional", "normal")]
    with pytest.raises(NotImplementedError):
        function(*given, **{parameter.name: None for parameter in intrinsic.parameters if parameter.kind == "keyword"})
