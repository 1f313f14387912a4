"""Read `[tool.inplace-lsp]` of pyproject.toml: the selected findings, the excluded files, and the model folders."""

from __future__ import annotations

import difflib
import errno
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inplace_lsp.disk import MOST_ENTRIES, cut_path, holds_too_much, read_bytes
from inplace_lsp.environments.find import locate_environment

if TYPE_CHECKING:
    from inplace_lsp.hazards.finding import Severity

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

TABLE = "tool.inplace-lsp"
LARGEST = 256_000
"""Bytes of a pyproject.toml beyond which it is not read."""
OFFERS = "IP5"
"""How the codes of offers begin, which are no findings: what names no family of codes does not ask for them."""
ALL = "IP"


class ConfigError(Exception):
    """The configuration cannot be used; the message says where, why, and what is allowed."""


@dataclass(frozen=True, slots=True)
class Config:
    """The user's configuration. Patterns are those of .gitignore, relative to `root` (the folder of pyproject.toml).

    `select` and `ignore` hold codes or prefixes of codes (`IP1`); None: everything that is on by default. `models` are
    the folders of the project's model files, absolute (docs/models.md). `torch` is the release that the project runs
    with (`2.6`); "": the one that is installed in its environment. `python` is the path of an interpreter or the folder
    of an environment, absolute; "": the environment is to be found. `severity` holds codes or prefixes with the
    severity of their findings. `fix`, `unsafe_fixes`, `output_format` and `baseline` (absolute) are options of `check`,
    for the configuration of the folder where it is started; "" is none. `suggest`: offers are wanted, too.
    """

    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] = ()
    exclude: tuple[str, ...] = ()
    severity: tuple[tuple[str, Severity], ...] = ()
    models: tuple[str, ...] = ()
    torch: str = ""
    python: str = ""
    fix: bool = False
    unsafe_fixes: bool = False
    output_format: str = ""
    baseline: str = ""
    suggest: bool = False
    root: Path | None = None

    def is_wanted(self, code: str, filename: str) -> bool:
        """Return whether to report a finding of `code` in `filename`."""
        return self.is_enabled(code) and not any(
            _longest_prefix(code, ignored) and _is_match(pattern, filename, self.root)
            for pattern, ignored in self.per_file_ignores
        )

    def severity_of(self, code: str, found: Severity) -> Severity:
        """Return the severity of a finding that was `found` to have one. A hint stays a hint: it says why it is no more
        than that. The longest matching prefix decides."""
        if found == "hint" or not self.severity:
            return found
        prefix, wanted = max(self.severity, key=lambda entry: _longest_prefix(code, entry[:1]))
        return wanted if _longest_prefix(code, (prefix,)) else found

    def is_excluded(self, filename: str, *, is_dir: bool = False) -> bool:
        """Return whether `filename` is excluded from walks over folders."""
        return matches_pattern(self.exclude, filename, self.root, is_dir=is_dir)

    def is_enabled(self, code: str) -> bool:
        """Return whether a code is enabled at all. As in ruff, the longest matching prefix decides; `ignore` wins a
        tie."""
        if self.select is None:
            selected = 0 if code in codes_off_by_default() else len(ALL)
        else:
            selected = _longest_prefix(code, self.select)
        if code.startswith(OFFERS):
            selected = max(selected, len(OFFERS)) if self.suggest else selected * (selected > len(ALL))
        return selected > _longest_prefix(code, self.ignore)


DEFAULT = Config()
_BY_FOLDER: dict[Path, Config] = {}
"""What was found for each folder."""


def config_for_file(filename: str) -> Config:
    """Return the configuration of the nearest pyproject.toml at or above `filename` with our table.

    Raises ConfigError if a pyproject.toml on the way cannot be read or has values that are not allowed.
    """
    return config_for_folder(Path(filename).absolute().parent)


def config_for_folder(folder: Path) -> Config:
    """Return the configuration for the files directly in `folder` (absolute), as `config_for_file` does.

    A walk through a tree comes to a folder after those above it, so that one step up is enough, however deep it is.
    """
    nearest = Path(cut_path(str(folder)))
    for parent in chain([nearest], nearest.parents):
        found = _BY_FOLDER.get(parent) or _load_config(parent / "pyproject.toml")
        if found is not None:
            break
    else:
        found = DEFAULT
    _BY_FOLDER[folder] = found
    return found


def usable_config(folder: Path) -> Config:
    """Return the configuration for the files directly in `folder`, the defaults if it cannot be used."""
    try:
        return config_for_folder(folder)
    except ConfigError:
        return DEFAULT


def forget_configs() -> None:
    """Forget the configurations read so far, because a pyproject.toml has changed."""
    _BY_FOLDER.clear()
    _load_config.cache_clear()


@cache
def _load_config(path: Path) -> Config | None:
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
    return parse_config(text, path)


