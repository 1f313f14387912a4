"""Objects whose constructor cannot be run: made by what of it runs, and by invented attributes; the verdict says so."""

from __future__ import annotations

from textwrap import indent

import pytest

from inplace_lsp.verify.client import Client
from inplace_lsp.verify.verdict import Verdict
from verify.ways import found, verdict

pytestmark = pytest.mark.usefixtures("short_search")
NET = """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, dim, weights="weights.pt"):
        super().__init__()
        self.first = nn.Linear(dim, dim)
        state = torch.load(weights)
        self.scale = nn.Parameter(state["scale"])
        self.last = nn.Linear(dim, dim)
        self.count = state["count"]

    def forward(self, x):
"""
OBJECT = """
class Runner:
    def __init__(self, settings):
        self.transform = settings["build"](settings)[3]
        self.state = settings["build"](settings)[4]

    def run(self, x):
"""


def verdict_of_body(client: Client, head: str, target: str, body: str) -> Verdict:
    return verdict(client, f"{head}{indent(body, ' ' * 8)}", target)


def test_what_the_constructor_makes_after_a_failure_is_there(client: Client) -> None:
    """The last layer is real, though the weights before it are not there."""
    answer = verdict_of_body(
        client, NET, "Net.forward", "y = self.last(x).sigmoid()\nz = y * self.scale\ny += 1\nreturn z\n"
    )
    assert (answer.verdict, found(answer)) == ("confirmed", {(18, "IP101")}), answer.reason
    assert any(
        note.startswith("statements of the constructor of Net that fail were left out: line 10: ")
        for note in answer.notes
    )
    assert "`self.scale` is invented: the constructor of Net did not get so far" in answer.notes


def test_a_parameter_that_is_invented_is_a_leaf(client: Client) -> None:
    answer = verdict_of_body(client, NET, "Net.forward", "self.scale.mul_(2)\nreturn self.last(x) * self.scale\n")
    assert (answer.verdict, found(answer)) == ("confirmed", {(16, "IP201")}), answer.reason


def test_a_valid_method_is_not_cleared_by_an_unfinished_object(client: Client) -> None:
    answer = verdict_of_body(
        client, NET, "Net.forward", "y = self.last(x).sigmoid()\ny = y + 1\nreturn y * self.scale / self.count\n"
    )
    assert answer.verdict == "inconclusive", answer.reason
    assert answer.reason.startswith("inconclusive: the constructor failed, and with the unfinished object it ran")
    assert "`self.scale`, `self.count` are invented: the constructor of Net did not get so far" in answer.notes


def test_a_write_to_invented_state_that_nothing_saved_is_no_hazard(client: Client) -> None:
    answer = verdict_of_body(client, OBJECT, "Runner.run", "self.state.mul_(0.9)\nreturn x + self.state\n")
    assert answer.verdict == "inconclusive", answer.reason
    assert answer.violations == ()


def test_a_hazard_with_invented_state_is_the_methods_own(client: Client) -> None:
    answer = verdict_of_body(client, OBJECT, "Runner.run", "y = x.exp()\ny.add_(self.state)\nreturn y\n")
    assert (answer.verdict, found(answer)) == ("confirmed", {(9, "IP101")}), answer.reason
    assert any("`self.state` is invented" in note for note in answer.notes)


def test_a_hazard_inside_an_invented_attribute_is_no_verdict(client: Client) -> None:
    answer = verdict_of_body(client, OBJECT, "Runner.run", "y = self.transform(x)\ny += 1\nreturn y\n")
    assert answer.verdict == "inconclusive", answer.reason
    assert "verify's stand-in for `self`" in answer.reason
    assert "`self.transform` is invented: the constructor of Runner did not get so far" in answer.notes


def test_the_directive_with_invented_attributes_runs_as_it_is_offered(client: Client) -> None:
    body = "y = x * self.state\nraise ValueError('never mind')\n"
    answer = verdict_of_body(client, OBJECT, "Runner.run", body)
    assert answer.missing is not None
    assert "self=add_missing(build_partly(Runner" in answer.missing.directive
    head = OBJECT.replace("    def run", f"    {answer.missing.directive}\n    def run")
    again = verdict_of_body(client, head, "Runner.run", body)
    assert again.source == "directive"
    assert again.reason.startswith("inconclusive: the code fails for another reason: ValueError: never mind (at ")
