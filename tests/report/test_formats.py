"""Each format of `check` read back as those read it for whom it is written."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import jsonschema
import pytest
from junitparser import Error, Failure, JUnitXml, Skipped

from inplace_lsp.hazards.finding import Edit, Fix
from inplace_lsp.report.as_json import as_json
from inplace_lsp.report.formats import FORMATS
from report.outcomes import ALL, ELSEWHERE, ODD, outcome, written
from report.story import FILE, FINDING, span

PLACE = {
    "type": "object",
    "required": ["row", "column"],
    "properties": {"row": {"type": "integer", "minimum": 1}, "column": {"type": "integer", "minimum": 1}},
    "additionalProperties": False,
}


def valid(data: Any, schema: dict[str, Any]) -> Any:
    jsonschema.Draft202012Validator(schema).validate(data)
    return data


def record(**properties: Any) -> dict[str, Any]:
    """The schema of an object that has just these properties."""
    return {
        "type": "object",
        "required": list(properties),
        "properties": properties,
        "additionalProperties": False,
    }


TEXT = {"type": "string", "minLength": 1}
EDIT = record(content={"type": "string"}, location=PLACE, end_location=PLACE)
FIX = record(applicability={"enum": ["safe", "unsafe", "display"]}, message=TEXT, edits={"items": EDIT})
RELATED = record(
    role={"enum": ["saved", "written", "backward", "leaf", "view", "alias"]},
    message=TEXT,
    filename=TEXT,
    location=PLACE,
    end_location=PLACE,
)
CONTRACT = record(
    code={"pattern": "^IP[0-9]{3}$"},
    name=TEXT,
    severity={"enum": ["error", "warning", "information", "hint"]},
    message=TEXT,
    assumptions={"type": "array", "items": TEXT},
    filename=TEXT,
    location=PLACE,
    end_location=PLACE,
    related={"type": "array", "items": RELATED},
    after={"anyOf": [{"type": "null"}, record(filename=TEXT, row={"type": "integer", "minimum": 1})]},
    fixable={"enum": ["safe", "unsafe", None]},
    advice={"type": "string"},
    url={"pattern": "^https://"},
    fix={"anyOf": [{"type": "null"}, FIX]},
)


def test_json_is_the_contract():
    assert valid(json.loads(written("json")), {"type": "array", "items": CONTRACT}) == as_json(ALL)
    assert written("json", outcome(())) == "[]\n"


def test_json_lines_are_the_same_objects():
    lines = written("json-lines").splitlines()
    assert [valid(json.loads(line), CONTRACT) for line in lines] == as_json(ALL)
    assert written("json-lines", outcome(())) == ""


def test_agent_is_json_with_the_source_and_the_repair_as_a_diff():
    told = json.loads(written("agent"))
    more = [{key: finding.pop(key) for key in ("source", "diff")} for finding in told["findings"]]
    assert told == {"findings": as_json(ALL), "checked": 2}
    assert "7 | y.add_(1)\n  | ^^^^^^^^^\n" in more[0]["source"]
    assert [each["diff"] is not None for each in more] == [finding.fix is not None for finding in ALL]
    assert more[2]["diff"].endswith(
        "@@ -1 +1 @@\n-'🔥é'; t.add_(1)\n\\ No newline at end of file\n+'🔥é'; \n\\ No newline at end of file\n"
    )


CONCISE = re.compile(r"(?P<file>.+?):(?P<row>\d+):(?P<column>\d+): (?P<severity>\w+)\[(?P<code>IP\d+)\] (?P<text>.+)")
"""As Vim's `errorformat` would have it: %f:%l:%c: %m."""


def test_concise_is_a_line_a_finding():
    simple = tuple(replace(finding, message="a message") for finding in ALL)
    matches = [CONCISE.fullmatch(line) for line in written("concise", outcome(simple)).splitlines()]
    told = [
        (match["file"], int(match["row"]), int(match["column"]), match["severity"], match["code"])
        for match in matches
        if match
    ]
    assert told == [
        (finding.span.file, finding.span.row, finding.span.column + 1, finding.severity, finding.code)
        for finding in ALL
    ]


