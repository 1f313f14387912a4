"""Bind a call with real values to an overload, and infer the parameters of Python functions."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, replace
from numbers import Number

from inplace_lsp.torch_ops.model import Param, ParamType


@dataclass(frozen=True)
class Call:
    """A call of a public name with example arguments. `weight`: the number of odd calls it outweighs."""

    name: str
    args: tuple[object, ...]
    kwargs: Mapping[str, object]
    weight: int = 1


def bind_call(params: Sequence[Param], call: Call) -> Mapping[str, object] | None:
    """Return the arguments of `call` by parameter; None if it does not fit."""
    bound = _bind_positional([p for p in params if not p.keyword_only], call.args)
    if bound is None or set(call.kwargs) & set(bound) or set(call.kwargs) - {p.name for p in params}:
        return None
    bound = {**bound, **call.kwargs}
    if any(p.default is None and not p.variadic and p.name not in bound for p in params):
        return None
    types = {p.name: p for p in params}
    return bound if all(is_fitting(types[name], value) for name, value in bound.items()) else None


def _bind_positional(params: Sequence[Param], given: Sequence[object]) -> Mapping[str, object] | None:
    """Return the positional arguments by parameter; None if there are too many."""
    bound: MutableMapping[str, object] = {}
    args = list(given)
    for index, param in enumerate(params):
        if not args:
            break
        if param.variadic and (len(args) > 1 or not isinstance(args[0], (list, tuple))):
            taken = len(args) - (len(params) - index - 1 if index else 0)
            bound[param.name], args = tuple(args[:taken]), args[taken:]
        else:
            bound[param.name] = args.pop(0)
    return None if args else bound


def is_fitting(param: Param, value: object) -> bool:
    """Return whether torch's argument parser accepts `value` for `param`."""
    if value is None and (param.default == "None" or param.type == "Tensor?"):
        return True
    return _CHECKS[param.type](value)


def _is_tensor(value: object) -> bool:
    import torch  # noqa: PLC0415

    return isinstance(value, torch.Tensor)


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_dtype(value: object) -> bool:
    import torch  # noqa: PLC0415

    return isinstance(value, torch.dtype)


_CHECKS: dict[ParamType, Callable[[object], bool]] = {
    "Tensor": _is_tensor,
    "Tensor?": _is_tensor,
    "Tensor[]": lambda v: isinstance(v, (list, tuple)) and any(map(_is_tensor, v)),
    "Scalar": lambda v: isinstance(v, Number),
    "int": _is_int,
    "int[]": lambda v: _is_int(v) or (isinstance(v, (list, tuple)) and all(map(_is_int, v))),
    "float": lambda v: isinstance(v, (int, float)),
    "bool": lambda v: isinstance(v, bool),
    "str": lambda v: isinstance(v, str),
    "dtype": _is_dtype,
    "other": lambda v: True,
}


def make_caller(function: Callable[..., object], params: Sequence[Param]) -> Callable[[Mapping[str, object]], object]:
    """Return `function` as a function of its arguments by parameter."""
    leading = []
    for param in params:
        if param.keyword_only:
            break
        leading.append(param)

    def call_bound(bound: Mapping[str, object]) -> object:
        positional: list[object] = []
        rest = dict(bound)
        for param in leading:
            if param.name not in rest:
                break
            value = rest.pop(param.name)
            positional += value if param.variadic and isinstance(value, (list, tuple)) else [value]
        return function(*positional, **rest)

    return call_bound


def python_params(function: Callable[..., object], calls: Sequence[Call] = ()) -> tuple[Param, ...]:
    """Return the parameters of a Python function; types come from its annotations, else from example calls."""
    parameters = inspect.signature(function).parameters.values()
    return tuple(
        _describe_parameter(parameter, _values_given(parameter.name, index, calls))
        for index, parameter in enumerate(parameters)
        if parameter.kind is not inspect.Parameter.VAR_KEYWORD
    )


def _values_given(name: str, index: int, calls: Sequence[Call]) -> list[object]:
    return [c.args[index] for c in calls if len(c.args) > index] + [c.kwargs.get(name) for c in calls]


def _describe_parameter(parameter: inspect.Parameter, values: Sequence[object]) -> Param:
    default = None if parameter.default is inspect.Parameter.empty else _literal_source(parameter.default)
    keyword_only = parameter.kind is inspect.Parameter.KEYWORD_ONLY
    if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
        return Param(parameter.name, "Tensor[]", default, keyword_only, True)
    kind = _type_of_annotation(str(parameter.annotation), default) or _type_of_values(values, default)
    param = Param(parameter.name, kind, default, keyword_only, False)
    honest = all(value is None or is_fitting(param, value) for value in values)
    return param if honest else replace(param, type="other")


def _literal_source(value: object) -> str:
    return repr(value) if isinstance(value, (int, float, str, bool, tuple, type(None))) else "None"


def _type_of_annotation(text: str, default: str | None) -> ParamType | None:
    text = text.replace("typing.", "").replace("torch.", "")
    optional = "Optional" in text or "None" in text
    if any(f"{word}[Tensor" in text for word in ("List", "list", "tuple", "Iterable", "Sequence")):
        return "Tensor[]"
    if "Tensor" in text and "Callable" not in text and "Union" not in text:
        return "Tensor?" if optional or default == "None" else "Tensor"
    for name, kind in _ANNOTATIONS.items():
        if text in (name, f"Optional[{name}]", f"{name} | None", f"<class '{name}'>"):
            return kind
    return None


_ANNOTATIONS: dict[str, ParamType] = {"bool": "bool", "int": "int", "float": "float", "str": "str", "dtype": "dtype"}


def _type_of_values(values: Sequence[object], default: str | None) -> ParamType:
    given = [value for value in values if value is not None]
    if given and all(map(_is_tensor, given)):
        return "Tensor?" if default == "None" else "Tensor"
    if given and all(map(_is_list_of_tensors, given)):
        return "Tensor[]"
    if default in ("True", "False") or (given and all(isinstance(v, bool) for v in given)):
        return "bool"
    return "other"


def _is_list_of_tensors(value: object) -> bool:
    return isinstance(value, (list, tuple)) and bool(value) and all(map(_is_tensor, value))
