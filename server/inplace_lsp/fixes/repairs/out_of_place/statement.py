"""Write out of place: `y += e` as `y = y + e`, `y.add_(e)` as `y = y.add(e)`, `relu_(y)` as `y = relu(y)`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import libcst as cst

from inplace_lsp.fixes.program.arguments import code_without_argument, find_inplace_flag
from inplace_lsp.fixes.program.candidate import (
    Candidate,
    is_torch,
    put_before_statement,
    rebind_at,
    replace_node,
    shorten_to_line,
    warn_about_leaf,
)
from inplace_lsp.fixes.program.codes import OUT_REFUSED, REPAIRABLE
from inplace_lsp.fixes.program.later_reads import is_read_after
from inplace_lsp.fixes.program.precedence import as_right_operand
from inplace_lsp.fixes.program.repair import Repair, RepairContext
from inplace_lsp.fixes.program.roots import find_written_tensor, is_rebindable
from inplace_lsp.fixes.program.site import Site
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.torch_ops.table import find_overloads, is_factory

OPERATORS: dict[type[cst.BaseAugOp], str] = {
    cst.AddAssign: "+",
    cst.SubtractAssign: "-",
    cst.MultiplyAssign: "*",
    cst.DivideAssign: "/",
    cst.FloorDivideAssign: "//",
    cst.ModuloAssign: "%",
    cst.PowerAssign: "**",
    cst.MatrixMultiplyAssign: "@",
    cst.BitAndAssign: "&",
    cst.BitOrAssign: "|",
    cst.BitXorAssign: "^",
    cst.LeftShiftAssign: "<<",
    cst.RightShiftAssign: ">>",
}
UNLIKE = frozenset({"bernoulli_", "resize_", "set_", "copy_", "map_", "apply_", "requires_grad_", "share_memory_"})
"""In-place methods whose name without the underscore does something else, or nothing of the kind."""


def write_out_of_place(context: RepairContext) -> Iterator[Candidate]:
    """Repair the statement at the site if it writes a name and has an out-of-place form."""
    site, finding = context.site, context.finding
    if site is None:
        return
    statement = site.statement
    found = (
        _rewrite_augmented_assignment(site, finding, statement)
        if isinstance(statement, cst.AugAssign)
        else _rewrite_call(site, finding, statement)
    )
    for candidate in found:
        names = [site.tree.code_of(rebound.written) for rebound in candidate.uses if rebound.written is not None]
        yield replace(
            candidate, warnings=tuple(warning for name in names for warning in warn_about_leaf(finding, name))
        )


WRITE_OUT_OF_PLACE = Repair(REPAIRABLE, write_out_of_place)


def _rewrite_augmented_assignment(site: Site, finding: Finding, statement: cst.AugAssign) -> Iterator[Candidate]:
    operator = OPERATORS.get(type(statement.operator))
    if operator is None or not _is_tensor_itself(site, finding, statement.target):
        return
    target = site.tree.code_of(statement.target)
    content = f"{target} = {target} {operator} {as_right_operand(statement.value, operator, site.tree.code_of)}"
    yield Candidate(
        f"Write out of place: `{shorten_to_line(content)}`",
        (replace_node(site, statement, content),),
        rebind_at(site, statement.target),
    )


def new_value(site: Site, finding: Finding, written: cst.BaseExpression) -> str | None:
    """Return the value of `written` after the statement as an expression that writes nothing: `g.clamp(-1, 1)`."""
    statement = site.statement
    if isinstance(statement, cst.AugAssign):
        operator = OPERATORS.get(type(statement.operator))
        target = statement.target
        if operator is None or not target.deep_equals(written) or not _is_tensor_itself(site, finding, target):
            return None
        return (
            f"{site.tree.code_of(target)} {operator} {as_right_operand(statement.value, operator, site.tree.code_of)}"
        )
    rewritten = out_of_place_call(site, statement.value) if isinstance(statement, cst.Expr) else None
    if rewritten is None or rewritten[1] is None or not rewritten[1].deep_equals(written):
        return None
    return rewritten[0]


def _is_tensor_itself(site: Site, finding: Finding, node: cst.BaseExpression) -> bool:
    """Return whether `node` can be rebound, and is the written tensor rather than a part of it."""
    return is_rebindable(site.tree, node) and find_written_tensor(site, finding, node) is node


def _rewrite_call(site: Site, finding: Finding, statement: cst.BaseSmallStatement) -> Iterator[Candidate]:
    value = _value_of(statement)
    if value is None:
        return
    rewritten = out_of_place_call(site, value)
    if rewritten is None or (finding.code in OUT_REFUSED and is_factory(finding.op)):
        return  # torch refuses a factory only for a leaf: a parameter, which a new tensor cannot replace
    content, written = rewritten
    if written is None and isinstance(statement, cst.Expr):
        return  # nobody would get the new tensors
    if written is None:
        yield Candidate(rewrite_message(content), (replace_node(site, value, content),), rebind_at(site, None))
    elif _is_tensor_itself(site, finding, written):
        yield from _rebind_written(site, statement, value, content, written)


def _rebind_written(
    site: Site, statement: cst.BaseSmallStatement, value: cst.BaseExpression, content: str, written: cst.BaseExpression
) -> Iterator[Candidate]:
    """Bind the written name to the new tensor."""
    name = site.tree.code_of(written)
    edits = [replace_node(site, value, content)]
    message = content
    if isinstance(statement, cst.Expr):
        message = f"{name} = {content}"
        edits = (
            [put_before_statement(site, f"{name} = "), *edits] if value.lpar else [replace_node(site, value, message)]
        )
    elif isinstance(statement, cst.Assign) and name not in _target_names(site, statement):
        if not isinstance(written, cst.Name) or is_read_after(site.tree, statement, name):
            message = f"{name} = {content}"
            edits = [replace_node(site, value, message)]
    elif not isinstance(statement, cst.Assign) and not isinstance(written, cst.Name):
        return  # `return self.h.add_(e)`: nothing would put the new tensor into the attribute
    yield Candidate(rewrite_message(message), tuple(edits), rebind_at(site, written))


def _value_of(statement: cst.BaseSmallStatement) -> cst.BaseExpression | None:
    if isinstance(statement, (cst.Expr, cst.Assign, cst.AnnAssign, cst.Return)):
        return statement.value
    return None


def _target_names(site: Site, statement: cst.Assign) -> list[str]:
    return [site.tree.code_of(target.target) for target in statement.targets]


def out_of_place_call(site: Site, value: cst.BaseExpression) -> tuple[str, cst.BaseExpression | None] | None:
    """Return the text of `value` with its in-place calls made out of place, and what they wrote (None for an unnamed
    tensor). Return None if `value` is no in-place call."""
    if not isinstance(value, cst.Call):
        return None
    return _out_of_place_method(site, value) or _out_of_place_function(site, value)


def _out_of_place_method(site: Site, call: cst.Call) -> tuple[str, cst.BaseExpression | None] | None:
    """Remove the underscore of every in-place call in a chain: `a.mul_(b).add_(c)`."""
    if not isinstance(call.func, cst.Attribute) or is_torch(site.tree, call.func.value):
        return None
    receiver, method = call.func.value, call.func.attr.value
    inner = _out_of_place_method(site, receiver) if isinstance(receiver, cst.Call) else None
    plain = _without_underscore(method)
    if plain is None and inner is None:
        return None
    text, written = inner or (site.tree.code_of(receiver), None if isinstance(receiver, cst.Call) else receiver)
    rest = _bare_code(site, call)[len(site.tree.code_of(receiver)) :]
    if plain is not None:
        rest = rest.replace(f".{method}", f".{plain}", 1)
    return text + rest, written


def _bare_code(site: Site, call: cst.Call) -> str:
    """Return the text of a call without the parentheses around it, as its span has it."""
    return site.tree.code_of(call.with_changes(lpar=(), rpar=()))


def _without_underscore(method: str) -> str | None:
    if not method.endswith("_") or method.startswith("_") or method in UNLIKE:
        return None
    return method[:-1] if find_overloads(f"torch.Tensor.{method[:-1]}") else None


def _out_of_place_function(site: Site, call: cst.Call) -> tuple[str, cst.BaseExpression | None] | None:
    """Rewrite `torch.relu_(y)`, `F.relu(y, inplace=True)` or `torch.exp(x, out=y)`."""
    if not call.args or call.args[0].star or call.args[0].keyword is not None:
        return None
    written = None if isinstance(call.args[0].value, cst.Call) else call.args[0].value
    keywords = {argument.keyword.value: argument for argument in call.args if argument.keyword is not None}
    if "out" in keywords:
        return code_without_argument(site.tree, call, keywords["out"]), keywords["out"].value
    flag = find_inplace_flag(site.tree, call)
    if flag is not None:
        return code_without_argument(site.tree, call, flag), written
    name = site.tree.code_of(call.func)
    return (name[:-1] + _bare_code(site, call)[len(name) :], written) if _has_plain_form(site, call.func) else None


def _has_plain_form(site: Site, function: cst.BaseExpression) -> bool:
    """Return whether torch has the function also without the `_` at the end of its name."""
    if not isinstance(function, cst.Attribute) or not function.attr.value.endswith("_"):
        return False
    plain = function.attr.value[:-1]
    known = find_overloads(f"torch.{plain}") or find_overloads(f"torch.nn.functional.{plain}")
    return bool(known) and is_torch(site.tree, function.value)


def rewrite_message(content: str) -> str:
    """Say what the statement or call is after the repair."""
    return f"Write out of place: `{shorten_to_line(content)}`"
