"""The last lines of a check: how much was found, and with `--statistics` how much was looked at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from inplace_lsp.analysis import NotAnalysed
from inplace_lsp.hazards.finding import Finding

MODULE = "<module>"
INTERNAL = "internal error"


@dataclass(frozen=True, slots=True)
class Coverage:
    """How far the analysis came: functions seen and, of these, analysed in part or not; statements that do not parse;
    and all reasons, with the number of places where each is one."""

    functions: int = 0
    partly: int = 0
    failed: int = 0
    unparsed: int = 0
    reasons: tuple[tuple[str, int], ...] = ()

    @property
    def whole(self) -> int:
        """Functions of which everything is known."""
        return max(self.functions - self.partly - self.failed, 0)


def coverage(functions: int, gaps: Iterable[NotAnalysed]) -> Coverage:
    """Count each place once, and each of its reasons once. What lies at the top level of a file is no function, but
    what is not known there is a reason like others."""
    places: dict[tuple[str, str, int], list[NotAnalysed]] = {}
    for gap in gaps:
        places.setdefault((gap.span.file, gap.function, gap.span.row), []).append(gap)
    kinds = Counter(_kind(here) for here in places.values())
    reasons = Counter(reason for here in places.values() for reason in {gap.reason for gap in here})
    return Coverage(functions, kinds["partly"], kinds["failed"], kinds["unparsed"], tuple(reasons.most_common()))


def _kind(gaps: Sequence[NotAnalysed]) -> str:
    worst = next((gap for gap in gaps if not gap.partly), None)
    if worst is not None and not worst.reason.startswith(INTERNAL):
        return "unparsed"
    if gaps[0].function == MODULE:
        return "module"
    return "partly" if worst is None else "failed"


def coverage_lines(counted: Coverage, reasons: int = 10) -> Iterator[str]:
    """What `--statistics` prints: totals, then the most common reasons."""
    yield (
        f"{_count(counted.functions, 'function')}: {counted.whole} analysed, {counted.partly} in part, "
        f"{counted.failed} not analysed; {_count(counted.unparsed, 'statement')} not parsed"
    )
    for reason, count in counted.reasons[:reasons]:
        yield f"{count:>6}  {reason}"
    rest = len(counted.reasons) - reasons
    if rest > 0:
        yield f"{sum(count for _, count in counted.reasons[reasons:]):>6}  for {_count(rest, 'other reason')}"


def unknown_lines(unknown: Iterable[tuple[str, int]], shown: int = 10) -> Iterator[str]:
    """The library functions of which nothing is known, those first that leave most functions known in part."""
    counts: Counter[str] = Counter()
    for name, functions in unknown:
        counts[name] += functions
    if counts:
        yield "Unknown library functions, and how many functions call them (describe them as docs/models.md tells):"
    for name, functions in sorted(counts.items(), key=lambda one: (-one[1], one[0]))[:shown]:
        yield f"{functions:>6}  {name}"


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


def unparsed_line(gaps: Iterable[NotAnalysed], shown: Callable[[str], str]) -> str | None:
    """One line about the text that is no Python, None if all of it is. `shown` makes a file's name one for people."""
    lost = sorted({gap.span for gap in gaps if not gap.partly and not gap.reason.startswith(INTERNAL)})
    if not lost:
        return None
    first = f"{shown(lost[0].file)}:{lost[0].row}"
    if len(lost) == 1:
        return f"1 statement does not parse and was left out: {first}"
    return f"{len(lost)} statements do not parse and were left out, the first at {first}"


def unreached_lines(gaps: Iterable[NotAnalysed], shown: Callable[[str], str]) -> Iterator[str]:
    """Every statement that a safety budget has cut: where it stands, in which function, and why. `shown` makes a file's
    name one for people."""
    lost = sorted({(span.file, span.row, gap.function, gap.reason) for gap in gaps for span in gap.unreached})
    if lost:
        yield f"{_count(len(lost), 'statement')} never reached that may write or walk back:"
    for file, row, function, reason in lost:
        yield f"  {shown(file)}:{row} {function}: {reason}"


def cut_line(gaps: Iterable[NotAnalysed]) -> str | None:
    """One line about the functions that a safety budget has ended; None if there are none."""
    cut = [gap for gap in gaps if gap.cut]
    functions = sum(gap.function != MODULE for gap in cut)
    kinds = ((functions, "function"), (len(cut) - functions, "module"))
    if not cut:
        return None
    what = " and ".join(_count(number, noun) for number, noun in kinds if number)
    lost = len({(span.file, span.row) for gap in cut for span in gap.unreached})
    named = f"{_count(lost, 'statement')} that may write {'was' if lost == 1 else 'were'} never reached"
    rest = f"{named} (--statistics lists them)" if lost else "every statement that may write was reached"
    return f"Analysed in part: {what}; {rest}."


def _count(number: int, noun: str, plural: str = "s") -> str:
    return f"{number} {noun}{plural if number != 1 else ''}"
