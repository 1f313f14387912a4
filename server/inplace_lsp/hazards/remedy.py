"""Say what to do about a finding, and which option does it, by its tape and its statement alone.

Edits cost analyses of their own; this costs next to nothing, so every finding has it.
"""

from __future__ import annotations

import ast
import textwrap
from dataclasses import replace

from inplace_lsp.hazards.expected_fixes import Fixable
from inplace_lsp.hazards.finding import OFFER, Finding, Sources
from inplace_lsp.hazards.hazard import Hazard
from inplace_lsp.hazards.registry import find_hazard
from inplace_lsp.tape.model import Span

DONE_BY = {"safe": "`--fix` repairs it", "unsafe": "`--fix --unsafe-fixes` repairs it"}
"""The option that makes a repair of each kind."""


def describe_remedy(finding: Finding, sources: Sources) -> str:
    """Return what to do in a sentence without its full stop; "" for what is no hazard."""
    hazard = find_hazard(finding.code)
    if hazard is None:
        return ""
    statement = _read_statement(finding.span, sources)
    if hazard.rewrite is not None and statement is not None and (said := hazard.rewrite(finding, statement)):
        return said
    return _describe_usual_way(hazard)


def describe_own_remedy(finding: Finding, sources: Sources) -> str:
    """Return what to do at this statement, as `describe_remedy`; "" if it is no more than the usual advice."""
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


def add_advice(finding: Finding, sources: Sources, *, repair_is_known: bool = False) -> Finding:
    """Return the finding with advice. `repair_is_known`: repairs were looked for, and `fix` holds one if there is
    any."""
    if finding.code == OFFER:  # it says itself what may be done, and `--fix` does not do it
        return finding
    said = describe_remedy(finding, sources)
    if finding.fix is not None:
        kind = None if finding.fix.applicability == "display" else finding.fix.applicability
        return replace(finding, advice=said, fixable=kind)
    return replace(finding, advice=said, fixable=None if repair_is_known else find_fixable(finding))


def describe_help(finding: Finding) -> str:
    """Return what to do, and which option does it; "" for what is no hazard."""
    by_option = f"; {DONE_BY[finding.fixable]}" if finding.advice and finding.fixable is not None else ""
    return f"{finding.advice}{by_option}"


def find_fixable(finding: Finding) -> Fixable | None:
    """Return the kind of repair that can be expected, None if that is not clear."""
    hazard = find_hazard(finding.code)
    kind = hazard.expect_fix(finding) if hazard is not None else None
    return "unsafe" if kind == "safe" and finding.severity == "hint" else kind
