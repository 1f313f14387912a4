"""Ways of Python by which a tensor gets somewhere: what people write around their tensors."""

from __future__ import annotations

from generated.builder import Builder, Var


def _pair(b: Builder) -> tuple[Var, Var] | None:
    x = b.floating(lambda v: not (v.leaf and v.grad) and v.rank >= 1)
    y = b.floating(lambda v: x is not None and v.shape == x.shape)
    return (x, y) if x is not None and y is not None else None


IMPORTS = {
    "functools": "import functools",
    "operator": "import operator",
    "contextlib": "import contextlib",
    "itertools": "import itertools",
    "dataclasses": "from dataclasses import dataclass",
    "collections": "from collections import namedtuple",
}


def _import(b: Builder, name: str) -> None:
    if IMPORTS[name] not in b.prelude:
        b.prelude.insert(0, IMPORTS[name])


ONE_LINERS = [
    "{v} = functools.partial(torch.mul, {y})({x})",
    "{v} = functools.partial(torch.Tensor.mul_, {x})(2)",
    "{v} = functools.reduce(torch.add, [{x}, {y}, {x}])",
    "{v} = functools.reduce(lambda a, c: a.mul_(c), [{y}, {x}], {x} * 1)",
    "{v} = operator.iadd({x}, 1)",
    "{v} = operator.imul({x}, {y}.detach())",
    "{v} = operator.mul({x}, {y})",
    "{v} = {x} if {x}.dim() > 0 else {y}",
    "{v} = ({x} + {y}) if {x} is {x} else {y}",
    "{v} = (lambda t, k=2: t * k)({x})",
    "{v} = list(map(torch.sigmoid, ({x}, {y})))[0]",
    "{v} = [t.add_(1) for t in ({x},)][0]",
    "{v} = [t * u for t, u in zip([{x}], [{y}])][0]",
    "{v} = next(iter([{x}, {y}]))",
    "{v} = next(t for t in ({x}, {y}))",
    "{v} = max([{x}, {y}], key=lambda t: t.numel())",
    "{v} = {{**{{'a': {x}}}, 'b': {y}}}['a']",
    "{v} = [*({x}, {y})][-1]",
    "({v} := {x} * 2).add_(1)",
    "{v} = getattr({x}, 'mul')({y})",
    "{v} = getattr({x}, 'add_')(1)",
    "{v} = torch.Tensor.add_({x}, {y}.detach())",
    "{v} = torch.add(input={x}, other={y}, alpha=2)",
    "{v} = {x}.add_(other={y}.detach())",
    "{v} = sum([{x}, {y}])",
    "{v} = sum(t for t in ({x}, {y}))",
    "{v} = {x}.__add__({y})",
    "{v} = {x}.__iadd__(1)",
    "{v} = next(reversed([{x}, {y}]))",
    "{v} = sorted([{x}, {y}], key=id)[0] * 0 + {x}",
    "{v}, *rest = [{x}, {y}, {x}]",
    "_, {v} = {x}, {y}",
    "{v} = other = {x} * 2",
    "{v} = dict(zip('ab', ({x}, {y})))['b']",
    "{v} = {x}[...].mul_(2)",
    "{v} = {x}.clone().copy_({y})",
    "{v} = torch.stack([{x}, {y}]).unbind()[0] + 1",
    "{v} = {x}.apply_(float) if False else {x}",
    "{v} = [t for t in [{x}, {y}] if t is not None][0]",
    "{v} = list(itertools.chain([{x}], [{y}]))[1]",
]


def one_line(b: Builder) -> bool:
    """One statement."""
    pair = _pair(b)
    if pair is None:
        return False
    x, y = pair
    text = b.random.choice(ONE_LINERS)
    if x.grad and "apply_" in text:
        return False
    made = Var(b.name(), x.shape, "float", "any", x.grad or y.grad, False, True)
    if "[t.add_" in text or "__iadd__" in text or "add_" in text:
        x.range = "any"
    for name in ("functools", "operator", "itertools"):
        if f"{name}." in text:
            _import(b, name)
    b.emit(text.format(v=made.name, x=x.name, y=y.name))
    x.range = y.range = "any"
    b.add(made)
    return True


