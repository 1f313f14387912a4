"""Find functions that a file only calls where grad mode is off: nothing they do there is recorded. Backward hooks of
modules are called by autograd, without grad mode unless somebody asks for a graph of the gradients."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from inplace_lsp.interpret.entries.entry import find_entries
from inplace_lsp.source import ir
from inplace_lsp.source.units import Unit

_OFF = frozenset({"no_grad", "inference_mode"})
_CALLED_BY_OTHERS = frozenset({"forward", "backward"})
"""Methods that torch calls, besides those with double underscores."""
_OF_MODULES = frozenset({"module", "mod", "layer", "m"})
_OF_INPUTS = frozenset({"grad_input", "grad_inputs", "grad_in", "g_inp"})
_OF_OUTPUTS = frozenset({"grad_output", "grad_outputs", "grad_out", "g_out"})
"""What the parameters of a backward hook are called: a module, and the gradients of its inputs and outputs."""


@dataclass(frozen=True, slots=True)
class _Mention:
    """A place that names a function. `plainly`: it calls it, on `self` or in the module; `off`: grad mode is off there;
    `within`: the function around it."""

    plainly: bool
    off: bool
    within: ir.FunctionDef | None


class Callers:
    """Find who calls what in the text of a file. Any other use of a function's name means that it may be called
    anywhere."""

    def __init__(self, units: Sequence[Unit]) -> None:
        self._definitions = {id(entry.definition): entry.definition for entry in find_entries(units)}
        self._mentions: dict[str, list[_Mention]] = {definition.name: [] for definition in self._definitions.values()}
        for unit in units:
            self._collect_mentions(unit.statements)

    def find_definition(self, definition: int) -> ir.FunctionDef | None:
        """Return the function of the file with this id; None for anything else."""
        return self._definitions.get(definition)

    def is_only_called_without_grad(self, definition: int) -> bool:
        """Return whether grad mode is off at all calls of the function, and one is in sight. A backward hook needs
        none: autograd calls it."""
        found = self._definitions.get(definition)
        return found is not None and self._is_only_without_grad(found, ())

    def is_backward_hook(self, definition: int) -> bool:
        """Return whether a function of the file takes what autograd hands to a backward hook."""
        found = self._definitions.get(definition)
        return found is not None and _is_backward_hook(found)

    def _is_only_without_grad(self, definition: ir.FunctionDef, before: tuple[ir.FunctionDef, ...]) -> bool:
        name = definition.name
        if name in _CALLED_BY_OTHERS or (name.startswith("__") and name.endswith("__")):
            return False
        around = (*before, definition)
        is_hook = _is_backward_hook(definition)
        mentions = [mention for mention in self._mentions[name] if mention.within not in around]
        if is_hook:  # who hands it to somebody does not call it
            mentions = [mention for mention in mentions if mention.plainly]
        return (bool(mentions) or is_hook) and all(
            mention.plainly
            and (mention.off or (mention.within is not None and self._is_only_without_grad(mention.within, around)))
            for mention in mentions
        )

    def _collect_mentions(self, code: object) -> None:
        waiting: list[tuple[object, bool, ir.FunctionDef | None]] = [(code, False, None)]
        while waiting:
            node, off, within = waiting.pop()
            if isinstance(node, tuple):
                waiting.extend((child, off, within) for child in node)
                continue
            self._note_mention(node, off, within)
            if isinstance(node, ir.With):
                waiting.append((node.items, off, within))
                waiting.append((node.body, off or any(_switches_off(context) for context, _ in node.items), within))
                continue
            if isinstance(node, ir.Lambda):
                off, within = False, None
            elif isinstance(node, ir.FunctionDef):
                known = id(node) in self._definitions
                off, within = any(map(_switches_off, node.decorators)), node if known else None
            waiting.extend((child, off, within) for child in self._find_unread_parts(node, off, within))

    def _find_unread_parts(self, node: object, off: bool, within: ir.FunctionDef | None) -> Iterable[object]:
        """Return the parts of a node that may mention more functions: of a noted call, not the name of its function."""
        if isinstance(node, ir.Call):
            applied = self._find_applied_function(node)
            if applied:
                self._mentions[applied].append(_Mention(plainly=True, off=off, within=within))
                return [node.function]
            if self._is_plain(node.function):
                return [node.arguments]
        return ir.list_children(node)

    def _note_mention(self, node: object, off: bool, within: ir.FunctionDef | None) -> None:
        """Record the function that a node names, if it names one."""
        plainly = isinstance(node, ir.Call) and self._is_plain(node.function)
        name = _find_function_name(node.function if isinstance(node, ir.Call) and plainly else node)
        if name in self._mentions:
            self._mentions[name].append(_Mention(plainly, off, within))

    def _find_applied_function(self, call: ir.Call) -> str:
        """Return the function that a module calls at once on its submodules: `net.apply(reset)`; "" if it is no such
        call."""
        given = call.arguments[0].value if len(call.arguments) == 1 else None
        applies = isinstance(call.function, ir.Attribute) and call.function.name == "apply"
        name = _find_function_name(given) if applies and isinstance(given, (ir.Name, ir.Attribute)) else ""
        return name if name in self._mentions else ""

    def _is_plain(self, function: ir.Expr) -> bool:
        """Return whether a callee is a function of the module or a method of the same object."""
        if isinstance(function, ir.Attribute) and not (
            isinstance(function.value, ir.Name) and function.value.id in ("self", "cls")
        ):
            return False
        return _find_function_name(function) in self._mentions


def _is_backward_hook(definition: ir.FunctionDef) -> bool:
    """Return whether a function takes a module, the gradients of its inputs and those of its outputs, in this order."""
    names = [parameter.name for parameter in definition.parameters]
    threes = zip(names, names[1:], names[2:], strict=False)
    return any(
        module in _OF_MODULES and inputs in _OF_INPUTS and outputs in _OF_OUTPUTS for module, inputs, outputs in threes
    )


def _find_function_name(node: object) -> str:
    """Return the function that a node may name, by a variable, an attribute or a text."""
    if isinstance(node, ir.Const):
        return node.value if isinstance(node.value, str) else ""
    return node.id if isinstance(node, ir.Name) else node.name if isinstance(node, ir.Attribute) else ""


def _switches_off(context: ir.Expr) -> bool:
    """Return whether a decorator or a context switches grad mode off."""
    function, arguments = (context.function, context.arguments) if isinstance(context, ir.Call) else (context, ())
    name = _find_function_name(function)
    given = arguments[0].value if arguments else None
    if name == "set_grad_enabled":
        return isinstance(given, ir.Const) and given.value is False
    return name in _OFF and not (isinstance(given, ir.Const) and given.value is False)