def parse_config(text: str, path: Path) -> Config | None:
    """Parse the configuration in the text of the pyproject.toml at `path`; return None if it has no table of ours.

    Raises ConfigError, whatever is in the text.
    """
    try:
        tool = _read_tool_table(text)
        return None if tool is None else replace(_build_config(tool, path.parent), root=path.parent)
    except ConfigError as error:
        raise ConfigError(f"{path}: {shorten_words(str(error))}") from None
    except Exception as error:  # a bug of ours, or of the parser, costs the configuration only
        raise ConfigError(f"{path}: cannot be read: {shorten_words(f'{type(error).__name__}: {error}')}") from None


def _read_tool_table(text: str) -> object:
    """Return our table in the text of a pyproject.toml; None if there is none."""
    try:
        tool = tomllib.loads(text).get("tool", {})
    except RecursionError:
        raise ConfigError("nested too deeply to be read") from None
    except ValueError as error:  # a number of many digits is valid TOML, and none that Python reads
        raise ConfigError(f"not valid TOML: {error}") from None
    return tool.get("inplace-lsp") if isinstance(tool, dict) else None


def shorten_words(words: str) -> str:
    """Return words that may quote a file with no more than a person would read."""
    return words if len(words) <= _MOST_SAID else f"{words[:_MOST_SAID]} ... ({len(words)} characters)"


_MOST_SAID = 1000


def _build_config(table: object, root: Path) -> Config:
    try:
        return _read_settings(table, root)
    except ConfigError as error:
        raise ConfigError(f"[{TABLE}] {error}") from None


def _read_settings(table: object, root: Path) -> Config:
    if not isinstance(table, dict):
        raise ConfigError("must be a table")
    allowed = [field.name.replace("_", "-") for field in fields(Config) if field.name != "root"]
    for key in table:
        if key not in allowed:
            raise ConfigError(f"unknown key {key!r}{_did_you_mean(key, allowed)} Allowed: {', '.join(allowed)}.")
    return Config(
        select=check_codes(table["select"], "select") if "select" in table else None,
        ignore=check_codes(table.get("ignore", []), "ignore"),
        per_file_ignores=_per_file_ignores(table.get("per-file-ignores", {})),
        exclude=check_patterns(check_strings(table.get("exclude", []), "exclude"), "exclude"),
        severity=_parse_severities(table.get("severity", {})),
        models=check_folders(table.get("models", []), "models", [root]),
        torch=_parse_release(table.get("torch", "")),
        python=check_environment(table.get("python", ""), "python", [root]),
        fix=_check_switch(table.get("fix", False), "fix"),
        unsafe_fixes=_check_switch(table.get("unsafe-fixes", False), "unsafe-fixes"),
        output_format=_check_string(table.get("output-format", ""), "output-format"),
        baseline=_check_file(table.get("baseline", ""), "baseline", root),
        suggest=_check_switch(table.get("suggest", False), "suggest"),
    )


RELEASE = r"\d+\.\d+(\.\d+)*"
"""How a release of torch is written."""


def _parse_release(value: object) -> str:
    if value == "" or (isinstance(value, str) and re.fullmatch(RELEASE, value)):
        return value
    raise ConfigError(f'torch = {value!r}: must be a release of torch, such as "2.6".')


def _per_file_ignores(value: object) -> tuple[tuple[str, tuple[str, ...]], ...]:
    if not isinstance(value, Mapping):
        raise ConfigError(f"per-file-ignores = {value!r}: must be a table from a file pattern to a list of codes.")
    return tuple(
        (_check_pattern(pattern, "per-file-ignores"), check_codes(ignored, f"per-file-ignores.{pattern!r}"))
        for pattern, ignored in value.items()
    )


def _parse_severities(value: object) -> tuple[tuple[str, Severity], ...]:
    if not isinstance(value, Mapping):
        raise ConfigError(f"severity = {value!r}: must be a table from a code to a severity.")
    return tuple((_check_code(code.strip(), "severity"), _check_severity(said, code)) for code, said in value.items())


def _check_severity(value: object, code: str) -> Severity:
    from inplace_lsp.hazards.finding import SEVERITIES  # noqa: PLC0415 - few configurations need it

    for severity in SEVERITIES:
        if severity == value:
            return severity
    raise ConfigError(f"severity.{code} = {value!r}: must be one of {', '.join(SEVERITIES)}.")


def _check_switch(value: object, key: str) -> bool:
    if not isinstance(value, bool):
        raise ConfigError(f"{key} = {value!r}: must be true or false.")
    return value


def _check_string(value: object, key: str) -> str:
    if not isinstance(value, str):
        raise ConfigError(f"{key} = {value!r}: must be a string.")
    return value


def _check_file(value: object, key: str, root: Path) -> str:
    """Return the absolute path of a file, which need not be there yet; "" for none."""
    name = _check_string(value, key)
    return str((root / name).absolute()) if name else ""


