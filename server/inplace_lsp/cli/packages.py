"""Report which environments a check has read, and which imported packages are missing."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from inplace_lsp.cli.output import display_path
from inplace_lsp.cli.reports import FileReport
from inplace_lsp.environments.environment import Environment
from inplace_lsp.environments.find import find_environment

NAMED = 5
"""Maximum number of missing packages to name."""
SHOWN = 3
"""Maximum number of environments to name."""


def describe_environments(reports: Sequence[FileReport], named: Mapping[str, str]) -> Iterator[str]:
    """Yield a line for each environment that a file imports packages from. `named`: for each file, the environment in
    its configuration, "" if there is none."""
    users: dict[Environment, list[FileReport]] = {}
    for report in reports:
        if report.packages.read or report.packages.absent:
            found = find_environment(os.path.dirname(report.filename), named.get(report.filename, ""))
            users.setdefault(found, []).append(report)
    yield from (_describe_packages(environment, users[environment]) for environment in list(users)[:SHOWN])
    if len(users) > SHOWN:
        yield f"And from {len(users) - SHOWN} more environments; --show-settings names them."


def describe_environment(environment: Environment) -> str:
    """Return the folder of an environment, and why it was chosen."""
    return f"{display_path(environment.folder)} ({environment.reason})"


def _describe_packages(environment: Environment, reports: Sequence[FileReport]) -> str:
    sentence, absent = f"Packages are read from {describe_environment(environment)}.", _list_absent_packages(reports)
    if not absent:
        return sentence
    if len(absent) == 1:
        unknown = "what it does is unknown (--python names another environment)"
        return f"{sentence} {absent[0]} is not installed there; {unknown}."
    more = f" and {len(absent) - NAMED} more" if len(absent) > NAMED else ""
    names = ", ".join(absent[:NAMED]) + more
    unknown = "what they do is unknown (--python names another environment)"
    return f"{sentence} {len(absent)} imported packages are not installed there: {names}; {unknown}."


def _list_absent_packages(reports: Sequence[FileReport]) -> list[str]:
    """Return the missing packages, those first whose results the files use most."""
    files = Counter(name for report in reports for name in report.packages.absent)
    used: Counter[str] = Counter()
    for report in reports:
        for name, functions in report.unknown:
            used[name.partition(".")[0]] += functions
    return sorted(files, key=lambda name: (-used[name], -files[name], name))
