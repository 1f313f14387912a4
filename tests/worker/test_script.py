"""A watched run is the plain run: the same output, the same error at the same lines; and it knows who did it."""

from __future__ import annotations

import concurrent.futures
import contextlib
import gc
import io
import linecache
import random
import re
import subprocess
import sys
import traceback
import types
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from inplace_lsp.hazards.registry import HAZARDS, find_all
from inplace_lsp.report.tape_words import describe_events
from inplace_lsp.tape.model import Save, Tape, View, Write
from inplace_lsp.worker.script.own_frames import without_own_frames
from inplace_lsp.worker.script.watch import Watch
from support import answer, expected

ROOT = Path(__file__).parent.parent / "programs"
PROGRAMS = {
    **{path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in ROOT.rglob("*.py")},
    **{f"{hazard.code}-{at}": program.text for hazard in HAZARDS for at, program in enumerate(hazard.examples)},
}
MOVED = "modified by an inplace operation"
TWICE = "backward through the graph a second time"
OUT_OF_SIGHT = {
    "training/grad_kept.py",
    "training/per_sample.py",
    "version_counters/imaginary_part_set.py",
    "version_counters/set_bumps.py",
}
"""Writes that no function mode sees: backward adding to a `.grad`, `set_`, those to the parts `vmap` gives out, and
`z.imag = ...`."""

COMPUTED_AGAIN = {"training/checkpoint_of_written.py"}
"""A checkpointed block that writes its own input has run again, and written again, by the time the message is made: it
names a later version than torch does unwatched."""


@contextlib.contextmanager
def as_main(name: str) -> Iterator[types.ModuleType]:
    torch.manual_seed(0)
    random.seed(0)
    main = types.ModuleType("__main__")
    main.__file__ = name
    before = sys.modules["__main__"]
    sys.modules["__main__"] = main
    try:
        yield main
    finally:
        sys.modules["__main__"] = before
        torch.set_grad_enabled(True)
        torch.set_default_dtype(torch.float32)


def run(text: str, name: str, watch: Watch | None = None) -> tuple[str, list[tuple[str, int]], str]:
    """The error, the lines of its traceback, and the output."""
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    out = io.StringIO()
    watching = watch.watch_thread() if watch else contextlib.nullcontext()
    try:
        code = compile(text, name, "exec", dont_inherit=True)
        with as_main(name) as main, contextlib.redirect_stdout(out), watching:
            exec(code, main.__dict__)
    except (Exception, SystemExit) as error:
        trace = without_own_frames(error.__traceback__)
        frames = [
            (frame.name, frame.lineno or 0) for frame in traceback.extract_tb(trace) if not _is_left_out(frame.filename)
        ]
        return f"{type(error).__name__}: {error}", frames, out.getvalue()
    return "", [], out.getvalue()


def _is_left_out(filename: str) -> bool:
    """Frames of this file, and those of thread pools: which way a future takes depends on who is first."""
    return filename == __file__ or Path(filename).parent == Path(concurrent.futures.__file__).parent


def watched(text: str, name: str = "/watched.py") -> tuple[tuple[str, list[tuple[str, int]], str], list[Tape]]:
    tapes: list[Tape] = []
    return run(text, name, Watch(lambda tape, _: tapes.append(tape))), tapes


def without_versions(message: str) -> str:
    return re.sub(r"is at version \d+", "is at version N", message)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", PROGRAMS)
def test_it_is_the_plain_run(name: str):
    text = PROGRAMS[name]
    plain = run(text, f"/watched/{name}")
    seen, tapes = watched(text, f"/watched/{name}")
    if name in COMPUTED_AGAIN:
        assert without_versions(seen[0]) == without_versions(plain[0])
        assert seen[1:] == plain[1:]
    else:
        assert seen == plain
    if (MOVED in plain[0] or TWICE in plain[0]) and name not in OUT_OF_SIGHT:
        assert tapes[-1].error == seen[0]
        found = answer(find_all(tapes[-1]))
        assert found and {row for row, _ in found} <= {row for row, _ in expected(text)}


WITHOUT_TOP = """
if hasattr(torch._C._autograd, "_top_saved_tensors_default_hooks"):
    del torch._C._autograd._top_saved_tensors_default_hooks
"""
BUILTIN_APPLY = """
torch.autograd.Function.apply = torch._C._FunctionBase.__dict__["apply"]
"""
WATCHED = """
import sys
from inplace_lsp.worker.script.watch import Watch

unseen = {}
with Watch(lambda tape, error: print(tape.error), unseen).watch_thread():
    try:
        exec(compile(sys.stdin.read(), "/watched.py", "exec"))
    except RuntimeError as error:
        print(error)
print(unseen)
"""
HOOKS_AND_FUNCTIONS = """\
import torch
class Exp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x.exp()
        ctx.save_for_backward(y)
        return y
    @staticmethod
    def backward(ctx, grad):
        return ctx.saved_tensors[0] * grad
x = torch.rand(3, requires_grad=True)
torch.func.vmap(torch.func.grad(torch.sin))(x)
with torch.autograd.graph.save_on_cpu():
    x.sin().sum().backward()
y = Exp.apply(x)
y.add_(1)
y.sum().backward()
"""


