"""Bind arguments to parameters by Python's rules, for everything that can be called.

Functions of the user's, models, intrinsics and ops declare their parameters in Python's own notation; all are bound
here. An argument that Python would refuse is refused here, too.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, Protocol

from inplace_lsp.interpret.state.values import Items, Unknown, Value
from inplace_lsp.interpret.state.values import Mapping as DictValue

Kind = Literal["positional", "normal", "vararg", "keyword", "kwarg"]
"""`positional` stands before a `/`, `keyword` after a `*`."""


class OpenArguments(list[Value]):
    """Positional arguments of a call with `*values` of unknown length: there may be more, or fewer."""


def put_first(value: Value, arguments: Sequence[Value]) -> list[Value]:
    """Return the arguments with `value`, the object of a method, before them."""
    return OpenArguments([value, *arguments]) if isinstance(arguments, OpenArguments) else [value, *arguments]


def keep_open(arguments: Sequence[Value], values: list[Value]) -> list[Value]:
    """Return `values`, derived from `arguments`, as an open list if those are one."""
    return OpenArguments(values) if isinstance(arguments, OpenArguments) else values


class OpenKeywords(dict[str, Value]):
    """Keyword arguments of a call that spreads a dict of which not all is known: there may be more."""


class AnyParameter(Protocol):
    """The interface of a parameter that can be bound."""

    @property
    def name(self) -> str:
        """Return the parameter's name."""

    @property
    def kind(self) -> Kind:
        """Return how an argument reaches the parameter."""

    @property
    def required(self) -> bool:
        """Return whether a call must give an argument for it."""


@dataclass(frozen=True, slots=True, eq=False)
class Parameter:
    """A parameter of a declared signature. `default` is the value of one that a call may leave out."""

    name: str
    kind: Kind = "normal"
    required: bool = True
    default: object = None


@dataclass(slots=True)
class Binding:
    """The arguments of a call, bound to the parameters."""

    values: dict[str, Value]
    """Values by parameter name, without the defaults of parameters that the call leaves out."""
    missing: list[str]
    """The required parameters without an argument."""
    surplus: list[str]
    """The arguments without a parameter: their names, or `argument 3` for one by position."""
    fits: bool
    """Whether nothing is missing or surplus, so that Python would make the call."""


def bind_arguments(
    parameters: Sequence[AnyParameter], arguments: Sequence[Value], keywords: Mapping[str, Value]
) -> Binding:
    """Bind the arguments of a call to `parameters`. Arguments of unknown number fit: a parameter that they may reach is
    unknown."""
    values: dict[str, Value] = {}
    more, more_named = type(arguments) is OpenArguments, type(keywords) is OpenKeywords
    missing: list[str] = []
    left = dict(keywords)
    used, count = 0, len(arguments)
    takes_extra = False
    for parameter in parameters:
        name, kind = parameter.name, parameter.kind
        if used < count and kind in ("normal", "positional"):
            values[name] = arguments[used]
            used += 1
        elif kind == "vararg":
            values[name] = Items("tuple", list(arguments[used:]), open=more)
            used = count
        elif kind == "kwarg":
            values[name] = DictValue(left, open=more_named)
            takes_extra = True
        elif left and name in left and kind != "positional":
            values[name] = left.pop(name)
        elif parameter.required:
            if _may_be_given(kind, more=more, more_named=more_named):
                values[name] = Unknown(name)
            else:
                missing.append(name)
    surplus = [] if more else [f"argument {at + 1}" for at in range(used, count)]
    if left:
        surplus += _find_repeated(left, values, parameters) if takes_extra else left
    return Binding(values, missing, surplus, fits=not missing and not surplus)


def _may_be_given(kind: str, *, more: bool, more_named: bool) -> bool:
    """Return whether arguments of unknown number, by position (`more`) or by name, may reach a parameter."""
    return (more and kind != "keyword") or (more_named and kind != "positional")


def _find_repeated(
    words: Mapping[str, Value], values: Mapping[str, Value], parameters: Sequence[AnyParameter]
) -> list[str]:
    """Return the parameters that a call gives by place and by name."""
    return [name for name in words if name in values and _has_named_parameter(parameters, name)]


