"""Kinds of repair: where they are offered and where not, what they train, and what they say about safety."""

from __future__ import annotations

from pathlib import Path

import libcst as cst
import pytest
import torch

from fixes.runs import FILE, run, run_as_meant, tensors
from inplace_lsp.engine import analyse_source
from inplace_lsp.fixes.early_reads import find_early_reads
from inplace_lsp.fixes.offer import fixes_for
from inplace_lsp.fixes.program.later_reads import is_read_after
from inplace_lsp.fixes.program.site import Tree, site_at
from inplace_lsp.fixes.program.torch_name import find_torch_name
from inplace_lsp.hazards.edits import apply_edits
from inplace_lsp.hazards.finding import Fix
from inplace_lsp.tape.model import Span

PAIRS = Path(__file__).parent / "pairs"
HEAD = "import torch\nfrom torch import nn\n\ntorch.manual_seed(0)\nx = torch.rand(4, requires_grad=True)\n"


def offers(program: str) -> tuple[Fix, ...]:
    """The repairs of the first finding that is no hint."""
    analysis = analyse_source(program, FILE)
    finding = next(finding for finding in analysis.findings if finding.severity in ("error", "warning"))
    return fixes_for(program, finding, analysis)


BUFFER = (
    HEAD + "h = torch.zeros(5, 4)\nfor t in range(4):\n    h[t + 1] = torch.sin(h[t]) + x  # why\nh.sum().backward()\n"
)
COLUMNS = (
    HEAD + "h = torch.zeros(4, 5)\n"
    "for t in range(1, 5):\n    h[:, t] = torch.sin(h[:, t - 1]) + x\n"
    "h.sum().backward()\n"
)
PAIR = (
    HEAD + "cell = nn.LSTMCell(4, 3)\nh, c = torch.zeros(3, 1, 3), torch.zeros(3, 1, 3)\nfor t in range(2):\n"
    "    h[t + 1], c[t + 1] = cell(x[None], (h[t], c[t]))\nh.sum().backward()\n"
)
STATE = (
    HEAD + "cell = nn.GRUCell(4, 3)\nh = torch.zeros(1, 3)\nfor _ in range(3):\n    h = cell(x[None], h)\n"
    "    loss = h.sum()\n    loss.backward()\n"
)
LSTM = STATE.replace("cell = nn.GRUCell(4, 3)", "net = nn.LSTM(4, 3)").replace("h = torch.zeros(1, 3)\n", "h = None\n")
LSTM = LSTM.replace("h = cell(x[None], h)", "out, h = net(x[None], h)").replace("loss = h.sum()", "loss = out.sum()")
GAN = (
    HEAD + "made, judge = nn.Linear(4, 4), nn.Linear(4, 1)\nopt = torch.optim.SGD(judge.parameters(), lr=0.1)\n"
    "fake = made(x)\nscore = judge(fake)\nwanted = -score.sum()\n(score * score).sum().backward(retain_graph=True)\n"
    "opt.step()\nwanted.backward()\n"
)
ASKED = GAN.replace("wanted.backward()", "wanted.backward(inputs=x)")
MOVED = HEAD + "table = torch.rand(4)\ny = (x * table).sum()\nfor i in range(2):\n    table[i] = 5.0\ny.backward()\n"
ROW = HEAD + "y = x[None].exp()\nfor i in range(2):\n    y[..., i] = x[:1] * 2\ny.sum().backward()\n"
SLICE = HEAD + "y = x[None].exp()\nv = x[:2][None]\ny[:, 2:] = v\ny.sum().backward()\n"
INDICES = HEAD + "y = x.exp()\ni = torch.tensor([0, 3])\nv = x[:2]\ny[i] = v\ny.sum().backward()\n"
TWO_NETS = (
    HEAD + "made, judge = (nn.Sequential(nn.Linear(4, 3), nn.Tanh(), nn.Linear(3, size)) for size in (4, 1))\n"
    "opt_g = torch.optim.SGD(made.parameters(), lr=0.1)\nopt_d = torch.optim.SGD(judge.parameters(), lr=0.1)\n"
    "for _ in range(3):\n    fake = made(x.detach())\n"
)
UPDATES = (
    "    opt_d.zero_grad()\n    loss_d.backward()\n    opt_d.step()\n"
    "    opt_g.zero_grad()\n    loss_g.backward()\n    opt_g.step()\n"
)


