"""The formulas of the ops are what torch computes, and speak of what the table says is saved."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable

import pytest
import torch

from formulas import read_formulas, typeset_formula
from inplace_lsp.torch_ops import table

SLOPES, GRADIENTS = read_formulas()
BEGIN = {"acosh": 1.1}
"""Where the inputs begin, if the function is not defined between 0.1 and 0.9."""
BENT = {"abs", "celu", "celu_", "elu", "elu_", "leaky_relu", "leaky_relu_", "relu"}
"""What is another function below zero."""
LAST = {name.rpartition(".")[2]: name for name in table.op_names()}
NAMES = "sin cos exp sinh cosh tanh erf erfinv sigmoid digamma sign abs".split()


def piecewise(*cases: tuple[object, torch.Tensor | bool]) -> torch.Tensor:
    [*firsts, (value, _)] = cases
    result = torch.as_tensor(value)
    for value, condition in reversed(firsts):
        result = torch.where(torch.as_tensor(condition), torch.as_tensor(value), result)
    return result


def find_callable(name: str) -> Callable[[torch.Tensor], torch.Tensor]:
    """The function of torch of that name; a method in place of it works on a copy."""
    for space in (torch, torch.nn.functional, torch.special):
        if hasattr(space, name):
            function = getattr(space, name)
            return lambda x: function(x.clone()) if name.endswith("_") else function(x)
    raise AssertionError(f"torch has no {name}")


@pytest.mark.parametrize("name", list(SLOPES))
def test_slopes_are_what_torch_computes(name: str):
    begin = BEGIN.get(name, 0.1)
    x = torch.linspace(begin, begin + 0.8, 9, dtype=torch.float64)
    x = (torch.cat([x, -x]) if name in BENT else x).requires_grad_()
    y = find_callable(name)(x)
    (found,) = torch.autograd.grad(y.sum(), x)
    words = {each: getattr(torch, each) for each in NAMES}
    words |= {"sqrt": lambda value: value**0.5, "log": lambda value: torch.as_tensor(value).log()}
    words |= {"pi": math.pi, "Piecewise": piecewise, "alpha": 1.0, "slope": 0.01, "x": x.detach(), "y": y.detach()}
    told = torch.as_tensor(eval(SLOPES[name], words)).to(torch.float64).expand_as(found)
    torch.testing.assert_close(told, found)


@pytest.mark.parametrize("name", [name for name in SLOPES if name in LAST])
def test_slopes_speak_of_what_is_saved(name: str):
    said = {node.id for node in ast.walk(ast.parse(SLOPES[name])) if isinstance(node, ast.Name)} & {"x", "y"}
    [way, *_] = [way for way in table.find_overloads(LAST[name]) if bool(way.writes) == name.endswith("_")]
    kept = {"y" if save.role.startswith("result") else "x" for save in way.saves}
    assert said == kept or (way.saves_something and not kept), "an op may keep something of its own instead"


@pytest.mark.parametrize("name", [*SLOPES, *GRADIENTS])
def test_every_formula_belongs_to_an_op_and_can_be_typeset(name: str):
    assert {name, f"{name}_"} & set(LAST)
    assert typeset_formula(name).startswith("<math")
