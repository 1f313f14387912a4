"""The last lines of a check: the findings in numbers, and with `--statistics` the coverage."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from inplace_lsp.analysis import Cause, NotAnalysed
from inplace_lsp.hazards.finding import OFFER, Finding

MODULE = "<module>"


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of the code was analysed."""

    functions: int = 0
    """Number of functions."""
    partly: int = 0
    """Number of functions that were analysed in part."""
    failed: int = 0
    """Number of functions that were not analysed."""
    unparsed: int = 0
    """Number of statements that do not parse."""
    reasons: tuple[tuple[str, int], ...] = ()
    """Why code was not analysed, with the number of places for each reason."""

    @property
    def whole(self) -> int:
        """Functions that were analysed completely."""
        return max(self.functions - self.partly - self.failed, 0)


def count_coverage(functions: int, gaps: Iterable[NotAnalysed]) -> Coverage:
    """Count each place once, and each of its reasons once. Code at the top level is no function, but its gaps count as
    reasons."""
    places: dict[tuple[str, str, int], list[NotAnalysed]] = {}
    for gap in gaps:
        places.setdefault((gap.span.file, gap.function, gap.span.row), []).append(gap)
    kinds = Counter(_classify_gaps(here) for here in places.values())
    reasons = Counter(reason for here in places.values() for reason in {gap.reason for gap in here})
    return Coverage(functions, kinds["partly"], kinds["failed"], kinds["unparsed"], tuple(reasons.most_common()))


def _classify_gaps(gaps: Sequence[NotAnalysed]) -> str:
    worst = next((gap for gap in gaps if not gap.partly), None)
    if worst is not None and worst.cause is not Cause.FAULT:
        return "unparsed"
    if gaps[0].function == MODULE:
        return "module"
    return "partly" if worst is None else "failed"


def format_coverage(counted: Coverage, reasons: int = 10) -> Iterator[str]:
    """Yield the lines of `--statistics`: totals, then the most common reasons."""
    yield (
        f"{count_noun(counted.functions, 'function')}: {counted.whole} analysed, {counted.partly} in part, "
        f"{counted.failed} not analysed; {count_noun(counted.unparsed, 'statement')} not parsed"
    )
    for reason, count in counted.reasons[:reasons]:
        yield f"{count:>6}  {reason}"
    rest = len(counted.reasons) - reasons
    if rest > 0:
        yield f"{sum(count for _, count in counted.reasons[reasons:]):>6}  for {count_noun(rest, 'other reason')}"


def format_unknown(unknown: Iterable[tuple[str, int]], shown: int = 10) -> Iterator[str]:
    """Yield the unknown library functions, those first that leave the most functions analysed in part."""
    counts: Counter[str] = Counter()
    for name, functions in unknown:
        counts[name] += functions
    if counts:
        yield "Unknown library functions, and how many functions call them (docs/models.md: how to describe them):"
    for name, functions in sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:shown]:
        yield f"{functions:>6}  {name}"


def format_codes(findings: Iterable[Finding]) -> Iterator[str]:
    """Yield a line for each code with its number of findings, the most frequent first."""
    counts = Counter((finding.code, finding.name) for finding in findings)
    for (code, name), count in counts.most_common():
        yield f"{count:>6}  {code}  {name}"


def format_summary(findings: Sequence[Finding], files: int) -> str:
    """Return one line about everything that was checked. Offers are counted separately from findings."""
    offers = sum(finding.code == OFFER for finding in findings)
    found = _summarise_findings([finding for finding in findings if finding.code != OFFER], files)
    if not offers:
        return found
    may = f"{count_noun(offers, 'op')} may write in place"
    return f"{found} {may} (`inplace-lsp explain {OFFER}`)."


