"""Statements that compute something new: element by element, along a dimension, by matrices, to a scalar."""

from __future__ import annotations

from generated.builder import Builder, Shape, Var

SHAPES: list[Shape] = [(3,), (4,), (2, 3), (3, 4), (3, 3), (2, 3, 4), (4, 3)]

ANYWHERE = (
    "abs neg square sin cos tanh sigmoid sinh asinh atan erf erfc sign relu floor round frac "
    "positive nan_to_num clone sgn deg2rad".split()
)
OF_SMALL = "exp expm1 exp2 cosh tan softplus logsigmoid".split()
OF_POSITIVE = "log log1p log2 log10 sqrt rsqrt reciprocal".split()
OF_UNIT = "logit asin acos atanh".split()
FUNCTIONAL = (
    "relu gelu silu elu selu celu leaky_relu softplus hardtanh relu6 mish logsigmoid softsign tanhshrink hardswish "
    "hardsigmoid softshrink hardshrink".split()
)
RANGES = {
    "sin": "small",
    "cos": "small",
    "tanh": "small",
    "sigmoid": "unit",
    "erf": "small",
    "atan": "small",
    "exp": "positive",
    "square": "any",
    "sqrt": "positive",
    "exp2": "positive",
    "sign": "small",
    "frac": "small",
    "softplus": "positive",
    "cosh": "positive",
    "hardtanh": "small",
}


def leaf(b: Builder) -> bool:
    """A tensor of the program's own, often one that requires grad."""
    shape = b.random.choice(SHAPES)
    size = ", ".join(map(str, shape))
    grad = b.chance(0.7)
    form = b.random.randrange(8)
    flag = ", requires_grad=True" if grad else ""
    var = Var(b.name("w"), shape, "float", "unit" if form not in (1, 3, 4) else "small", grad, True)
    if form in (0, 2, 5):
        b.emit(f"{var.name} = torch.rand({size}{flag})")
    elif form == 1:
        b.emit(f"{var.name} = torch.randn({size}{flag})")
    elif form == 3:
        b.emit(f"{var.name} = nn.Parameter(torch.randn({size}))")
        var.grad = True
    elif form == 4:
        b.emit(f"{var.name} = torch.full(({size},), 1.5{flag})")
    elif form == 6:
        b.emit(f"{var.name} = torch.rand({size})")
        if grad:
            b.emit(b.random.choice([f"{var.name}.requires_grad_()", f"{var.name}.requires_grad = True"]))
    else:
        b.emit(f"{var.name} = torch.full(({size},), 0.8{flag})")
        var.range = "small"
    b.add(var)
    return True


def unary(b: Builder) -> bool:
    """A function of each element."""
    x = b.floating()
    if x is None:
        return False
    names = list(ANYWHERE)
    if x.range in ("unit", "small"):
        names += OF_SMALL * 2
    if x.range in ("unit", "positive"):
        names += OF_POSITIVE * 2
    if x.range == "unit":
        names += OF_UNIT
    if b.chance(0.35):
        return _functional(b, x)
    op = b.random.choice(names)
    if op in ("softplus", "logsigmoid"):
        text = f"F.{op}({x.name})"
    else:
        text = b.random.choice([f"{x.name}.{op}()", f"torch.{op}({x.name})"])
    b.result(text, x.shape, x, range=RANGES.get(op, "any"))
    return True


def _functional(b: Builder, x: Var) -> bool:
    op = b.random.choice(FUNCTIONAL)
    b.result(f"F.{op}({x.name})", x.shape, x, range=RANGES.get(op, "any"))
    return True


