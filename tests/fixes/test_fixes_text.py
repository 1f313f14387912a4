"""What repairs do to the text: what they write, what they leave alone, and what they say about safety."""

import pytest

from fixes.runs import FILE, best_fix, run, run_as_meant, tensors
from inplace_lsp.analysis import Analysis
from inplace_lsp.engine import analyse_source
from inplace_lsp.fixes.fix_all import fix_all
from inplace_lsp.fixes.offer import add_fixes, fixes_for
from inplace_lsp.hazards.edits import apply_edits, find_row_after
from inplace_lsp.hazards.finding import Edit
from inplace_lsp.tape.model import Span

HEAD = """\
import torch
import torch.nn.functional as F

x = torch.rand(4, requires_grad=True)
e = torch.ones(4)
"""
TAIL = "(y * 1.0).sum().backward()\n"

STATEMENTS = [
    ("y = x.exp()", "y += e", "y = y + e"),
    ("y = x.exp()", "y -= e - 1", "y = y - (e - 1)"),
    ("y = x.exp()", "y -= e * 2", "y = y - e * 2"),
    ("y = x.exp()", "y *= e + 1  # why", "y = y * (e + 1)  # why"),
    ("y = x.exp()", "y *= -e", "y = y * -e"),
    ("y = x.exp()", "y /= e if True else e", "y = y / (e if True else e)"),
    ("y = x.exp()", "y **= 2", "y = y ** 2"),
    ("y = x.exp()", "y   +=    (e\n        +  1)", "y = y + (e\n        +  1)"),
    ("y = x.exp()", "y.add_(e)", "y = y.add(e)"),
    ("y = x.exp()", "y.add_( e,   alpha=2 )", "y = y.add( e,   alpha=2 )"),
    ("y = x.exp()", "y.mul_(e).add_(e)", "y = y.mul(e).add(e)"),
    ("y = x.exp()", "y = y.mul_(e)", "y = y.mul(e)"),
    ("y = x.exp()", "z = y.mul_(e)", "z = y = y.mul(e)"),
    ("y = x.exp()", "y.clamp_(0, 1); e = 1", "y = y.clamp(0, 1); e = 1"),
    ("y = x.exp()", "(y\n .mul_(e)\n .add_(e))", None),
    ("y = x.exp()", "y.zero_()", "y = y.clone()\ny.zero_()"),
    ("y = x.exp()", "y.fill_(2.0)", "y = y.clone()\ny.fill_(2.0)"),
    ("y = x.exp()", "torch.relu_(y)", "y = torch.relu(y)"),
    ("y = x.exp()", "F.relu(y, inplace=True)", "y = F.relu(y)"),
    ("y = x.exp()", "y = F.relu(y, True)", "y = F.relu(y)"),
    ("y = x.exp()", "y = F.dropout(y, p=0.5, inplace=True, training=True)", "y = F.dropout(y, p=0.5, training=True)"),
    ("y = x.exp()", "y[y < 0.5] = 0", "y = y.masked_fill(y < 0.5, 0)"),
    ("y = x.exp()", "y[(y < 0.1) | ~(y.abs() < 2)] = -1.0", "y = y.masked_fill((y < 0.1) | ~(y.abs() < 2), -1.0)"),
    ("y = x.exp()", "y[torch.isnan(y)] = 0.0", "y = y.masked_fill(torch.isnan(y), 0.0)"),
    ("y = x.exp()", "y[0] = 1", "y = y.clone()\ny[0] = 1"),
    ("y = x.exp()", "y[1:] *= 2", "y = y.clone()\ny[1:] *= 2"),
    ("y = x.exp()", "y[e > 0] = e", "y = y.clone()\ny[e > 0] = e"),
    ("y = x.exp()", "y.copy_(e)", "y = y.clone()\ny.copy_(e)"),
    ("y = x.exp()", "y[0].add_(1)", "y = y.clone()\ny[0].add_(1)"),
    ("y = x.exp()", "torch.add(e, 1, out=e); y.add_(1)", "torch.add(e, 1, out=e); y = y.add(1)"),
]


