"""What a check came to, for the tests of its formats: one finding of every severity, and what is hard to write down."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import replace

from inplace_lsp.hazards.finding import Edit, Finding, Fix, Related
from inplace_lsp.report.formats import FORMATS
from inplace_lsp.report.outcome import Failure, Outcome
from inplace_lsp.tape.model import Span
from report.story import FILE, FINDING, PROGRAM, span

ROOT = "/project"
ELSEWHERE = "/usr/lib/hel,per: 100%.py"
"""A name outside of the repository, with what workflow commands must escape."""
LINES = {
    FILE: PROGRAM.split("\n"),
    ELSEWHERE: ["'🔥é'; t.add_(1)"],
    "/project/a folder/[1].py": ["t.add_(1)"],
}
ODD = Finding(
    code="IP302",
    name="gradient-dropped",
    severity="warning",
    message="100% of <it> & more,\r\nin \x1b[31mtwo\x1b[0m lines: \udce4",
    assumptions=("`t` requires grad", "a layer does"),
    span=Span(ELSEWHERE, 1, 6, 1, 15),
    related=(Related("written", "reached from here", span(7, 0, 9)),),
    fix=Fix("safe", "drop it", (Edit("", Span(ELSEWHERE, 1, 6, 1, 15)),)),
)
HINT = Finding("IP201", "leaf-modified", "hint", "a hint", (), Span("/project/a folder/[1].py", 1, 0, 1, 9))
COMMENT = replace(HINT, code="IP901", name="unused-suppression", severity="information", message="unused")
ALL = (FINDING, replace(FINDING, fix=None), ODD, HINT, COMMENT)


class Lines(dict[str, Sequence[str]]):
    def __missing__(self, filename: str) -> Sequence[str]:
        return []


def outcome(findings: Sequence[Finding] = ALL, **others: object) -> Outcome:
    checked = (FILE, "/project/fine.py")
    failures = (Failure("/project/broken,1.py", "not valid UTF-8 (byte 3)"),)
    known = {"sources": Lines(LINES), "checked": checked, "failures": failures, **others}
    return Outcome(findings, folder="/project/sub", root=ROOT, **known)  # type: ignore[arg-type]


def written(name: str, shown: Outcome | None = None) -> str:
    """What a format makes of an outcome."""
    file = io.StringIO()
    FORMATS[name].write(shown or outcome(), file)
    return file.getvalue()
