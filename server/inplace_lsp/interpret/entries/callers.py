"""Which functions of a file are only called where grad mode is off: nothing they do there is recorded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from inplace_lsp.interpret.entries.entries import entries
from inplace_lsp.source import ir
from inplace_lsp.source.units import Unit

_OFF = frozenset({"no_grad", "inference_mode"})
_CALLED_BY_OTHERS = frozenset({"forward", "backward"})
"""Methods that torch calls; so it does those with underscores around their names."""


@dataclass(frozen=True, slots=True)
class _Mention:
    """A place that names a function. `plainly`: it calls it, of the same object or the module; `off`: grad mode is off
    there; `within`: the function around it."""

    plainly: bool
    off: bool
    within: ir.FunctionDef | None


class Callers:
    """Who calls what, by the text of a file. Any other use of a function's name says that it may be called anywhere."""

    def __init__(self, units: Sequence[Unit]) -> None:
        self._definitions = {id(entry.definition): entry.definition for entry in entries(units)}
        self._mentions: dict[str, list[_Mention]] = {one.name: [] for one in self._definitions.values()}
        for unit in units:
            self._collect(unit.statements)

    def only_without_grad(self, definition: int) -> bool:
        """Whether calls of the function are in sight, and grad mode is off at all of them."""
        found = self._definitions.get(definition)
        return found is not None and self._is_only_without_grad(found, ())

    def _is_only_without_grad(self, definition: ir.FunctionDef, before: tuple[ir.FunctionDef, ...]) -> bool:
        name = definition.name
        if name in _CALLED_BY_OTHERS or (name.startswith("__") and name.endswith("__")):
            return False
        around = (*before, definition)
        mentions = [one for one in self._mentions[name] if one.within not in around]
        return bool(mentions) and all(
            one.plainly and (one.off or (one.within is not None and self._is_only_without_grad(one.within, around)))
            for one in mentions
        )

    def _collect(self, code: object) -> None:
        waiting: list[tuple[object, bool, ir.FunctionDef | None]] = [(code, False, None)]
        while waiting:
            node, off, within = waiting.pop()
            if isinstance(node, tuple):
                waiting.extend((one, off, within) for one in node)
                continue
            self._note(node, off, within)
            if isinstance(node, ir.Lambda):
                off, within = False, None
            elif isinstance(node, ir.FunctionDef):
                known = id(node) in self._definitions
                off, within = any(map(_switches_off, node.decorators)), node if known else None
            elif isinstance(node, ir.With):
                waiting.append((node.items, off, within))
                waiting.append((node.body, off or any(_switches_off(one) for one, _ in node.items), within))
                continue
            elif isinstance(node, ir.Call) and (applied := self._find_applied(node)):
                self._mentions[applied].append(_Mention(plainly=True, off=off, within=within))
                waiting.append((node.function, off, within))
                continue
            elif isinstance(node, ir.Call) and self._is_plain(node.function):
                waiting.append((node.arguments, off, within))
                continue
            waiting.extend((one, off, within) for one in ir.below(node))

    def _note(self, node: object, off: bool, within: ir.FunctionDef | None) -> None:
        """Note which function a node names, if it does."""
        plainly = isinstance(node, ir.Call) and self._is_plain(node.function)
        name = _name_in(node.function if isinstance(node, ir.Call) and plainly else node)
        if name in self._mentions:
            self._mentions[name].append(_Mention(plainly, off, within))

    def _find_applied(self, call: ir.Call) -> str:
        """Return the function that a module is asked to call on its parts there and then: `net.apply(reset)`."""
        given = call.arguments[0].value if len(call.arguments) == 1 else None
        applies = isinstance(call.function, ir.Attribute) and call.function.name == "apply"
        name = _name_in(given) if applies and isinstance(given, (ir.Name, ir.Attribute)) else ""
        return name if name in self._mentions else ""

    def _is_plain(self, function: ir.Expr) -> bool:
        """Whether a callee is a function of the module or a method of the same object."""
        if isinstance(function, ir.Attribute) and not (
            isinstance(function.value, ir.Name) and function.value.id in ("self", "cls")
        ):
            return False
        return _name_in(function) in self._mentions


def _name_in(node: object) -> str:
    """The function that a node may name: by a variable, an attribute or a text."""
    if isinstance(node, ir.Const):
        return node.value if isinstance(node.value, str) else ""
    return node.id if isinstance(node, ir.Name) else node.name if isinstance(node, ir.Attribute) else ""


def _switches_off(context: ir.Expr) -> bool:
    """Whether a decorator or a context switches grad mode off."""
    function, arguments = (context.function, context.arguments) if isinstance(context, ir.Call) else (context, ())
    name = _name_in(function)
    given = arguments[0].value if arguments else None
    if name == "set_grad_enabled":
        return isinstance(given, ir.Const) and given.value is False
    return name in _OFF and not (isinstance(given, ir.Const) and given.value is False)
