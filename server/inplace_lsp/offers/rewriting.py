"""The edits that make an op write in place."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from inplace_lsp.hazards.finding import Edit
from inplace_lsp.offers import ops
from inplace_lsp.offers.memory import assigned_value
from inplace_lsp.offers.reading import Reading, find_given, is_number
from inplace_lsp.tape.model import Span
from inplace_lsp.torch_ops.model import Param


class Rewriting:
    """The edits of one file."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading

    def add_option(self, call: ast.Call) -> Edit:
        """Give a call the argument `inplace=True`."""
        span, code = self._reading.span_of(call), self._reading.code_of(call)
        given = code[:-1].rstrip()
        separator = "" if given.endswith(("(", ",")) and not (call.args or call.keywords) else ", "
        separator = " " if given.endswith(",") else separator
        return self._insert(f"{separator}inplace=True", span.end_row, span.end_column - 1)

    def add_underscore(self, function: ast.expr) -> Edit:
        """Name the twin of an op that writes in place."""
        span = self._reading.span_of(function)
        return self._insert("_", span.end_row, span.end_column)

    def call_method(self, call: ast.Call, written: str) -> Edit | None:
        """Write `x.add_(y)` for `torch.add(x, y)`; nothing where an argument stands in parentheses."""
        whole = self._reading.span_of(call)
        first, second = (self._reading.span_of(argument) for argument in call.args[:2])
        between = Span(whole.file, first.end_row, first.end_column, second.row, second.column)
        head = Span(whole.file, whole.row, whole.column, second.row, second.column)
        if self._reading.text_of(between).strip() != ",":
            return None
        return Edit(f"{self._reading.code_of(call.args[0])}.{written}_(", head)

    def set_rate(self, call: ast.Call, params: Sequence[Param]) -> tuple[Edit, ...]:
        """Give a dropout a rate other than 0, unless the text gives it one."""
        rates = [value for value in find_given(call, params, ops.RATE) if not is_number(value)]
        return tuple(Edit("0.5", self._reading.span_of(rate)) for rate in rates)

    def write_arithmetic(
        self, node: ast.BinOp, operand: ast.expr, other: ast.expr, symbol: str, written: str
    ) -> tuple[Edit, ...]:
        """Write `x *= 2` where the statement binds the same variable, else `x.mul_(2)`; nothing where parentheses would
        have to go."""
        statement, value = self._reading.statement_of(node), self._reading.code_of(other)
        name = operand.id if isinstance(operand, ast.Name) else ""
        if name and isinstance(statement, ast.Assign) and assigned_value(statement, name) is node:
            return (Edit(f"{name} {symbol}= {value}", self._reading.span_of(statement)),)
        whole, kept = self._reading.span_of(node), self._reading.span_of(operand)
        front = Span(whole.file, whole.row, whole.column, kept.row, kept.column)
        back = Span(whole.file, kept.end_row, kept.end_column, whole.end_row, whole.end_column)
        before, after = (self._reading.text_of(part).strip() for part in (front, back))
        opened, closed = ("(", ")") if isinstance(operand, ast.BinOp) else ("", "")
        if before == opened and _without(after, closed) == f"{symbol} {value}":
            return Edit(opened, front), Edit(f"{closed}.{written}_({value})", back)
        if before == f"{value} {symbol} {opened}".strip() and after == closed:
            return Edit(opened, front), Edit(f"{closed}.{written}_({value})", back)
        return ()

    def _insert(self, content: str, row: int, column: int) -> Edit:
        return Edit(content, Span(self._reading.filename, row, column, row, column))


def _without(text: str, prefix: str) -> str:
    return text.removeprefix(prefix).lstrip() if text.startswith(prefix) else ""
