"""Locate a finding in the syntax: the small statement that writes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cache, lru_cache
from typing import NamedTuple

import libcst as cst
from libcst.metadata import CodeRange, MetadataWrapper, PositionProvider

from inplace_lsp.fixes.program.torch_name import TorchName, find_torch_name
from inplace_lsp.source.depth import is_nested_too_deeply
from inplace_lsp.source.split import split_chunks
from inplace_lsp.source.units import normalise_text
from inplace_lsp.tape.model import Span

_DEFINITION = re.compile(r"\s*(?:@|(?:async\s+)?def\b|class\b)")


_ENDS = (cst.SimpleStatementLine, cst.SimpleStatementSuite)


@dataclass(frozen=True)
class Tree:
    """The syntax tree around a place. `first_row` is the row of its first line in the file."""

    file: str
    first_row: int
    wrapper: MetadataWrapper

    def span_of(self, node: cst.CSTNode) -> Span:
        """Return the span of `node` in the file, without the white space around it."""
        at = self._positions()[node]
        shift = self.first_row - 1
        return Span(self.file, at.start.line + shift, at.start.column, at.end.line + shift, at.end.column)

    def parent_of(self, node: cst.CSTNode) -> cst.CSTNode | None:
        """Return the parent of `node`."""
        return _parents(self.wrapper).get(node)

    def parents_of(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        """Yield the ancestors of `node`, innermost first."""
        around = self.parent_of(node)
        while around is not None:
            yield around
            around = self.parent_of(around)

    def code_of(self, node: cst.CSTNode) -> str:
        """Return the source text of `node` as written."""
        if isinstance(node, cst.Name) and not node.lpar:  # most of those that are asked for
            return node.value
        text: str = self.wrapper.module.code_for_node(node)
        return self._written_text(node) or text if "\n" in text and isinstance(node, cst.BaseExpression) else text

    def _written_text(self, node: cst.BaseExpression) -> str:
        """Return the text of an expression as the file has it, its rows with the indentation of the block: libcst
        leaves that out; "" for a node that is not in the file."""
        if node not in self._positions():
            return ""
        start = self.span_of(node.lpar[0] if node.lpar else node)
        end_row, end_column = self.end_with_parentheses(node)
        first = start.row - self.first_row
        rows = self.wrapper.module.code.split("\n")[first : end_row - self.first_row + 1]
        rows[-1] = rows[-1][:end_column]
        rows[0] = rows[0][start.column :]
        return "\n".join(rows)

    def statement_text(self, statement: cst.CSTNode) -> str:
        """Return the source text of a statement and its trailing comment, without what stands above it."""
        above = isinstance(statement, (cst.SimpleStatementLine, cst.BaseCompoundStatement))
        return self.code_of(statement.with_changes(leading_lines=()) if above else statement).strip()

    def indent_of(self, row: int, column: int) -> str:
        """Return the white space before `column` in `row` of the file."""
        return self.wrapper.module.code.split("\n")[row - self.first_row][:column]

    def indentation_of(self, row: int) -> str:
        """Return the white space at the start of `row` of the file."""
        line = self.wrapper.module.code.split("\n")[row - self.first_row]
        return line[: len(line) - len(line.lstrip())]

    def nodes_around(self, place: Span) -> list[cst.CSTNode]:
        """Return every node that contains the start of `place`, outermost first."""
        point = (place.row - self.first_row + 1, place.column)
        known = _answers_about_points(self.wrapper)
        if point not in known:
            found = [placed for placed in _placed_nodes(self.wrapper) if placed.start <= point < placed.end]
            known[point] = [placed.node for placed in sorted(found, key=lambda placed: placed.depth)]
        return list(known[point])

    def all_nodes(self) -> list[cst.CSTNode]:
        """Return every node of the tree."""
        return list(self._positions())

    def nodes_within(self, place: Span) -> list[cst.CSTNode]:
        """Return every node inside `place`."""
        shift = self.first_row - 1
        start, end = (place.row - shift, place.column), (place.end_row - shift, place.end_column)
        return [placed.node for placed in _placed_nodes(self.wrapper) if start <= placed.start and placed.end <= end]

    def calls_in(self, node: cst.CSTNode) -> list[cst.Call]:
        """Return the calls in `node`, itself included."""
        return [inner for inner in self.nodes_within(self.span_of(node)) if isinstance(inner, cst.Call)]

    def end_of_block(self, node: cst.CSTNode) -> tuple[int, int]:
        """Return where the last row of a block ends, with the comments on that row."""
        row = max(
            self.span_of(inner).end_row for inner in self.nodes_within(self.span_of(node)) if isinstance(inner, _ENDS)
        )
        lines = self.wrapper.module.code.split("\n")
        return row, len(lines[row - self.first_row].rstrip("\r"))

    def end_with_parentheses(self, node: cst.BaseExpression) -> tuple[int, int]:
        """Return where an expression ends, behind the parentheses around it: its span is without them."""
        span = self.span_of(node.rpar[-1] if node.rpar else node)
        return span.end_row, span.end_column

    def function_of(self, node: cst.CSTNode) -> cst.FunctionDef | cst.Lambda | None:
        """Return the innermost function that `node` belongs to."""
        around = (ancestor for ancestor in self.parents_of(node) if isinstance(ancestor, (cst.FunctionDef, cst.Lambda)))
        return next(around, None)

    def scope_of(self, node: cst.CSTNode) -> cst.CSTNode:
        """Return the scope of the variables of `node`: the body of the innermost function, else the module."""
        function = self.function_of(node)
        return function.body if function is not None else self.wrapper.module

    def _positions(self) -> Mapping[cst.CSTNode, CodeRange]:
        return self.wrapper.resolve(PositionProvider)


class _PlacedNode(NamedTuple):
    """A node, its position in the parsed text, and its depth in the tree."""

    start: tuple[int, int]
    end: tuple[int, int]
    depth: int
    node: cst.CSTNode


@lru_cache(maxsize=2)
def _placed_nodes(wrapper: MetadataWrapper) -> list[_PlacedNode]:
    """Return the position of every node, computed once: each question about a place reads all of them."""
    around = _parents(wrapper)
    depths: dict[cst.CSTNode, int] = {}

    def depth(node: cst.CSTNode) -> int:
        known = depths.get(node)
        if known is None:
            parent = around.get(node)
            known = depths[node] = depth(parent) + 1 if parent is not None else 0
        return known

    return [
        _PlacedNode((at.start.line, at.start.column), (at.end.line, at.end.column), depth(node), node)
        for node, at in wrapper.resolve(PositionProvider).items()
    ]


@lru_cache(maxsize=2)
def _parents(wrapper: MetadataWrapper) -> dict[cst.CSTNode, cst.CSTNode]:
    """Return the parent of every node but the module, as libcst's `ParentNodeProvider` does in ten times the time."""
    parents: dict[cst.CSTNode, cst.CSTNode] = {}
    waiting: list[cst.CSTNode] = [wrapper.module]
    while waiting:
        node = waiting.pop()
        for name in _field_names(type(node)):
            held = getattr(node, name)
            for child in held if isinstance(held, (tuple, list)) else (held,):
                if isinstance(child, cst.CSTNode):
                    parents[child] = node
                    waiting.append(child)
    return parents


