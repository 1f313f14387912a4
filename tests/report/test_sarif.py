"""SARIF 2.1.0 against its schema, and what code scanning makes of it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import jsonschema
import pytest

from inplace_lsp.engine import analyse_source
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.hazards.registry import HAZARDS
from report.outcomes import ELSEWHERE, Lines, outcome, written
from report.story import FINDING

SCHEMA = json.loads((Path(__file__).parent / "schemas" / "sarif-2.1.0-rtm.4.json").read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft4Validator(SCHEMA, format_checker=jsonschema.FormatChecker())


def run_of(findings: Sequence[Finding] | None = None, **others: object) -> Any:
    """The one run of the log, which is valid."""
    log = json.loads(written("sarif", outcome(**others) if findings is None else outcome(findings, **others)))
    VALIDATOR.validate(log)
    assert log["version"] == "2.1.0"
    [run] = log["runs"]
    return run


def lines_of(flow: Any) -> list[int]:
    [thread] = flow["threadFlows"]
    return [step["location"]["physicalLocation"]["region"]["startLine"] for step in thread["locations"]]


def test_the_flow_leads_from_the_save_over_the_write_to_the_backward():
    first = run_of()["results"][0]
    assert [lines_of(flow) for flow in first["codeFlows"]] == [[4, 7, 8]]
    steps = first["codeFlows"][0]["threadFlows"][0]["locations"]
    assert [step.get("importance") for step in steps] == ["important", "essential", "important"]
    assert [step["executionOrder"] for step in steps] == [1, 2, 3]


def test_results_point_at_rules_with_help():
    run = run_of()
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["IP101", "IP302", "IP201", "IP901"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    for rule in rules:
        assert rule["help"]["markdown"].startswith(f"# {rule['name']} ({rule['id']})")
        assert rule["helpUri"].startswith("https://")


def test_levels_and_places():
    run = run_of()
    levels = [result.get("level", "warning") for result in run["results"]]
    assert levels == ["error", "error", "warning", "note", "note"]
    inside, _, outside, spaced, _ = (result["locations"][0]["physicalLocation"] for result in run["results"])
    assert inside["artifactLocation"] == {"uri": "train.py", "uriBaseId": "%SRCROOT%"}
    assert inside["region"] == {"startLine": 7, "startColumn": 1, "endLine": 7, "endColumn": 10}
    assert run["columnKind"] == "unicodeCodePoints"
    assert run["originalUriBaseIds"]["%SRCROOT%"]["uri"] == "file:///project/"
    assert unquote(outside["artifactLocation"]["uri"]) == f"file://{ELSEWHERE}"
    assert spaced["artifactLocation"]["uri"] == "a%20folder/%5B1%5D.py"


def test_fixes_are_replacements():
    first, without, odd, *_ = run_of()["results"]
    [fix] = first["fixes"]
    [change] = fix["artifactChanges"]
    [replacement] = change["replacements"]
    assert replacement["insertedContent"]["text"] == "y = y.add(1)"
    assert replacement["deletedRegion"]["startLine"] == 7
    assert "fixes" not in without
    assert "insertedContent" not in odd["fixes"][0]["artifactChanges"][0]["replacements"][0]


def test_fingerprints_tell_findings_apart():
    marks = [result["partialFingerprints"]["inplaceLsp/v1"] for result in run_of()["results"]]
    assert len(set(marks)) == len(marks)


def test_what_could_not_be_checked_is_a_notification():
    [invocation] = run_of()["invocations"]
    assert invocation["executionSuccessful"] is False
    [told] = invocation["toolExecutionNotifications"]
    assert told["message"]["text"] == "not valid UTF-8 (byte 3)"
    assert run_of([FINDING], failures=())["invocations"] == [{"executionSuccessful": True}]


def test_a_log_without_findings_has_results_all_the_same():
    assert run_of([])["results"] == []


@pytest.mark.parametrize("hazard", HAZARDS, ids=lambda hazard: hazard.code)
def test_every_hazard_is_valid_and_flows_through_its_place(hazard):
    example = next(program for program in hazard.examples if not program.is_valid)
    analysis = analyse_source(example.text, "/project/example.py")
    findings = [finding for finding in (*analysis.findings, *analysis.remarks) if finding.code == hazard.code]
    assert findings
    run = run_of(findings, sources=Lines({"/project/example.py": example.text.split("\n")}))
    for finding, result in zip(findings, run["results"], strict=True):
        for flow in result.get("codeFlows", []):
            rows = lines_of(flow)
            assert sorted(rows) == sorted([finding.span.row, *(place.span.row for place in finding.related)])
            if hazard.code == "IP103":
                assert rows[-1] == finding.span.row
