"""Inputs that a search makes fit by what an error says, and ways to a function through others; each with a twin without
the hazard."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from inplace_lsp.verify.client import Client
from verify.test_asked_line import asked
from verify.ways import found

QUARTERS = """
    import torch

    class Quarters(torch.nn.Module):
        def __init__(self, width=24):
            super().__init__()
            self.mix = torch.nn.Conv2d(width * 4, width, 1)

        def forward(self, x):
            half = x.size(2) // 2
            parts = [x[:, :, :half, :half], x[:, :, half:, :half], x[:, :, :half, half:], x[:, :, half:, half:]]
            y = self.mix(torch.cat(parts, 1)).relu()
            y += 1
            return y
    """
LEVELS = """
    import torch

    class Head(torch.nn.Module):
        def __init__(self, channels, first=0, last=2):
            super().__init__()
            self.first, self.last = first, last
            self.layers = torch.nn.ModuleList()
            for level in range(first, last + 1):
                ups = [torch.nn.Upsample(scale_factor=2) for _ in range(level)]
                self.layers.append(torch.nn.Sequential(torch.nn.Conv2d(channels, 8, 1), torch.nn.ReLU(), *ups))

        def forward(self, levels):
            assert len(levels) == self.last - self.first + 1
            total = self.layers[0](levels[0])
            for at in range(1, len(levels)):
                total += self.layers[at](levels[at])
            return total
    """
LOOP = """
    import torch

    def spread(x, links):
        links[:, list(range(90)), list(range(90))] = 1
        for _ in range(2):
            before = x
            x = torch.einsum("bij,bjd->bid", links, x).relu()
            x += before
        return x
    """
OPTION = """
    import argparse
    import torch

    parser = argparse.ArgumentParser()
    parser.add_argument("--scale", default="4")
    args = parser.parse_args()
    args.scale = [int(scale) for scale in args.scale.split("+")]

    class Net(torch.nn.Module):
        def __init__(self, args):
            super().__init__()
            self.layer = torch.nn.Linear(8, 8 * (args.scale[0] - 1))

        def forward(self, x):
            y = self.layer(x).relu()
            y += 1
            return y
    """


@pytest.mark.parametrize(
    ("text", "line", "twin"),
    [
        (QUARTERS, "y += 1", "y = y + 1"),
        (LEVELS, "total += self.layers[at](levels[at])", "total = total + self.layers[at](levels[at])"),
        (LOOP, "x += before", "x = x + before"),
        (OPTION, "y += 1", "y = y + 1"),
    ],
    ids=["channels of parts", "a pyramid of levels", "a number in the code", "digits of an option"],
)
def test_inputs_fit(client: Client, text: str, line: str, twin: str) -> None:
    row = 1 + [one.strip() for one in dedent(text).splitlines()].index(line)
    answer = asked(client, text, row)
    assert answer.verdict == "confirmed", answer.reason
    assert found(answer) == {(row, "IP101")}
    answer = asked(client, text.replace(line, twin), row)
    assert answer.verdict == "not-reproduced", answer.reason


SETTINGS = """
    import torch

    NAMES = [f"factor_{number}" for number in range(25)]

    class Net(torch.nn.Module):
        def __init__(self, cfg):
            super().__init__()
            self.layer = torch.nn.Linear(cfg.width, cfg.width)
            self.factors = [getattr(cfg, name) for name in NAMES]

        def forward(self, x):
            y = self.layer(x).sigmoid()
            y += 1
            return y
    """


def test_settings_that_only_a_run_asks_for_are_given_one_after_the_other(client: Client) -> None:
    answer = asked(client, SETTINGS, 15)
    assert answer.verdict == "confirmed", answer.reason
    assert "factor_24=" in answer.arguments["self"]
    answer = asked(client, SETTINGS.replace("y += 1", "y = y + 1"), 15)
    assert answer.verdict == "not-reproduced", answer.reason


PART = """
    import torch

    class Masked(torch.nn.Module):
        def __init__(self, width):
            super().__init__()
            self.norm = torch.nn.LayerNorm(width)

        def forward(self, x, keep):
            x *= keep
            return self.norm(x)
    """
WHOLE = """
    import torch
    from part import Masked

    class Pair(torch.nn.Module):
        def __init__(self, width: int):
            super().__init__()
            self.mean = Masked(width)
            self.spread = Masked(width)

        def forward(self, x, keep):
            return self.mean(x, keep), self.spread(x, keep)
    """


def test_a_module_that_another_file_calls_twice_on_one_tensor(client: Client, tmp_path: Path) -> None:
    (tmp_path / "whole.py").write_text(dedent(WHOLE))
    file = tmp_path / "part.py"
    for line, expected in (("x *= keep", "confirmed"), ("x = x * keep", "not-reproduced")):
        text = dedent(PART).replace("x *= keep", line)
        file.write_text(text)
        answer = asked(client, text, 10, file)
        assert answer.verdict == expected, answer.reason
