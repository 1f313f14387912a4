"""Statements over the width of torch's op table: what is rare in programs and all the more easily wrong in a table."""

from __future__ import annotations

from generated.builder import Builder, Shape
from generated.write import partner, perform, target

UNARY = (
    "absolute angle arctan conj conj_physical digamma fix i0 lgamma negative resolve_conj resolve_neg sinc flipud "
    "rad2deg arcsinh isnan sign signbit float flip msort nan_to_num heaviside"
).split()
BINARY = (
    "clip copysign fmin igamma ldexp logaddexp2 max min multiply pow remainder subtract true_divide arctan2 divide "
    "clamp_min clamp_max xlogy fmod floor_divide eq gt heaviside nextafter type_as view_as"
).split()
IN_PLACE = (
    "absolute_ arctan_ conj_physical_ digamma_ exp2_ fix_ i0_ lgamma_ negative_ sgn_ sinc_ tan_ deg2rad_ rad2deg_ "
    "logit_ nan_to_num_ log_normal_ cauchy_ erfinv_ logical_not_ random_ expm1_ erfc_"
).split()
IN_PLACE_WITH = (
    "atan2_ clamp_min_ clamp_max_ copysign_ eq_ gt_ le_ ne_ hypot_ ldexp_ logical_and_ multiply_ subtract_ "
    "true_divide_ divide_ fmod_ remainder_ pow_ xlogy_ floor_divide_ igamma_ nextafter_ lerp_ heaviside_"
).split()


def unary(b: Builder) -> bool:
    """A function of each element that is seldom written."""
    x = b.floating(lambda v: v.rank >= 1)
    if x is None:
        return False
    op = b.random.choice(UNARY)
    text = f"{x.name}.{op}()"
    if op in ("flip", "flipud"):
        text = f"{x.name}.flip(0)"
    if op == "heaviside":
        text = f"{x.name}.detach().heaviside(torch.ones(()))"
    if op in ("isnan", "signbit"):
        text += ".float()"
    b.result(text, x.shape, x)
    return True


def binary(b: Builder) -> bool:
    """Two tensors of one shape."""
    x = b.floating(lambda v: v.rank >= 1)
    y = b.floating(lambda v: x is not None and v.shape == x.shape)
    if x is None or y is None:
        return False
    op = b.random.choice(BINARY)
    if op in ("floor_divide", "heaviside", "nextafter", "igamma"):
        text = f"{x.name}.detach().abs().{op}({y.name}.detach().abs())"
    elif op == "pow":
        text = f"{x.name}.abs().{op}({y.name})"
    elif op in ("eq", "gt"):
        text = f"{x.name}.{op}({y.name}).float()"
    else:
        text = b.random.choice([f"{x.name}.{op}({y.name})", f"{x.name}.{op}({y.name})"])
    made = b.result(text, x.shape, x, y)
    made.view = op in ("view_as", "type_as")
    return True


def in_place(b: Builder) -> bool:
    """An in-place method without operands."""
    x = target(b)
    return x is not None and perform(b, f"{x.name}.{b.random.choice(IN_PLACE)}()", x)


def in_place_with(b: Builder) -> bool:
    """An in-place method with an operand."""
    x = target(b)
    y = partner(b, x) if x else None
    if x is None or y is None:
        return False
    op = b.random.choice(IN_PLACE_WITH)
    if op in ("floor_divide_", "igamma_", "nextafter_", "heaviside_", "ldexp_"):
        value = f"{y.name}.detach()"
        if x.grad or x.shape != y.shape:
            return False
    elif op == "lerp_":
        if y.shape != x.shape:
            return False
        value = f"{y.name}, {y.name}"
    else:
        value = y.name
        x.grad = x.grad or (y.grad and b.scope.recording)
    return perform(b, f"{x.name}.{op}({value})", x)


