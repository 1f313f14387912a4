"""Python's own syntax tree to IR: statements and patterns. Ten times quicker than by way of libcst."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from inplace_lsp.source import ir
from inplace_lsp.source.ast_expressions import Expressions, operator

_HEADER = re.compile(r"(?:async(?:\s|\\\n)+)?(?:def|class)(?:\s|\\\n)+")
_IDENTIFIER = re.compile(r"\w+")


def lower_text(text: str) -> tuple[ir.Statement, ...]:
    """The statements of `text` as IR.

    Raises what `ast.parse` does: SyntaxError (also for syntax newer than the Python that runs), ValueError for null
    characters, RecursionError or MemoryError for what is nested too deeply.
    """
    with warnings.catch_warnings():  # invalid escapes are none of our business, and stderr is not ours to write to
        warnings.simplefilter("ignore")
        module = ast.parse(text)
    return _Statements(text).block(module.body)


class _Statements(Expressions):
    """Lowers statements."""

    def block(self, body: Iterable[ast.stmt]) -> tuple[ir.Statement, ...]:
        """The statements of a body."""
        return ir.body(self._statement(node) for node in body)

    def _statement(self, node: ast.stmt) -> ir.Statement:
        lower = _STATEMENTS.get(type(node))
        return lower(self, node) if lower else ir.Jump(self.place(node), "pass")

    def _expr(self, node: ast.Expr) -> ir.Statement:
        return ir.ExprStatement(self.place(node), self.expression(node.value))

    def _assign(self, node: ast.Assign) -> ir.Statement:
        return ir.Assign(self.place(node), self.all(node.targets), self.expression(node.value))

    def _annotate(self, node: ast.AnnAssign) -> ir.Statement:
        target, annotation = self.expression(node.target), self.expression(node.annotation)
        return ir.Annotate(self.place(node), target, annotation, self.optional(node.value))

    def _aug_assign(self, node: ast.AugAssign) -> ir.Statement:
        target, value = self.expression(node.target), self.expression(node.value)
        return ir.AugAssign(self.place(node), target, operator(node.op), value)

    def _return(self, node: ast.Return) -> ir.Statement:
        return ir.Return(self.place(node), self.optional(node.value))

    def _raise(self, node: ast.Raise) -> ir.Statement:
        return ir.Raise(self.place(node), self.optional(node.exc))

    def _assert(self, node: ast.Assert) -> ir.Statement:
        return ir.Assert(self.place(node), self.expression(node.test))

    def _delete(self, node: ast.Delete) -> ir.Statement:
        return ir.Delete(self.place(node), self.all(one for target in node.targets for one in _flat(target)))

    def _jump(self, node: ast.Pass | ast.Break | ast.Continue) -> ir.Statement:
        kind: Any = type(node).__name__.lower()
        return ir.Jump(self.place(node), kind)

    def _scope(self, node: ast.Global | ast.Nonlocal) -> ir.Statement:
        kind: Any = type(node).__name__.lower()
        return ir.Scope(self.place(node), kind, tuple(node.names))

    def _import(self, node: ast.Import) -> ir.Statement:
        return ir.Import(self.place(node), tuple((alias.name, alias.asname) for alias in node.names))

    def _import_from(self, node: ast.ImportFrom) -> ir.Statement:
        names = tuple((alias.name, alias.asname) for alias in node.names)
        return ir.ImportFrom(self.place(node), node.module or "", node.level, names)

    def _if(self, node: ast.If) -> ir.Statement:
        return ir.If(self.place(node), self.expression(node.test), self.block(node.body), self.block(node.orelse))

    def _for(self, node: ast.For | ast.AsyncFor) -> ir.Statement:
        target, iterable = self.expression(node.target), self.expression(node.iter)
        return ir.For(self.place(node), target, iterable, self.block(node.body), self.block(node.orelse))

    def _while(self, node: ast.While) -> ir.Statement:
        return ir.While(self.place(node), self.expression(node.test), self.block(node.body), self.block(node.orelse))

    def _with(self, node: ast.With | ast.AsyncWith) -> ir.Statement:
        items = tuple((self.expression(i.context_expr), self.optional(i.optional_vars)) for i in node.items)
        return ir.With(self.place(node), items, self.block(node.body))

    def _try(self, node: Any) -> ir.Statement:
        handlers = tuple(ir.Handler(self.optional(h.type), h.name, self.block(h.body)) for h in node.handlers)
        body, orelse, final = self.block(node.body), self.block(node.orelse), self.block(node.finalbody)
        return ir.Try(self.place(node), body, handlers, orelse, final)

    def _match(self, node: ast.Match) -> ir.Statement:
        cases = tuple(ir.Case(self._pattern(c.pattern), self.optional(c.guard), self.block(c.body)) for c in node.cases)
        return ir.Match(self.place(node), self.expression(node.subject), cases)

    def _pattern(self, node: ast.pattern) -> ir.Pattern:
        if isinstance(node, ast.MatchValue):
            return ir.Pattern("value", value=self.expression(node.value))
        if isinstance(node, ast.MatchSingleton):
            return ir.Pattern("value", value=ir.Const(self.place(node), node.value))
        if isinstance(node, ast.MatchAs):
            return ir.Pattern("capture", name=node.name, parts=self._patterns([node.pattern] if node.pattern else []))
        if isinstance(node, ast.MatchOr):
            return ir.Pattern("or", parts=self._patterns(node.patterns))
        if isinstance(node, ast.MatchSequence):
            return ir.Pattern("sequence", parts=self._patterns(node.patterns))
        if isinstance(node, ast.MatchMapping):
            keys = tuple(self.expression(key) for key in node.keys)
            return ir.Pattern("mapping", name=node.rest, parts=self._patterns(node.patterns), keys=keys)
        if isinstance(node, ast.MatchClass):
            parts = self._patterns([*node.patterns, *node.kwd_patterns])
            attributes = (*[""] * len(node.patterns), *node.kwd_attrs)
            return ir.Pattern("class", value=self.expression(node.cls), parts=parts, attributes=attributes)
        return ir.Pattern("star", name=node.name) if isinstance(node, ast.MatchStar) else ir.Pattern("other")

    def _patterns(self, nodes: Iterable[ast.pattern]) -> tuple[ir.Pattern, ...]:
        return tuple(self._pattern(node) for node in nodes)

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ir.Statement:
        parameters, decorators = self.parameters(node.args), self.all(node.decorator_list)
        self.yields.append(False)
        body = self.block(node.body)
        generator = self.yields.pop()
        is_async = isinstance(node, ast.AsyncFunctionDef)
        return ir.FunctionDef(self._name_place(node), node.name, parameters, body, decorators, is_async, generator)

    def _class(self, node: ast.ClassDef) -> ir.Statement:
        arguments, decorators = self.arguments(node.bases, node.keywords), self.all(node.decorator_list)
        return ir.ClassDef(self._name_place(node), node.name, arguments, self.block(node.body), decorators)

    def _name_place(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> ir.Place:
        """Where the name of a definition stands; `ast` only tells where the definition begins."""
        row, column, _, _ = self.place(node)
        text = "\n".join(self.places.lines[row - 1 : row + 9])  # a name may be on a continued line
        header = _HEADER.match(text, column)
        start = header.end() if header else column
        name = _IDENTIFIER.match(text, start)
        row += text.count("\n", 0, start)
        column = start - (text.rfind("\n", 0, start) + 1)
        return (row, column, row, column + (len(name[0]) if name else 0))


def _flat(target: ast.expr) -> Iterator[ast.expr]:
    if isinstance(target, ast.Tuple | ast.List):
        for element in target.elts:
            yield from _flat(element)
    else:
        yield target


_STATEMENTS: dict[type[ast.AST], Callable[[_Statements, Any], ir.Statement]] = {
    ast.Expr: _Statements._expr,
    ast.Assign: _Statements._assign,
    ast.AnnAssign: _Statements._annotate,
    ast.AugAssign: _Statements._aug_assign,
    ast.Return: _Statements._return,
    ast.Raise: _Statements._raise,
    ast.Assert: _Statements._assert,
    ast.Delete: _Statements._delete,
    ast.Pass: _Statements._jump,
    ast.Break: _Statements._jump,
    ast.Continue: _Statements._jump,
    ast.Global: _Statements._scope,
    ast.Nonlocal: _Statements._scope,
    ast.Import: _Statements._import,
    ast.ImportFrom: _Statements._import_from,
    ast.If: _Statements._if,
    ast.For: _Statements._for,
    ast.AsyncFor: _Statements._for,
    ast.While: _Statements._while,
    ast.With: _Statements._with,
    ast.AsyncWith: _Statements._with,
    ast.Try: _Statements._try,
    ast.Match: _Statements._match,
    ast.FunctionDef: _Statements._function,
    ast.AsyncFunctionDef: _Statements._function,
    ast.ClassDef: _Statements._class,
}
if hasattr(ast, "TryStar"):  # Python 3.11
    _STATEMENTS[ast.TryStar] = _Statements._try
