"""The one helper of the tests about programs: a program text with its findings written into it.

A line on which something must be found ends in a comment `# error: IP101` (several codes by comma); on every other line
nothing may be found. Where torch ends the program before it comes there, the comment is `# behind: IP101`: the static
analysis goes on, and says so. What is true is decided by running the program under torch, through the observing
recorder:

    check(PROGRAM)                     # truth and static analysis both equal the markers
    check(PROGRAM, static=False)       # only what torch does
    check(PROGRAM, observed=False)     # only the static analysis (for code that cannot be run here)

A failure lists the lines that were missed (false negatives) and those found without need (false positives).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from inplace_lsp.hazards.finding import Finding
from inplace_lsp.hazards.registry import find_all
from inplace_lsp.tape.model import Tape

Answer = frozenset[tuple[int, str]]
"""What was found: pairs of (row, code)."""

_CODES = r"\s*(IP\d{3}(?:\s*,\s*IP\d{3})*)"
MARKER = re.compile(rf"#\s*error:{_CODES}")
BEHIND = re.compile(rf"#\s*behind:{_CODES}")


def expected(program: str, marker: re.Pattern[str] = MARKER) -> Answer:
    """The answer that the markers of `program` ask for; with BEHIND, what is behind a refused write."""
    rows = enumerate(program.split("\n"), start=1)
    return frozenset((row, code.strip()) for row, line in rows for code in _codes(line, marker))


def _codes(line: str, pattern: re.Pattern[str]) -> list[str]:
    marker = pattern.search(line)
    return marker[1].split(",") if marker else []


def observe(program: str, filename: str = "program.py") -> Tape:
    """Run `program` under torch, unless that was done before, and return the tape of what happened."""
    from truth import truth

    return truth(program, filename).tape


def observed(program: str, filename: str = "program.py") -> Answer:
    """What torch really does with `program`: its answer by the observing recorder."""
    return answer(find_all(observe(program, filename)))


def predicted(program: str, filename: str = "/program.py") -> Answer:
    """What the static analysis says about `program` as it stands, without hints."""
    return answer(finding for finding in _analyse(program, filename) if finding.after is None)


def predicted_behind(program: str, filename: str = "/program.py") -> Answer:
    """What the static analysis finds in `program` behind what torch refuses, without hints."""
    return answer(finding for finding in _analyse(program, filename) if finding.after is not None)


def _analyse(program: str, filename: str) -> Iterable[Finding]:
    from inplace_lsp.engine import analyse_source

    return analyse_source(program, filename).findings


def answer(found: Iterable[Finding]) -> Answer:
    """Rows and codes of the findings that are errors or warnings."""
    return frozenset((finding.span.row, finding.code) for finding in found if finding.severity in ("error", "warning"))


def check(program: str, *, static: bool = True, observed: bool = True, filename: str = "program.py") -> None:
    """Assert that torch (`observed`) and the static analysis (`static`) find in `program` just what its markers say."""
    if observed:
        compare(program, globals()["observed"](program, filename), "torch")
    if static:
        compare_static(program, "/" + filename.lstrip("/"))


def compare_static(program: str, filename: str) -> None:
    """Assert that the static analysis finds what the markers of `program` ask for, before and behind a refusal."""
    compare(program, predicted(program, filename), "the static analysis")
    compare(program, predicted_behind(program, filename), "the static analysis behind a refusal", BEHIND)


def compare(program: str, found: Answer, who: str, marker: re.Pattern[str] = MARKER) -> None:
    """Assert that `found`, the answer of `who`, is what the markers of `program` ask for."""
    wanted = expected(program, marker)
    if found != wanted:
        raise AssertionError(_difference(program, wanted, found, who))


def _difference(program: str, wanted: Answer, found: Answer, who: str) -> str:
    lines = program.split("\n")
    report = [f"{who} and the markers differ:"]
    for title, rows in (
        ("missed (false negatives)", wanted - found),
        ("found without need (false positives)", found - wanted),
    ):
        report += [f"  {title}:"] * bool(rows)
        report += [f"    {row:4} {code}  {lines[row - 1].strip()}" for row, code in sorted(rows)]
    return "\n".join([*report, "  in:", *(f"    {row:4} {line}" for row, line in enumerate(lines, start=1))])