def parametrised(b: Builder) -> bool:
    """An op with options of its own."""
    x = b.floating()
    if x is None:
        return False
    n = x.name
    forms = [
        f"{n} ** 2",
        f"{n} ** 3",
        f"2 ** {n}",
        f"{n}.pow(2)",
        f"{n}.clamp(min=0.1)",
        f"{n}.clamp(-0.5, 0.5)",
        f"torch.clamp({n}, max=0.4)",
        f"F.dropout({n}, 0.5)",
        f"F.dropout({n}, 0.5, training=False)",
        f"F.threshold({n}, 0.2, 0.0)",
        f"F.leaky_relu({n}, 0.2)",
        f"{n}.masked_fill({n} > 0.5, 0.0)",
        f"torch.where({n} > 0.3, {n}, -{n})",
        f"{n} * 2",
        f"{n} / 3",
        f"1 - {n}",
        f"2 / ({n} + 5)",
        f"-{n}",
        f"{n} + 1",
        f"{n}.mul(0.5)",
        f"F.hardtanh({n}, -0.5, 0.5)",
        f"{n}.relu()",
        f"{n}.lerp(torch.ones_like({n}), 0.3)",
        f"{n}.type(torch.float32)",
        f"{n}.to(torch.float64).float()",
        f"torch.zeros_like({n}) + {n}",
        f"{n}.fmod(0.7)",
        f"{n} % 0.7",
        f"{n}.detach() // 0.5",
        f"{n}.addcmul({n}, {n}, value=0.5)",
        f"abs({n})",
        f"{n}.sub(1).div(2)",
        f"({n} - {n}.mean()) / ({n}.std() + 1)",
        f"{n} / {n}.norm()",
        f"torch.rsub({n}, 1)",
        f"{n}.float()",
        f"{n}.contiguous()",
    ]
    b.result(b.random.choice(forms), x.shape, x)
    return True


def binary(b: Builder) -> bool:
    """Two tensors, element by element."""
    x = b.floating()
    y = b.floating(lambda v: x is not None and (v.shape == x.shape or v.shape == x.shape[1:] or not v.shape))
    if x is None or y is None:
        return False
    if b.chance(0.5):
        text = f"{x.name} {b.random.choice(['+', '-', '*', '*', '*'])} {y.name}"
    elif b.chance(0.3):
        text = f"{x.name} / ({y.name} * {y.name} + 1)"
    else:
        op = b.random.choice("add sub mul mul div maximum minimum atan2 hypot logaddexp fmax xlogy".split())
        text = f"torch.{op}({x.name}, {y.name})"
    b.result(text, x.shape, x, y)
    return True


def ternary(b: Builder) -> bool:
    """Three operands."""
    x = b.floating()
    y = b.floating(lambda v: x is not None and v.shape == x.shape)
    z = b.floating(lambda v: x is not None and v.shape == x.shape)
    if x is None or y is None or z is None:
        return False
    n, m, k = x.name, y.name, z.name
    forms = [
        f"torch.addcmul({n}, {m}, {k})",
        f"torch.lerp({n}, {m}, {k})",
        f"torch.where({n} > 0, {m}, {k})",
        f"{n} * {m} + {k}",
        f"torch.addcdiv({n}, {m}, {k} * {k} + 1)",
        f"({n} - {m}).abs() * {k}",
        f"torch.lerp({n}, {m}, 0.4) + {k}",
    ]
    b.result(b.random.choice(forms), x.shape, x, y, z)
    return True


def along(b: Builder) -> bool:
    """An op along one dimension that keeps the shape."""
    x = b.floating(lambda v: v.rank >= 1)
    if x is None:
        return False
    n, d = x.name, b.random.randrange(x.rank)
    forms = [
        f"{n}.softmax({d})",
        f"F.log_softmax({n}, dim={d})",
        f"torch.softmax({n}, -1)",
        f"{n}.cumsum({d})",
        f"{n}.cumprod({d})",
        f"F.normalize({n}, dim={d})",
        f"{n}.flip({d})",
        f"{n}.roll(1, {d})",
        f"{n}.sort({d})[0]",
        f"F.layer_norm({n}, {n}.shape[-1:])",
        f"{n}.logcumsumexp({d})",
        f"{n}.cummax({d})[0]",
        f"F.softmin({n}, dim={d})",
        f"F.glu(torch.cat([{n}, {n}], -1))",
        f"torch.renorm({n}, 2, 0, 1.0)" if x.rank > 1 else f"{n}.cumsum(0)",
    ]
    b.result(b.random.choice(forms), x.shape, x)
    return True


