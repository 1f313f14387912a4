"""`[tool.inplace-lsp]` of pyproject.toml: which findings are wanted, in which files, and where model files lie."""

from __future__ import annotations

import difflib
import errno
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from pathlib import Path
from typing import Any

from inplace_lsp.disk import read_bytes

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

TABLE = "tool.inplace-lsp"
LARGEST = 256_000
"""Bytes of a pyproject.toml beyond which it is not read."""
OFF_BY_DEFAULT = frozenset({"IP401"})
ALL = "IP"


class ConfigError(Exception):
    """The configuration cannot be used; the message says where, what, and what would be allowed."""


@dataclass(frozen=True, slots=True)
class Config:
    """What the user asked for. Patterns are those of .gitignore, relative to `root` (the folder of pyproject.toml).

    `select` and `ignore` hold codes or their beginnings (`IP1`); None: everything that is on by default. `models` are
    the folders of the project's model files, absolute (docs/models.md).
    """

    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] = ()
    exclude: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    root: Path | None = None

    def wants(self, code: str, filename: str) -> bool:
        """Whether a finding of `code` in `filename` is to be reported."""
        return self.enables(code) and not any(
            _begins(code, ignored) and _matches(pattern, filename, self.root)
            for pattern, ignored in self.per_file_ignores
        )

    def excludes(self, filename: str, *, is_dir: bool = False) -> bool:
        """Whether `filename` is left out of a walk over folders."""
        return any(_matches(pattern, filename + "/" * is_dir, self.root) for pattern in self.exclude)

    def enables(self, code: str) -> bool:
        """Whether a code is reported at all. As in ruff the longest matching beginning decides; between equals,
        `ignore`."""
        selected = (0 if code in OFF_BY_DEFAULT else len(ALL)) if self.select is None else _begins(code, self.select)
        return selected > _begins(code, self.ignore)


DEFAULT = Config()


def for_file(filename: str) -> Config:
    """The configuration of the nearest pyproject.toml at or above `filename` that has our table.

    Raises ConfigError if a pyproject.toml on the way cannot be read or holds values that are not allowed.
    """
    return for_folder(Path(filename).absolute().parent)


@cache
def for_folder(folder: Path) -> Config:
    """As `for_file`, for the files that lie directly in `folder` (absolute)."""
    for parent in (folder, *folder.parents):
        found = _load(parent / "pyproject.toml")
        if found is not None:
            return found
    return DEFAULT


def forget() -> None:
    """Drop what was read so far: a pyproject.toml has changed."""
    for_folder.cache_clear()
    _load.cache_clear()


@cache
def _load(path: Path) -> Config | None:
    try:
        text = read_bytes(path, LARGEST).decode("utf-8-sig")
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return None
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:  # in a folder so deep that no file of it can be named
            return None
        raise ConfigError(f"{path}: cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: cannot be read: {error}") from None
    return parse(text, path)


def parse(text: str, path: Path) -> Config | None:
    """The configuration in the text of the pyproject.toml at `path`; None if it has no table of ours."""
    try:
        tool = tomllib.loads(text).get("tool", {})
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path}: not valid TOML: {error}") from None
    if not isinstance(tool, dict) or "inplace-lsp" not in tool:
        return None
    try:
        return replace(_config(tool["inplace-lsp"], path.parent), root=path.parent)
    except ConfigError as error:
        raise ConfigError(f"{path}: [{TABLE}] {error}") from None


def _config(table: object, root: Path) -> Config:
    if not isinstance(table, dict):
        raise ConfigError("must be a table")
    allowed = [field.name.replace("_", "-") for field in fields(Config) if field.name != "root"]
    for key in table:
        if key not in allowed:
            raise ConfigError(f"unknown key {key!r}{_did_you_mean(key, allowed)} Allowed: {', '.join(allowed)}.")
    return Config(
        select=codes(table["select"], "select") if "select" in table else None,
        ignore=codes(table.get("ignore", []), "ignore"),
        per_file_ignores=_per_file_ignores(table.get("per-file-ignores", {})),
        exclude=tuple(_pattern(item, "exclude") for item in strings(table.get("exclude", []), "exclude")),
        models=folders(table.get("models", []), "models", [root]),
    )


def _per_file_ignores(value: object) -> tuple[tuple[str, tuple[str, ...]], ...]:
    if not isinstance(value, Mapping):
        raise ConfigError(f"per-file-ignores = {value!r}: must be a table from a file pattern to a list of codes.")
    return tuple(
        (_pattern(pattern, "per-file-ignores"), codes(ignored, f"per-file-ignores.{pattern!r}"))
        for pattern, ignored in value.items()
    )


def _pattern(value: str, key: str) -> str:
    try:
        _spec(value)
    except ValueError:
        raise ConfigError(f"{key}: {value!r} is no file pattern; they are written as in .gitignore.") from None
    return value


def strings(value: object, key: str) -> tuple[str, ...]:
    """Check a list of strings. Raises ConfigError."""
    if not isinstance(value, list | tuple) or not all(isinstance(item, str) for item in value):
        raise ConfigError(f"{key} = {value!r}: must be a list of strings.")
    return tuple(value)


def folders(value: object, key: str, roots: Sequence[Path]) -> tuple[str, ...]:
    """Check a list of folders, each absolute or relative to one of `roots`. Raises ConfigError."""
    return tuple(_folder(item, key, roots) for item in strings(value, key))


def _folder(value: str, key: str, roots: Sequence[Path]) -> str:
    found = next((root / value for root in roots if (root / value).is_dir()), None)
    if found is None:
        raise ConfigError(f"{key}: {value!r}: there is no such folder in {' or '.join(map(str, roots)) or 'sight'}.")
    return str(found.absolute())


def codes(value: object, key: str) -> tuple[str, ...]:
    """Check a list of codes or of beginnings of codes; `ALL` stands for every code. Raises ConfigError."""
    return tuple(_code(item.strip(), key) for item in strings(value, key))


def _code(code: str, key: str) -> str:
    known = known_codes()
    upper = ALL if code.upper() == "ALL" else code.upper()
    if upper and any(one.startswith(upper) for one in known):
        return upper
    raise ConfigError(f"{key}: unknown code {code!r}{_did_you_mean(upper, known)} Allowed: ALL, {', '.join(known)}.")


def known_codes() -> tuple[str, ...]:
    """Every code there is, in order."""
    # keeps start-up quick where no code is named
    from inplace_lsp.hazards.finding import NO_HAZARDS  # noqa: PLC0415
    from inplace_lsp.hazards.registry import CODES  # noqa: PLC0415

    return tuple(sorted({*CODES, *NO_HAZARDS}))


def _did_you_mean(word: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(re.sub(r"_", "-", word), list(known), n=1)
    return f"; did you mean {close[0]!r}?" if close else "."


def _begins(code: str, beginnings: Iterable[str]) -> int:
    """The length of the longest of `beginnings` that `code` starts with, 0 if none."""
    return max((len(one) for one in beginnings if code.startswith(one)), default=0)


@cache
def _spec(pattern: str) -> Any:
    from inplace_lsp.patterns import read_patterns  # noqa: PLC0415 - few configurations need it

    return read_patterns([pattern])


def _matches(pattern: str, filename: str, root: Path | None) -> bool:
    path = Path(filename)
    if root is not None:
        try:
            path = path.relative_to(root)
        except ValueError:
            return False
    relative = path.as_posix().lstrip("/") + ("/" if filename.endswith("/") else "")
    return bool(_spec(pattern).match_file(relative))
