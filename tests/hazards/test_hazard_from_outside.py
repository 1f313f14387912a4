"""A hazard is one file: what a module `ip*.py` brings is found, explained, listed, written and documented."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HAZARD = '''
from inplace_lsp.hazards.hazard import ExampleProgram, Hazard
from inplace_lsp.hazards.refused import report_at
from inplace_lsp.tape.model import ALWAYS, Write

PROGRAM = """
import torch

kept = torch.ones(3)
kept.zero_()  # error: IP199
"""


def find_hazards(tape):
    for _, write in tape.events_of(Write):
        if write.op == "zero_":
            message = "this clears a tensor."
            yield report_at(tape, "IP199", "tensor-cleared", write, when=ALWAYS, message=message)


HAZARD = Hazard(
    code="IP199",
    name="tensor-cleared",
    summary="A tensor is cleared in place.",
    what="Finds `zero_`.",
    why="Its values are lost.",
    instead="Make a new tensor of zeros.",
    fix_safety="There is no repair.",
    examples=(ExampleProgram("Cleared", PROGRAM), ExampleProgram("New", PROGRAM.split("kept.zero_")[0])),
    find=find_hazards,
    events=frozenset((Write,)),
    absence="was not full",
    error_kinds=("other",),
    error_pattern="cannot clear a tensor",
    is_repairable=False,
)
'''
START = """
import sys
from inplace_lsp import hazards

hazards.__path__.append(sys.argv.pop(1))
"""
PROGRAM = "import torch\n\nkept = torch.ones(3)\nkept.zero_()\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "ip199.py").write_text(HAZARD)
    (tmp_path / "clear.py").write_text(PROGRAM)
    return tmp_path


def run(folder: Path, code: str, *arguments: str, given: str = "") -> str:
    command = [sys.executable, "-c", START + code, str(folder / "outside"), *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}  # of tools/
    done = subprocess.run(
        command, cwd=folder, env=environment, input=given, capture_output=True, text=True, check=False
    )
    assert "Traceback" not in done.stderr and done.returncode < 2, done.stderr
    return done.stdout


def command_line(folder: Path, *arguments: str, given: str = "") -> str:
    return run(folder, "from inplace_lsp.cli.main import main; main()", *arguments, given=given)


def test_it_is_found_and_written(folder: Path):
    said = command_line(folder, "check", "--no-cache", "clear.py")
    assert "4:1" in said and "IP199" in said and "make a new tensor of zeros" in said
    (found,) = json.loads(command_line(folder, "check", "--no-cache", "--output-format", "json", "clear.py"))
    assert (found["code"], found["name"], found["location"]["row"]) == ("IP199", "tensor-cleared", 4)
    log = json.loads(command_line(folder, "check", "--no-cache", "--output-format", "sarif", "clear.py"))
    (rule,) = log["runs"][0]["tool"]["driver"]["rules"]
    assert (rule["id"], rule["shortDescription"]["text"]) == ("IP199", "A tensor is cleared in place.")
    assert "Finds `zero_`." in rule["help"]["markdown"]


def test_it_is_selected_and_ignored(folder: Path):
    assert "IP199" in command_line(folder, "check", "--no-cache", "--select", "IP199", "clear.py")
    assert "IP199" not in command_line(folder, "check", "--no-cache", "--ignore", "IP199", "clear.py")
    assert "IP199" in command_line(folder, "check", "--show-settings", ".").split("# reported:")[1]


def test_it_is_explained_and_listed(folder: Path):
    assert "Its values are lost." in command_line(folder, "explain", "ip199")
    assert "IP199" in command_line(folder, "explain")


def test_it_is_documented(folder: Path):
    code = """
import json
from inplace_lsp.report.pages import markdown_pages
from tools.pages.config_schema import build_schema
codes = [known.get("const") for known in build_schema()["definitions"]["code"]["anyOf"]]
print(json.dumps([markdown_pages(), codes]))
"""
    pages, codes = json.loads(run(folder, code))
    assert "# tensor-cleared (IP199)" in pages["IP199.md"]
    assert "| [IP199](IP199.md) | tensor-cleared | A tensor is cleared in place. |" in pages["README.md"]
    assert "IP199" in codes


def test_its_error_is_traced_back(folder: Path):
    given = f'Traceback:\n  File "{folder / "clear.py"}", line 4, in <module>\nRuntimeError: cannot clear a tensor\n'
    told = json.loads(command_line(folder, "why", "--output-format", "json", "-", ".", given=given))
    assert "IP199" in json.dumps(told)


def test_its_absence_is_explained(folder: Path):
    code = """
from dataclasses import replace
from inplace_lsp.engine import analyse_source
from inplace_lsp.verify.absence import explain_absence
text = open("clear.py").read()
analysis = analyse_source(text, "clear.py")
print(explain_absence(analysis.findings, next(tape for tape in analysis.tapes if tape.events), text))
"""
    assert run(folder, code) == "what line 4 wrote was not full\n"
