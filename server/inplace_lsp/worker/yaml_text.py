"""Read what configurations are written in of YAML, where no library for it is installed: blocks and flows of mappings
and sequences, texts of every style, anchors and merged mappings; types as PyYAML tells them apart."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable

_KEY = re.compile(r"""("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s\[{"'&*!|>%@`#-][^#]*?|-[^\s#][^#]*?)\s*:(?:\s+(.*))?$""")
_COMMENT = re.compile(r"""("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^"'#]|(?<=\S)["'#])*?(?=(?:^|\s)\#|$)""")
_ANCHOR = re.compile(r"&(\S+)\s*(.*)$", re.DOTALL)
_QUOTED = re.compile(r""""(?:[^"\\]|\\.)*"|'(?:[^']|'')*'""", re.DOTALL)
_PLAIN_IN_FLOW = re.compile(r"(?:[^,\[\]{}:]|:(?![\s,\]}]))+")
_WORDS: dict[str, object] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **{form(word): True for word in ("true", "yes", "on") for form in (str.lower, str.title, str.upper)},
    **{form(word): False for word in ("false", "no", "off") for form in (str.lower, str.title, str.upper)},
}
_TAGS: dict[str, Callable[[str], object]] = {"!!str": str, "!!int": int, "!!float": float}
_WHOLE = re.compile(r"[-+]?(0|[1-9][\d_]*)$")
_IN_BASE = re.compile(r"[-+]?0(x[\da-fA-F_]+|b[01_]+|[0-7_]+)$")
_FRACTION = re.compile(r"[-+]?(\d[\d_]*\.[\d_]*|\.[\d_]+)([eE][-+]\d+)?$")
_ENDLESS = re.compile(r"([-+]?)\.(inf|Inf|INF|nan|NaN|NAN)$")


def read_yaml(text: str) -> object:
    """Return what a document holds. Raises ValueError for what is not read here, such as tags."""
    return _Document(text).read()


class _Document:
    """The lines of a document, and how far they are read."""

    def __init__(self, text: str) -> None:
        self._lines = text.expandtabs().splitlines()
        self._ended = text[-1:] in ("\n", "")
        self._at = 0
        self._anchors: dict[str, object] = {}

    def read(self) -> object:
        """Return the whole."""
        value = self._read_block(0)
        if self._peek() is not None:
            raise ValueError(f"line {self._at + 1} is not read")
        return value

    def _peek(self) -> tuple[int, str] | None:
        """Return the indent and the text of the next line that has one; None behind the last."""
        while self._at < len(self._lines):
            line = self._lines[self._at]
            text = _without_comment(line)
            if text and not (text == "---" or line.startswith("%")):
                return (len(text) - len(text.lstrip()), text.strip()) if text != "..." else None
            self._at += 1
        return None

    def _read_block(self, least: int) -> object:
        """Return what stands at an indent of at least so much."""
        found = self._peek()
        if found is None or found[0] < least:
            return None
        indent, text = found
        if _is_item(text):
            return self._read_sequence(indent)
        if _KEY.match(text) and text[0] not in "[{":
            return self._read_mapping(indent)
        self._at += 1
        return self._read_value(text, least - 1)

    def _read_sequence(self, indent: int) -> list[object]:
        items: list[object] = []
        while (found := self._peek()) is not None and found[0] == indent and _is_item(found[1]):
            rest = found[1][1:].lstrip()
            if rest:  # the item is a block of its own, whose first line stands behind the dash
                self._lines[self._at] = " " * (indent + len(found[1]) - len(rest)) + rest
            else:
                self._at += 1
            items.append(self._read_block(indent + 1))
        return items

    def _read_mapping(self, indent: int) -> dict[object, object]:
        made: dict[object, object] = {}
        merged: dict[object, object] = {}
        while (found := self._peek()) is not None and found[0] == indent and (key := _KEY.match(found[1])):
            self._at += 1
            value = self._read_value(key[2] or "", indent)
            if key[1] == "<<":
                parts = value if isinstance(value, list) else [value]
                merged = {key: held for part in reversed(parts) for key, held in part.items()} | merged
            else:
                made[_scalar(key[1])] = value
        return {**merged, **made}

    def _read_value(self, text: str, indent: int) -> object:
        """Return the value that begins with a text, of a key or item at an indent; the text's line is read."""
        anchor = _ANCHOR.match(text)
        if anchor is not None:
            value = self._anchors[anchor[1]] = self._read_value(anchor[2], indent)
            return value
        if text[:1] in ("|", ">"):
            return self._read_lines(text, indent)
        if text[:1] == "*":
            return self._alias(text[1:])
        if not text:
            found = self._peek()
            same = found is not None and found[0] == indent and _is_item(found[1])
            return self._read_sequence(indent) if same else self._read_block(indent + 1)
        while (found := self._peek()) is not None and (found[0] > indent or text[0] in "[{") and not _is_whole(text):
            text += " " + found[1]
            self._at += 1
        value, end = _Flow(text, self._alias).read(0) if text[0] in "[{" else (_scalar(text), len(text))
        if text[end:].strip():
            raise ValueError(f"{text!r} is not read")
        return value

    def _read_lines(self, how: str, indent: int) -> str:
        """Return a text of several lines: as they are (`|`), or joined (`>`)."""
        lines: list[str] = []
        while self._at < len(self._lines):
            line = self._lines[self._at]
            if line.strip() and len(line) - len(line.lstrip()) <= indent:
                break
            lines.append(line)
            self._at += 1
        margin = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
        plain = [line[margin:] for line in lines]
        text = "\n".join(plain).rstrip("\n")
        text = re.sub(r"(?<!\n)\n(?!\n)", " ", text).replace("\n\n", "\n") if how[0] == ">" else text
        is_cut = "-" in how or not text or not (self._ended or self._at < len(self._lines))
        return text if is_cut else f"{text}\n"

    def _alias(self, name: str) -> object:
        if name not in self._anchors:
            raise ValueError(f"nothing is named {name}")
        return self._anchors[name]


