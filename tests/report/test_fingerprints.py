from __future__ import annotations

from dataclasses import replace

from inplace_lsp.engine import analyse_source
from inplace_lsp.report.fingerprints import make_fingerprints

PROGRAM = """\
import torch


def train(x):
    w = torch.rand(3, requires_grad=True)
    y = w.exp()
    y.add_(1)
    z = w.exp()
    z.add_(
        1,
    )
    (y + z).sum().backward()
"""


def marks(program: str, file: str = "/project/train.py", root: str = "/project") -> list[str]:
    lines = {file: program.split("\n")}
    return make_fingerprints(analyse_source(program, file).findings, lines, root)


def test_two_findings_have_two():
    assert len(set(marks(PROGRAM))) == 2


def test_lines_above_and_white_space_inside_change_nothing():
    moved = PROGRAM.replace("\n\ndef", "\n\nimport os\n\n\ndef").replace("z.add_(\n        1,\n    )", "z.add_( 1, )")
    assert marks(moved) == marks(PROGRAM)


def test_a_comment_behind_the_statement_changes_nothing():
    assert marks(PROGRAM.replace("y.add_(1)", "y.add_(1)  # why")) == marks(PROGRAM)


def test_a_repository_that_lies_elsewhere_changes_nothing():
    assert marks(PROGRAM, "/other/place/train.py", "/other/place") == marks(PROGRAM)


def test_another_statement_function_or_file_is_another_finding():
    first, second = marks(PROGRAM)
    assert marks(PROGRAM.replace("y.add_(1)", "y.add_(2)")) != [first, second]
    assert set(marks(PROGRAM.replace("def train", "def other"))).isdisjoint([first, second])
    assert set(marks(PROGRAM, "/project/b.py")).isdisjoint([first, second])


def test_alike_ones_are_counted():
    [finding] = analyse_source(PROGRAM.replace("z.add_(", "z.add("), "/project/train.py").findings
    twice = [finding, replace(finding)]
    first, second = make_fingerprints(twice, {"/project/train.py": PROGRAM.split("\n")}, "/project")
    assert first != second
    assert make_fingerprints([finding], {"/project/train.py": PROGRAM.split("\n")}, "/project") == [first]
