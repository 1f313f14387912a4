"""A finding says under which of the program's tests it happens, where they may come out either way."""

from __future__ import annotations

import pytest

from inplace_lsp.engine import analyse_source
from inplace_lsp.report.trace_json import trace_json
from inplace_lsp.tape.codec import from_plain, to_plain

HEAD = """\
import torch
from torch import nn


def scale(y):
    y.mul_(2)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 3)

"""

SAID = {
    "the arm that writes": (
        """
    def forward(self, x, mask=None):
        y = self.layer(x).exp()
        if mask is not None:
            y.add_(1)
        return y
""",
        "`mask is not None`",
    ),
    "the other arm": (
        """
    def forward(self, x, mask=None):
        y = self.layer(x).exp()
        if mask is None:
            pass
        else:
            y.add_(1)
        return y
""",
        "`mask is not None`",
    ),
    "the arm that saves": (
        """
    def forward(self, x, step):
        y = self.layer(x)
        z = y.exp() if (step + 1) % 2 == 0 else y
        z.add_(1)
        return z
""",
        "`(step + 1) % 2 == 0`",
    ),
    "both, and what calls of functions write": (
        """
    def forward(self, x, deep, wide):
        y = self.layer(x)
        if deep:
            y = y.exp()
        if not (wide and deep):
            scale(y)
        return y
""",
        "`deep` and `not wide or not deep`",
    ),
    "what is behind an early return": (
        """
    def forward(self, x, mode):
        y = self.layer(x).exp()
        if mode in ("a", "b"):
            return y
        y.add_(1)
        return y
""",
        "`mode not in ('a', 'b')`",
    ),
    "what is behind `continue`, up to the end of the pass": (
        """
    def forward(self, x, rounds):
        y = self.layer(x).exp()
        for skipped in rounds:
            if skipped:
                continue
            y.add_(1)
        return y
""",
        "`not skipped`",
    ),
    "only what all ways to the finding have in common": (
        """
    def forward(self, x, deep, mask):
        y = self.layer(x).exp() if deep else self.layer(x).sigmoid()
        if mask:
            y.add_(1)
        return y
""",
        "`mask`",
    ),
}

SILENT = {
    "a test that is known": """
    def forward(self, x):
        y = self.layer(x).exp()
        if y is not None:
            y.add_(1)
        return y
""",
    "an arm that leads nowhere else": """
    def forward(self, x, mask=None):
        y = self.layer(x).exp()
        if mask is None:
            raise ValueError
        y.add_(1)
        return y
""",
    "a branch that ends before": """
    def forward(self, x, mask=None):
        y = self.layer(x).exp()
        if mask is not None:
            print(mask)
        y.add_(1)
        return y
""",
    "a return inside of another arm": """
    def forward(self, x, deep, mask):
        y = self.layer(x).exp()
        if deep:
            if mask:
                return y
        y.add_(1)
        return y
""",
    "a test that comes out one way in one pass and the other way in another": """
    def forward(self, x, rounds):
        y = self.layer(x)
        for even in rounds:
            if even:
                z = y.exp()
                out = z
            else:
                z.add_(1)
        return out
""",
    "a test that nobody would read": """
    def forward(self, x, first, second, third, fourth):
        y = self.layer(x).exp()
        if first.is_large(second) and second.is_large(third) and third.is_large(fourth):
            y.add_(1)
        return y
""",
}


def find_message(method: str) -> str:
    found = [finding for finding in analyse_source(HEAD + method, "/program.py").findings if finding.code == "IP101"]
    assert len(found) == 1, found
    return found[0].message


@pytest.mark.parametrize("name", SAID)
def test_a_finding_says_when_it_happens(name: str) -> None:
    method, said = SAID[name]
    message = find_message(method)
    assert message.endswith(f". It happens if {said}."), message


@pytest.mark.parametrize("name", SILENT)
def test_what_decides_nothing_is_not_said(name: str) -> None:
    assert " happens if " not in find_message(SILENT[name])


def test_a_trace_shows_the_conditions_of_its_violation() -> None:
    method, said = SAID["the arm that saves"]
    [tape, *_] = [tape for tape in analyse_source(HEAD + method, "/program.py").tapes if tape.guards]
    drawn = trace_json(tape, origin="predicted")
    [violation] = drawn["violations"]
    assert violation["guards"] == [said.strip("`")]
    assert f"(if {said})" in violation["sentence"]
    assert [guard["condition"] for guard in drawn["guards"]] == violation["guards"]
    assert f"(if {said})" in drawn["events"][violation["save"]]["words"]
    assert f"(if {said})" not in drawn["events"][violation["writes"][0]]["words"]
    assert from_plain(to_plain(tape)) == tape


CHANGED = {
    "a list": """
    def forward(self, x, parts):
        y = self.layer(x).exp() if len(parts) == 0 else self.layer(x)
        if len(parts) == 0:
            parts.append(1)
        if len(parts) > 0:
            y.add_(1)
        return y
""",
    "a dict": """
    def forward(self, x, state):
        y = self.layer(x).exp() if not state else self.layer(x)
        if not state:
            state["seen"] = 1
        if state:
            y.add_(1)
        return y
""",
    "a queue": """
    def forward(self, x, queue):
        y = self.layer(x).exp() if queue else self.layer(x)
        while queue:
            queue.pop()
        if not queue:
            y.add_(1)
        return y
""",
    "an attribute": """
    def forward(self, x, other):
        y = self.layer(x) if hasattr(other, "scale") else self.layer(x).exp()
        if not hasattr(other, "scale"):
            other.scale = 1
        if hasattr(other, "scale"):
            y.add_(1)
        return y
""",
}
"""Methods in which the same test comes out otherwise, since what it asks about was changed in between."""


@pytest.mark.parametrize("name", CHANGED)
def test_what_changed_is_asked_again(name: str) -> None:
    find_message(CHANGED[name])
