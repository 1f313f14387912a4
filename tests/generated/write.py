"""Statements that write in place, by every way there is."""

from __future__ import annotations

from generated.builder import Builder, Var

METHODS = (
    "abs_ neg_ sin_ cos_ tanh_ sigmoid_ relu_ square_ erf_ zero_ sign_ floor_ frac_ sinh_ atan_ normal_ uniform_ "
    "exponential_ round_ trunc_".split()
)
OF_SMALL = ["exp_", "expm1_", "exp2_"]
OF_POSITIVE = ["log_", "sqrt_", "rsqrt_", "reciprocal_", "log1p_"]
FUNCTIONS = "relu_ sigmoid_ tanh_ neg_ sin_ abs_ celu_ selu_".split()
FLAGGED = "relu elu leaky_relu selu celu hardtanh relu6 silu mish hardswish hardsigmoid".split()
SILENT = ["add_(1)", "add_(2.5)", "fill_(0.7)", "sub_(0.3)", "clamp_(max=-7)", "uniform_(2, 3)", "add_(1).mul_(2)"]


def target(b: Builder) -> Var | None:
    """What to write: rarely a leaf that requires grad, since torch refuses that and the program ends there."""
    if b.chance(0.93) or not b.scope.recording:
        return b.floating(lambda v: not (v.leaf and v.grad) or not b.scope.recording)
    return b.floating()


def perform(b: Builder, statement: str, var: Var | None, *, risk: float = 0.0) -> bool:
    """Emit the write, in a `try` sometimes where torch may refuse it."""
    if var is not None:
        var.range = "any"
        risk = max(risk, 0.6 if var.leaf and var.grad else 0.35 if var.view else 0.08)
    if b.chance(risk):
        with b.block("try:"):
            b.emit(statement)
        with b.block("except RuntimeError:"):
            pass
    else:
        b.emit(statement)
    return True


def partner(b: Builder, x: Var) -> Var | None:
    """A tensor that can be written into `x`."""
    return b.floating(lambda v: v.shape in (x.shape, x.shape[1:], ()))


def _taint(b: Builder, x: Var, *sources: Var) -> None:
    if b.scope.recording and any(source.grad for source in sources):
        x.grad = True


def method(b: Builder) -> bool:
    """`x.op_()`."""
    x = target(b)
    if x is None:
        return False
    names = list(METHODS)
    names += OF_SMALL if x.range in ("unit", "small") else []
    names += OF_POSITIVE if x.range in ("unit", "positive") else []
    return perform(b, f"{x.name}.{b.random.choice(names)}()", x)


def with_scalar(b: Builder) -> bool:
    """`x.op_(number)`."""
    x = target(b)
    if x is None:
        return False
    k = b.number()
    forms = [
        f"add_({k})",
        f"mul_({k})",
        f"sub_({k})",
        f"div_({k})",
        "pow_(2)",
        "clamp_(min=0.1)",
        "clamp_(-1, 1)",
        "fill_(0.5)",
        f"fmod_({k})",
        "clamp_min_(0.2)",
        "masked_fill_({n} > 0.5, 0.0)",
        "nan_to_num_(0.5)",
        "bernoulli_(0.5)",
        "remainder_(0.7)",
        "lerp_(torch.zeros_like({n}), 0.5)",
        "copy_(torch.rand_like({n}))",
        "add_(1).mul_(2)",
        "mul_(torch.rand_like({n}))",
    ]
    return perform(b, f"{x.name}.{b.random.choice(forms).format(n=x.name)}", x)


def with_tensor(b: Builder) -> bool:
    """`x.op_(y)`."""
    x = target(b)
    y = partner(b, x) if x else None
    if x is None or y is None:
        return False
    n, m = x.name, y.name
    forms = [
        f"add_({m})",
        f"mul_({m})",
        f"sub_({m})",
        f"copy_({m})",
        f"div_({m} * {m} + 1)",
        f"add_({m}, alpha=2)",
        f"copy_({m}.detach())",
        f"add_({m}.detach())",
        f"mul_({m}.detach())",
    ]
    if y.shape == x.shape:
        forms += [
            f"addcmul_({m}, {m})",
            f"lerp_({m}, 0.5)",
            f"masked_fill_({m} > 0.5, 0.0)",
            f"atan2_({m} + 2)",
            f"addcdiv_({m}, {m} * {m} + 1)",
            f"hypot_({m})",
        ]
    if y.shape == x.shape and x.rank:
        forms += [f"index_add_(0, torch.arange({x.shape[0]}), {m})", f"index_copy_(0, torch.arange({x.shape[0]}), {m})"]
        forms += [f"scatter_(0, torch.zeros({x.shape}, dtype=torch.long), {m})"]
        forms += [f"scatter_add_(0, torch.zeros({x.shape}, dtype=torch.long), {m})"]
        forms += [f"masked_scatter_({m} > 0.5, {m})"]
    chosen = b.random.choice(forms)
    perform(b, f"{n}.{chosen}", x)
    if ".detach()" not in chosen:
        _taint(b, x, y)
    return True


