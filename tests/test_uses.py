"""One reading of uses for the recorder and for verify."""

from __future__ import annotations

import ast

import pytest

import inplace_lsp.interpret.interpreter  # noqa: F401 - declares the members of tensors
from inplace_lsp.interpret.machine.intrinsics import INTRINSICS
from inplace_lsp.interpret.torch_api.tensor_methods import is_member
from inplace_lsp.source import ir
from inplace_lsp.source.from_ast import lower_definition
from inplace_lsp.source.parse import parse_text
from inplace_lsp.uses.members import TENSOR_ATTRIBUTES, is_of_tensors, is_plain
from inplace_lsp.uses.reading import find_uses, find_uses_of_self
from inplace_lsp.uses.tensors import find_container_names, find_tensor_names
from inplace_lsp.uses.use import Use


def read(body: str) -> dict[str, Use]:
    (definition,) = parse_text(f"def f(x, y, self):\n    {body}\n")
    assert isinstance(definition, ir.FunctionDef)
    return find_uses(definition)


def test_both_know_the_same_members_of_tensors() -> None:
    """What the recorder executes as a tensor's own is a sign of a tensor here as well."""
    declared = {name.removeprefix("torch.Tensor.") for name in INTRINSICS if name.startswith("torch.Tensor.")}
    plain = {name for name in declared if not name.startswith("__")}
    assert [name for name in plain if not (is_of_tensors(name) or is_plain(name))] == []
    assert [name for name in TENSOR_ATTRIBUTES if not is_member(name)] == []


KINDS = {
    "y = x.exp()": "is_surely_tensor",
    "y = x[..., 0]": "is_surely_tensor",
    "y = x.view(2)": "is_tensor",
    "x.step()": "is_optimizer",
    "y = list(x.parameters())": "is_module",
    "y = x.items()": "is_dict",
    "y = x.startswith('a')": "is_text",
    "y = y.gather(1, x.view(-1))": "holds_indices",
    "y = range(x)": "counted",
    "y = y.sum(dim=x)": "counted",
    "y = [z for z in enumerate(x)]": "looped",
    "y = 1 if not x else 2": "tested",
    "y = x(1)": "called",
    "y = int(x * dim)": "is_share",
    "y = isinstance(x, dict)": "is_mapping",
    "a, b = x": "unpacked",
}


@pytest.mark.parametrize("body", KINDS)
def test_what_code_asks_of_a_value(body: str) -> None:
    assert getattr(read(body)["x"], KINDS[body])
    assert not getattr(Use(), KINDS[body])


def test_a_value_that_is_formatted_may_be_any() -> None:
    assert read("y = '%s' % x")["x"] == Use()


def test_what_a_method_returns_in_parts() -> None:
    assert read("a, b = x.sample()")["x"].parts == [("sample", ("a", "b"))]


def test_texts_and_keys_in_the_order_of_the_text() -> None:
    body = "a = x['first'] + x['second']\n    if y == 'one':\n        pass\n    elif y == 'two':\n        pass"
    found = read(body)
    assert found["x"].keys == ["first", "second"]
    assert found["y"].texts == ["one", "two"]


def test_attributes_of_self_in_the_order_of_the_text() -> None:
    (definition,) = parse_text("def f(self, x):\n    y = self.first(x)\n    return self.second.sum() + self.third\n")
    assert isinstance(definition, ir.FunctionDef)
    found = find_uses_of_self(definition.body)
    assert list(found) == ["first", "second", "third"]
    assert found["first"].called
    assert found["second"].attributes == ["sum"]


def test_a_function_that_verify_has_parsed_reads_the_same() -> None:
    text = "def f(x, y):\n    z = x.exp() + y[0]\n    return z if y is None else y.items()\n"
    (parsed,) = ast.parse(text).body
    (lowered,) = parse_text(text)
    assert isinstance(parsed, ast.FunctionDef)
    assert isinstance(lowered, ir.FunctionDef)
    assert find_uses(lower_definition(parsed)) == find_uses(lowered)


def test_names_that_are_tensors_and_names_that_are_containers() -> None:
    (definition,) = parse_text(
        "def f(x, y, z, n):\n    a = y * z\n    b = torch.exp(x)\n    a.relu_()\n    n.append(b)\n"
    )
    assert isinstance(definition, ir.FunctionDef)
    assert {"a", "x", "y", "z"} <= find_tensor_names(definition, lambda name: "torch" if name == "torch" else "")
    assert find_container_names(definition) == {"n"}
