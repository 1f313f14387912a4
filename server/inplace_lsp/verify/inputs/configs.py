"""Configurations of the project: what a default names as a file, and the code takes as a dictionary as well."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator

import yaml

from inplace_lsp.verify.inputs.model import Files
from inplace_lsp.verify.inputs.program import Program

ENDINGS = (".yaml", ".yml", ".json")
LONGEST = 100_000
"""Characters of a file that is read."""


def find_shipped_configs(program: Program, files: Files) -> dict[str, str]:
    """Return the configuration files that defaults of the file name, each with what is in it as a Python expression."""
    found = {}
    for name in dict.fromkeys(_named_files(program)):
        text = files.data(name)
        value = _parse_config(name, text) if text is not None and len(text) <= LONGEST else None
        if isinstance(value, dict) and _is_plain_value(value):
            found[name] = repr(value)
    return found


def _named_files(program: Program) -> Iterator[str]:
    for definition in program.definitions.values():
        for default in definition.node.args.defaults:
            if isinstance(default, ast.Constant) and str(default.value).endswith(ENDINGS):
                yield str(default.value)


def _parse_config(name: str, text: str) -> object:
    try:
        return json.loads(text) if name.endswith(".json") else yaml.safe_load(text)
    except (ValueError, RecursionError, yaml.YAMLError):
        return None


def _is_plain_value(value: object) -> bool:
    """Return whether its `repr` is an expression that makes it again."""
    try:
        return bool(ast.literal_eval(repr(value)) == value)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return False
