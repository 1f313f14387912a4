"""Find where in the user's own code something happens, and by which name the user knows a tensor."""

from __future__ import annotations

import ast
import linecache
import os
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import lru_cache
from types import CodeType, FrameType

import torch

from inplace_lsp.tape.model import Span
from inplace_lsp.worker.operators import BY_NODE

INSTALLED = frozenset({"site-packages", "dist-packages", "lib-dynload"})
"""Folders whose files are libraries, wherever they lie."""


class Places:
    """Finds the user's frames on the stack. `files` are the names (`co_filename`) that count as the user's own code.

    `entries` are our own functions that start the program, or a backward of what it returned: what is below them on
    the stack does not count. Files below `roots`, the folders of the user's project, are the user's own, too, unless
    they are installed there.
    """

    def __init__(self, files: frozenset[str], entries: tuple[CodeType, ...] = (), roots: tuple[str, ...] = ()) -> None:
        self._own: dict[str, bool] = dict.fromkeys(files, True)
        self._roots = tuple(root.rstrip(os.sep) + os.sep for root in roots if root.strip(os.sep))
        self._entries = entries
        self._last = Span(next(iter(sorted(files)), "?"), 1, 0, 1, 0)

    def is_own(self, frame: FrameType) -> bool:
        """Return whether `frame` runs the user's own code."""
        return self.is_own_file(frame.f_code.co_filename)

    def is_own_file(self, name: str) -> bool:
        """Return whether the file called `name` is the user's."""
        known = self._own.get(name)
        if known is None:
            known = self._own[name] = any(_is_source_below(name, root) for root in self._roots)
        return known

    def own_frames(self) -> list[FrameType]:
        """Return the user's running frames, innermost first."""
        return [frame for frame in self._walk_stack() if self.is_own(frame)]

    def library_frames(self) -> list[FrameType]:
        """Return the frames of other code that the innermost user frame has called, innermost first."""
        found = []
        for frame in self._walk_stack():
            if self.is_own(frame):
                break
            found.append(frame)
        return found

    def _walk_stack(self) -> Iterator[FrameType]:
        """Yield the frames of this run, innermost first."""
        frame: FrameType | None = sys._getframe(2)
        while frame is not None and frame.f_code not in self._entries:
            yield frame
            frame = frame.f_back

    def current_statement(self) -> tuple[Span, Span | None]:
        """Return the statement that runs in the innermost user frame, and the outermost call that led there, if any."""
        frames = self.own_frames()
        if not frames:
            return self._last, None
        self._last = span_of(frames[0])
        return self._last, span_of(frames[-1]) if len(frames) > 1 else None

    def name_of(self, tensor: torch.Tensor) -> str:
        """Return the name by which the innermost user frame knows `tensor`, "" if it has none there."""
        frame = next(filter(self.is_own, self._walk_stack()), None)
        if frame is None:
            return ""
        own = locals_of(frame)
        found = find_variable(tensor, own)
        return found or (find_variable(tensor, frame.f_globals) if frame.f_globals is not own else "")


def locals_of(frame: FrameType) -> Mapping[str, object]:
    """Return the variables of a frame.

    In Python 3.12 to ask a module for its `f_locals`, while a comprehension runs there and a profile function is set,
    sets the variables of the comprehension to None: its globals are its variables as well.
    """
    return frame.f_globals if frame.f_code.co_name == "<module>" else frame.f_locals


def _is_source_below(name: str, root: str) -> bool:
    return name.startswith(root) and not INSTALLED & set(name[len(root) :].split(os.sep))


def span_of(frame: FrameType, line: int | None = None) -> Span:
    """Return the statement that `frame` is executing (or the statement on `line`)."""
    return statement_at(frame.f_code.co_filename, line or frame.f_lineno)


@lru_cache(maxsize=65536)
def statement_at(filename: str, line: int) -> Span:
    """Return the innermost statement that covers `line`; of a compound statement, only its header."""
    starts, ends = _line_bounds(filename)
    fitting = [(row, column, end) for row, column, end in _statement_headers(filename) if row <= line <= end[0]]
    if not fitting:
        return Span(filename, line, starts(line), line, ends(line))
    row, column, end = max(fitting)
    return Span(filename, row, column, *end)


