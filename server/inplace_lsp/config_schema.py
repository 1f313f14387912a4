"""The JSON schema of `[tool.inplace-lsp]`, for editors that complete and check a pyproject.toml.

`python -m inplace_lsp.config_schema` writes `config.schema.json` anew, which the package ships.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from inplace_lsp.config import OFF_BY_DEFAULT, TABLE, known_codes
from inplace_lsp.explanations import explanation_of

FILE = Path(__file__).with_name("config.schema.json")
URL = "https://inplace-lsp.readthedocs.io/config.schema.json"


def schema() -> dict[str, Any]:
    """The schema. What it allows `config` allows, too, but for folders that do not exist."""
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": URL,
        "title": f"[{TABLE}]",
        "description": "What inplace-lsp reports, in which files, and what is known of libraries.",
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "select": _codes(f"Report only these codes. By default all but {', '.join(sorted(OFF_BY_DEFAULT))}."),
            "ignore": _codes("Do not report these codes; where `select` matches too, the longer beginning decides."),
            "per-file-ignores": {
                "description": "Codes not to report in files that match a pattern as in .gitignore.",
                "type": "object",
                "additionalProperties": _codes("Codes that are not reported in these files."),
            },
            "exclude": _texts("Files and folders that are not checked: patterns as in .gitignore."),
            "models": _texts("Folders of model files, which say what your own libraries do to tensors."),
        },
        "definitions": {"code": _code()},
    }


def _texts(description: str) -> dict[str, Any]:
    return {"description": description, "type": "array", "items": {"type": "string"}}


def _codes(description: str) -> dict[str, Any]:
    return {"description": description, "type": "array", "items": {"$ref": "#/definitions/code"}}


def _code() -> dict[str, Any]:
    """A code with what it is, for completion; or a beginning of one, in any case."""
    named = [{"const": code, "description": _summary(code)} for code in known_codes()]
    beginnings = sorted({code[:length] for code in known_codes() for length in range(1, len(code) + 1)})
    pattern = "|".join(map(_in_any_case, ("ALL", *beginnings)))
    return {"anyOf": [*named, {"type": "string", "pattern": rf"^\s*({pattern})\s*$"}]}


def _summary(code: str) -> str:
    page = explanation_of(code)
    return f"{page.name}: {page.summary}" if page else code


def _in_any_case(text: str) -> str:
    return "".join(f"[{char.upper()}{char.lower()}]" if char.isalpha() else char for char in text)


def as_text() -> str:
    """The schema as the file has it."""
    return json.dumps(schema(), indent=2) + "\n"


if __name__ == "__main__":
    FILE.write_text(as_text(), encoding="utf-8", newline="\n")
