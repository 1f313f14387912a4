"""What was foretold and did not show: verify builds what the finding needs, and says what a run lacked."""

from __future__ import annotations

import re
from textwrap import dedent

import pytest

from inplace_lsp.verify.client import Client
from inplace_lsp.verify.inputs.model import Hints
from inplace_lsp.verify.options import Options
from inplace_lsp.verify.prove import Subject, verify
from inplace_lsp.verify.target import target_by_name
from verify.ways import SHORT, found, verdict

BUILT = [
    (
        "the same tensor for two parameters",
        "attend",
        """
        import torch

        def attend(q, k):
            weight = q.sin()
            k.mul_(2)
            return weight.sum() + k.sum()

        def attend_to_itself(x):
            h = x * 1.0
            return attend(h, h)
        """,
    ),
    (
        "eval mode",
        "Net.forward",
        """
        import torch
        from torch import nn

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.first = nn.Linear(8, 8)

            def forward(self, x):
                y = self.first(x).sigmoid()
                if not self.training:
                    y.mul_(2)
                return y
        """,
    ),
    (
        "the value that a guard names",
        "shifted",
        """
        import torch
        from torch import nn

        first = nn.Linear(8, 8)

        def shifted(x, mode="none"):
            y = first(x).sigmoid()
            if mode == "shift" and x is not None:
                y.add_(1)
            return y
        """,
    ),
    (
        "its own result",
        "step",
        """
        import torch
        from torch import nn

        first = nn.Linear(8, 8)
        kept = []

        def step(state):
            if state.requires_grad and state.grad_fn is not None and "Sigmoid" in str(state.grad_fn):
                state.mul_(0.5)
            return first(state).sigmoid()

        def unroll(state):
            for _ in range(3):
                state = step(state)
            return state
        """,
    ),
]


@pytest.mark.parametrize(("target", "text"), [case[1:] for case in BUILT], ids=[case[0] for case in BUILT])
def test_what_the_asked_line_needs_is_built(client: Client, target: str, text: str) -> None:
    program = dedent(text)
    row = next(at for at, line in enumerate(program.split("\n"), 1) if re.search(r"(mul|add)_\(", line))
    subject = Subject(program, "/nowhere/program.py", target_by_name(program, target), Hints((row,)))
    answer = verify(subject, client, Options(device="cpu"))
    assert answer.verdict == "confirmed", answer.reason
    assert found(answer) == {(row, "IP101")}


HEAD = """
        import torch
        from torch import nn

        first = nn.Linear(8, 8)

"""
LACKED = [
    (
        "line 9 saved nothing with these inputs: its result needs no gradient",
        """
        # inplace: verify(x=torch.rand(2, 8))
        def told(x):
            y = x.exp()
            y.mul_(2)
            return y.sum()

        told(first(torch.rand(2, 8))).backward()
        """,
    ),
    (
        "line 11 was not reached, or wrote nothing that an op had saved",
        """
        # inplace: verify(x=torch.rand(2, 8, requires_grad=True), n=0)
        def told(x, n):
            y = x.exp()
            if n > 3:
                y.mul_(2)
            return y.sum()

        told(first(torch.rand(2, 8)), 4).backward()
        """,
    ),
    (
        "inputs `k`, `q` were different tensors; the finding needs the same one",
        """
        # inplace: verify(q=torch.rand(3, requires_grad=True), k=torch.rand(3))
        def told(q, k):
            weight = q.sigmoid().mul(q)
            k.mul_(2)
            return weight.sum() + k.sum()

        h = first(torch.rand(8)) * 1.0
        told(h, h).backward()
        """,
    ),
]


@pytest.mark.parametrize(("reason", "text"), LACKED)
def test_what_did_not_show_says_what_the_run_lacked(client: Client, reason: str, text: str) -> None:
    answer = verdict(client, HEAD.rstrip(" ") + text.lstrip("\n"), "told")
    assert answer.verdict == "not-reproduced"
    assert answer.reason.startswith(reason), answer.reason


GUARDED = """
        import argparse
        import torch
        from torch import nn


        class Net(nn.Module):
            def __init__(self, width):
                super().__init__()
                self.first = nn.Linear(args.width, args.width)
                self.load_state_dict(torch.load("weights.pt"))

            def forward(self, x):
                y = self.first(x).sigmoid()
                y.mul_(args.scale)
                return y


        def scaled(x):
            y = x.exp()
            y.mul_(args.scale)
            return y.sum()


        if __name__ == "__main__":
            parser = argparse.ArgumentParser()
            parser.add_argument("--width", type=int, default=8)
            parser.add_argument("--scale", type=float, default=2.0)
            args = parser.parse_args()
            raise SystemExit("only a program comes here")
"""


def test_names_that_only_a_program_binds_are_bound(client: Client) -> None:
    answer = verdict(client, GUARDED, "scaled")
    assert (answer.verdict, found(answer)) == ("confirmed", {(21, "IP101")})


@pytest.mark.usefixtures("short_search")
def test_an_object_is_kept_as_far_as_its_constructor_goes(client: Client) -> None:
    """There are no weights to load."""
    answer = verdict(client, GUARDED, "Net.forward")
    assert (answer.verdict, found(answer)) == ("confirmed", {(15, "IP101")})
    assert answer.arguments["self"].startswith("build_partly(Net, ")


SUGGESTED = """
        import torch


        def update(model, optimizer, loss):
            raise ValueError("never mind")


        def same(q, k):
            raise ValueError("never mind")
"""


@pytest.mark.parametrize("target", ["update", "same"])
def test_a_suggested_directive_runs_as_it_is_offered(client: Client, target: str) -> None:
    answer = verdict(client, SUGGESTED, target, options=SHORT)
    assert answer.missing is not None
    program = dedent(SUGGESTED).replace(f"def {target}(", f"{answer.missing.directive}\ndef {target}(")
    again = verdict(client, program, target)
    assert again.source == "directive"
    assert again.reason.startswith("inconclusive: the code fails for another reason: ValueError: never mind (at ")
