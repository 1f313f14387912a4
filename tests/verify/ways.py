"""Ways to verify a piece of text that the tests share."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

from inplace_lsp.verify.client import Client
from inplace_lsp.verify.options import Options
from inplace_lsp.verify.prove import Subject, verify
from inplace_lsp.verify.target import target_by_name
from inplace_lsp.verify.verdict import Verdict

SHORT = Options(device="cpu", deadline=1.5)
"""For what no inputs run with: they are sought until the time is up."""


def verdict(
    client: Client, text: str, target: str = "<module>", *, file: Path | None = None, options: Options | None = None
) -> Verdict:
    """The verdict on a definition of `text`, as if it lay in `file`."""
    text = dedent(text)
    subject = Subject(text, str(file or "/nowhere/program.py"), target_by_name(text, target))
    return verify(subject, client, options or Options(device="cpu"))


def found(verdict: Verdict) -> set[tuple[int, str]]:
    """Rows and codes of the violations."""
    return {(violation.written.row, violation.code) for violation in verdict.violations}


def becomes_true(is_so: Callable[[], bool]) -> bool:
    """Whether it is so before long; what ends may take a while on a busy machine, and what is left stays for ever."""
    end = time.monotonic() + 30
    while not is_so():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True
