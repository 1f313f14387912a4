"""Objects that other methods of their class make ready for the target: what it reads of `self` and no constructor sets,
`initialize(options)` or `forward(batch)` may."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from inplace_lsp.verify.inputs import names
from inplace_lsp.verify.inputs.model import Hints
from inplace_lsp.verify.inputs.plan import Plan, first_plan
from inplace_lsp.verify.inputs.program import Definition, Function, Program, last_name, names_in
from inplace_lsp.verify.inputs.recipes import Group, Recipe

_LACKS = re.compile(r"'(\w+)' object has no attribute '(\w+)'|'(NoneType)' object is not")


def propose_preparations(plan: Plan, program: Program, error: str, rows: tuple[int, ...]) -> Iterator[Group]:
    """Yield the plan with a call of each method that sets what the object lacks, before the method that needs it."""
    owner, made = plan.target.owner, plan.root.get("receiver")
    if owner is None or not isinstance(made, Group) or not rows:
        return
    where = _function_at(program, rows[-1])
    for method in _find_fillers(where, rows[-1], program, owner, plan.target):
        if made.head != names.PREPARED or method.name not in dict(made.items):
            yield plan.root.put("receiver", _add_call(made, method.name, Group("{"), where))
    for attribute in _find_missing(where, error, rows[-1], owner.name):
        for method, row in _find_setters(program, owner, attribute, plan.target):
            yield plan.root.put(
                "receiver", _add_call(made, method.name, _invent_arguments(program, owner, method, row), where)
            )


def list_preparations(receiver: str) -> tuple[str, ...]:
    """Return the names of the methods that an expression calls to make its object ready, in order."""
    if names.PREPARED not in receiver:
        return ()
    calls = (node for node in ast.walk(ast.parse(receiver.strip(), mode="eval")) if isinstance(node, ast.Call))
    return tuple(
        keyword.arg
        for call in calls
        if isinstance(call.func, ast.Name) and call.func.id == names.PREPARED
        for keyword in call.keywords
        if keyword.arg is not None
    )


def _find_fillers(
    where: Function | None, row: int, program: Program, owner: ast.ClassDef, target: Definition
) -> Iterator[Function]:
    """Yield the methods without parameters that fill the buffer of which a call on `row` takes something."""
    calls = [node for node in ast.walk(where) if isinstance(node, ast.Call)] if where is not None else []
    taken = {
        name
        for node in calls
        if node.lineno <= row <= (node.end_lineno or 0) and (name := _buffer_in(node, _TAKES)) is not None
    }
    for method in _methods_of(program, owner) if taken else ():
        filled = {_buffer_in(node, _FILLS) for node in ast.walk(method) if isinstance(node, ast.Call)}
        is_other = method is not where and target.node.name not in names_in(method)
        if taken & filled and is_other and not _needs_arguments(method):
            yield method


_TAKES = ("sample", "get", "batch", "recall", "next")
_FILLS = ("add", "push", "append", "store", "insert", "put", "remember", "save", "collect", "memorize")
"""Words in the names of methods of buffers: what takes from them, and what fills them."""


def _buffer_in(call: ast.Call, words: Sequence[str]) -> str | None:
    """Return the attribute of `self` on which a method with one of these words in its name is called."""
    match call.func:
        case ast.Attribute(value=ast.Attribute(value=holder, attr=name), attr=method) if _is_self(holder):
            return name if any(word in method.lower() for word in words) else None
    return None


def _needs_arguments(method: Function) -> bool:
    given = method.args
    required = len(given.posonlyargs) + len(given.args) - len(given.defaults) - 1
    return required > 0 or any(default is None for default in given.kw_defaults)


def _add_call(made: Group, method: str, arguments: Recipe, where: Function | None) -> Group:
    """Return the object with a call more, before that of the method which raised, else behind the others."""
    if made.head != names.PREPARED:
        return Group(names.PREPARED, (("0", made), (method, arguments)))
    items = [item for item in made.items if item[0] != method]
    at = next((at for at, item in enumerate(items) if where is not None and item[0] == where.name), len(items))
    return Group(names.PREPARED, (*items[:at], (method, arguments), *items[at:]))


def _function_at(program: Program, row: int) -> Function | None:
    """Return the innermost function of the file round a row."""
    around = [one.node for one in program.definitions.values() if one.node.lineno <= row <= (one.node.end_lineno or 0)]
    return max(around, key=lambda node: node.lineno, default=None)


def _find_missing(where: Function | None, error: str, row: int, owner: str) -> Iterator[str]:
    """Yield the attributes of `self` that an error says are missing or None."""
    lack = _LACKS.search(error)
    if lack is None or where is None:
        return
    if lack[1] not in (None, "NoneType"):
        attributes = (node for node in ast.walk(where) if isinstance(node, ast.Attribute) and node.lineno <= row)
        if lack[1] == owner or any(node.attr == lack[2] and _is_self(node.value) for node in attributes):
            yield lack[2]
        return
    for node in ast.walk(where):
        if isinstance(node, (ast.Attribute, ast.Call, ast.Subscript)) and node.lineno <= row <= (node.end_lineno or 0):
            holder = node.func if isinstance(node, ast.Call) else node.value
            if not isinstance(node, ast.Attribute) or node.attr == lack[2]:
                yield from _attribute_behind(holder, where)


def _attribute_behind(node: ast.expr, where: Function) -> Iterator[str]:
    """Yield the attribute of `self` that an expression is, or that the function binds to its name."""
    match node:
        case ast.Attribute(value=holder, attr=attribute) if _is_self(holder):
            yield attribute
        case ast.Name(id=name):
            for statement in ast.walk(where):
                match statement:
                    case ast.Assign(
                        targets=[ast.Name(id=bound)], value=ast.Attribute(value=holder, attr=attribute)
                    ) if bound == name and _is_self(holder):
                        yield attribute


def _is_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"


def _find_setters(
    program: Program, owner: ast.ClassDef, attribute: str, target: Definition
) -> Iterator[tuple[Function, int]]:
    """Yield the methods of a class that set an attribute, each with the row, but none that calls the target: it needs
    that."""
    for method in _methods_of(program, owner):
        is_plain = not method.name.startswith("__") and not method.decorator_list
        is_other = method.name != target.node.name and target.node.name not in names_in(method)
        rows = (
            node.lineno for node in ast.walk(method) if isinstance(node, ast.stmt) and _sets_attribute(node, attribute)
        )
        row = next(rows, None)
        if is_plain and is_other and row is not None:
            yield method, row


def _methods_of(program: Program, owner: ast.ClassDef, seen: tuple[str, ...] = ()) -> Iterator[ast.FunctionDef]:
    """Yield the methods of a class, then those of its bases in sight."""
    yield from (node for node in owner.body if isinstance(node, ast.FunctionDef))
    for base in (program.classes.get(last_name(base) or "") for base in owner.bases):
        if base is not None and base.name not in seen and base is not owner:
            yield from _methods_of(program, base, (*seen, owner.name))


def _sets_attribute(node: ast.AST, attribute: str) -> bool:
    """Return whether a statement gives an attribute of `self` another value than None."""
    if not isinstance(node, (ast.Assign, ast.AnnAssign)):
        return False
    is_none = node.value is None or (isinstance(node.value, ast.Constant) and node.value.value is None)
    targets: list[ast.expr] = node.targets if isinstance(node, ast.Assign) else [node.target]
    parts = (part for target in targets for part in ast.walk(target))
    return not is_none and any(
        isinstance(part, ast.Attribute) and part.attr == attribute and _is_self(part.value) for part in parts
    )


def _invent_arguments(program: Program, owner: ast.ClassDef, method: Function, row: int) -> Group:
    """Return invented arguments for a call of a method that is to reach a row."""
    definition = Definition(f"{owner.name}.{method.name}", method, owner, None)
    given = first_plan(program, definition, Hints((row,))).root.get("arguments")
    items = given.items if isinstance(given, Group) else ()
    return Group("{", tuple((name, recipe) for name, recipe in items if name[0] != "*"))