@pytest.mark.parametrize("program", [BUFFER, COLUMNS, PAIR, MOVED, ROW, SLICE, INDICES])
def test_every_repair_that_keeps_the_values_keeps_the_gradients(program: str) -> None:
    meant = tensors(run_as_meant(program))
    for fix in offers(program):
        got = tensors(run(apply_edits(program, fix.edits)))
        for name, value in meant.items():
            assert torch.allclose(value, got[name]), (fix.message, name)


THREE_STEPS = [
    TWO_NETS + "    loss_g = -judge(fake).mean()\n    loss_d = judge(fake.detach()).mean()\n" + UPDATES,
    (PAIRS / "other_side_detached" / "before.py").read_text(),
]


@pytest.mark.parametrize("program", THREE_STEPS)
def test_what_is_offered_without_new_parameters_trains_what_was_meant(program: str) -> None:
    """Three steps beside a run in which no write reaches what was saved before it."""
    meant = tensors(run_as_meant(program))
    compared = [fix for fix in offers(program) if "with the new parameters" not in fix.message]
    assert compared
    for fix in compared:
        got = tensors(run(apply_edits(program, fix.edits)))
        for name in (name for name in meant if name.startswith(("made.", "judge.")) and not name.endswith(".grad")):
            assert torch.allclose(meant[name], got[name], atol=1e-6), (fix.message, name)


def test_a_leaf_whose_gradient_is_read_stays_one() -> None:
    fix = offers(HEAD + "x.sum().backward()\nx.clamp_(0, 1)\nprint(x.grad)\n")[0]
    assert (fix.message, fix.applicability) == ("Write under `torch.no_grad()`", "safe")


def test_what_a_refused_write_hides_is_no_new_finding() -> None:
    fix = offers(HEAD + "x.sum().backward()\nx -= x.grad; x.clamp_(0, 1)\n")[0]
    assert fix.message == "Write under `torch.no_grad()`"


@pytest.mark.parametrize(
    "loop",
    [
        "for t in range(4):\n    h[t + 1] = torch.sin(h[t]) + x\n    print(h.sum())\n",
        "for t in range(4):\n    h[t + 1] = torch.sin(h[t]) + x\n    h[t][0].mul_(1)\n",
        "for t in [0, 1, 2, 3]:\n    h[t + 1] = torch.sin(h[t]) + x\n",
        "for t in range(4):\n    h[t + 1] = torch.sin(h[t:]).sum(0) + x\n",
    ],
)
def test_a_list_takes_the_place_of_a_buffer_only_where_it_can(loop: str) -> None:
    program = BUFFER.replace(BUFFER[BUFFER.index("for t") : BUFFER.index("h.sum()")], loop)
    assert not [fix for fix in offers(program) if fix.message.startswith("Collect")]


@pytest.mark.parametrize(
    "between", ["z = table.sum()\n", "kept = [table]\n", "table = table + 1\n", "i = 0\n", "y = y + table.sum()\n"]
)
def test_a_write_moves_only_past_what_it_has_nothing_to_do_with(between: str) -> None:
    program = MOVED.replace("y.backward()", f"{between}y.backward()")
    assert not [fix for fix in offers(program) if fix.message.startswith("Move")]


def test_a_copy_is_never_what_gets_written() -> None:
    program = HEAD + "y = x.exp()\na, b = y[:2], y[2:]\nb.mul_(a.exp()).add_((a * a).sum())\ny.sum().backward()\n"
    for fix in offers(program):
        assert "b.clone().mul_" not in apply_edits(program, fix.edits)


def test_expanded_memory_is_not_silently_told_apart() -> None:
    program = HEAD + "y = x.exp().expand(3, 4)\ny[0] = 0\ny.sum().backward()\n"
    fixes = {fix.message.split(":")[0]: fix.applicability for fix in offers(program)}
    assert fixes["Write to a copy"] == "unsafe"


def test_a_write_that_would_be_lost_is_not_offered_out_of_place() -> None:
    """Nobody would read the new tensor: only whoever holds the old one sees the write."""
    program = "import torch\n\ndef scale(x):\n    y = x.exp()\n    v = y.view(-1)\n    v *= 2\n    return y\n"
    analysis = analyse_source(program, FILE)
    (finding,) = analysis.findings
    assert not [fix for fix in fixes_for(program, finding, analysis) if "`v = " in fix.message]


