"""A file as the search sees it: its functions by qualified name, its classes, its names."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

Function = ast.FunctionDef | ast.AsyncFunctionDef
DATA_BASES = frozenset({"NamedTuple", "TypedDict"})


@dataclass(frozen=True, slots=True)
class Definition:
    """A function of a file. `owner`: the class it is a method of; `outer`: the function it is nested in."""

    qualname: str
    node: Function
    owner: ast.ClassDef | None
    outer: Definition | None

    @property
    def bound(self) -> bool:
        """Whether its first parameter is filled by the instance or class it is called on."""
        return self.owner is not None and "staticmethod" not in decorators(self.node)


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a function, or a field of a dataclass."""

    name: str
    kind: str
    annotation: ast.expr | None = None
    default: ast.expr | None = None


@dataclass
class Program:
    """A parsed file. `imported` are the classes of other files, as far as they were looked for; `configs` the contents
    of configuration files that it names, as expressions."""

    text: str
    filename: str
    tree: ast.Module = field(repr=False)
    imported: dict[str, ast.ClassDef] = field(default_factory=dict, repr=False)
    configs: dict[str, str] = field(default_factory=dict, repr=False)

    @cached_property
    def definitions(self) -> dict[str, Definition]:
        """All functions by qualified name, the last of a name."""
        return {one.qualname: one for one in _definitions(self.tree.body, "", None, None)}

    @cached_property
    def classes(self) -> dict[str, ast.ClassDef]:
        """The classes at the top of the file, also those behind an `if` or `try`, and the imported ones."""
        own = {node.name: node for node in top_level(self.tree.body) if isinstance(node, ast.ClassDef)}
        return {**self.imported, **own}

    @cached_property
    def names(self) -> frozenset[str]:
        """What the module's top level binds."""
        return frozenset(name for node in top_level(self.tree.body) for name in bound_by(node))

    @cached_property
    def assigned(self) -> dict[str, ast.stmt]:
        """The first assignment of each name at the top of the file."""
        found: dict[str, ast.stmt] = {}
        for node in self.tree.body:
            if isinstance(node, (ast.Assign, ast.AnnAssign)):
                for name in bound_by(node):
                    found.setdefault(name, node)
        return found

    def method(self, owner: ast.ClassDef, name: str, seen: tuple[str, ...] = ()) -> Function | None:
        """A method of a class, its own or inherited from another class of the file."""
        for node in owner.body:
            if isinstance(node, Function) and node.name == name:
                return node
        for base in owner.bases:
            inner = self.classes.get(last_name(base) or "")
            if inner is not None and inner.name not in seen and inner is not owner:
                found = self.method(inner, name, (*seen, owner.name))
                if found is not None:
                    return found
        return None

    def constructor(self, owner: ast.ClassDef) -> tuple[Parameter, ...] | None:
        """What making an instance takes; None where only another file knows it."""
        made = self.method(owner, "__init__") or self.method(owner, "__new__")
        if made is not None:
            return parameters(made)[1:]
        if "dataclass" in decorators(owner) or any(last_name(base) in DATA_BASES for base in owner.bases):
            return tuple(_fields(owner))
        known = {"Module", "object", "ABC", "Function", "Protocol"} | self.classes.keys()
        return () if all(last_name(base) in known for base in owner.bases) else None

    def free(self, name: str) -> bool:
        """Whether neither the module nor Python knows that name."""
        return name not in self.names and not hasattr(builtins, name)


def read(text: str, filename: str) -> Program | None:
    """`text` parsed, None where it does not parse."""
    try:
        return Program(text, filename, ast.parse(text))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def parameters(node: Function) -> tuple[Parameter, ...]:
    """The parameters of a function in order."""
    given = node.args
    plain = [*given.posonlyargs, *given.args]
    defaults: list[ast.expr | None] = [None] * (len(plain) - len(given.defaults))
    found = [
        Parameter(arg.arg, "plain", arg.annotation, default)
        for arg, default in zip(plain, [*defaults, *given.defaults], strict=True)
    ]
    if given.vararg:
        found.append(Parameter(given.vararg.arg, "vararg", given.vararg.annotation))
    for arg, default in zip(given.kwonlyargs, given.kw_defaults, strict=True):
        found.append(Parameter(arg.arg, "keyword", arg.annotation, default))
    if given.kwarg:
        found.append(Parameter(given.kwarg.arg, "kwarg", given.kwarg.annotation))
    return tuple(found)


def decorators(node: Function | ast.ClassDef) -> frozenset[str]:
    """The last names of what decorates a definition."""
    calls = (d.func if isinstance(d, ast.Call) else d for d in node.decorator_list)
    return frozenset(name for name in map(last_name, calls) if name)


def last_name(node: ast.expr) -> str | None:
    """`c` of `a.b.c` and of `a.b.c[d]`, `a` of `a`."""
    if isinstance(node, ast.Subscript):
        return last_name(node.value)
    if isinstance(node, ast.Name):
        return node.id
    return node.attr if isinstance(node, ast.Attribute) else None


def dotted(node: ast.expr) -> str:
    """`a.b.c` of such an expression, else ""."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        inner = dotted(node.value)
        return f"{inner}.{node.attr}" if inner else ""
    return ""


def top_level(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a body, and those in its `if`, `try` and `with` blocks."""
    for node in body:
        yield node
        if isinstance(node, (ast.If, ast.Try, ast.With, ast.For, ast.While)):
            for name in ("body", "orelse", "finalbody"):
                yield from top_level(getattr(node, name, []))
            for handler in getattr(node, "handlers", []):
                yield from top_level(handler.body)


def bound_by(node: ast.stmt) -> Iterator[str]:
    """The names that a statement binds, blocks inside it left aside."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield node.name
    elif isinstance(node, (ast.Import, ast.ImportFrom)):
        yield from ((alias.asname or alias.name).split(".")[0] for alias in node.names)
    elif isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.For, ast.With)):
        targets = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        yield from targets


def _fields(owner: ast.ClassDef) -> Iterator[Parameter]:
    for node in owner.body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield Parameter(node.target.id, "plain", node.annotation, node.value)


def _definitions(
    body: list[ast.stmt], prefix: str, owner: ast.ClassDef | None, outer: Definition | None
) -> Iterator[Definition]:
    for node in top_level(body):
        if isinstance(node, Function):
            one = Definition(prefix + node.name, node, owner, outer)
            yield one
            yield from _definitions(node.body, f"{one.qualname}.<locals>.", None, one)
        elif isinstance(node, ast.ClassDef):
            yield from _definitions(node.body, f"{prefix}{node.name}.", node, outer)
