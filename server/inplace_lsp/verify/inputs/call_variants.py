"""Ways to a target that are more than one plain call of it: twice in a row, with its own result, in another mode, or
through the functions that call it.

A write that is harmless by itself may meet the graph of an earlier call, or of a caller.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from inplace_lsp.messages.inputs import Driver, Inputs
from inplace_lsp.verify.inputs.plan import call_text
from inplace_lsp.verify.inputs.program import Definition, Program, names_in

CALLERS = 2


def call_twice(inputs: Inputs, target: Definition, program: Program, module: str | None) -> Inputs:
    """Return two calls on the same instance, with one backward over both results."""
    once = call_text(replace(inputs, receiver=inputs.receiver and "it"), target)
    call = f"(lambda it: [{once}, {once}])({inputs.receiver})"
    return replace(inputs, receiver=None, arguments={}, driver=drive_whole_call(program, module, call))


def feed_back(inputs: Inputs, target: Definition, program: Program, module: str | None) -> Iterator[Inputs]:
    """Yield a call whose result replaces one of its tensors in a second call, as a loop does."""
    for name, value in inputs.arguments.items():
        if value.startswith("torch.randn(") and name[0] != "*":
            again = replace(inputs, receiver=inputs.receiver and "it", arguments={**inputs.arguments, name: "fed"})
            once = replace(inputs, receiver=inputs.receiver and "it")
            call = (
                f"(lambda it: (lambda fed: {call_text(again, target)})({call_text(once, target)}))({inputs.receiver})"
            )
            yield replace(inputs, receiver=None, arguments={}, driver=drive_whole_call(program, module, call))
            return


def switch_to_eval(inputs: Inputs, target: Definition) -> Iterator[Inputs]:
    """Yield the same call on a module in eval mode, if the target reads its mode."""
    if inputs.receiver and inputs.driver is None and "training" in names_in(target.node):
        yield replace(inputs, receiver=f"{inputs.receiver}.eval()")


_BOUNDS = frozenset("clamp clamp_ clip clip_ hardtanh hardtanh_ relu6 threshold threshold_".split())


def exceed_bounds(inputs: Inputs, target: Definition) -> Iterator[Inputs]:
    """Yield the same call with values a hundred times as large, if the target clamps values."""
    if _BOUNDS.isdisjoint(names_in(target.node)) or inputs.driver is not None:
        return
    larger = {name: _enlarge_value(value) for name, value in inputs.arguments.items()}
    if larger != dict(inputs.arguments):
        yield replace(inputs, arguments=larger)


def _enlarge_value(value: str) -> str:
    """Return a random tensor with larger values; one with a graph is multiplied before that begins: the product would
    free what it keeps in the first backward."""
    made = value.removesuffix(".clone()")
    plain = made.removesuffix(", requires_grad=True)")
    if not value.startswith("torch.randn("):
        return value
    rest = value[len(made) :]
    return f"({plain}) * 100).requires_grad_(){rest}" if plain != made else f"{made} * 100{rest}"


def drive_whole_call(program: Program, module: str | None, call: str) -> Driver:
    """Return a call that is judged as a whole, not only inside the target."""
    return Driver(program.text, program.filename, module, call, whole=True)


def find_callers(program: Program, target: Definition, named: Sequence[str]) -> Iterator[Definition]:
    """Yield the functions of the file that are `named` as callers of the target; if none is, those that mention it, or
    make the objects whose method it is, the nearest first."""
    told = [program.definitions[name] for name in named if name in program.definitions]
    if told:
        yield from told[:CALLERS]
        return
    makers = _classes_making(program, target)
    found = (
        definition
        for definition in program.definitions.values()
        if definition is not target and _is_mentioned(definition, target, makers)
    )
    outermost = (definition for definition in found if definition.outer is None)
    yield from islice(sorted(outermost, key=lambda caller: caller.owner is not target.owner), CALLERS)


def _classes_making(program: Program, target: Definition) -> set[str]:
    """Return the classes that make an instance of the target's class in their constructor."""
    if target.owner is None:
        return set()
    made = ((name, program.find_method(node, "__init__")) for name, node in program.classes.items())
    return {name for name, node in made if node is not None and target.owner.name in names_in(node)}


def _is_mentioned(caller: Definition, target: Definition, makers: set[str]) -> bool:
    name = target.node.name
    if name in ("forward", "__call__"):
        return caller.owner is not None and caller.owner.name in makers and caller.node.name == "forward"
    return name in names_in(caller.node)


def separate_parts(inputs: Inputs) -> Iterator[Inputs]:
    """Yield the call with one tensor after the other as a list of tensors: what is unpacked or iterated is then no view
    of one."""
    for name, text in inputs.arguments.items() if inputs.driver is None else ():
        if text.startswith("torch.randn("):
            yield replace(inputs, arguments={**inputs.arguments, name: f"[part.clone() for part in {text}]"})