BLOCKS = [
    ("def {f}(*args, **options):", ["return args[0] * options.get('k', 2)"], "{v} = {f}({x}, {y}, k=3)"),
    ("def {f}(*args):", ["for t in args:", "    t.add_(1)", "return args[-1]"], "{v} = {f}({y} * 1, {x})"),
    ("def {f}(t, scale=2, *, shift=1):", ["t = t * scale", "t += shift", "return t"], "{v} = {f}({x}, shift=2)"),
    ("def {f}(t, n=2):", ["if n == 0:", "    return t", "return {f}(t * 2, n - 1)"], "{v} = {f}({x})"),
    ("def {f}(t, n=1):", ["t.mul_(2)", "return t if n == 0 else {f}(t, n - 1)"], "{v} = {f}({x})"),
    ("def {f}(ts):", ["for t in ts:", "    yield t * 2"], "{v} = list({f}([{x}, {y}]))[0]"),
    ("def {f}(ts):", ["for t in ts:", "    t.add_(1)", "    yield t"], "{v} = [t for t in {f}([{x}])][0]"),
    ("def {f}(t):", ["def inner(u):", "    return u + t", "return inner"], "{v} = {f}({x})({y})"),
    (
        "def {f}(t):",
        ["def inner():", "    nonlocal t", "    t = t * 2", "    return t", "return inner() + t"],
        "{v} = {f}({x})",
    ),
    ("def {f}(t):", ["try:", "    return t.exp()", "finally:", "    t.add_(1)"], "{v} = {f}({x})"),
    ("def {f}(t):", ["with torch.no_grad():", "    u = t * 2", "return t + u"], "{v} = {f}({x})"),
    (
        "def {f}(t, out=None):",
        ["out = torch.zeros_like(t) if out is None else out", "out += t", "return out"],
        "{v} = {f}({x})",
    ),
    ("def {f}(t):", ["return {{'t': t.sigmoid(), 'u': t.view_as(t)}}"], "{v} = {f}({x})['u']"),
    ("def {f}(t):", ["t = t.sigmoid()", "u = t", "u += 1", "return t"], "{v} = {f}({x})"),
    ("def {f}(call, t):", ["return call(t)"], "{v} = {f}(torch.exp, {x})"),
    ("def {f}(call, t):", ["return call(t)"], "{v} = {f}(lambda t: t.mul_(2), {x})"),
]
CLASSES = [
    (
        ["def __init__(self, t):", "    self.t = t", "def grow(self):", "    self.t += 1", "    return self.t"],
        "{v} = {c}({x}).grow()",
    ),
    (
        ["def __init__(self, t):", "    self.t = t", "@property", "def twice(self):", "    return self.t * 2"],
        "{v} = {c}({x}).twice",
    ),
    (["@staticmethod", "def scale(t):", "    return t.mul_(2)"], "{v} = {c}.scale({x})"),
    (["@classmethod", "def scale(cls, t):", "    return t.sigmoid_()"], "{v} = {c}.scale({x})"),
    (
        [
            "def __init__(self, t):",
            "    self.ts = [t]",
            "def add(self, t):",
            "    self.ts.append(t)",
            "    return self",
        ],
        "{v} = {c}({x}).add({y}).ts[1]",
    ),
    (["def __call__(self, t):", "    t.clamp_(min=0.1)", "    return t"], "{v} = {c}()({x})"),
    (
        ["def __init__(self, t):", "    self.t = t", "def __getitem__(self, i):", "    return self.t"],
        "{v} = {c}({x})[0]",
    ),
    (
        ["def __init__(self, t):", "    self.t = t", "def __mul__(self, other):", "    return self.t * other"],
        "{v} = {c}({x}) * {y}",
    ),
    (
        [
            "def __init__(self, t):",
            "    self.t = t",
            "def __enter__(self):",
            "    return self.t",
            "def __exit__(self, *error):",
            "    self.t.add_(1)",
        ],
        "with {c}({x}) as {v}: {v}.exp()",
    ),
    (
        ["def __init__(self, t):", "    self.t = t", "def __iter__(self):", "    return iter([self.t, self.t * 2])"],
        "_, {v} = {c}({x})",
    ),
    (
        ["def __init__(self, t):", "    super().__init__()", "    self.t = t.exp()", "    self.t.mul_(2)"],
        "{v} = {c}({x}).t",
    ),
]


def function(b: Builder) -> bool:
    """A function in one of Python's forms, and its call."""
    pair = _pair(b)
    if pair is None or b.scope.inside != "module":
        return False
    header, lines, call = b.random.choice(BLOCKS)
    return _define(b, pair, header, lines, call)


