"""libcst to IR: for syntax newer than the Python that runs, which `from_ast` cannot read."""

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
    """The statements of a parsed module as IR. Raises RecursionError on absurdly deep nesting."""
    wrapper = MetadataWrapper(module, unsafe_skip_copy=True)
    positions = wrapper.resolve(PositionProvider)
    with warnings.catch_warnings():  # those of the literals in it are none of our business
        warnings.simplefilter("ignore")
        return _Lowering(positions).block(wrapper.module.body)


def _texts(node: cst.FormattedString) -> tuple[str, ...] | None:
    """The text before, between and after the expressions of an f-string; None where one is specially formatted."""
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


def _texts_of(part: ir.Expr) -> tuple[str, ...] | None:
    if isinstance(part, ir.Joined):
        return part.texts
    return (part.value,) if isinstance(part, ir.Const) and isinstance(part.value, str) else None


class _Lowering:
    """One pass over a parsed unit; `_expression` and `_statement` dispatch on the libcst class."""

    def __init__(self, positions: Mapping[cst.CSTNode, CodeRange]) -> None:
        self._positions = positions

    def _place(self, node: cst.CSTNode) -> ir.Place:
        found = self._positions[node]
        return (found.start.line, found.start.column, found.end.line, found.end.column)

    # Statements

    def block(self, body: Iterable[cst.CSTNode]) -> tuple[ir.Statement, ...]:
        """The statements of `body`, compound and simple ones on one line alike."""
        lowered: list[ir.Statement] = []
        for node in body:
            if isinstance(node, cst.SimpleStatementLine):
                lowered.extend(self._statement(small) for small in node.body)
            else:
                lowered.append(self._statement(node))
        return ir.body(lowered)

    def _suite(self, suite: cst.CSTNode | None) -> tuple[ir.Statement, ...]:
        if suite is None:
            return ()
        if isinstance(suite, cst.SimpleStatementSuite):
            return ir.body(self._statement(small) for small in suite.body)
        if isinstance(suite, cst.IndentedBlock):
            return self.block(suite.body)
        if isinstance(suite, cst.Else | cst.Finally):
            return self._suite(suite.body)
        return (self._statement(suite),)

    def _statement(self, node: cst.CSTNode) -> ir.Statement:
        lower = _STATEMENTS.get(type(node))
        return lower(self, node) if lower else ir.Jump(self._place(node), "pass")

    def _expr_statement(self, node: cst.Expr) -> ir.Statement:
        return ir.ExprStatement(self._place(node), self.expression(node.value))

    def _assign(self, node: cst.Assign) -> ir.Statement:
        targets = tuple(self.expression(target.target) for target in node.targets)
        return ir.Assign(self._place(node), targets, self.expression(node.value))

    def _annotate(self, node: cst.AnnAssign) -> ir.Statement:
        annotation = self.expression(node.annotation.annotation)
        return ir.Annotate(self._place(node), self.expression(node.target), annotation, self._optional(node.value))

    def _aug_assign(self, node: cst.AugAssign) -> ir.Statement:
        op = _OPERATORS[type(node.operator)]
        return ir.AugAssign(self._place(node), self.expression(node.target), op, self.expression(node.value))

    def _return(self, node: cst.Return) -> ir.Statement:
        return ir.Return(self._place(node), self._optional(node.value))

    def _raise(self, node: cst.Raise) -> ir.Statement:
        return ir.Raise(self._place(node), self._optional(node.exc))

    def _assert(self, node: cst.Assert) -> ir.Statement:
        return ir.Assert(self._place(node), self.expression(node.test))

    def _delete(self, node: cst.Del) -> ir.Statement:
        return ir.Delete(self._place(node), tuple(self.expression(t) for t in _flat(node.target)))

    def _pass(self, node: cst.CSTNode) -> ir.Statement:
        return ir.Jump(self._place(node), "pass")

    def _break(self, node: cst.CSTNode) -> ir.Statement:
        return ir.Jump(self._place(node), "break")

    def _continue(self, node: cst.CSTNode) -> ir.Statement:
        return ir.Jump(self._place(node), "continue")

    def _global(self, node: cst.Global) -> ir.Statement:
        return ir.Scope(self._place(node), "global", tuple(item.name.value for item in node.names))

    def _nonlocal(self, node: cst.Nonlocal) -> ir.Statement:
        return ir.Scope(self._place(node), "nonlocal", tuple(item.name.value for item in node.names))

    def _import(self, node: cst.Import) -> ir.Statement:
        return ir.Import(self._place(node), tuple(_alias(item) for item in node.names))

    def _import_from(self, node: cst.ImportFrom) -> ir.Statement:
        module = _dotted(node.module) if node.module else ""
        names = (("*", None),) if isinstance(node.names, cst.ImportStar) else tuple(_alias(n) for n in node.names)
        return ir.ImportFrom(self._place(node), module, len(node.relative), names)

    def _if(self, node: cst.If) -> ir.Statement:
        return ir.If(self._place(node), self.expression(node.test), self._suite(node.body), self._suite(node.orelse))

    def _for(self, node: cst.For) -> ir.Statement:
        target, iterable = self.expression(node.target), self.expression(node.iter)
        return ir.For(self._place(node), target, iterable, self._suite(node.body), self._suite(node.orelse))

    def _while(self, node: cst.While) -> ir.Statement:
        return ir.While(self._place(node), self.expression(node.test), self._suite(node.body), self._suite(node.orelse))

    def _with(self, node: cst.With) -> ir.Statement:
        items = tuple(
            (self.expression(item.item), self.expression(item.asname.name) if item.asname else None)
            for item in node.items
        )
        return ir.With(self._place(node), items, self._suite(node.body))

    def _try(self, node: cst.Try | cst.TryStar) -> ir.Statement:
        handlers = tuple(
            ir.Handler(
                self._optional(handler.type),
                handler.name.name.value if handler.name and isinstance(handler.name.name, cst.Name) else None,
                self._suite(handler.body),
            )
            for handler in node.handlers
        )
        body, orelse, final = self._suite(node.body), self._suite(node.orelse), self._suite(node.finalbody)
        return ir.Try(self._place(node), body, handlers, orelse, final)

    def _match(self, node: cst.Match) -> ir.Statement:
        cases = tuple(
            ir.Case(self._pattern(case.pattern), self._optional(case.guard), self._suite(case.body))
            for case in node.cases
        )
        return ir.Match(self._place(node), self.expression(node.subject), cases)

    def _pattern(self, node: cst.CSTNode | None) -> ir.Pattern:
        if isinstance(node, cst.MatchValue | cst.MatchSingleton):
            return ir.Pattern("value", value=self.expression(node.value))
        if isinstance(node, cst.MatchAs):
            inner = (self._pattern(node.pattern),) if node.pattern else ()
            return ir.Pattern("capture", name=node.name.value if node.name else None, parts=inner)
        if isinstance(node, cst.MatchStar):
            return ir.Pattern("star", name=node.name.value if node.name else None)
        if isinstance(node, cst.MatchOr):
            return ir.Pattern("or", parts=tuple(self._pattern(p.pattern) for p in node.patterns))
        if isinstance(node, cst.MatchList | cst.MatchTuple):
            elements = (p.value if isinstance(p, cst.MatchSequenceElement) else p for p in node.patterns)
            return ir.Pattern("sequence", parts=tuple(self._pattern(p) for p in elements))
        if isinstance(node, cst.MatchMapping):
            rest = node.rest.value if node.rest else None
            keys = tuple(self.expression(e.key) for e in node.elements)
            parts = [self._pattern(element.pattern) for element in node.elements]
            return ir.Pattern("mapping", name=rest, parts=tuple(parts), keys=keys)
        if isinstance(node, cst.MatchClass):
            parts = [self._pattern(p.value) for p in node.patterns if isinstance(p, cst.MatchSequenceElement)]
            attributes = (*[""] * len(parts), *(k.key.value for k in node.kwds))
            parts += [self._pattern(k.pattern) for k in node.kwds]
            return ir.Pattern("class", value=self.expression(node.cls), parts=tuple(parts), attributes=attributes)
        return ir.Pattern("other")

    def _function(self, node: cst.FunctionDef) -> ir.Statement:
        return ir.FunctionDef(
            self._place(node.name),
            node.name.value,
            self._parameters(node.params),
            self._suite(node.body),
            tuple(self.expression(d.decorator) for d in node.decorators),
            node.asynchronous is not None,
            _is_generator(node.body),
        )

    def _class(self, node: cst.ClassDef) -> ir.Statement:
        arguments = tuple(self._argument(a) for a in (*node.bases, *node.keywords))
        decorators = tuple(self.expression(d.decorator) for d in node.decorators)
        return ir.ClassDef(self._place(node.name), node.name.value, arguments, self._suite(node.body), decorators)

    def _parameters(self, node: cst.Parameters) -> tuple[ir.Parameter, ...]:
        lowered = [self._parameter(p, "positional") for p in node.posonly_params]
        lowered += [self._parameter(p, "normal") for p in node.params]
        if isinstance(node.star_arg, cst.Param):
            lowered.append(self._parameter(node.star_arg, "vararg"))
        lowered += [self._parameter(p, "keyword") for p in node.kwonly_params]
        if node.star_kwarg is not None:
            lowered.append(self._parameter(node.star_kwarg, "kwarg"))
        return tuple(lowered)

    def _parameter(self, node: cst.Param, kind: Any) -> ir.Parameter:
        annotation = self.expression(node.annotation.annotation) if node.annotation else None
        return ir.Parameter(node.name.value, kind, self._optional(node.default), annotation)

    # Expressions

    def _optional(self, node: cst.CSTNode | None) -> ir.Expr | None:
        return None if node is None else self.expression(node)

    def expression(self, node: cst.CSTNode) -> ir.Expr:
        """One expression; what libcst may add later becomes an unknown name."""
        lower = _EXPRESSIONS.get(type(node))
        return lower(self, node) if lower else ir.Joined(self._place(node), ())

    def _name(self, node: cst.Name) -> ir.Expr:
        if node.value in _WORDS:
            return ir.Const(self._place(node), _WORDS[node.value])
        return ir.Name(self._place(node), node.value)

    def _literal(self, node: cst.Integer | cst.Float | cst.Imaginary | cst.SimpleString) -> ir.Expr:
        try:
            value: object = ast.literal_eval(node.value)
        except (ValueError, SyntaxError):  # a number too long for int(), a string prefix newer than this Python
            value = node.value
        return ir.Const(self._place(node), value)

    def _ellipsis(self, node: cst.CSTNode) -> ir.Expr:
        return ir.Const(self._place(node), ...)

    def _concatenated(self, node: cst.ConcatenatedString) -> ir.Expr:
        left, right = self.expression(node.left), self.expression(node.right)
        place = self._place(node)
        if isinstance(left, ir.Const) and isinstance(right, ir.Const):
            try:
                return ir.Const(place, left.value + right.value)  # type: ignore[operator]
            except TypeError:
                pass
        values = tuple(v for part in (left, right) if isinstance(part, ir.Joined) for v in part.values)
        before, after = _texts_of(left), _texts_of(right)
        texts = (*before[:-1], before[-1] + after[0], *after[1:]) if before and after else None
        return ir.Joined(place, values, texts)

    def _formatted(self, node: cst.CSTNode) -> ir.Expr:
        parts: Any = node
        values = [p.expression for p in parts.parts if hasattr(p, "expression")]
        texts = _texts(node) if isinstance(node, cst.FormattedString) else None
        return ir.Joined(self._place(node), tuple(self.expression(v) for v in values), texts)

    def _attribute(self, node: cst.Attribute) -> ir.Expr:
        return ir.Attribute(self._place(node), self.expression(node.value), node.attr.value)

    def _subscript(self, node: cst.Subscript) -> ir.Expr:
        parts = tuple(self._index(e.slice) for e in node.slice)
        place = self._place(node)
        lone = len(parts) == 1 and not isinstance(parts[0], ir.Starred)
        lone = lone and not isinstance(node.slice[-1].comma, cst.Comma)
        index = parts[0] if lone else ir.Sequence(place, "tuple", parts)
        return ir.Subscript(place, self.expression(node.value), index)

    def _index(self, node: cst.BaseSlice) -> ir.Expr:
        if isinstance(node, cst.Slice):
            parts = (self._optional(node.lower), self._optional(node.upper), self._optional(node.step))
            return ir.Slice(self._place(node), *parts)
        if isinstance(node, cst.Index):
            value = self.expression(node.value)
            return ir.Starred(self._place(node), value) if node.star else value
        return ir.Joined(self._place(node), ())

    def _argument(self, node: cst.Arg) -> ir.Argument:
        return ir.Argument(self.expression(node.value), node.keyword.value if node.keyword else None, len(node.star))

    def _call(self, node: cst.Call) -> ir.Expr:
        arguments = tuple(self._argument(a) for a in node.args)
        return ir.Call(self._place(node), self.expression(node.func), arguments)

    def _binary(self, node: cst.BinaryOperation) -> ir.Expr:
        op = _OPERATORS[type(node.operator)]
        return ir.BinOp(self._place(node), op, self.expression(node.left), self.expression(node.right))

    def _boolean(self, node: cst.BooleanOperation) -> ir.Expr:
        op = _OPERATORS[type(node.operator)]
        return ir.BoolOp(self._place(node), op, self.expression(node.left), self.expression(node.right))

    def _unary(self, node: cst.UnaryOperation) -> ir.Expr:
        operand = self.expression(node.expression)
        op = _OPERATORS[type(node.operator)]
        if op == "-" and isinstance(operand, ir.Const) and isinstance(operand.value, int | float):
            return ir.Const(self._place(node), -operand.value)
        return ir.UnaryOp(self._place(node), op, operand)

    def _comparison(self, node: cst.Comparison) -> ir.Expr:
        rest = tuple((_OPERATORS[type(c.operator)], self.expression(c.comparator)) for c in node.comparisons)
        return ir.Compare(self._place(node), self.expression(node.left), rest)

    def _conditional(self, node: cst.IfExp) -> ir.Expr:
        test, body, orelse = self.expression(node.test), self.expression(node.body), self.expression(node.orelse)
        return ir.IfExp(self._place(node), test, body, orelse)

    def _display(self, node: cst.Tuple | cst.List | cst.Set) -> ir.Expr:
        kind: Any = type(node).__name__.lower()
        return ir.Sequence(self._place(node), kind, tuple(self._element(e) for e in node.elements))

    def _element(self, node: cst.BaseElement) -> ir.Expr:
        return self._starred(node) if isinstance(node, cst.StarredElement) else self.expression(node.value)

    def _starred(self, node: cst.StarredElement) -> ir.Expr:
        return ir.Starred(self._place(node), self.expression(node.value))

    def _dict(self, node: cst.Dict) -> ir.Expr:
        items = tuple(
            (self.expression(e.key) if isinstance(e, cst.DictElement) else None, self.expression(e.value))
            for e in node.elements
        )
        return ir.Dict(self._place(node), items)

    def _comprehension(self, node: cst.ListComp | cst.SetComp | cst.GeneratorExp) -> ir.Expr:
        kinds: dict[type[cst.CSTNode], Any] = {cst.ListComp: "list", cst.SetComp: "set"}
        kind = kinds.get(type(node), "generator")
        clauses = self._clauses(node.for_in)
        return ir.Comprehension(self._place(node), kind, None, self.expression(node.elt), clauses)

    def _dict_comprehension(self, node: cst.DictComp) -> ir.Expr:
        key, value = self.expression(node.key), self.expression(node.value)
        return ir.Comprehension(self._place(node), "dict", key, value, self._clauses(node.for_in))

    def _clauses(self, node: cst.CompFor | None) -> tuple[ir.Clause, ...]:
        clauses = []
        while node is not None:
            conditions = tuple(self.expression(i.test) for i in node.ifs)
            clauses.append(ir.Clause(self.expression(node.target), self.expression(node.iter), conditions))
            node = node.inner_for_in
        return tuple(clauses)

    def _named(self, node: cst.NamedExpr) -> ir.Expr:
        return ir.NamedExpr(self._place(node), self.expression(node.target), self.expression(node.value))

    def _await(self, node: cst.Await) -> ir.Expr:
        return ir.Suspend(self._place(node), "await", self.expression(node.expression))

    def _yield(self, node: cst.Yield) -> ir.Expr:
        if isinstance(node.value, cst.From):
            return ir.Suspend(self._place(node), "yield from", self.expression(node.value.item))
        return ir.Suspend(self._place(node), "yield", self._optional(node.value))

    def _lambda(self, node: cst.Lambda) -> ir.Expr:
        return ir.Lambda(self._place(node), self._parameters(node.params), self.expression(node.body))


