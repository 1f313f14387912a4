"""What `pytest --inplace` does while tests are collected and run."""

from __future__ import annotations

import sys
from collections.abc import Generator

import pytest

from inplace_lsp.inside.watching import Lines, Watching, describe_missing, describe_tape, hide_recorder, tape_behind

SECTION = "in-place trace"


class Explainer:
    """Watches this process of pytest, and adds traces to the reports of what failed."""

    def __init__(self) -> None:
        self._watching = Watching()

    def pytest_collectstart(self) -> None:
        """Watch from the first import of a test module on. A process that only hands out tests collects none."""
        try:
            self._watching.start_watching()
        except ImportError as error:
            raise pytest.UsageError(f"--inplace: {sys.executable} cannot load torch: {error}") from None

    def pytest_unconfigure(self) -> None:
        """Leave torch as it was."""
        self._watching.end_watching()

    def pytest_runtest_setup(self) -> None:
        """Forget which lines of the test before could not be watched."""
        self._watching.unseen.clear()

    @pytest.hookimpl(specname="pytest_runtest_makereport")
    def pytest_hide_own_frames(self, call: pytest.CallInfo[None]) -> None:
        """Show tracebacks without our frames."""
        if call.excinfo is not None:
            hide_recorder(call.excinfo.value)
            call.excinfo = pytest.ExceptionInfo.from_exception(call.excinfo.value)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Add the trace to the report of a test that failed."""
        report = yield
        if report.failed and call.excinfo is not None:
            self._add_trace(report, call.excinfo.value)
        return report

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(self) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
        """Add the trace to the report of a module whose own code failed."""
        report = yield
        call = getattr(report, "call", None)
        if report.failed and call is not None and call.excinfo is not None:
            self._add_trace(report, call.excinfo.value)
        return report

    def _add_trace(self, report: pytest.TestReport | pytest.CollectReport, error: BaseException) -> None:
        tape = tape_behind(error)
        text = describe_missing(error, self._watching) if tape is None else describe_tape(tape, Lines()).rstrip("\n")
        if not text:
            return
        add_section = getattr(report.longrepr, "addsection", None)  # stays with the traceback, in files of JUnit too
        if add_section is not None:
            add_section(SECTION, text, "-")
        else:
            report.sections.append((SECTION, text))
