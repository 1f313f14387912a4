"""One program for each kind of repair: what it writes, that torch runs it, and what it says about safety."""

from __future__ import annotations

import pytest
import torch

from fixes.judge import FILE, run, run_as_meant, tensors
from inplace_lsp.engine import analyse
from inplace_lsp.fixes.offer import fixes_for
from inplace_lsp.fixes.program.edits import apply_edits
from inplace_lsp.hazards.finding import Fix

HEAD = "import torch\nfrom torch import nn\n\ntorch.manual_seed(0)\nx = torch.rand(4, requires_grad=True)\n"


def offers(program: str) -> tuple[Fix, ...]:
    """The repairs of the first finding that is no hint."""
    analysis = analyse(program, FILE)
    finding = next(one for one in analysis.findings if one.severity in ("error", "warning"))
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
TOTAL = HEAD + "total = 0\nfor i in range(3):\n    total = total + (x * x).sum()\n    total.backward()\n"
GAN = (
    HEAD + "made, judge = nn.Linear(4, 4), nn.Linear(4, 1)\nopt = torch.optim.SGD(judge.parameters(), lr=0.1)\n"
    "fake = made(x)\nscore = judge(fake)\nwanted = -score.sum()\n(score * score).sum().backward(retain_graph=True)\n"
    "opt.step()\nwanted.backward()\n"
)
ASKED = GAN.replace("wanted.backward()", "wanted.backward(inputs=x)")
EPOCHS = (
    HEAD + "net = nn.Linear(4, 1)\nvalue = net(x).exp()\nfor _ in range(2):\n    loss = (value - 1).pow(2).sum()\n"
    "    loss.backward()\n"
)
MOVED = HEAD + "table = torch.rand(4)\ny = (x * table).sum()\nfor i in range(2):\n    table[i] = 5.0\ny.backward()\n"
ROW = HEAD + "y = x[None].exp()\nfor i in range(2):\n    y[..., i] = x[:1] * 2\ny.sum().backward()\n"
SLICE = HEAD + "y = x[None].exp()\nv = x[:2][None]\ny[:, 2:] = v\ny.sum().backward()\n"
INDICES = HEAD + "y = x.exp()\ni = torch.tensor([0, 3])\nv = x[:2]\ny[i] = v\ny.sum().backward()\n"
WRITTEN = [
    ("h = list(h)\nfor t", BUFFER, "Collect", "for t", "h = list(h)\nfor t"),
    ("stack", BUFFER, "Collect", "# why\n", "# why\nh = torch.stack(h)\n"),
    ("columns", COLUMNS, "Collect", "h[:, t] = torch.sin(h[:, t - 1])", "h[t] = torch.sin(h[t - 1])"),
    ("columns", COLUMNS, "Collect", "\nh.sum", "\nh = torch.stack(h, dim=1)\nh.sum"),
    ("pair", PAIR, "Collect", "h.sum()", "h = torch.stack(h)\nc = torch.stack(c)\nh.sum()"),
    ("state", STATE, "Carry", "loss.backward()\n", "loss.backward()\n    h = h.detach()\n"),
    (
        "lstm",
        LSTM,
        "Carry",
        "loss.backward()\n",
        "loss.backward()\n    h = tuple(part.detach() for part in h)\n",
    ),
    ("total", TOTAL, "Carry", "total.backward()\n", "total.backward()\n    total = total.detach()\n"),
    ("gan", GAN, "Compute", "opt.step()\n", "opt.step()\nscore = judge(fake)\nwanted = -score.sum()\n"),
    ("gan", ASKED, "Move", "opt.step()\nwanted.backward(inputs=x)\n", "wanted.backward(inputs=x)\nopt.step()\n"),
    (
        "epochs",
        EPOCHS,
        "Compute",
        "value = net(x).exp()\nfor _ in range(2):\n",
        "for _ in range(2):\n    value = net(x).exp()\n",
    ),
    (
        "moved",
        MOVED,
        "Move",
        "for i in range(2):\n    table[i] = 5.0\ny.backward()\n",
        "y.backward()\nfor i in range(2):\n    table[i] = 5.0\n",
    ),
    (
        "mode",
        HEAD + "with torch.inference_mode():\n    k = torch.rand(4) + 1\n(x * k).sum().backward()\n",
        "Use",
        "inference_mode",
        "no_grad",
    ),
    (
        "base",
        HEAD + "y = x * 2\na, b = y.split(2)\ny.mul_(3)\n(a * b).sum().backward()\n",
        "Make",
        "y.mul_(3)\n",
        "y.mul_(3)\na, b = y.split(2)\n",
    ),
    (
        "view",
        HEAD + "y = x * 2\nwith torch.no_grad():\n    a = y[:2]\na += 1\ny.sum().backward()\n",
        "Make",
        "a += 1",
        "a = y[:2]\na += 1",
    ),
    (
        "pieces",
        HEAD + "parts = (x * 2).unbind()\nparts[0].mul_(2)\ntorch.stack(parts).sum().backward()\n",
        "Copy",
        "(x * 2).unbind()",
        "[piece.clone() for piece in (x * 2).unbind()]",
    ),
    (
        "data",
        HEAD + "y = x.exp()\ny.data[y.data > 1] = 1\ny.sum().backward()\n",
        "Write to a copy: `y = y.clone()` before it, and without",
        "y.data[y.data > 1] = 1",
        "y = y.clone()\ny[y > 1] = 1",
    ),
    (
        "two",
        HEAD + "y = x.exp()\ny[1:] += y[:-1]\ny.sum().backward()\n",
        "Let the op keep a copy: `.clone()` on line 7; write to a copy",
        "y[1:] += y[:-1]",
        "y = y.clone()\ny[1:] += y[:-1].clone()",
    ),
    (
        "one row",
        HEAD + "y = x.exp(); y[0] = 1; z = y * 2\nz.sum().backward()\n",
        "Write to a copy",
        "y[0] = 1",
        "y = y.clone(); y[0] = 1",
    ),
    ("suite", HEAD + "y = x.exp()\nif True: y += 1\ny.sum().backward()\n", "Write out", "y += 1", "y = y + 1"),
    (
        "update in a suite",
        HEAD + "x.sum().backward()\nif True: x -= x.grad  # step\n",
        "Write under",
        "if True: x -= x.grad  # step",
        "if True:\n    with torch.no_grad():\n        x -= x.grad  # step",
    ),
    (
        "updates on a row",
        HEAD + "x.sum().backward()\na = 1; x -= x.grad; b = 2\n",
        "Write under",
        "a = 1; x -= x.grad; b = 2",
        "a = 1\nwith torch.no_grad():\n    x -= x.grad\nb = 2",
    ),
    (
        "import",
        "from torch import rand\nx = rand(4, requires_grad=True)\nx.sum().backward()\nx -= x.grad\n",
        "Write under",
        "from torch import rand\nx = rand(4, requires_grad=True)\nx.sum().backward()\nx -= x.grad\n",
        "import torch\nfrom torch import rand\nx = rand(4, requires_grad=True)\nx.sum().backward()\n"
        "with torch.no_grad():\n    x -= x.grad\n",
    ),
    (
        "outside of the block",
        HEAD
        + "y = x * 2\nwith torch.no_grad():\n    # the head\n    a = (y\n        [:2])\na += 1\ny.sum().backward()\n",
        "Make the view in grad mode",
        "with torch.no_grad():\n    # the head\n    a = (y\n        [:2])\n",
        "# the head\na = (y\n    [:2])\n",
    ),
    (
        "behind the block",
        HEAD + "y = x * 2\nwith torch.no_grad():\n    b = 1\n    a = y[:2]  # head\na += 1\ny.sum().backward()\n",
        "Make the view in grad mode",
        "    a = y[:2]  # head\n",
        "    b = 1\na = y[:2]  # head\n",
    ),
    (
        "the last round",
        HEAD + "last = None\nfor i in range(3):\n    loss = x.exp().sum()\n    if last is not None:\n"
        "        loss = loss + last * i\n    loss.backward()\n    last = loss\n",
        "Carry",
        "last = loss\n",
        "last = loss.detach()\n",
    ),
    (
        "closure",
        HEAD + "opt = torch.optim.LBFGS([x], max_iter=3)\n\n\ndef square(t):\n    return (t * t).sum()\n\n\n"
        "loss = square(x)\n\n\ndef closure():\n    opt.zero_grad()\n    loss.backward()\n    return loss\n\n\n"
        "opt.step(closure)\n",
        "Compute",
        "\n\nloss = square(x)\n\n\ndef closure():\n",
        "\n\ndef closure():\n    loss = square(x)\n",
    ),
    (
        "helper",
        HEAD + "opt = torch.optim.SGD([x], lr=0.1)\n\n\ndef walk(loss, **how):\n    loss.backward(**how)\n\n\n"
        "y = x.exp() * x\nwalk(y[0] * 2, retain_graph=True)\nopt.step()\nwalk(y.sum())\n",
        "Move",
        "opt.step()\nwalk(y.sum())\n",
        "walk(y.sum())\nopt.step()\n",
    ),
    (
        "weight of a layer",
        HEAD + "table = nn.Embedding(3, 4, max_norm=1.0)\na = table.weight @ x\nb = table(torch.tensor([1, 2]))\n"
        "(a.sum() + b.sum()).backward()\n",
        "Let the op keep a copy",
        "table.weight @ x",
        "table.weight.clone() @ x",
    ),
    (
        "copied in",
        HEAD + "cell = nn.GRUCell(4, 3)\nh = torch.zeros(1, 3)\nfor _ in range(2):\n    h.copy_(cell(x[None], h))\n"
        "h.sum().backward()\n",
        "Write out of place",
        "h.copy_(cell(x[None], h))",
        "h = cell(x[None], h)",
    ),
    (
        "copied from a name",
        HEAD + "h = x.exp()\nv = x * 2\nh.copy_(v)\nv = h.exp()\n(h * v).sum().backward()\n",
        "Write out of place",
        "h.copy_(v)",
        "h = v.clone()",
    ),
    (
        "operator",
        HEAD + "import functools\nimport operator\n\nparts = [x.exp(), x * 2]\n"
        "(functools.reduce(operator.iadd, parts) * 1).sum().backward()\n",
        "Write out of place",
        "operator.iadd",
        "operator.add",
    ),
    (
        "alias",
        HEAD + "q = x.exp()\nt = q.detach()\nfor i in range(2):\n    t[i] = 1.0\n(q - t).pow(2).sum().backward()\n",
        "Make a copy on line 7",
        "t = q.detach()\n",
        "t = q.detach().clone()\n",
    ),
    (
        "list",
        HEAD + "gs = torch.autograd.grad(x.exp().sum(), [x], create_graph=True)\np = sum(g.pow(2).sum() for g in gs)\n"
        "for g in gs:\n    g *= 0.5  # half\n(p + gs[0].sum()).backward()\n",
        "Make a list",
        "for g in gs:\n    g *= 0.5  # half\n",
        "gs = [g * 0.5 for g in gs]  # half\n",
    ),
    (
        "power",
        HEAD + "y = x * 2\nz = y**3\ny[0] = 1\n(y * 1 + z).sum().backward()\n",
        "Let the op keep a copy",
        "z = y**3\n",
        "z = y.clone() ** 3\n",
    ),
    (
        "unread",
        HEAD + "p = x.exp()\nf = p.neg_().add_(1)\n(f * x).sum().backward()\n",
        "Write out of place",
        "f = p.neg_().add_(1)",
        "f = p.neg().add(1)",
    ),
    (
        "mask",
        HEAD + "y = x.exp()\nm = x > 0.5\ny[m] *= 2\ny.sum().backward()\n",
        "Write to a copy",
        "y[m] *= 2",
        "y = y.clone()\ny[m] *= 2",
    ),
    (
        "row",
        ROW,
        "Write out of place",
        "y[..., i] = x[:1] * 2\n",
        "y = y.select_scatter(x[:1] * 2, dim=-1, index=i)\n",
    ),
    (
        "slice",
        SLICE,
        "Write out of place",
        "y[:, 2:] = v\n",
        "y = y.slice_scatter(v, dim=1, start=2)\n",
    ),
    (
        "indices",
        INDICES,
        "Write out of place",
        "y[i] = v\n",
        "y = y.index_put((i,), v)\n",
    ),
    (
        "hook",
        HEAD + "act = nn.Sigmoid()\nkept = {}\n\n\ndef keeper(name):\n    def hook(module, inputs, output):\n"
        "        kept[name] = output.mean()\n        output.clamp_(max=0.5)\n\n    return hook\n\n\n"
        "act.register_forward_hook(keeper('act'))\nact(x).sum().backward()\n",
        "Return a new tensor from the hook",
        "        output.clamp_(max=0.5)\n",
        "        return output.clamp(max=0.5)\n",
    ),
    (
        "hook in front",
        HEAD + "net = nn.Sequential(nn.Sigmoid(), nn.Linear(4, 2))\n\n\ndef double(module, args):\n    (t,) = args\n"
        "    t *= 2\n\n\nnet[1].register_forward_pre_hook(double)\nnet(x).sum().backward()\n",
        "Return a new tensor from the hook",
        "    t *= 2\n",
        "    return t * 2\n",
    ),
    (
        "rows by number",
        HEAD + "y = torch.stack([x, x]) * 2\nfor row in y:\n    if row.sum() > 0:\n        row *= 2  # scaled\n"
        "y.sum().backward()\n",
        "Write `row` as `y[i]`",
        "for row in y:\n    if row.sum() > 0:\n        row *= 2  # scaled\n",
        "for i in range(len(y)):\n    if y[i].sum() > 0:\n        y[i] *= 2  # scaled\n",
    ),
    (
        "decorator",
        HEAD + "@torch.no_grad()\ndef first(t):\n    return t[:2]\n\n\ny = x * 2\na = first(y)\na += 1\n"
        "y.sum().backward()\n",
        "Make the view in grad mode",
        "@torch.no_grad()\ndef first(t):\n",
        "def first(t):\n",
    ),
    (
        "one block",
        HEAD + "with torch.no_grad():\n    x[0] = 0\nx[1] = 1  # too\nx.sum().backward()\n",
        "Write under",
        "\nx[1] = 1  # too\n",
        "    x[0] = 0\n    x[1] = 1  # too\n",
    ),
    (
        "array",
        HEAD + "y = x.exp()\nz = (y * y).sum()\na = y.detach().numpy()\na[0] = 0.0\nprint(a)\nz.backward()\n",
        "Make a copy on line 8",
        "y.detach().numpy()\n",
        "y.detach().numpy().copy()\n",
    ),
    (
        "layers of one statement",
        HEAD + "net = nn.Sequential(\n    nn.Sigmoid(),\n    nn.Dropout(0.5, inplace=True),\n    nn.Tanh(),\n"
        "    nn.ReLU(True),\n)\ny = net(x)\ny.sum().backward()\n",
        "Drop `inplace=True` on lines 8, 10",
        "nn.Dropout(0.5, inplace=True),\n    nn.Tanh(),\n    nn.ReLU(True)",
        "nn.Dropout(0.5),\n    nn.Tanh(),\n    nn.ReLU()",
    ),
    (
        "a mask by its name",
        HEAD + "y = x.exp()\nmask = torch.tensor([True, False, True, False])\ny[~mask] = 0\ny.sum().backward()\n",
        "Write out of place",
        "y[~mask] = 0",
        "y = y.masked_fill(~mask, 0)",
    ),
    (
        "one step",
        HEAD + "net = nn.Linear(4, 4)\nopt = torch.optim.SGD(net.parameters(), lr=0.1)\nmid = net(x.sin()).tanh()\n"
        "losses = [(net(mid) * i).sum() for i in range(2)]\nfor loss in losses:\n"
        "    # one by one\n    opt.zero_grad()\n    loss.backward(retain_graph=True)\n    opt.step()  # now\n",
        "Step once",
        "    # one by one\n    opt.zero_grad()\n    loss.backward(retain_graph=True)\n    opt.step()  # now\n",
        "    # one by one\n    loss.backward(retain_graph=True)\nopt.step()  # now\n",
    ),
    (
        "computed in a case",
        HEAD + "net = nn.Linear(4, 4)\nopt = torch.optim.SGD(net.parameters(), lr=0.1)\nother = None\n# now and then\n"
        "if len(x.shape) == 1 or other is None:\n    pass\nflag = True\nif flag:\n    other = net(net(x)).sum()\n"
        "for _ in range(1):\n    net(x).sum().backward()\n    opt.step()\n"
        "if other is not None:\n    other.backward()\n",
        "Compute `other` again",
        "    opt.step()\n",
        "    opt.step()\nif flag:\n    other = net(net(x)).sum()\n",
    ),
]


