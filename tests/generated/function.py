"""Functions of the program's own (pure, writing their argument, returning views, decorated, nested) and their calls."""

from __future__ import annotations

from dataclasses import dataclass

from generated import compute, mode, view, write
from generated.builder import Builder, Maker, Shape, Var, body

INSIDE: list[tuple[float, Maker]] = [
    (3, compute.unary),
    (1, compute.parametrised),
    (1.5, compute.binary),
    (0.7, compute.along),
    (0.7, compute.matrix),
    (1, write.method),
    (0.7, write.with_scalar),
    (0.7, write.with_tensor),
    (0.7, write.augmented),
    (0.6, write.item),
    (0.4, write.flagged),
    (0.2, write.silent),
    (1.2, view.plain),
    (0.6, view.indexed),
    (0.3, view.several),
    (0.2, view.chained_write),
    (0.3, mode.context),
]
DECORATORS = ["@torch.no_grad()", "@torch.no_grad()", "@torch.enable_grad()", "@torch.inference_mode()"]


@dataclass
class Known:
    """A function that can be called: the shapes it takes, and what it gives back (None: nothing to use)."""

    name: str
    shapes: list[Shape]
    result: Shape | None
    gives_view: bool
    recording: bool
    keyword: str = ""


def define(b: Builder) -> bool:
    """A function, called at once."""
    arguments = [argument for argument in [b.floating(), b.floating()] if argument is not None]
    if b.chance(0.5):
        arguments = arguments[:1]
    if not arguments or (b.scope.inside == "function" and b.chance(0.8)):
        return False
    known = _function(b, arguments)
    b.functions.append(known)
    return _call(b, known, arguments)


def _function(b: Builder, arguments: list[Var]) -> Known:
    parameters = [
        Var(b.name("p"), argument.shape, "float", argument.range, True, False, True) for argument in arguments
    ]
    name = b.name("f")
    decorator = b.random.choice(DECORATORS) if b.chance(0.2) else ""
    recording = "no_grad" not in decorator and "inference" not in decorator
    default = f", k={b.number()}" if b.chance(0.2) else ""
    with b.definition(parameters, "function") as lines:
        b.scope.recording = recording
        if default:
            b.emit(
                b.random.choice([f"{parameters[0].name} = {parameters[0].name} * k", f"{parameters[0].name}.mul_(k)"])
            )
        body(b, INSIDE, b.random.randint(1, 3))
        chosen = b.random.choice([var for var in b.scope.vars if var.dtype == "float"])
        returns = b.chance(0.85)
        b.emit(_returning(b, chosen) if returns else "return None")
        result = chosen.shape if returns else None
    header = f"def {name}({', '.join(parameter.name for parameter in parameters)}{default}):"
    _emit_function(b, decorator, header, lines)
    shapes = [parameter.shape for parameter in parameters]
    return Known(name, shapes, result, chosen.view, recording, "k" if default else "")


def _emit_function(b: Builder, decorator: str, header: str, lines: list[str]) -> None:
    if decorator:
        b.emit(decorator)
    b.emit(header)
    for line in lines:
        b.emit(f"    {line}")
    b.emit("")


def _returning(b: Builder, chosen: Var) -> str:
    return f"return {chosen.name}" if b.chance(0.7) else f"return {chosen.name}, {b.number()}"


def again(b: Builder) -> bool:
    """A function that is known is called once more, with other tensors."""
    if not b.functions or b.scope.inside == "function":
        return False
    known = b.random.choice(b.functions)
    assert isinstance(known, Known)
    arguments = [b.floating(lambda v, shape=shape: v.shape == shape) for shape in known.shapes]  # type: ignore[misc]
    if any(argument is None for argument in arguments):
        return False
    return _call(b, known, [argument for argument in arguments if argument is not None])


def _call(b: Builder, known: Known, arguments: list[Var]) -> bool:
    given = [argument.name for argument in arguments]
    if known.keyword and b.chance(0.5):
        given.append(f"{known.keyword}={b.number()}")
    if b.chance(0.1):
        given = [f"*[{', '.join(given[: len(arguments)])}]", *given[len(arguments) :]]
    call = f"{known.name}({', '.join(given)})"
    for argument in arguments:
        argument.range = "any"
    if known.result is None:
        b.emit(call)
        return True
    recording = known.recording and b.scope.recording
    grad = recording and any(argument.grad for argument in arguments)
    made = Var(b.name(), known.result, "float", "any", grad, False, known.gives_view)
    b.emit(f"{made.name} = {call}")
    if _gives_pair(b, known):
        b.emit(f"{made.name} = {made.name}[0]")
    b.add(made)
    return True


def _gives_pair(b: Builder, known: Known) -> bool:
    at = max(row for row, line in enumerate(b.lines) if line.lstrip().startswith(f"def {known.name}("))
    ending = next(line for line in b.lines[at + 1 :] if line.lstrip().startswith("return"))
    return "," in ending


def closure(b: Builder) -> bool:
    """A function without arguments, over a tensor of the outer scope."""
    x = b.floating(lambda v: not (v.leaf and v.grad) and v.rank >= 1)
    if x is None or b.scope.inside == "function":
        return False
    name = b.name("f")
    forms = [
        f"return {x.name} * 2",
        f"{x.name}.add_(1)",
        f"{x.name}[0] = 0.5",
        f"return {x.name}.exp()",
        f"return {x.name}.mul_(2)",
    ]
    chosen = b.random.choice(forms)
    with b.block(f"def {name}():"):
        b.emit(chosen)
    b.emit("")
    x.range = "any"
    if chosen.startswith("return"):
        b.result(f"{name}()", x.shape, x)
    else:
        b.emit(f"{name}()")
    return True


def lambda_(b: Builder) -> bool:
    """A lambda, called twice sometimes."""
    x = b.floating(lambda v: not (v.leaf and v.grad))
    if x is None:
        return False
    name = b.name("g")
    form = b.random.choice(
        ["t.mul_(2)", "t * 2", "torch.sigmoid(t)", "t.add_(1).sin()", "F.relu(t, inplace=True)", "t.reshape(-1)"]
    )
    b.emit(f"{name} = lambda t: {form}")
    shape = x.shape
    if "reshape" in form:
        total = 1
        for extent in shape:
            total *= extent
        shape = (total,)
    made = b.result(f"{name}({x.name})", shape, x)
    made.view = "reshape" in form
    if b.chance(0.3) and shape == x.shape:
        b.result(f"{name}({made.name})", shape, made)
    return True
