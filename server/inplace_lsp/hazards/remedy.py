"""Say what to do about a finding, and which option does it, by its tape and its statement alone.

Edits cost analyses of their own; this costs next to nothing, so every finding has it. What a repair is called safe for
is read off the tape: who else holds the memory. tests/fixes/test_remedies.py holds it against the repairs themselves.
"""

from __future__ import annotations

import ast
import textwrap
from dataclasses import replace
from typing import Literal

from inplace_lsp.hazards.finding import OFFER, Finding, Sources
from inplace_lsp.hazards.hazard import Hazard
from inplace_lsp.hazards.registry import find_hazard
from inplace_lsp.tape.model import Create, Reject, Span, View, Write

Fixable = Literal["safe", "unsafe"]
DONE_BY = {"safe": "`--fix` repairs it", "unsafe": "`--fix --unsafe-fixes` repairs it"}
"""The option that makes a repair of each kind."""
_CUT = frozenset({"IP201", "IP202"})
"""Writes to leaves: what is meant is an update, or another tensor."""
_OUT_OF_PLACE = frozenset({"IP101", "IP203", "IP205", "IP301"})
"""Codes of writes that a new tensor mends."""
_OPERATORS = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**", ast.MatMult: "@", ast.FloorDiv: "//",
    ast.Mod: "%", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^",
}  # fmt: skip
_FILLS = frozenset({"zero_", "fill_", "copy_", "normal_", "uniform_", "clamp_"})
"""Writes of values that have no gradient of their own, as a rule."""
_WITHOUT_NEW = frozenset({"zero_", "fill_", "copy_", "normal_", "uniform_", "set_", "resize_", "detach_", "bernoulli_"})
"""Methods that have no sibling out of place, or not under the name without `_`."""


def describe_remedy(finding: Finding, sources: Sources) -> str:
    """Return what to do in a sentence without its full stop; "" for what is no hazard."""
    hazard = find_hazard(finding.code)
    if hazard is None:
        return ""
    statement = _read_statement(finding.span, sources)
    if statement is not None and (said := _rewrite(finding, statement)):
        return said
    return _describe_usual_way(hazard)


def describe_own_remedy(finding: Finding, sources: Sources) -> str:
    """Return what to do at this statement, as `describe_remedy`; "" where it is what is always done about the code."""
    hazard, said = find_hazard(finding.code), describe_remedy(finding, sources)
    return "" if hazard is None or said == _describe_usual_way(hazard) else said


def _describe_usual_way(hazard: Hazard) -> str:
    """Return the first thing that the page of the hazard says to do instead."""
    first = " ".join(hazard.instead.split()).split(". ")[0].rstrip(".")
    return first[0].lower() + first[1:]


def _read_statement(span: Span, sources: Sources) -> ast.stmt | None:
    """Return the syntax of the statement at a place; None if it is not at hand, or only the head of a block."""
    try:
        lines = sources[span.file][span.row - 1 : span.end_row]
    except KeyError:
        return None
    if not lines:
        return None
    if len(lines) == 1:
        lines = [lines[0][: span.end_column]]
    first = " " * span.column + lines[0][span.column :]
    text = textwrap.dedent("\n".join([first, *lines[1:]]))
    try:
        body = ast.parse(text).body
        return _KeptNumbers(text).visit(body[0]) if len(body) == 1 else None
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


class _KeptNumbers(ast.NodeTransformer):
    """Writes each number as the program does: `ast.unparse` makes `1e-06` of `1e-6`."""

    def __init__(self, text: str) -> None:
        self._text = text

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        spelling = ast.get_source_segment(self._text, node)
        is_number = type(node.value) in (int, float, complex)
        return ast.Name(spelling) if is_number and spelling is not None else node


def _rewrite(finding: Finding, statement: ast.stmt) -> str:
    """Return the statement as it should be, "" if a statement does not tell."""
    if finding.code in _CUT and is_update(finding):
        return "put it under `with torch.no_grad():`"
    if finding.code == "IP207":
        return _without_out(statement)
    if finding.code not in {*_OUT_OF_PLACE, *_CUT}:
        return ""
    if isinstance(statement, ast.AugAssign):
        return _rewrite_operator(statement)
    if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Subscript):
        return _copy_first(statement.targets[0])
    value = statement.value if isinstance(statement, (ast.Expr, ast.Assign, ast.Return)) else None
    return _rewrite_call(value, bound=isinstance(statement, ast.Expr)) if isinstance(value, ast.Call) else ""


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