@pytest.mark.parametrize(("program", "start", "old", "new"), [one[1:] for one in WRITTEN])
def test_a_repair_of_each_kind_is_written_and_runs(program: str, start: str, old: str, new: str) -> None:
    fixes = [fix for fix in offers(program) if fix.message.startswith(start)]
    fixed = [apply_edits(program, fix.edits) for fix in fixes]
    assert any(new in one and (old in new or old not in one) for one in fixed), [fix.message for fix in offers(program)]
    for one in fixed:
        run(one)


@pytest.mark.parametrize("program", [BUFFER, COLUMNS, PAIR, MOVED, ROW, SLICE, INDICES])
def test_every_repair_that_keeps_the_values_keeps_the_gradients(program: str) -> None:
    meant = tensors(run_as_meant(program))
    for fix in offers(program):
        got = tensors(run(apply_edits(program, fix.edits)))
        for name, value in meant.items():
            assert torch.allclose(value, got[name]), (fix.message, name)


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
    analysis = analyse(program, FILE)
    (finding,) = analysis.findings
    assert not [one for one in fixes_for(program, finding, analysis) if "`v = " in one.message]


@pytest.mark.parametrize("keep", ["kept.append(y)", "kept = [y]"])
def test_what_is_handed_on_when_the_write_is_done_sees_it(keep: str) -> None:
    fix = offers(HEAD + f"kept = []\ny = x.exp()\ny += 1\n{keep}\n(y * 1).sum().backward()\n")[0]
    assert (fix.message, fix.applicability) == ("Write out of place: `y = y + 1`", "safe")