@pytest.mark.parametrize(("rest", "offered"), [("(y * 1)", False), ("v *= 3\n(y * 1)", False), ("(v * 1)", True)])
def test_a_copy_is_written_only_where_somebody_reads_it(rest: str, offered: bool) -> None:
    """Another name reads the memory: a copy under a name that is only written would lose the write."""
    start = HEAD + "y = x.exp()\nv = y.view(-1)\nv *= 2\n"
    copies = [fix for fix in offers(f"{start}{rest}.sum().backward()\n") if fix.message.startswith("Write to a copy")]
    assert bool(copies) is offered


def test_a_variable_is_read_on_the_ways_that_do_not_bind_it_anew() -> None:
    program = (
        "def f(x, c):\n    for y in x:\n        y += 1\n        if c:\n            break\n        y = 0\n    return y\n"
    )
    assert is_read_after(*_statement_at(program, 3), "y")
    assert not is_read_after(*_statement_at(program.replace("break", "pass"), 3), "y")
    assert is_read_after(*_statement_at(program.replace("break", "pass").replace("y = 0", "c = 0"), 3), "y")
    tried = "def f(y):\n    try:\n        y += 1\n        y = g()\n    except OSError:\n        print(y)\n"
    assert is_read_after(*_statement_at(tried, 3), "y")
    assert not is_read_after(*_statement_at(tried.replace("print(y)", "raise"), 3), "y")


def _statement_at(program: str, row: int) -> tuple[Tree, cst.CSTNode]:
    site = site_at(program, Span(FILE, row, 8, row, 9))
    assert site is not None
    return site.tree, site.statement


@pytest.mark.parametrize("keep", ["kept.append(y)", "kept = [y]"])
def test_what_is_handed_on_when_the_write_is_done_sees_it(keep: str) -> None:
    fix = offers(HEAD + f"kept = []\ny = x.exp()\ny += 1\n{keep}\n(y * 1).sum().backward()\n")[0]
    assert (fix.message, fix.applicability) == ("Write out of place: `y = y + 1`", "safe")


def test_what_is_handed_on_before_a_round_of_a_loop_does_not() -> None:
    fixes = offers(
        HEAD + "kept = []\ny = x.exp()\nfor _ in range(2):\n    y += 1\n    kept.append(y)\ny.sum().backward()\n"
    )
    fix = next(fix for fix in fixes if fix.message.startswith("Write out of place"))
    assert fix.applicability == "unsafe"
    assert "handed on" in fix.message


def test_what_a_name_held_before_it_got_the_written_tensor_is_another_one() -> None:
    program = "import torch\n\ndef f(x):\n    first = x\n    x = x.exp()\n    x += 1\n    return first * x\n"
    program += "\nf(torch.rand(3, requires_grad=True)).sum().backward()\n"
    fix = offers(program)[0]
    assert (fix.message, fix.applicability) == ("Write out of place: `x = x + 1`", "safe")


def test_a_parameter_of_a_loop_is_not_given_another_tensor() -> None:
    program = HEAD + "x.sum().backward()\nfor p in [x]:\n    p -= 0.1 * p.grad\n    p.grad = None\n"
    assert [fix.message for fix in offers(program)] == ["Write under `torch.no_grad()`"]


@pytest.mark.parametrize(
    "holder",
    [
        "class Two(NamedTuple):\n    left: object\n    right: object\n",
        "Two = namedtuple('Two', 'left right')\n",
        "@dataclass(frozen=True)\nclass Two:\n    left: object\n    right: object\n",
        "class Two:\n    def __init__(self, left, right):\n        self._left = left\n\n    @property\n"
        "    def left(self):\n        return self._left\n",
    ],
)
def test_an_attribute_that_cannot_be_set_is_not_given_another_tensor(holder: str) -> None:
    imports = "from collections import namedtuple\nfrom dataclasses import dataclass\nfrom typing import NamedTuple\n\n"
    program = (
        f"{imports}{HEAD}\n\n{holder}\n\ntwo = Two(x.exp(), x)\ntwo.left.add_(1)\n(two.left * 1).sum().backward()\n"
    )
    fixes = offers(program)
    assert fixes
    for fix in fixes:
        run(apply_edits(program, fix.edits))