def test_full_has_the_frame_and_its_first_name_is_kept():
    assert "7 | y.add_(1)\n  | ^^^^^^^^^\n" in written("full")
    assert FORMATS["text"] is FORMATS["full"]


COMMAND = re.compile(r"::(?P<command>error|warning|notice) (?P<properties>[^:]*)::(?P<data>[^\r\n]*)")
"""A workflow command; a colon in a property is escaped."""


def unescaped(text: str) -> str:
    """As the runner of GitHub Actions does it: the percent sign at last."""
    for escaped, char in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(escaped, char)
    return text


def commands(text: str) -> list[tuple[str, dict[str, str], str]]:
    """What the runner reads: every line must be a command."""
    read = [COMMAND.fullmatch(line) for line in text.split("\n")[:-1]]
    return [
        (
            match["command"],
            {
                name: unescaped(value)
                for name, _, value in (pair.partition("=") for pair in match["properties"].split(","))
            },
            unescaped(match["data"]),
        )
        for match in read
        if match is not None or pytest.fail(f"no command: {text}")
    ]


def test_github_reads_an_annotation_a_finding():
    first, _, odd, hint, comment, broken = commands(written("github"))
    assert first[0] == "error"
    assert first[1] == {
        "title": "inplace-lsp (IP101 saved-tensor-modified)",
        "file": FILE,
        "line": "7",
        "col": "1",
        "endLine": "7",
        "endColumn": "10",
    }
    assert "/project/train.py:4: saved here by `exp`\n" in first[2]
    assert first[2].endswith("\nassuming: x requires grad")
    assert (odd[0], odd[1]["file"]) == ("warning", ELSEWHERE)
    assert ODD.message in odd[2]
    assert [hint[0], comment[0]] == ["notice", "notice"]
    assert broken == ("error", {"title": "inplace-lsp", "file": "/project/broken,1.py"}, "not valid UTF-8 (byte 3)")


def test_github_takes_no_columns_of_a_place_of_several_lines():
    long = replace(FINDING, span=replace(FINDING.span, end_row=9))
    [(_, properties, _)] = commands(written("github", outcome([long], failures=())))
    assert (properties["line"], properties["endLine"]) == ("7", "9")
    assert {"col", "endColumn"}.isdisjoint(properties)


POSITION = record(line={"type": "integer", "minimum": 1}, column={"type": "integer", "minimum": 1})
ISSUE = record(
    type={"const": "issue"},
    check_name=TEXT,
    description=TEXT,
    categories={"items": {"const": "Bug Risk"}},
    severity={"enum": ["info", "minor", "major", "critical", "blocker"]},
    fingerprint={"pattern": "^[0-9a-f]{32}$"},
    location=record(path=TEXT, positions=record(begin=POSITION, end=POSITION)),
)
"""https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format"""


def test_gitlab_gets_a_code_quality_report():
    issues = valid(json.loads(written("gitlab")), {"type": "array", "items": ISSUE})
    assert [issue["severity"] for issue in issues] == ["critical", "critical", "major", "info", "minor"]
    assert issues[0]["location"]["path"] == "train.py"
    assert issues[3]["location"]["path"] == "a folder/[1].py"
    assert len({issue["fingerprint"] for issue in issues}) == len(issues)
    assert written("gitlab", outcome(())) == "[]\n"


