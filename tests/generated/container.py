"""Tensors in lists, tuples, dicts and attributes, and what is done through them."""

from __future__ import annotations

from dataclasses import dataclass

from generated.builder import Builder, Var


@dataclass
class Group:
    """A list of tensors of one shape, by the name of the list."""

    name: str
    members: list[Var]


def _same(b: Builder, wanted: int) -> list[Var]:
    x = b.floating(lambda v: not (v.leaf and v.grad and b.chance(0.7)))
    if x is None:
        return []
    alike = [v for v in b.scope.vars if v.dtype == "float" and v.shape == x.shape]
    return [x, *(b.random.choice(alike) for _ in range(wanted - 1))]


def group(b: Builder) -> bool:
    """A list of tensors."""
    members = _same(b, b.random.randint(2, 3))
    if not members or b.scope.inside == "function":
        return False
    name = b.name("xs")
    n = members[0].name
    forms = [f"[{', '.join(member.name for member in members)}]"] * 3
    forms += [
        f"[{n} * k for k in (2, 3)]",
        f"[{n}.clone() for _ in range(2)]",
        f"list({n}.unbind(0))" if members[0].rank > 1 else f"[{n}, {n}]",
    ]
    text = b.random.choice(forms)
    b.emit(f"{name} = {text}")
    if "for " in text or "unbind" in text:
        shape = members[0].shape[1:] if "unbind" in text else members[0].shape
        count = members[0].shape[0] if "unbind" in text else 2
        members = [
            Var(f"{name}[{at}]", shape, "float", "any", members[0].grad, False, "unbind" in text) for at in range(count)
        ]
    b.extras.setdefault("groups", []).append(Group(name, members))
    return True


def _pick(b: Builder) -> Group | None:
    groups = b.extras.get("groups", [])
    if not groups or b.scope.inside == "function":
        return None
    chosen = b.random.choice(groups)
    assert isinstance(chosen, Group)
    return chosen


def use(b: Builder) -> bool:
    """Something new from a list of tensors."""
    chosen = _pick(b)
    if chosen is None:
        return False
    n, members = chosen.name, chosen.members
    shape, first = members[0].shape, members[0]
    forms = [
        (f"torch.stack({n})", (len(members), *shape)),
        (f"sum({n})", shape),
        (f"{n}[0] * {n}[1]", shape),
        (f"{n}[-1].exp()", shape),
        (f"torch.cat([t.flatten() for t in {n}])", None),
        (f"{n}[0]", shape),
        (f"max({n}, key=lambda t: t.numel())", shape),
    ]
    text, result = b.random.choice(forms)
    if result is None:
        total = len(members)
        for extent in shape:
            total *= extent
        result = (total,)
    made = b.result(text, result, *members)
    made.view = text == f"{n}[0]" and first.view
    made.leaf = text == f"{n}[0]" and first.leaf
    return len(result) < 4


def change(b: Builder) -> bool:
    """The list, or a tensor in it, is changed."""
    chosen = _pick(b)
    if chosen is None:
        return False
    n, members = chosen.name, chosen.members
    forms = [
        f"{n}[0] += 1",
        f"{n}[-1].mul_(2)",
        f"{n}[0] = {n}[0] * 2",
        f"{n}[0], {n}[1] = {n}[1], {n}[0]",
        f"{n}.reverse()",
        f"{n}.append({n}[0].sigmoid())",
    ]
    form = b.random.randrange(9)
    if form < 6:
        text = forms[form]
        b.emit(text)
        if "reverse" in text or ", " in text:
            members.reverse()
        if "append" in text:
            members.append(Var(f"{n}[{len(members)}]", members[0].shape, "float", "any", members[0].grad))
        if text.startswith(f"{n}[0] = "):
            members[0] = Var(f"{n}[0]", members[0].shape, "float", "any", members[0].grad)
        for member in members:
            member.range = "any"
    elif form == 6:
        with b.block(f"for t in {n}:"):
            b.emit(b.random.choice(["t.add_(1)", "t *= 2", "t = t * 2", "t.data.add_(1)", "t.clamp_(min=0.1)"]))
    elif form == 7:
        b.emit(f"{n} = [t * 2 for t in {n}]")
        chosen.members = [
            Var(f"{n}[{at}]", member.shape, "float", "any", member.grad) for at, member in enumerate(members)
        ]
    else:
        with b.block(f"for i, t in enumerate({n}):"):
            b.emit(b.random.choice([f"{n}[i] = t + 1", "t.add_(i + 1)", f"{n}[i] *= 2"]))
        if b.lines[-1].strip() == f"{n}[i] = t + 1":
            chosen.members = [
                Var(f"{n}[{at}]", member.shape, "float", "any", member.grad) for at, member in enumerate(members)
            ]
    return True


def mapping(b: Builder) -> bool:
    """A dict of tensors, written through."""
    x, y = b.floating(lambda v: not (v.leaf and v.grad)), b.floating()
    if x is None or y is None:
        return False
    name = b.name("d")
    b.emit(b.random.choice([f"{name} = {{'a': {x.name}, 'b': {y.name}}}", f"{name} = dict(a={x.name}, b={y.name})"]))
    b.emit(
        b.random.choice(
            [
                f"{name}['a'] += 1",
                f"{name}['a'].mul_(2)",
                f"{name}['c'] = {name}['a'].exp()",
                f"{name}['a'] = {name}['b'] * 2",
                f"for key, t in {name}.items(): t.sum()",
                f"{name}.update(a={name}['b'])",
            ]
        )
    )
    x.range = "any"
    shape = (
        y.shape
        if b.lines[-1].strip() in (f"{name}['a'] = {name}['b'] * 2", f"{name}.update(a={name}['b'])")
        else x.shape
    )
    made = b.result(b.random.choice([f"{name}['a']", f"{name}.get('a')", f"{name}['a'] * 2"]), shape, x, y)
    made.view = True
    return True


def holder(b: Builder) -> bool:
    """A tensor as an attribute of an object."""
    x = b.floating(lambda v: not (v.leaf and v.grad))
    if x is None or b.scope.inside == "function":
        return False
    if "class Box:" not in b.prelude:
        b.prelude += ["class Box:", "    pass", ""]
    name = b.name("box")
    b.emit(f"{name} = Box()")
    b.emit(f"{name}.t = {x.name}")
    b.emit(
        b.random.choice(
            [
                f"{name}.t += 1",
                f"{name}.t.mul_(2)",
                f"{name}.t = {name}.t.exp()",
                f"{name}.t.zero_()",
                f"{name}.u = {name}.t.detach()",
            ]
        )
    )
    x.range = "any"
    made = b.result(f"{name}.t" if b.chance(0.5) else f"{name}.t * 2", x.shape, x)
    made.view = x.view
    return True


def swap(b: Builder) -> bool:
    """Two names exchanged, or one tensor unpacked from a tuple."""
    pair = _same(b, 2)
    if len(pair) < 2:
        return False
    first, other = pair
    if b.chance(0.5) and first is not other and not (first.leaf or other.leaf or first.view or other.view):
        b.emit(f"{first.name}, {other.name} = {other.name}, {first.name}")
        first.grad = other.grad = first.grad or other.grad
        first.range = other.range = "any"
        return True
    made = Var(b.name(), first.shape, "float", "any", first.grad, first.leaf, first.view)
    b.emit(f"{made.name}, *_ = ({first.name}, {other.name}, 1)")
    b.add(made)
    return True
