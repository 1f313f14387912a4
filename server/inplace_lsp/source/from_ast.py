"""Lower statements and patterns of Python's own syntax tree to IR. Ten times faster than libcst."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from inplace_lsp.source import ir
from inplace_lsp.source.ast_expressions import Expressions, operator_text

_HEADER = re.compile(r"(?:async(?:\s|\\\n)+)?(?:def|class)(?:\s|\\\n)+")
_IDENTIFIER = re.compile(r"\w+")


def lower_text(text: str) -> tuple[ir.Statement, ...]:
    """Return the statements of `text` as IR.

    Raises what `ast.parse` does: SyntaxError (also for syntax newer than the Python that runs), ValueError for null
    characters, RecursionError or MemoryError for what is nested too deeply.
    """
    with warnings.catch_warnings():  # invalid escapes are none of our business, and stderr is not ours to write to
        warnings.simplefilter("ignore")
        module = ast.parse(text)
    return _Statements(text).lower_block(module.body)


def lower_definition(node: ast.FunctionDef | ast.AsyncFunctionDef) -> ir.FunctionDef:
    """Return a function as IR without its text, which its places would need. Raises RecursionError."""
    lowered = _Statements("").lower_statement(node)
    assert isinstance(lowered, ir.FunctionDef)
    return lowered


class _Statements(Expressions):
    """Lowers statements."""

    def lower_block(self, body: Iterable[ast.stmt]) -> tuple[ir.Statement, ...]:
        """Lower the statements of a body."""
        return ir.drop_docstrings(self.lower_statement(node) for node in body)

    def lower_statement(self, node: ast.stmt) -> ir.Statement:
        """Lower a statement; what is not known does nothing."""
        lower = _STATEMENTS.get(type(node))
        return lower(self, node) if lower else ir.Jump(self.place_of(node), "pass")

    def _lower_expr(self, node: ast.Expr) -> ir.Statement:
        return ir.ExprStatement(self.place_of(node), self.lower_expression(node.value))

    def _lower_assign(self, node: ast.Assign) -> ir.Statement:
        return ir.Assign(self.place_of(node), self.lower_all(node.targets), self.lower_expression(node.value))

    def _lower_annotate(self, node: ast.AnnAssign) -> ir.Statement:
        target, annotation = self.lower_expression(node.target), self.lower_expression(node.annotation)
        return ir.Annotate(self.place_of(node), target, annotation, self.lower_optional(node.value))

    def _lower_aug_assign(self, node: ast.AugAssign) -> ir.Statement:
        target, value = self.lower_expression(node.target), self.lower_expression(node.value)
        return ir.AugAssign(self.place_of(node), target, operator_text(node.op), value)

    def _lower_return(self, node: ast.Return) -> ir.Statement:
        return ir.Return(self.place_of(node), self.lower_optional(node.value))

    def _lower_raise(self, node: ast.Raise) -> ir.Statement:
        return ir.Raise(self.place_of(node), self.lower_optional(node.exc))

    def _lower_assert(self, node: ast.Assert) -> ir.Statement:
        return ir.Assert(self.place_of(node), self.lower_expression(node.test))

    def _lower_delete(self, node: ast.Delete) -> ir.Statement:
        return ir.Delete(
            self.place_of(node), self.lower_all(inner for target in node.targets for inner in _flatten_targets(target))
        )

    def _lower_jump(self, node: ast.Pass | ast.Break | ast.Continue) -> ir.Statement:
        kind: Any = type(node).__name__.lower()
        return ir.Jump(self.place_of(node), kind)

    def _lower_scope(self, node: ast.Global | ast.Nonlocal) -> ir.Statement:
        kind: Any = type(node).__name__.lower()
        return ir.Scope(self.place_of(node), kind, tuple(node.names))

    def _lower_import(self, node: ast.Import) -> ir.Statement:
        return ir.Import(self.place_of(node), tuple((alias.name, alias.asname) for alias in node.names))

    def _lower_import_from(self, node: ast.ImportFrom) -> ir.Statement:
        names = tuple((alias.name, alias.asname) for alias in node.names)
        return ir.ImportFrom(self.place_of(node), node.module or "", node.level, names)

    def _lower_if(self, node: ast.If) -> ir.Statement:
        return ir.If(
            self.place_of(node),
            self.lower_expression(node.test),
            self.lower_block(node.body),
            self.lower_block(node.orelse),
        )

    def _lower_for(self, node: ast.For | ast.AsyncFor) -> ir.Statement:
        target, iterable = self.lower_expression(node.target), self.lower_expression(node.iter)
        return ir.For(self.place_of(node), target, iterable, self.lower_block(node.body), self.lower_block(node.orelse))

    def _lower_while(self, node: ast.While) -> ir.Statement:
        return ir.While(
            self.place_of(node),
            self.lower_expression(node.test),
            self.lower_block(node.body),
            self.lower_block(node.orelse),
        )

    def _lower_with(self, node: ast.With | ast.AsyncWith) -> ir.Statement:
        items = tuple((self.lower_expression(i.context_expr), self.lower_optional(i.optional_vars)) for i in node.items)
        return ir.With(self.place_of(node), items, self.lower_block(node.body))

    def _lower_try(self, node: Any) -> ir.Statement:
        handlers = tuple(
            ir.Handler(self.lower_optional(h.type), h.name, self.lower_block(h.body)) for h in node.handlers
        )
        body, orelse, final = (
            self.lower_block(node.body),
            self.lower_block(node.orelse),
            self.lower_block(node.finalbody),
        )
        return ir.Try(self.place_of(node), body, handlers, orelse, final)

    def _lower_match(self, node: ast.Match) -> ir.Statement:
        cases = tuple(
            ir.Case(self._lower_pattern(c.pattern), self.lower_optional(c.guard), self.lower_block(c.body))
            for c in node.cases
        )
        return ir.Match(self.place_of(node), self.lower_expression(node.subject), cases)

    def _lower_pattern(self, node: ast.pattern) -> ir.Pattern:
        if isinstance(node, ast.MatchValue):
            return ir.Pattern("value", value=self.lower_expression(node.value))
        if isinstance(node, ast.MatchSingleton):
            return ir.Pattern("value", value=ir.Const(self.place_of(node), node.value))
        if isinstance(node, ast.MatchAs):
            return ir.Pattern(
                "capture", name=node.name, parts=self._lower_patterns([node.pattern] if node.pattern else [])
            )
        if isinstance(node, ast.MatchOr):
            return ir.Pattern("or", parts=self._lower_patterns(node.patterns))
        if isinstance(node, ast.MatchSequence):
            return ir.Pattern("sequence", parts=self._lower_patterns(node.patterns))
        if isinstance(node, ast.MatchMapping):
            keys = tuple(self.lower_expression(key) for key in node.keys)
            return ir.Pattern("mapping", name=node.rest, parts=self._lower_patterns(node.patterns), keys=keys)
        if isinstance(node, ast.MatchClass):
            parts = self._lower_patterns([*node.patterns, *node.kwd_patterns])
            attributes = (*[""] * len(node.patterns), *node.kwd_attrs)
            return ir.Pattern("class", value=self.lower_expression(node.cls), parts=parts, attributes=attributes)
        return ir.Pattern("star", name=node.name) if isinstance(node, ast.MatchStar) else ir.Pattern("other")

    def _lower_patterns(self, nodes: Iterable[ast.pattern]) -> tuple[ir.Pattern, ...]:
        return tuple(self._lower_pattern(node) for node in nodes)

    def _lower_function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ir.Statement:
        parameters, decorators = self.lower_parameters(node.args), self.lower_all(node.decorator_list)
        self.yields.append(False)
        body = self.lower_block(node.body)
        generator = self.yields.pop()
        is_async = isinstance(node, ast.AsyncFunctionDef)
        return ir.FunctionDef(self._name_place(node), node.name, parameters, body, decorators, is_async, generator)

    def _lower_class(self, node: ast.ClassDef) -> ir.Statement:
        arguments, decorators = self.lower_arguments(node.bases, node.keywords), self.lower_all(node.decorator_list)
        return ir.ClassDef(self._name_place(node), node.name, arguments, self.lower_block(node.body), decorators)

    def _name_place(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> ir.Place:
        """Return the place of a definition's name; `ast` only gives the start of the definition."""
        row, column, _, _ = self.place_of(node)
        text = "\n".join(self.places.lines[row - 1 : row + 9])  # a name may be on a continued line
        header = _HEADER.match(text, column)
        start = header.end() if header else column
        name = _IDENTIFIER.match(text, start)
        row += text.count("\n", 0, start)
        column = start - (text.rfind("\n", 0, start) + 1)
        return (row, column, row, column + (len(name[0]) if name else 0))


