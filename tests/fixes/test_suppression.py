"""Suppression comments that actions write."""

from __future__ import annotations

import pytest

from inplace_lsp.fixes.suppression import hide_on_line
from inplace_lsp.hazards.edits import apply_edits
from inplace_lsp.project import check_text

FILE = "/a.py"
PROGRAM = "import torch\nx = torch.rand(3, requires_grad=True)\ny = x.exp()\n{}\ny.sum().backward()\n"


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize(
    "write",
    [
        "y.add_(1)",
        "y.add_(1)  # why",
        "y.add_(\n    1\n)",
        "y.add_(1); z = 1",
        "y.add_(1); z = '''\n  text\n'''",
        "y.add_(1); z = f'''{\n1}'''",
        "y.add_(1); z = 1 + \\\n    2",
        "if True: y.add_(1); z = [1,\n    2]",
        "for _ in range(1): y.add_(1)",
    ],
)
def test_a_comment_never_stands_where_it_is_none(write: str, end: str):
    text = PROGRAM.format(write).replace("\n", end)
    (finding,) = check_text(text, FILE).findings
    hidden = apply_edits(text, [hide_on_line(text, finding)])
    compile(hidden, FILE, "exec")
    assert check_text(hidden, FILE).findings == ()
