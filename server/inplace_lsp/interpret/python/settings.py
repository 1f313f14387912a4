"""Parse settings that a program holds as text: JSON and YAML."""

from __future__ import annotations

import json

from inplace_lsp.interpret.machine.intrinsics import intrinsic
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state.values import Items, Known, Mapping, Value

_LONGEST = 20_000
"""The number of characters up to which a text is parsed."""
_LOADER = "texts without tags mean the same to all loaders"


@intrinsic(
    "yaml.safe_load(stream)", "yaml.full_load(stream)", "yaml.unsafe_load(stream)", "yaml.load(stream, Loader)",
    Loader=_LOADER,
)  # fmt: skip
def _load_yaml(machine: Machine, stream: Value, text: str) -> Value:
    """Return the settings in a constant text; unknown for a file, and for anything but lists, dicts and scalars."""
    from inplace_lsp.interpret.python.yaml_text import read_yaml  # noqa: PLC0415  (few programs hold YAML as text)

    try:
        return _convert_data(read_yaml(_require_text(stream)))
    except (ValueError, RecursionError):
        return machine.make_unknown(text or "settings")


_HOOKS = "settings are taken as they are written"


@intrinsic(
    "json.loads(s, *, cls=None, object_hook=None, parse_float=None, parse_int=None, parse_constant=None, "
    "object_pairs_hook=None, **kw)",
    cls=_HOOKS, object_hook=_HOOKS, parse_float=_HOOKS, parse_int=_HOOKS, parse_constant=_HOOKS,
    object_pairs_hook=_HOOKS, kw=_HOOKS,
)  # fmt: skip
def _load_json(machine: Machine, s: Value, text: str) -> Value:
    """Return the settings in a constant text."""
    try:
        return _convert_data(json.loads(_require_text(s)))
    except (ValueError, RecursionError):
        return machine.make_unknown(text or "settings")


def _require_text(value: Value) -> str:
    """Return the constant text. Raise ValueError for any other value."""
    if isinstance(value, Known) and isinstance(value.value, str) and len(value.value) <= _LONGEST:
        return value.value
    raise ValueError("not known")


def _convert_data(data: object) -> Value:
    if isinstance(data, dict):
        return Mapping({key: _convert_data(item) for key, item in data.items()})
    return Items("list", [_convert_data(item) for item in data]) if isinstance(data, list) else Known(data)