def _flatten_targets(target: ast.expr) -> Iterator[ast.expr]:
    if isinstance(target, ast.Tuple | ast.List):
        for element in target.elts:
            yield from _flatten_targets(element)
    else:
        yield target


_STATEMENTS: dict[type[ast.AST], Callable[[_Statements, Any], ir.Statement]] = {
    ast.Expr: _Statements._lower_expr,
    ast.Assign: _Statements._lower_assign,
    ast.AnnAssign: _Statements._lower_annotate,
    ast.AugAssign: _Statements._lower_aug_assign,
    ast.Return: _Statements._lower_return,
    ast.Raise: _Statements._lower_raise,
    ast.Assert: _Statements._lower_assert,
    ast.Delete: _Statements._lower_delete,
    ast.Pass: _Statements._lower_jump,
    ast.Break: _Statements._lower_jump,
    ast.Continue: _Statements._lower_jump,
    ast.Global: _Statements._lower_scope,
    ast.Nonlocal: _Statements._lower_scope,
    ast.Import: _Statements._lower_import,
    ast.ImportFrom: _Statements._lower_import_from,
    ast.If: _Statements._lower_if,
    ast.For: _Statements._lower_for,
    ast.AsyncFor: _Statements._lower_for,
    ast.While: _Statements._lower_while,
    ast.With: _Statements._lower_with,
    ast.AsyncWith: _Statements._lower_with,
    ast.Try: _Statements._lower_try,
    ast.Match: _Statements._lower_match,
    ast.FunctionDef: _Statements._lower_function,
    ast.AsyncFunctionDef: _Statements._lower_function,
    ast.ClassDef: _Statements._lower_class,
}
if hasattr(ast, "TryStar"):  # Python 3.11
    _STATEMENTS[ast.TryStar] = _Statements._lower_try