def _check_pattern(value: str, key: str) -> str:
    try:
        _path_spec(value)
    except ValueError:
        words = f"{value!r} is not a file pattern; they are written as in .gitignore."
        raise ConfigError(f"{key}: {words}" if key else words) from None
    return value


def check_strings(value: object, key: str) -> tuple[str, ...]:
    """Check a list of strings. Raises ConfigError."""
    if not isinstance(value, list | tuple) or not all(isinstance(item, str) for item in value):
        raise ConfigError(f"{key} = {value!r}: must be a list of strings.")
    return tuple(value)


def check_folders(value: object, key: str, roots: Sequence[Path]) -> tuple[str, ...]:
    """Check a list of folders, each absolute or relative to one of `roots`. Raises ConfigError."""
    return tuple(_check_folder(item, key, roots) for item in check_strings(value, key))


def _check_folder(value: str, key: str, roots: Sequence[Path]) -> str:
    found = next((root / value for root in roots if (root / value).is_dir()), None)
    if found is None:
        raise ConfigError(f"{key}: {value!r}: there is no such folder in {' or '.join(map(str, roots)) or 'sight'}.")
    if holds_too_much(found):
        more = f"more than {MOST_ENTRIES} files"
        raise ConfigError(f"{key}: {value!r} holds {more}: name a folder that holds model files alone.")
    return str(found.absolute())


def check_environment(value: object, key: str, roots: Sequence[Path]) -> str:
    """Check what names an interpreter or environment, absolute, relative to one of `roots` or on the PATH; "" names
    none. Raises ConfigError, whose message starts with the name of the `key`, if any."""
    said = f"{key} = {value!r}" if key else repr(value)
    if not isinstance(value, str):
        raise ConfigError(f"{said}: must be the path of an interpreter or environment.")
    found = locate_environment(value, tuple(map(str, roots))) if value else ""
    if found is None:
        where = "" if Path(value).expanduser().is_absolute() else f" of that name in {' or '.join(map(str, roots))}"
        raise ConfigError(f"{said}: there is no environment{where}: name its folder or its interpreter.")
    return found


def check_codes(value: object, key: str) -> tuple[str, ...]:
    """Check a list of codes or prefixes of codes; `ALL` stands for every code. Raises ConfigError, whose message starts
    with the name of the `key`, if any."""
    return tuple(_check_code(item.strip(), key) for item in check_strings(value, key))


def _check_code(code: str, key: str) -> str:
    known = known_codes()
    upper = ALL if code.upper() == "ALL" else code.upper()
    if upper and any(known_code.startswith(upper) for known_code in known):
        return upper
    words = f"unknown code {code!r}{_did_you_mean(upper, known)} Allowed: ALL, {', '.join(known)}."
    raise ConfigError(f"{key}: {words}" if key else words)


def known_codes() -> tuple[str, ...]:
    """Return every code, in order."""
    # keeps start-up quick where no code is named
    from inplace_lsp.hazards.finding import NO_HAZARDS  # noqa: PLC0415
    from inplace_lsp.hazards.registry import CODES  # noqa: PLC0415

    return tuple(sorted({*CODES, *NO_HAZARDS}))


@cache
def codes_off_by_default() -> frozenset[str]:
    """Return the codes that are only reported if the configuration names them: offers, and hazards that say so."""
    from inplace_lsp.hazards.finding import OFFER  # noqa: PLC0415
    from inplace_lsp.hazards.registry import list_codes  # noqa: PLC0415

    return list_codes(lambda hazard: not hazard.is_on_by_default) | {OFFER}


def _did_you_mean(word: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(re.sub(r"_", "-", word), list(known), n=1)
    return f"; did you mean {close[0]!r}?" if close else "."


def _longest_prefix(code: str, beginnings: Iterable[str]) -> int:
    """Return the length of the longest of `beginnings` that `code` starts with, 0 if none."""
    return max((len(prefix) for prefix in beginnings if code.startswith(prefix)), default=0)


@cache
def _path_spec(pattern: str) -> Any:
    from inplace_lsp.patterns import read_patterns  # noqa: PLC0415 - few configurations need it

    return read_patterns([pattern])


def matches_pattern(patterns: Sequence[str], filename: str, root: Path | None, *, is_dir: bool = False) -> bool:
    """Return whether a file, or a folder, matches one of the patterns, which are relative to `root`."""
    return any(_is_match(pattern, filename + "/" * is_dir, root) for pattern in patterns)


def check_patterns(values: Sequence[str], key: str) -> tuple[str, ...]:
    """Check patterns of files. Raises ConfigError, whose message starts with the name of the `key`, if any."""
    return tuple(_check_pattern(value, key) for value in values)


def _is_match(pattern: str, filename: str, root: Path | None) -> bool:
    path = Path(filename)
    if root is not None:
        try:
            path = path.relative_to(root)
        except ValueError:
            return False
    relative = path.as_posix().lstrip("/") + ("/" if filename.endswith("/") else "")
    return bool(_path_spec(pattern).match_file(relative))
