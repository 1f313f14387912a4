"""Sentences as the code has them, for errors that only a full disk, another user's files or a lost process cause."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib.resources import files

SHORTEST = 12
"""Pieces of text shorter than this are the glue between others."""
_MODULES = ("config.py", "disk.py", "files/read.py", "files/walk.py", "verify/target.py", "verify/options.py")


def templates_not_in(page: str) -> Iterator[str]:
    """Yield the command line's sentences that `page` does not show, with "…" for their values."""
    package = files("inplace_lsp")
    commands = sorted(f"cli/{path.name}" for path in (package / "cli").iterdir() if path.name.endswith(".py"))
    for name in (*_MODULES, *commands):
        for text in sentences_in((package / name).read_text(encoding="utf-8")):
            if any(is_prose(piece) and as_cell(piece) not in page for piece in text):
                yield " ".join("…".join(text).split())


def sentences_in(source: str) -> Iterator[list[str]]:
    """Yield the texts in the functions of a module, split at values, without docstrings."""
    for function in ast.walk(ast.parse(source)):
        if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
            body = function.body[1:] if ast.get_docstring(function) is not None else function.body
            for statement in body:
                yield from _texts_in(statement)


def _texts_in(node: ast.AST) -> Iterator[list[str]]:
    if isinstance(node, ast.JoinedStr):
        pieces = [""]
        for value in node.values:
            if isinstance(value, ast.Constant):
                pieces[-1] += str(value.value)
            else:
                pieces.append("")
        yield pieces
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield [node.value]
        return
    for child in ast.iter_child_nodes(node):
        if not (isinstance(node, ast.JoinedStr) and isinstance(child, ast.Constant)):
            yield from _texts_in(child)


def is_prose(piece: str) -> bool:
    """Return whether a piece of text is part of a sentence."""
    text = piece.strip()
    return len(text) >= SHORTEST and " " in text


def as_cell(piece: str) -> str:
    """Return a piece of text as it stands in a table."""
    return " ".join(piece.replace("|", "\\|").split())
