"""Lower libcst trees to IR, for syntax newer than the running Python, which `from_ast` cannot read."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import libcst as cst
from libcst.metadata import CodeRange, MetadataWrapper, PositionProvider

from inplace_lsp.source import ir

_OPERATORS: dict[type[cst.CSTNode], str] = {
    cst.Add: "+", cst.Subtract: "-", cst.Multiply: "*", cst.Divide: "/", cst.FloorDivide: "//", cst.Modulo: "%",
    cst.Power: "**", cst.MatrixMultiply: "@", cst.LeftShift: "<<", cst.RightShift: ">>", cst.BitAnd: "&",
    cst.BitOr: "|", cst.BitXor: "^", cst.AddAssign: "+", cst.SubtractAssign: "-", cst.MultiplyAssign: "*",
    cst.DivideAssign: "/", cst.FloorDivideAssign: "//", cst.ModuloAssign: "%", cst.PowerAssign: "**",
    cst.MatrixMultiplyAssign: "@", cst.LeftShiftAssign: "<<", cst.RightShiftAssign: ">>", cst.BitAndAssign: "&",
    cst.BitOrAssign: "|", cst.BitXorAssign: "^", cst.Minus: "-", cst.Plus: "+", cst.BitInvert: "~", cst.Not: "not",
    cst.And: "and", cst.Or: "or", cst.Equal: "==", cst.NotEqual: "!=", cst.LessThan: "<", cst.LessThanEqual: "<=",
    cst.GreaterThan: ">", cst.GreaterThanEqual: ">=", cst.In: "in", cst.NotIn: "not in", cst.Is: "is",
    cst.IsNot: "is not",
}  # fmt: skip
_WORDS = {"True": True, "False": False, "None": None}


def lower_module(module: cst.Module) -> tuple[ir.Statement, ...]:
    """Return the statements of a parsed module as IR. Raises RecursionError on absurdly deep nesting."""
    wrapper = MetadataWrapper(module, unsafe_skip_copy=True)
    positions = wrapper.resolve(PositionProvider)
    with warnings.catch_warnings():  # those of the literals in it are none of our business
        warnings.simplefilter("ignore")
        return _Lowering(positions).lower_block(wrapper.module.body)


def _texts_between(node: cst.FormattedString) -> tuple[str, ...] | None:
    """Return the text before, between and after the expressions of an f-string; None for special formatting."""
    prefix = node.start.rstrip("\"'")
    quote = node.start[len(prefix) :]
    plain = prefix.lower().replace("f", "")
    texts = [""]
    for part in node.parts:
        if isinstance(part, cst.FormattedStringText):
            text = ast.literal_eval(f"{plain}{quote}{part.value}{quote}")
            texts[-1] += text.replace("{{", "{").replace("}}", "}")
        elif isinstance(part, cst.FormattedStringExpression) and _is_plain(part):
            texts.append("")
        else:
            return None
    return tuple(texts)


def _is_plain(part: cst.FormattedStringExpression) -> bool:
    return part.conversion is None and part.format_spec is None and part.equal is None


def _texts_of_part(part: ir.Expr) -> tuple[str, ...] | None:
    if isinstance(part, ir.Joined):
        return part.texts
    return (part.value,) if isinstance(part, ir.Const) and isinstance(part.value, str) else None


class _Lowering:
    """Lowers a parsed unit in one pass; expressions and statements are dispatched on their libcst class."""

    def __init__(self, positions: Mapping[cst.CSTNode, CodeRange]) -> None:
        self._positions = positions

    def _place_of(self, node: cst.CSTNode) -> ir.Place:
        found = self._positions[node]
        return (found.start.line, found.start.column, found.end.line, found.end.column)

    # Statements

    def lower_block(self, body: Iterable[cst.CSTNode]) -> tuple[ir.Statement, ...]:
        """Lower the statements of `body`, both compound ones and simple ones that share a line."""
        lowered: list[ir.Statement] = []
        for node in body:
            if isinstance(node, cst.SimpleStatementLine):
                lowered.extend(self._lower_statement(small) for small in node.body)
            else:
                lowered.append(self._lower_statement(node))
        return ir.drop_docstrings(lowered)

    def _lower_suite(self, suite: cst.CSTNode | None) -> tuple[ir.Statement, ...]:
        if suite is None:
            return ()
        if isinstance(suite, cst.SimpleStatementSuite):
            return ir.drop_docstrings(self._lower_statement(small) for small in suite.body)
        if isinstance(suite, cst.IndentedBlock):
            return self.lower_block(suite.body)
        if isinstance(suite, cst.Else | cst.Finally):
            return self._lower_suite(suite.body)
        return (self._lower_statement(suite),)

    def _lower_statement(self, node: cst.CSTNode) -> ir.Statement:
        lower = _STATEMENTS.get(type(node))
        return lower(self, node) if lower else ir.Jump(self._place_of(node), "pass")

    def _lower_expr_statement(self, node: cst.Expr) -> ir.Statement:
        return ir.ExprStatement(self._place_of(node), self.lower_expression(node.value))

    def _lower_assign(self, node: cst.Assign) -> ir.Statement:
        targets = tuple(self.lower_expression(target.target) for target in node.targets)
        return ir.Assign(self._place_of(node), targets, self.lower_expression(node.value))

    def _lower_annotate(self, node: cst.AnnAssign) -> ir.Statement:
        annotation = self.lower_expression(node.annotation.annotation)
        return ir.Annotate(
            self._place_of(node), self.lower_expression(node.target), annotation, self._lower_optional(node.value)
        )

    def _lower_aug_assign(self, node: cst.AugAssign) -> ir.Statement:
        op = _OPERATORS[type(node.operator)]
        return ir.AugAssign(
            self._place_of(node), self.lower_expression(node.target), op, self.lower_expression(node.value)
        )

    def _lower_return(self, node: cst.Return) -> ir.Statement:
        return ir.Return(self._place_of(node), self._lower_optional(node.value))

    def _lower_raise(self, node: cst.Raise) -> ir.Statement:
        return ir.Raise(self._place_of(node), self._lower_optional(node.exc))

    def _lower_assert(self, node: cst.Assert) -> ir.Statement:
        return ir.Assert(self._place_of(node), self.lower_expression(node.test))

    def _lower_delete(self, node: cst.Del) -> ir.Statement:
        return ir.Delete(self._place_of(node), tuple(self.lower_expression(t) for t in _flatten_targets(node.target)))

    def _lower_pass(self, node: cst.CSTNode) -> ir.Statement:
        return ir.Jump(self._place_of(node), "pass")

    def _lower_break(self, node: cst.CSTNode) -> ir.Statement:
        return ir.Jump(self._place_of(node), "break")

    def _lower_continue(self, node: cst.CSTNode) -> ir.Statement:
        return ir.Jump(self._place_of(node), "continue")

    def _lower_global(self, node: cst.Global) -> ir.Statement:
        return ir.Scope(self._place_of(node), "global", tuple(item.name.value for item in node.names))

    def _lower_nonlocal(self, node: cst.Nonlocal) -> ir.Statement:
        return ir.Scope(self._place_of(node), "nonlocal", tuple(item.name.value for item in node.names))

    def _lower_import(self, node: cst.Import) -> ir.Statement:
        return ir.Import(self._place_of(node), tuple(_read_alias(item) for item in node.names))

    def _lower_import_from(self, node: cst.ImportFrom) -> ir.Statement:
        module = _dotted_name(node.module) if node.module else ""
        names = (("*", None),) if isinstance(node.names, cst.ImportStar) else tuple(_read_alias(n) for n in node.names)
        return ir.ImportFrom(self._place_of(node), module, len(node.relative), names)

    def _lower_if(self, node: cst.If) -> ir.Statement:
        return ir.If(
            self._place_of(node),
            self.lower_expression(node.test),
            self._lower_suite(node.body),
            self._lower_suite(node.orelse),
        )

    def _lower_for(self, node: cst.For) -> ir.Statement:
        target, iterable = self.lower_expression(node.target), self.lower_expression(node.iter)
        return ir.For(
            self._place_of(node), target, iterable, self._lower_suite(node.body), self._lower_suite(node.orelse)
        )

    def _lower_while(self, node: cst.While) -> ir.Statement:
        return ir.While(
            self._place_of(node),
            self.lower_expression(node.test),
            self._lower_suite(node.body),
            self._lower_suite(node.orelse),
        )

    def _lower_with(self, node: cst.With) -> ir.Statement:
        items = tuple(
            (self.lower_expression(item.item), self.lower_expression(item.asname.name) if item.asname else None)
            for item in node.items
        )
        return ir.With(self._place_of(node), items, self._lower_suite(node.body))

    def _lower_try(self, node: cst.Try | cst.TryStar) -> ir.Statement:
        handlers = tuple(
            ir.Handler(
                self._lower_optional(handler.type),
                handler.name.name.value if handler.name and isinstance(handler.name.name, cst.Name) else None,
                self._lower_suite(handler.body),
            )
            for handler in node.handlers
        )
        body, orelse, final = (
            self._lower_suite(node.body),
            self._lower_suite(node.orelse),
            self._lower_suite(node.finalbody),
        )
        return ir.Try(self._place_of(node), body, handlers, orelse, final)

    def _lower_match(self, node: cst.Match) -> ir.Statement:
        cases = tuple(
            ir.Case(self._lower_pattern(case.pattern), self._lower_optional(case.guard), self._lower_suite(case.body))
            for case in node.cases
        )
        return ir.Match(self._place_of(node), self.lower_expression(node.subject), cases)

    def _lower_pattern(self, node: cst.CSTNode | None) -> ir.Pattern:
        if isinstance(node, cst.MatchValue | cst.MatchSingleton):
            return ir.Pattern("value", value=self.lower_expression(node.value))
        if isinstance(node, cst.MatchAs):
            inner = (self._lower_pattern(node.pattern),) if node.pattern else ()
            return ir.Pattern("capture", name=node.name.value if node.name else None, parts=inner)
        if isinstance(node, cst.MatchStar):
            return ir.Pattern("star", name=node.name.value if node.name else None)
        if isinstance(node, cst.MatchOr):
            return ir.Pattern("or", parts=tuple(self._lower_pattern(p.pattern) for p in node.patterns))
        if isinstance(node, cst.MatchList | cst.MatchTuple):
            elements = (p.value if isinstance(p, cst.MatchSequenceElement) else p for p in node.patterns)
            return ir.Pattern("sequence", parts=tuple(self._lower_pattern(p) for p in elements))
        if isinstance(node, cst.MatchMapping):
            return self._lower_mapping_pattern(node)
        return self._lower_class_pattern(node) if isinstance(node, cst.MatchClass) else ir.Pattern("other")

    def _lower_mapping_pattern(self, node: cst.MatchMapping) -> ir.Pattern:
        rest = node.rest.value if node.rest else None
        keys = tuple(self.lower_expression(element.key) for element in node.elements)
        parts = tuple(self._lower_pattern(element.pattern) for element in node.elements)
        return ir.Pattern("mapping", name=rest, parts=parts, keys=keys)

    def _lower_class_pattern(self, node: cst.MatchClass) -> ir.Pattern:
        parts = [self._lower_pattern(p.value) for p in node.patterns if isinstance(p, cst.MatchSequenceElement)]
        attributes = (*[""] * len(parts), *(k.key.value for k in node.kwds))
        parts += [self._lower_pattern(k.pattern) for k in node.kwds]
        return ir.Pattern("class", value=self.lower_expression(node.cls), parts=tuple(parts), attributes=attributes)

    def _lower_function(self, node: cst.FunctionDef) -> ir.Statement:
        return ir.FunctionDef(
            self._place_of(node.name),
            node.name.value,
            self._lower_parameters(node.params),
            self._lower_suite(node.body),
            tuple(self.lower_expression(d.decorator) for d in node.decorators),
            node.asynchronous is not None,
            _is_generator(node.body),
        )

    def _lower_class(self, node: cst.ClassDef) -> ir.Statement:
        arguments = tuple(self._lower_argument(a) for a in (*node.bases, *node.keywords))
        decorators = tuple(self.lower_expression(d.decorator) for d in node.decorators)
        return ir.ClassDef(
            self._place_of(node.name), node.name.value, arguments, self._lower_suite(node.body), decorators
        )

    def _lower_parameters(self, node: cst.Parameters) -> tuple[ir.Parameter, ...]:
        lowered = [self._lower_parameter(p, "positional") for p in node.posonly_params]
        lowered += [self._lower_parameter(p, "normal") for p in node.params]
        if isinstance(node.star_arg, cst.Param):
            lowered.append(self._lower_parameter(node.star_arg, "vararg"))
        lowered += [self._lower_parameter(p, "keyword") for p in node.kwonly_params]
        if node.star_kwarg is not None:
            lowered.append(self._lower_parameter(node.star_kwarg, "kwarg"))
        return tuple(lowered)

    def _lower_parameter(self, node: cst.Param, kind: Any) -> ir.Parameter:
        annotation = self.lower_expression(node.annotation.annotation) if node.annotation else None
        return ir.Parameter(node.name.value, kind, self._lower_optional(node.default), annotation)

    # Expressions

    def _lower_optional(self, node: cst.CSTNode | None) -> ir.Expr | None:
        return None if node is None else self.lower_expression(node)

    def lower_expression(self, node: cst.CSTNode) -> ir.Expr:
        """Lower an expression; a node kind of a newer libcst becomes an unknown value."""
        lower = _EXPRESSIONS.get(type(node))
        return lower(self, node) if lower else ir.Joined(self._place_of(node), ())

    def _lower_name(self, node: cst.Name) -> ir.Expr:
        if node.value in _WORDS:
            return ir.Const(self._place_of(node), _WORDS[node.value])
        return ir.Name(self._place_of(node), node.value)

    def _lower_literal(self, node: cst.Integer | cst.Float | cst.Imaginary | cst.SimpleString) -> ir.Expr:
        try:
            value: object = ast.literal_eval(node.value)
        except (ValueError, SyntaxError):  # a number too long for int(), a string prefix newer than this Python
            value = node.value
        return ir.Const(self._place_of(node), value)

    def _lower_ellipsis(self, node: cst.CSTNode) -> ir.Expr:
        return ir.Const(self._place_of(node), ...)

    def _lower_concatenated(self, node: cst.ConcatenatedString) -> ir.Expr:
        left, right = self.lower_expression(node.left), self.lower_expression(node.right)
        place = self._place_of(node)
        if isinstance(left, ir.Const) and isinstance(right, ir.Const):
            try:
                return ir.Const(place, left.value + right.value)  # type: ignore[operator]
            except TypeError:
                pass
        values = tuple(v for part in (left, right) if isinstance(part, ir.Joined) for v in part.values)
        before, after = _texts_of_part(left), _texts_of_part(right)
        texts = (*before[:-1], before[-1] + after[0], *after[1:]) if before and after else None
        return ir.Joined(place, values, texts)

    def _lower_formatted(self, node: cst.CSTNode) -> ir.Expr:
        parts: Any = node
        values = [p.expression for p in parts.parts if hasattr(p, "expression")]
        texts = _texts_between(node) if isinstance(node, cst.FormattedString) else None
        return ir.Joined(self._place_of(node), tuple(self.lower_expression(v) for v in values), texts)

    def _lower_attribute(self, node: cst.Attribute) -> ir.Expr:
        return ir.Attribute(self._place_of(node), self.lower_expression(node.value), node.attr.value)

    def _lower_subscript(self, node: cst.Subscript) -> ir.Expr:
        parts = tuple(self._lower_index(e.slice) for e in node.slice)
        place = self._place_of(node)
        lone = len(parts) == 1 and not isinstance(parts[0], ir.Starred)
        lone = lone and not isinstance(node.slice[-1].comma, cst.Comma)
        index = parts[0] if lone else ir.Sequence(place, "tuple", parts)
        return ir.Subscript(place, self.lower_expression(node.value), index)

    def _lower_index(self, node: cst.BaseSlice) -> ir.Expr:
        if isinstance(node, cst.Slice):
            parts = (
                self._lower_optional(node.lower),
                self._lower_optional(node.upper),
                self._lower_optional(node.step),
            )
            return ir.Slice(self._place_of(node), *parts)
        if isinstance(node, cst.Index):
            value = self.lower_expression(node.value)
            return ir.Starred(self._place_of(node), value) if node.star else value
        return ir.Joined(self._place_of(node), ())

    def _lower_argument(self, node: cst.Arg) -> ir.Argument:
        return ir.Argument(
            self.lower_expression(node.value), node.keyword.value if node.keyword else None, len(node.star)
        )

    def _lower_call(self, node: cst.Call) -> ir.Expr:
        arguments = tuple(self._lower_argument(a) for a in node.args)
        return ir.Call(self._place_of(node), self.lower_expression(node.func), arguments)

    def _lower_binary(self, node: cst.BinaryOperation) -> ir.Expr:
        op = _OPERATORS[type(node.operator)]
        return ir.BinOp(self._place_of(node), op, self.lower_expression(node.left), self.lower_expression(node.right))

    def _lower_boolean(self, node: cst.BooleanOperation) -> ir.Expr:
        op = _OPERATORS[type(node.operator)]
        return ir.BoolOp(self._place_of(node), op, self.lower_expression(node.left), self.lower_expression(node.right))

    def _lower_unary(self, node: cst.UnaryOperation) -> ir.Expr:
        operand = self.lower_expression(node.expression)
        op = _OPERATORS[type(node.operator)]
        if op == "-" and isinstance(operand, ir.Const) and isinstance(operand.value, int | float):
            return ir.Const(self._place_of(node), -operand.value)
        return ir.UnaryOp(self._place_of(node), op, operand)

    def _lower_comparison(self, node: cst.Comparison) -> ir.Expr:
        rest = tuple((_OPERATORS[type(c.operator)], self.lower_expression(c.comparator)) for c in node.comparisons)
        return ir.Compare(self._place_of(node), self.lower_expression(node.left), rest)

    def _lower_conditional(self, node: cst.IfExp) -> ir.Expr:
        test, body, orelse = (
            self.lower_expression(node.test),
            self.lower_expression(node.body),
            self.lower_expression(node.orelse),
        )
        return ir.IfExp(self._place_of(node), test, body, orelse)

    def _lower_display(self, node: cst.Tuple | cst.List | cst.Set) -> ir.Expr:
        kind: Any = type(node).__name__.lower()
        return ir.Sequence(self._place_of(node), kind, tuple(self._lower_element(e) for e in node.elements))

    def _lower_element(self, node: cst.BaseElement) -> ir.Expr:
        return self._lower_starred(node) if isinstance(node, cst.StarredElement) else self.lower_expression(node.value)

    def _lower_starred(self, node: cst.StarredElement) -> ir.Expr:
        return ir.Starred(self._place_of(node), self.lower_expression(node.value))

    def _lower_dict(self, node: cst.Dict) -> ir.Expr:
        items = tuple(
            (self.lower_expression(e.key) if isinstance(e, cst.DictElement) else None, self.lower_expression(e.value))
            for e in node.elements
        )
        return ir.Dict(self._place_of(node), items)

    def _lower_comprehension(self, node: cst.ListComp | cst.SetComp | cst.GeneratorExp) -> ir.Expr:
        kinds: dict[type[cst.CSTNode], Any] = {cst.ListComp: "list", cst.SetComp: "set"}
        kind = kinds.get(type(node), "generator")
        clauses = self._lower_clauses(node.for_in)
        return ir.Comprehension(self._place_of(node), kind, None, self.lower_expression(node.elt), clauses)

    def _lower_dict_comprehension(self, node: cst.DictComp) -> ir.Expr:
        key, value = self.lower_expression(node.key), self.lower_expression(node.value)
        return ir.Comprehension(self._place_of(node), "dict", key, value, self._lower_clauses(node.for_in))

    def _lower_clauses(self, node: cst.CompFor | None) -> tuple[ir.Clause, ...]:
        clauses = []
        while node is not None:
            conditions = tuple(self.lower_expression(i.test) for i in node.ifs)
            clauses.append(ir.Clause(self.lower_expression(node.target), self.lower_expression(node.iter), conditions))
            node = node.inner_for_in
        return tuple(clauses)

    def _lower_named(self, node: cst.NamedExpr) -> ir.Expr:
        return ir.NamedExpr(self._place_of(node), self.lower_expression(node.target), self.lower_expression(node.value))

    def _lower_await(self, node: cst.Await) -> ir.Expr:
        return ir.Suspend(self._place_of(node), "await", self.lower_expression(node.expression))

    def _lower_yield(self, node: cst.Yield) -> ir.Expr:
        if isinstance(node.value, cst.From):
            return ir.Suspend(self._place_of(node), "yield from", self.lower_expression(node.value.item))
        return ir.Suspend(self._place_of(node), "yield", self._lower_optional(node.value))

    def _lower_lambda(self, node: cst.Lambda) -> ir.Expr:
        return ir.Lambda(self._place_of(node), self._lower_parameters(node.params), self.lower_expression(node.body))


def _flatten_targets(target: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    if isinstance(target, cst.Tuple | cst.List):
        for element in target.elements:
            yield from _flatten_targets(element.value)
    else:
        yield target


def _read_alias(node: cst.ImportAlias) -> tuple[str, str | None]:
    alias = node.asname.name.value if node.asname and isinstance(node.asname.name, cst.Name) else None
    return _dotted_name(node.name), alias


def _dotted_name(node: cst.CSTNode) -> str:
    if isinstance(node, cst.Attribute):
        return f"{_dotted_name(node.value)}.{node.attr.value}"
    return node.value if isinstance(node, cst.Name) else ""


class _FindYield(cst.CSTVisitor):
    def __init__(self) -> None:
        self.found = False

    def visit_Yield(self, node: cst.Yield) -> None:  # noqa: N802
        self.found = True

    def visit_FunctionDef(self, node: cst.FunctionDef) -> bool:  # noqa: N802
        return False

    def visit_Lambda(self, node: cst.Lambda) -> bool:  # noqa: N802
        return False


def _is_generator(body: cst.CSTNode) -> bool:
    finder = _FindYield()
    body.visit(finder)
    return finder.found


_STATEMENTS: dict[type[cst.CSTNode], Callable[[_Lowering, Any], ir.Statement]] = {
    cst.Expr: _Lowering._lower_expr_statement,
    cst.Assign: _Lowering._lower_assign,
    cst.AnnAssign: _Lowering._lower_annotate,
    cst.AugAssign: _Lowering._lower_aug_assign,
    cst.Return: _Lowering._lower_return,
    cst.Raise: _Lowering._lower_raise,
    cst.Assert: _Lowering._lower_assert,
    cst.Del: _Lowering._lower_delete,
    cst.Pass: _Lowering._lower_pass,
    cst.Break: _Lowering._lower_break,
    cst.Continue: _Lowering._lower_continue,
    cst.Global: _Lowering._lower_global,
    cst.Nonlocal: _Lowering._lower_nonlocal,
    cst.Import: _Lowering._lower_import,
    cst.ImportFrom: _Lowering._lower_import_from,
    cst.If: _Lowering._lower_if,
    cst.For: _Lowering._lower_for,
    cst.While: _Lowering._lower_while,
    cst.With: _Lowering._lower_with,
    cst.Try: _Lowering._lower_try,
    cst.TryStar: _Lowering._lower_try,
    cst.Match: _Lowering._lower_match,
    cst.FunctionDef: _Lowering._lower_function,
    cst.ClassDef: _Lowering._lower_class,
}
_EXPRESSIONS: dict[type[cst.CSTNode], Callable[[_Lowering, Any], ir.Expr]] = {
    cst.Name: _Lowering._lower_name,
    cst.Integer: _Lowering._lower_literal,
    cst.Float: _Lowering._lower_literal,
    cst.Imaginary: _Lowering._lower_literal,
    cst.SimpleString: _Lowering._lower_literal,
    cst.ConcatenatedString: _Lowering._lower_concatenated,
    cst.FormattedString: _Lowering._lower_formatted,
    cst.Ellipsis: _Lowering._lower_ellipsis,
    cst.Attribute: _Lowering._lower_attribute,
    cst.Subscript: _Lowering._lower_subscript,
    cst.Call: _Lowering._lower_call,
    cst.BinaryOperation: _Lowering._lower_binary,
    cst.BooleanOperation: _Lowering._lower_boolean,
    cst.UnaryOperation: _Lowering._lower_unary,
    cst.Comparison: _Lowering._lower_comparison,
    cst.IfExp: _Lowering._lower_conditional,
    cst.Tuple: _Lowering._lower_display,
    cst.List: _Lowering._lower_display,
    cst.Set: _Lowering._lower_display,
    cst.StarredElement: _Lowering._lower_starred,
    cst.Dict: _Lowering._lower_dict,
    cst.ListComp: _Lowering._lower_comprehension,
    cst.SetComp: _Lowering._lower_comprehension,
    cst.GeneratorExp: _Lowering._lower_comprehension,
    cst.DictComp: _Lowering._lower_dict_comprehension,
    cst.NamedExpr: _Lowering._lower_named,
    cst.Await: _Lowering._lower_await,
    cst.Yield: _Lowering._lower_yield,
    cst.Lambda: _Lowering._lower_lambda,
}
if hasattr(cst, "TemplatedString"):
    _EXPRESSIONS[cst.TemplatedString] = _Lowering._lower_formatted
