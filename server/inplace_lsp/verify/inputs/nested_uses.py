"""What a body does with what its parameters hold: the options of a configuration, the parts of a batch, the elements of
a loader, also under the names of local variables."""

from __future__ import annotations

from collections.abc import Iterator

from inplace_lsp.source import ir
from inplace_lsp.uses.reading import Lookup, last_name, make_deep_lookup, note_uses
from inplace_lsp.uses.use import Use

_COUNTING = "enumerate"
_SHOWING = frozenset({"tqdm", "iter", "reversed", "prefetch"})
"""Functions whose result has the elements of their first argument."""


def note_held(body: object, found: dict[str, Use]) -> None:
    """Note what a body does with the values of these names, and with what they hold."""
    names = dict(found)
    look_up = make_deep_lookup(names)
    for node in reversed([*ir.walk_nodes(body)]):
        for name, use in _bind_names(node, look_up):
            names.setdefault(name, use)
    note_uses(body, look_up)


def find_held_uses(definition: ir.FunctionDef) -> dict[str, Use]:
    """Return the uses of each parameter in a function's body, those of what it holds included."""
    found = {parameter.name: Use() for parameter in definition.parameters}
    note_held(definition.body, found)
    return found


def _bind_names(node: object, look_up: Lookup) -> Iterator[tuple[str, Use]]:
    """Yield the local names that a node binds to something that a watched value holds."""
    match node:
        case ir.Assign(targets=(target,), value=value) if (use := look_up(value)) is not None:
            if isinstance(target, ir.Sequence) or not isinstance(value, ir.Name):
                yield from _bind_target(target, use)
        case ir.For(target=target, iterable=source) | ir.Clause(target=target, iterable=source):
            yield from _bind_elements(target, source, look_up)


def _bind_elements(target: ir.Expr, source: ir.Expr, look_up: Lookup) -> Iterator[tuple[str, Use]]:
    """Yield the names that a loop binds to elements of a watched value, or to parts of them."""
    if isinstance(source, ir.Call) and source.arguments:
        first = source.arguments[0].value
        word = last_name(source.function)
        if word == _COUNTING and isinstance(target, ir.Sequence) and len(target.items) == 2:
            yield from _bind_elements(target.items[1], first, look_up)
        elif word in _SHOWING:
            yield from _bind_elements(target, first, look_up)
    elif (use := look_up(source)) is not None:
        use.item = use.item or Use()
        yield from _bind_target(target, use.item)


def _bind_target(target: ir.Expr, use: Use) -> Iterator[tuple[str, Use]]:
    """Yield the names of a target with the uses of what each gets."""
    if isinstance(target, ir.Name):
        yield target.id, use
    elif isinstance(target, ir.Sequence) and not any(isinstance(part, ir.Starred) for part in target.items):
        words = [part.id if isinstance(part, ir.Name) else "" for part in target.items]
        use.item_parts = use.item_parts or words
        for at, part in enumerate(target.items):
            yield from _bind_target(part, use.held.setdefault(str(at), Use()))
