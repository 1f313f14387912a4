"""The schema of `[tool.inplace-lsp]` allows what the program allows."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from inplace_lsp import config
from inplace_lsp.config import Config, ConfigError, tomllib
from tools.pages.config_schema import FILE, as_text, build_schema

VALIDATOR = jsonschema.Draft7Validator(build_schema())
TABLES = [
    'select = ["IP1", "ip205", "ALL", "all", " IP101 ", "I"]',
    'ignore = ["IP103"]\nexclude = ["generated/", "*_pb2.py"]',
    "select = []\nmodels = []",
    'torch = "2.6"',
    'torch = ""',
    'torch = "2.6.0.1"',
    'torch = "new"',
    'torch = "2"',
    "torch = 2.6",
    '[per-file-ignores]\n"tests/**" = ["IP2"]',
    '[severity]\nIP301 = "warning"\nip1 = "hint"\nALL = "information"',
    '[severity]\nIP8 = "warning"',
    '[severity]\nIP301 = "fatal"',
    'severity = "warning"',
    "fix = true\nunsafe-fixes = false\nsuggest = true",
    'fix = "yes"',
    'output-format = "concise"\nbaseline = "known.json"',
    "output-format = 1",
    "baseline = []",
    'select = "IP1"',
    'select = ["IP8"]',
    'select = ["IP1011"]',
    'select = [""]',
    "select = [1]",
    "exclude = [1]",
    'selekt = ["IP1"]',
    'root = "."',
    'per-file-ignores = ["IP1"]',
    '[per-file-ignores]\n"tests/**" = "IP2"',
    '[per-file-ignores]\n"tests/**" = ["nothing"]',
]


def test_the_file_is_what_the_code_says():
    """If not: python -m tools.pages.config_schema."""
    assert FILE.read_text(encoding="utf-8") == as_text()
    jsonschema.Draft7Validator.check_schema(build_schema())


def test_every_key_is_in_it():
    assert set(build_schema()["properties"]) == {field.name.replace("_", "-") for field in fields(Config)} - {"root"}


@pytest.mark.parametrize("table", TABLES)
def test_both_judge_alike(table: str, tmp_path: Path):
    def allowed(judge: Any) -> bool:
        try:
            judge()
        except (ConfigError, jsonschema.ValidationError):
            return False
        return True

    body = re.sub(r"^\[(?=[a-z])", "[tool.inplace-lsp.", table, flags=re.MULTILINE)
    text = f"[tool.inplace-lsp]\n{body}\n"
    by_program = allowed(lambda: config.parse_config(text, tmp_path / "pyproject.toml"))
    assert allowed(lambda: VALIDATOR.validate(tomllib.loads(text)["tool"]["inplace-lsp"])) == by_program
