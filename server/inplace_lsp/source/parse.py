"""Parse a piece of text to IR: with Python's own parser, or with libcst for syntax newer than the running Python.

libcst is as exact, but takes ten times as long, and is imported only when needed.
"""

from __future__ import annotations

from inplace_lsp.source import ir
from inplace_lsp.source.depth import is_nested_too_deeply
from inplace_lsp.source.from_ast import lower_text

_TOO_DEEP = "nested too deeply"


class NotParsedError(Exception):
    """The text is not Python (`is_syntax`), or cannot be handled; the message says why. `row` is where the parser
    stopped, 0 if that is not known."""

    def __init__(self, reason: str, *, is_syntax: bool = False, row: int = 0) -> None:
        super().__init__(reason)
        self.is_syntax = is_syntax
        self.row = row


class _SyntaxProblemError(NotParsedError):
    """A syntax error that a newer version of Python may not have."""

    def __init__(self, reason: str, row: int) -> None:
        super().__init__(reason, is_syntax=True, row=row)


def parse_text(text: str) -> tuple[ir.Statement, ...]:
    """Return the statements of `text`. Raises NotParsedError, and nothing else."""
    try:
        return parse_now(text)
    except _SyntaxProblemError as error:
        return _parse_newer(text, error)


def parse_now(text: str) -> tuple[ir.Statement, ...]:
    """Return the statements of `text` in the running version of Python. Raises NotParsedError."""
    try:
        return lower_text(text)
    except SyntaxError as error:
        raise _SyntaxProblemError(f"syntax error: {error.msg}", error.lineno or 0) from None
    except (RecursionError, MemoryError):
        raise NotParsedError(_TOO_DEEP) from None
    except ValueError as error:  # null characters, lone surrogates
        raise NotParsedError(str(error)) from None


def _parse_newer(text: str, problem: _SyntaxProblemError) -> tuple[ir.Statement, ...]:
    try:
        import libcst as cst  # noqa: PLC0415 - a good part of the start of the program

        from inplace_lsp.source.from_cst import lower_module  # noqa: PLC0415
    except ImportError:  # it is native; an editor's copy of the server may have none for this Python
        raise problem from None
    if is_nested_too_deeply(text):
        raise NotParsedError(_TOO_DEEP)
    try:
        return lower_module(cst.parse_module(text))
    except cst.ParserSyntaxError:
        raise problem from None
    except RecursionError:
        raise NotParsedError(_TOO_DEEP) from None
    except Exception as error:  # libcst raises many things on text that is no Python
        reason = f"{problem} ({type(error).__name__})"
        raise NotParsedError(reason, is_syntax=True, row=problem.row) from None
