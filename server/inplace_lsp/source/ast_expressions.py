"""Python's own syntax tree to IR: expressions, and the one place that knows how `ast` counts columns."""

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


def operator(node: ast.AST) -> str:
    """An operator as it is written."""
    return _OPERATORS[type(node)]


class Places:
    """Where nodes stand. `ast` counts columns in bytes of UTF-8; inside, they are code points."""

    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")
        self._encoded = (
            {} if text.isascii() else {i: s.encode() for i, s in enumerate(self.lines, 1) if not s.isascii()}
        )

    def of(self, node: Any) -> ir.Place:
        """The place of a node that has one."""
        row, end = node.lineno, node.end_lineno
        if not self._encoded:
            return (row, node.col_offset, end, node.end_col_offset)
        return (row, self.column(row, node.col_offset), end, self.column(end, node.end_col_offset))

    def column(self, row: int, offset: int) -> int:
        """`offset` bytes into `row` as a column."""
        line = self._encoded.get(row)
        return offset if line is None else len(line[:offset].decode(errors="ignore"))


class Expressions:
    """Lowers expressions. `yields` says for each function being lowered whether a `yield` was seen in it."""

    def __init__(self, text: str) -> None:
        self.places = Places(text)
        self.yields = [False]
        self._string: ir.Place | None = None

    def place(self, node: ast.AST) -> ir.Place:
        """The place of a node. Within an f-string it is the string's: before 3.12 Python knows no better."""
        return self._string or self.places.of(node)

    def expression(self, node: ast.expr) -> ir.Expr:
        """One expression; what later versions of Python may add becomes an unknown value."""
        lower = _EXPRESSIONS.get(type(node))
        return lower(self, node) if lower else ir.Joined(self.place(node), ())

    def optional(self, node: ast.expr | None) -> ir.Expr | None:
        """One expression, if there is one."""
        return None if node is None else self.expression(node)

    def all(self, nodes: Iterable[ast.expr]) -> tuple[ir.Expr, ...]:
        """Several expressions."""
        return tuple(self.expression(node) for node in nodes)

    def arguments(self, positional: Iterable[ast.expr], keywords: Iterable[ast.keyword]) -> tuple[ir.Argument, ...]:
        """The arguments of a call or a class, in the order in which they are evaluated."""
        found = [
            ir.Argument(self.expression(a.value), star=1)
            if isinstance(a, ast.Starred)
            else ir.Argument(self.expression(a))
            for a in positional
        ]
        found += [ir.Argument(self.expression(k.value), k.arg, 0 if k.arg else 2) for k in keywords]
        return tuple(found)

    def parameters(self, node: ast.arguments) -> tuple[ir.Parameter, ...]:
        """The parameters of a function, in order."""
        plain = [*node.posonlyargs, *node.args]
        defaults = [None] * (len(plain) - len(node.defaults)) + list(node.defaults)
        found = [
            self._parameter(p, "positional" if i < len(node.posonlyargs) else "normal", default)
            for i, (p, default) in enumerate(zip(plain, defaults, strict=True))
        ]
        if node.vararg:
            found.append(self._parameter(node.vararg, "vararg", None))
        found += [self._parameter(p, "keyword", d) for p, d in zip(node.kwonlyargs, node.kw_defaults, strict=True)]
        if node.kwarg:
            found.append(self._parameter(node.kwarg, "kwarg", None))
        return tuple(found)

    def _parameter(self, node: ast.arg, kind: Any, default: ast.expr | None) -> ir.Parameter:
        return ir.Parameter(node.arg, kind, self.optional(default), self.optional(node.annotation))

    # One method a class of `ast`

    def _name(self, node: ast.Name) -> ir.Expr:
        return ir.Name(self.place(node), node.id)

    def _constant(self, node: ast.Constant) -> ir.Expr:
        return ir.Const(self.place(node), node.value)

    def _attribute(self, node: ast.Attribute) -> ir.Expr:
        return ir.Attribute(self.place(node), self.expression(node.value), node.attr)

    def _subscript(self, node: ast.Subscript) -> ir.Expr:
        return ir.Subscript(self.place(node), self.expression(node.value), self.expression(node.slice))

    def _slice(self, node: ast.Slice) -> ir.Expr:
        return ir.Slice(
            self.place(node), self.optional(node.lower), self.optional(node.upper), self.optional(node.step)
        )

    def _call(self, node: ast.Call) -> ir.Expr:
        return ir.Call(self.place(node), self.expression(node.func), self.arguments(node.args, node.keywords))

    def _binary(self, node: ast.BinOp) -> ir.Expr:
        left, right = self.expression(node.left), self.expression(node.right)
        return ir.BinOp(self.place(node), operator(node.op), left, right)

    def _unary(self, node: ast.UnaryOp) -> ir.Expr:
        operand, op = self.expression(node.operand), operator(node.op)
        if op == "-" and isinstance(operand, ir.Const) and isinstance(operand.value, int | float):
            return ir.Const(self.place(node), -operand.value)
        return ir.UnaryOp(self.place(node), op, operand)

    def _boolean(self, node: ast.BoolOp) -> ir.Expr:
        whole = self.place(node)
        first, *rest = self.all(node.values)
        for value in rest:
            end = whole if value is rest[-1] else value.place
            first = ir.BoolOp((*whole[:2], *end[2:]), operator(node.op), first, value)
        return first

    def _comparison(self, node: ast.Compare) -> ir.Expr:
        rest = tuple((operator(o), self.expression(c)) for o, c in zip(node.ops, node.comparators, strict=True))
        return ir.Compare(self.place(node), self.expression(node.left), rest)

    def _conditional(self, node: ast.IfExp) -> ir.Expr:
        test, body, orelse = self.all((node.test, node.body, node.orelse))
        return ir.IfExp(self.place(node), test, body, orelse)

    def _display(self, node: ast.Tuple | ast.List | ast.Set) -> ir.Expr:
        kind: Any = type(node).__name__.lower()
        return ir.Sequence(self.place(node), kind, self.all(node.elts))

    def _starred(self, node: ast.Starred) -> ir.Expr:
        return ir.Starred(self.place(node), self.expression(node.value))

    def _dict(self, node: ast.Dict) -> ir.Expr:
        pairs = zip(node.keys, node.values, strict=True)
        return ir.Dict(self.place(node), tuple((self.optional(k), self.expression(v)) for k, v in pairs))

    def _comprehension(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp) -> ir.Expr:
        kinds: dict[type[ast.AST], Any] = {ast.ListComp: "list", ast.SetComp: "set"}
        element, clauses = self.expression(node.elt), self._clauses(node.generators)
        return ir.Comprehension(self.place(node), kinds.get(type(node), "generator"), None, element, clauses)

    def _dict_comprehension(self, node: ast.DictComp) -> ir.Expr:
        key, value = self.expression(node.key), self.expression(node.value)
        return ir.Comprehension(self.place(node), "dict", key, value, self._clauses(node.generators))

    def _clauses(self, nodes: Iterable[ast.comprehension]) -> tuple[ir.Clause, ...]:
        return tuple(ir.Clause(self.expression(n.target), self.expression(n.iter), self.all(n.ifs)) for n in nodes)

    def _named(self, node: ast.NamedExpr) -> ir.Expr:
        return ir.NamedExpr(self.place(node), self.expression(node.target), self.expression(node.value))

    def _await(self, node: ast.Await) -> ir.Expr:
        return ir.Suspend(self.place(node), "await", self.expression(node.value))

    def _yield(self, node: ast.Yield) -> ir.Expr:
        self.yields[-1] = True
        return ir.Suspend(self.place(node), "yield", self.optional(node.value))

    def _yield_from(self, node: ast.YieldFrom) -> ir.Expr:
        self.yields[-1] = True
        return ir.Suspend(self.place(node), "yield from", self.expression(node.value))

    def _lambda(self, node: ast.Lambda) -> ir.Expr:
        parameters = self.parameters(node.args)
        self.yields.append(False)
        body = self.expression(node.body)
        self.yields.pop()
        return ir.Lambda(self.place(node), parameters, body)

    def _formatted(self, node: Any) -> ir.Expr:
        place, outer = self.place(node), self._string
        self._string = place if sys.version_info < (3, 12) else None
        try:
            values = self.all(part.value for part in node.values if not isinstance(part, ast.Constant))
            return ir.Joined(place, values, _texts(node.values))
        finally:
            self._string = outer


