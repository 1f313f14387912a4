"""A write is told once: what another code says of it with more doubt is left out, unless it is all that is left."""

from __future__ import annotations

from inplace_lsp.config import DEFAULT, Config
from inplace_lsp.project import check_text

PROGRAM = """\
from torch import nn


class Clip(nn.Module):
    def forward(self, features, batch):
        left, right = features.chunk(2)
        scaled = right * batch
        right.clamp_(0, 1){comment}
        return scaled
"""


def codes(text: str, config: Config = DEFAULT) -> list[tuple[str, str]]:
    """The codes and severities of the findings."""
    return [(finding.code, finding.severity) for finding in check_text(text, "/program.py", config).findings]


def test_the_weaker_finding_is_left_out() -> None:
    assert codes(PROGRAM.format(comment="")) == [("IP203", "warning")]


def test_a_comment_at_the_stronger_hides_only_that() -> None:
    assert codes(PROGRAM.format(comment="  # inplace: ignore[IP203]")) == [("IP101", "hint")]


def test_so_does_a_selection() -> None:
    assert codes(PROGRAM.format(comment=""), Config(select=("IP1",))) == [("IP101", "hint")]


def test_equally_strong_ones_are_both_told() -> None:
    text = PROGRAM.replace("batch", "factors").format(comment="")
    assert codes(text) == [("IP101", "warning"), ("IP203", "warning")]
