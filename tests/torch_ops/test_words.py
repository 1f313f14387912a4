"""What a reader is told."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from inplace_lsp.cli.ops import ops
from inplace_lsp.torch_ops.descriptions import describe_name, resolve_name, suggest_names
from inplace_lsp.torch_ops.table import module_names, op_names


def run(*arguments: str) -> tuple[int, str, str]:
    """Exit status, stdout and stderr of `inplace-lsp ops`."""
    result = CliRunner().invoke(ops, list(arguments))
    return result.exit_code, result.stdout, result.stderr


def test_exp_in_words() -> None:
    description = describe_name("exp")
    assert description is not None
    assert description.summary == (
        "exp saves its output: writing to the result breaks backward; writing to the input does not."
    )
    assert "Why: the derivative of exp is its own output." in description.ways[0].sentences


def test_conditions_are_told() -> None:
    description = describe_name("torch.mul")
    assert description is not None
    assert "`input` when `other` requires grad, and `other` when `input` requires grad" in description.summary


@pytest.mark.parametrize(
    ("short", "full"),
    [
        ("exp", "torch.exp"),
        ("F.relu", "torch.nn.functional.relu"),
        ("nn.Linear", "torch.nn.Linear"),
        ("ReLU", "torch.nn.ReLU"),
        ("add_", "torch.Tensor.add_"),
        ("Tensor.view", "torch.Tensor.view"),
        ("torch.linalg.norm", "torch.linalg.norm"),
    ],
)
def test_short_names(short: str, full: str) -> None:
    assert resolve_name(short) == full


def test_everything_can_be_described() -> None:
    for name in (*op_names(), *module_names()):
        description = describe_name(name)
        assert description is not None
        assert all(sentence.endswith(".") for way in description.ways for sentence in way.sentences), name


def test_writes_and_views_are_told() -> None:
    status, out, _ = run("Tensor.add_")
    assert status == 0
    assert "It writes `self` in place and raises the version counter." in out
    assert "torch refuses in-place writes" in run("split")[1]
    assert "Its forward is torch.nn.functional.relu(input=input, inplace=self.inplace)." in run("nn.ReLU")[1]


def test_json() -> None:
    status, out, _ = run("exp", "--output-format", "json")
    assert status == 0
    described = json.loads(out)
    assert described["name"] == "torch.exp"
    assert described["overloads"][0]["saves"] == [{"role": "result", "when": ["input"]}]


def test_all_names_are_listed() -> None:
    status, out, _ = run()
    assert status == 0
    assert len(out.splitlines()) == len(op_names()) + len(module_names())


def test_an_unknown_name_is_one_line_with_suggestions() -> None:
    status, out, err = run("expp")
    assert status == 2
    assert out == ""
    assert err.count("\n") == 1
    assert "torch.exp" in err
    assert suggest_names("sigmoyd")
