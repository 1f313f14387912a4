"""A file as the search sees it: its functions by qualified name, its classes, its names."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TypeVar

from inplace_lsp.source import ir
from inplace_lsp.source.from_ast import lower_definition
from inplace_lsp.verify.inputs.recipes import Recipe

Function = ast.FunctionDef | ast.AsyncFunctionDef
Given = TypeVar("Given")
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
        """Return whether its first parameter is filled by the instance or class it is called on."""
        return self.owner is not None and "staticmethod" not in decorator_names(self.node)


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
    of configuration files that it names, as expressions; `options` the defaults of the project's command lines; `built`
    what the project gives the constructor of a class, by the class and the parameter, None where only that it does."""

    text: str
    filename: str
    tree: ast.Module = field(repr=False)
    imported: dict[str, ast.ClassDef] = field(default_factory=dict, repr=False)
    configs: dict[str, str] = field(default_factory=dict, repr=False)
    options: dict[str, str] = field(default_factory=dict, repr=False)
    built: dict[str, dict[str, Recipe | None]] = field(default_factory=dict, repr=False)

    @cached_property
    def definitions(self) -> dict[str, Definition]:
        """All functions by qualified name, the last of a name."""
        return {definition.qualname: definition for definition in _definitions_in(self.tree.body, "", None, None)}

    @cached_property
    def classes(self) -> dict[str, ast.ClassDef]:
        """The classes at the top of the file, also those behind an `if` or `try`, and the imported ones."""
        own = {node.name: node for node in top_level(self.tree.body) if isinstance(node, ast.ClassDef)}
        return {**self.imported, **own}

    @cached_property
    def names(self) -> frozenset[str]:
        """Return the names that the module's top level binds."""
        return frozenset(name for node in top_level(self.tree.body) for name in bound_by(node))

    def find_method(self, owner: ast.ClassDef, name: str, seen: tuple[str, ...] = ()) -> Function | None:
        """Return a method of a class, its own or inherited from another class of the file."""
        for node in owner.body:
            if isinstance(node, Function) and node.name == name:
                return node
        for base in owner.bases:
            inner = self.classes.get(last_name(base) or "")
            if inner is not None and inner.name not in seen and inner is not owner:
                found = self.find_method(inner, name, (*seen, owner.name))
                if found is not None:
                    return found
        return None

    def has_class_attribute(self, owner: ast.ClassDef, name: str, seen: tuple[str, ...] = ()) -> bool:
        """Return whether the body of a class, or of a base in sight, binds a name."""
        if any(name in bound_by(statement) for statement in top_level(owner.body)):
            return True
        bases = (self.classes.get(last_name(base) or "") for base in owner.bases)
        return any(
            self.has_class_attribute(base, name, (*seen, owner.name))
            for base in bases
            if base is not None and base is not owner and base.name not in seen
        )

    def constructor_parameters(self, owner: ast.ClassDef) -> tuple[Parameter, ...] | None:
        """Return the parameters for making an instance; None if only another file knows them."""
        made = self.find_method(owner, "__init__") or self.find_method(owner, "__new__")
        if made is not None:
            return parameters_of(made)[1:]
        if "dataclass" in decorator_names(owner) or any(last_name(base) in DATA_BASES for base in owner.bases):
            return tuple(_field_parameters(owner))
        known = {"Module", "object", "ABC", "Function", "Protocol"} | self.classes.keys()
        return () if all(last_name(base) in known for base in owner.bases) else None

    def is_free_name(self, name: str) -> bool:
        """Return whether neither the module nor Python binds that name."""
        return name not in self.names and not hasattr(builtins, name)


def read_program(text: str, filename: str) -> Program | None:
    """`text` parsed, None where it does not parse."""
    try:
        return Program(text, filename, ast.parse(text))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def parameters_of(node: Function) -> tuple[Parameter, ...]:
    """Return the parameters of a function in order."""
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


