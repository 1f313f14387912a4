"""`check --baseline FILE`: the findings recorded in the file are known, only new ones are reported."""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from inplace_lsp.disk import read_bytes
from inplace_lsp.hazards.finding import Finding, Sources
from inplace_lsp.report.fingerprints import FunctionNames, make_fingerprints, statement_text
from inplace_lsp.report.paths import relative_path

VERSION = 1
LARGEST = 64_000_000
"""Maximum size in bytes of a baseline."""


class BaselineError(Exception):
    """The baseline cannot be used; the message says which one, why, and what to do."""


@dataclass(frozen=True, slots=True)
class Baseline:
    """The known findings: a description of each, by fingerprint. Their files are relative to the baseline's folder, so
    that it is valid wherever the repository lies."""

    path: str
    known: dict[str, dict[str, Any]]

    def compare_findings(
        self, findings: Sequence[Finding], sources: Sources, checked: Collection[str]
    ) -> tuple[list[Finding], int]:
        """Return the new findings, and the number of known ones that the checked files no longer have."""
        marks = make_fingerprints(findings, sources, self.folder)
        new = [finding for finding, mark in zip(findings, marks, strict=True) if mark not in self.known]
        files = {relative_path(file, self.folder) for file in checked}
        gone = self.known.keys() - set(marks)
        return new, sum(self.known[mark].get("file") in files for mark in gone)

    def replace_findings(self, findings: Sequence[Finding], sources: Sources, checked: Collection[str]) -> Baseline:
        """Return the baseline with the current findings. Keep those of files that were not checked."""
        files = {relative_path(file, self.folder) for file in checked}
        kept = {mark: entry for mark, entry in self.known.items() if entry.get("file") not in files}
        marks = make_fingerprints(findings, sources, self.folder)
        functions = FunctionNames(sources)
        found = {
            mark: self._describe_finding(finding, sources, functions)
            for mark, finding in zip(marks, findings, strict=True)
        }
        return Baseline(self.path, {**kept, **found})

    def _describe_finding(self, finding: Finding, sources: Sources, functions: FunctionNames) -> dict[str, Any]:
        """Return a description for readers of the file; without rows, so that it changes only with the findings."""
        return {
            "code": finding.code,
            "file": relative_path(finding.span.file, self.folder),
            "function": functions.name_at(finding.span),
            "statement": statement_text(finding.span, sources),
        }

    @property
    def folder(self) -> str:
        """Return where it lies."""
        return os.path.dirname(self.path)

    def write_file(self) -> None:
        """Write the file. Raises BaselineError."""
        order = sorted(self.known, key=lambda mark: (self.known[mark].get("file", ""), mark))
        entries = [{"fingerprint": mark, **self.known[mark]} for mark in order]
        text = json.dumps({"version": VERSION, "findings": entries}, indent=2) + "\n"
        try:
            with open(self.path, "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
        except OSError as error:
            raise BaselineError(f"the baseline {self.path} cannot be written: {error.strerror or error}") from None


def read_baseline(path: str, *, may_be_missing: bool) -> Baseline:
    """Return the baseline in a file; an empty one if the file `may_be_missing` and is. Raises BaselineError."""
    absolute = os.path.abspath(path)
    try:
        found = json.loads(read_bytes(absolute, LARGEST))
    except FileNotFoundError:
        if may_be_missing:
            return Baseline(absolute, {})
        raise BaselineError(f"there is no baseline file {path}; --write-baseline creates it") from None
    except OSError as error:
        raise BaselineError(f"the baseline {path} cannot be read: {error.strerror or error}") from None
    except ValueError:
        raise BaselineError(f"{path} is not a baseline: it is not valid JSON") from None
    if not isinstance(found, dict) or found.get("version") != VERSION or not _is_list(found.get("findings")):
        raise BaselineError(f"{path} is not a baseline of inplace-lsp; --write-baseline creates one")
    return Baseline(absolute, {entry["fingerprint"]: _without_fingerprint(entry) for entry in found["findings"]})


def _is_list(entries: object) -> bool:
    return isinstance(entries, list) and all(
        isinstance(entry, dict) and isinstance(entry.get("fingerprint"), str) for entry in entries
    )


def _without_fingerprint(entry: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in entry.items() if name != "fingerprint"}