def test_what_reads_the_same_memory_under_another_name_is_not_moved_past() -> None:
    program = HEAD + "y = x.exp()\nsame = y.float()\nsame.mul_(2)\ny.sum().backward()\n"
    assert not [fix for fix in offers(program) if fix.message.startswith("Move")]


PIECES = (
    "import torch\n\ndef f(x):\n    h = x * 2\n    a, b = h.chunk(2)\n    b.clamp_(max=1)\n    return a.exp() * b\n"
)


@pytest.mark.parametrize(
    ("program", "applicability"),
    [
        (PIECES, "safe"),
        (PIECES.replace("* b\n", "* b + h.sum()\n"), "unsafe"),
        (PIECES.replace("    a, b", "    kept.append(h)\n    a, b").replace("def f", "kept = []\n\ndef f"), "unsafe"),
        (PIECES.replace("h.chunk(2)", "h[:1].expand(2).unbind()"), "unsafe"),
        (
            PIECES.replace("    b.clamp_", "    read = lambda: h\n    b.clamp_").replace("* b", "* b * read()[:2]"),
            "unsafe",
        ),
    ],
)
def test_who_reads_no_more_and_who_has_other_memory_does_not_matter(program: str, applicability: str) -> None:
    program += "\nf(torch.rand(4, requires_grad=True)).sum().backward()\n"
    finding = next(finding for finding in analyse_source(program, FILE).findings if finding.code in ("IP203", "IP205"))
    fix = next(fix for fix in fixes_for(program, finding) if fix.message.startswith("Write out of place: `b ="))
    assert fix.applicability == applicability, fix.message


ACT = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.act = nn.ReLU(inplace=True)

    def forward(self, t):
        u = t.sigmoid()
        RETURNED


Net()(x).sum().backward()
"""


@pytest.mark.parametrize(
    ("returned", "applicability"),
    [
        ("return self.act(u) * 2", "safe"),
        ("u = (self.act(u) * 2).exp()\n        return u", "safe"),
    ],
)
def test_a_flag_is_dropped_safely_where_nobody_reads_what_was_passed(returned: str, applicability: str) -> None:
    fix = next(fix for fix in offers(HEAD + ACT.replace("RETURNED", returned)) if fix.message.startswith("Drop"))
    assert fix.applicability == applicability, fix.message


@pytest.mark.parametrize(("between", "moved"), [("w_opt.zero_grad()", True), ("opt.zero_grad()", False)])
def test_a_step_moves_only_past_what_leaves_its_gradients_alone(between: str, moved: bool) -> None:
    program = ASKED.replace("opt.step()\n", f"# i.e. (now)\nopt.step()\n{between}\n").replace(
        "fake =", "w_opt = torch.optim.SGD(made.parameters(), lr=0.1)\nfake ="
    )
    assert any(fix.message.startswith("Move") for fix in offers(program)) is moved


def test_a_step_moves_behind_every_walk_of_a_graph_that_a_backward_makes() -> None:
    program = HEAD + (
        "w = torch.rand(4, requires_grad=True)\nopt = torch.optim.SGD([w], lr=0.1)\ny = (w * x).sin().sum()\n"
        "y.backward(retain_graph=True)\nopt.step()\n(g,) = torch.autograd.grad(y, x, create_graph=True)\n"
        "loss = g.pow(2).sum()\nloss.backward(inputs=x)\n"
    )
    fixed = [apply_edits(program, fix.edits) for fix in offers(program) if fix.message.startswith("Move")]
    assert [text.endswith("loss.backward(inputs=x)\nopt.step()\n") for text in fixed] == [True]
    run(fixed[0])


def test_no_step_moves_behind_a_backward_that_adds_to_its_gradients() -> None:
    assert [fix.message for fix in offers(GAN)] and not [fix for fix in offers(GAN) if fix.message.startswith("Move")]


def test_a_module_whose_flag_changes_what_is_trained_keeps_it() -> None:
    """`u` is squared after the write, and would be multiplied with what it was before without the flag."""
    program = HEAD + ACT.replace("RETURNED", "return self.act(u) * u").replace("t.sigmoid()", "t.tanh()")
    assert not [fix.message for fix in offers(program) if fix.message.startswith("Drop")]


AGENTS = (
    HEAD
    + """