@lru_cache(maxsize=512)
def lower_to_ir(node: Function) -> ir.FunctionDef:
    """Return a function as the recorder sees it; without its body if that is nested too deeply."""
    try:
        return lower_definition(node)
    except RecursionError:
        return ir.FunctionDef((0, 0, 0, 0), node.name, (), (), (), is_async=False, is_generator=False)


def own_parameters(target: Definition) -> tuple[Parameter, ...]:
    """Return the parameters that a caller fills: not the instance, not the context of a custom function."""
    return parameters_of(target.node)[1 if target.bound or is_custom_function(target) else 0 :]


def is_custom_function(target: Definition) -> bool:
    """Return whether the target is the forward or backward of an `autograd.Function`, reached by `apply`."""
    bases = target.owner.bases if target.owner is not None else []
    return any(last_name(base) == "Function" for base in bases) and target.node.name in ("forward", "backward")


def filled_parameters(
    taken: Iterable[Parameter], given: Sequence[Given], named: Iterable[tuple[str | None, Given]]
) -> list[tuple[str, Given]]:
    """Return the parameters that a call fills by position and by name, each with what it is given."""
    plain = [parameter.name for parameter in taken if parameter.kind == "plain"]
    return [*zip(plain, given, strict=False), *((name, value) for name, value in named if name)]


def names_in(node: ast.AST) -> set[str]:
    """Return the names and attributes that a piece of code mentions."""
    found = {child.id for child in ast.walk(node) if isinstance(child, ast.Name)}
    return found | {child.attr for child in ast.walk(node) if isinstance(child, ast.Attribute)}


def decorator_names(node: Function | ast.ClassDef) -> frozenset[str]:
    """Return the last names of what decorates a definition."""
    calls = (d.func if isinstance(d, ast.Call) else d for d in node.decorator_list)
    return frozenset(name for name in map(last_name, calls) if name)


def last_name(node: ast.expr) -> str | None:
    """Return `c` of `a.b.c` and of `a.b.c[d]`, `a` of `a`."""
    if isinstance(node, ast.Subscript):
        return last_name(node.value)
    if isinstance(node, ast.Name):
        return node.id
    return node.attr if isinstance(node, ast.Attribute) else None


def dotted_name(node: ast.expr) -> str:
    """`a.b.c` of such an expression, else ""."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        inner = dotted_name(node.value)
        return f"{inner}.{node.attr}" if inner else ""
    return ""


def top_level(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements of a body, and those in its `if`, `try` and `with` blocks."""
    for node in body:
        yield node
        if isinstance(node, (ast.If, ast.Try, ast.With, ast.For, ast.While)):
            for name in ("body", "orelse", "finalbody"):
                yield from top_level(getattr(node, name, []))
            for handler in getattr(node, "handlers", []):
                yield from top_level(handler.body)


def bound_by(node: ast.stmt) -> Iterator[str]:
    """Yield the names that a statement binds, without those in its blocks."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield node.name
    elif isinstance(node, (ast.Import, ast.ImportFrom)):
        yield from ((alias.asname or alias.name).split(".")[0] for alias in node.names)
    elif isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.For, ast.With)):
        targets = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        yield from targets


def _field_parameters(owner: ast.ClassDef) -> Iterator[Parameter]:
    for node in owner.body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield Parameter(node.target.id, "plain", node.annotation, node.value)


def _definitions_in(
    body: list[ast.stmt], prefix: str, owner: ast.ClassDef | None, outer: Definition | None
) -> Iterator[Definition]:
    for node in top_level(body):
        if isinstance(node, Function):
            definition = Definition(prefix + node.name, node, owner, outer)
            yield definition
            yield from _definitions_in(node.body, f"{definition.qualname}.<locals>.", None, definition)
        elif isinstance(node, ast.ClassDef):
            yield from _definitions_in(node.body, f"{prefix}{node.name}.", node, outer)
