"""What a failed assertion compared: sizes, whose numbers its own message mostly leaves out."""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Iterator
from types import CodeType, TracebackType

from inplace_lsp.worker.safe_text import describe_error, shorten_text
from inplace_lsp.worker.standins import parse_file

_CALLS = frozenset("len int size dim ndimension numel list tuple".split())
"""Calls that change nothing."""


def describe_with_numbers(error: BaseException) -> str:
    """Return the type and message of an error; for an assertion also the numbers that it compared."""
    compared = ", ".join(_compared_numbers(error)) if isinstance(error, AssertionError) else ""
    return f"{describe_error(error)} ({compared})" if compared else describe_error(error)


def _compared_numbers(error: BaseException) -> Iterator[str]:
    """Yield the comparisons of the assertion that raised, with the values of both sides."""
    last = _last_traceback(error)
    if last is None:
        return
    for test in _asserted_at(last.tb_frame.f_code.co_filename, last.tb_lineno):
        if isinstance(test, ast.Compare) and len(test.ops) == 1 and _is_harmless(test):
            with contextlib.suppress(Exception):
                sides = [_value_of(side, last) for side in (test.left, test.comparators[0])]
                yield shorten_text(" and ".join(sides))


def _asserted_at(filename: str, row: int) -> Iterator[ast.expr]:
    """Yield what the assertion in a row of a file asserts."""
    tree = parse_file(filename)
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.Assert) and node.lineno <= row <= (node.end_lineno or node.lineno):
            yield from node.test.values if isinstance(node.test, ast.BoolOp) else [node.test]


def _last_traceback(error: BaseException) -> TracebackType | None:
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    return last


def _is_harmless(test: ast.expr) -> bool:
    """Return whether an expression can be evaluated once more."""
    calls = (node.func for node in ast.walk(test) if isinstance(node, ast.Call))
    return all(getattr(called, "attr", getattr(called, "id", "")) in _CALLS for called in calls)


def _value_of(side: ast.expr, where: TracebackType) -> str:
    code: CodeType = compile(ast.Expression(side), "<assertion>", "eval")
    value = eval(code, where.tb_frame.f_globals, where.tb_frame.f_locals)
    return str(list(value) if isinstance(value, (tuple, list)) else value) if _is_size(value) else "?"


def _is_size(value: object) -> bool:
    return isinstance(value, int) or (isinstance(value, (tuple, list)) and all(isinstance(one, int) for one in value))