def forget_file(filename: str) -> None:
    """Drop what is known about the text of `filename`, which is about to change."""
    statement_at.cache_clear()
    _statement_headers.cache_clear()
    _operators.cache_clear()


@lru_cache(maxsize=64)
def _statement_headers(filename: str) -> tuple[tuple[int, int, tuple[int, int]], ...]:
    """Return start row, start column and end of every statement of the file (compound ones: of the header)."""
    lines = linecache.getlines(filename)
    try:
        tree = ast.parse("".join(lines))
    except (SyntaxError, ValueError):
        return ()
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.stmt)]
    return tuple(
        (node.lineno, _codepoint_column(lines, node.lineno, node.col_offset), _header_end(lines, node))
        for node in nodes
    )


def has_operator(statement: Span, operator: str) -> bool:
    """Return whether an augmented assignment with this operator (`+=`) begins on the row of a statement, and nothing
    that begins there calls what writes. What runs is known by its row alone."""
    return operator in _operators(statement.file).get(statement.row, ())


@lru_cache(maxsize=64)
def _operators(filename: str) -> dict[int, set[str]]:
    """Return the operators of augmented assignments by row."""
    try:
        tree = ast.parse("".join(linecache.getlines(filename)))
    except (SyntaxError, ValueError):
        return {}
    statements = [node for node in ast.walk(tree) if isinstance(node, ast.stmt)]
    found: dict[int, set[str]] = defaultdict(set)
    for statement in statements:
        if isinstance(statement, ast.AugAssign) and type(statement.op) in BY_NODE:
            found[statement.lineno].add(BY_NODE[type(statement.op)])
    calling = {each.lineno for each in statements if each.lineno in found and _calls_writes(each)}
    return {row: operators for row, operators in found.items() if row not in calling}


def _calls_writes(statement: ast.stmt) -> bool:
    called = (node.func for node in ast.walk(statement) if isinstance(node, ast.Call))
    names = (each.attr if isinstance(each, ast.Attribute) else getattr(each, "id", "") for each in called)
    return any(name.endswith("_") for name in names)


def _header_end(lines: list[str], node: ast.stmt) -> tuple[int, int]:
    body = getattr(node, "body", None)
    if not body or not isinstance(body, list):
        row = node.end_lineno or node.lineno
        return row, _codepoint_column(lines, row, node.end_col_offset or 0)
    row = max(node.lineno, body[0].lineno - 1) if body[0].lineno > node.lineno else node.lineno
    return row, len(lines[row - 1].rstrip())


def _codepoint_column(lines: list[str], row: int, offset: int) -> int:
    """Return the column in code points for the UTF-8 `offset` of `ast`."""
    return len(lines[row - 1].encode()[:offset].decode(errors="replace")) if row <= len(lines) else 0


def _line_bounds(filename: str):  # type: ignore[no-untyped-def]
    def text(line: int) -> str:
        return linecache.getline(filename, line)

    return (lambda line: len(text(line)) - len(text(line).lstrip())), (lambda line: len(text(line).rstrip()))


def find_variable(tensor: torch.Tensor, names: Mapping[str, object]) -> str:
    """Return the variable, or the attribute of a variable, that is `tensor`."""
    for name, value in list(names.items()):
        if value is tensor:
            return name
    for name, value in list(names.items()):
        if (
            isinstance(value, torch.nn.Module)
            and "_parameters" in vars(value)
            and (key := _find_module_key(tensor, value))
        ):
            return f"{name}.{key}"
    return ""


def _find_module_key(tensor: torch.Tensor, module: torch.nn.Module) -> str:
    """Return the name of `tensor` among the parameters and buffers of `module`, "" if it is none of them. Torch's own
    iteration makes thousands of calls, each of which the profile function of a recorded run sees."""
    waiting = [("", module)]
    seen: set[torch.nn.Module] = set()
    while waiting:
        prefix, current = waiting.pop()
        if current in seen:
            continue
        seen.add(current)
        for held in (current._parameters, current._buffers):
            for key, value in held.items():
                if value is tensor:
                    return f"{prefix}{key}"
        children = [(f"{prefix}{key}.", child) for key, child in current._modules.items() if child is not None]
        waiting += reversed(children)
    return ""
