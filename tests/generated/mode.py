"""Grad modes around statements, and the walks of the graph."""

from __future__ import annotations

from generated import compute, view, write
from generated.builder import Builder, Maker, Var, body

INSIDE: list[tuple[float, Maker]] = [
    (2, compute.unary),
    (1, compute.binary),
    (1, compute.parametrised),
    (2, write.method),
    (2, write.with_scalar),
    (2, write.with_tensor),
    (1, write.augmented),
    (1, write.item),
    (1.5, view.plain),
    (1, view.indexed),
    (0.5, view.several),
    (0.7, compute.leaf),
    (0.5, write.out),
    (0.4, view.chained_write),
]

OFF = [
    "torch.no_grad()",
    "torch.no_grad()",
    "torch.no_grad()",
    "torch.set_grad_enabled(False)",
    "torch.inference_mode()",
]
ON = ["torch.enable_grad()", "torch.set_grad_enabled(True)", "torch.inference_mode(False)"]


def context(b: Builder) -> bool:
    """`with torch.no_grad():` and the like."""
    recording = b.chance(0.15) if b.scope.recording else b.chance(0.6)
    name = b.random.choice(ON if recording else OFF)
    kept = b.scope.recording
    b.scope.recording = recording
    with b.block(f"with {name}:"):
        body(b, INSIDE, b.random.randint(1, 3))
        if kept and b.chance(0.1):
            context(b)
    b.scope.recording = kept
    return True


def switch(b: Builder) -> bool:
    """`torch.set_grad_enabled(...)` as a call, taken back after a few statements."""
    if not b.scope.recording or b.scope.inside != "module":
        return False
    b.emit("torch.set_grad_enabled(False)")
    b.scope.recording = False
    body(b, INSIDE, b.random.randint(1, 3))
    b.emit("torch.set_grad_enabled(True)")
    b.scope.recording = True
    return True


def unrecorded_leaf_update(b: Builder) -> bool:
    """The hand-written gradient step."""
    x = b.floating(lambda v: v.leaf and v.grad)
    if x is None:
        return False
    with b.block("with torch.no_grad():"):
        b.emit(
            b.random.choice(
                [f"{x.name} -= 0.1", f"{x.name}.mul_(0.9)", f"{x.name}.copy_({x.name} * 2)", f"{x.name}[...] = 0.3"]
            )
        )
    return True


# Backward


def backward(b: Builder) -> bool:
    """A loss from some tensors, and a walk."""
    if not b.scope.recording:
        return False
    roots = _roots(b)
    if not roots:
        return False
    loss = Var(b.name("loss"), (), "float", "any", True)
    terms = [
        b.random.choice(["{}.sum()", "{}.sum()", "{}.mean()", "({} * 2).sum()", "({} ** 2).sum()"]).format(root.name)
        for root in roots
    ]
    b.emit(f"{loss.name} = {' + '.join(terms)}")
    walk(b, loss)
    if b.chance(0.2):
        walk(b, loss)
    b.add(loss)
    return True


def _roots(b: Builder) -> list[Var]:
    fitting = [var for var in b.scope.vars if var.grad and not var.leaf and var.dtype == "float"]
    if not fitting:
        fitting = [var for var in b.scope.vars if var.grad and var.dtype == "float"]
    return b.random.sample(fitting, min(len(fitting), b.random.randint(1, 4)))


def walk(b: Builder, loss: Var) -> None:
    """`loss.backward()` in one of its forms."""
    leaves = [var for var in b.scope.vars if var.leaf and var.grad]
    n = loss.name
    forms = [f"{n}.backward()"] * 6 + [f"{n}.backward(retain_graph=True)"] * 3 + [f"torch.autograd.backward({n})"]
    if leaves:
        leaf = b.random.choice(leaves).name
        forms += [
            f"torch.autograd.grad({n}, {leaf}, allow_unused=True)",
            f"torch.autograd.grad({n}, [{leaf}], retain_graph=True, allow_unused=True)",
        ]
    b.emit(b.random.choice(forms))


def direct(b: Builder) -> bool:
    """`x.sum().backward()` without a name for the loss."""
    x = b.floating(lambda v: v.grad and not v.leaf)
    if x is None or not b.scope.recording:
        return False
    b.emit(
        b.random.choice(
            [
                f"{x.name}.sum().backward()",
                f"{x.name}.mean().backward(retain_graph=True)",
                f"{x.name}.backward(torch.ones_like({x.name}))",
            ]
        )
    )
    return True
