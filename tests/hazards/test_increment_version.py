"""`increment_version` is a write that torch has not seen. No dispatcher tells of it, so torch judges by its error."""

from __future__ import annotations

import pytest

from inplace_lsp.engine import analyse_source

HEAD = """\
import torch
from torch.autograd.graph import increment_version

w = torch.rand(3, requires_grad=True)
"""
PROGRAMS = {
    "a saved result": ("y = w.exp()\nincrement_version(y)\n", [6]),
    "one of several": ("y = w.exp()\nz = w * 2\nincrement_version([z, y])\n", [7]),
    "a leaf that the graph has saved": ("y = w.square()\nincrement_version(w)\n", [6]),
    "a leaf before it is used": ("increment_version(w)\ny = w.square()\n", []),
    "a sum": ("y = w + 1\nincrement_version(y)\n", []),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_written_version_is_a_write(name: str) -> None:
    body, rows = PROGRAMS[name]
    program = f"{HEAD}{body}y.sum().backward()\n"
    if rows:
        with pytest.raises(RuntimeError, match="modified by an inplace operation"):
            exec(program, {})
    else:
        exec(program, {})
    found = analyse_source(program, "/program.py").findings
    assert [(finding.code, finding.span.row) for finding in found] == [("IP101", row) for row in rows]
