"""What libcst expects of its compiled parser, by the parser in Python that it still ships: a browser has no other.

It reads the syntax of Python 3.8. This becomes `libcst/native.py` in the playground's copy.
"""

from __future__ import annotations

from typing import Any

from libcst._parser.detect_config import detect_config
from libcst._parser.grammar import get_grammar
from libcst._parser.python_parser import PythonCSTParser
from libcst._parser.types.config import PartialParserConfig


def parse_module(source: str, encoding: str | None = None) -> Any:
    """Parse a module. Raises ParserSyntaxError."""
    return _parse(source, "file_input")


def parse_statement(source: str) -> Any:
    """Parse a statement. Raises ParserSyntaxError."""
    return _parse(source, "stmt_input")


def parse_expression(source: str) -> Any:
    """Parse an expression. Raises ParserSyntaxError."""
    return _parse(source, "expression_input")


def _parse(source: str, entry: str) -> Any:
    whole = entry == "file_input"
    found = detect_config(
        source,
        partial=PartialParserConfig(),
        detect_trailing_newline=entry != "expression_input",
        detect_default_newline=whole,
    )
    config: Any = found.config
    grammar = get_grammar(config.version, config.future_imports)
    parser = PythonCSTParser(tokens=found.tokens, config=config, pgen_grammar=grammar, start_nonterminal=entry)
    return parser.parse()
