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

from inplace_lsp.verify.inputs.model import Inputs, Missing
from inplace_lsp.verify.inputs.plan import SETUP, own_parameters
from inplace_lsp.verify.inputs.program import Definition, Program

_START = re.compile(r"#\s*inplace:\s*verify\b(?P<rest>.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Directive:
    """What a comment asks for: expressions by name, those of the instance under `self`."""

    row: int
    text: str


class DirectiveError(Exception):
    """A directive that cannot be followed; the message is for its writer."""


def directive(program: Program, target: Definition) -> Inputs | Missing | None:
    """The inputs a directive gives, what is wrong with it, None where there is none."""
    found = _find(program, target)
    if found is None:
        return None
    try:
        return _inputs(program, target, _expressions(found))
    except DirectiveError as error:
        what = f"the directive in line {found.row} cannot be used: {error}"
        return Missing(target.qualname, what, "", found.row, 0)


def _find(program: Program, target: Definition) -> Directive | None:
    """The directive of a function: above its first line, on its `def`, or on a line of its own in the body's head."""
    first = min([target.node.lineno, *(d.lineno for d in target.node.decorator_list)])
    last = target.node.body[0].lineno
    comments = dict(_comments(program.text))
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


def _comments(text: str) -> Iterator[tuple[int, str]]:
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                yield token.start[0], token.string
    except (tokenize.TokenError, SyntaxError):
        return


def _expressions(found: Directive) -> dict[str, ast.expr]:
    try:
        call = ast.parse(f"verify{found.text or '()'}", mode="eval").body
    except (SyntaxError, ValueError) as error:
        reason = getattr(error, "msg", str(error))
        raise DirectiveError(f"it does not parse ({reason}); write verify(name=expression, ...)") from None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
        raise DirectiveError("write verify(name=expression, ...)")
    if call.args or any(one.arg is None for one in call.keywords):
        raise DirectiveError("every value needs the name of its parameter: verify(x=randn(4, 3))")
    return {str(one.arg): one.value for one in call.keywords}


def _inputs(program: Program, target: Definition, given: dict[str, ast.expr]) -> Inputs:
    written = {name: ast.unparse(_Resolve(program).visit(value)) for name, value in given.items()}
    if target.outer is not None and target.owner is None:
        return _nested(target, written)
    receiver = written.pop("self", None)
    if target.bound and receiver is None:
        assert target.owner is not None
        receiver = f"{target.qualname.rpartition('.')[0]}()"
    elif not target.bound and receiver is not None:
        raise DirectiveError("`self` is given, but this is no method of an instance")
    _check_names(target, written)
    return Inputs("directive", SETUP, receiver, _starred(target, written))


def _nested(target: Definition, written: dict[str, str]) -> Inputs:
    """A directive on a nested function gives the arguments of the one around it, which makes it and calls it; and
    those of its own, where it is returned instead."""
    outer = target
    while outer.outer is not None:
        outer = outer.outer
    receiver = written.pop("self", None)
    inner = {one.name for one in own_parameters(target)} - {one.name for one in own_parameters(outer)}
    own = {name: value for name, value in written.items() if name in inner}
    others = {name: value for name, value in written.items() if name not in inner}
    _check_names(outer, others)
    return Inputs("directive", SETUP, receiver, {**_starred(outer, others), **_starred(target, own)})


def _check_names(target: Definition, written: dict[str, str]) -> None:
    known = {one.name: one for one in own_parameters(target)}
    anything = any(one.kind == "kwarg" for one in known.values())
    for name in written:
        if name not in known and not anything:
            raise DirectiveError(f"`{target.qualname}` has no parameter `{name}`; it has {_listed(list(known))}")
    needed = [n for n, one in known.items() if one.default is None and one.kind in ("plain", "keyword")]
    missing = [name for name in needed if name not in written]
    if missing:
        raise DirectiveError(f"no value for {_listed(missing)}")


def _starred(target: Definition, written: dict[str, str]) -> dict[str, str]:
    stars = {one.name: {"vararg": "*", "kwarg": "**"}.get(one.kind, "") for one in own_parameters(target)}
    return {stars.get(name, "") + name: value for name, value in written.items()}


def _listed(names: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in names) or "none"


class _Resolve(ast.NodeTransformer):
    """Names that nobody binds become torch's."""

    def __init__(self, program: Program) -> None:
        self.program = program

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """`randn` to `torch.randn`."""
        if node.id == "torch" or not self.program.free(node.id) or not isinstance(node.ctx, ast.Load):
            return node
        known = {"nn": "nn", "F": "nn.functional", "optim": "optim"}.get(node.id, node.id)
        return ast.parse(f"torch.{known}", mode="eval").body

    def visit_Lambda(self, node: ast.Lambda) -> ast.expr:
        """A lambda binds names of its own: left as it is."""
        return node


def ready_to_fill_in(arguments: dict[str, str], receiver: str | None) -> str:
    """A directive with the best values known, in the short form that it is read in."""
    parts = [f"self={receiver}"] if receiver is not None else []
    parts += [f"{name.lstrip('*')}={value}" for name, value in arguments.items()]
    return f"# inplace: verify({', '.join(parts)})".replace("torch.randn(", "randn(")