class Agent:
    def __init__(self):
        self.net = nn.Sequential(nn.Linear(4, 3), nn.Linear(3, 2))
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.1)


agents = [Agent(), Agent()]
total = torch.cat([agent.net(x) for agent in agents]).pow(2).mean()
for agent in agents:
    agent.opt.zero_grad()
    total.backward(retain_graph=True)
    agent.opt.step()
"""
)


def test_no_step_leaves_a_loop_whose_rounds_have_optimizers_of_their_own() -> None:
    assert not [fix.message for fix in offers(AGENTS) if fix.message.startswith("Step once")]


PLANES = (
    HEAD
    + """
def scaled(image, factors):
    for plane, factor in zip(image, factors):
        plane.mul_(factor)
    return image


scaled(x[None] * 2, [0.5]).sum().backward()
"""
)


def test_no_repair_gives_only_a_loops_name_the_new_values() -> None:
    assert not [fix.message for fix in offers(PLANES) if "plane = " in fix.message]


def test_torch_is_known_by_the_name_that_a_module_brings() -> None:
    used = find_torch_name("from layers import *\n\nx = torch.rand(3)\n", FILE)
    assert used is not None
    assert (used.name, used.edits) == ("torch", ())
    assert find_torch_name("from layers import *\n\nx = rand(3)\n", FILE) is None


PROGRAMS = Path(__file__).parents[1] / "programs"


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("training/parameters_replaced.py", "Keep `self.model._parameters"),
        ("version_counters/tensor_of_a_tensor.py", "Write to a copy: `torch ="),
        ("containers/abstract_containers.py", "Write to a copy: `part ="),
    ],
)
def test_what_a_program_of_the_suite_would_not_survive_is_not_offered(name: str, start: str) -> None:
    """A backward without a graph, a module in place of a tensor, a copy that nobody reads."""
    test_what_would_train_something_else_is_not_offered(start, (PROGRAMS / name).read_text(encoding="utf-8"))


NETS = (
    "import torch\nfrom torch import nn\n\nnet = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))\n"
    "opt = torch.optim.SGD(net.parameters(), lr=0.1)\n"
)
LOOP = NETS + (
    "prior = net[0].weight.pow(2).sum()\nfor _ in range(3):\n    opt.zero_grad()\n"
    "    loss = net(torch.randn(2, 3)).sum() + prior\n    loss.backward(retain_graph=True)\n    opt.step()\n"
)
"""Every round steps on a batch of its own."""
CODE = NETS + (
    "judge = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 1))\n"
    "opt_judge = torch.optim.SGD([*net.parameters(), *judge.parameters()], lr=0.1)\nfor _ in range(3):\n"
    "    code = net(torch.randn(2, 3))\n    opt.zero_grad()\n    code.pow(2).sum().backward(retain_graph=True)\n"
    "    opt.step()\n    opt_judge.zero_grad()\n    judge(code).mean().backward()\n    opt_judge.step()\n"
)
"""The second loss trains the network, too."""
TOTAL = NETS + (
    "total = 0.0\nfor _ in range(3):\n    opt.zero_grad()\n    total = total + net(torch.randn(2, 3)).sum()\n"
    "    total.backward()\n    opt.step()\n"
)
LOST = (
    "import torch\nfrom torch import nn\n\nfactor = nn.Parameter(torch.ones(3)).exp()\nnet = nn.Linear(3, 1)\n"
    "opt = torch.optim.SGD(net.parameters(), lr=0.1)\nfor _ in range(3):\n    opt.zero_grad()\n"
    "    net(torch.randn(2, 3) * factor).sum().backward()\n    opt.step()\n"
)
"""Nobody trains the parameter behind `factor`."""
INTO_LEAF = (
    "import torch\nfrom torch import nn\n\nnet = nn.Linear(3, 2)\nrows = torch.zeros(4, 2, requires_grad=True)\n"
    "rows[1:3] = net(torch.randn(2, 3))\nrows.sum().backward()\n"
)
BIAS = INTO_LEAF.replace("torch.zeros(4, 2, requires_grad=True)", "nn.Parameter(torch.zeros(4, 2))")
MOVED_PAST = NETS + (
    "def train(x):\n    out = net(x)\n    loss = out.pow(2).sum()\n    rate = opt.step()\n"
    "    again = loss if rate is None else loss * rate\n    again.backward()\n\n\ntrain(torch.randn(2, 3))\n"
    "train(torch.randn(2, 3))\n"
)
"""What the step gives is used before the backward."""
SLOW = NETS + (
    "import copy\n\nslow = copy.deepcopy(net)\nfor s, p in zip(slow.parameters(), net.parameters()):\n"
    "    s *= 0.9\n    s += p * 0.1\n"
)
"""The module keeps its parameters: a new tensor under the loop's name would be lost."""
TASKS = NETS + (
    "hidden = net(torch.randn(2, 3)).exp()\nfor at in range(2):\n    loss = hidden[:, at].sum()\n    loss.backward()\n"
)
IN_FUNCTION = NETS + (
    "def train(stop):\n    hidden = net(torch.randn(2, 3)).exp()\n    for at in range(2):\n"
    "        loss = hidden[:, at].sum()\n        loss.backward()\n\n\nprint(train(0.0))\n"
)
LEAVING = ["yield loss", "if loss < stop:\n            return loss"]
"""Who called may look at the gradients then."""
PAST = NETS + (
    "old = net(torch.ones(2, 3)).tanh().sum()\nfor _ in range(3):\n    opt.zero_grad()\n"
    "    ((net(torch.ones(2, 3)).tanh().sum() - old) ** 2 + net(torch.ones(2, 3)).sum()).backward()\n    opt.step()\n"
)
"""What the loop compares with is computed by the expression of the loop itself."""
NOT_OFFERED = {
    "Write out of place": [
        SLOW,
        NETS + "loss = net(torch.randn(2, 3)).sum()\nwith torch.no_grad():\n    for p in net.parameters():\n"
        "        p.mul_(0.9).add_(1)\nloss.backward()\n",
        NETS + "loss = net(torch.randn(2, 3)).sum()\nwith torch.no_grad():\n    for p in net.parameters():\n"
        "        print(p.mul_(0.9))\nloss.backward()\n",
        NETS + "loss = net(torch.randn(2, 3)).sum()\nwith torch.no_grad():\n"
        "    torch._foreach_mul_(list(net.parameters()), 0.9)\nloss.backward()\n",
    ],
    "Compute `old` in every": [PAST],
    "Sum the losses": [
        TASKS.replace("loss.backward()", between)
        for between in (
            "loss.backward()\n    opt.step()",
            "loss.backward()\n    print(net[0].weight.grad)",
            "loss.backward(torch.ones(()))",
            "if at:\n        pass\n    else:\n        loss.backward()\n    hidden.sum().backward()",
            "loss.backward()\n    clip_grad_norm_(net.parameters(), 1.0)",
        )
    ]
    + [IN_FUNCTION.replace("loss.backward()", f"loss.backward()\n        {last}") for last in LEAVING],
    "Step once": [LOOP],
    "Detach": [CODE],
    "Keep the graph": [TOTAL, LOST],
    "Write under": [INTO_LEAF, BIAS],
    "Drop `requires_grad=True`": [
        INTO_LEAF + "print(rows.grad)\n",
        HEAD + "rows = torch.zeros(4, requires_grad=True)\nrows[0] = 1\nrows.sum().backward()\n",
    ],
    "Move line": [MOVED_PAST],
    "Keep the gradient": [
        NETS + "weight = net[0].weight\nweight.data = weight * 2\nnet(torch.randn(2, 3)).sum().backward()\n"
    ],
    "Add the losses": [
        NETS + "out = net(torch.randn(2, 3)).exp()\na, b = out.sum(), out.mean()\na.backward()\n" + between
        for between in (
            "opt.step()\nb.backward()\n",
            "b = b * net[0].weight.grad.sum()\nb.backward()\n",
            "if True:\n    b.backward()\n",
            "b.backward(torch.ones(()))\n",
        )
    ],
}


