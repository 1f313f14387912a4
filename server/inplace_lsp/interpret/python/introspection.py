"""Model what programs ask about their own functions and modules."""

from __future__ import annotations

from inplace_lsp.interpret.machine.intrinsics import intrinsic
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.python import imports, source_modules
from inplace_lsp.interpret.state.values import (
    Bound,
    Class,
    Function,
    Imported,
    Instance,
    Known,
    Mapping,
    Unknown,
    Value,
    is_none,
)

_HOW = "names are the same however annotations are read"


@intrinsic(
    "inspect.signature(obj, *, follow_wrapped=True, globals=None, locals=None, eval_str=False)",
    follow_wrapped=_HOW,
    globals=_HOW,
    locals=_HOW,
    eval_str=_HOW,
)
def _make_signature(machine: Machine, obj: Value) -> Value:
    """Return the parameters of a function by name; unknown if the function is."""
    function = obj.method if isinstance(obj, Bound) else obj
    if not isinstance(function, Function):
        return machine.make_unknown("a signature")
    machine.looked_into.add(id(function.definition))
    own = function.definition.parameters[isinstance(obj, Bound) :]
    parameters = Mapping({parameter.name: _describe_parameter(parameter.name, function) for parameter in own})
    return Instance(Class("Signature", (), (), {}), {"parameters": parameters}, name="Signature")


def _describe_parameter(name: str, function: Function) -> Value:
    default = function.defaults.get(name, Unknown("empty"))
    return Instance(Class("Parameter", (), (), {}), {"name": Known(name), "default": default}, name="Parameter")


@intrinsic("importlib.import_module(name, package=None)")
def _import_module(machine: Machine, name: Value, package: Value, text: str) -> Value:
    """Return the module of that name, as `import` finds it."""
    whole = machine.decide_text(name)
    if whole is None or whole.startswith(".") or not is_none(package):
        return machine.make_unknown(text or "a module")
    found = source_modules.import_module(machine, machine.recorder.site.file, imports.find_public_module(whole))
    return found.resolve() if isinstance(found, Imported) else found


_SCOPES = "names are looked up where the call stands"


@intrinsic("builtins.eval(source, globals=None, locals=None, /)", globals=_SCOPES, locals=_SCOPES)
def _evaluate_text(machine: Machine, source: Value, text: str) -> Value:
    """Return the value of a dotted name; unknown for any other expression."""
    first, *rest = (machine.decide_text(source) or "").split(".")
    value = machine.stack[-1].look_up(first) if machine.stack and first.isidentifier() else None
    if value is None or not all(name.isidentifier() for name in rest):
        return machine.make_unknown(text or "eval")
    for name in rest:
        value = machine.get_attribute(value, name)
    return value