class _Flow:
    """A sequence or mapping in brackets."""

    def __init__(self, text: str, alias: Callable[[str], object]) -> None:
        self._text, self._alias = text, alias

    def read(self, at: int) -> tuple[object, int]:
        """Return the value at a place, and where it ends."""
        at = self._skip(at)
        if self._text[at : at + 1] == "[":
            return self._read_list(at + 1)
        if self._text[at : at + 1] == "{":
            return self._read_pairs(at + 1)
        word = _QUOTED.match(self._text, at) or _PLAIN_IN_FLOW.match(self._text, at)
        if word is None and self._text[at : at + 1] in (",", "]", "}"):
            return None, at
        if word is None:
            raise ValueError(f"{self._text[at:]!r} is not read")
        plain = word[0].strip()
        return (self._alias(plain[1:]) if plain[:1] == "*" else _scalar(plain)), word.end()

    def _read_list(self, at: int) -> tuple[object, int]:
        items: list[object] = []
        while not self._ends(at, "]"):
            value, at = self.read(at)
            items.append(value)
            at = self._skip(at, ",")
        return items, self._skip(at) + 1

    def _read_pairs(self, at: int) -> tuple[object, int]:
        made: dict[object, object] = {}
        while not self._ends(at, "}"):
            key, at = self.read(at)
            at = self._skip(at)
            if self._text[at : at + 1] == ":":
                made[key], at = self.read(at + 1)
            else:
                made[key] = None
            at = self._skip(at, ",")
        return made, self._skip(at) + 1

    def _ends(self, at: int, bracket: str) -> bool:
        at = self._skip(at)
        if at >= len(self._text):
            raise ValueError(f"{self._text!r} has no end")
        return self._text[at] == bracket

    def _skip(self, at: int, more: str = "") -> int:
        while self._text[at : at + 1].isspace() or (more and self._text[at : at + 1] == more):
            at += 1
        return at


def _is_item(text: str) -> bool:
    return text == "-" or text.startswith("- ")


def _without_comment(line: str) -> str:
    found = _COMMENT.match(line)
    return (found[0] if found is not None else line).rstrip()


def _is_whole(text: str) -> bool:
    """Return whether a value that begins in a line also ends there, if it is in brackets or quotes."""
    if text[0] in "\"'":
        return _QUOTED.fullmatch(text) is not None
    bare = _QUOTED.sub("", text)
    return text[0] in "[{" and sum(map(bare.count, "[{")) <= sum(map(bare.count, "]}"))


def _scalar(text: str) -> object:
    """Return the text, number or word that a scalar means."""
    if text[:1] == "!":
        tag, _, rest = text.partition(" ")
        if tag not in _TAGS:
            raise ValueError(f"the tag {tag} is not read")
        return _TAGS[tag](_unquote(rest))
    if _QUOTED.fullmatch(text):
        return _unquote(text)
    if text in _WORDS:
        return _WORDS[text]
    plain = text.replace("_", "")
    if _WHOLE.match(text):
        return int(plain)
    if _IN_BASE.match(text):
        return int(plain, 0 if plain.lstrip("+-")[1] in "xb" else 8)
    if _FRACTION.match(text):
        return float(plain)
    endless = _ENDLESS.match(text)
    return float(endless[1] + endless[2]) if endless is not None else text


def _unquote(text: str) -> str:
    if not _QUOTED.fullmatch(text):
        return text
    return text[1:-1].replace("''", "'") if text[0] == "'" else str(ast.literal_eval(f'"""{text[1:-1]}"""'))
