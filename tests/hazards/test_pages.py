"""The committed documentation pages are those that the hazards would write now, and quote torch truly."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from inplace_lsp.hazards.explain import explain_hazard
from inplace_lsp.hazards.hazard import Hazard
from inplace_lsp.hazards.registry import HAZARDS
from inplace_lsp.report.pages import markdown_pages
from support import observe

FOLDER = Path(__file__).parents[2] / "docs" / "hazards"
SECTIONS = ("What it does", "Why is this bad?", "Example", "What torch says", "Use instead", "Fix safety")


def test_the_pages_are_up_to_date() -> None:
    written = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.md")}
    assert written == markdown_pages(), "run: make pages"


@pytest.mark.parametrize("hazard", HAZARDS, ids=lambda hazard: hazard.code)
def test_every_page_has_the_fixed_sections(hazard: Hazard) -> None:
    headings = [line[3:] for line in explain_hazard(hazard).split("\n") if line.startswith("## ")]
    assert tuple(headings[: len(SECTIONS)]) == SECTIONS
    assert set(headings[len(SECTIONS) :]) <= {"Also found", "Fine"}
    assert len(headings) == len(set(headings))


@pytest.mark.skipif(not torch.__version__.startswith("2.13"), reason="the wording of torch 2.13 is quoted")
@pytest.mark.parametrize("hazard", HAZARDS, ids=lambda hazard: hazard.code)
def test_torch_says_what_the_page_quotes(hazard: Hazard) -> None:
    assert (observe(hazard.examples[0].text).error or "").replace("\n", " ") == hazard.says
