"""Modules: torch's own, Sequential, and classes of the program's own."""

from __future__ import annotations

from dataclasses import dataclass

from generated.builder import Builder, Var

ACTIVATIONS = [
    "nn.ReLU()",
    "nn.ReLU(inplace=True)",
    "nn.Sigmoid()",
    "nn.Tanh()",
    "nn.GELU()",
    "nn.SiLU(inplace=True)",
    "nn.ELU()",
    "nn.Softplus()",
    "nn.LeakyReLU(0.1, inplace=True)",
    "nn.Softmax(dim=-1)",
    "nn.Dropout(0.5)",
    "nn.Dropout(0.5, inplace=True)",
    "nn.Identity()",
    "nn.Hardtanh(inplace=True)",
    "nn.LogSoftmax(dim=-1)",
    "nn.Hardswish(inplace=True)",
    "nn.ELU(inplace=True)",
]


@dataclass
class Net:
    """A module that can be called: the extents of the last dimension before and after; its parameters' names."""

    name: str
    before: int
    after: int
    weights: list[str]


def build(b: Builder) -> bool:
    """A module, called at once."""
    x = b.floating(lambda v: v.rank >= 2)
    if x is None or b.scope.inside != "module":
        return False
    width = x.shape[-1]
    net = b.random.choice([_linear, _sequential, _class, _class])(b, width)
    b.modules.append(net)
    return _call(b, net, x)


def _linear(b: Builder, width: int) -> Net:
    name, after = b.name("net"), b.random.choice([2, 3, 4])
    b.emit(f"{name} = nn.Linear({width}, {after})")
    return Net(name, width, after, [f"{name}.weight", f"{name}.bias"])


def _layers(b: Builder, width: int) -> tuple[list[str], int, list[int]]:
    """Layers for a width, the width they give, and which of them have a weight."""
    layers, weighty = [], []
    for _ in range(b.random.randint(1, 4)):
        if b.chance(0.5):
            after = b.random.choice([2, 3, 4])
            weighty.append(len(layers))
            layers.append(f"nn.Linear({width}, {after})")
            width = after
        elif b.chance(0.2):
            weighty.append(len(layers))
            layers.append(f"nn.LayerNorm({width})")
        else:
            layers.append(b.random.choice(ACTIVATIONS))
    return layers, width, weighty


def _sequential(b: Builder, width: int) -> Net:
    name = b.name("net")
    layers, after, weighty = _layers(b, width)
    b.emit(f"{name} = nn.Sequential({', '.join(layers)})")
    return Net(name, width, after, [f"{name}[{at}].weight" for at in weighty])


def _class(b: Builder, width: int) -> Net:
    kind, name = b.name("Net"), b.name("net")
    layers, after, weighty = _layers(b, width)
    lines = [f"class {kind}(nn.Module):", "    def __init__(self, scale=2):", "        super().__init__()"]
    lines += [f"        self.part{at} = {layer}" for at, layer in enumerate(layers)]
    lines += ["        self.scale = scale", f"        self.extra = nn.Parameter(torch.rand({after}))"]
    if b.chance(0.3):
        lines.append(f"        self.register_buffer('seen', torch.zeros({after}))")
    lines += ["", "    def forward(self, x):"]
    lines += _forward(b, layers, "seen" in lines[-3])
    for line in [*lines, ""]:
        b.emit(line)
    b.emit(f"{name} = {kind}({'' if b.chance(0.7) else '3'})")
    return Net(name, width, after, [f"{name}.extra", *(f"{name}.part{at}.weight" for at in weighty)])


def _forward(b: Builder, layers: list[str], buffered: bool) -> list[str]:
    lines = []
    for at, layer in enumerate(layers):
        lines.append(f"x = self.part{at}(x)" if b.chance(0.8) else f"x = self.part{at}(x).clone()")
        keeps = "Linear" not in layer
        if b.chance(0.2) and keeps:
            lines[-1] = f"x = self.part{at}(x) + x"
        if b.chance(0.25):
            lines.append(
                b.random.choice(
                    [
                        "x += 1",
                        "x = x * self.scale",
                        "x = F.relu(x, inplace=True)",
                        "x.mul_(0.5)",
                        "y = x.exp()",
                        "x = x / x.norm()",
                        "x[:, 0] = 0",
                    ]
                )
            )
    if buffered:
        lines.append(
            b.random.choice(
                [
                    "self.seen += x.detach().flatten(0, -2).sum(0)",
                    "self.seen.add_(1)",
                    "with torch.no_grad(): self.seen.mul_(0.9)",
                ]
            )
        )
    lines.append(
        b.random.choice(
            ["return x * self.extra", "return x + self.extra", "return x", "x.add_(self.extra)", "x *= self.extra"]
        )
    )
    if not lines[-1].startswith("return"):
        lines.append("return x")
    return ["        " + line for line in lines]


def again(b: Builder) -> bool:
    """A known module on another tensor."""
    if not b.modules or b.scope.inside == "function":
        return False
    net = b.random.choice(b.modules)
    assert isinstance(net, Net)
    x = b.floating(lambda v: v.rank >= 2 and v.shape[-1] == net.before)
    return x is not None and _call(b, net, x)


def _call(b: Builder, net: Net, x: Var) -> bool:
    var = Var(b.name(), (*x.shape[:-1], net.after), "float", "any", b.scope.recording)
    b.emit(f"{var.name} = {net.name}({x.name})")
    x.range = "any"
    b.add(var)
    return True


def weight(b: Builder) -> bool:
    """A parameter is written."""
    nets = [net for net in b.modules if isinstance(net, Net) and net.weights]
    if not nets or b.scope.inside == "function":
        return False
    n = b.random.choice(b.random.choice(nets).weights)
    if b.chance(0.5):
        with b.block("with torch.no_grad():"):
            b.emit(b.random.choice([f"{n}.mul_(0.9)", f"{n} += 0.1", f"{n}.copy_({n} * 2)", f"{n}[0] = 0.3"]))
        return True
    b.emit(
        b.random.choice(
            [
                f"nn.init.normal_({n})",
                f"{n}.data.add_(0.1)",
                f"{n}.data[0] = 0.7",
                f"nn.init.constant_({n}, 0.3)",
                f"{n}.detach().sub_(0.1)",
                f"{n}.requires_grad_(False)",
            ]
        )
    )
    return True


def switch(b: Builder) -> bool:
    """`train()`, `eval()`, `zero_grad()`."""
    if not b.modules or b.scope.inside == "function":
        return False
    net = b.random.choice(b.modules)
    assert isinstance(net, Net)
    calls = ["eval()", "train()", "zero_grad()", "requires_grad_(False)", "requires_grad_()"]
    b.emit(f"{net.name}.{b.random.choice(calls)}")
    return True
