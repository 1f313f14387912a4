"""The recorded run goes on after a refused write: all of them are found, and what is behind them."""

from __future__ import annotations

from inplace_lsp.engine import analyse_source
from inplace_lsp.verify.client import Client
from verify.ways import found, verdict

EVERYTHING = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.ones(4))
        self.linear = nn.Linear(4, 4)

    def forward(self, x):
        a, b = self.linear(x).chunk(2, dim=-1)
        a += 1  # IP203
        self.w.mul_(2)  # IP201
        self.w[0] = 3  # IP202
        g = torch.sigmoid(b)
        g *= 2  # IP101
        with torch.no_grad():
            v = x.mul(g.mean())[:1]
        h = self.linear(x)
        with torch.no_grad():
            u = h[:1]
        u += v  # IP204
        e = torch.zeros(1).expand(3)
        e += 1  # IP205
        with torch.inference_mode():
            i = torch.zeros(3)
        i.add_(1)  # IP206
        o = torch.empty(4)
        torch.exp(self.w, out=o)  # IP207
        try:
            self.w.zero_()  # IP201
        except RuntimeError:
            pass
        return a * g + h.sum()


Net()(torch.rand(2, 4)).sum().backward()
"""
MARKED = {(row, line.split("# ")[1]) for row, line in enumerate(EVERYTHING.split("\n"), start=1) if "# IP" in line}


def test_all_refused_writes_of_a_function_are_listed(client: Client) -> None:
    answer = verdict(client, EVERYTHING, "Net.forward")
    assert answer.verdict == "confirmed"
    assert answer.error is not None and "is being modified inplace" in answer.error
    assert found(answer) == MARKED
    assert not any("expected" in note for note in answer.notes)


def test_both_recorders_tell_the_same() -> None:
    told = {(finding.span.row, finding.code) for finding in analyse_source(EVERYTHING, "/everything.py").findings}
    assert told == MARKED


def test_an_error_that_the_program_catches_goes_to_its_handler(client: Client) -> None:
    answer = verdict(
        client,
        """
        import contextlib
        import torch

        w = torch.rand(3, requires_grad=True)
        seen = []
        for way in range(2):
            try:
                w.add_(1)
                seen.append("never")
            except (ValueError, RuntimeError):
                seen.append("caught")
        with contextlib.suppress(RuntimeError):
            w.mul_(2)
            seen.append("never")
        print(seen)
        """,
    )
    assert found(answer) == {(9, "IP201"), (14, "IP201")}
    assert answer.output == "['caught', 'caught']\n"


def test_memory_that_others_see_is_left_alone(client: Client) -> None:
    answer = verdict(
        client,
        """
        import torch

        w = torch.rand(4, requires_grad=True)
        y = w.exp()
        a, b = y.chunk(2)
        a.mul_(2)
        (y.sum() + b.sin().sum()).backward()
        """,
    )
    assert found(answer) == {(7, "IP203")}


ENDLESS = """
    import torch
    from torch import nn

    first, second = nn.Linear(4, 4), nn.Linear(4, 1)
    optimizer = torch.optim.Adam([*first.parameters(), *second.parameters()])

    def train(steps=10**9):
        for _ in range(steps):
            hidden = first(torch.rand(2, 4)).sigmoid()
            hidden += 1
            optimizer.zero_grad()
            second(hidden).sum().backward()
            optimizer.step()
    """


def test_a_training_that_would_go_on_for_ever_ends_soon_behind_the_error(client: Client) -> None:
    answer = verdict(client, ENDLESS, "train")
    assert answer.verdict == "confirmed", answer.why
    assert found(answer) == {(11, "IP101")}
