"""The examples in the hazards' own explanations: torch and the static analysis find just what their markers say."""

from __future__ import annotations

import pytest

from inplace_lsp.config import codes_off_by_default
from inplace_lsp.engine import analyse_source
from inplace_lsp.hazards.hazard import ExampleProgram
from inplace_lsp.hazards.registry import HAZARDS
from support import check, expected

EXAMPLES = [
    pytest.param(program, id=f"{hazard.code}: {program.title}")
    for hazard in HAZARDS
    for program in hazard.examples
    if hazard.code not in codes_off_by_default()
]
WISHES = [hazard for hazard in HAZARDS if hazard.code in codes_off_by_default()]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("program", EXAMPLES)
def test_torch_confirms_it(program: ExampleProgram) -> None:
    check(program.text, static=False)


@pytest.mark.parametrize("program", EXAMPLES)
def test_the_static_analysis_sees_it(program: ExampleProgram) -> None:
    check(program.text, observed=False)


@pytest.mark.parametrize("hazard", HAZARDS, ids=lambda hazard: hazard.code)
def test_every_hazard_has_programs_of_both_kinds(hazard) -> None:
    assert any(program.is_valid for program in hazard.examples)
    assert any(f"# error: {hazard.code}" in program.text for program in hazard.examples)


@pytest.mark.parametrize("hazard", WISHES, ids=lambda hazard: hazard.code)
def test_what_is_off_by_default_is_found_and_is_no_warning(hazard) -> None:
    for program in hazard.examples:
        found = analyse_source(program.text, "/program.py").remarks
        assert {(finding.span.row, finding.code) for finding in found} == expected(program.text)
        assert all(finding.severity == "information" for finding in found)
