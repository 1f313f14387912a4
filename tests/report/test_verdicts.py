"""What runs have shown, as findings."""

from __future__ import annotations

import pytest

from inplace_lsp.report.verdicts import make_findings
from inplace_lsp.verify.as_json import VerdictJson, ViolationJson


def violation(row: int, op: str, *, found: int = 1) -> ViolationJson:
    place = {"filename": "/a.py", "location": {"row": row, "column": 1}, "end_location": {"row": row, "column": 5}}
    return {"code": "IP101", "written": place, "saved": None, "expected_version": 0, "found_version": found, "op": op}  # type: ignore[typeddict-item]


def verdict(function: str, reason: str, *violations: ViolationJson, kind: str = "confirmed") -> VerdictJson:
    return {"filename": "/a.py", "function": function, "verdict": kind, "reason": reason, "violations": [*violations]}


ONE = verdict("one", "line 73: its own reason", violation(73, "sigmoid"))
BOTH = verdict("both", "line 119: of another line", violation(73, "sigmoid"), violation(119, "conv2d"))
LOST: VerdictJson = {"filename": "/a.py", "function": "lost", "verdict": "inconclusive", "reason": "lost"}


@pytest.mark.parametrize("verdicts", [[ONE, LOST, BOTH], [BOTH, ONE, LOST]])
def test_each_place_has_a_message_of_its_own_in_whatever_order_the_runs_end(verdicts: list[VerdictJson]):
    assert [(found.span.row, found.message) for found in make_findings(verdicts)] == [
        (73, "confirmed by a run of `one`: line 73: its own reason"),
        (119, "confirmed by a run of `both`: `conv2d` had saved version 0, backward found version 1"),
    ]


def test_what_torch_does_not_notice():
    [found, _] = make_findings(
        [verdict("f", "", violation(5, "exp", found=0), violation(6, "exp", found=0), kind="silent")]
    )
    assert found.message == (
        "torch is silent in a run of `f`: `exp` had saved it, backward found other values at the same version"
    )