def reduction(b: Builder) -> bool:
    """To a scalar, or by one dimension."""
    x = b.floating(lambda v: v.rank >= 1)
    if x is None:
        return False
    n, d = x.name, b.random.randrange(x.rank)
    if b.chance(0.4):
        op = b.random.choice("sum mean prod max min norm std var amax amin median".split())
        b.result(f"{n}.{op}()", (), x)
        return True
    shape = x.shape[:d] + x.shape[d + 1 :]
    op = b.random.choice("sum mean prod amax amin logsumexp norm std var max min median".split())
    text = f"{n}.norm(dim={d})" if op == "norm" else f"{n}.{op}({d})"
    b.result(text + (".values" if op in ("max", "min", "median") else ""), shape, x)
    return True


def matrix(b: Builder) -> bool:
    """A product of matrices."""
    x = b.floating(lambda v: v.rank >= 2)
    if x is None:
        return False
    n, rows, cols = x.name, x.shape[-2], x.shape[-1]
    y = b.floating(lambda v: v.rank == 2 and v.shape[0] == cols)
    t = b.floating(lambda v: v.rank == 2 and v.shape[1] == cols)
    v = b.floating(lambda v: v.shape == (cols,))
    forms: list[tuple[str, Shape, tuple[Var, ...]]] = [
        (f"{n} @ {n}.transpose(-1, -2)", (*x.shape[:-1], rows), (x,)),
        (f"F.linear({n}, torch.rand(2, {cols}))", (*x.shape[:-1], 2), (x,)),
    ]
    if y:
        forms += [(f"{n} @ {y.name}", (*x.shape[:-1], y.shape[1]), (x, y))] * 2
        forms += [(f"torch.matmul({n}, {y.name})", (*x.shape[:-1], y.shape[1]), (x, y))]
    if y and x.rank == 2:
        forms += [(f"{n}.mm({y.name})", (rows, y.shape[1]), (x, y))]
        forms += [(f"torch.einsum('ij,jk->ik', {n}, {y.name})", (rows, y.shape[1]), (x, y))]
    if t:
        forms += [(f"F.linear({n}, {t.name})", (*x.shape[:-1], t.shape[0]), (x, t))] * 2
    if v:
        forms += [(f"{n} @ {v.name}", x.shape[:-1], (x, v))]
    if v and x.rank == 2:
        forms += [(f"{n}.mv({v.name})", (rows,), (x, v))]
    text, shape, sources = b.random.choice(forms)
    b.result(text, shape, *sources)
    return True


