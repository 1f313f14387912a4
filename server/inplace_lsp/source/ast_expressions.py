"""Lower expressions of Python's own syntax tree to IR, and convert the columns of `ast`."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterable
from typing import Any

from inplace_lsp.source import ir

_OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.MatMult: "@", ast.LShift: "<<", ast.RShift: ">>", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^",
    ast.USub: "-", ast.UAdd: "+", ast.Invert: "~", ast.Not: "not", ast.And: "and", ast.Or: "or", ast.Eq: "==",
    ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.In: "in", ast.NotIn: "not in",
    ast.Is: "is", ast.IsNot: "is not",
}  # fmt: skip


def operator_text(node: ast.AST) -> str:
    """Return the operator as written."""
    return _OPERATORS[type(node)]


class Places:
    """Positions of nodes. `ast` counts columns in bytes of UTF-8; the IR counts code points."""

    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")
        self._encoded = (
            {} if text.isascii() else {i: s.encode() for i, s in enumerate(self.lines, 1) if not s.isascii()}
        )

    def place_of(self, node: Any) -> ir.Place:
        """Return the place of a node."""
        row, end = node.lineno, node.end_lineno
        if not self._encoded:
            return (row, node.col_offset, end, node.end_col_offset)
        return (row, self.to_column(row, node.col_offset), end, self.to_column(end, node.end_col_offset))

    def to_column(self, row: int, offset: int) -> int:
        """Convert `offset` bytes into `row` to a column."""
        line = self._encoded.get(row)
        return offset if line is None else len(line[:offset].decode(errors="ignore"))


class Expressions:
    """Lowers expressions. `yields` says for each function being lowered whether a `yield` was seen in it."""

    def __init__(self, text: str) -> None:
        self.places = Places(text)
        self.yields = [False]
        self._string: ir.Place | None = None

    def place_of(self, node: ast.AST) -> ir.Place:
        """Return the place of a node. Within an f-string it is the place of the string, as in Python 3.11."""
        return self._string or self.places.place_of(node)

    def lower_expression(self, node: ast.expr) -> ir.Expr:
        """Lower an expression; a node kind of a newer Python becomes an unknown value."""
        lower = _EXPRESSIONS.get(type(node))
        return lower(self, node) if lower else ir.Joined(self.place_of(node), ())

    def lower_optional(self, node: ast.expr | None) -> ir.Expr | None:
        """Lower an expression, if there is one."""
        return None if node is None else self.lower_expression(node)

    def lower_all(self, nodes: Iterable[ast.expr]) -> tuple[ir.Expr, ...]:
        """Lower several expressions."""
        return tuple(self.lower_expression(node) for node in nodes)

    def lower_arguments(
        self, positional: Iterable[ast.expr], keywords: Iterable[ast.keyword]
    ) -> tuple[ir.Argument, ...]:
        """Lower the arguments of a call or a class, in evaluation order."""
        found = [
            ir.Argument(self.lower_expression(a.value), star=1)
            if isinstance(a, ast.Starred)
            else ir.Argument(self.lower_expression(a))
            for a in positional
        ]
        found += [ir.Argument(self.lower_expression(k.value), k.arg, 0 if k.arg else 2) for k in keywords]
        return tuple(found)

    def lower_parameters(self, node: ast.arguments) -> tuple[ir.Parameter, ...]:
        """Lower the parameters of a function, in order."""
        plain = [*node.posonlyargs, *node.args]
        defaults = [None] * (len(plain) - len(node.defaults)) + list(node.defaults)
        found = [
            self._lower_parameter(p, "positional" if i < len(node.posonlyargs) else "normal", default)
            for i, (p, default) in enumerate(zip(plain, defaults, strict=True))
        ]
        if node.vararg:
            found.append(self._lower_parameter(node.vararg, "vararg", None))
        found += [
            self._lower_parameter(p, "keyword", d) for p, d in zip(node.kwonlyargs, node.kw_defaults, strict=True)
        ]
        if node.kwarg:
            found.append(self._lower_parameter(node.kwarg, "kwarg", None))
        return tuple(found)

    def _lower_parameter(self, node: ast.arg, kind: Any, default: ast.expr | None) -> ir.Parameter:
        return ir.Parameter(node.arg, kind, self.lower_optional(default), self.lower_optional(node.annotation))

    # One method a class of `ast`

    def _lower_name(self, node: ast.Name) -> ir.Expr:
        return ir.Name(self.place_of(node), node.id)

    def _lower_constant(self, node: ast.Constant) -> ir.Expr:
        return ir.Const(self.place_of(node), node.value)

    def _lower_attribute(self, node: ast.Attribute) -> ir.Expr:
        return ir.Attribute(self.place_of(node), self.lower_expression(node.value), node.attr)

    def _lower_subscript(self, node: ast.Subscript) -> ir.Expr:
        return ir.Subscript(self.place_of(node), self.lower_expression(node.value), self.lower_expression(node.slice))

    def _lower_slice(self, node: ast.Slice) -> ir.Expr:
        return ir.Slice(
            self.place_of(node),
            self.lower_optional(node.lower),
            self.lower_optional(node.upper),
            self.lower_optional(node.step),
        )

    def _lower_call(self, node: ast.Call) -> ir.Expr:
        return ir.Call(
            self.place_of(node), self.lower_expression(node.func), self.lower_arguments(node.args, node.keywords)
        )

    def _lower_binary(self, node: ast.BinOp) -> ir.Expr:
        left, right = self.lower_expression(node.left), self.lower_expression(node.right)
        return ir.BinOp(self.place_of(node), operator_text(node.op), left, right)

    def _lower_unary(self, node: ast.UnaryOp) -> ir.Expr:
        operand, op = self.lower_expression(node.operand), operator_text(node.op)
        if op == "-" and isinstance(operand, ir.Const) and isinstance(operand.value, int | float):
            return ir.Const(self.place_of(node), -operand.value)
        return ir.UnaryOp(self.place_of(node), op, operand)

    def _lower_boolean(self, node: ast.BoolOp) -> ir.Expr:
        whole = self.place_of(node)
        first, *rest = self.lower_all(node.values)
        for value in rest:
            end = whole if value is rest[-1] else value.place
            first = ir.BoolOp((*whole[:2], *end[2:]), operator_text(node.op), first, value)
        return first

    def _lower_comparison(self, node: ast.Compare) -> ir.Expr:
        rest = tuple(
            (operator_text(o), self.lower_expression(c)) for o, c in zip(node.ops, node.comparators, strict=True)
        )
        return ir.Compare(self.place_of(node), self.lower_expression(node.left), rest)

    def _lower_conditional(self, node: ast.IfExp) -> ir.Expr:
        test, body, orelse = self.lower_all((node.test, node.body, node.orelse))
        return ir.IfExp(self.place_of(node), test, body, orelse)

    def _lower_display(self, node: ast.Tuple | ast.List | ast.Set) -> ir.Expr:
        kind: Any = type(node).__name__.lower()
        return ir.Sequence(self.place_of(node), kind, self.lower_all(node.elts))

    def _lower_starred(self, node: ast.Starred) -> ir.Expr:
        return ir.Starred(self.place_of(node), self.lower_expression(node.value))

    def _lower_dict(self, node: ast.Dict) -> ir.Expr:
        pairs = zip(node.keys, node.values, strict=True)
        return ir.Dict(self.place_of(node), tuple((self.lower_optional(k), self.lower_expression(v)) for k, v in pairs))

    def _lower_comprehension(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp) -> ir.Expr:
        kinds: dict[type[ast.AST], Any] = {ast.ListComp: "list", ast.SetComp: "set"}
        element, clauses = self.lower_expression(node.elt), self._lower_clauses(node.generators)
        return ir.Comprehension(self.place_of(node), kinds.get(type(node), "generator"), None, element, clauses)

    def _lower_dict_comprehension(self, node: ast.DictComp) -> ir.Expr:
        key, value = self.lower_expression(node.key), self.lower_expression(node.value)
        return ir.Comprehension(self.place_of(node), "dict", key, value, self._lower_clauses(node.generators))

    def _lower_clauses(self, nodes: Iterable[ast.comprehension]) -> tuple[ir.Clause, ...]:
        return tuple(
            ir.Clause(self.lower_expression(n.target), self.lower_expression(n.iter), self.lower_all(n.ifs))
            for n in nodes
        )

    def _lower_named(self, node: ast.NamedExpr) -> ir.Expr:
        return ir.NamedExpr(self.place_of(node), self.lower_expression(node.target), self.lower_expression(node.value))

    def _lower_await(self, node: ast.Await) -> ir.Expr:
        return ir.Suspend(self.place_of(node), "await", self.lower_expression(node.value))

    def _lower_yield(self, node: ast.Yield) -> ir.Expr:
        self.yields[-1] = True
        return ir.Suspend(self.place_of(node), "yield", self.lower_optional(node.value))

    def _yield_from(self, node: ast.YieldFrom) -> ir.Expr:
        self.yields[-1] = True
        return ir.Suspend(self.place_of(node), "yield from", self.lower_expression(node.value))

    def _lower_lambda(self, node: ast.Lambda) -> ir.Expr:
        parameters = self.lower_parameters(node.args)
        self.yields.append(False)
        body = self.lower_expression(node.body)
        self.yields.pop()
        return ir.Lambda(self.place_of(node), parameters, body)

    def _lower_formatted(self, node: Any) -> ir.Expr:
        place, outer = self.place_of(node), self._string
        self._string = place if sys.version_info < (3, 12) else None
        try:
            values = self.lower_all(part.value for part in node.values if not isinstance(part, ast.Constant))
            return ir.Joined(place, values, _texts_between(node.values))
        finally:
            self._string = outer


def _texts_between(parts: list[Any]) -> tuple[str, ...] | None:
    """Return the text before, between and after the expressions of an f-string; None for special formatting."""
    texts = [""]
    for part in parts:
        if isinstance(part, ast.Constant):
            texts[-1] += str(part.value)
        elif isinstance(part, ast.FormattedValue) and part.conversion == -1 and part.format_spec is None:
            texts.append("")
        else:
            return None
    return tuple(texts)


_EXPRESSIONS: dict[type[ast.AST], Callable[[Expressions, Any], ir.Expr]] = {
    ast.Name: Expressions._lower_name,
    ast.Constant: Expressions._lower_constant,
    ast.Attribute: Expressions._lower_attribute,
    ast.Subscript: Expressions._lower_subscript,
    ast.Slice: Expressions._lower_slice,
    ast.Call: Expressions._lower_call,
    ast.BinOp: Expressions._lower_binary,
    ast.UnaryOp: Expressions._lower_unary,
    ast.BoolOp: Expressions._lower_boolean,
    ast.Compare: Expressions._lower_comparison,
    ast.IfExp: Expressions._lower_conditional,
    ast.Tuple: Expressions._lower_display,
    ast.List: Expressions._lower_display,
    ast.Set: Expressions._lower_display,
    ast.Starred: Expressions._lower_starred,
    ast.Dict: Expressions._lower_dict,
    ast.ListComp: Expressions._lower_comprehension,
    ast.SetComp: Expressions._lower_comprehension,
    ast.GeneratorExp: Expressions._lower_comprehension,
    ast.DictComp: Expressions._lower_dict_comprehension,
    ast.NamedExpr: Expressions._lower_named,
    ast.Await: Expressions._lower_await,
    ast.Yield: Expressions._lower_yield,
    ast.YieldFrom: Expressions._yield_from,
    ast.Lambda: Expressions._lower_lambda,
    ast.JoinedStr: Expressions._lower_formatted,
}
if hasattr(ast, "TemplateStr"):  # Python 3.14
    _EXPRESSIONS[ast.TemplateStr] = Expressions._lower_formatted
