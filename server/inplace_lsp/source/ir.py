"""The intermediate representation: Python reduced to what an abstract interpreter needs, with exact spans.

A `Place` is (row, column, end row, end column), rows 1-based and relative to the unit's first row, columns 0-based in
code points. Nodes compare by identity: the same text at two places is two nodes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Any, Literal, get_args

Place = tuple[int, int, int, int]


@dataclass(slots=True, eq=False)
class Name:
    """A variable read."""

    place: Place
    id: str


@dataclass(slots=True, eq=False)
class Const:
    """A literal: number, string, bytes, True, False, None or `...`."""

    place: Place
    value: object


@dataclass(slots=True, eq=False)
class Attribute:
    """`value.name`."""

    place: Place
    value: Expr
    name: str


@dataclass(slots=True, eq=False)
class Subscript:
    """`value[index]`; several indices are one tuple."""

    place: Place
    value: Expr
    index: Expr


@dataclass(slots=True, eq=False)
class Slice:
    """`lower:upper:step` inside a subscript."""

    place: Place
    lower: Expr | None
    upper: Expr | None
    step: Expr | None


@dataclass(slots=True, eq=False)
class Argument:
    """One argument of a call; `star` is 1 for `*value`, 2 for `**value`."""

    value: Expr
    name: str | None = None
    star: int = 0


@dataclass(slots=True, eq=False)
class Call:
    """`function(arguments)`."""

    place: Place
    function: Expr
    arguments: tuple[Argument, ...]


@dataclass(slots=True, eq=False)
class BinOp:
    """`left op right`, `op` as written (`+`, `@`, ...)."""

    place: Place
    op: str
    left: Expr
    right: Expr


@dataclass(slots=True, eq=False)
class UnaryOp:
    """`op operand`."""

    place: Place
    op: str
    operand: Expr


@dataclass(slots=True, eq=False)
class BoolOp:
    """`left and/or right`."""

    place: Place
    op: str
    left: Expr
    right: Expr


@dataclass(slots=True, eq=False)
class Compare:
    """A chain of comparisons."""

    place: Place
    left: Expr
    rest: tuple[tuple[str, Expr], ...]


@dataclass(slots=True, eq=False)
class IfExp:
    """`body if test else orelse`."""

    place: Place
    test: Expr
    body: Expr
    orelse: Expr


@dataclass(slots=True, eq=False)
class Sequence:
    """A tuple, list or set display; elements may be `Starred`."""

    place: Place
    kind: Literal["tuple", "list", "set"]
    items: tuple[Expr, ...]


@dataclass(slots=True, eq=False)
class Starred:
    """`*value` in a display or a target."""

    place: Place
    value: Expr


@dataclass(slots=True, eq=False)
class Dict:
    """A dict display; a None key is `**value`."""

    place: Place
    items: tuple[tuple[Expr | None, Expr], ...]


@dataclass(slots=True, eq=False)
class Clause:
    """`for target in iterable if conditions` of a comprehension."""

    target: Expr
    iterable: Expr
    conditions: tuple[Expr, ...]


@dataclass(slots=True, eq=False)
class Comprehension:
    """A comprehension or generator expression; `key` only for dicts."""

    place: Place
    kind: Literal["list", "set", "dict", "generator"]
    key: Expr | None
    element: Expr
    clauses: tuple[Clause, ...]


@dataclass(slots=True, eq=False)
class NamedExpr:
    """`target := value`."""

    place: Place
    target: Expr
    value: Expr


@dataclass(slots=True, eq=False)
class Suspend:
    """`await value`, `yield value`, `yield from value`."""

    place: Place
    kind: Literal["await", "yield", "yield from"]
    value: Expr | None


@dataclass(slots=True, eq=False)
class Joined:
    """An f-string or t-string: the expressions inside.

    `texts` are the pieces of text around them, one more than there are expressions; None if an expression has a special
    format.
    """

    place: Place
    values: tuple[Expr, ...]
    texts: tuple[str, ...] | None = None


@dataclass(slots=True, eq=False)
class Parameter:
    """One parameter of a function."""

    name: str
    kind: Literal["positional", "normal", "vararg", "keyword", "kwarg"]
    default: Expr | None
    annotation: Expr | None

    @property
    def required(self) -> bool:
        """Whether a call must pass it."""
        return self.default is None and self.kind not in ("vararg", "kwarg")


@dataclass(slots=True, eq=False)
class Lambda:
    """`lambda parameters: body`."""

    place: Place
    parameters: tuple[Parameter, ...]
    body: Expr


@dataclass(slots=True, eq=False)
class Assign:
    """`target = ... = value`."""

    place: Place
    targets: tuple[Expr, ...]
    value: Expr


@dataclass(slots=True, eq=False)
class Annotate:
    """`target: annotation [= value]`."""

    place: Place
    target: Expr
    annotation: Expr
    value: Expr | None


@dataclass(slots=True, eq=False)
class AugAssign:
    """`target op= value`; `op` without the `=`."""

    place: Place
    target: Expr
    op: str
    value: Expr


@dataclass(slots=True, eq=False)
class ExprStatement:
    """An expression on its own."""

    place: Place
    value: Expr


@dataclass(slots=True, eq=False)
class Return:
    """`return value`."""

    place: Place
    value: Expr | None


@dataclass(slots=True, eq=False)
class Raise:
    """`raise value`."""

    place: Place
    value: Expr | None


@dataclass(slots=True, eq=False)
class Assert:
    """`assert test`."""

    place: Place
    test: Expr


@dataclass(slots=True, eq=False)
class Delete:
    """`del targets`."""

    place: Place
    targets: tuple[Expr, ...]


@dataclass(slots=True, eq=False)
class Jump:
    """`pass`, `break`, `continue`."""

    place: Place
    kind: Literal["pass", "break", "continue"]


@dataclass(slots=True, eq=False)
class Scope:
    """`global` / `nonlocal` names."""

    place: Place
    kind: Literal["global", "nonlocal"]
    names: tuple[str, ...]


@dataclass(slots=True, eq=False)
class Import:
    """`import module [as alias], ...`."""

    place: Place
    names: tuple[tuple[str, str | None], ...]


@dataclass(slots=True, eq=False)
class ImportFrom:
    """`from module import name [as alias], ...`; `level` counts the leading dots; a star is the name `*`."""

    place: Place
    module: str
    level: int
    names: tuple[tuple[str, str | None], ...]


@dataclass(slots=True, eq=False)
class If:
    """`if`; an `elif` is an `If` in `orelse`."""

    place: Place
    test: Expr
    body: tuple[Statement, ...]
    orelse: tuple[Statement, ...]


@dataclass(slots=True, eq=False)
class For:
    """`for target in iterable`."""

    place: Place
    target: Expr
    iterable: Expr
    body: tuple[Statement, ...]
    orelse: tuple[Statement, ...]


@dataclass(slots=True, eq=False)
class While:
    """`while test`."""

    place: Place
    test: Expr
    body: tuple[Statement, ...]
    orelse: tuple[Statement, ...]


@dataclass(slots=True, eq=False)
class With:
    """`with context as target, ...`."""

    place: Place
    items: tuple[tuple[Expr, Expr | None], ...]
    body: tuple[Statement, ...]


@dataclass(slots=True, eq=False)
class Handler:
    """`except type as name`."""

    type: Expr | None
    name: str | None
    body: tuple[Statement, ...]


@dataclass(slots=True, eq=False)
class Try:
    """`try`, also with `except*`."""

    place: Place
    body: tuple[Statement, ...]
    handlers: tuple[Handler, ...]
    orelse: tuple[Statement, ...]
    final: tuple[Statement, ...]


@dataclass(slots=True, eq=False)
class Pattern:
    """A `case` pattern."""

    kind: Literal["value", "capture", "star", "sequence", "mapping", "class", "or", "other"]
    value: Expr | None = None
    """The value of a literal, or the class."""
    name: str | None = None
    """The name that a capture, a star or the rest of a mapping binds."""
    parts: tuple[Pattern, ...] = ()
    """The patterns inside."""
    keys: tuple[Expr, ...] = ()
    """The keys for the parts of a mapping."""
    attributes: tuple[str, ...] = ()
    """The attributes for the parts of a class; "" for a part by position."""


@dataclass(slots=True, eq=False)
class Case:
    """`case pattern if guard`."""

    pattern: Pattern
    guard: Expr | None
    body: tuple[Statement, ...]


@dataclass(slots=True, eq=False)
class Match:
    """`match subject`."""

    place: Place
    subject: Expr
    cases: tuple[Case, ...]


@dataclass(slots=True, eq=False)
class FunctionDef:
    """`def name(parameters)`; `place` is that of the name in the header."""

    place: Place
    name: str
    parameters: tuple[Parameter, ...]
    body: tuple[Statement, ...]
    decorators: tuple[Expr, ...]
    is_async: bool
    is_generator: bool


@dataclass(slots=True, eq=False)
class ClassDef:
    """`class name(arguments)`."""

    place: Place
    name: str
    arguments: tuple[Argument, ...]
    body: tuple[Statement, ...]
    decorators: tuple[Expr, ...]


Expr = (
    Name
    | Const
    | Attribute
    | Subscript
    | Slice
    | Call
    | BinOp
    | UnaryOp
    | BoolOp
    | Compare
    | IfExp
    | Sequence
    | Starred
    | Dict
    | Comprehension
    | NamedExpr
    | Suspend
    | Joined
    | Lambda
)
Statement = (
    Assign
    | Annotate
    | AugAssign
    | ExprStatement
    | Return
    | Raise
    | Assert
    | Delete
    | Jump
    | Scope
    | Import
    | ImportFrom
    | If
    | For
    | While
    | With
    | Try
    | Match
    | FunctionDef
    | ClassDef
)


_KINDS = (*get_args(Expr), *get_args(Statement), Argument, Clause, Parameter, Handler, Pattern, Case)
_HOLDS_NODES = re.compile("Expr|Statement|Argument|Clause|Parameter|Handler|Pattern|Case")
_BELOW: dict[type, tuple[str, ...]] = {
    kind: tuple(field.name for field in fields(kind) if _HOLDS_NODES.search(str(field.type))) for kind in _KINDS
}
"""For each kind of node, a function that returns its children."""


def _make_getter(names: tuple[str, ...]) -> Callable[[Any], tuple[object, ...]]:
    """Return a function that gets these attributes, always as a tuple."""
    if len(names) > 1:
        return attrgetter(*names)
    return (lambda node: (getattr(node, names[0]),)) if names else (lambda node: ())


_GET_BELOW = {kind: _make_getter(names) for kind, names in _BELOW.items()}
_LEAVES = frozenset(kind for kind, names in _BELOW.items() if not names)
"""The kinds of nodes that have no children: most nodes are of one of these."""


def walk_nodes(code: object) -> Iterator[object]:
    """Yield `code` and every node below it."""
    stack = [code]
    while stack:
        item = stack.pop()
        kind = type(item)
        if kind in _LEAVES:
            yield item
        elif kind is tuple:
            stack.extend(item)  # type: ignore[arg-type]
        elif kind in _GET_BELOW:
            yield item
            stack.extend(_GET_BELOW[kind](item))


def is_mentioned(code: object, name: str) -> bool:
    """Return whether a variable `name` is read or bound in `code`."""
    return any(isinstance(node, Name) and node.id == name for node in walk_nodes(code))


def list_children(node: object) -> tuple[object, ...]:
    """Return the children of a node: nodes, and tuples of nodes."""
    get = _GET_BELOW.get(type(node))
    return get(node) if get is not None else ()


def drop_docstrings(statements: Iterable[Statement]) -> tuple[Statement, ...]:
    """Return `statements` without docstrings and other string statements, which do nothing."""
    return tuple(statement for statement in statements if not _is_string(statement))


def _is_string(statement: Statement) -> bool:
    if not isinstance(statement, ExprStatement) or not isinstance(statement.value, Const):
        return False
    return isinstance(statement.value.value, str)