def gather(b: Builder) -> bool:
    """Rows and elements chosen by indices, and several tensors put together."""
    x = b.floating(lambda v: v.rank >= 1 and min(v.shape) >= 2)
    if x is None:
        return False
    y = b.floating(lambda v: v.shape == x.shape) or x
    n, m, d = x.name, y.name, b.random.randrange(x.rank)
    twice = (*x.shape[:d], 2 * x.shape[d], *x.shape[d + 1 :])
    two = (*x.shape[:d], 2, *x.shape[d + 1 :])
    rows = (2, *x.shape[1:])
    forms: list[tuple[str, Shape]] = [
        (f"torch.cat([{n}, {m}], {d})", twice),
        (f"torch.stack([{n}, {m}])", (2, *x.shape)),
        (f"torch.stack(({n}, {m}), dim={d})", (*x.shape[:d], 2, *x.shape[d:])),
        (f"{n}.index_select({d}, torch.tensor([0, 1]))", two),
        (f"{n}[torch.tensor([1, 0])]", rows),
        (f"{n}[[0, 1]]", rows),
        (f"torch.gather({n}, {d}, torch.zeros({n}.shape, dtype=torch.long))", x.shape),
        (f"{n}.repeat_interleave(2, dim={d})", twice),
        (f"F.pad({n}, (1, 1))", (*x.shape[:-1], x.shape[-1] + 2)),
        (f"{n}.topk(2, dim={d})[0]", two),
        (f"torch.vstack([{n}, {m}])", (2, *x.shape) if x.rank == 1 else (2 * x.shape[0], *x.shape[1:])),
        (f"torch.outer({n}.flatten()[:2], {m}.flatten()[:2])", (2, 2)),
        (
            f"torch.cdist({n}, {m})" if x.rank == 2 else f"{n}.clone()",
            (x.shape[0], x.shape[0]) if x.rank == 2 else x.shape,
        ),
    ]
    text, shape = b.random.choice(forms)
    if max(shape, default=0) > 8:
        return False
    b.result(text, shape, x, y)
    return True


def network(b: Builder) -> bool:
    """Convolutions, pooling, norms and losses."""
    x = b.floating(lambda v: v.rank in (2, 3) and v.shape[-1] >= 3 and v.shape[0] > 1)
    if x is None:
        return False
    y = b.floating(lambda v: v.shape == x.shape) or x
    n, m, size = x.name, y.name if y is not x else f"({x.name} * 2 + 1)", x.shape
    rows, last = size[0], size[-1]
    forms: list[tuple[str, Shape]] = [
        (f"F.mse_loss({n}, {m})", ()),
        (f"F.l1_loss({n}, {m})", ()),
        (f"F.smooth_l1_loss({n}, {m})", ()),
        (f"F.huber_loss({n}, {m})", ()),
        (f"F.binary_cross_entropy(torch.sigmoid({n}).nan_to_num(0.5), torch.full({tuple(size)}, 0.5))", ()),
        (f"F.binary_cross_entropy_with_logits({n}, torch.full({tuple(size)}, 0.5))", ()),
        (f"F.kl_div(F.log_softmax({n}, -1), F.softmax({m}, -1), reduction='batchmean')", ()),
        (f"F.cosine_similarity({n}, {m}, dim=-1)", size[:-1]),
        (f"F.layer_norm({n}, ({last},))", size),
    ]
    if len(size) == 2:
        forms += [
            (f"F.cross_entropy({n}, torch.zeros({rows}, dtype=torch.long))", ()),
            (f"F.nll_loss(F.log_softmax({n}, 1), torch.ones({rows}, dtype=torch.long))", ()),
            (f"F.batch_norm({n}, None, None, training=True)", size),
            (f"F.conv1d({n}.unsqueeze(0), torch.rand(2, {rows}, 2))", (1, 2, last - 1)),
        ]
    else:
        forms += [
            (f"F.conv1d({n}, torch.rand(2, {size[1]}, 2))", (rows, 2, last - 1)),
            (f"F.max_pool1d({n}, 2)", (*size[:2], last // 2)),
            (f"F.avg_pool1d({n}, 2)", (*size[:2], last // 2)),
            (f"torch.bmm({n}, {m}.transpose(1, 2))", (rows, size[1], size[1])),
            (f"F.conv2d({n}.unsqueeze(0), torch.rand(1, {rows}, 2, 2))", (1, 1, size[1] - 1, last - 1)),
            (f"F.adaptive_avg_pool1d({n}, 2)", (*size[:2], 2)),
            (f"F.batch_norm({n}, None, None, training=True)", size),
            (f"F.group_norm({n}, 1)", size),
            (f"F.interpolate({n}, scale_factor=2)", (*size[:2], 2 * last)),
        ]
    text, shape = b.random.choice(forms)
    b.result(text, shape, x, y)
    return True
