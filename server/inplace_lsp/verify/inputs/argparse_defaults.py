"""Find the defaults of a project's command-line options: those that its argparse parsers add."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator

from inplace_lsp.verify.inputs.program import Program

_CONSTANTS = {"store_true": "False", "store_false": "True"}


def argparse_defaults(program: Program) -> dict[str, str]:
    """Return the defaults that a file gives to command-line options, as expressions by the attribute that holds the
    option."""
    found: dict[str, str] = {}
    for node in ast.walk(program.tree):
        match node:
            case ast.Call(func=ast.Attribute(attr="add_argument"), args=given, keywords=keywords):
                named = {keyword.arg: keyword.value for keyword in keywords if keyword.arg is not None}
                name, default = _destination_of(given, named), _default_expression(named)
                if name.isidentifier() and default is not None:
                    found.setdefault(name, default)
    return found


def _destination_of(given: list[ast.expr], named: dict[str, ast.expr]) -> str:
    """Return the attribute that holds the option: `dest`, else its first long flag, else its first name."""
    flags = [*_option_texts([named["dest"]] if "dest" in named else given)]
    chosen = next((flag for flag in flags if flag.startswith("--")), flags[0] if flags else "")
    return chosen.lstrip("-").replace("-", "_")


def _option_texts(nodes: list[ast.expr]) -> Iterator[str]:
    yield from (node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str))


def _default_expression(named: dict[str, ast.expr]) -> str | None:
    """Return the default as an expression; None where only a run of the program tells."""
    action = named.get("action")
    if isinstance(action, ast.Constant) and action.value in _CONSTANTS and "default" not in named:
        return _CONSTANTS[action.value]
    try:
        value = _convert_default(_compute_constant(named["default"]), named.get("type"))
        return None if value is None else _write_constant(value)
    except (KeyError, ValueError, SyntaxError, TypeError, OverflowError, RecursionError, MemoryError):
        return None


def _compute_constant(node: ast.expr) -> object:
    """Return the value of a literal, and of `int(4e6)` or `float(1)`. Raises what `ast.literal_eval` raises, and
    OverflowError for what no whole number is, as `int(1e400)`."""
    match node:
        case ast.Call(func=ast.Name(id="int" | "float" as kind), args=[inner], keywords=[]):
            value = ast.literal_eval(inner)
            return int(value) if kind == "int" else float(value)
    return ast.literal_eval(node)


def _write_constant(value: object) -> str:
    """Return the expression of a constant. Raises ValueError for a number with too many digits."""
    return f"float('{value}')" if isinstance(value, float) and not math.isfinite(value) else repr(value)


def _convert_default(value: object, kind: ast.expr | None) -> object:
    """Return the value as argparse hands it on: it converts a default that is a text."""
    known = {"int": int, "float": float, "str": str}.get(kind.id) if isinstance(kind, ast.Name) else None
    if not isinstance(value, str) or known is None:
        return value
    try:
        return known(value)
    except ValueError:
        return value
