"""The node that torch names in its message is one that the analysis expects there; errors come before hints."""

from __future__ import annotations

from pathlib import Path

import pytest

from inplace_lsp.config import DEFAULT
from inplace_lsp.facts.models import make_facts
from inplace_lsp.why.answer import Answer, explain_errors
from inplace_lsp.why.gather import gather_clues
from inplace_lsp.why.reading import read_errors
from support import expected
from why.messages import run_program
from why.test_messages_of_torch import SOURCES


def explain(tmp_path: Path, program: str, function: str = "") -> Answer:
    """Run a program that fails under torch, and explain its message; `function` is code beside it that is not run."""
    path = tmp_path / "train.py"
    path.write_text(f"import torch\n\n{function}{program}", encoding="utf-8")
    (error,) = read_errors(run_program(path).rpartition("\n\n")[2].splitlines()[-1])
    text = path.read_text(encoding="utf-8")
    return explain_errors([error], [gather_clues(text, str(path), make_facts(DEFAULT))], SOURCES)


def is_first(answer: Answer, tmp_path: Path) -> bool:
    text = (tmp_path / "train.py").read_text(encoding="utf-8")
    return {(answer.candidates[0].span.row, "IP101")} == expected(text)


MODULES = {
    "linalg.norm(x, dim=-1)": "LinalgVectorNorm",
    "linalg.vector_norm(x)": "LinalgVectorNorm",
    "linalg.inv(x)": "LinalgInvEx",
    "linalg.cholesky(x @ x.T + torch.eye(3))": "LinalgCholeskyEx",
    "linalg.pinv(x)": "LinalgPinv",
    "linalg.matrix_exp(x).exp()": "Exp",
    "special.expit(x)": "Sigmoid",
    "special.exp2(x)": "Exp2",
    "special.softmax(x, dim=0)": "Softmax",
}


@pytest.mark.parametrize(("call", "node"), MODULES.items())
def test_ops_in_modules_of_torch(tmp_path: Path, call: str, node: str) -> None:
    program = f"""\
x = torch.rand(3, 3, requires_grad=True)
y = torch.{call}
y += 1  # error: IP101
y.sum().backward()
"""
    answer = explain(tmp_path, program)
    assert answer.error.op is not None and answer.error.op.startswith(node)
    assert is_first(answer, tmp_path)
    (reason,) = (each for each in answer.candidates[0].reasons if node in each)
    assert reason.startswith("torch names")


VIEWS_OF_WRITTEN = {
    "a view without a gradient, whose base gets one": """\
w = torch.randn(3, 4, 4, requires_grad=True)
poses = torch.eye(4).repeat(6, 1, 1)
poses[1:4] = poses[0:1].expand_as(w) @ w  # error: IP101
poses.sum().backward()
""",
    "of a detached tensor in a dictionary": """\
w = torch.randn(3, requires_grad=True)
kept = {"state": torch.ones(6).detach()}
kept["state"][3:] = kept["state"][:3] * w  # error: IP101
kept["state"].sum().backward()
""",
    "a tensor that is written as a whole": """\
w = torch.randn(3, requires_grad=True)
state = torch.ones(3)
out = state * w
state += w  # error: IP101
out.sum().backward()
""",
}
BESIDE = """\
def project(points, grid):
    warped = (points @ grid).view(1, 3, 4, 4)
    warped[:, 0] /= warped[:, 2]
    return warped[:, :2]


"""
"""A hint whose node may have any name that a view has."""


@pytest.mark.parametrize("program", VIEWS_OF_WRITTEN.values(), ids=VIEWS_OF_WRITTEN)
def test_a_tensor_may_get_its_node_by_the_write(tmp_path: Path, program: str) -> None:
    answer = explain(tmp_path, program, BESIDE)
    assert is_first(answer, tmp_path)
    assert not any("against it" in reason for reason in answer.candidates[0].reasons)


def test_an_error_that_fits_comes_before_hints_that_fit_better(tmp_path: Path) -> None:
    """The shape of the hint's tensor is known to be that of the message, that of the error's is not."""
    function = """\
def change(labels):
    y = torch.zeros(3).add(labels).exp()
    y.add_(1)
    return y


"""
    program = """\
import sys
w = torch.randn(len(sys.argv) * 0 + 3, requires_grad=True)
y = w.exp()
y.add_(1)  # error: IP101
y.sum().backward()
"""
    answer = explain(tmp_path, program, function)
    assert is_first(answer, tmp_path)
    assert [candidate.is_finding for candidate in answer.candidates] == [True, True]


MASKED = """\
import torch

layer = torch.nn.Linear(4, 4)
chosen = torch.tensor([True, False, True, True])
inner = layer(torch.rand(4))[chosen] > 0.1
values = layer(torch.rand(4)).sum(0, keepdim=True)
parts = values * 2
chosen[chosen] = inner  # error: IP205
parts.sum().backward()
"""
OLD_MESSAGE = (
    "RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation"
)


def test_what_an_older_torch_told_at_the_backward_is_found_where_this_one_refuses_the_write(tmp_path: Path) -> None:
    path = tmp_path / "train.py"
    path.write_text(MASKED, encoding="utf-8")
    answer = explain_errors(read_errors(OLD_MESSAGE), [gather_clues(MASKED, str(path), make_facts(DEFAULT))], SOURCES)
    [candidate] = answer.candidates
    assert {(candidate.span.row, "IP205")} == expected(MASKED)
    assert "`check` reports it as IP205: the torch of today refuses the write" in candidate.reasons
