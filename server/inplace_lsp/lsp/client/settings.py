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
    """`select`, `ignore` and `models` as in pyproject.toml, but that relative folders start at one of the workspace's
    `folders`; `inlay_hints`: none, those of hazards, or all there are.
    `partly_analysed`: mark the functions that a safety budget has ended; `suggest`: offer writes in place, too;
    `memory_hints`: measure the memory of what is verified, and show what its lines keep.
    `diagnostic_mode`: findings of the files that are open, or of all below the workspace's folders.
    `python` is as in pyproject.toml, `interpreter` what the editor has chosen where no setting says.
    The others say how code is verified; "" and None leave it to `verify`. `of_folders`: the settings of folders of the
    workspace that have their own.
    """

    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    inlay_hints: str = "hazards"
    code_lens: bool = True
    partly_analysed: bool = False
    suggest: bool = False
    memory_hints: bool = False
    diagnostic_mode: str = "openFiles"
    python: str = ""
    interpreter: str = ""
    launch: str = ""
    device: str = ""
    verify_timeout: float | None = None
    folders: tuple[str, ...] = ()
    of_folders: tuple[tuple[str, Settings], ...] = ()

    def for_file(self, filename: str) -> Settings:
        """Return the settings of the innermost folder round a file, these where none has its own."""
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
        return {"inlay_hints": _one_of(HINTS, value, key)}
    if key == "diagnosticMode":
        return {"diagnostic_mode": _one_of(MODES, value, key)}
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


def _one_of(allowed: tuple[str, ...], value: object, key: str) -> str:
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
    own = settings.for_file(filename)
    found, problem = _find_config(filename, own)
    return (replace(found, suggest=True) if own.suggest else found), problem


def _find_config(filename: str, settings: Settings) -> tuple[Config, str]:
    try:
        found = config_for_file(filename)
    except ConfigError as error:
        return _of_editor(settings)[0], f"{str(error).rstrip('.')}. The editor's settings are used."
    if found is DEFAULT:
        return _of_editor(settings)
    return (found, "") if found.python else _with_environment(found, settings)


def find_interpreter(filename: str, settings: Settings) -> str:
    """Return the interpreter or environment that code of `filename` shall run in, as it was written; "" if nobody says.
    Behind `launch` it need not be on this machine."""
    own = settings.for_file(filename)
    try:
        configured = config_for_file(filename).python
    except ConfigError:
        configured = ""
    return configured or own.python or own.interpreter


def _of_editor(settings: Settings) -> tuple[Config, str]:
    """Return the configuration of the editor's settings, and what is wrong with their folders."""
    own = replace(DEFAULT, select=settings.select, ignore=settings.ignore)
    try:
        own = replace(own, models=check_folders(settings.models, "models", _roots_of(settings)))
    except ConfigError as error:
        return own, f"{SECTION}.{error} The default is used."
    return _with_environment(own, settings)


def _with_environment(config: Config, settings: Settings) -> tuple[Config, str]:
    """Return the configuration with the environment that the editor names, and what is wrong with that."""
    if settings.launch:  # the interpreter is on another machine
        return config, ""
    try:
        named = check_environment(settings.python, "python", _roots_of(settings))
    except ConfigError as error:
        return config, f"{SECTION}.{error} The environment of the project is used."
    return replace(config, python=named or locate_environment(settings.interpreter, settings.folders) or ""), ""


def _roots_of(settings: Settings) -> list[Path]:
    return list(map(Path, settings.folders))
