"""docs/configuration.md, written from the one schema that the program ships (config.schema.json)."""

from __future__ import annotations

from dataclasses import dataclass

from inplace_lsp.config import OFF_BY_DEFAULT
from inplace_lsp.config_schema import build_schema
from inplace_lsp.explanations import list_explanations

HEAD = """\
# Configuration

`[tool.inplace-lsp]` in the nearest `pyproject.toml` at or above a file that has this table. The command line and all
editors use it.

```toml
[tool.inplace-lsp]
select = ["IP1", "IP2", "IP3"]
ignore = ["IP103"]
exclude = ["generated/", "*_pb2.py"]
models = ["tools/inplace_models"]
torch = "2.6"

[tool.inplace-lsp.per-file-ignores]
"tests/**" = ["IP2"]
```

"""
TAIL = """\
Patterns are relative to the folder of the `pyproject.toml`. A code is `IP101`, a prefix that stands for all codes
that start with it (`IP1`), or `ALL`; upper or lower case. `--select` and `--ignore` replace the configured lists. An
unknown key or code, and a folder that does not exist or holds more than 5,000 files, is an error: one line on stderr
(in an editor, one warning) says what is wrong, the files are checked with the defaults, and the exit status is 2. In
that case nothing is changed: `--fix`, `--diff`, `--suppress` and `--write-baseline` stop with that line.
`inplace-lsp check --show-settings` shows the settings in use.

## Completion in editors

[config.schema.json](../server/inplace_lsp/config.schema.json) is the JSON schema of this table; it is part of the
package (`inplace_lsp/config.schema.json`). It has the form that SchemaStore expects, so that editors that use
SchemaStore for `pyproject.toml` will complete and check the table once it is listed there.

## Codes

"""


@dataclass(frozen=True, slots=True)
class _Key:
    name: str
    kind: str
    words: str


def write_settings() -> str:
    """Return the text of docs/configuration.md."""
    keys = [f"| `{key.name}` | {key.kind} | {key.words} |" for key in _read_keys()]
    codes = [
        f"| [{each.code}](hazards/{each.code}.md) | {each.name} | {'no' if each.code in OFF_BY_DEFAULT else 'yes'} |"
        for each in list_explanations()
    ]
    table = ["| key | value | |", "|---|---|---|", *keys, "", ""]
    return HEAD + "\n".join(table) + TAIL + "\n".join(["| code | name | on by default |", "|---|---|---|", *codes, ""])


def _read_keys() -> list[_Key]:
    properties: dict[str, dict[str, object]] = build_schema()["properties"]
    return [_Key(name, _name_kind(told), str(told["description"])) for name, told in properties.items()]


def _name_kind(told: dict[str, object]) -> str:
    """Return what a value is, in the words of TOML."""
    if told["type"] == "object":
        return "a table: pattern to list of codes"
    if told["type"] == "string":
        return "a string"
    codes = "$ref" in str(told.get("items"))
    return f"a list of {'codes' if codes else 'strings'}"
