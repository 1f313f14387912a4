"""A custom `autograd.Function` in the source: its class, its methods, what they call on `ctx`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from inplace_lsp.fixes.program.edits import insertion
from inplace_lsp.fixes.program.scopes import is_parameter
from inplace_lsp.fixes.program.site import Tree, whole_tree
from inplace_lsp.hazards.finding import Edit
from inplace_lsp.tape.model import Span


@dataclass(frozen=True)
class CustomFunction:
    """The class of a custom Function and the syntax it stands in."""

    tree: Tree
    node: cst.ClassDef

    def method(self, name: str) -> cst.FunctionDef | None:
        """The method `name` that the class itself defines."""
        body = self.node.body.body
        return next((one for one in body if isinstance(one, cst.FunctionDef) and one.name.value == name), None)

    @property
    def setup(self) -> cst.FunctionDef | None:
        """The method that is given `ctx` before the backward: `setup_context`, or the forward itself."""
        return self.method("setup_context") or self.method("forward")


def named(text: str, file: str, op: str) -> CustomFunction | None:
    """The Function that a tape calls `Name.apply`; None if no one class in sight has that name."""
    tree = whole_tree(text, file)
    if tree is None or not op.endswith(".apply"):
        return None
    name = op.removesuffix(".apply").rsplit(".", 1)[-1]
    found = [one for one in tree.every() if isinstance(one, cst.ClassDef) and one.name.value == name]
    return CustomFunction(tree, found[0]) if len(found) == 1 else None


def around(text: str, place: Span) -> CustomFunction | None:
    """The Function in whose forward `place` lies."""
    tree = whole_tree(text, place.file)
    nodes = tree.covering(place) if tree is not None else []
    classes = [one for one in nodes if isinstance(one, cst.ClassDef)]
    methods = [one for one in nodes if isinstance(one, cst.FunctionDef)]
    if tree is None or not classes or not methods:
        return None
    found = CustomFunction(tree, classes[-1])
    is_own = methods[-1] is found.method("forward") and found.method("backward") is not None
    return found if is_own else None


def context_of(method: cst.FunctionDef) -> str:
    """The name that `ctx` has in a method: that of its first parameter."""
    parameters = [*method.params.posonly_params, *method.params.params]
    return parameters[0].name.value if parameters else ""


def parameters_of(forward: cst.FunctionDef) -> list[str]:
    """The names of all parameters of a forward, `ctx` included where it has one."""
    return [one.name.value for one in (*forward.params.posonly_params, *forward.params.params)]


def nodes_of(tree: Tree, method: cst.FunctionDef) -> list[cst.CSTNode]:
    """Every node of the body of a method that belongs to the method itself."""
    return [one for one in tree.within(tree.span(method.body)) if tree.function_of(one) is method]


def returned(tree: Tree, forward: cst.FunctionDef) -> list[list[cst.BaseExpression]]:
    """What every `return` of a forward gives back, as lists."""
    values = [one.value for one in nodes_of(tree, forward) if isinstance(one, cst.Return) and one.value is not None]
    return [[one.value for one in value.elements] if isinstance(value, cst.Tuple) else [value] for value in values]


def calls_on(tree: Tree, method: cst.FunctionDef, name: str) -> list[cst.Call]:
    """The calls `ctx.name(...)` in a method."""
    wanted = f"{context_of(method)}.{name}"
    return [one for one in nodes_of(tree, method) if isinstance(one, cst.Call) and tree.code(one.func) == wanted]


def one_more(tree: Tree, call: cst.Call, argument: str) -> Edit:
    """`argument` behind those that `call` has."""
    end = tree.span(call)
    if not call.args:
        return insertion(end.file, end.end_row, end.end_column - 1, argument)
    last = tree.span(call.args[-1].value)
    return insertion(end.file, last.end_row, last.end_column, f", {argument}")


def first_statements(method: cst.FunctionDef) -> Iterator[cst.CSTNode]:
    """The statements of a method, its docstring left out."""
    body = list(method.body.body) if isinstance(method.body, cst.IndentedBlock) else []
    yield from body[1:] if method.get_docstring() is not None else body


def is_argument(method: cst.FunctionDef, name: str) -> bool:
    """Whether `name` is a parameter of `method` other than `ctx`."""
    return is_parameter(method, name) and name != context_of(method)
