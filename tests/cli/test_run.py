"""Files are checked apart from each other: what goes wrong with one costs only its own answer."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from cli.commandline import inplace_lsp
from inplace_lsp.analysis import Analysis, Cause, NotAnalysed
from inplace_lsp.cli import run
from inplace_lsp.cli.reports import Job
from inplace_lsp.config import DEFAULT, Config
from report.story import FINDING


def fake_check(text: str, filename: str, config: Config, facts: object) -> Analysis:
    """Do what the file's text says."""
    if text == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    if text == "raise":
        raise RecursionError("maximum recursion depth exceeded\nin something")
    return Analysis((replace(FINDING, span=replace(FINDING.span, file=filename)),), functions=3)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(run, "check_text", fake_check)
    for number in range(10):
        (tmp_path / f"{number}.py").write_text("fine")
    return tmp_path


@pytest.mark.parametrize("processes", [1, 2])
def test_an_internal_error_is_one_line_and_the_rest_is_checked(folder: Path, processes: int):
    (folder / "4.py").write_text("raise")
    reports = {
        Path(report.filename).stem: report
        for report in run.run_jobs([Job(str(file), DEFAULT) for file in sorted(folder.iterdir())], processes)
    }
    assert len(reports) == 10
    error = reports.pop("4").error
    assert error is not None
    assert error.startswith("internal error: RecursionError at cli/run.py:")
    assert all(report.findings and report.error is None for report in reports.values())


def test_a_process_that_dies_costs_one_file(folder: Path):
    (folder / "4.py").write_text("die")
    result = inplace_lsp("check", folder, "--jobs", "2", "--quiet")
    assert result.exit_code == 2
    assert (
        result.stderr == f"inplace-lsp: cannot check {folder}/4.py: internal error: the process that analysed it died\n"
    )
    assert result.stdout.count("error[IP101]") == 9


def test_an_internal_error_on_the_command_line(folder: Path):
    (folder / "4.py").write_text("raise")
    result = inplace_lsp("check", folder / "4.py", folder / "5.py")
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith(f"inplace-lsp: cannot check {folder}/4.py: internal error: RecursionError at ")
    assert "error[IP101]" in result.stdout


def test_a_fault_in_one_function_is_told_and_the_rest_of_the_file_is_answered_for(
    folder: Path, monkeypatch: pytest.MonkeyPatch
):
    gap = NotAnalysed("f", FINDING.span, "internal error: KeyError: 'x'", Cause.FAULT)
    monkeypatch.setattr(run, "check_text", lambda *_: Analysis((FINDING,), gaps=(gap,), functions=3))
    result = inplace_lsp("check", folder / "1.py")
    assert result.exit_code == 2
    assert result.stderr == f"inplace-lsp: cannot check {folder}/1.py: internal error: KeyError: 'x' (in `f`)\n"
    assert "error[IP101]" in result.stdout


def test_stories_stay_behind(folder: Path):
    [report] = run.run_jobs([Job(str(folder / "1.py"), DEFAULT)], 1)
    assert (report.findings[0].story, report.functions, report.text) == ((), 3, "fine")


@pytest.mark.parametrize(
    ("how", "status", "said"),
    [
        (signal.SIGINT, 130, b"inplace-lsp: interrupted: 0 of 10 files were checked\n"),
        (signal.SIGTERM, 2, b"inplace-lsp: terminated: 0 of 10 files were checked\n"),
        (signal.SIGKILL, -9, b""),
    ],
)
def test_however_a_check_is_ended_it_ends_at_once_and_its_processes_with_it(
    tmp_path: Path, how: signal.Signals, status: int, said: bytes
):
    for number in range(10):
        (tmp_path / f"{number}.py").write_text("")
    slow = (
        "import os, time\nfrom inplace_lsp.cli import main, run\n"
        "def check_text(*_):\n    os.write(1, b'.')\n    time.sleep(300)\n"
        f"run.check_text = check_text\nmain.main(['check', '--no-cache', '--jobs', '2', {str(tmp_path)!r}])\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", slow], stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )
    try:
        assert process.stdout is not None
        assert process.stdout.read(2) == b".."  # both have begun
        process.send_signal(how)
        _, errors = process.communicate(timeout=250)  # the pipes close when the last process has ended
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    assert process.returncode == status
    assert errors == said


def test_an_interrupt_while_the_work_is_given_out_ends_a_check_at_once(tmp_path: Path):
    for number in range(10):
        (tmp_path / f"{number}.py").write_text("")
    slow = (
        "import os, signal, time\nfrom inplace_lsp.cli import main, run\n"
        "run.check_text = lambda *_: time.sleep(300)\nsubmit = run.ProcessPoolExecutor.submit\n"
        "def submit_and_interrupt(self, *job):\n    future = submit(self, *job)\n"
        "    if self._queue_count == 5:\n        os.kill(os.getpid(), signal.SIGINT)\n    return future\n"
        "run.ProcessPoolExecutor.submit = submit_and_interrupt\n"
        f"main.main(['check', '--no-cache', '--jobs', '2', {str(tmp_path)!r}])\n"
    )
    done = subprocess.run([sys.executable, "-c", slow], check=False, capture_output=True, timeout=250)
    assert (done.returncode, done.stderr) == (130, b"inplace-lsp: interrupted: 0 of 10 files were checked\n")