def augmented(b: Builder) -> bool:
    """`x += y`."""
    x = target(b)
    if x is None:
        return False
    y = partner(b, x)
    op = b.random.choice(["+=", "-=", "*=", "/=", "**=", "+=", "*="])
    n = x.name
    if op == "**=" or y is None or b.chance(0.4):
        forms = (
            ["2"]
            if op == "**="
            else [
                b.number(),
                b.number(),
                f"{n}.detach()",
                f"{n}.mean()",
                f"{n}.sigmoid() + 1",
                f"{n} * {n}",
                f"F.silu({n}) + 2",
                f"{n}",
            ]
        )
        return perform(b, f"{n} {op} {b.random.choice(forms)}", x)
    perform(b, f"{n} {op} {y.name}" if op != "/=" else f"{n} /= {y.name} * {y.name} + 1", x)
    _taint(b, x, y)
    return True


def item(b: Builder) -> bool:
    """`x[index] = value` and `x[index] += value`."""
    x = b.floating(lambda v: v.rank >= 1 and not (v.leaf and v.grad and b.scope.recording and b.chance(0.9)))
    if x is None:
        return False
    index, shape = subscript(b, x)
    y = b.floating(lambda v: v.shape == shape or not v.shape) if shape is not None else None
    if y is not None and b.chance(0.5):
        value = b.random.choice([y.name, y.name, f"{y.name} * 2", f"{y.name}.detach()"])
    else:
        y, value = None, b.random.choice([b.number(), b.number(), "0", "torch.tensor(1.5)"])
    op = b.random.choice(["=", "=", "=", "+=", "*=", "-="])
    perform(b, f"{x.name}[{index}] {op} {value}", x)
    if y is not None and "detach" not in value:
        _taint(b, x, y)
    return True


