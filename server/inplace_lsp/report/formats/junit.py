"""JUnit's XML, which most CI servers show as a list of tests: a suite per file, a failed test per finding."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TextIO
from xml.etree import ElementTree

from inplace_lsp.hazards.finding import OFFER, Finding
from inplace_lsp.report.outcome import Failure, Outcome
from inplace_lsp.report.paths import shorten_paths, shown_path
from inplace_lsp.verify.as_json import VerdictJson
from inplace_lsp.verify.verdict import TELLING

NAME = "inplace-lsp"


def write(outcome: Outcome, file: TextIO) -> None:
    """Write the document.

    A tolerated finding is a skipped test with its message. A file without findings is a passing test; one that could
    not be checked completely is an error.
    """
    _write_suites((_make_suite_of_file(filename, outcome) for filename in _list_files(outcome)), file)


def write_verdicts(verdicts: Iterable[VerdictJson], folder: str, file: TextIO) -> None:
    """Write a test for each function that was run: it fails if it shows a hazard and is skipped without a result."""
    by_file: dict[str, list[VerdictJson]] = {}
    for verdict in verdicts:
        by_file.setdefault(verdict["filename"], []).append(verdict)
    _write_suites(
        (_make_suite_of_verdicts(_replace_illegal(shown_path(name, folder)), here) for name, here in by_file.items()),
        file,
    )


def _write_suites(made: Iterable[ElementTree.Element], file: TextIO) -> None:
    suites = ElementTree.Element("testsuites", name=NAME)
    suites.extend(list(made))
    for counted in ("tests", "failures", "errors"):
        suites.set(counted, str(sum(int(suite.get(counted, "0")) for suite in suites)))
    ElementTree.indent(suites)
    file.write('<?xml version="1.0" encoding="utf-8"?>\n' + ElementTree.tostring(suites, encoding="unicode") + "\n")


def _list_files(outcome: Outcome) -> list[str]:
    """Return every file once, the checked ones first."""
    found = (finding.span.file for finding in outcome.findings)
    failed = (failure.filename for failure in outcome.failures)
    return list(dict.fromkeys((*outcome.checked, *failed, *found)))


def _make_suite_of_file(filename: str, outcome: Outcome) -> ElementTree.Element:
    path = _replace_illegal(shown_path(filename, outcome.folder)) if filename else NAME
    here = [finding for finding in outcome.findings if finding.span.file == filename]
    cases = [_make_case_of_finding(path, finding, outcome) for finding in here]
    failures = sum(not _is_tolerated(finding, outcome) for finding in here)
    failed = [failure for failure in outcome.failures if failure.filename == filename]
    cases += (_make_error_case(path, failure) for failure in failed)
    if not cases:
        cases.append(ElementTree.Element("testcase", name=NAME, classname=path, file=path))
    suite = ElementTree.Element("testsuite", name=path, tests=str(len(cases)), skipped=str(len(here) - failures))
    suite.set("failures", str(failures))
    suite.set("errors", str(len(failed)))
    suite.extend(cases)
    return suite


def _make_suite_of_verdicts(path: str, verdicts: Sequence[VerdictJson]) -> ElementTree.Element:
    kinds = [verdict["verdict"] for verdict in verdicts]
    failures, skipped = sum(kind in TELLING for kind in kinds), kinds.count("inconclusive")
    suite = ElementTree.Element("testsuite", name=path, tests=str(len(kinds)), skipped=str(skipped), errors="0")
    suite.set("failures", str(failures))
    for verdict in verdicts:
        seconds = str(verdict.get("seconds") or 0)
        case = ElementTree.Element(
            "testcase", name=_replace_illegal(verdict["function"]), classname=path, file=path, time=seconds
        )
        reason = _replace_illegal(" ".join(verdict["reason"].split()))
        if verdict["verdict"] in TELLING:
            failure = ElementTree.SubElement(case, "failure", type=verdict["verdict"], message=reason)
            failure.text = _replace_illegal(verdict.get("error") or reason)
        elif verdict["verdict"] == "inconclusive":
            ElementTree.SubElement(case, "skipped", message=reason)
        suite.append(case)
    return suite


def _make_case_of_finding(path: str, finding: Finding, outcome: Outcome) -> ElementTree.Element:
    span = finding.span
    name = f"{finding.code} {finding.name} at {span.row}:{span.column + 1}"
    case = ElementTree.Element("testcase", name=name, classname=path, file=path, line=str(span.row))
    message = _replace_illegal(shorten_paths(finding.message, outcome.folder))
    kind = "skipped" if _is_tolerated(finding, outcome) else "failure"
    result = ElementTree.SubElement(case, kind, type=finding.severity, message=message)
    result.text = _replace_illegal("\n".join(_detail_lines(finding, outcome)))
    return case


def _is_tolerated(finding: Finding, outcome: Outcome) -> bool:
    """Return whether a finding does not count as a failure; offers never do."""
    return finding.code == OFFER or finding.severity in outcome.tolerated


def _detail_lines(finding: Finding, outcome: Outcome) -> Iterator[str]:
    places: Sequence[tuple[str, int, str]] = (
        (finding.span.file, finding.span.row, finding.message),
        *((related.span.file, related.span.row, related.message) for related in finding.related),
    )
    for file, row, message in places:
        yield f"{shown_path(file, outcome.folder)}:{row}: {shorten_paths(message, outcome.folder)}"
    if finding.assumptions:
        yield f"assuming: {'; '.join(finding.assumptions)}"


def _make_error_case(path: str, failure: Failure) -> ElementTree.Element:
    case = ElementTree.Element("testcase", name=NAME, classname=path, file=path)
    if failure.place is not None:
        case.set("line", str(failure.place.row))
    ElementTree.SubElement(case, "error", type="not-checked", message=_replace_illegal(failure.reason))
    return case


def _replace_illegal(text: str) -> str:
    """Replace characters that XML cannot contain."""
    return "".join(char if _is_legal(ord(char)) else "\N{REPLACEMENT CHARACTER}" for char in text)


def _is_legal(point: int) -> bool:
    return point in (0x9, 0xA, 0xD) or 0x20 <= point <= 0xD7FF or 0xE000 <= point <= 0xFFFD or point >= 0x10000
