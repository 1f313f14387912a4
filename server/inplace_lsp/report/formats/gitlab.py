"""GitLab's code quality report: a merge request shows which findings are new and which are gone.

https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
"""

from __future__ import annotations

import json
from typing import TextIO

from inplace_lsp.hazards.finding import Severity
from inplace_lsp.report.outcome import Outcome
from inplace_lsp.report.paths import portable_path, shorten_paths

_SEVERITIES: dict[Severity, str] = {"error": "critical", "warning": "major", "information": "minor", "hint": "info"}


def write(outcome: Outcome, file: TextIO) -> None:
    """Write one array; paths are relative to the repository."""
    known_by = outcome.fingerprints()
    issues = [
        {
            "type": "issue",
            "check_name": finding.code,
            "description": f"{finding.code} {finding.name}: {shorten_paths(finding.message, outcome.root)}",
            "categories": ["Bug Risk"],
            "severity": _SEVERITIES[finding.severity],
            "fingerprint": fingerprint,
            "location": {
                "path": portable_path(finding.span.file, outcome.root),
                "positions": {
                    "begin": {"line": finding.span.row, "column": finding.span.column + 1},
                    "end": {"line": finding.span.end_row, "column": finding.span.end_column + 1},
                },
            },
        }
        for finding, fingerprint in zip(outcome.findings, known_by, strict=True)
    ]
    file.write(json.dumps(issues, indent=2) + "\n")