def test_junit_is_read_by_a_parser_of_it(tmp_path):
    path = tmp_path / "report.xml"
    path.write_text(written("junit"), encoding="utf-8")
    report = JUnitXml.fromfile(str(path))
    assert (report.tests, report.failures, report.errors) == (7, 5, 1)
    suites = {suite.name: suite for suite in report}
    assert list(suites) == [
        FILE,
        "/project/fine.py",
        "/project/broken,1.py",
        ELSEWHERE,
        "/project/a folder/[1].py",
    ]
    case, _ = suites[FILE]
    assert case.name == "IP101 saved-tensor-modified at 7:1"
    [failure] = case.result
    assert isinstance(failure, Failure)
    assert (failure.type, failure.message) == ("error", FINDING.message)
    assert "/project/train.py:8: needed here" in failure.text
    [fine] = suites["/project/fine.py"]
    assert fine.is_passed
    [[error]] = [case.result for case in suites["/project/broken,1.py"]]
    assert isinstance(error, Error)
    counted = [(suite.tests, suite.failures, suite.errors) for suite in report]
    assert counted == [(2, 2, 0), (1, 0, 0), (1, 0, 1), (1, 1, 0), (2, 2, 0)]


def test_what_is_tolerated_fails_no_test():
    report = JUnitXml.fromstring(written("junit", outcome(tolerated=frozenset({"hint", "information"}))).encode())
    assert (report.tests, report.failures, report.errors, report.skipped) == (7, 3, 1, 2)
    [[hint], [comment]] = [case.result for suite in report if "[1]" in suite.name for case in suite]
    assert isinstance(hint, Skipped)
    assert (hint.type, hint.message, comment.type) == ("hint", "a hint", "information")


def rdf(**properties: Any) -> dict[str, Any]:
    return {**record(**properties), "required": [name for name in properties if name != "source"]}


RANGE = rdf(start=POSITION, end=POSITION)
LOCATION = rdf(path=TEXT, range=RANGE)
DIAGNOSTIC = rdf(
    message=TEXT,
    location=LOCATION,
    severity={"enum": ["UNKNOWN_SEVERITY", "ERROR", "WARNING", "INFO"]},
    source=rdf(name=TEXT, url=TEXT),
    code=rdf(value=TEXT, url={"pattern": "^https://"}),
    suggestions={"items": rdf(range=RANGE, text={"type": "string"})},
    related_locations={"items": rdf(message=TEXT, location=LOCATION)},
)
RDF = rdf(source=rdf(name=TEXT, url=TEXT), diagnostics={"items": DIAGNOSTIC})
"""The messages of reviewdog.proto, without what we do not write."""


def test_markdown_is_one_table():
    rows = [line for line in written("markdown").splitlines() if line.startswith("|")]
    assert len(rows) == len(outcome().findings) + 2
    assert {len(re.findall(r"(?<!\\\\)\|", row)) for row in rows} == {5}
    assert "- `/project/broken,1.py`: not valid UTF-8 (byte 3)" in written("markdown")
    assert written("markdown", outcome([], failures=())) == ""


def test_rdjson_counts_bytes():
    first, without, odd, *_ = valid(json.loads(written("rdjson")), RDF)["diagnostics"]
    assert first["location"] == {
        "path": FILE,
        "range": {"start": {"line": 7, "column": 1}, "end": {"line": 7, "column": 10}},
    }
    assert [suggestion["text"] for suggestion in first["suggestions"]] == ["y = y.add(1)"]
    assert without["suggestions"] == []
    before = len("'🔥é'; ".encode())
    assert odd["location"]["range"]["start"] == {"line": 1, "column": before + 1}
    assert odd["location"]["range"]["end"] == {"line": 1, "column": before + 10}
    assert [place["location"]["range"]["start"]["line"] for place in first["related_locations"]] == [4, 8]


def test_rdjson_suggests_only_what_is_whole_by_itself():
    parts = (Edit("y = y.add(1)", span(7, 0, 9)), Edit("", span(4, 0, 1)))
    for fix in (Fix("safe", "both", parts), Fix("display", "by hand", parts[:1])):
        [diagnostic] = json.loads(written("rdjson", outcome([replace(FINDING, fix=fix)])))["diagnostics"]
        assert diagnostic["suggestions"] == []
