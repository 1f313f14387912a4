"""What a run of the tests costs: CPU seconds by folder, with those of the processes that tests have seen end."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator

import pytest

COST = "cpu"
"""The property of a test's report that has its seconds."""


def seconds_so_far() -> float:
    """Return the CPU time of this process and of the children it has waited for."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


class Costs:
    """Adds to the last report of each test what it cost, and prints the sums in the end."""

    def __init__(self) -> None:
        self._began = 0.0

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logstart(self) -> None:
        self._began = seconds_so_far()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, call: pytest.CallInfo[None]) -> Iterator[None]:
        report = yield
        if call.when == "teardown":
            report.user_properties.append((COST, seconds_so_far() - self._began))
        return report

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        reports = (
            report for kind in ("", "passed", "failed", "error") for report in terminalreporter.stats.get(kind, ())
        )
        costs = costs_by_folder(report for report in reports if isinstance(report, pytest.TestReport))
        if sum(costs.values()) < 60:
            return
        terminalreporter.section("CPU seconds by folder")
        for folder, seconds in sorted(costs.items(), key=lambda item: -item[1]):
            if seconds >= 1:
                terminalreporter.line(f"{seconds:6.0f}  {folder}")
        terminalreporter.line(f"{sum(costs.values()):6.0f}  in all")


def costs_by_folder(reports: Iterable[pytest.TestReport]) -> dict[str, float]:
    """Return the CPU seconds of each folder of tests, or file that is in none."""
    costs: dict[str, float] = defaultdict(float)
    for report in reports:
        folder = "/".join(report.nodeid.split("::")[0].split("/")[:2])
        costs[folder] += sum(float(value) for name, value in report.user_properties if name == COST)
    return costs
