"""Statements that make another name for the same memory."""

from __future__ import annotations

from generated.builder import Builder, Shape, Var
from generated.write import perform, subscript


def _view(b: Builder, x: Var, text: str, shape: Shape) -> Var:
    return b.assign(text, Var("", shape, x.dtype, x.range, x.grad and b.scope.recording, False, True))


def plain(b: Builder) -> bool:
    """One view of one tensor."""
    x = b.floating(lambda v: v.rank >= 1)
    if x is None:
        return False
    n, size, d = x.name, x.shape, b.random.randrange(x.rank)
    total = 1
    for extent in size:
        total *= extent
    swapped = (*size[:-2], size[-1], size[-2]) if x.rank > 1 else size
    forms: list[tuple[str, Shape]] = [
        (f"{n}.view(-1)" if not x.view else f"{n}.reshape(-1)", (total,)),
        (f"{n}.reshape({total}, 1)", (total, 1)),
        (f"{n}.flatten()", (total,)),
        (f"{n}.ravel()", (total,)),
        (f"{n}.unsqueeze(0)", (1, *size)),
        (f"{n}[None]", (1, *size)),
        (f"{n}.narrow({d}, 0, 2)", (*size[:d], 2, *size[d + 1 :])),
        (f"{n}.select({d}, 1)", size[:d] + size[d + 1 :]),
        (f"{n}.view_as({n})", size),
        (f"{n}.detach()", size),
        (f"{n}.movedim(0, -1)", (*size[1:], size[0])),
        (f"{n}.expand(2, {', '.join(['-1'] * x.rank)})", (2, *size)),
        (f"{n}.squeeze()", tuple(e for e in size if e != 1)),
    ]
    if x.rank > 1:
        forms += [
            (f"{n}.transpose(-1, -2)", swapped),
            (f"{n}.mT", swapped),
            (f"{n}.flatten(0, 1)", (size[0] * size[1], *size[2:])),
            (f"{n}.permute({', '.join(map(str, reversed(range(x.rank))))})", tuple(reversed(size))),
        ]
    if x.rank == 2:
        forms += [(f"{n}.t()", swapped), (f"{n}.T", swapped), (f"{n}.diagonal()", (min(size),))]
    text, shape = b.random.choice(forms)
    if 1 in size and any(part in text for part in ("squeeze()", "narrow", "select")):
        return False
    view = _view(b, x, text, shape)
    view.grad = view.grad and ".detach()" not in text
    return True


def indexed(b: Builder) -> bool:
    """`y = x[index]`."""
    x = b.floating(lambda v: v.rank >= 1)
    if x is None:
        return False
    index, shape = subscript(b, x)
    if shape is None or 0 in shape:
        return False
    _view(b, x, f"{x.name}[{index}]", shape)
    return True


def several(b: Builder) -> bool:
    """Several views made at once."""
    x = b.floating(lambda v: v.rank >= 1 and v.shape[0] in (2, 3, 4))
    if x is None:
        return False
    n, size = x.name, x.shape
    form = b.random.randrange(6)
    if form == 0:
        parts, text, shapes = size[0], f"{n}.unbind(0)", [size[1:]] * size[0]
    elif form == 1:
        parts, text, shapes = size[0], n, [size[1:]] * size[0]
    elif form == 2 and size[0] == 4:
        parts, text, shapes = 2, f"torch.chunk({n}, 2)", [(2, *size[1:])] * 2
    elif form == 3 and size[0] == 4:
        parts, text, shapes = 2, f"torch.tensor_split({n}, 2)", [(2, *size[1:])] * 2
    else:
        left = size[0] - 1
        parts, text, shapes = 2, f"{n}.split([{left}, 1])", [(left, *size[1:]), (1, *size[1:])]
    made = [
        Var(b.name(), shape, x.dtype, x.range, x.grad and b.scope.recording, False, True) for shape in shapes[:parts]
    ]
    b.emit(f"{', '.join(part.name for part in made)} = {text}")
    for part in made:
        b.add(part)
    return True


def part_of_several(b: Builder) -> bool:
    """One of several views, by index; written at once sometimes."""
    x = b.floating(lambda v: v.rank >= 1 and v.shape[0] in (2, 4))
    if x is None:
        return False
    half = (x.shape[0] // 2, *x.shape[1:])
    text, shape = b.random.choice(
        [
            (f"{x.name}.chunk(2)[0]", half),
            (f"torch.split({x.name}, 1)[0]", (1, *x.shape[1:])),
            (f"{x.name}.unbind()[1]", x.shape[1:]),
        ]
    )
    if b.chance(0.3):
        return perform(b, f"{text}.{b.random.choice(['add_(1)', 'mul_(2)', 'zero_()'])}", None, risk=0.5)
    _view(b, x, text, shape)
    return True


def alias(b: Builder) -> bool:
    """The very same tensor under another name, through a container now and then."""
    x = b.floating()
    if x is None:
        return False
    n = x.name
    form = b.random.choice(
        [
            n,
            n,
            f"[{n}, 0][0]",
            f"({n}, 1)[0]",
            f"{{'key': {n}}}['key']",
            f"{n}.contiguous()" if not x.view else n,
            f"{n}.float()",
            f"{n}.cpu()",
        ]
    )
    b.extras["aliased"] = [True]
    b.assign(form, Var("", x.shape, x.dtype, x.range, x.grad, x.leaf, x.view))
    return True


def chained_write(b: Builder) -> bool:
    """A view that is written in the same statement."""
    x = b.floating(lambda v: v.rank >= 1 and not (v.leaf and v.grad and b.scope.recording and b.chance(0.8)))
    if x is None:
        return False
    n, k = x.name, b.number()
    forms = [
        f"{n}.view(-1)[0] = {k}" if not x.view else f"{n}[0] = {k}",
        f"{n}[0].add_({k})",
        f"{n}[1:].mul_({k})",
        f"{n}.select(0, 0).fill_({k})",
        f"{n}.narrow(0, 0, 1).zero_()",
        f"{n}.unsqueeze(0).add_({k})",
        f"{n}.expand(2, {', '.join(['-1'] * x.rank)}).add_(1)",
        f"{n}[1:] += {n}[:-1]",
        f"{n}[:-1].copy_({n}[1:])",
        f"{n}.flatten().add_({k})" if not x.view else f"{n}[...] = {k}",
        f"{n}.detach()[0] = {k}",
        f"{n}[:2].add_({n}[:2].sum())",
    ]
    if x.rank > 1:
        forms += [
            f"{n}.transpose(0, 1).mul_({k})",
            f"{n}[:, 0] = {k}",
            f"{n}[0][0] = {k}",
            f"{n}[0, 1:] *= {k}",
            f"{n}.transpose(-1, -2)[0].zero_()",
        ]
    return perform(b, b.random.choice(forms), None, risk=0.3)
