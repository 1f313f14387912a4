"""Build the JSON schema of `[tool.inplace-lsp]`, for editors that complete and check a pyproject.toml.

`make pages` writes `config.schema.json`, which the package ships.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import inplace_lsp
from inplace_lsp.config import RELEASE, TABLE, codes_off_by_default, known_codes
from inplace_lsp.explanations import find_explanation
from inplace_lsp.hazards.finding import SEVERITIES

FILE = Path(inplace_lsp.__file__).with_name("config.schema.json")
URL = "https://inplace-lsp.readthedocs.io/config.schema.json"


def build_schema() -> dict[str, Any]:
    """Return the schema. `config` accepts all that it accepts, except folders that do not exist."""
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": URL,
        "title": f"[{TABLE}]",
        "description": "What inplace-lsp reports, and in which files.",
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "select": _code_list_schema(
                f"Report only these codes. By default all but {', '.join(sorted(codes_off_by_default()))}."
            ),
            "ignore": _code_list_schema(
                "Do not report these codes; where `select` matches too, the longer prefix decides."
            ),
            "per-file-ignores": {
                "description": "Codes not to report in files that match a pattern, written as in .gitignore.",
                "type": "object",
                "additionalProperties": _code_list_schema("Codes not to report in these files."),
            },
            "exclude": _string_list_schema("Files and folders not to check: patterns as in .gitignore."),
            "severity": {
                "description": "The severity of the findings of a code; hints stay hints. The longest prefix decides.",
                "type": "object",
                "additionalProperties": {"enum": list(SEVERITIES)},
                "propertyNames": {"$ref": "#/definitions/code"},
            },
            "models": _string_list_schema(
                "Folders of model files, which describe what your own libraries do to tensors."
            ),
            "torch": {
                "description": "The release of torch that the project uses, such as `2.6`. By default the one "
                "installed in its environment.",
                "type": "string",
                "pattern": f"^({RELEASE})?$",
            },
            "python": {
                "description": "The interpreter, or the folder of the environment, in which the project runs, such as "
                "`.venv`: its packages are read, and `verify` and `trace` run it. By default it is looked for.",
                "type": "string",
            },
            "fix": {"description": "`check` makes the safe repairs, as with `--fix`.", "type": "boolean"},
            "unsafe-fixes": {
                "description": "Repairs include those that may change what the program does, as with `--unsafe-fixes`.",
                "type": "boolean",
            },
            "output-format": {
                "description": "How `check` prints findings, as with `--output-format`.",
                "type": "string",
            },
            "baseline": {
                "description": "The file of known findings, which `check` does not report, as with `--baseline`.",
                "type": "string",
            },
            "suggest": {
                "description": "Report also where an op may write in place (IP5), as with `--suggest`.",
                "type": "boolean",
            },
        },
        "definitions": {"code": _code_schema()},
    }


def _string_list_schema(description: str) -> dict[str, Any]:
    return {"description": description, "type": "array", "items": {"type": "string"}}


def _code_list_schema(description: str) -> dict[str, Any]:
    return {"description": description, "type": "array", "items": {"$ref": "#/definitions/code"}}


def _code_schema() -> dict[str, Any]:
    """Return the schema of a code: each with its description, for completion, or any prefix in any case."""
    named = [{"const": code, "description": _code_summary(code)} for code in known_codes()]
    beginnings = sorted({code[:length] for code in known_codes() for length in range(1, len(code) + 1)})
    pattern = "|".join(map(_in_any_case, ("ALL", *beginnings)))
    return {"anyOf": [*named, {"type": "string", "pattern": rf"^\s*({pattern})\s*$"}]}


def _code_summary(code: str) -> str:
    page = find_explanation(code)
    return f"{page.name}: {page.summary}" if page else code


def _in_any_case(text: str) -> str:
    return "".join(f"[{char.upper()}{char.lower()}]" if char.isalpha() else char for char in text)


def as_text() -> str:
    """Return the text of the schema file."""
    return json.dumps(build_schema(), indent=2) + "\n"
