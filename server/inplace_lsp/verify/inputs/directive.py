"""The directive comment: `# inplace: verify(x=randn(4, 3, requires_grad=True), n=2)` on or above a function.

`self=Net(3, 8)` makes the instance of a method. Names that neither the file nor Python binds are torch's. A directive
may go on over several comment lines until its bracket closes.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass

from inplace_lsp.messages.inputs import Inputs
from inplace_lsp.verify.inputs import names
from inplace_lsp.verify.inputs.model import Missing
from inplace_lsp.verify.inputs.plan import (
    applied,
    entry_of,
    lead_to,
    needs_instance,
    setup_for,
)
from inplace_lsp.verify.inputs.program import Definition, Program, is_custom_function, own_parameters

_START = re.compile(r"#\s*inplace:\s*verify\b(?P<rest>.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Directive:
    """What a comment asks for: expressions by name, those of the instance under `self`."""

    row: int
    text: str


class DirectiveError(Exception):
    """A directive that cannot be followed; the message is for its writer."""


def read_directive(program: Program, target: Definition, module: str | None = None) -> Inputs | Missing | None:
    """Return the inputs a directive gives, what is wrong with it, None where there is none."""
    found = _find_directive(program, target)
    if found is None:
        return None
    try:
        return _inputs_of_directive(program, target, _parse_expressions(found), module)
    except DirectiveError as error:
        what = f"the directive in line {found.row} cannot be used: {error}"
        return Missing(target.qualname, what, "", found.row, 0)


def _find_directive(program: Program, target: Definition) -> Directive | None:
    """Return the directive of a function: above its first line, on its `def`, or on a line of its own in the body's
    head."""
    if "inplace:" not in program.text:  # to find all comments takes long
        return None
    first = min([target.node.lineno, *(d.lineno for d in target.node.decorator_list)])
    last = target.node.body[0].lineno
    comments = dict(_comments_in(program.text))
    above = first - 1
    while above in comments:
        above -= 1
    rows = [row for row in sorted(comments) if above < row <= last]
    for row in rows:
        start = _START.search(comments[row])
        if start is not None:
            text = start["rest"]
            while text.count("(") > text.count(")") and row + 1 in comments:
                row += 1
                text += " " + comments[row].lstrip("#").strip()
            return Directive(row, text.strip())
    return None


def _comments_in(text: str) -> Iterator[tuple[int, str]]:
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                yield token.start[0], token.string
    except (tokenize.TokenError, SyntaxError):
        return


def _parse_expressions(found: Directive) -> dict[str, ast.expr]:
    try:
        call = ast.parse(f"verify{found.text or '()'}", mode="eval").body
    except (SyntaxError, ValueError) as error:
        reason = getattr(error, "msg", str(error))
        raise DirectiveError(f"it does not parse ({reason}); write verify(name=expression, ...)") from None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
        raise DirectiveError("write verify(name=expression, ...)")
    if call.args or any(keyword.arg is None for keyword in call.keywords):
        raise DirectiveError("every value needs the name of its parameter: verify(x=randn(4, 3))")
    return {str(keyword.arg): keyword.value for keyword in call.keywords}


def _inputs_of_directive(
    program: Program, target: Definition, given: dict[str, ast.expr], module: str | None
) -> Inputs:
    known = frozenset({*given, *names.SETUPS})
    written = {name: ast.unparse(_Resolve(program, known).visit(value)) for name, value in given.items()}
    if target.outer is not None and target.owner is None:
        return _inputs_of_nested(target, written)
    if is_custom_function(target):
        return _applied(program, target, written, module)
    receiver = written.pop("self", None)
    if needs_instance(target) and receiver is None:
        assert target.owner is not None
        receiver = f"{target.qualname.rpartition('.')[0]}()"
    elif not needs_instance(target) and receiver is not None:
        raise DirectiveError("`self` is given, but this is no method of an instance")
    _check_names(target, written)
    return Inputs("directive", _setup_of(receiver, written), receiver, _add_stars(target, written))


def _applied(program: Program, target: Definition, written: dict[str, str], module: str | None) -> Inputs:
    """Return a directive in a custom function gives the arguments of its forward, which `apply` is called with."""
    entry = entry_of(program, target)
    _check_names(entry, written)
    inputs = applied(entry, _add_stars(entry, written), "directive", program, module)
    return inputs if entry is target else lead_to(target, inputs, entry, program, module)


def _inputs_of_nested(target: Definition, written: dict[str, str]) -> Inputs:
    """Return the inputs of a directive on a nested function: arguments of the outer function that makes and calls it,
    or its own where it is returned."""
    outer = target
    while outer.outer is not None:
        outer = outer.outer
    receiver = written.pop("self", None) if needs_instance(outer) else None
    inner = {parameter.name for parameter in own_parameters(target)} - {
        parameter.name for parameter in own_parameters(outer)
    }
    own = {name: value for name, value in written.items() if name in inner}
    others = {name: value for name, value in written.items() if name not in inner}
    _check_names(outer, others)
    return Inputs(
        "directive", _setup_of(receiver, written), receiver, {**_add_stars(outer, others), **_add_stars(target, own)}
    )


def _setup_of(receiver: str | None, written: dict[str, str]) -> str:
    return setup_for((receiver or "", *written.values()))


def _check_names(target: Definition, written: dict[str, str]) -> None:
    known = {parameter.name: parameter for parameter in own_parameters(target)}
    anything = any(statement.kind == "kwarg" for statement in known.values())
    for name in written:
        if name not in known and not anything:
            raise DirectiveError(f"`{target.qualname}` has no parameter `{name}`; it has {_list_names(list(known))}")
    needed = [
        n for n, parameter in known.items() if parameter.default is None and parameter.kind in ("plain", "keyword")
    ]
    missing = [name for name in needed if name not in written]
    if missing:
        raise DirectiveError(f"no value for {_list_names(missing)}")


def _add_stars(target: Definition, written: dict[str, str]) -> dict[str, str]:
    stars = {
        parameter.name: {"vararg": "*", "kwarg": "**"}.get(parameter.kind, "") for parameter in own_parameters(target)
    }
    return {stars.get(name, "") + name: value for name, value in written.items()}


def _list_names(wanted: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in wanted) or "none"


class _Resolve(ast.NodeTransformer):
    """Names that nobody binds become torch's; `known` are bound: the other values, and what verify makes itself."""

    def __init__(self, program: Program, known: frozenset[str]) -> None:
        self.program, self.known = program, known

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Turn `randn` into `torch.randn`."""
        if (
            node.id == "torch"
            or node.id in self.known
            or not self.program.is_free_name(node.id)
            or not isinstance(node.ctx, ast.Load)
        ):
            return node
        known = {"nn": "nn", "F": "nn.functional", "optim": "optim"}.get(node.id, node.id)
        return ast.parse(f"torch.{known}", mode="eval").body

    def visit_Lambda(self, node: ast.Lambda) -> ast.expr:
        """Leave a lambda unchanged: it binds names of its own."""
        given = node.args
        stars = [arg for arg in (given.vararg, given.kwarg) if arg is not None]
        own = {arg.arg for arg in [*given.posonlyargs, *given.args, *given.kwonlyargs, *stars]}
        node.body = _Resolve(self.program, self.known | own).visit(node.body)
        return node


def write_directive(arguments: dict[str, str], receiver: str | None) -> str:
    """Return a directive with the best known values in its short form."""
    parts = [f"self={receiver}"] if receiver is not None else []
    parts += [f"{name.lstrip('*')}={value}" for name, value in arguments.items()]
    return f"# inplace: verify({', '.join(parts)})".replace("torch.randn(", "randn(")