@pytest.mark.parametrize(
    ("start", "program"),
    [
        pytest.param(start, each, id=f"{start} {at}")
        for start in NOT_OFFERED
        for at, each in enumerate(NOT_OFFERED[start])
    ],
)
def test_what_would_train_something_else_is_not_offered(start: str, program: str) -> None:
    analysis = analyse_source(program, FILE)
    assert analysis.findings
    messages = [fix.message for finding in analysis.findings for fix in fixes_for(program, finding, analysis)]
    assert not [message for message in messages if message.startswith(start)]


@pytest.mark.parametrize(
    ("text", "early"),
    [
        ("a = 1\nb = a\n", set()),
        ("b = a\na = 1\n", {("", "a")}),
        ("def f(a):\n    b = a\n    a = 1\n", set()),
        ("def f():\n    b = [c + a for c in a]\n    a = 1\n", {("f", "a")}),
        ("def f():\n    return g()\n\n\ndef g():\n    return later\n\n\nlater = f\n", set()),
        ("def f(:\n", set()),
    ],
)
def test_a_name_read_above_its_bindings_is_found(text: str, early: set[tuple[str, str]]) -> None:
    assert find_early_reads(text) == early


def test_an_initial_value_from_other_weights_is_written_under_no_grad() -> None:
    """The other layer is trained by what it computes, too: nothing is cut off."""
    program = (
        HEAD + "a, b = nn.Linear(4, 4), nn.Linear(4, 4)\nb.weight[0] = a.weight.mean(0)\nb(a(x)).sum().backward()\n"
    )
    assert offers(program)[0].message == "Write under `torch.no_grad()`"


