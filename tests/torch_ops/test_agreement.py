"""The table against torch's own op and module databases, every tensor written for real. Misses are listed by name.

INPLACE_LSP_SAMPLES: how many calls of each op are made (default 3; `make fuzz`, once a night, makes 8).
"""

from __future__ import annotations

import os
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from inplace_lsp.torch_ops.table import use_release
from tests.torch_ops.agreement import Score, compare
from tests.torch_ops.module_agreement import compare_modules, module_cases
from tests.torch_ops.reality import database_cases

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

KNOWN = tomllib.loads(Path(__file__).with_name("known_disagreements.toml").read_text(encoding="utf-8"))
SAMPLES = int(os.environ.get("INPLACE_LSP_SAMPLES", "3"))

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(autouse=True)
def column_of_the_installed_torch() -> Iterator[None]:
    with use_release(torch.__version__):
        yield


def test_functions_agree_with_torch() -> None:
    score = compare(database_cases(limit=SAMPLES))
    report(score, "functions")
    assert score.cases > 2_500 * SAMPLES
    assert score.share >= 0.99
    assert unlisted(score, "functions") == {}


def test_modules_agree_with_torch() -> None:
    score = compare_modules(module_cases(limit=3))
    report(score, "modules")
    assert score.cases > 3_000
    assert score.share >= 0.97
    assert unlisted(score, "modules") == {}


def unlisted(score: Score, kind: str) -> dict[str, dict[str, int]]:
    """Disagreements that known_disagreements.toml has no reason for."""
    found: dict[str, dict[str, int]] = defaultdict(dict)
    for (name, role, said), count in score.wrong.items():
        if name not in KNOWN[kind]:
            found[name][f"{role}, table says {said}"] = count
    return dict(found)


def report(score: Score, kind: str) -> None:
    """The measured figure: shown with `pytest -s` and on failure."""
    missed = sum(score.wrong.values())
    print(f"{kind}: {score.share:.2%} of {score.cases:,} cases in {score.calls:,} calls agree, {missed} do not")  # noqa: T201
    print(f"not callable as in the table: {dict(score.unbound)}")  # noqa: T201
