"""The user's settings in the editor. Where the project's pyproject.toml has a table of ours, that decides about
findings.

The values come from `initializationOptions`, then from `workspace/configuration` (section `inplace-lsp`); later ones
win. A bad value is one warning that names key and value; the default stands in for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from inplace_lsp.config import (
    DEFAULT,
    Config,
    ConfigError,
    check_codes,
    check_environment,
    check_folders,
    check_strings,
    config_for_file,
)
from inplace_lsp.environments.find import locate_environment
from inplace_lsp.facts.models import is_below

SECTION = "inplace-lsp"
HINTS = ("off", "hazards", "all")
WORDS = ("python", "interpreter", "launch", "device")
SWITCHES = {
    "codeLens": "code_lens",
    "partlyAnalysed": "partly_analysed",
    "suggest": "suggest",
    "memoryHints": "memory_hints",
}
KEYS = ("select", "ignore", "models", "inlayHints", *SWITCHES, "diagnosticMode", *WORDS, "verifyTimeout")
MODES = ("openFiles", "workspace")


@dataclass(frozen=True, slots=True)
class Settings:
    """The user's settings."""

    select: tuple[str, ...] | None = None
    """As in pyproject.toml, as are `ignore` and `models`; but relative folders start at one of `folders`."""
    ignore: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    inlay_hints: str = "hazards"
    """Which hints to show: none, those of hazards, or all."""
    code_lens: bool = True
    partly_analysed: bool = False
    """Whether to mark the functions that a safety budget has cut."""
    suggest: bool = False
    """Whether to offer writes in place."""
    memory_hints: bool = False
    """Whether to measure the memory of verified functions, and show what their lines keep."""
    diagnostic_mode: str = "openFiles"
    """Whether to report findings of the open files, or of all files below the workspace's folders."""
    python: str = ""
    """As in pyproject.toml."""
    interpreter: str = ""
    """The interpreter that the editor has chosen, if no setting names one."""
    launch: str = ""
    """The launcher for verified code; "" for none."""
    device: str = ""
    """The device for verified code; "" for the default of `verify`."""
    verify_timeout: float | None = None
    """The time limit of a run in seconds; None for the default of `verify`."""
    folders: tuple[str, ...] = ()
    """The folders of the workspace."""
    of_folders: tuple[tuple[str, Settings], ...] = ()
    """The settings of those folders that have their own."""

    def find_for_file(self, filename: str) -> Settings:
        """Return the settings of the innermost folder that contains the file and has its own, else these."""
        around = [(folder, own) for folder, own in self.of_folders if is_below(filename, folder)]
        if not around:
            return self
        own = max(around, key=lambda found: len(found[0]))[1]
        return own if own.interpreter else replace(own, interpreter=self.interpreter)


def parse_settings(value: object, base: Settings) -> tuple[Settings, list[str]]:
    """Return `base` changed by what the editor sent, and what was wrong with it."""
    if value is None:
        return base, []
    if not isinstance(value, Mapping):
        return base, [f"{SECTION} = {value!r}: must be an object. The defaults are used."]
    problems: list[str] = []
    settings = base
    for key, entry in value.items():
        if entry is None:  # says nothing
            continue
        try:
            settings = replace(settings, **_parse_field(str(key), entry))
        except ConfigError as error:
            problems.append(f"{SECTION}.{error} The default is used.")
    return settings, problems


def _parse_field(key: str, value: object) -> dict[str, Any]:
    if key in {"select", "ignore"}:
        return {key: check_codes(value, key)}
    if key == "models":
        return {key: check_strings(value, key)}
    if key == "inlayHints":
        return {"inlay_hints": _parse_choice(HINTS, value, key)}
    if key == "diagnosticMode":
        return {"diagnostic_mode": _parse_choice(MODES, value, key)}
    if key in SWITCHES:
        if not isinstance(value, bool):
            raise ConfigError(f"{key} = {value!r}: must be true or false.")
        return {SWITCHES[key]: value}
    if key in WORDS:
        if not isinstance(value, str):
            raise ConfigError(f"{key} = {value!r}: must be a string.")
        return {key: value}
    if key == "verifyTimeout":
        return {"verify_timeout": _parse_seconds(value, key)}
    raise ConfigError(f"{key} = {value!r}: there is no such setting. Allowed: {', '.join(KEYS)}.")


def _parse_choice(allowed: tuple[str, ...], value: object, key: str) -> str:
    if value not in allowed:
        raise ConfigError(f"{key} = {value!r}: must be one of {', '.join(allowed)}.")
    return str(value)


def _parse_seconds(value: object, key: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < float("inf"):
        raise ConfigError(f"{key} = {value!r}: must be a number of seconds.")
    return float(value)


def config_of(filename: str, settings: Settings) -> tuple[Config, str]:
    """Return the configuration for findings in `filename`, and what is wrong with its pyproject.toml, or with the
    settings used instead ("" if nothing)."""
    own = settings.find_for_file(filename)
    found, problem = _find_config(filename, own)
    return (replace(found, suggest=True) if own.suggest else found), problem


def _find_config(filename: str, settings: Settings) -> tuple[Config, str]:
    try:
        found = config_for_file(filename)
    except ConfigError as error:
        return _make_config(settings)[0], f"{str(error).rstrip('.')}. The editor's settings are used."
    if found is DEFAULT:
        return _make_config(settings)
    return (found, "") if found.python else _add_environment(found, settings)


def find_interpreter(filename: str, settings: Settings) -> str:
    """Return the interpreter or environment for code of `filename`, as the user wrote it; "" if no setting names one.
    With `launch`, it may be on another machine."""
    own = settings.find_for_file(filename)
    try:
        configured = config_for_file(filename).python
    except ConfigError:
        configured = ""
    return configured or own.python or own.interpreter


def _make_config(settings: Settings) -> tuple[Config, str]:
    """Return the configuration of the editor's settings, and what is wrong with their folders."""
    own = replace(DEFAULT, select=settings.select, ignore=settings.ignore)
    try:
        own = replace(own, models=check_folders(settings.models, "models", _list_roots(settings)))
    except ConfigError as error:
        return own, f"{SECTION}.{error} The default is used."
    return _add_environment(own, settings)


def _add_environment(config: Config, settings: Settings) -> tuple[Config, str]:
    """Return the configuration with the environment that the editor names, and what is wrong with that."""
    if settings.launch:  # the interpreter is on another machine
        return config, ""
    try:
        named = check_environment(settings.python, "python", _list_roots(settings))
    except ConfigError as error:
        return config, f"{SECTION}.{error} The environment of the project is used."
    return replace(config, python=named or locate_environment(settings.interpreter, settings.folders) or ""), ""


def _list_roots(settings: Settings) -> list[Path]:
    return list(map(Path, settings.folders))
