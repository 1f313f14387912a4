"""Find a custom `autograd.Function` in the source: its class, its methods, its calls on `ctx`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from inplace_lsp.fixes.program.scopes import is_parameter
from inplace_lsp.fixes.program.site import Tree, whole_tree
from inplace_lsp.hazards.edits import insert_at
from inplace_lsp.hazards.finding import Edit
from inplace_lsp.tape.model import Span


@dataclass(frozen=True)
class CustomFunction:
    """The class of a custom Function with its syntax tree."""

    tree: Tree
    node: cst.ClassDef

    def own_method(self, name: str) -> cst.FunctionDef | None:
        """Return the method `name` that the class itself defines."""
        body = self.node.body.body
        return next(
            (
                statement
                for statement in body
                if isinstance(statement, cst.FunctionDef) and statement.name.value == name
            ),
            None,
        )

    @property
    def context_method(self) -> cst.FunctionDef | None:
        """The method that gets `ctx` before the backward: `setup_context`, or the forward."""
        return self.own_method("setup_context") or self.own_method("forward")


def find_function_class(text: str, file: str, op: str) -> CustomFunction | None:
    """Return the Function that a tape calls `Name.apply`; None unless exactly one class in sight has that name."""
    tree = whole_tree(text, file)
    if tree is None or not op.endswith(".apply"):
        return None
    name = op.removesuffix(".apply").rsplit(".", 1)[-1]
    found = [node for node in tree.all_nodes() if isinstance(node, cst.ClassDef) and node.name.value == name]
    return CustomFunction(tree, found[0]) if len(found) == 1 else None


def find_enclosing_class(text: str, place: Span) -> CustomFunction | None:
    """Return the Function whose forward contains `place`."""
    tree = whole_tree(text, place.file)
    nodes = tree.nodes_around(place) if tree is not None else []
    classes = [node for node in nodes if isinstance(node, cst.ClassDef)]
    methods = [node for node in nodes if isinstance(node, cst.FunctionDef)]
    if tree is None or not classes or not methods:
        return None
    found = CustomFunction(tree, classes[-1])
    is_own = methods[-1] is found.own_method("forward") and found.own_method("backward") is not None
    return found if is_own else None


def context_name(method: cst.FunctionDef) -> str:
    """Return the name of `ctx` in a method, its first parameter."""
    parameters = [*method.params.posonly_params, *method.params.params]
    return parameters[0].name.value if parameters else ""


def parameter_names(forward: cst.FunctionDef) -> list[str]:
    """Return the names of a forward's parameters, with `ctx` where it has one."""
    return [parameter.name.value for parameter in (*forward.params.posonly_params, *forward.params.params)]


def body_nodes(tree: Tree, method: cst.FunctionDef) -> list[cst.CSTNode]:
    """Return the nodes of a method's body that belong to the method itself."""
    return [node for node in tree.nodes_within(tree.span_of(method.body)) if tree.function_of(node) is method]


def returned_values(tree: Tree, forward: cst.FunctionDef) -> list[list[cst.BaseExpression]]:
    """Return the values of every `return` of a forward, as lists."""
    values = [
        node.value for node in body_nodes(tree, forward) if isinstance(node, cst.Return) and node.value is not None
    ]
    return [
        [element.value for element in value.elements] if isinstance(value, cst.Tuple) else [value] for value in values
    ]


def find_context_calls(tree: Tree, method: cst.FunctionDef, name: str) -> list[cst.Call]:
    """Return the calls `ctx.name(...)` in a method."""
    wanted = f"{context_name(method)}.{name}"
    return [
        node for node in body_nodes(tree, method) if isinstance(node, cst.Call) and tree.code_of(node.func) == wanted
    ]


def add_argument(tree: Tree, call: cst.Call, argument: str) -> Edit:
    """Append `argument` to the arguments of `call`."""
    end = tree.span_of(call)
    if not call.args:
        return insert_at(end.file, end.end_row, end.end_column - 1, argument)
    last = tree.span_of(call.args[-1].value)
    return insert_at(end.file, last.end_row, last.end_column, f", {argument}")


def statements_after_docstring(method: cst.FunctionDef) -> Iterator[cst.CSTNode]:
    """Yield the statements of a method without its docstring."""
    body = list(method.body.body) if isinstance(method.body, cst.IndentedBlock) else []
    yield from body[1:] if method.get_docstring() is not None else body


def is_input(method: cst.FunctionDef, name: str) -> bool:
    """Return whether `name` is a parameter of `method` other than `ctx`."""
    return is_parameter(method, name) and name != context_name(method)