def _flat(target: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    if isinstance(target, cst.Tuple | cst.List):
        for element in target.elements:
            yield from _flat(element.value)
    else:
        yield target


def _alias(node: cst.ImportAlias) -> tuple[str, str | None]:
    alias = node.asname.name.value if node.asname and isinstance(node.asname.name, cst.Name) else None
    return _dotted(node.name), alias


def _dotted(node: cst.CSTNode) -> str:
    if isinstance(node, cst.Attribute):
        return f"{_dotted(node.value)}.{node.attr.value}"
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
    cst.Expr: _Lowering._expr_statement,
    cst.Assign: _Lowering._assign,
    cst.AnnAssign: _Lowering._annotate,
    cst.AugAssign: _Lowering._aug_assign,
    cst.Return: _Lowering._return,
    cst.Raise: _Lowering._raise,
    cst.Assert: _Lowering._assert,
    cst.Del: _Lowering._delete,
    cst.Pass: _Lowering._pass,
    cst.Break: _Lowering._break,
    cst.Continue: _Lowering._continue,
    cst.Global: _Lowering._global,
    cst.Nonlocal: _Lowering._nonlocal,
    cst.Import: _Lowering._import,
    cst.ImportFrom: _Lowering._import_from,
    cst.If: _Lowering._if,
    cst.For: _Lowering._for,
    cst.While: _Lowering._while,
    cst.With: _Lowering._with,
    cst.Try: _Lowering._try,
    cst.TryStar: _Lowering._try,
    cst.Match: _Lowering._match,
    cst.FunctionDef: _Lowering._function,
    cst.ClassDef: _Lowering._class,
}
_EXPRESSIONS: dict[type[cst.CSTNode], Callable[[_Lowering, Any], ir.Expr]] = {
    cst.Name: _Lowering._name,
    cst.Integer: _Lowering._literal,
    cst.Float: _Lowering._literal,
    cst.Imaginary: _Lowering._literal,
    cst.SimpleString: _Lowering._literal,
    cst.ConcatenatedString: _Lowering._concatenated,
    cst.FormattedString: _Lowering._formatted,
    cst.Ellipsis: _Lowering._ellipsis,
    cst.Attribute: _Lowering._attribute,
    cst.Subscript: _Lowering._subscript,
    cst.Call: _Lowering._call,
    cst.BinaryOperation: _Lowering._binary,
    cst.BooleanOperation: _Lowering._boolean,
    cst.UnaryOperation: _Lowering._unary,
    cst.Comparison: _Lowering._comparison,
    cst.IfExp: _Lowering._conditional,
    cst.Tuple: _Lowering._display,
    cst.List: _Lowering._display,
    cst.Set: _Lowering._display,
    cst.StarredElement: _Lowering._starred,
    cst.Dict: _Lowering._dict,
    cst.ListComp: _Lowering._comprehension,
    cst.SetComp: _Lowering._comprehension,
    cst.GeneratorExp: _Lowering._comprehension,
    cst.DictComp: _Lowering._dict_comprehension,
    cst.NamedExpr: _Lowering._named,
    cst.Await: _Lowering._await,
    cst.Yield: _Lowering._yield,
    cst.Lambda: _Lowering._lambda,
}
if hasattr(cst, "TemplatedString"):
    _EXPRESSIONS[cst.TemplatedString] = _Lowering._formatted