@pytest.mark.parametrize("change", [WITHOUT_TOP, BUILTIN_APPLY, ""], ids=["before 2.7", "from 2.14 on", "as it is"])
def test_what_differs_between_releases_of_torch(change: str):
    """torch before 2.7 does not tell its innermost hooks; since 2.14 `apply` leaves no frame."""
    plain, _, _ = run(HOOKS_AND_FUNCTIONS, "/watched.py")
    command = [sys.executable, "-W", "ignore", "-c", f"import torch\n{change}{WATCHED}"]
    seen = subprocess.run(command, input=HOOKS_AND_FUNCTIONS, capture_output=True, text=True, timeout=600, check=True)
    error = plain.removeprefix("RuntimeError: ")
    assert seen.stdout == f"{plain}\n{error}\n{{('/watched.py', 12): None}}\n"


TWO_LINES = """\
import torch

x = torch.rand(3, requires_grad=True)
y = (x * 2).exp()
y.add_(1)
y.sum().backward()
"""


def test_the_tape_tells_who_saved_and_who_wrote():
    _, (tape,) = watched(TWO_LINES)
    assert [(type(event).__name__, event.span.row) for event in tape.events] == [
        ("Save", 4),
        ("Write", 5),
        ("Backward", 6),
        ("Check", 6),
    ]


def test_variables_of_callers_that_share_the_written_memory_are_named():
    text = """\
import torch

def bump(part):
    part += 1

x = torch.rand(4, 3, requires_grad=True)
rows = x.tanh()
first = rows[0]
bump(first)
rows.sum().backward()
"""
    _, (tape,) = watched(text)
    made = [(event.span.row, event.of.name, event.tensor.name) for event in tape.events if isinstance(event, View)]
    assert made == [(8, "rows", "part")]
    assert [event.tensor.name for event in tape.events if isinstance(event, Save)] == ["rows"]


def test_what_has_no_plain_memory_is_left_to_torch(monkeypatch: pytest.MonkeyPatch):
    ignored: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", ignored.append)
    text = """\
import torch

sparse = torch.eye(3).to_sparse().requires_grad_()
y = torch.sparse.mm(sparse, torch.rand(3, 2)).exp()
y.sum().backward()
y.mul_(2)
"""
    (error, _, _), _ = watched(text)
    assert not error and not ignored


def test_the_tape_of_a_second_walk_tells_who_saved_and_which_backward_freed():
    text = """\
import torch

def total(w):
    return (w**2).sum()

shared = total(torch.rand(3, requires_grad=True))
first, second = shared * 2, shared * 3
first.backward()
second.backward()
"""
    _, (tape,) = watched(text)
    assert [(type(event).__name__, event.span.row) for event in tape.events] == [
        ("Save", 4),
        ("Backward", 8),
        ("Free", 8),
        ("Backward", 9),
        ("Check", 9),
    ]
    assert tape.events[0].op == "pow"


def test_threads_are_watched():
    text = """\
import threading
import torch

def work(x, out):
    y = x.exp()
    y.add_(1)
    out.append(y.sum())

out = []
thread = threading.Thread(target=work, args=(torch.rand(3, requires_grad=True), out))
thread.start()
thread.join()
out[0].backward()
"""
    _, (tape,) = watched(text)
    assert answer(find_all(tape)) == {(6, "IP101")}


def test_the_line_of_a_transform_is_told_whose_inside_is_not_seen():
    text = """\
import torch

def loss(w):
    h = w.sigmoid()
    h.mul_(2)
    return h.sum()

torch.func.grad(loss)(torch.rand(3))
"""
    unseen: dict[tuple[str, int], None] = {}
    tapes: list[Tape] = []
    error, _, _ = run(text, "/watched.py", Watch(lambda tape, _: tapes.append(tape), unseen))
    assert MOVED in error
    assert (tapes, list(unseen)) == ([], [("/watched.py", 8)])


