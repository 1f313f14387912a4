"""Programs' own tests: what a framework prepares for them, and what they show without a backward."""

from __future__ import annotations

from inplace_lsp.engine import analyse_source
from inplace_lsp.hazards.finding import Finding


def _check(text: str) -> list[Finding]:
    return [found for found in analyse_source(text, "/test_program.py").findings if found.severity != "hint"]


def test_what_set_up_binds_is_there_in_the_tests() -> None:
    text = """\
import unittest
import torch
from torch import nn


class Base(unittest.TestCase):
    def setUp(self):
        self.layer = nn.Linear(3, 3)
        self.x = torch.rand(2, 3)


class LayerTest(Base):
    def setUp(self):
        super().setUp()
        self.head = nn.Sequential(self.layer, nn.Sigmoid())

    def test_write(self):
        self.layer.weight.add_(1.0)

    def test_late(self):
        y = self.head(self.x)
        y.mul_(2)
        y.sum().backward()

    def test_fine(self):
        with torch.no_grad():
            self.layer.weight.add_(1.0)
        y = self.head(self.x)
        (y * 2).sum().backward()
"""
    assert [(found.code, found.severity, found.span.row) for found in _check(text)] == [
        ("IP201", "error", 18),
        ("IP101", "error", 22),
    ]


FIXTURES = """\
import pytest
import torch
from torch import nn


@pytest.fixture
def width():
    return 3


@pytest.fixture(scope="module")
def layer(width):
    return nn.Linear(width, width)


@pytest.fixture
def frozen(layer):
    for p in layer.parameters():
        p.requires_grad_(False)
    yield layer


def test_write({given}):
    {given}.weight.add_(1.0)
"""


def test_what_a_fixture_makes_is_given_to_the_test() -> None:
    [finding] = _check(FIXTURES.format(given="layer"))
    assert (finding.code, finding.severity) == ("IP201", "error")
    assert "`layer.weight`" in finding.message
    assert not _check(FIXTURES.format(given="frozen"))


PROJECTED = """\
import torch


def project(mean, view):
    t = mean @ view[:3, :3]
    t[..., 0] = t[..., 2] * torch.clamp(t[..., 0] / t[..., 2], -1.3, 1.3)
    return t


def test_project():
    means = torch.randn(7, 3, requires_grad={needs})
    out = project(means, torch.eye(4))
    torch.testing.assert_close(out, out)
"""


def test_a_test_that_asks_for_gradients_stands_for_its_callers() -> None:
    """It looks at the results alone, and whoever trains walks back through them."""
    [finding] = _check(PROJECTED.format(needs=True))
    assert (finding.code, finding.severity, finding.span.row) == ("IP101", "warning", 6)
    assert finding.assumptions == ("a backward walks what the test computes",)
    assert not _check(PROJECTED.format(needs=False))
