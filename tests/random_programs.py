"""Random torch programs that run: straight lines, views, grad modes, loops, functions, layers; shapes are tracked.

`program(seed)` is the text for one seed. A program may well be refused by torch somewhere: that is what it is for.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from math import prod

Shape = tuple[int, ...]

HELPERS = {
    "bump": "def bump(t):\n    t.add_(1)\n    return t\n",
    "squash": "def squash(t):\n    y = torch.sigmoid(t)\n    y.mul_(2)\n    return y\n",
    "gate": "def gate(t):\n    y = t * 2\n    y += torch.tanh(y)\n    return y\n",
    "grow": "def grow(t):\n    y = t.exp()\n    z = y + 1\n    z.mul_(3)\n    return y * z\n",
    "centre": "def centre(t):\n    return t - t.mean()\n",
    "quiet": "@torch.no_grad()\ndef quiet(t):\n    t.mul_(0.5)\n    return t\n",
}
"""Functions of one tensor that return one of the same shape."""

UNARY = (
    "{a}.exp()",
    "{a}.sin()",
    "{a}.relu()",
    "{a}.sigmoid()",
    "torch.tanh({a})",
    "{a}.abs()",
    "{a} * 2",
    "{a} + 1",
    "1 - {a}",
    "{a} ** 2",
    "{a}.clamp(0, 1)",
    "{a}.clone()",
    "torch.softmax({a}, -1)",
    "F.gelu({a})",
    "F.silu({a})",
    "F.leaky_relu({a})",
    "{a} / 3",
    "{a}.neg()",
    "{a}.cumsum(0)",
    "{a}.detach().clone()",
    "torch.where({a} > 0.5, {a}, {a} * 2)",
)
BINARY = ("{a} * {b}", "{a} + {b}", "{a} - {b}", "{a} / {b}", "torch.maximum({a}, {b})", "torch.atan2({a}, {b})")
INPLACE = (
    "{a}.add_(1)",
    "{a}.mul_(2)",
    "{a} += 1",
    "{a} *= 2",
    "{a}.exp_()",
    "{a}.relu_()",
    "{a}.sigmoid_()",
    "{a}.zero_()",
    "{a}.clamp_(0, 1)",
    "{a}[0] = 1",
    "{a}[1:] = 0",
    "{a}[...] = 0.5",
    "{a}[{a} > 0.5] = 0",
    "F.relu({a}, inplace=True)",
    "F.leaky_relu({a}, inplace=True)",
    "{a}.masked_fill_({a} > 0.9, 0.0)",
    "nn.ReLU(inplace=True)({a})",
    "{a}.detach().add_(1)",
    "{a}.data.mul_(2)",
    "{a}.data.add_(1)",
)
INPLACE_WITH = ("{a}.add_({b})", "{a} += {b}", "{a} *= {b}", "{a}.copy_({b})", "{a} /= {b}", "{a}.data = {b}")


class Writer:
    """Writes one program: `shapes` are the tensors that can be used at this place."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.shapes: dict[str, Shape] = {}
        self.lines: list[str] = []
        self.helpers: set[str] = set()
        self.depth = 0
        self.count = 0
        self.quiet = False
        self.leaves: set[str] = {"w"}

    def text(self) -> str:
        """The whole program."""
        self._begin()
        for _ in range(self.random.randint(3, 10)):
            self._statement()
        self._finish()
        helpers = "\n\n".join(HELPERS[name] for name in sorted(self.helpers))
        head = "import torch\nimport torch.nn.functional as F\nfrom torch import nn\n"
        return f"{head}\n\n{helpers}\n\n" + "\n".join(self.lines) + "\n"

    def _begin(self) -> None:
        self._write("w = torch.rand(2, 4, requires_grad=True)")
        self.shapes["w"] = (2, 4)
        for _ in range(self.random.randint(1, 3)):
            self._create()

    def _finish(self) -> None:
        parts = self._some(self.random.randint(1, 4))
        self._write("loss = w.sum()")
        for name in parts:
            self._write(f"loss = loss + {name}.sum()")
        self._write("loss.backward()")
        if self.random.random() < 0.08:
            self._write("loss.backward()")

    def _statement(self) -> None:
        kinds: list[tuple[int, Callable[[], None]]] = [
            (5, self._unary),
            (4, self._binary),
            (6, self._inplace),
            (3, self._inplace_with),
            (5, self._view),
            (1, self._several_views),
            (1, self._create),
            (2, self._call),
            (1, self._layer),
            (1, self._walk),
        ]
        if self.depth < 2:
            kinds += [(1, self._no_grad), (1, self._loop), (1, self._attempt), (1, self._branch)]
        weights, actions = zip(*kinds, strict=True)
        self.random.choices(actions, weights)[0]()

    def _create(self) -> None:
        shape = self.random.choice([(2, 4), (2, 4), (4,), (4, 2)])
        grad = ", requires_grad=True" if self.random.random() < 0.4 else ""
        name = self._bind(f"torch.rand({', '.join(map(str, shape))}{grad})", shape)
        if grad:
            self.leaves.add(name)

    def _unary(self) -> None:
        name = self._any()
        self._bind(self.random.choice(UNARY).format(a=name), self.shapes[name])

    def _binary(self) -> None:
        pair = self._pair()
        if pair:
            self._bind(self.random.choice(BINARY).format(a=pair[0], b=pair[1]), self.shapes[pair[0]])

    def _inplace(self) -> None:
        self._write(self.random.choice(INPLACE).format(a=self._target()))

    def _inplace_with(self) -> None:
        pair = self._pair(self._target())
        if pair:
            self._write(self.random.choice(INPLACE_WITH).format(a=pair[0], b=pair[1]))

    def _view(self) -> None:
        name = self._any()
        shape = self.shapes[name]
        rest = shape[1:]
        choices: list[tuple[str, Shape]] = [
            (f"{name}.detach()", shape),
            (f"{name}.view_as({name})", shape),
            (f"{name}.reshape(-1)", (prod(shape),)),
            (f"{name}.unsqueeze(0)", (1, *shape)),
            (f"{name}[-1:]", (1, *rest)),
            (f"{name}.data", shape),
        ]
        if len(shape) > 1:
            choices += [(f"{name}[0]", rest), (f"{name}.transpose(0, 1)", (shape[1], shape[0], *shape[2:]))]
        if shape[0] >= 2:
            choices.append((f"{name}[1:]", (shape[0] - 1, *rest)))
        view = self._bind(*self.random.choice(choices))
        if name in self.leaves and not self.lines[-1].endswith(("detach()", ".data")):
            self.leaves.add(view)

    def _several_views(self) -> None:
        name = self._any()
        shape = self.shapes[name]
        if shape[0] != 2:
            return
        one, two = self._fresh(), self._fresh()
        expression = self.random.choice([f"{name}.unbind(0)", f"{name}.chunk(2)", f"{name}.split(1)", name])
        self._write(f"{one}, {two} = {expression}")
        part = (1, *shape[1:]) if "chunk" in expression or "split" in expression else shape[1:]
        if part:
            self.shapes[one] = self.shapes[two] = part
            self.leaves |= {one, two} if name in self.leaves else set()

    def _call(self) -> None:
        name, helper = self._any(), self.random.choice(sorted(HELPERS))
        self.helpers.add(helper)
        self._bind(f"{helper}({name})", self.shapes[name])

    def _layer(self) -> None:
        fitting = [name for name, shape in self.shapes.items() if len(shape) == 2 and shape[-1] == 4]
        if fitting:
            layers = self.random.choice(
                ["nn.Linear(4, 4)", "nn.Sequential(nn.Linear(4, 4), nn.Tanh())", "nn.LayerNorm(4)", "nn.Dropout(0.5)"]
            )
            name = self.random.choice(fitting)
            self._bind(f"{layers}({name})", self.shapes[name])

    def _walk(self) -> None:
        if self.random.random() < 0.5 and not self.quiet:
            retain = self.random.choice(["", "retain_graph=True"])
            self._write(f"(w.sum() + {self._any()}.sum()).backward({retain})")

    def _no_grad(self) -> None:
        before, self.quiet = self.quiet, True
        self._block("with torch.no_grad():")
        self.quiet = before

    def _loop(self) -> None:
        self._block("for _ in range(2):")

    def _branch(self) -> None:
        self._block(self.random.choice(["if w.sum() > -1000:", "if True:"]))

    def _attempt(self) -> None:
        self._block("try:", keep=False)
        self._write("except RuntimeError:")
        self._write("    pass")

    def _block(self, head: str, *, keep: bool = True) -> None:
        """An indented block; names bound in it are used afterwards only if it runs for sure."""
        before = dict(self.shapes)
        self._write(head)
        self.depth += 1
        start = len(self.lines)
        for _ in range(self.random.randint(1, 3)):
            self._statement()
        if len(self.lines) == start:
            self._write("pass")
        self.depth -= 1
        if not keep:
            self.shapes = before

    def _bind(self, expression: str, shape: Shape) -> str:
        name = self._fresh()
        self._write(f"{name} = {expression}")
        self.shapes[name] = shape
        return name

    def _write(self, line: str) -> None:
        self.lines.append("    " * self.depth + line)

    def _fresh(self) -> str:
        self.count += 1
        return f"v{self.count}"

    def _any(self) -> str:
        """A tensor, rather a recent one."""
        names = list(self.shapes)
        return self.random.choice(names[-4:] if self.random.random() < 0.7 else names)

    def _some(self, number: int) -> list[str]:
        names = list(self.shapes)
        return self.random.sample(names, min(number, len(names)))

    def _target(self) -> str:
        """A tensor to write to: seldom a leaf that requires grad (or a view of one), since torch stops there."""
        names = [name for name in self.shapes if name not in self.leaves]
        return self.random.choice(names[-4:]) if names and self.random.random() < 0.93 else self._any()

    def _pair(self, first: str = "") -> tuple[str, str] | None:
        """Two tensors of the same shape (or twice the same)."""
        first = first or self._any()
        same = [name for name, shape in self.shapes.items() if shape == self.shapes[first]]
        return first, self.random.choice(same)


def program(seed: int) -> str:
    """The program of that seed."""
    return Writer(seed).text()
