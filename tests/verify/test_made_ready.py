"""Objects that verify makes ready by calls of their methods: the order of those calls is made up, so that only what the
function itself does shows a hazard."""

from __future__ import annotations

import pytest

from inplace_lsp.verify.client import Client
from verify.ways import found, verdict

WRITTEN_BEFORE = """
    import torch
    from torch import nn

    class Model:
        def __init__(self):
            self.net = nn.Linear(3, 3)

        def begin(self, x: torch.Tensor):
            self.h = self.net(x).exp()
            self.y = self.h.sum()

        def finish(self):
            self.h.mul_(2)
            self.scale = 2.0

        def learn(self):
            (self.y * self.scale).backward()
    """
WALKED_BEFORE = """
    import torch
    from torch import nn

    class Model:
        def __init__(self):
            self.net = nn.Linear(3, 3)

        def forward(self, x: torch.Tensor):
            self.loss = self.net(x).exp().sum()

        def log(self):
            self.loss.backward()
            self.value = self.loss.item()

        def learn(self):
            print(self.value)
            self.loss.backward()
    """
SILENT_BEFORE = WRITTEN_BEFORE.replace("self.h.mul_(2)", "self.h.data.mul_(2)")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (WRITTEN_BEFORE, "torch raised after calls in an order that verify made up: begin, finish"),
        (WALKED_BEFORE, "torch raised after calls in an order that verify made up: forward, log"),
        (SILENT_BEFORE, "the hazard shows after calls in an order that verify made up: begin, finish"),
    ],
    ids=["written before", "walked before", "written before in silence"],
)
def test_what_was_done_before_is_no_verdict(client: Client, text: str, reason: str) -> None:
    answer = verdict(client, text, "Model.learn")
    assert (answer.verdict, answer.why) == ("inconclusive", reason)


MADE_READY = """
    import torch
    from torch import nn

    class Model:
        def __init__(self):
            self.net = nn.Linear(3, 3)

        def made(self, x: torch.Tensor):
            self.h = self.net(x).exp()

        def scale(self):
            {write}

        def learn(self):
            {call}
            self.h.sum().backward()
    """


@pytest.mark.parametrize(
    ("write", "call", "row"),
    [("pass", "self.h.mul_(2)", 16), ("self.h.mul_(2)", "self.scale()", 13)],
    ids=["itself", "by a method that it calls"],
)
def test_a_write_of_the_function_to_what_was_saved_before_is_confirmed(
    client: Client, write: str, call: str, row: int
) -> None:
    answer = verdict(client, MADE_READY.format(write=write, call=call), "Model.learn")
    assert (answer.verdict, found(answer)) == ("confirmed", {(row, "IP101")}), answer.reason
    assert f"line {row}" in answer.why


def test_the_same_without_the_write(client: Client) -> None:
    answer = verdict(client, MADE_READY.format(write="pass", call="self.h = self.h * 2"), "Model.learn")
    assert answer.verdict == "not-reproduced", answer.reason


def test_two_walks_of_the_function_through_what_was_saved_before_are_confirmed(client: Client) -> None:
    answer = verdict(client, MADE_READY.format(write="pass", call="self.h.sum().backward()"), "Model.learn")
    assert (answer.verdict, found(answer)) == ("confirmed", {(17, "IP103")}), answer.reason