def test_losses_are_added_in_one_line_with_what_is_between() -> None:
    program = NETS + (
        "out = net(torch.randn(2, 3)).exp()\na = out.sum()\na.backward()\nb = out.mean()\n"
        "b.backward()\nc = out.std()\nc.backward()\nopt.step()\n"
    )
    fix = offers(program)[0]
    assert (fix.applicability, fix.message) == ("safe", "Add the losses: `(a + b + c).backward()`")
    meant = tensors(run_as_meant(program.replace("backward()", "backward(retain_graph=True)")))
    got = tensors(run(apply_edits(program, fix.edits)))
    assert all(torch.allclose(meant[name], got[name], atol=1e-6) for name in meant if name.startswith("net."))


def test_losses_of_a_loop_that_may_have_no_round_are_summed_with_a_warning() -> None:
    fixes = [fix for fix in offers(TASKS) if fix.message.startswith("Sum")]
    assert [fix.applicability for fix in fixes] == ["safe"]
    unknown = TASKS.replace("range(2)", "range(hidden.shape[1])")
    (fix,) = (fix for fix in offers(unknown) if fix.message.startswith("Sum"))
    assert (fix.applicability, fix.message.endswith("(a loop without a round has no loss)")) == ("unsafe", True)


UNSEEN = " may look at gradients that are not there yet)"
GAME = (PAIRS / "kept_by_another_method" / "before.py").read_text()
KEPT_AGAIN = "Compute `self.score` again after the step"


@pytest.mark.parametrize(
    ("keeping", "offered"),
    [
        ("self.label = label", True),
        ("label = label * 2\n        self.label = label", True),
        ("self.label = label\n        label = label * 2", False),
        ("self.label = label\n        for label in (label, label * 2):\n            pass", False),
        ("self.label = label\n        self.label = label * 2", False),
        ("pass", False),
    ],
)
def test_an_attribute_stands_for_a_variable_only_while_both_are_the_same(keeping: str, offered: bool) -> None:
    program = GAME.replace("self.label = label", keeping)
    messages = [fix.message for fix in offers(program)]
    assert any(message.startswith(KEPT_AGAIN) for message in messages) is offered, messages
    for fix in offers(program):
        run(apply_edits(program, fix.edits))


@pytest.mark.parametrize("parameters", ["*label", "**label", "*, label", "noise, /, label"])
def test_a_parameter_of_any_kind_is_none_of_another_method(parameters: str) -> None:
    read = {"*label": "label[0]", "**label": "label['label']"}.get(parameters, "label")
    program = GAME.replace("self.label = label\n", "pass\n").replace("self, noise, label", f"self, noise, {parameters}")
    program = program.replace("noise, noise,", "noise,").replace("self.made, label", f"self.made, {read}")
    call = "torch.rand(5, 1)" if parameters in ("*label", "noise, /, label") else "label=torch.rand(5, 1)"
    program = program.replace("torch.rand(5, 1)", call)
    assert not [fix.message for fix in offers(program) if fix.message.startswith(KEPT_AGAIN)]


