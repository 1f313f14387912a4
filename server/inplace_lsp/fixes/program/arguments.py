"""A call without one of its arguments, everything else as it was written."""

from __future__ import annotations

import libcst as cst

from inplace_lsp.fixes.program.edits import apply_edits
from inplace_lsp.fixes.program.site import Tree
from inplace_lsp.hazards.finding import Edit
from inplace_lsp.tape.model import Span
from inplace_lsp.torch_ops.table import find, find_module


def inplace_flag(tree: Tree, call: cst.Call) -> cst.Arg | None:
    """The argument of `call` that says `inplace=True`, by keyword or by its place; None if it is not written so."""
    for at, argument in enumerate(call.args):
        if not (isinstance(argument.value, cst.Name) and argument.value.value == "True") or argument.star:
            continue
        keyword = argument.keyword.value if argument.keyword is not None else _parameter(tree.code(call.func), at)
        if keyword == "inplace":
            return argument
    return None


def _parameter(function: str, at: int) -> str:
    """The name of parameter number `at` of a torch function or module, known by the last part of its name."""
    last = function.rsplit(".", 1)[-1]
    module = find_module(f"torch.nn.{last}")
    overloads = [module.init] if module else [one.params for one in find(f"torch.nn.functional.{last}")]
    return next((params[at].name for params in overloads if at < len(params)), "")


def without_argument(tree: Tree, call: cst.Call, argument: cst.Arg) -> str:
    """The text of `call` without `argument`; with `False` for its value where a comment would be lost."""
    code = tree.code(call)
    here = tree.span(call)
    cut = removal(tree, call, argument)
    return apply_edits(code, [Edit(cut.content, _relative(cut.span, here))])


def removal(tree: Tree, call: cst.Call, argument: cst.Arg) -> Edit:
    """The edit that takes `argument` out of `call`."""
    at = call.args.index(argument)
    own = tree.span(argument)
    if at + 1 < len(call.args):
        after = tree.span(call.args[at + 1])
        cut = Span(own.file, own.row, own.column, after.row, after.column)
    elif at > 0:
        before = tree.span(call.args[at - 1].value)
        end = tree.span(argument.value)
        cut = Span(own.file, before.end_row, before.end_column, end.end_row, end.end_column)
    else:
        function, whole = tree.span(call.func), tree.span(call)
        cut = Span(own.file, function.end_row, function.end_column, whole.end_row, whole.end_column)
        return _or_false(tree, call, argument, Edit("()", cut))
    return _or_false(tree, call, argument, Edit("", cut))


def _or_false(tree: Tree, call: cst.Call, argument: cst.Arg, edit: Edit) -> Edit:
    """Only a comment can be lost by a removal; then the flag is switched off instead."""
    return Edit("False", tree.span(argument.value)) if "#" in tree.code(call) else edit


def _relative(span: Span, origin: Span) -> Span:
    """`span` in a text that begins at the start of `origin`."""
    first = span.row == origin.row
    last = span.end_row == origin.row
    return Span(
        span.file,
        span.row - origin.row + 1,
        span.column - (origin.column if first else 0),
        span.end_row - origin.row + 1,
        span.end_column - (origin.column if last else 0),
    )
