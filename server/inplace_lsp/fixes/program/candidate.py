"""A repair that is written but not yet judged, and the edits that repairs are made of."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from itertools import takewhile
from typing import TypeVar

import libcst as cst

from inplace_lsp.fixes.program.codes import is_leaf_write
from inplace_lsp.fixes.program.site import Site, Tree
from inplace_lsp.hazards.edits import insert_at
from inplace_lsp.hazards.finding import Edit, Finding
from inplace_lsp.tape.model import Span

_T = TypeVar("_T")


@dataclass(frozen=True)
class Use:
    """A statement that writes no more after the repair.

    `written` is the expression that afterwards means a new tensor (`y`, `self.h`); None where the written tensor had no
    name. `stale`: what is left with the old values by the repair itself. `gone`: other names for the tensor that
    nobody reads any more.
    """

    tree: Tree
    statement: cst.CSTNode
    written: cst.BaseExpression | None
    stale: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()


class Difference(Enum):
    """The intended difference in training after a repair; the repair's warnings name it."""

    NONE = "nothing differs"
    GRADIENTS = "gradients that were wrong, or missing without an error"
    SHORTER_GRAPHS = "a graph that ended in an error is cut off"
    UNREAD_GRADIENTS = "gradients that no step reads are left out"
    ADDED_LOSSES = "one gradient of the sum for several"
    LOST_LEAF = "a leaf is none any more, whose own gradient nobody reads"
    KEPT_PARAMETER = "the same, for a parameter that was lost behind a value computed once"
    KEPT_GRAPHS = "the same, by a graph that is kept for another walk"
    FEWER_STEPS = "one step sees the gradients of several"
    PASSES = "the same, by a loop that may be seen with another number of passes"
    ELEMENTS = "the same, by a loop that meets elements of an unknown list more or less often"
    RETURNED = "the same, by a value that is returned and was not"


@dataclass(frozen=True)
class Candidate:
    """A proposed repair.

    `message` says what the edits do, `warnings` what they change in any case, `on_purpose` how training then differs.
    """

    message: str
    edits: tuple[Edit, ...]
    uses: tuple[Use, ...] = ()
    warnings: tuple[str, ...] = ()
    on_purpose: Difference = Difference.NONE


def list_each_and_all(items: Iterable[_T]) -> list[tuple[_T, ...]]:
    """Return each item alone, then all of them: what a repair offers for several places."""
    every = tuple(items)
    return list(dict.fromkeys([*((item,) for item in every), every])) if every else []


def rebind_at(site: Site, written: cst.BaseExpression | None) -> tuple[Use, ...]:
    """Return the only use of a repair that changes the statement at the site."""
    return (Use(site.tree, site.statement, written),)


def replace_node(site: Site, node: cst.CSTNode, content: str) -> Edit:
    """Replace `node` by `content`."""
    return Edit(content, site.tree.span_of(node))


def put_before_statement(site: Site, text: str) -> Edit:
    """Insert `text` in front of the statement at the site."""
    start = site.tree.span_of(site.statement)
    return insert_at(start.file, start.row, start.column, text)


def insert_statement_before(site: Site, statement: str) -> Edit:
    """Insert `statement` before the one at the site, on its own line with the same indentation if that one has its
    own."""
    start = site.tree.span_of(site.statement)
    if not site.is_alone:
        return insert_at(start.file, start.row, start.column, f"{statement}; ")
    indent = site.tree.indent_of(start.row, start.column)
    return insert_at(start.file, start.row, start.column, f"{statement}\n{indent}")


def remove_lines(tree: Tree, statement: cst.CSTNode, behind: int = 0) -> Edit:
    """Remove the lines of a statement and some after it; keep what stands above it."""
    span = tree.span_of(statement)
    return Edit("", Span(span.file, span.row, 0, tree.end_of_block(statement)[0] + 1 + behind, 0))


def remove_paragraph(tree: Tree, statement: cst.CSTNode) -> Edit:
    """Remove the lines of a statement, and the blank lines after it if there are some before it too."""
    return remove_lines(tree, statement, behind=_count_blank_lines(tree, statement))


def _count_blank_lines(tree: Tree, statement: cst.CSTNode) -> int:
    first = tree.first_row
    row, end = tree.span_of(statement).row - first + 1, tree.end_of_block(statement)[0] - first + 1
    lines = tree.wrapper.module.code.split("\n")
    behind = list(takewhile(lambda line: not line.strip(), lines[end:]))
    return len(behind) if row > 1 and not lines[row - 2].strip() and end + len(behind) < len(lines) else 0


def is_plain_name(node: cst.BaseExpression) -> bool:
    """Return whether `node` can be rebound: a name or a dotted name, except attributes that swap memory (`x.data`)."""
    while isinstance(node, cst.Attribute):
        if node.attr.value in {"data", "grad"}:
            return False
        node = node.value
    return isinstance(node, cst.Name)


def is_number(node: cst.BaseExpression) -> bool:
    """Return whether `node` is spelled as a number: a literal, `float("inf")`, `math.inf`."""
    if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, (cst.Minus, cst.Plus)):
        return is_number(node.expression)
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Name) and node.func.value in {"float", "int"}:
        return len(node.args) == 1 and isinstance(node.args[0].value, cst.SimpleString)
    if isinstance(node, cst.Attribute):
        return node.attr.value in {"inf", "nan", "pi", "e"} and isinstance(node.value, cst.Name)
    return isinstance(node, (cst.Integer, cst.Float))


def is_torch(tree: Tree, node: cst.BaseExpression) -> bool:
    """Return whether a dotted name is torch or one of its modules, by the usual import names."""
    return tree.code_of(node) in {"torch", "th", "F", "functional", "nn.functional", "torch.nn.functional"}


def shorten_to_line(content: str) -> str:
    """Return `content` on one line, short enough for a menu."""
    line = " ".join(content.split())
    return line if len(line) <= 60 else line[:57] + "..."


def warn_about_leaf(finding: Finding, name: str) -> tuple[str, ...]:
    """Return a warning for a repair after which the name of a leaf means the result of an op."""
    if not is_leaf_write(finding):
        return ()
    return (f"`{name}` then is no leaf any more: gradients stay with the tensor that it was",)