def test_what_is_handed_on_before_a_round_of_a_loop_does_not() -> None:
    fixes = offers(
        HEAD + "kept = []\ny = x.exp()\nfor _ in range(2):\n    y += 1\n    kept.append(y)\ny.sum().backward()\n"
    )
    fix = next(one for one in fixes if one.message.startswith("Write out of place"))
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
    finding = next(one for one in analyse(program, FILE).findings if one.code in ("IP203", "IP205"))
    fix = next(one for one in fixes_for(program, finding) if one.message.startswith("Write out of place: `b ="))
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
        ("return self.act(u) * u", "unsafe"),
        ("v = self.act(u) * 2\n        return v + u", "unsafe"),
    ],
)
def test_a_flag_is_dropped_safely_where_nobody_reads_what_was_passed(returned: str, applicability: str) -> None:
    fix = next(one for one in offers(HEAD + ACT.replace("RETURNED", returned)) if one.message.startswith("Drop"))
    assert fix.applicability == applicability, fix.message


@pytest.mark.parametrize(("between", "moved"), [("w_opt.zero_grad()", True), ("opt.zero_grad()", False)])
def test_a_step_moves_only_past_what_leaves_its_gradients_alone(between: str, moved: bool) -> None:
    program = ASKED.replace("opt.step()\n", f"# i.e. (now)\nopt.step()\n{between}\n").replace(
        "fake =", "w_opt = torch.optim.SGD(made.parameters(), lr=0.1)\nfake ="
    )
    assert any(one.message.startswith("Move") for one in offers(program)) is moved


