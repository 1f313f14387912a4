"""What a finding is known by when the lines above it have moved."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable

from inplace_lsp.hazards.finding import Finding
from inplace_lsp.report.frame import Sources
from inplace_lsp.report.paths import portable_path
from inplace_lsp.tape.model import Span


def fingerprints(findings: Iterable[Finding], sources: Sources, root: str) -> list[str]:
    """A fingerprint for each finding, no two alike.

    It is made of the file (relative to `root`), the code, the function and the text of the statement without its white
    space; of several that are alike in all of these, of their order. Rows, columns and messages, which name rows, have
    no part in it.
    """
    seen: Counter[tuple[str, ...]] = Counter()
    made = []
    for finding in findings:
        known_by = (
            portable_path(finding.span.file, root),
            finding.code,
            finding.function,
            statement_text(finding.span, sources).replace(" ", ""),
        )
        made.append(_digest(*known_by, str(seen[known_by])))
        seen[known_by] += 1
    return made


def statement_text(span: Span, sources: Sources) -> str:
    """The source text of `span`, with one space for all white space; "" where its file cannot be shown."""
    lines = sources[span.file][span.row - 1 : span.end_row]
    if not lines:
        return ""
    whole = [*lines[:-1], lines[-1][: span.end_column] if len(lines) == span.end_row - span.row + 1 else lines[-1]]
    return " ".join("\n".join(whole)[span.column :].split())


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()[:32]
