"""Call methods of texts."""

from __future__ import annotations

from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.python.operators import make_constant_text
from inplace_lsp.interpret.state.values import Items, Known, Number, Unknown, Value

METHODS = frozenset(
    "lower upper title capitalize strip lstrip rstrip replace startswith endswith removeprefix removesuffix format "
    "split rsplit splitlines partition rpartition join find isdigit isidentifier".split()
)
"""Methods whose result is no longer than their arguments. `format` may be longer: its template is checked."""

TESTS = frozenset(("startswith", "endswith"))
"""Methods that only texts have, and which ask how they begin or end."""


def ask_about_end(machine: Machine, owner: Unknown, name: str, arguments: list[Value]) -> Value:
    """Return whether an unknown text begins or ends so."""
    if len(arguments) == 1 and isinstance(arguments[0], Known):
        return machine.ask_about(owner, name, arguments[0].value)
    return Number()


def call_method(
    machine: Machine, owner: Known, name: str, arguments: list[Value], keywords: dict[str, Value]
) -> Value | None:
    """Call `owner.name(...)` of a text; return None if the result is not known."""
    text = owner.value
    if not isinstance(text, str):
        return None
    result = _call_constant_method(text, name, arguments, keywords) if name in METHODS else None
    if result is None and name in ("split", "splitlines", "rsplit"):
        return Items("list", [], open=True, more=lambda: machine.make_unknown("string"))
    return result


def _call_constant_method(text: str, name: str, arguments: list[Value], keywords: dict[str, Value]) -> Value | None:
    """Return the result of a method with constant arguments, None if one of them is not constant."""
    given = [_find_constant(argument) for argument in arguments]
    named = {key: _find_constant(argument) for key, argument in keywords.items()}
    if None in (*given, *named.values()):
        return None
    known = [constant.value for constant in given if constant is not None]
    options = {key: constant.value for key, constant in named.items() if constant is not None}
    made = make_constant_text(lambda: getattr(text, name)(*known, **options), text if name == "format" else "")
    return _convert_result(made.value) if made is not None else None


def _find_constant(value: Value) -> Known | None:
    """Return the constant that the value is, lists of constants included."""
    if isinstance(value, Items) and not value.open:
        parts = [item.value for item in value.items if isinstance(item, Known)]
        return Known(tuple(parts)) if len(parts) == len(value.items) else None
    return value if isinstance(value, Known) else None


def _convert_result(made: object) -> Value:
    if isinstance(made, (list, tuple)):
        return Items("list" if isinstance(made, list) else "tuple", [Known(item) for item in made])
    return Known(made)
