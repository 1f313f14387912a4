"""What a reader points at: names up to the cursor, operators, callees; also in files that do not parse as a whole."""

from __future__ import annotations

import pytest

from inplace_lsp.engine import find_code_at
from inplace_lsp.source.locate import Found

TEXT = """\
import torch


class Net:
    def forward(self, x, w=torch.ones(3)):
        h = self.layer.weight @ x
        h *= w[1:]
        for i in range(2):
            rows[i - 1] += F.interpolate(rows[i])
        return h ** 2


def broken():
    x = = 1


y = a.b
"""


@pytest.mark.parametrize(
    ("row", "what", "found"),
    [
        (6, "self", Found("self")),
        (6, "layer", Found("self.layer")),
        (6, "weight", Found("self.layer.weight")),
        (6, "@", Found(operator="@")),
        (6, "x", Found("x")),
        (7, "*=", Found(operator="*=")),
        (9, "+=", Found(operator="+=")),
        (9, "interpolate", Found("F.interpolate", called=True)),
        (10, "**", Found(operator="**")),
        (10, "h", Found("h")),
        (5, "torch", Found("torch")),
        (17, "b", Found("a.b")),
        (1, "import", Found()),
    ],
)
def test_what_stands_at_a_place(row: int, what: str, found: Found) -> None:
    line = TEXT.split("\n")[row - 1]
    column = line.index("h **") if what == "h" else line.index(what)
    assert find_code_at(TEXT, row, column) == found


def test_the_end_of_a_name_is_still_the_name() -> None:
    assert find_code_at("y = x\n", 1, 5) == Found("x")


def test_outside_of_the_text_is_nothing() -> None:
    assert find_code_at("y = x\n", 9, 0) == Found() == find_code_at("", 1, 0)