def test_the_place_of_a_library_write_is_the_line_that_calls_it():
    text = """\
import torch
from torch import nn

net = nn.Linear(2, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=1.0)
x = torch.rand(2, 2, requires_grad=True)
loss = net(x).sum()
net(x).sum().backward()
optimizer.step()
loss.backward()
"""
    _, (tape,) = watched(text)
    assert answer(find_all(tape)) == {(9, "IP102")}
    words = describe_events(tape.events)
    assert "linear saves net.weight at version 1" in words
    assert "SGD.step writes net.weight" in words


def test_an_error_that_the_program_catches():
    text = TWO_LINES.replace(
        "y.sum().backward()", "try:\n    y.sum().backward()\nexcept RuntimeError:\n    print('so')"
    )
    (error, _, output), tapes = watched(text)
    assert (error, output, len(tapes)) == ("", "so\n", 1)


def test_writes_inside_a_hook_of_backward_are_seen():
    text = """\
import torch

x = torch.rand(3, requires_grad=True)
h = x * 1
y = h.exp()
z = y * 1
z.register_hook(lambda gradient: y.detach().zero_())
z.sum().backward()
"""
    _, (tape,) = watched(text)
    assert answer(find_all(tape)) == {(7, "IP101")}


LOOP = """\
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.Sigmoid(), nn.Dropout(0.5), nn.Linear(8, 1))
optimizer = torch.optim.Adam(net.parameters())
for step in range(30):
    loss = net(torch.rand(5, 4)).exp().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
"""


def test_nothing_is_kept_of_graphs_that_are_gone():
    watch = Watch(lambda *_: None)
    run(LOOP, "/watched.py", watch)
    assert len(watch.living) == 0


@pytest.mark.parametrize(
    "line",
    [
        "x.exp().sum()",
        "x.exp().tanh().softmax(0).sum()",
        "(x * 2)[1:].exp_().sum()",
        "nn.functional.relu(x * 2, inplace=True).sum()",
        "nn.functional.layer_norm(x * 2, (4,)).sum()",
        "torch._foreach_exp([x * 2, x * 3])[0].sum()",
        "nn.GRU(4, 4)(x.view(1, 1, 4))[0].sum()",
    ],
)
def test_a_graph_that_is_dropped_without_a_backward_is_freed(line: str):
    """A result must not be held by the node that saved it: no collector sees that cycle."""
    watch = Watch(lambda *_: None)
    text = f"import torch\nfrom torch import nn\n\nx = torch.rand(4, requires_grad=True)\nloss = {line}\ndel loss\n"
    assert run(text, "/watched.py", watch)[0] == ""
    gc.collect()
    assert len(watch.living) == 0


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "line",
    [
        "torch.func.grad(lambda t: t.sin().sum())(x)",
        "torch.func.hessian(lambda t: (t**3).sum())(x)",
        "torch.vmap(lambda t: t.sin())(x)",
        "torch.autograd.functional.jacobian(lambda t: t.exp(), x)",
        "torch.autograd.grad((w**3).sum(), w, create_graph=True)[0].exp().sum().backward() or w.grad",
        "torch.utils.checkpoint.checkpoint(lambda t: t.exp(), w, use_reentrant=True).sum().backward() or w.grad",
        "torch.utils.checkpoint.checkpoint(lambda t: t.exp(), w, use_reentrant=False).sum().backward() or w.grad",
        "torch.jit.script(nn.Linear(3, 2))(x).shape",
        "torch.autograd.gradcheck(torch.exp, (w.double(),))",
    ],
)
def test_what_torch_is_particular_about(line: str):
    text = (
        "import torch, torch.utils.checkpoint\nfrom torch import nn\n\n"
        f"x = torch.tensor([1.0, 2.0, 3.0])\nw = x.clone().requires_grad_()\nprint({line})\n"
    )
    plain = run(text, "/watched.py")
    assert watched(text)[0] == plain
    assert plain[0] == "" and plain[2]


def test_a_write_is_called_as_the_program_spells_it():
    text = "import torch\nx = torch.ones(3, requires_grad=True)\ny = (x * 2).sigmoid()\n"
    text += "from types import SimpleNamespace\nfitted, n = SimpleNamespace(scale_=2), 0\n"
    writes = [
        "y += 1",
        "y -= 2",
        "y *= (\n    3\n)",
        "y /= 2",
        "y %= 3",
        "y[0] = 1",
        "y.add_(1)",
        "y -= x.detach().sub_(1)",
        "y /= fitted.scale_",
        "n += 1; y.add_(n)",
        "y += 1; n -= 1",
    ]
    _, (tape,) = watched(text + "\n".join(writes) + "\ny.sum().backward()\n", "/spelled.py")
    spelled = [write.spelling for _, write in tape.events_of(Write) if write.tensor.name == "y"]
    assert spelled == ["+=", "-=", "*=", "/=", "%=", "[]=", "", "", "/=", "", "+="]