def _without_out(statement: ast.stmt) -> str:
    call = statement.value if isinstance(statement, (ast.Expr, ast.Assign)) else None
    if not isinstance(call, ast.Call):
        return ""
    out = next((keyword.value for keyword in call.keywords if keyword.arg == "out"), None)
    if out is None:
        return ""
    rest = ast.Call(call.func, call.args, [keyword for keyword in call.keywords if keyword.arg != "out"])
    return f"write out of place: `{ast.unparse(out)} = {ast.unparse(rest)}`"


def is_update(finding: Finding) -> bool:
    """Return whether the leaf that is written is a parameter, or has a gradient: the write is an update of it."""
    written = _find_writes(finding)
    roots = {id for write in written for id in (write.tensor.id, write.tensor.base)}
    return any(
        isinstance(event, Create | View)
        and event.tensor.id in roots
        and (event.op == "Parameter" or "." in event.tensor.name)
        for event in finding.story
    )


def _find_writes(finding: Finding) -> list[Write | Reject]:
    return [event for event in finding.story if isinstance(event, Write | Reject) and event.span == finding.span]


def advise(finding: Finding, sources: Sources, *, told: bool = False) -> Finding:
    """Return the finding with what to do about it. `told`: its repair was looked for, and is there if there is one."""
    if finding.code == OFFER:  # it says itself what may be done, and `--fix` does not do it
        return finding
    said = describe_remedy(finding, sources)
    if finding.fix is not None:
        kind = None if finding.fix.applicability == "display" else finding.fix.applicability
        return replace(finding, advice=said, fixable=kind)
    return replace(finding, advice=said, fixable=None if told else find_fixable(finding))


def describe_help(finding: Finding) -> str:
    """Return what to do, and which option does it; "" for what is no hazard."""
    by_option = f"; {DONE_BY[finding.fixable]}" if finding.advice and finding.fixable is not None else ""
    return f"{finding.advice}{by_option}"


def find_fixable(finding: Finding) -> Fixable | None:
    """Return the kind of repair that can be expected, None if that is not clear."""
    kind = _find_kind(finding)
    return "unsafe" if kind == "safe" and finding.severity == "hint" else kind


def _find_kind(finding: Finding) -> Fixable | None:
    if finding.code in _ALWAYS:
        return _ALWAYS[finding.code]
    writes = _find_writes(finding)
    if finding.code == "IP103":
        return _judge_second_walk(finding)
    if not writes:
        return None
    if finding.code in _CUT:
        return "safe" if writes[0].op in _FILLS else "unsafe"
    return _judge_rebinding(finding, writes[0])


def _judge_second_walk(finding: Finding) -> Fixable | None:
    """Return whether the graph can be kept, since two backwards walk it, or should not be, since a loop comes again."""
    earlier = finding.places_of("backward")
    return "safe" if earlier and earlier[0].row != finding.span.row else "unsafe"


def _judge_rebinding(finding: Finding, write: Write | Reject) -> Fixable | None:
    """Return how safe it is to give the written name a new tensor: who else holds the memory keeps the old values."""
    name = write.tensor.name
    of_graph = isinstance(write, Write) and write.grad_mode
    if not of_graph:
        return None
    if not name:
        return "safe" if isinstance(write, Write) and write.declared is not None else None
    around = isinstance(write, Write) and (write.alias or write.call is not None)
    if around or not name.isidentifier() or _find_others(finding, write):
        return "unsafe"
    return "safe"


def _find_others(finding: Finding, write: Write | Reject) -> set[str]:
    """Return the other names under which the story knows the written memory."""
    states = [state for event in finding.story if (state := getattr(event, "tensor", None)) is not None]
    return {state.name for state in states if state.storage == write.tensor.storage} - {"", write.tensor.name}


_ALWAYS: dict[str, Fixable | None] = {
    "IP102": "unsafe", "IP203": "unsafe", "IP204": "safe", "IP206": "safe", "IP207": None, "IP302": "unsafe",
    "IP303": None, "IP401": None, "IP501": None, "IP901": None, "IP902": None,
}  # fmt: skip
"""What hardly depends on the program: the order of steps is a decision, a mode can be another."""