def bind_simple_call(
    parameters: tuple[AnyParameter, ...], arguments: Sequence[Value], keywords: Mapping[str, Value]
) -> dict[str, Value] | None:
    """Return the values that `bind_arguments` would for a simple call, None for any other.

    A simple call gives all required parameters, nothing that does not fit and nothing open.
    """
    if type(arguments) is OpenArguments or type(keywords) is OpenKeywords:
        return None
    plan = _find_plan(parameters)
    by_place = plan.by_place
    values = dict(zip(by_place, arguments, strict=False))
    if plan.rest is not None:
        values[plan.rest] = Items("tuple", list(arguments[len(by_place) :]))
    elif len(arguments) > len(by_place):
        return None
    more: dict[str, Value] = {}
    if keywords:
        for name, value in keywords.items():
            if name not in plan.by_name:
                more[name] = value
            elif name in values:
                return None
            else:
                values[name] = value
        values = {name: values[name] for name in plan.names if name in values}
    if plan.more is not None:
        values[plan.more] = DictValue(more)
    elif more:
        return None
    return values if plan.required <= values.keys() else None


@dataclass(frozen=True, slots=True)
class _Plan:
    """The names of parameters by how they are reached; `rest` and `more` take the arguments that are left."""

    names: tuple[str, ...]
    by_place: tuple[str, ...]
    by_name: frozenset[str]
    required: frozenset[str]
    rest: str | None
    more: str | None


_PLANS: dict[int, tuple[Sequence[AnyParameter], _Plan]] = {}
"""Plans by the identity of the parameters, which a plan keeps alive: hashing them took as long as binding."""
_PLANS_KEPT = 16_384


def forget_plans() -> None:
    """Forget the plans, and with them the parameters that they keep alive."""
    _PLANS.clear()


def _find_plan(parameters: Sequence[AnyParameter]) -> _Plan:
    """Return how the parameters of one function are reached."""
    known = _PLANS.get(id(parameters))
    if known is not None:
        return known[1]
    if len(_PLANS) >= _PLANS_KEPT:
        _PLANS.clear()
    plan = _make_plan(parameters)
    _PLANS[id(parameters)] = parameters, plan
    return plan


def _make_plan(parameters: Sequence[AnyParameter]) -> _Plan:
    single = [parameter for parameter in parameters if parameter.kind not in ("vararg", "kwarg")]
    by_kind = {parameter.kind: parameter.name for parameter in parameters}
    return _Plan(
        tuple(parameter.name for parameter in parameters),
        tuple(parameter.name for parameter in single if parameter.kind != "keyword"),
        frozenset(parameter.name for parameter in single if parameter.kind != "positional"),
        frozenset(parameter.name for parameter in single if parameter.required),
        by_kind.get("vararg"),
        by_kind.get("kwarg"),
    )


def _has_named_parameter(parameters: Sequence[AnyParameter], name: str) -> bool:
    """Return whether a keyword `name` reaches a parameter of its own."""
    return any(parameter.name == name and parameter.kind in ("normal", "keyword") for parameter in parameters)


@lru_cache(maxsize=1024)
def parse_signature(text: str) -> tuple[str, tuple[Parameter, ...]]:
    """Return name and parameters of `a.b.name(self, x, /, y=1, *rest, z=None, **more)`; defaults are literals.

    Raise ValueError for anything else: signatures stand in the program, not in its input.
    """
    name, parenthesis, parameters = text.partition("(")
    lambda_ = ast.parse(f"lambda {parameters.removesuffix(')')}: 0", mode="eval").body if parenthesis else None
    if not isinstance(lambda_, ast.Lambda) or not parameters.endswith(")"):
        raise ValueError(f"no signature: {text}")
    return name, tuple(_make_parameters(lambda_.args))


def _make_parameters(node: ast.arguments) -> list[Parameter]:
    """Return the parameters in the order in which arguments reach them."""
    plain = [*node.posonlyargs, *node.args]
    defaults = [None] * (len(plain) - len(node.defaults)) + list(node.defaults)
    found = [
        _make_parameter(argument, "positional" if at < len(node.posonlyargs) else "normal", default)
        for at, (argument, default) in enumerate(zip(plain, defaults, strict=True))
    ]
    if node.vararg:
        found.append(Parameter(node.vararg.arg, "vararg", required=False))
    found += [
        _make_parameter(argument, "keyword", default)
        for argument, default in zip(node.kwonlyargs, node.kw_defaults, strict=True)
    ]
    if node.kwarg:
        found.append(Parameter(node.kwarg.arg, "kwarg", required=False))
    return found


def _make_parameter(node: ast.arg, kind: Kind, default: ast.expr | None) -> Parameter:
    if default is None:
        return Parameter(node.arg, kind)
    return Parameter(node.arg, kind, required=False, default=ast.literal_eval(default))
