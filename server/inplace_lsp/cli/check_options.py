"""The options of `check`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from inplace_lsp.cli.progress import ProgressForm
from inplace_lsp.config import OFFERS, Config, matches_pattern
from inplace_lsp.hazards.finding import OFFER, SEVERITIES, Finding, Severity

STDIN = "-"


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckOptions:
    """The options of `inplace-lsp check` under their own names."""

    paths: tuple[str, ...]
    output_format: str
    output_file: str | None
    severity: Severity
    select: tuple[str, ...] | None
    suggest: bool
    ignore: tuple[str, ...] | None
    exclude: tuple[str, ...] | None
    extend_exclude: tuple[str, ...] | None
    force_exclude: bool
    stdin_filename: str | None
    baseline: str | None
    write_baseline: bool
    changed_since: str | None
    statistics: bool
    show_fixes: bool
    show_files: bool
    show_settings: bool
    fix: bool
    unsafe_fixes: bool
    diff: bool
    suppress: str | None
    allow_syntax_errors: bool
    exit_zero: bool
    exit_non_zero_on_fix: bool
    watch: bool
    quiet: bool
    progress: Literal["auto", "json"]
    infer_types: bool
    python: str
    no_cache: bool
    executor: str
    jobs: int | None

    @property
    def reads_stdin(self) -> bool:
        """True if standard input is checked."""
        return STDIN in self.paths

    @property
    def progress_form(self) -> ProgressForm:
        """How to show how far it is."""
        return "none" if self.quiet and self.progress == "auto" else self.progress

    @property
    def repair(self) -> Literal["", "safe", "unsafe"]:
        """The repairs to make, or to show as a diff."""
        if self.suppress is not None or not (self.fix or self.diff):
            return ""
        return "unsafe" if self.unsafe_fixes else "safe"

    @property
    def writes_files(self) -> bool:
        """True if the check is to change files, and so must not stop halfway."""
        return bool(self.repair or self.write_baseline or self.suppress is not None)

    @property
    def streams_findings(self) -> bool:
        """True if certain findings may be printed before the check is done."""
        return not (self.writes_files or self.watch or self.output_file or self.baseline or self.changed_since)

    @property
    def tolerated_severities(self) -> frozenset[Severity]:
        """The severities of findings that do not count for the exit status."""
        return frozenset(SEVERITIES[SEVERITIES.index(self.severity) + 1 :])

    def excludes(self, configuration: Config, filename: str, /, *, is_dir: bool = False) -> bool:
        """Return whether a file or folder is excluded. As in ruff, `--exclude` replaces the configured patterns.

        What the command line gives is relative to the current folder; outside of it, only names match.
        """
        given = (*(self.exclude or ()), *(self.extend_exclude or ()))
        if given:  # few checks name any, and a walk asks for every file
            here = Path.cwd() if Path(filename).is_relative_to(Path.cwd()) else None
            if matches_pattern(given, filename, here, is_dir=is_dir):
                return True
        return self.exclude is None and configuration.is_excluded(filename, is_dir=is_dir)

    def counts_for_status(self, finding: Finding) -> bool:
        """Return whether a finding counts for the exit status. An offer does only if its code is selected."""
        if finding.code == OFFER and not any(code.startswith(OFFERS) for code in self.select or ()):
            return False
        return not self.exit_zero and finding.severity not in self.tolerated_severities
