"""A finding says which writes beside it may stay; torch is asked whether they may."""

from __future__ import annotations

import pytest
import torch

from inplace_lsp.engine import analyse_source, function_at
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.report.neighbours import Neighbours, add_neighbours

FILE = "/program.py"
NEEDED = "\nx = torch.ones(3, requires_grad=True)\nh = x + 1\n"
ADDED = ("y = h.exp()", "y.add_(1)", "y = y.add(1)")
PROGRAMS = {
    "one before it": ("h *= 2", "h = h * 2", *ADDED),
    "two of a kind": ("h.mul_(2)\nh.mul_(3)", "h = h * 6", *ADDED),
    "by an option": ("h = torch.nn.functional.relu(h, inplace=True)", "h = torch.relu(h)", *ADDED),
    "of another tensor": (
        *("z = torch.zeros(3)\nz += 2\nh = h * z", "h = h * 2"),
        *("y = h.sqrt()", "y[0] = 1", "y = y.clone(); y[0] = 1"),
    ),
    "which a later op saves": ("h.neg_()\nh.add_(5)", "h = 5 - h", "y = h.square()", "h.add_(1)", "h = h.add(1)"),
}
"""Writes that may stay, the same out of place; what saves, the write that breaks it, its repair."""
TOLD = {
    "one before it": "`*=` on line 4 may stay: no backward in sight needs what it overwrites",
    "two of a kind": "`mul_` on lines 4 and 5 may stay: no backward in sight needs what they overwrite",
    "by an option": "`relu` on line 4 may stay: no backward in sight needs what it overwrites",
    "of another tensor": "`+=` on line 5 may stay: no backward in sight needs what it overwrites",
    "which a later op saves": (
        "`add_` on line 5 and `neg_` on line 4 may stay: no backward in sight needs what they overwrite"
    ),
}


def find_advised(text: str) -> list[Finding]:
    analysis = analyse_source(text, FILE)

    def rows_at(row: int) -> tuple[int, int]:
        around = function_at(text, row)
        return (1, 10**6) if around is None else (around.row, around.end_row)

    neighbours = Neighbours(analysis.tapes, analysis.findings)
    return [add_neighbours(finding, neighbours, rows_at) for finding in analysis.findings]


def gradient_of(text: str) -> torch.Tensor:
    names: dict[str, torch.Tensor] = {}
    exec(compile(text, FILE, "exec"), names)
    gradient = names["x"].grad
    assert gradient is not None
    return gradient


@pytest.mark.parametrize("name", PROGRAMS)
def test_once_the_hazard_is_repaired_the_writes_beside_it_may_stay(name: str) -> None:
    stays, apart, saved, write, repaired = PROGRAMS[name]
    start, end = f"import torch{NEEDED}", "y.sum().backward()\n"
    text = f"{start}{stays}\n{saved}\n{write}\n{end}"
    assert [finding.neighbours for finding in find_advised(text)] == [TOLD[name]]
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        gradient_of(text)
    with_it, without = (gradient_of(f"{start}{first}\n{saved}\n{repaired}\n{end}") for first in (stays, apart))
    assert torch.allclose(with_it, without)


def test_a_write_that_is_to_blame_itself_is_not_named() -> None:
    head = f"import torch{NEEDED}y = h.exp()\nz = h.sigmoid()\n"
    text = f"{head}y.add_(1)\nz.add_(1)\n(y + z).sum().backward()\n"
    assert [finding.neighbours for finding in find_advised(text)] == ["", ""]
    for repaired in (text.replace("y.add_(1)", "y = y.add(1)"), text.replace("z.add_(1)", "z = z.add(1)")):
        with pytest.raises(RuntimeError, match="modified by an inplace operation"):
            gradient_of(repaired)


def test_a_write_in_another_function_is_no_neighbour() -> None:
    text = (
        "import torch\n\n\ndef scale(h):\n    h = h + 1\n    h *= 2\n    y = h.exp()\n    y += 1\n    return y\n\n\n"
        "def shift(h):\n    h = h + 1\n    h *= 3\n    return h\n\n\n"
        "x = torch.ones(3, requires_grad=True)\nscale(shift(x)).sum().backward()\n"
    )
    assert [finding.neighbours.partition(" may")[0] for finding in find_advised(text)] == ["`*=` on line 6"]