def _summarise_findings(findings: Sequence[Finding], files: int) -> str:
    if not findings:
        return f"Nothing found in {count_noun(files, 'file')}."
    severities = Counter(finding.severity for finding in findings)
    parts = ", ".join(
        count_noun(severities[severity], severity, "s" if severity in ("error", "warning", "hint") else "")
        for severity in ("error", "warning", "information", "hint")
        if severities[severity]
    )
    where = len({finding.span.file for finding in findings})
    most = Counter(finding.code for finding in findings).most_common(1)[0][0]
    repairable = count_repairable(findings)
    return (
        f"Found {count_noun(len(findings), 'hazard')} ({parts}) in {where} of {count_noun(files, 'file')}. "
        f"{f'{repairable}. ' if repairable else ''}See `inplace-lsp explain {most}`."
    )


def count_repairable(findings: Iterable[Finding]) -> str:
    """Return how many of the findings have a repair, and which option makes it; "" if none has."""
    kinds = Counter(finding.fixable for finding in findings)
    safe, unsafe = kinds["safe"], kinds["unsafe"]
    if not unsafe:
        return f"{safe} repairable with --fix" if safe else ""
    more = "more " if safe else ""
    repairable = f"{safe} repairable with --fix, " if safe else ""
    return f"{repairable}{unsafe} {more}{'' if safe else 'repairable '}with --fix --unsafe-fixes"


def format_repairs(made: int, left: Sequence[Finding]) -> str:
    """Return the last line of `--diff`: how many findings would be repaired, and how many would be left."""
    if not made and not left:
        return "Nothing found, so nothing to repair."
    would = f"Would repair {count_noun(made, 'hazard')}" if made else "Nothing to repair"
    unsafe = sum(finding.fixable == "unsafe" for finding in left)
    rest = f" ({unsafe} repairable with --unsafe-fixes)" if unsafe else ""
    return f"{would}; {len(left) or 'none'} {'is' if len(left) == 1 else 'are'} left{rest}."


def format_unparsed(gaps: Iterable[NotAnalysed], shown: Callable[[str], str]) -> str | None:
    """Return one line about text that does not parse, None if all does. `shown` turns a file into its display name."""
    lost = sorted({gap.place for gap in gaps if gap.cause in (Cause.SYNTAX, Cause.UNREADABLE)})
    if not lost:
        return None
    first = f"{shown(lost[0].file)}:{lost[0].row}"
    if len(lost) == 1:
        return f"1 statement does not parse and was left out: {first}"
    return f"{len(lost)} statements do not parse and were left out, the first at {first}"


def format_unreached(gaps: Iterable[NotAnalysed], shown: Callable[[str], str]) -> Iterator[str]:
    """Yield every statement that a safety budget cut off: its place, its function and the reason. `shown` turns a file
    into its display name."""
    lost = sorted({(span.file, span.row, gap.function, gap.reason) for gap in gaps for span in gap.unreached})
    if lost:
        were = "was" if len(lost) == 1 else "were"
        yield f"{count_noun(len(lost), 'statement')} that may write or run backward {were} never reached:"
    for file, row, function, reason in lost:
        yield f"  {shown(file)}:{row} {function}: {reason}"


def format_cut(gaps: Iterable[NotAnalysed]) -> str | None:
    """Return one line about functions that a safety budget ended; None if there are none."""
    cut = [gap for gap in gaps if gap.cut]
    functions = sum(gap.function != MODULE for gap in cut)
    kinds = ((functions, "function"), (len(cut) - functions, "module"))
    if not cut:
        return None
    what = " and ".join(count_noun(number, noun) for number, noun in kinds if number)
    lost = len({(span.file, span.row) for gap in cut for span in gap.unreached})
    named = f"{count_noun(lost, 'statement')} that may write in place {'was' if lost == 1 else 'were'} not reached"
    rest = f"{named} (--statistics lists them)" if lost else "but every statement that may write in place was reached"
    return f"Only partly analysed: {what}{';' if lost else ','} {rest}."


def count_noun(number: int, noun: str, plural: str = "s") -> str:
    """Return a number with its noun: `1 file`, `2 files`."""
    return f"{number} {noun}{plural if number != 1 else ''}"