KEPT_ROWS = NETS + (
    "queue = torch.zeros(6, 2)\n\n\ndef train():\n    for at in range(3):\n        new = net(torch.randn(2, 3)).exp()\n"
    "        loss = (new @ queue.clone().t()).sum() + new.mean()\n        queue[2 * at : 2 * at + 2] = (\n"
    "            0.5 * new\n        )\n        loss.backward()\n\n\ntrain()\n"
)
SAVED_ROWS = HEAD + (
    "\n\ndef f():\n    y = (\n        x.exp()\n    )\n    print(y.add_(1).sum())\n"
    "    return y.sum()\n\n\nf().backward()\n"
)
SECOND_NAME = HEAD + (
    "\n\ndef f():\n    q = x.exp()\n    same = (\n        q.detach()\n    )\n    same.mul_(2)\n    print(same)\n"
    "    return q.sum()\n\n\nf().backward()\n"
)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("program", "start", "rows"),
    [
        (KEPT_ROWS, "Keep `queue[2 * at : 2 * at + 2]` without", "            0.5 * new\n        ).detach()\n"),
        (SAVED_ROWS, "Let the op keep a copy", "        x.exp()\n    ).clone()\n"),
        (SECOND_NAME, "Make a copy on line", "        q.detach()\n    ).clone()\n"),
    ],
)
def test_a_method_is_called_behind_parentheses_over_several_rows(program: str, start: str, rows: str, end: str) -> None:
    program = program.replace("\n", end)
    fix = next(fix for fix in offers(program) if fix.message.startswith(start))
    assert "\n" not in fix.message
    repaired = apply_edits(program, fix.edits)
    assert rows.replace("\n", end) in repaired
    run(repaired)


HELPERS = (
    "def show(loss):\n    print(loss.item())\n\n\ndef watch(net):\n    print(net[0].weight.grad.norm())\n\n\n"
    "class Log:\n    def log(self, net):\n        watch(net)\n\n\nlogger = Log()\nlosses = []\n"
    "kept = {'log': logger}\nhidden = "
)


@pytest.mark.parametrize(
    ("last", "warning"),
    [
        ("losses.append(loss.item())", ""),
        ("show(loss)", ""),
        ("print(net(torch.ones(3)).mean(0), float(torch.exp(loss)))", ""),
        ("watch(net)", f" (`watch`{UNSEEN}"),
        ("logger.log(net)", f" (`logger.log`{UNSEEN}"),
        ("kept['log'].log(net)", f" (`kept['log'].log`{UNSEEN}"),
        ("print(getattr(net[0].weight, 'grad'))", f" (`getattr`{UNSEEN}"),
    ],
)
def test_losses_are_summed_safely_past_what_looks_at_no_gradients(last: str, warning: str) -> None:
    program = TASKS.replace("hidden = ", HELPERS, 1).replace("loss.backward()", f"loss.backward()\n    {last}")
    (fix,) = (fix for fix in offers(program) if fix.message.startswith("Sum"))
    what = "Sum the losses of the loop: `total_loss.backward()` after it"
    assert (fix.applicability, fix.message) == ("unsafe" if warning else "safe", what + warning)


def test_a_menu_names_the_first_of_several_changes() -> None:
    program = HEAD + "def double(image):\n    image.mul_(2)\n    return image\n\n\nout = torch.tanh(x)\n"
    fix = next(fix for fix in offers(program + "double(out).sum().backward()\n") if fix.applicability == "unsafe")
    what = "Write out of place: `image = image.mul(2)`"
    assert fix.title == f"{what} (`out` shares the memory and keeps the old values, and 1 more)"
    assert fix.message.endswith("; the caller's `image` no longer changes)")


@pytest.mark.parametrize(
    ("write", "applicability"),
    [
        ("weight.clamp_(0, 1)", "safe"),
        ("weight *= decay", "safe"),
        ("weight.mul_(mask)", "unsafe"),
        ("weight /= weight.norm()", "unsafe"),
    ],
)
def test_a_write_that_may_belong_to_what_is_computed_next_is_not_safe_under_no_grad(
    write: str, applicability: str
) -> None:
    program = NETS + (
        f"weight = net[0].weight\nmask = torch.ones(4, 3)\ndecay = 0.9\nfor _ in range(2):\n    {write}\n"
        "    opt.zero_grad()\n    (torch.rand(2, 3) @ weight.t()).sum().backward()\n    opt.step()\n"
    )
    fix = next(fix for fix in offers(program) if fix.message.startswith("Write under"))
    assert fix.applicability == applicability
