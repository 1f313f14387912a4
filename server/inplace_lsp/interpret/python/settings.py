"""Parse settings that a program holds as text: JSON, and the plain subset of YAML that settings are written in."""

from __future__ import annotations

import json
from dataclasses import dataclass

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
    try:
        return _convert_data(read_yaml(_require_text(stream)))
    except (ValueError, RecursionError):
        return machine.unknown(text or "settings")


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
        return machine.unknown(text or "settings")


def _require_text(value: Value) -> str:
    """Return the constant text. Raise ValueError for any other value."""
    if isinstance(value, Known) and isinstance(value.value, str) and len(value.value) <= _LONGEST:
        return value.value
    raise ValueError("not known")


def _convert_data(data: object) -> Value:
    if isinstance(data, dict):
        return Mapping({key: _convert_data(item) for key, item in data.items()})
    return Items("list", [_convert_data(item) for item in data]) if isinstance(data, list) else Known(data)


def read_yaml(text: str) -> object:
    """Parse dicts and lists of scalars, by indentation or in brackets. Raise ValueError for anything else."""
    lines = []
    for line in text.splitlines():
        content = _remove_comment(line).rstrip()
        if content.strip() and content != "---":
            lines.append(_Line(len(content) - len(content.lstrip(" ")), content.strip()))
    value, rest = _read_block(lines)
    if rest:
        raise ValueError(rest[0].content)
    return value


@dataclass(frozen=True, slots=True)
class _Line:
    indent: int
    content: str


def _remove_comment(line: str) -> str:
    """Return the line up to an unquoted `#`."""
    quote = ""
    for at, char in enumerate(line):
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'":
            quote = char
        elif char == "#" and (at == 0 or line[at - 1].isspace()):
            return line[:at]
    return line


def _read_block(lines: list[_Line]) -> tuple[object, list[_Line]]:
    """Return the value at the indentation of the first line, and the lines after it."""
    if not lines:
        return None, []
    if lines[0].content.startswith("- ") or lines[0].content == "-":
        return _read_list(lines)
    if _find_key(lines[0].content) is not None:
        return _read_dict(lines)
    return _read_scalar(lines[0].content), lines[1:]


def _read_list(lines: list[_Line]) -> tuple[object, list[_Line]]:
    """Return the list whose items begin with `-` at the indentation of the first line, and the lines after it."""
    indent, items = lines[0].indent, []
    while lines and lines[0].indent == indent and lines[0].content.startswith("-"):
        content = lines[0].content[1:].lstrip()
        inside = lines[0].indent + len(lines[0].content) - len(content)
        own = [_Line(inside, content)] if content else []
        count = next((at for at, line in enumerate(lines[1:], start=1) if line.indent <= indent), len(lines))
        item, rest = _read_block([*own, *lines[1:count]])
        if rest:
            raise ValueError(rest[0].content)
        items.append(item)
        lines = lines[count:]
    return items, lines


def _read_dict(lines: list[_Line]) -> tuple[object, list[_Line]]:
    """Return the dict whose keys stand at the indentation of the first line, and the lines after it."""
    indent, items = lines[0].indent, {}
    while lines and lines[0].indent == indent and (key := _find_key(lines[0].content)) is not None:
        content = lines[0].content[len(key) + 1 :].strip()
        lines = lines[1:]
        if content:
            value = _read_scalar(content)
        elif lines and (lines[0].indent > indent or (lines[0].indent == indent and lines[0].content[0] == "-")):
            value, lines = _read_block(lines)
        else:
            value = None
        items[_read_scalar(key)] = value
    return items, lines


def _find_key(content: str) -> str | None:
    """Return the text before the colon that ends a key, None if there is no key."""
    key, colon, rest = content.partition(":")
    return key if key and colon and (not rest or rest[0] == " ") and key[0] not in "[{\"'" else None


def _read_scalar(text: str) -> object:
    value, rest = _read_inline_value(text)
    if rest.strip():
        raise ValueError(text)
    return value


_WORDS = {"true": True, "false": False, "null": None, "~": None, "": None, "yes": True, "no": False}


def _read_inline_value(text: str, stops: str = "") -> tuple[object, str]:
    """Return the value at the start of `text`, which ends at one of `stops`, and the text after it."""
    text = text.lstrip()
    if text[:1] in ("[", "{"):
        return _read_brackets(text)
    if text[:1] in ("'", '"'):
        end = text.find(text[0], 1)
        if end < 0 or "\\" in text[:end]:
            raise ValueError(text)
        return text[1:end], text[end + 1 :]
    if text[:1] and text[0] in "&*!|>%@`?":
        raise ValueError(text)
    end = next((at for at, char in enumerate(text) if char in stops), len(text))
    word = text[:end].strip()
    return _WORDS[word.lower()] if word.lower() in _WORDS else _read_number(word), text[end:]


def _read_number(word: str) -> object:
    """Return the number that YAML reads from a word (a float has a point), else the word."""
    try:
        return float(word) if "." in word else int(word)
    except ValueError:
        return word


def _read_brackets(text: str) -> tuple[object, str]:
    """Return the list or dict in brackets, and the text after it."""
    closing = "]" if text[0] == "[" else "}"
    items: list[object] = []
    pairs: dict[object, object] = {}
    text = text[1:].lstrip()
    while text and text[0] != closing:
        value, text = _read_inline_value(text, ",:]}" if closing == "}" else ",]")
        text = text.lstrip()
        if closing == "}":
            if text[:1] != ":" or isinstance(value, (list, dict)):
                raise ValueError(text)
            pairs[value], text = _read_inline_value(text[1:], ",}")
        else:
            items.append(value)
        text = text.lstrip().removeprefix(",").lstrip()
    if not text:
        raise ValueError("no end")
    return (items if closing == "]" else pairs), text[1:]
