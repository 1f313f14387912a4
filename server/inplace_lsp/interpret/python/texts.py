"""Methods of texts, as far as all that goes into them is constant."""

from __future__ import annotations

from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.python.operators import constant_text
from inplace_lsp.interpret.state.values import Items, Known, Value

_METHODS = frozenset(
    "lower upper title capitalize strip lstrip rstrip replace startswith endswith removeprefix removesuffix format "
    "split rsplit splitlines partition rpartition join find isdigit isidentifier".split()
)
"""Methods that make no text longer than what goes into them, but for `format`, whose template is looked at."""


def method(
    machine: Machine, owner: Known, name: str, arguments: list[Value], keywords: dict[str, Value]
) -> Value | None:
    """`owner.name(...)` of a text; None where it is not known."""
    text = owner.value
    given = [_constant(one) for one in arguments]
    named = {key: _constant(one) for key, one in keywords.items()}
    if isinstance(text, str) and name in _METHODS and None not in (*given, *named.values()):
        known = [one.value for one in given if one is not None]
        options = {key: one.value for key, one in named.items() if one is not None}
        made = constant_text(lambda: getattr(text, name)(*known, **options), text if name == "format" else "")
        if made is not None:
            return _value_of(made.value)
    if isinstance(text, str) and name in ("split", "splitlines", "rsplit"):
        return Items("list", [], open=True, more=lambda: machine.unknown("string"))
    return None


def _constant(value: Value) -> Known | None:
    """The constant that the value is, a list of constants too."""
    if isinstance(value, Items) and not value.open:
        parts = [one.value for one in value.items if isinstance(one, Known)]
        return Known(tuple(parts)) if len(parts) == len(value.items) else None
    return value if isinstance(value, Known) else None


def _value_of(made: object) -> Value:
    if isinstance(made, (list, tuple)):
        return Items("list" if isinstance(made, list) else "tuple", [Known(one) for one in made])
    return Known(made)