def subscript(b: Builder, x: Var) -> tuple[str, tuple[int, ...] | None]:
    """An index into `x` and the shape it selects (None: depends on values)."""
    rest, n = x.shape[1:], x.shape[0]
    if n < 2 or rest[:1] == (1,):
        return b.random.choice([("0", rest), ("-1", rest), ("...", x.shape), (":", x.shape), (f"{x.name} > 0.5", None)])
    forms: list[tuple[str, tuple[int, ...] | None]] = [
        ("0", rest),
        ("-1", rest),
        ("1", rest),
        ("1:", (n - 1, *rest)),
        (":-1", (n - 1, *rest)),
        (":2", (2, *rest)),
        (":", x.shape),
        ("...", x.shape),
        ("..., 0", x.shape[:-1]),
        ("::2", ((n + 1) // 2, *rest)),
        (f"{x.name} > 0.5", None),
        ("torch.tensor([0, 1])", (2, *rest)),
        ("[0, 1]", (2, *rest)),
        ("None", (1, *x.shape)),
    ]
    if rest:
        forms += [
            ("0, 1", rest[1:]),
            (":, 0", (n, *rest[1:])),
            (":, 1:", (n, rest[0] - 1, *rest[1:])),
            ("0, :", rest),
            ("1:, :-1", (n - 1, rest[0] - 1, *rest[1:])),
            ("torch.tensor([0, 1]), 0", (2, *rest[1:])),
        ]
    return b.random.choice(forms)


def flagged(b: Builder) -> bool:
    """`F.relu(x, inplace=True)`, `torch.relu_(x)`."""
    x = target(b)
    if x is None:
        return False
    n = x.name
    forms = [
        f"F.{b.random.choice(FLAGGED)}({n}, inplace=True)",
        f"torch.{b.random.choice(FUNCTIONS)}({n})",
        f"F.dropout({n}, 0.5, inplace=True)",
        f"F.leaky_relu_({n}, 0.2)",
        f"F.elu_({n})",
        f"F.threshold({n}, 0.1, 0.0, True)",
        f"nn.ReLU(inplace=True)({n})",
        f"F.rrelu({n}, inplace=True)",
        f"F.relu_({n})",
    ]
    text = b.random.choice(forms)
    if b.chance(0.3):
        var = Var(b.name(), x.shape, "float", "any", x.grad, False, x.view)
        b.emit(f"{var.name} = {text}")
        b.add(var)
        return True
    return perform(b, text, x)


def out(b: Builder) -> bool:
    """`torch.op(..., out=x)`."""
    x = b.floating(lambda v: not v.grad or b.chance(0.2))
    y = b.floating(lambda v: x is not None and v.shape == x.shape and (not v.grad or b.chance(0.2)))
    if x is None or y is None:
        return False
    n, m = x.name, y.name
    forms = [
        f"torch.exp({m}, out={n})",
        f"torch.add({m}, 1, out={n})",
        f"torch.mul({m}, {m}, out={n})",
        f"torch.sub({m}, 0.3, out={n})",
        f"torch.sigmoid({m}, out={n})",
        f"torch.clamp({m}, max=0.4, out={n})",
    ]
    risk = 0.5 if x.grad or y.grad else 0.1
    if b.chance(0.3) and b.scope.recording:
        with b.block("with torch.no_grad():"):
            return perform(b, b.random.choice(forms), x)
    return perform(b, b.random.choice(forms), x, risk=risk)


def initialise(b: Builder) -> bool:
    """`nn.init.*_`, as it is used on parameters."""
    x = b.floating()
    if x is None:
        return False
    n = x.name
    forms = [
        f"nn.init.normal_({n})",
        f"nn.init.zeros_({n})",
        f"nn.init.constant_({n}, 0.3)",
        f"nn.init.uniform_({n}, 1, 2)",
    ]
    if x.rank >= 2:
        forms += [f"nn.init.xavier_uniform_({n})", f"nn.init.kaiming_normal_({n})", f"nn.init.orthogonal_({n})"]
    return perform(b, b.random.choice(forms), x)


def silent(b: Builder) -> bool:
    """A write that the version counter does not see."""
    x = b.floating()
    if x is None:
        return False
    n, tail = x.name, b.random.choice(SILENT)
    forms = [
        f"{n}.data.{tail}",
        f"{n}.data.{tail}",
        f"{n}.data += 1",
        f"{n}.data -= 2.5",
        f"{n}.detach().numpy()[...] = 0.9",
        f"{n}.data = torch.rand({x.shape})" if x.rank else f"{n}.data.sub_(3)",
    ]
    y = b.floating(lambda v: v.shape == x.shape)
    if y is not None:
        forms += [f"{n}.data = {y.name} * 2", f"{n}.data = {y.name}.detach() + 1", f"{n}.data.copy_({y.name} + 1)"]
    if x.rank:
        forms += [f"{n}.data[0] = 7.5", f"{n}.detach().numpy()[0] = 6.5", f"{n}.data[0].sub_(3)"]
    return perform(b, b.random.choice(forms), x)


def array(b: Builder) -> bool:
    """A numpy array on the memory of a tensor, written later or at once."""
    x = b.floating(lambda v: v.rank >= 1)
    if x is None:
        return False
    name = b.name("a")
    b.emit(f"{name} = {x.name}.detach().numpy()")
    if b.chance(0.4):
        b.emit(f"{name} += 1")
    elif b.chance(0.5):
        b.emit(f"{name}[0] = 5.5")
    else:
        shared = Var(b.name(), x.shape, "float", "any", False, True, False)
        b.emit(f"{shared.name} = torch.from_numpy({name})")
        b.add(shared)
        return perform(b, f"{shared.name}.add_(1)", shared)
    return True


def detached(b: Builder) -> bool:
    """A write through `detach()`, which the counter does see; or a copy that is free to be written."""
    x = b.floating()
    if x is None:
        return False
    k = b.number()
    forms = [
        f"{x.name}.detach().add_({k})",
        f"{x.name}.detach().mul_({k})",
        f"{x.name}.detach().zero_()",
        f"{x.name}.detach().clone().add_({k})",
        f"{x.name}.clone().mul_({k})",
    ]
    return perform(b, b.random.choice(forms), None)


def geometry(b: Builder) -> bool:
    """In-place changes of shape or history."""
    x = b.floating(lambda v: not v.view and not (v.leaf and v.grad) and b.scope.inside == "module")
    if x is None:
        return False
    if b.chance(0.4):
        b.emit(f"{x.name} = {x.name}.detach()")
        x.grad, x.leaf = False, False
        return True
    if b.chance(0.5):
        perform(b, f"{x.name}.detach_()", None)
        x.grad = False
        return True
    if len(x.shape) > 2 or "aliased" in b.extras:
        return False
    x.shape = (1, *x.shape)
    b.emit(f"{x.name}.unsqueeze_(0)")
    return True
