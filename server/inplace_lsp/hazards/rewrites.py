"""Say how a statement should be written, for the hazards that depend on the statement."""

from __future__ import annotations

import ast
from collections.abc import Callable

from inplace_lsp.hazards.finding import Finding
from inplace_lsp.hazards.written import is_update
from inplace_lsp.torch_ops.table import is_factory

Rewrite = Callable[[Finding, ast.stmt], str]
"""Returns what to do with the statement of a finding, without a full stop; "" if the statement does not tell."""
_OPERATORS = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**", ast.MatMult: "@", ast.FloorDiv: "//",
    ast.Mod: "%", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^",
}  # fmt: skip
_WITHOUT_NEW = frozenset({"zero_", "fill_", "copy_", "normal_", "uniform_", "set_", "resize_", "bernoulli_"})
"""Methods that have no sibling out of place, or not under the name without `_`."""


def write_out_of_place(_finding: Finding, statement: ast.stmt) -> str:
    """Return the statement as one that makes a new tensor."""
    if isinstance(statement, ast.AugAssign):
        return _rewrite_operator(statement)
    if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Subscript):
        return _copy_first(statement.targets[0])
    value = statement.value if isinstance(statement, (ast.Expr, ast.Assign, ast.Return)) else None
    return _rewrite_call(value, bound=isinstance(statement, ast.Expr)) if isinstance(value, ast.Call) else ""


def detach_out_of_place(statement: ast.stmt) -> str:
    """Return a statement that calls `detach_` as one that binds what `detach` returns."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    owner = call.func.value if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) else None
    if isinstance(call, ast.Call) and isinstance(owner, (ast.Name, ast.Attribute)):
        return _rewrite_call(call, bound=True)
    return "use `detach()`, which returns another tensor"


def update_without_grad(finding: Finding, statement: ast.stmt) -> str:
    """Return the statement under `no_grad` if it updates a parameter, else as one that makes a new tensor."""
    if is_update(finding):
        return "put it under `with torch.no_grad():`"
    return write_out_of_place(finding, statement)


def assign_result(finding: Finding, statement: ast.stmt) -> str:
    """Return a call with `out=` as an assignment of its result; that of a factory, which torch refuses for a leaf, as a
    copy to the leaf."""
    call = statement.value if isinstance(statement, (ast.Expr, ast.Assign)) else None
    if not isinstance(call, ast.Call):
        return ""
    out = next((keyword.value for keyword in call.keywords if keyword.arg == "out"), None)
    if out is None:
        return ""
    rest = ast.Call(call.func, call.args, [keyword for keyword in call.keywords if keyword.arg != "out"])
    if is_factory(finding.op):
        return f"copy it under `with torch.no_grad():`: `{ast.unparse(out)}.copy_({ast.unparse(rest)})`"
    return f"write out of place: `{ast.unparse(out)} = {ast.unparse(rest)}`"


def _rewrite_operator(statement: ast.AugAssign) -> str:
    target, sign = statement.target, _OPERATORS.get(type(statement.op))
    if isinstance(target, ast.Subscript):
        return _copy_first(target)
    if sign is None:
        return ""
    name = ast.unparse(target)
    whole = ast.unparse(ast.BinOp(ast.parse(name, mode="eval").body, statement.op, statement.value))
    return f"write out of place: `{name} = {whole}`"


def _rewrite_call(call: ast.Call, *, bound: bool) -> str:
    """Rewrite `x.add_(1)` or `f(x, inplace=True)`; `bound`: the result is not used, so the name is bound anew."""
    if any(keyword.arg == "inplace" for keyword in call.keywords):
        return "drop `inplace=True`, and use the result"
    method = call.func
    if not isinstance(method, ast.Attribute) or not method.attr.endswith("_") or method.attr in _WITHOUT_NEW:
        return ""
    if not isinstance(method.value, (ast.Name, ast.Attribute)):
        root = method.value
        return _copy_first(root) if isinstance(root, ast.Subscript) else ""
    new = ast.Call(ast.Attribute(method.value, method.attr[:-1]), call.args, call.keywords)
    name = ast.unparse(method.value)
    return f"write out of place: `{f'{name} = ' if bound else ''}{ast.unparse(new)}`"


def _copy_first(target: ast.Subscript) -> str:
    whole: ast.expr = target
    while isinstance(whole, ast.Subscript):
        whole = whole.value
    name = ast.unparse(whole)
    plain = isinstance(whole, (ast.Name, ast.Attribute))
    return f"write to a copy: `{name} = {name}.clone()` before it" if plain else ""