@pytest.mark.parametrize(("before", "statement", "wanted"), STATEMENTS)
def test_the_best_repair_of_a_statement(before, statement, wanted):
    program = f"{HEAD}{before}\n{statement}\n{TAIL}"
    fix = best_fix(program, HEAD.count("\n") + 2)
    fixed = apply_edits(program, fix.edits)
    if wanted is not None:
        assert fixed == f"{HEAD}{before}\n{wanted}\n{TAIL}"
    assert fix.applicability == "safe"
    meant, got = tensors(run_as_meant(program)), tensors(run(fixed))
    assert {name: value.tolist() for name, value in meant.items()} == {
        name: value.tolist() for name, value in got.items()
    }


ON_TRAINED = "from torch.nn import Parameter\n\ndef f(y: Parameter):\n    z = y.exp()\n"
UNSAFE = {
    "    z += 1\n    return z\n": None,
    "    v = z[0]\n    z += 1\n    return z, v\n": "`v` shares the memory",
    "    kept.append(z)\n    z += 1\n    return z\n": "`z` is handed on as it is on line 5",
    "    w = (z * 2).sum()\n    y.mul_(2)\n    z += 1\n    return z * w\n": None,
}


@pytest.mark.parametrize(("body", "reason"), UNSAFE.items())
def test_a_repair_is_safe_only_where_nobody_else_sees_the_write(body, reason):
    program = ON_TRAINED + body
    analysis = analyse_source(program, FILE)
    finding = next(finding for finding in analysis.findings if "z +=" in program.split("\n")[finding.span.row - 1])
    fixes = fixes_for(program, finding, analysis)
    fix = next(fix for fix in fixes if fix.message.startswith("Write out of place"))
    assert fixes[0].applicability == "safe"
    if reason is None:
        assert fix.applicability == "safe", fix.message
    else:
        assert fix.applicability == "unsafe"
        assert reason in fix.message


def test_what_would_return_the_old_values_beside_the_new_is_not_offered():
    program = ON_TRAINED + "    keep = z\n    z += 1\n    return z, keep\n"
    (finding,) = analyse_source(program, FILE).findings
    messages = [fix.message for fix in fixes_for(program, finding)]
    assert messages == ["Let the op keep a copy: `.clone()` on line 4"]


def test_a_repair_of_a_hint_needs_a_person():
    """Nothing ties what a hint says to a gradient: `--fix` leaves the program as it is."""
    program = "import torch\n\ndef f(y):\n    z = y.exp()\n    z += 1\n    return z\n"
    (finding,) = analyse_source(program, FILE).findings
    assert finding.severity == "hint"
    assert {fix.applicability for fix in fixes_for(program, finding)} == {"unsafe"}
    assert fix_all(program, FILE).text == program


@pytest.mark.parametrize("keep", ["kept = [y]", "kept.append(y)", "kept = y", "kept = y[0]", "kept = keep(y)"])
def test_names_handed_on_at_module_level_are_seen_too(keep):
    program = f"{HEAD}kept = []\ny = x.exp()\n{keep}\ny += 1\n{TAIL}"
    (finding,) = analyse_source(program, FILE).findings
    fixes = fixes_for(program, finding)
    assert {fix.message.split(":")[0]: fix.applicability for fix in fixes}["Write out of place"] == "unsafe"


def test_a_write_to_an_argument_says_that_the_caller_no_longer_sees_it():
    program = "import torch\n\ndef f(h):\n    out = h.sigmoid().mul(h)\n    h += 1\n    return out * h\n"
    analysis = analyse_source(program, FILE)
    (finding,) = analysis.findings
    fixes = {fix.message.split(":")[0]: fix for fix in fixes_for(program, finding, analysis)}
    keep, write = fixes["Let the op keep a copy"], fixes["Write out of place"]
    assert apply_edits(program, keep.edits) == program.replace(
        "h.sigmoid().mul(h)", "h.clone().sigmoid().mul(h.clone())"
    )
    assert "the caller's `h` no longer changes" in write.message
    assert "the caller's" not in keep.message


def test_a_name_of_an_outer_scope_is_not_captured():
    program = (
        "import torch\n\nx = torch.rand(3, requires_grad=True)\ny = x.exp()\n\ndef f():\n    y.add_(1)\n\n"
        "f()\ny.sum().backward()\n"
    )
    analysis = analyse_source(program, FILE)
    fixes = [fix for finding in analysis.findings for fix in fixes_for(program, finding, analysis)]
    assert fixes
    for fix in fixes:
        run(apply_edits(program, fix.edits))


