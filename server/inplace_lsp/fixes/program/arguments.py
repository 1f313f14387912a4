"""Remove an argument from a call and leave everything else as written."""

from __future__ import annotations

import libcst as cst

from inplace_lsp.fixes.program.site import Tree
from inplace_lsp.hazards.edits import apply_edits
from inplace_lsp.hazards.finding import Edit
from inplace_lsp.tape.model import Span
from inplace_lsp.torch_ops.table import find_module, find_overloads


def find_inplace_flag(tree: Tree, call: cst.Call) -> cst.Arg | None:
    """Return the argument of `call` that sets `inplace=True`, by keyword or by position; None if there is none."""
    for at, argument in enumerate(call.args):
        if not (isinstance(argument.value, cst.Name) and argument.value.value == "True") or argument.star:
            continue
        keyword = (
            argument.keyword.value if argument.keyword is not None else _parameter_name(tree.code_of(call.func), at)
        )
        if keyword == "inplace":
            return argument
    return None


def _parameter_name(function: str, at: int) -> str:
    """Return the name of parameter number `at` of a torch function or module, found by the last part of its name."""
    last = function.rsplit(".", 1)[-1]
    module = find_module(f"torch.nn.{last}")
    overloads = (
        [module.init] if module else [overload.params for overload in find_overloads(f"torch.nn.functional.{last}")]
    )
    return next((params[at].name for params in overloads if at < len(params)), "")


def code_without_argument(tree: Tree, call: cst.Call, argument: cst.Arg) -> str:
    """Return the text of `call` without `argument`; with the value `False` where a comment would be lost."""
    code = tree.code_of(call)
    here = tree.span_of(call)
    cut = remove_argument(tree, call, argument)
    return apply_edits(code, [Edit(cut.content, _relative_span(cut.span, here))])


def remove_argument(tree: Tree, call: cst.Call, argument: cst.Arg) -> Edit:
    """Return the edit that removes `argument` from `call`."""
    at = call.args.index(argument)
    own = tree.span_of(argument)
    if at + 1 < len(call.args):
        after = tree.span_of(call.args[at + 1])
        cut = Span(own.file, own.row, own.column, after.row, after.column)
    elif at > 0:
        before = tree.span_of(call.args[at - 1].value)
        end = tree.span_of(argument.value)
        cut = Span(own.file, before.end_row, before.end_column, end.end_row, end.end_column)
    else:
        function, whole = tree.span_of(call.func), tree.span_of(call)
        cut = Span(own.file, function.end_row, function.end_column, whole.end_row, whole.end_column)
        return _keep_comment(tree, call, argument, Edit("()", cut))
    return _keep_comment(tree, call, argument, Edit("", cut))


def _keep_comment(tree: Tree, call: cst.Call, argument: cst.Arg, edit: Edit) -> Edit:
    """Switch the flag off instead of removing it where the removal could lose a comment."""
    return Edit("False", tree.span_of(argument.value)) if "#" in tree.code_of(call) else edit


def _relative_span(span: Span, origin: Span) -> Span:
    """Return `span` relative to a text that begins at the start of `origin`."""
    first = span.row == origin.row
    last = span.end_row == origin.row
    return Span(
        span.file,
        span.row - origin.row + 1,
        span.column - (origin.column if first else 0),
        span.end_row - origin.row + 1,
        span.end_column - (origin.column if last else 0),
    )
