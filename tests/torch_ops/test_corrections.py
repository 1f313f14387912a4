"""Each hand-written correction, held against torch; and the shipped data against the generator."""

from __future__ import annotations

import subprocess
import sys
import warnings
from collections.abc import Callable
from typing import Any

import pytest
import torch

from inplace_lsp.torch_ops.table import find_module, find_overloads
from kept import PACKAGE, TESTS, kept
from tests.torch_ops.agreement import Score, compare_call
from tests.torch_ops.predictions import overload_of
from tools.op_table.binding import make_caller
from tools.op_table.corrections import module_calls, read_corrections

Function = Callable[..., Any]

CALLS: dict[str, list[tuple[tuple[Any, ...], dict[str, Any]]]] = {
    "torch.Tensor.to": [
        ((torch.ones(3), torch.float32), {}),
        ((torch.ones(3), torch.float64), {}),
        ((torch.ones(3), "cpu"), {}),
        ((torch.ones(3), "cpu", torch.float64), {}),
        ((torch.ones(3), torch.ones(1, dtype=torch.float64)), {}),
        ((torch.ones(3),), {"dtype": torch.float32, "copy": True}),
        ((torch.ones(3),), {"device": "cpu", "copy": True}),
        ((torch.ones(3), torch.ones(1)), {"copy": True}),
    ],
    "torch.Tensor.type": [((torch.ones(3), torch.float64), {}), ((torch.ones(3), torch.float32), {})],
    "torch.Tensor.detach": [((torch.ones(3),), {})],
    "torch.detach": [((torch.ones(3),), {})],
    "torch.Tensor.detach_": [((torch.ones(3),), {})],
    "torch.detach_": [((torch.ones(3),), {})],
    "torch.tensor": [(([1.0, 2.0],), {})],
    "torch.as_tensor": [((torch.ones(3),), {}), ((torch.ones(3),), {"dtype": torch.float64}), (([1.0],), {})],
    "torch.asarray": [((torch.ones(3),), {}), ((torch.ones(3),), {"copy": True}), (([1.0],), {})],
    "torch.nn.functional.scaled_dot_product_attention": [
        (tuple(torch.randn(2, 3, 4, 8) for _ in range(3)), {}),
        (tuple(torch.randn(2, 3, 4, 8) for _ in range(3)), {"is_causal": True}),
        (tuple(torch.randn(2, 3, 4, 8) for _ in range(3)), {"dropout_p": 0.5}),
    ],
}

NEEDS_A_DEVICE = {"torch.Tensor.cuda", "torch.Tensor.pin_memory"}


def test_every_correction_has_a_call_here() -> None:
    assert set(read_corrections()) == set(CALLS) | NEEDS_A_DEVICE


@pytest.mark.parametrize("name", sorted(CALLS))
def test_a_correction_says_what_torch_does(name: str) -> None:
    for args, kwargs in CALLS[name]:
        chosen = overload_of(name, args, kwargs)
        assert chosen is not None
        overload, given = chosen
        function = resolve(name)
        _same_memory(function, args, kwargs, {(alias.output, alias.kind) for alias in overload.aliases})
        _same_gradient(function, args, kwargs, bool(overload.differentiable))
        score = Score()
        compare_call(name, overload, make_caller(function, overload.params), given, score)
        assert score.wrong == {}


def _same_memory(function: Function, args: Any, kwargs: Any, expected: set[tuple[int, str]]) -> None:
    tensor = args[0]
    if not isinstance(tensor, torch.Tensor):
        assert expected == set()
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = function(*args, **kwargs)
    shares = result.untyped_storage().data_ptr() == tensor.untyped_storage().data_ptr()
    kinds = {kind for _, kind in expected}
    if kinds <= {"same", "view"}:
        assert shares == bool(kinds)
        assert not kinds or (result is tensor) == (kinds == {"same"})
    else:
        assert kinds == {"maybe_same"}
        assert shares == (result is tensor)


def _same_gradient(function: Function, args: Any, kwargs: Any, differentiable: bool) -> None:
    if isinstance(args[0], torch.Tensor):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = function(args[0].clone().requires_grad_().clone(), *args[1:], **kwargs)
        assert result.requires_grad == differentiable


def resolve(name: str) -> Any:
    """The callable of that name."""
    found: Any = torch
    for part in name.split(".")[1:]:
        found = getattr(found, part)
    return found


def test_every_corrected_module_calls_something_known() -> None:
    for name, (call, arguments) in module_calls().items():
        params = {param.name for overload in find_overloads(call) for param in overload.params}
        assert {param for param, _ in arguments} <= params, name
        assert find_module(name) is not None


def test_the_shipped_data_is_what_this_torch_gives() -> None:
    """A minute: everything is derived and observed anew. Only for the torch release the data is stamped with."""
    command = [sys.executable, "-W", "ignore", "-m", "tools.op_table", "--check"]

    def compare_all() -> tuple[int, str]:
        done = subprocess.run(command, cwd=TESTS.parent, capture_output=True, text=True, check=False)
        return done.returncode, done.stderr

    status, words = kept("op table", (PACKAGE / "torch_ops", TESTS.parent / "tools" / "op_table"), (), compare_all)
    assert status == 0, words
