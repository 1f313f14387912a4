"""Options of `check` that pyproject.toml gives where the command line does not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from inplace_lsp.config import TABLE, ConfigError, config_for_folder
from inplace_lsp.report.formats import FORMATS


def fill_from_config(context: click.Context, options: dict[str, Any]) -> dict[str, Any]:
    """Return the options, with those that were not given filled in from the current folder's configuration.

    The check itself reports a broken configuration. Raises UsageError for a format that does not exist.
    """
    try:
        config = config_for_folder(Path.cwd())
    except ConfigError:
        return options
    if config.output_format and config.output_format not in FORMATS:
        known = ", ".join(FORMATS)
        raise click.UsageError(f"[{TABLE}] output-format = {config.output_format!r}: must be one of {known}")
    said = {
        "fix": config.fix and not _changes_otherwise(options),
        "unsafe_fixes": config.unsafe_fixes,
        "output_format": config.output_format,
        "baseline": config.baseline,
    }
    return {**options, **{name: value for name, value in said.items() if value and not _is_given(context, name)}}


def _is_given(context: click.Context, name: str) -> bool:
    return context.get_parameter_source(name) is not ParameterSource.DEFAULT


def _changes_otherwise(options: dict[str, Any]) -> bool:
    """Return whether the command line asks for other changes, or only to show something."""
    others = ("diff", "suppress", "write_baseline", "show_files", "show_settings")
    return any(options[name] not in (None, False) for name in others)