NET = """\
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)
        self.drop = nn.Dropout(
            0.5,
            inplace=True,
        )

    def forward(self, x):
        x = torch.sigmoid(self.fc(x))
        x = self.drop(x)
        return x


Net()(torch.rand(2, 2)).sum().backward()
"""


def test_the_flag_of_a_module_is_dropped_where_it_is_declared():
    program = NET
    fix = best_fix(program, 15)
    assert apply_edits(program, fix.edits) == program.replace(",\n            inplace=True", "")
    assert fix.applicability == "safe", fix.message


def test_windows_line_ends_and_comments_stay():
    program = "import torch\nx = torch.rand(3, requires_grad=True)\ny = x.exp()\ny[0] = 1  # c\ny.sum().backward()\n"
    program = program.replace("\n", "\r\n")
    fixed = apply_edits(program, best_fix(program, 4).edits)
    assert fixed == program.replace("y[0]", "y = y.clone()\r\ny[0]")


def test_an_edit_never_reaches_into_a_file_that_does_not_parse():
    program = (
        "import torch\nx = torch.rand(3, requires_grad=True)\ny = x.exp()\ny.add_(1)\ny.sum().backward()\ndef f(:\n"
    )
    fix = best_fix(program, 4)
    assert apply_edits(program, fix.edits) == program.replace("y.add_(1)", "y = y.add(1)")


KEPT = [
    ("h = x * 2\nz = (h**2).sum()", "h[0] += 1", "h = x * 2\nz = (h.clone() ** 2).sum()"),
    ("h = x * 2\nz = h.pow(2).sum()", "h[0] += 1", "h = x * 2\nz = h.clone().pow(2).sum()"),
    ("h = x.exp()\nv = h[:2]\nz = h.sum()", "v.mul_(2)", "h = x.exp().clone()\nv = h[:2]\nz = h.sum()"),
    ("h = 2**x\nv = h[:2]\nz = h.sum()", "v.mul_(2)", "h = (2**x).clone()\nv = h[:2]\nz = h.sum()"),
    ("h = x * 2\nw = h\nz = (h * x).sum()", "h += 1", "h = x * 2\nw = h\nz = (h.clone() * x).sum()"),
]


@pytest.mark.parametrize(("before", "write", "wanted"), KEPT)
def test_the_op_can_keep_a_copy_and_everybody_sees_the_write(before, write, wanted):
    program = f"{HEAD}{before}\n{write}\nz.backward()\n"
    (finding,) = analyse_source(program, FILE).findings
    (fix,) = [fix for fix in fixes_for(program, finding) if fix.message.startswith("Let the op keep a copy")]
    fixed = apply_edits(program, fix.edits)
    assert fixed == f"{HEAD}{wanted}\n{write}\nz.backward()\n"
    assert fix.applicability == "safe"
    meant, got = tensors(run_as_meant(program)), tensors(run(fixed))
    assert {name: value.tolist() for name, value in meant.items()} == {
        name: value.tolist() for name, value in got.items()
    }


def test_reports_get_the_best_repair():
    program = "import torch\nx = torch.rand(3, requires_grad=True)\ny = x.exp()\ny.add_(1)\ny.sum().backward()\n"
    (finding,) = add_fixes(program, FILE, analyse_source(program, FILE)).findings
    assert finding.fix.edits == (Edit("y = y.add(1)", Span(FILE, 4, 0, 4, 9)),)


def test_a_repair_that_does_not_help_is_not_offered():
    program = "import torch\nx = torch.rand(3, requires_grad=True)\ny = x.exp()\ny.add_(1)\ny.sum().backward()\n"
    before = analyse_source(program, FILE)
    assert fixes_for(program, before.findings[0], before, lambda text, file: before) == ()
    blind = Analysis(gaps=before.gaps)
    assert fixes_for(program, before.findings[0], before, lambda text, file: blind) != ()


def test_rows_move_with_the_edits_before_them():
    edits = [Edit("a\nb\n", Span("f", 3, 0, 3, 0)), Edit("", Span("f", 5, 0, 7, 0))]
    assert [find_row_after(row, 0, edits) for row in (1, 3, 4, 8)] == [1, 5, 6, 8]