def test_a_step_moves_behind_every_walk_of_a_graph_that_a_backward_makes() -> None:
    program = HEAD + (
        "w = torch.rand(4, requires_grad=True)\nopt = torch.optim.SGD([w], lr=0.1)\ny = (w * x).sin().sum()\n"
        "y.backward(retain_graph=True)\nopt.step()\n(g,) = torch.autograd.grad(y, x, create_graph=True)\n"
        "loss = g.pow(2).sum()\nloss.backward(inputs=x)\n"
    )
    fixed = [apply_edits(program, one.edits) for one in offers(program) if one.message.startswith("Move")]
    assert [one.endswith("loss.backward(inputs=x)\nopt.step()\n") for one in fixed] == [True]
    run(fixed[0])


def test_no_step_moves_behind_a_backward_that_adds_to_its_gradients() -> None:
    assert [one.message for one in offers(GAN)] and not [one for one in offers(GAN) if one.message.startswith("Move")]


AGENTS = (
    HEAD
    + """
class Agent:
    def __init__(self):
        self.net = nn.Sequential(nn.Linear(4, 3), nn.Linear(3, 2))
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.1)


agents = [Agent(), Agent()]
total = torch.cat([one.net(x) for one in agents]).pow(2).mean()
for one in agents:
    one.opt.zero_grad()
    total.backward(retain_graph=True)
    one.opt.step()
"""
)


def test_no_step_leaves_a_loop_whose_rounds_have_optimizers_of_their_own() -> None:
    assert not [one.message for one in offers(AGENTS) if one.message.startswith("Step once")]


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
    assert not [one.message for one in offers(PLANES) if "plane = " in one.message]
