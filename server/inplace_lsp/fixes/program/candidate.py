"""A repair that has been written but not yet judged."""

from __future__ import annotations

from dataclasses import dataclass

import libcst as cst

from inplace_lsp.fixes.program.edits import insertion
from inplace_lsp.fixes.program.site import Site, Tree
from inplace_lsp.hazards.finding import Edit, Finding
from inplace_lsp.tape.model import Span


@dataclass(frozen=True)
class Use:
    """A statement whose write disappears.

    `written` is the expression that afterwards means a new tensor (`y`, `self.h`); None where the written tensor had no
    name. `stale`: what is left with the old values by the repair itself. `gone`: other names for the tensor that
    nobody reads any more.
    """

    tree: Tree
    statement: cst.CSTNode
    written: cst.BaseExpression | None
    stale: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()


@dataclass(frozen=True)
class Candidate:
    """`message` says what the edits do; `warnings` what they change in any case."""

    message: str
    edits: tuple[Edit, ...]
    uses: tuple[Use, ...] = ()
    warnings: tuple[str, ...] = ()


def use(site: Site, written: cst.BaseExpression | None) -> tuple[Use, ...]:
    """The one use of a repair that changes the statement at the site."""
    return (Use(site.tree, site.statement, written),)


def replace_node(site: Site, node: cst.CSTNode, content: str) -> Edit:
    """Write `content` where `node` stands."""
    return Edit(content, site.tree.span(node))


def before_statement(site: Site, text: str) -> Edit:
    """Put `text` in front of the statement at the site."""
    start = site.tree.span(site.statement)
    return insertion(start.file, start.row, start.column, text)


def statement_before(site: Site, statement: str) -> Edit:
    """Put `statement` in front of the one at the site: on a line of its own, equally indented, if that one has one."""
    start = site.tree.span(site.statement)
    if not site.is_alone:
        return insertion(start.file, start.row, start.column, f"{statement}; ")
    indent = site.tree.indent_of(start.row, start.column)
    return insertion(start.file, start.row, start.column, f"{statement}\n{indent}")


def without_lines(tree: Tree, statement: cst.CSTNode, behind: int = 0) -> Edit:
    """Take away the lines of a statement, and some behind it; what stands above it stays."""
    span = tree.span(statement)
    return Edit("", Span(span.file, span.row, 0, tree.last_of(statement)[0] + 1 + behind, 0))


def is_plain(node: cst.BaseExpression) -> bool:
    """Whether `node` can be rebound: a name, or attributes of one, except those that swap memory (`x.data`)."""
    while isinstance(node, cst.Attribute):
        if node.attr.value in {"data", "grad"}:
            return False
        node = node.value
    return isinstance(node, cst.Name)


def is_number(node: cst.BaseExpression) -> bool:
    """Whether `node` is a number by its spelling: a literal, `float("inf")`, `math.inf`."""
    if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, (cst.Minus, cst.Plus)):
        return is_number(node.expression)
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Name) and node.func.value in {"float", "int"}:
        return len(node.args) == 1 and isinstance(node.args[0].value, cst.SimpleString)
    if isinstance(node, cst.Attribute):
        return node.attr.value in {"inf", "nan", "pi", "e"} and isinstance(node.value, cst.Name)
    return isinstance(node, (cst.Integer, cst.Float))


def is_torch(tree: Tree, node: cst.BaseExpression) -> bool:
    """Whether a dotted name is torch itself or one of its modules, by the names that people give them."""
    return tree.code(node) in {"torch", "th", "F", "functional", "nn.functional", "torch.nn.functional"}


def one_line(content: str) -> str:
    """`content` short enough for a menu."""
    line = " ".join(content.split())
    return line if len(line) <= 60 else line[:57] + "..."


def no_leaf(finding: Finding, name: str) -> tuple[str, ...]:
    """The warning for a repair that makes the name of a leaf mean a result."""
    if finding.code not in {"IP201", "IP202"}:
        return ()
    return (f"`{name}` then is no leaf any more: gradients stay with the tensor that it was",)
