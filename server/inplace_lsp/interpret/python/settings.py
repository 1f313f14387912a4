"""Settings that a program holds as text: JSON, and the plain part of YAML that settings are written in."""

from __future__ import annotations

import json
from dataclasses import dataclass

from inplace_lsp.interpret.machine.intrinsics import intrinsic
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state.values import Items, Known, Mapping, Value

_LONGEST = 20_000
"""Characters of a text that is read."""
_LOADER = "texts without tags mean the same to all loaders"


@intrinsic(
    "yaml.safe_load(stream)", "yaml.full_load(stream)", "yaml.unsafe_load(stream)", "yaml.load(stream, Loader)",
    Loader=_LOADER,
)  # fmt: skip
def _yaml(machine: Machine, stream: Value, text: str) -> Value:
    """The settings of a constant text; unknown for a file, and for what is more than lists, dicts and scalars."""
    try:
        return _value_of(read_yaml(_constant(stream)))
    except (ValueError, RecursionError):
        return machine.unknown(text or "settings")


_HOOKS = "settings are taken as they are written"


@intrinsic(
    "json.loads(s, *, cls=None, object_hook=None, parse_float=None, parse_int=None, parse_constant=None, "
    "object_pairs_hook=None, **kw)",
    cls=_HOOKS, object_hook=_HOOKS, parse_float=_HOOKS, parse_int=_HOOKS, parse_constant=_HOOKS,
    object_pairs_hook=_HOOKS, kw=_HOOKS,
)  # fmt: skip
def _json(machine: Machine, s: Value, text: str) -> Value:
    """The settings of a constant text."""
    try:
        return _value_of(json.loads(_constant(s)))
    except (ValueError, RecursionError):
        return machine.unknown(text or "settings")


def _constant(value: Value) -> str:
    """The constant text. Raises ValueError for any other value."""
    if isinstance(value, Known) and isinstance(value.value, str) and len(value.value) <= _LONGEST:
        return value.value
    raise ValueError("not known")


def _value_of(data: object) -> Value:
    if isinstance(data, dict):
        return Mapping({key: _value_of(item) for key, item in data.items()})
    return Items("list", [_value_of(item) for item in data]) if isinstance(data, list) else Known(data)


def read_yaml(text: str) -> object:
    """Dicts and lists by indentation, or in brackets, of scalars. Raises ValueError for anything else."""
    lines = []
    for line in text.splitlines():
        content = _without_comment(line).rstrip()
        if content.strip() and content != "---":
            lines.append(_Line(len(content) - len(content.lstrip(" ")), content.strip()))
    value, rest = _block(lines)
    if rest:
        raise ValueError(rest[0].content)
    return value


@dataclass(frozen=True, slots=True)
class _Line:
    indent: int
    content: str


def _without_comment(line: str) -> str:
    """The line up to a `#` that is not quoted."""
    quote = ""
    for at, char in enumerate(line):
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'":
            quote = char
        elif char == "#" and (at == 0 or line[at - 1].isspace()):
            return line[:at]
    return line


def _block(lines: list[_Line]) -> tuple[object, list[_Line]]:
    """The value that stands at the indentation of the first line, and the lines behind it."""
    if not lines:
        return None, []
    if lines[0].content.startswith("- ") or lines[0].content == "-":
        return _sequence(lines)
    if _key_of(lines[0].content) is not None:
        return _mapping(lines)
    return _scalar(lines[0].content), lines[1:]


def _sequence(lines: list[_Line]) -> tuple[object, list[_Line]]:
    """The list whose items begin with `-` at the indentation of the first line, and the lines behind it."""
    indent, items = lines[0].indent, []
    while lines and lines[0].indent == indent and lines[0].content.startswith("-"):
        content = lines[0].content[1:].lstrip()
        inside = lines[0].indent + len(lines[0].content) - len(content)
        own = [_Line(inside, content)] if content else []
        count = next((at for at, line in enumerate(lines[1:], start=1) if line.indent <= indent), len(lines))
        item, rest = _block([*own, *lines[1:count]])
        if rest:
            raise ValueError(rest[0].content)
        items.append(item)
        lines = lines[count:]
    return items, lines


def _mapping(lines: list[_Line]) -> tuple[object, list[_Line]]:
    """The dict whose keys stand at the indentation of the first line, and the lines behind it."""
    indent, items = lines[0].indent, {}
    while lines and lines[0].indent == indent and (key := _key_of(lines[0].content)) is not None:
        content = lines[0].content[len(key) + 1 :].strip()
        lines = lines[1:]
        if content:
            value = _scalar(content)
        elif lines and (lines[0].indent > indent or (lines[0].indent == indent and lines[0].content[0] == "-")):
            value, lines = _block(lines)
        else:
            value = None
        items[_scalar(key)] = value
    return items, lines


def _key_of(content: str) -> str | None:
    """The text before the colon that ends a key."""
    key, colon, rest = content.partition(":")
    return key if key and colon and (not rest or rest[0] == " ") and key[0] not in "[{\"'" else None


def _scalar(text: str) -> object:
    value, rest = _flow(text)
    if rest.strip():
        raise ValueError(text)
    return value


_WORDS = {"true": True, "false": False, "null": None, "~": None, "": None, "yes": True, "no": False}


def _flow(text: str, stops: str = "") -> tuple[object, str]:
    """The value at the start of `text`, which ends at one of `stops`, and what is behind it."""
    text = text.lstrip()
    if text[:1] in ("[", "{"):
        return _bracket(text)
    if text[:1] in ("'", '"'):
        end = text.find(text[0], 1)
        if end < 0 or "\\" in text[:end]:
            raise ValueError(text)
        return text[1:end], text[end + 1 :]
    if text[:1] and text[0] in "&*!|>%@`?":
        raise ValueError(text)
    end = next((at for at, char in enumerate(text) if char in stops), len(text))
    word = text[:end].strip()
    return _WORDS[word.lower()] if word.lower() in _WORDS else _number(word), text[end:]


def _number(word: str) -> object:
    """The number that YAML reads in a word, else the word: a float has a point."""
    try:
        return float(word) if "." in word else int(word)
    except ValueError:
        return word


def _bracket(text: str) -> tuple[object, str]:
    """A list or dict in brackets."""
    closing = "]" if text[0] == "[" else "}"
    items: list[object] = []
    pairs: dict[object, object] = {}
    text = text[1:].lstrip()
    while text and text[0] != closing:
        value, text = _flow(text, ",:]}" if closing == "}" else ",]")
        text = text.lstrip()
        if closing == "}":
            if text[:1] != ":" or isinstance(value, (list, dict)):
                raise ValueError(text)
            pairs[value], text = _flow(text[1:], ",}")
        else:
            items.append(value)
        text = text.lstrip().removeprefix(",").lstrip()
    if not text:
        raise ValueError("no end")
    return (items if closing == "]" else pairs), text[1:]
