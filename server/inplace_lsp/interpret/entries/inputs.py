"""Make the inputs of a function without visible callers, as its own text suggests them."""

from __future__ import annotations

from inplace_lsp.interpret.entries.annotations import read_annotation
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state.facts import ParameterQuestion
from inplace_lsp.interpret.state.values import Frame, Function, Items, Known, Library, Mapping, Number, Unknown, Value
from inplace_lsp.source import ir
from inplace_lsp.uses import tensors as used_tensors


def make_symbolic_input(
    machine: Machine, function: Function, parameter: ir.Parameter, tensors: frozenset[str]
) -> Value:
    """Return the value of a parameter of which only its name, annotation, default and use are known."""
    name = parameter.name
    if parameter.kind == "vararg":
        return Items("tuple", [], open=True, more=lambda: Unknown(f"*{name}", tensorlike=name in tensors))
    if parameter.kind == "kwarg":
        return Mapping({}, open=True)
    annotated = read_annotation(parameter.annotation, name) if parameter.annotation is not None else None
    if annotated is not None:
        return annotated
    default = function.defaults.get(name)
    if isinstance(default, Known) and default.value is not None:
        return _make_input_like(machine, default, name)
    if isinstance(default, (Library, Items, Mapping, Function)):
        return default
    if name not in tensors and parameter.annotation is None:
        return _infer_input(machine, function, name, default is not None)
    return Unknown(name, tensorlike=name in tensors, may_be_none=default is not None)


def _make_input_like(machine: Machine, default: Known, name: str) -> Value:
    """Return the value of a parameter with a constant default: a number is any number, a text most likely itself."""
    if isinstance(default.value, (int, float)) and not isinstance(default.value, bool):
        return Number(likely=bool(default.value))
    if not isinstance(default.value, str):
        return Unknown(name)
    machine.path.took_default = True
    return Unknown(name, names=(default.value,)) if machine.path.conditions.opens_defaults else default


def _infer_input(machine: Machine, function: Function, name: str, may_be_none: bool) -> Value:
    """Return the value of a parameter by what a search of the whole project infers."""
    full = f"{function.owner.name}.{function.name}" if function.owner else function.name
    kind = machine.facts.find_parameter_kind(ParameterQuestion(function.frame.file, full, name))
    if kind == "number" and not may_be_none:
        return Number()
    return Unknown(name, tensorlike=kind == "tensor", may_be_none=may_be_none)


def find_tensor_names(definition: ir.FunctionDef | ir.Lambda, frame: Frame) -> frozenset[str]:
    """Return the names that the body uses as only tensors can be used.

    It looks up all that the body calls, which binds it: `SkippedCode` can tell then what a call that is skipped does.
    """

    def resolve_name(name: str) -> str:
        found = frame.look_up(name)
        return found.name if isinstance(found, Library) else ""

    return used_tensors.find_tensor_names(definition, resolve_name)
