"""What a check has found when Ctrl-C or a time limit ends it stands in the output, and the end says that it was cut."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from xml.etree import ElementTree

import pytest

from cli.commandline import HAZARD

STUCK = """\
import os, time
from inplace_lsp.cli import main, run

def check_text(text, filename, *rest):
    if filename.endswith("stuck.py"):
        open({began!r}, "w").close()
        time.sleep(300)
    return real(text, filename, *rest)

real = run.check_text
run.check_text = check_text
main.main(["check", "--no-cache", *{options!r}])
"""
FILES = 6


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Files with a hazard each, and one at which a check never ends."""
    made = tmp_path / "project"
    made.mkdir()
    for number in range(FILES - 1):
        (made / f"file{number}.py").write_text(HAZARD)
    (made / "stuck.py").write_text("x = 1\n")
    return made


def cut(folder: Path, *options: str, how: signal.Signals = signal.SIGTERM) -> subprocess.CompletedProcess[str]:
    """Run a check, and end it when all is done that can be done."""
    began = folder.parent / "began"
    code = STUCK.format(began=str(began), options=[*options, str(folder)])
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    try:
        while not began.exists():
            assert process.poll() is None
            time.sleep(0.02)
        time.sleep(3)  # as long as the other process may take for the other files
        process.send_signal(how)
        output, errors = process.communicate(timeout=250)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    return subprocess.CompletedProcess([], process.returncode, output, errors)


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize(
    ("how", "status", "word"), [(signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 2, "terminated")]
)
def test_what_was_found_is_printed_and_the_last_line_says_that_it_is_not_all(
    folder: Path, jobs: str, how: signal.Signals, status: int, word: str
):
    done = cut(folder, "--output-format", "concise", "--jobs", jobs, how=how)
    *found, summary, last = done.stdout.splitlines()
    assert [Path(line.partition(":")[0]).name for line in found] == [f"file{number}.py" for number in range(FILES - 1)]
    assert summary.startswith("Found 5 hazards (5 errors) in 5 of 5 files.")
    assert last == f"The check was {word}: 5 of 6 files were checked."
    assert done.stderr == f"inplace-lsp: {word}: 5 of 6 files were checked\n"
    assert done.returncode == status


def test_a_document_is_whole_and_says_what_it_can(folder: Path):
    found = json.loads(cut(folder, "--output-format", "json").stdout)
    assert [Path(finding["filename"]).name for finding in found] == [f"file{n}.py" for n in range(FILES - 1)]


def test_code_scanning_learns_that_the_check_was_cut(folder: Path):
    [made] = json.loads(cut(folder, "--output-format", "sarif").stdout)["runs"]
    assert len(made["results"]) == FILES - 1
    [invocation] = made["invocations"]
    assert invocation["executionSuccessful"] is False
    told = [note["message"]["text"] for note in invocation["toolExecutionNotifications"]]
    assert told == ["terminated: 5 of 6 files were checked"]


def test_a_report_of_tests_has_an_error(folder: Path):
    suites = ElementTree.fromstring(cut(folder, "--output-format", "junit").stdout)
    [error] = suites.iter("error")
    assert error.get("message") == "terminated: 5 of 6 files were checked"


def test_an_output_file_is_written(folder: Path, tmp_path: Path):
    target = tmp_path / "found.json"
    done = cut(folder, "--output-format", "json", "--output-file", str(target), "--quiet")
    assert len(json.loads(target.read_text())) == FILES - 1
    assert done.stdout == ""


def test_a_check_that_repairs_changes_nothing(folder: Path):
    done = cut(folder, "--fix")
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "inplace-lsp: terminated\n")
    assert (folder / "file0.py").read_text() == HAZARD


def test_a_baseline_is_not_written(folder: Path, tmp_path: Path):
    done = cut(folder, "--write-baseline", "--baseline", str(tmp_path / "known.json"))
    assert done.returncode == 2
    assert not (tmp_path / "known.json").exists()