def cls(b: Builder) -> bool:
    """A class of the program's own around a tensor."""
    pair = _pair(b)
    if pair is None or b.scope.inside != "module":
        return False
    lines, call = b.random.choice(CLASSES)
    return _define(b, pair, "class {c}:", lines, call)


def _define(b: Builder, pair: tuple[Var, Var], header: str, lines: list[str], call: str) -> bool:
    x, y = pair
    names = {"f": b.name("f"), "c": b.name("C"), "v": b.name(), "x": x.name, "y": y.name}
    with b.block(header.format(**names)):
        for line in lines:
            b.emit(line.format(**names))
    b.emit("")
    b.emit(call.format(**names))
    x.range = y.range = "any"
    b.add(Var(names["v"], x.shape, "float", "any", x.grad or y.grad, False, True))
    return True


NETS = [
    ("nn.GRUCell({w}, {w})", "{n}({x}, {x})", None),
    ("nn.RNNCell({w}, 3)", "{n}({x})", 3),
    ("nn.LSTMCell({w}, 2)", "{n}({x})[0]", 2),
    ("nn.LayerNorm({w})", "{n}({x})", None),
    ("nn.BatchNorm1d({w})", "{n}({x})", None),
    ("nn.Bilinear({w}, {w}, 2)", "{n}({x}, {x})", 2),
    ("nn.ModuleList([nn.Linear({w}, {w}), nn.Tanh()])", "{n}[1]({n}[0]({x}))", None),
    ("nn.ModuleDict({{'a': nn.Linear({w}, {w})}})", "{n}['a']({x})", None),
    ("nn.ParameterList([nn.Parameter(torch.rand({w}))])", "{x} * {n}[0]", None),
    ("nn.Sequential(nn.Linear({w}, 4), nn.BatchNorm1d(4), nn.ReLU(inplace=True))", "{n}({x})", 4),
    ("nn.Sequential(nn.Linear({w}, {w}), nn.Sequential(nn.Sigmoid(), nn.ReLU(inplace=True)))", "{n}({x})", None),
    ("nn.Linear({w}, {w}, bias=False)", "{n}({n}({x}))", None),
    ("nn.PReLU()", "{n}({x})", None),
    ("nn.Softmax(dim=1)", "{n}({x}).mul_(2)", None),
    ("nn.Threshold(0.1, 0.0, inplace=True)", "{n}({x} * 1)", None),
    ("nn.GLU()", "{n}(torch.cat([{x}, {x}], 1))", None),
    ("nn.CELU(inplace=True)", "{n}({x}.exp())", None),
    ("nn.MultiheadAttention({w}, 1)", "{n}({x}, {x}, {x})[0]", None),
    ("nn.TransformerEncoderLayer({w}, 1, 4)", "{n}({x})", None),
    ("nn.Flatten()", "{n}({x})", None),
    ("nn.Embedding(5, 3)", "{n}(torch.zeros({r}, dtype=torch.long))", 3),
    ("nn.LSTM({w}, 2)", "{n}({x})[0]", 2),
    ("nn.GRU({w}, 2)", "{n}({x})[0]", 2),
    ("nn.Dropout(0.4)", "{n}({x})", None),
    ("nn.AlphaDropout(0.4, inplace=True)", "{n}({x} * 2)", None),
    ("nn.utils.parametrizations.weight_norm(nn.Linear({w}, 2))", "{n}({x})", 2),
]


def net(b: Builder) -> bool:
    """One of torch's own modules, and what is done with its result."""
    x = b.floating(lambda v: v.rank == 2 and v.shape[0] > 1 and not (v.leaf and v.grad))
    if x is None or b.scope.inside != "module":
        return False
    name = b.name("net")
    made, call, width = b.random.choice(NETS)
    b.emit(f"{name} = {made.format(w=x.shape[1])}")
    if b.chance(0.2):
        b.emit(f"{name}.eval()")
    result = Var(b.name(), (x.shape[0], width or x.shape[1]), "float", "any", b.scope.recording)
    b.emit(f"{result.name} = {call.format(n=name, x=x.name, r=x.shape[0])}")
    b.add(result)
    if b.chance(0.4):
        k = b.random.choice(
            ["{n}.add_(1)", "{n}[0] = 0.5", "{n} *= 2", "F.relu({n}, inplace=True)", "{n} = {n} + {n}.tanh()"]
        )
        b.emit(k.format(n=result.name))
    return True
