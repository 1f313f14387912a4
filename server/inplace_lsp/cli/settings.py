"""`check --show-files` and `check --show-settings`: the files a check would read, and their settings."""

from __future__ import annotations

import json
import os
import textwrap
from collections.abc import Iterator, Sequence

from inplace_lsp.cli.output import display_path
from inplace_lsp.cli.packages import describe_environment
from inplace_lsp.cli.reports import Job
from inplace_lsp.config import TABLE, Config, known_codes
from inplace_lsp.environments.find import find_environment


def list_settings(work: Sequence[Job], *, files: bool) -> Iterator[str]:
    """Yield the files, or their settings."""
    if not work:
        yield "No Python files to check."
    elif files:
        yield from (display_path(job.filename) for job in work)
    else:
        yield from _format_tables(work)


def _format_tables(work: Sequence[Job]) -> Iterator[str]:
    """Yield a table for every configuration, in the form of a pyproject.toml."""
    users: dict[Config, list[str]] = {}
    for job in work:
        users.setdefault(job.config, []).append(display_path(job.filename))
    for number, (config, names) in enumerate(users.items()):
        yield from ("",) * (number > 0)
        origin = (
            "no pyproject.toml has a [tool.inplace-lsp] table"
            if config.root is None
            else str(config.root / "pyproject.toml")
        )
        yield f"# {origin}: {len(names)} file{'s' * (len(names) != 1)}, the first is {names[0]}"
        yield from _format_table(config, names)


def _format_environments(config: Config, names: Sequence[str]) -> Iterator[str]:
    """Yield the environments of files."""
    folders = dict.fromkeys(os.path.dirname(os.path.abspath(name)) for name in names)
    for environment in dict.fromkeys(find_environment(folder, config.python) for folder in folders):
        yield f"# packages are read from {describe_environment(environment)}"


def _format_table(config: Config, names: Sequence[str]) -> Iterator[str]:
    enabled = [code for code in known_codes() if config.is_enabled(code)]
    yield from textwrap.wrap(f"reported: {', '.join(enabled)}", 118, initial_indent="# ", subsequent_indent="# ")
    yield f"[{TABLE}]"
    yield from _format_environments(config, names)
    if config.select is not None:
        yield f"select = {json.dumps(config.select)}"
    for name in ("ignore", "exclude", "models"):
        yield f"{name} = {json.dumps(getattr(config, name))}"
    for name in ("torch", "python", "fix", "unsafe_fixes", "output_format", "baseline", "suggest"):
        if getattr(config, name):
            yield f"{name.replace('_', '-')} = {json.dumps(getattr(config, name))}"
    if config.severity:
        yield f"\n[{TABLE}.severity]"
        yield from (f"{code} = {json.dumps(severity)}" for code, severity in config.severity)
    if config.per_file_ignores:
        yield f"\n[{TABLE}.per-file-ignores]"
        yield from (f"{json.dumps(pattern)} = {json.dumps(codes)}" for pattern, codes in config.per_file_ignores)