def _texts(parts: list[Any]) -> tuple[str, ...] | None:
    """The text before, between and after the expressions of an f-string; None where one is specially formatted."""
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
    ast.Name: Expressions._name,
    ast.Constant: Expressions._constant,
    ast.Attribute: Expressions._attribute,
    ast.Subscript: Expressions._subscript,
    ast.Slice: Expressions._slice,
    ast.Call: Expressions._call,
    ast.BinOp: Expressions._binary,
    ast.UnaryOp: Expressions._unary,
    ast.BoolOp: Expressions._boolean,
    ast.Compare: Expressions._comparison,
    ast.IfExp: Expressions._conditional,
    ast.Tuple: Expressions._display,
    ast.List: Expressions._display,
    ast.Set: Expressions._display,
    ast.Starred: Expressions._starred,
    ast.Dict: Expressions._dict,
    ast.ListComp: Expressions._comprehension,
    ast.SetComp: Expressions._comprehension,
    ast.GeneratorExp: Expressions._comprehension,
    ast.DictComp: Expressions._dict_comprehension,
    ast.NamedExpr: Expressions._named,
    ast.Await: Expressions._await,
    ast.Yield: Expressions._yield,
    ast.YieldFrom: Expressions._yield_from,
    ast.Lambda: Expressions._lambda,
    ast.JoinedStr: Expressions._formatted,
}
if hasattr(ast, "TemplateStr"):  # Python 3.14
    _EXPRESSIONS[ast.TemplateStr] = Expressions._formatted
