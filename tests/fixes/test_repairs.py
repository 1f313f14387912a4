"""Each repair as a pair of files in `pairs/`: `before.py`, and `after.py`, whose first line is the offer."""

from __future__ import annotations

from pathlib import Path

import pytest

from fixes.runs import FILE, run
from inplace_lsp.engine import analyse_source
from inplace_lsp.fixes.offer import fixes_for
from inplace_lsp.hazards.edits import apply_edits

PAIRS = Path(__file__).parent / "pairs"


def offered_texts(program: str) -> dict[str, str]:
    """Return the repaired texts that are offered for the first finding that is no hint, by what the offers say."""
    analysis = analyse_source(program, FILE)
    finding = next(finding for finding in analysis.findings if finding.severity in ("error", "warning"))
    fixes = fixes_for(program, finding, analysis)
    return {f"# {fix.applicability}: {fix.message}": apply_edits(program, fix.edits) for fix in fixes}


@pytest.mark.parametrize("pair", sorted(PAIRS.iterdir()), ids=lambda pair: pair.name)
def test_a_repair_turns_before_into_after(pair: Path) -> None:
    offer, _, after = (pair / "after.py").read_text(encoding="utf-8").partition("\n")
    offered = offered_texts((pair / "before.py").read_text(encoding="utf-8"))
    assert offer in offered, "\n".join(offered)
    assert offered[offer] == after
    run(after)
