"""docs/configuration.md, written from the one schema that the program ships (config.schema.json)."""

from __future__ import annotations

from dataclasses import dataclass

from inplace_lsp.config import codes_off_by_default
from inplace_lsp.explanations import list_explanations
from tools.pages.config_schema import build_schema

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
python = ".venv"
output-format = "concise"
baseline = "known.json"

[tool.inplace-lsp.per-file-ignores]
"tests/**" = ["IP2"]

[tool.inplace-lsp.severity]
IP301 = "warning"
```

"""
TAIL = """\
Patterns are relative to the folder of the `pyproject.toml`. A code is `IP101`, a prefix that stands for all codes
that start with it (`IP1`), or `ALL`; upper or lower case. `--select` and `--ignore` replace the configured lists. An
unknown key or code, an environment that does not exist, and a folder that does not exist or holds more than 5,000
files, is an error: one line on stderr (in an editor, one warning) says what is wrong, the files are checked with the
defaults, and the exit status is 2. In that case nothing is changed: `--fix`, `--diff`, `--suppress` and
`--write-baseline` stop with that line.
`inplace-lsp check --show-settings` shows the settings in use.

`fix`, `unsafe-fixes`, `output-format` and `baseline` are options of `inplace-lsp check`. The configuration of the
folder where it is started decides, and the command line overrides it (`--no-fix`, `--no-unsafe-fixes`).
`suggest = true` reports also where an op [may write in place](in-place.md), as `--suggest` does.
`--write-baseline` writes the baseline that is named here.

## The environment

The sources of installed packages are read (parsed, never run), so that a hazard in the way a library is used is found.
They are read from the first of these that there is:

1. the interpreter or folder that `--python` names, or else `python` in the table above;
2. what an editor names: the setting `python`, or the interpreter that is chosen there;
3. the activated virtual environment (`VIRTUAL_ENV`);
4. `.venv`, `venv`, `.pixi/envs/default`, `.conda` or `env` in the folder of a file or the nearest one above, with or
   without a project file; where there is a `uv.lock`, the folder that `UV_PROJECT_ENVIRONMENT` names; where there is a
   `poetry.lock`, the environment that poetry keeps for that folder;
5. the activated environment of conda (`CONDA_PREFIX`);
6. the environment in which this program runs, or that of the `python3` on the PATH if torch is only there.

`.pth` files are followed, as editable installations need it, and the packages of the base where an environment sees
them. `verify`, `trace` and `why` use the same environment. The last line of `inplace-lsp check` says which one it was,
and which imported packages are not installed there: of those, nothing is known but what a [model](models.md) tells.
Sources are enough (`pip install --no-deps`).

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
    off = codes_off_by_default()
    codes = [
        f"| [{each.code}](hazards/{each.code}.md) | {each.name} | {'no' if each.code in off else 'yes'} |"
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
        return "a table: code to severity" if "propertyNames" in told else "a table: pattern to list of codes"
    if told["type"] in ("string", "boolean"):
        return "a string" if told["type"] == "string" else "true or false"
    codes = "$ref" in str(told.get("items"))
    return f"a list of {'codes' if codes else 'strings'}"