def square_in_place(b: Builder) -> bool:
    """Products added in place, and writes by indices."""
    x = b.floating(lambda v: v.rank == 2 and v.shape[0] == v.shape[1] and not (v.leaf and v.grad))
    y = b.floating(lambda v: x is not None and v.shape == x.shape)
    if x is None or y is None:
        return False
    n, m = x.name, y.name
    size = x.shape[0]
    index = f"torch.arange({size})"
    forms = [
        f"{n}.addmm_({m}, {m})",
        f"{n}.addr_({m}[0].clone(), {m}[1].clone())",
        f"{n}.index_fill_(0, torch.tensor([0]), 0.3)",
        f"{n}.tril_()",
        f"{n}.triu_(1)",
        f"{n}.fill_diagonal_(0.4)",
        f"{n}.cumsum_(0)",
        f"{n}.cumprod_(1)",
        f"{n}.index_put_(({index},), {m})",
        f"{n}.index_put_(({index},), {m}, accumulate=True)",
        f"{n}.index_reduce_(0, {index}, {m}, 'mean')",
        f"{n}.scatter_reduce_(0, torch.zeros({x.shape}, dtype=torch.long), {m}, 'sum')",
        f"{n}.renorm_(2, 0, 1.0)",
        f"{n}.put_(torch.tensor([0, 1]), {m}.flatten()[:2].clone())",
        f"torch.fill_({n}, 0.2)",
        f"torch._foreach_add_([{n}], 1)",
        f"torch._foreach_mul_([{n}], 2)",
        f"{n}.sort(0)[0].add_(1)",
        f"{n}.T.add_(1)",
        f"{n}.mT.mul_(2)",
    ]
    chosen = b.random.choice(forms)
    if m in chosen:
        x.grad = x.grad or (y.grad and b.scope.recording)
    return perform(b, chosen, x)


