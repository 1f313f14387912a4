"""The edits that make an op write in place."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Sequence
from dataclasses import replace

from inplace_lsp.hazards.finding import Edit
from inplace_lsp.offers import ops
from inplace_lsp.offers.memory import assigned_value
from inplace_lsp.offers.reading import Reading, find_given, is_number
from inplace_lsp.source.trees import parse_tree
from inplace_lsp.tape.model import Span
from inplace_lsp.torch_ops.model import Param

_COMMENT = "#"
"""Between the operands of an expression there is no string: there, this begins a comment."""
_SILENT = frozenset({tokenize.NL, tokenize.COMMENT, tokenize.NEWLINE, tokenize.ENDMARKER})


class Rewriting:
    """The edits of one file."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading

    def add_option(self, call: ast.Call) -> Edit:
        """Give a call the argument `inplace=True`, right behind its last argument."""
        span = self._reading.span_of(call)
        last, row, column = _find_last_token(self._reading.code_of(call))
        comma = "," * (last == "," and row < span.end_row - span.row)
        content = {"(": "inplace=True", ",": f" inplace=True{comma}"}.get(last, ", inplace=True")
        return self._insert(content, span.row + row, column + (0 if row else span.column))

    def add_underscore(self, function: ast.expr) -> Edit:
        """Name the twin of an op that writes in place."""
        span = self._reading.span_of(function)
        return self._insert("_", span.end_row, span.end_column)

    def call_method(self, call: ast.Call, written: str) -> tuple[Edit, ...]:
        """Write `x.add_(y)` for `torch.add(x, y)`; nothing where an argument stands in parentheses, or a comment would
        be lost."""
        whole = self._reading.span_of(call)
        first, second = (self._reading.span_of(argument) for argument in call.args[:2])
        head, between = _up_to(whole, first), _up_to(_behind(whole, first), second)
        stays = self._reading.text_of(between).strip() == "," and _COMMENT not in self._reading.text_of(head)
        if not stays or not _stands_alone(self._reading.code_of(call.args[0])):
            return ()
        return Edit("", head), Edit(f".{written}_(", between)

    def set_rate(self, call: ast.Call, params: Sequence[Param]) -> tuple[Edit, ...]:
        """Give a dropout a rate other than 0, unless the text gives it one."""
        rates = [value for value in find_given(call, params, ops.RATE) if not is_number(value)]
        return tuple(Edit("0.5", self._reading.span_of(rate)) for rate in rates)

    def write_arithmetic(
        self, node: ast.BinOp, operand: ast.expr, other: ast.expr, symbol: str, written: str
    ) -> tuple[Edit, ...]:
        """Write `x *= 2` where the statement binds the same variable, else `x.mul_(2)`; nothing where parentheses would
        have to go, or a comment would be lost. What stays is no part of an edit: it may have edits of its own."""
        statement = self._reading.statement_of(node)
        name = operand.id if isinstance(operand, ast.Name) else ""
        if name and isinstance(statement, ast.Assign) and assigned_value(statement, name) is node:
            return self._write_assignment(statement, f"{name} {symbol}= ", other)
        return self._write_method(node, operand, other, symbol, written)

    def _write_method(
        self, node: ast.BinOp, operand: ast.expr, other: ast.expr, symbol: str, written: str
    ) -> tuple[Edit, ...]:
        """Write `x.mul_(2)` for `x * 2` and for `2 * x`."""
        value = self._reading.code_of(other)
        whole, kept, added = (self._reading.span_of(part) for part in (node, operand, other))
        front, back = _up_to(whole, kept), _behind(whole, kept)
        before, after = (self._reading.text_of(part).strip() for part in (front, back))
        opened, closed = ("(", ")") if isinstance(operand, ast.BinOp) else ("", "")
        if before == opened and _without(after, closed) == f"{symbol} {value}":
            gap = _up_to(back, added)
            return Edit(opened, front), Edit(f"{closed}.{written}_(", gap), self._append(other, ")")
        if before == f"{value} {symbol} {opened}".strip() and after == closed:
            written_to = f"{closed}.{written}_({value})"
            return Edit(opened, front), Edit(written_to, back) if closed else self._append(operand, written_to)
        return ()

    def _write_assignment(self, statement: ast.Assign, head: str, value: ast.expr) -> tuple[Edit, ...]:
        """Leave of a statement its value behind `head`, in parentheses if it needs them on several lines."""
        whole, kept = self._reading.span_of(statement), self._reading.span_of(value)
        front, back = _up_to(whole, kept), _behind(whole, kept)
        if any(_COMMENT in self._reading.text_of(part) for part in (front, back)):
            return ()
        opened, closed = ("", "") if _stands_alone(self._reading.code_of(value)) else ("(", ")")
        return Edit(f"{head}{opened}", front), Edit(closed, back)

    def _append(self, node: ast.expr, content: str) -> Edit:
        """Write behind an expression, and before whatever another edit inserts there: the last character is a part of
        the edit."""
        span = self._reading.span_of(node)
        last = replace(span, row=span.end_row, column=span.end_column - 1)
        return Edit(f"{self._reading.text_of(last)}{content}", last)

    def _insert(self, content: str, row: int, column: int) -> Edit:
        return Edit(content, Span(self._reading.filename, row, column, row, column))


def _up_to(whole: Span, part: Span) -> Span:
    """Return what of a place stands before a part of it."""
    return replace(whole, end_row=part.row, end_column=part.column)


def _behind(whole: Span, part: Span) -> Span:
    """Return what of a place stands behind a part of it."""
    return replace(whole, row=part.end_row, column=part.end_column)


def _find_last_token(call: str) -> tuple[str, int, int]:
    """Return the token before the closing parenthesis of a call, and the row and column at which it ends."""
    tokens = tokenize.generate_tokens(io.StringIO(f"({call})").readline)
    code = [token for token in tokens if token.type not in _SILENT]
    last = code[-3]
    row, column = last.end
    return last.string, row - 1, column - (row == 1)


def _stands_alone(code: str) -> bool:
    """Return whether an expression may stand outside the parentheses that are around it."""
    return parse_tree(code) is not None


def _without(text: str, prefix: str) -> str:
    return text.removeprefix(prefix).lstrip() if text.startswith(prefix) else ""