@cache
def _field_names(kind: type[cst.CSTNode]) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


@lru_cache(maxsize=2)
def _answers_about_points(wrapper: MetadataWrapper) -> dict[tuple[int, int], list[cst.CSTNode]]:
    """Return what `nodes_around` has found so far: the repairs of a finding ask about the same few places."""
    return {}


@dataclass(frozen=True)
class Site:
    """The small statement at a finding, the statements on the same line (a line of its own, or what follows the colon
    of `if c: x += 1`), and the name of torch there."""

    tree: Tree
    statement: cst.BaseSmallStatement
    line: cst.SimpleStatementLine | cst.SimpleStatementSuite
    torch: TorchName | None

    @property
    def is_alone(self) -> bool:
        """True if the statement has a line to itself."""
        return isinstance(self.line, cst.SimpleStatementLine) and len(self.line.body) == 1


def tree_at(text: str, place: Span) -> Tree | None:
    """Parse the text that matters at the start of `place`: its function or class, else the whole module.

    Return None if it does not parse. If another part of a module does not parse, parse the one statement.
    """
    text = normalise_text(text)
    chunks = [chunk for chunk in split_chunks(text) if chunk.row <= place.row]
    if not chunks:
        return None
    if not _DEFINITION.match(chunks[-1].text):
        whole = _parse_module(text)
        if whole is not None:
            return Tree(place.file, 1, whole)
    part = _parse_module(chunks[-1].text)
    return Tree(place.file, chunks[-1].row, part) if part is not None else None


def whole_tree(text: str, file: str) -> Tree | None:
    """Return the syntax of the whole module; None if it does not parse."""
    whole = _parse_module(normalise_text(text))
    return Tree(file, 1, whole) if whole is not None else None


@lru_cache(maxsize=2)  # a tree is some hundred times as large as its text
def _parse_module(text: str) -> MetadataWrapper | None:
    if is_nested_too_deeply(text):
        return None
    try:
        return MetadataWrapper(cst.parse_module(text), unsafe_skip_copy=True)
    except (cst.ParserSyntaxError, RecursionError):
        return None


def site_at(text: str, place: Span) -> Site | None:
    """Return the small statement at `place`; None where there is none (the head of a loop, text that does not
    parse)."""
    tree = tree_at(text, place)
    if tree is None:
        return None
    covering = tree.nodes_around(place)
    statements = [node for node in covering if isinstance(node, cst.BaseSmallStatement)]
    lines = [node for node in covering if isinstance(node, (cst.SimpleStatementLine, cst.SimpleStatementSuite))]
    if not statements or not lines:
        return None
    return Site(tree, statements[-1], lines[-1], find_torch_name(text, place.file))


def start_of_function(text: str, place: Span) -> tuple[int, int] | None:
    """Return the position where the function around a place begins."""
    tree = tree_at(text, place)
    nodes = tree.nodes_around(place) if tree else []
    functions = [node for node in nodes if isinstance(node, cst.FunctionDef)]
    if tree is None or not functions:
        return None
    span = tree.span_of(functions[-1])
    return span.row, span.column


def last_name(node: cst.BaseExpression) -> str:
    """Return `b` of `a.b` and of `b`; "" of another expression."""
    name = node.attr if isinstance(node, cst.Attribute) else node
    return name.value if isinstance(name, cst.Name) else ""


def callee_name(value: cst.BaseExpression) -> str:
    """Return `b` of the calls `a.b(...)` and `b(...)`; "" of another expression."""
    return last_name(value.func) if isinstance(value, cst.Call) else ""
