"""Where a finding stands in the syntax: the small statement that does the write."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import libcst as cst
from libcst.metadata import CodeRange, MetadataWrapper, ParentNodeProvider, PositionProvider

from inplace_lsp.fixes.program.torch_name import TorchName, torch_name
from inplace_lsp.source.depth import nested_too_deeply
from inplace_lsp.source.split import split
from inplace_lsp.source.units import normalise
from inplace_lsp.tape.model import Span

_DEFINITION = re.compile(r"\s*(?:@|(?:async\s+)?def\b|class\b)")


_ENDS = (cst.SimpleStatementLine, cst.SimpleStatementSuite)


@dataclass(frozen=True)
class Tree:
    """The syntax around a place. `first_row` is the row of its first line in the file."""

    file: str
    first_row: int
    wrapper: MetadataWrapper

    def span(self, node: cst.CSTNode) -> Span:
        """Where `node` stands in the file, white space round it not included."""
        at = self._positions()[node]
        shift = self.first_row - 1
        return Span(self.file, at.start.line + shift, at.start.column, at.end.line + shift, at.end.column)

    def parent(self, node: cst.CSTNode) -> cst.CSTNode | None:
        """The node that `node` is directly in."""
        found = self.wrapper.resolve(ParentNodeProvider).get(node)
        return found if isinstance(found, cst.CSTNode) else None

    def parents(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        """The nodes around `node`, innermost first."""
        around = self.parent(node)
        while around is not None:
            yield around
            around = self.parent(around)

    def code(self, node: cst.CSTNode) -> str:
        """The source text of `node` as it is written."""
        return self.wrapper.module.code_for_node(node)

    def statement_text(self, statement: cst.CSTNode) -> str:
        """The source text of a statement with the comment behind it; what stands above it is left out."""
        above = isinstance(statement, (cst.SimpleStatementLine, cst.BaseCompoundStatement))
        return self.code(statement.with_changes(leading_lines=()) if above else statement).strip()

    def indent_of(self, row: int, column: int) -> str:
        """The white space in front of what stands at `row` of the file, up to `column`."""
        return self.wrapper.module.code.split("\n")[row - self.first_row][:column]

    def indentation(self, row: int) -> str:
        """The white space that `row` of the file begins with."""
        line = self.wrapper.module.code.split("\n")[row - self.first_row]
        return line[: len(line) - len(line.lstrip())]

    def covering(self, place: Span) -> list[cst.CSTNode]:
        """Every node that the start of `place` lies in, outermost first."""
        point = (place.row - self.first_row + 1, place.column)
        found = [one for one in _places(self.wrapper) if one.start <= point < one.end]
        return [one.node for one in sorted(found, key=lambda one: one.depth)]

    def every(self) -> list[cst.CSTNode]:
        """Every node there is."""
        return list(self._positions())

    def within(self, place: Span) -> list[cst.CSTNode]:
        """Every node that lies in `place`."""
        shift = self.first_row - 1
        start, end = (place.row - shift, place.column), (place.end_row - shift, place.end_column)
        return [one.node for one in _places(self.wrapper) if start <= one.start and one.end <= end]

    def calls_in(self, node: cst.CSTNode) -> list[cst.Call]:
        """The calls in `node`, itself included."""
        return [one for one in self.within(self.span(node)) if isinstance(one, cst.Call)]

    def last_of(self, node: cst.CSTNode) -> tuple[int, int]:
        """Where the last row of a block ends: comments on that row are part of it."""
        row = max(self.span(one).end_row for one in self.within(self.span(node)) if isinstance(one, _ENDS))
        lines = self.wrapper.module.code.split("\n")
        return row, len(lines[row - self.first_row].rstrip("\r"))

    def function_of(self, node: cst.CSTNode) -> cst.FunctionDef | cst.Lambda | None:
        """The innermost function that `node` belongs to."""
        around = (one for one in self.parents(node) if isinstance(one, (cst.FunctionDef, cst.Lambda)))
        return next(around, None)

    def scope_of(self, node: cst.CSTNode) -> cst.CSTNode:
        """What the variables of `node` belong to: the body of the innermost function, else the module."""
        function = self.function_of(node)
        return function.body if function is not None else self.wrapper.module

    def _positions(self) -> Mapping[cst.CSTNode, CodeRange]:
        return self.wrapper.resolve(PositionProvider)


class _Placed(NamedTuple):
    """A node, where it stands in the text that was parsed, and how many nodes are around it."""

    start: tuple[int, int]
    end: tuple[int, int]
    depth: int
    node: cst.CSTNode


@lru_cache(maxsize=2)
def _places(wrapper: MetadataWrapper) -> list[_Placed]:
    """Where every node stands: looked up once, for each question about a place goes through all of them."""
    around = wrapper.resolve(ParentNodeProvider)
    depths: dict[cst.CSTNode, int] = {}

    def depth(node: cst.CSTNode) -> int:
        known = depths.get(node)
        if known is None:
            parent = around.get(node)
            known = depths[node] = depth(parent) + 1 if isinstance(parent, cst.CSTNode) else 0
        return known

    return [
        _Placed((at.start.line, at.start.column), (at.end.line, at.end.column), depth(node), node)
        for node, at in wrapper.resolve(PositionProvider).items()
    ]


@dataclass(frozen=True)
class Site:
    """The small statement at a finding, the statements it stands in one row with (a line of its own, or what follows
    the colon of `if c: x += 1`), and what names torch there."""

    tree: Tree
    statement: cst.BaseSmallStatement
    line: cst.SimpleStatementLine | cst.SimpleStatementSuite
    torch: TorchName | None

    @property
    def is_alone(self) -> bool:
        """Whether the statement has a line for itself."""
        return isinstance(self.line, cst.SimpleStatementLine) and len(self.line.body) == 1


def tree_at(text: str, place: Span) -> Tree | None:
    """Parse what decides about the start of `place`: its function or class, else the whole module.

    None if it does not parse. A module of which only another part does not parse is judged by the one statement.
    """
    text = normalise(text)
    chunks = [chunk for chunk in split(text) if chunk.row <= place.row]
    if not chunks:
        return None
    if not _DEFINITION.match(chunks[-1].text):
        whole = _parse(text)
        if whole is not None:
            return Tree(place.file, 1, whole)
    part = _parse(chunks[-1].text)
    return Tree(place.file, chunks[-1].row, part) if part is not None else None


def whole_tree(text: str, file: str) -> Tree | None:
    """The syntax of the whole module; None if it does not parse."""
    whole = _parse(normalise(text))
    return Tree(file, 1, whole) if whole is not None else None


@lru_cache(maxsize=2)  # a tree is some hundred times as large as its text
def _parse(text: str) -> MetadataWrapper | None:
    if nested_too_deeply(text):
        return None
    try:
        return MetadataWrapper(cst.parse_module(text), unsafe_skip_copy=True)
    except (cst.ParserSyntaxError, RecursionError):
        return None


def site_at(text: str, place: Span) -> Site | None:
    """The small statement at `place`; None where there is none (the head of a loop, text that does not parse)."""
    tree = tree_at(text, place)
    if tree is None:
        return None
    covering = tree.covering(place)
    statements = [node for node in covering if isinstance(node, cst.BaseSmallStatement)]
    lines = [node for node in covering if isinstance(node, (cst.SimpleStatementLine, cst.SimpleStatementSuite))]
    if not statements or not lines:
        return None
    return Site(tree, statements[-1], lines[-1], torch_name(text, place.file))
