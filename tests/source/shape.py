"""IR as nested tuples that compare by value."""

from __future__ import annotations

import sysconfig
from collections.abc import Iterator
from pathlib import Path

from inplace_lsp.source import ir
from inplace_lsp.source.units import Source, read_source

LOOSE = (ir.Sequence, ir.Comprehension, ir.BoolOp, ir.If, ir.For, ir.While, ir.With, ir.Try, ir.Match)
"""Where the two parsers differ about parentheses around a node, or blank lines at its end."""


def shape(node: object, rows: int = 0, *, places: bool = True) -> object:
    """`node` by value, `rows` further down. Without places, or with those on which the two parsers agree."""
    if isinstance(node, tuple):
        return tuple(shape(part, rows, places=places) for part in node)
    if isinstance(node, ir.Const):
        return ("Const", repr(node.value), _place(node, rows, places))
    if isinstance(node, ir.Joined):
        return ("Joined", shape(node.values, rows, places=False), _place(node, rows, places))
    if not hasattr(node, "__slots__"):
        return node
    fields = (name for name in node.__slots__ if name != "place")
    parts = [(name, shape(getattr(node, name), rows, places=places)) for name in fields]
    return (type(node).__name__, _place(node, rows, places and not isinstance(node, LOOSE)), *map(_ordered, parts))


def _ordered(part: tuple[str, object]) -> tuple[str, object]:
    """Arguments by kind: libcst has them as written, Python the keywords last."""
    name, value = part
    if name != "arguments" or not isinstance(value, tuple):
        return part
    return name, tuple(sorted(value, key=lambda field: field[3] != ("name", None) or field[4] == ("star", 2)))


def _place(node: object, rows: int, wanted: bool) -> ir.Place | None:
    place = getattr(node, "place", None)
    return (place[0] + rows, place[1], place[2] + rows, place[3]) if place and wanted else None


def of_source(source: Source) -> tuple[object, ...]:
    """All statements of a file with rows of the file."""
    return tuple(statement for unit in source.units for statement in shape(unit.statements, unit.row - 1))  # type: ignore[attr-defined]


def nodes(*parts: object) -> Iterator[object]:
    """Every IR node below `parts`, themselves included."""
    stack = list(parts)
    while stack:
        node = stack.pop()
        if isinstance(node, tuple):
            stack.extend(node)
        elif hasattr(node, "__slots__"):
            yield node
            stack.extend(getattr(node, name) for name in node.__slots__ if name != "place")


def places(source: Source) -> Iterator[ir.Place]:
    """The place of every node of a file, with rows of the file."""
    for unit in source.units:
        for node in nodes(unit.statements):
            place = _place(node, unit.row - 1, True)
            if place is not None:
                yield place


def read_statement(text: str) -> ir.Statement:
    """Return the only statement of `text`."""
    source = read_source(text)
    assert source.broken == ()
    (found,) = [statement for unit in source.units for statement in unit.statements]
    return found


def samples() -> list[Path]:
    """Real files: of the standard library, and of torch where it is installed."""
    library = Path(sysconfig.get_path("stdlib"))
    names = "argparse ast dataclasses typing tokenize enum inspect functools json/decoder asyncio/tasks"
    found = [library / f"{name}.py" for name in names.split()]
    torch = Path(sysconfig.get_path("purelib")) / "torch" / "nn"
    found += [torch / "functional.py", *sorted(torch.glob("modules/*.py"))[::4]]
    return [path for path in found if path.exists()]