def composed(b: Builder) -> bool:
    """Functions of matrices: norms, products, losses, windows, attention."""
    x = b.floating(lambda v: v.rank == 2 and v.shape[0] > 1 and v.shape[1] > 2)
    y = b.floating(lambda v: x is not None and v.shape == x.shape)
    if x is None or y is None:
        return False
    m = y.name if y is not x else f"({x.name} + 0.5)"
    n, (rows, cols) = x.name, x.shape
    forms: list[tuple[str, Shape]] = [
        (f"torch.linalg.vector_norm({n})", ()),
        (f"torch.linalg.norm({n}, dim=1)", (rows,)),
        (f"{n}.nansum()", ()),
        (f"{n}.nanmean(0)", (cols,)),
        (f"{n}.diff()", (rows, cols - 1)),
        (f"torch.rot90({n})", (cols, rows)),
        (f"{n}.cov()", (rows, rows)),
        (f"{n}.diag()", (min(rows, cols),)),
        (f"torch.addmm(torch.zeros({rows}, {rows}), {n}, {m}.t())", (rows, rows)),
        (f"torch.addmv(torch.zeros({rows}), {n}, {m}[0])", (rows,)),
        (f"torch.addr({n}, {n}[:, 0], {m}[0])", (rows, cols)),
        (f"torch.tensordot({n}, {m}, dims=2)", ()),
        (f"{n}.kthvalue(1, dim=1).values", (rows,)),
        (f"{n}.mode(0).values", (cols,)),
        (f"torch.aminmax({n}).max", ()),
        (f"torch.std_mean({n})[0]", ()),
        (f"torch.var_mean({n}, dim=0)[1]", (cols,)),
        (f"{n}.take(torch.tensor([0, 2]))", (2,)),
        (f"torch.take_along_dim({n}, torch.zeros({rows}, 1, dtype=torch.long), 1)", (rows, 1)),
        (f"{n}.scatter(0, torch.zeros({x.shape}, dtype=torch.long), {m})", x.shape),
        (f"{n}.index_add(0, torch.arange({rows}), {m})", x.shape),
        (f"{n}.masked_scatter({n} > 0, {m})", x.shape),
        (f"torch.select_scatter({n}, {m}[0], 0, 1)", x.shape),
        (f"torch.slice_scatter({n}, {m}[1:], 0, 1)", x.shape),
        (f"torch.diagonal_scatter({n}, torch.ones({min(rows, cols)}))", x.shape),
        (f"{n}.unfold(1, 2, 1)", (rows, cols - 1, 2)),
        (f"torch.block_diag({n}, {m})", (2 * rows, 2 * cols)),
        (f"F.pairwise_distance({n}, {m})", (rows,)),
        (f"F.margin_ranking_loss({n}, {m}, torch.ones({rows}, {cols}))", ()),
        (f"F.hinge_embedding_loss({n}, torch.ones({rows}, {cols}))", ()),
        (f"F.soft_margin_loss({n}, torch.ones({rows}, {cols}))", ()),
        (f"F.triplet_margin_loss({n}, {m}, {n}.flip(0))", ()),
        (f"F.poisson_nll_loss({n}, {m}.detach().abs())", ()),
        (f"F.cosine_embedding_loss({n}, {m}, torch.ones({rows}))", ()),
        (f"F.rms_norm({n}, ({cols},))", x.shape),
        (f"F.multilabel_soft_margin_loss({n}, torch.ones({rows}, {cols}))", ()),
        (f"F.prelu({n}, torch.tensor([0.2]))", x.shape),
        (f"F.scaled_dot_product_attention({n}[None, None], {m}[None, None], {n}[None, None])[0, 0]", x.shape),
        (f"F.conv_transpose1d({n}[None], torch.rand({rows}, 2, 2))[0]", (2, cols + 1)),
        (f"F.max_pool1d({n}[None], 2)[0]", (rows, cols // 2)),
        (f"F.instance_norm({n}[None])[0]", x.shape),
        (f"F.gumbel_softmax({n}, dim=1)", x.shape),
        (f"F.alpha_dropout({n}, 0.3, training=True)", x.shape),
        (f"F.embedding(torch.tensor([0, 1]), {n})", (2, cols)),
        (f"F.embedding_bag(torch.tensor([[0, 1]]), {n})", (1, cols)),
        (f"torch.logdet({n} @ {n}.t() + 9 * torch.eye({rows}))", ()),
        (f"torch.linalg.inv({n} @ {n}.t() + 9 * torch.eye({rows}))", (rows, rows)),
        (f"torch.linalg.solve({n} @ {n}.t() + 9 * torch.eye({rows}), {m})", x.shape),
        (f"torch.trapezoid({n})", (rows,)),
        (f"torch.meshgrid({n}[0], {m}[0], indexing='ij')[0]", (cols, cols)),
        (f"torch.broadcast_tensors({n}, {m}[0])[1]", x.shape),
        (f"torch.hsplit({n}, [1])[0]", (rows, 1)),
        (f"torch.atleast_3d({n})", (rows, cols, 1)),
        (f"{n}.masked_select({n} > -99)", (rows * cols,)),
        (f"F.local_response_norm({n}[None], 2)[0]", x.shape),
        (f"F.bilinear({n}, {m}, torch.rand(2, {cols}, {cols}))", (rows, 2)),
        (f"F.fold(F.unfold({n}[None, None], 2), ({rows}, {cols}), 2)[0, 0]", x.shape),
        (f"{n}.logsumexp((0, 1))", ()),
        (f"F.smooth_l1_loss({n}, {m}, beta=0.5)", ()),
        (f"F.cross_entropy({n}, {m}.detach().softmax(1))", ()),
        (f"F.cross_entropy({n}, torch.zeros({rows}, dtype=torch.long), label_smoothing=0.1)", ()),
        (f"F.gaussian_nll_loss({n}, {m}, torch.ones({rows}, {cols}))", ()),
        (f"torch.cumulative_trapezoid({n})", (rows, cols - 1)),
        (f"torch.logcumsumexp({n}, 0)", x.shape),
        (f"torch.hstack([{n}, {m}])", (rows, 2 * cols)),
        (f"torch.float_power({n}.abs() + 1, 2).float()", x.shape),
        (f"torch.count_nonzero({n}).float()", ()),
        (f"torch.dot({n}[0], {m}[0])", ()),
        (f"torch.inner({n}, {m})", (rows, rows)),
        (f"torch.kron({n}[:1], {m}[:1])", (1, cols * cols)),
        (f"torch.chain_matmul({n}, {m}.t())", (rows, rows)),
        (f"{n}.unflatten(1, (1, {cols}))", (rows, 1, cols)),
        (f"{n}.swapaxes(0, 1)", (cols, rows)),
        (f"torch.nn.utils.rnn.pad_sequence([{n}, {m}[1:]])", (rows, 2, cols)),
        (f"{n}.tile(2)", (rows, 2 * cols)),
        (f"{n}.repeat(2, 1)", (2 * rows, cols)),
    ]
    text, shape = b.random.choice(forms)
    if max(shape, default=0) > 8:
        return False
    made = b.result(text, shape, x, y)
    views = ("unfold", "meshgrid", "broadcast", "hsplit", "atleast", "unflatten", "swapaxes", "diag()")
    made.view = any(word in text for word in views)
    return True
