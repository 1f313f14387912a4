"""The last lines of a check: how much was found, and with `--statistics` how much was looked at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from inplace_lsp.engine import NotAnalysed
from inplace_lsp.hazards.finding import Finding


@dataclass(frozen=True, slots=True)
class Coverage:
    """How far the analysis came: functions seen, and for those not fully analysed the reasons."""

    functions: int = 0
    partly: int = 0
    not_at_all: int = 0
    reasons: tuple[tuple[str, int], ...] = ()


def coverage(functions: int, gaps: Iterable[NotAnalysed]) -> Coverage:
    """Count each function once, under `not at all` if any of its gaps says so; its reasons are counted once each."""
    seen: dict[tuple[str, str, int], list[NotAnalysed]] = {}
    for gap in gaps:
        seen.setdefault((gap.span.file, gap.function, gap.span.row), []).append(gap)
    partly = sum(all(gap.partly for gap in here) for here in seen.values())
    reasons = Counter(reason for here in seen.values() for reason in {gap.reason for gap in here})
    return Coverage(functions, partly, len(seen) - partly, tuple(reasons.most_common()))


def coverage_lines(counted: Coverage, reasons: int = 10) -> Iterator[str]:
    """What `--statistics` prints: totals, then the most common reasons."""
    whole = max(counted.functions - counted.partly - counted.not_at_all, 0)
    yield (
        f"{_count(counted.functions, 'function')}: {whole} analysed, {counted.partly} in part, "
        f"{counted.not_at_all} not analysed"
    )
    for reason, count in counted.reasons[:reasons]:
        yield f"{count:>6}  {reason}"
    rest = len(counted.reasons) - reasons
    if rest > 0:
        yield f"{sum(count for _, count in counted.reasons[reasons:]):>6}  for {_count(rest, 'other reason')}"


def code_lines(findings: Iterable[Finding]) -> Iterator[str]:
    """How often each code was found, the most frequent first."""
    counts = Counter((finding.code, finding.name) for finding in findings)
    for (code, name), count in counts.most_common():
        yield f"{count:>6}  {code}  {name}"


def summary_line(findings: Sequence[Finding], files: int) -> str:
    """One line about everything that was checked."""
    if not findings:
        return f"Nothing found in {_count(files, 'file')}."
    severities = Counter(finding.severity for finding in findings)
    parts = ", ".join(
        _count(severities[severity], severity, "s" if severity in ("error", "warning", "hint") else "")
        for severity in ("error", "warning", "information", "hint")
        if severities[severity]
    )
    where = len({finding.span.file for finding in findings})
    most = Counter(finding.code for finding in findings).most_common(1)[0][0]
    return (
        f"Found {_count(len(findings), 'hazard')} ({parts}) in {where} of {_count(files, 'file')}. "
        f"`inplace-lsp explain {most}` says more."
    )


def _count(number: int, noun: str, plural: str = "s") -> str:
    return f"{number} {noun}{plural if number != 1 else ''}"
