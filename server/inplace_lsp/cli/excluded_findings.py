"""What `check --fix` leaves alone: the findings that --baseline or --changed-since do not report."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import replace

from inplace_lsp.analysis import Analysis
from inplace_lsp.hazards.finding import Finding, Sources
from inplace_lsp.report.fingerprints import make_marks
from inplace_lsp.report.lines import split_lines


def mark_findings(findings: Iterable[Finding], sources: Sources) -> frozenset[str]:
    """Return a mark for each finding that identifies it when lines have moved."""
    return frozenset(make_marks(findings, sources, os.sep))


def drop_excluded(analysis: Analysis, excluded: frozenset[str], texts: Mapping[str, str]) -> Analysis:
    """Return the analysis without the findings in `texts` that have one of the `excluded` marks."""
    if not excluded:
        return analysis
    here = [finding for finding in analysis.findings if finding.span.file in texts]
    lines = {finding.span.file: split_lines(texts[finding.span.file]) for finding in here}
    marks = make_marks(here, lines, os.sep)
    left_alone = {id(finding) for finding, mark in zip(here, marks, strict=True) if mark in excluded}
    return replace(analysis, findings=tuple(found for found in analysis.findings if id(found) not in left_alone))
