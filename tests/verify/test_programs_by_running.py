"""Programs with known verdicts, run as they are: those that fail are confirmed at the right lines, no other is.

A fifth of them; `benchmarks/verify.py --suite` runs all.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from inplace_lsp.engine import analyse_source
from inplace_lsp.verify.client import Client
from inplace_lsp.verify.options import Options
from support import BEHIND, Answer, expected
from verify.ways import found, verdict

ROOT = Path(__file__).parent.parent / "programs"
PROGRAMS = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*.py"))
RECORDED_IN_PART = ("real/rl/learns_once_enough_is_stored.py",)
"""Programs that go on for more backwards than are recorded behind torch's last new error (`recording.MORE_WALKS`)."""


def doubtful(text: str) -> Answer:
    """What happens as it is found, and is hardly a mistake: a graph that is dropped by a step taken by hand."""
    found = analyse_source(text, "/program.py").findings
    return frozenset((finding.span.row, finding.code) for finding in found if finding.severity == "hint")


@pytest.mark.parametrize("name", PROGRAMS[::5])
def test_the_verdict_is_that_of_the_markers(client: Client, name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    answer = verdict(client, text, file=ROOT / name, options=Options(device="cpu", deadline=60))
    wanted = expected(text)
    assert found(answer) <= wanted | expected(text, BEHIND) | doubtful(text)
    assert wanted <= found(answer) or name in RECORDED_IN_PART
    assert answer.verdict in (("confirmed", "silent") if wanted else ("not-reproduced",)), answer.reason
