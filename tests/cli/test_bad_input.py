"""Input that nobody wants to meet: a clear line or an answer each, the contract's exit status, never a traceback."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from junitparser import JUnitXml

from cli.commandline import HAZARD, inplace_lsp, rows
from cli.test_why import MESSAGE
from report.test_sarif import VALIDATOR


def check_next_to_a_hazard(folder: Path, name: str, data: bytes, *options: str) -> str:
    """Check a folder with the file and a good one: the good one is still answered for. What stderr says."""
    (folder / name).write_bytes(data)
    (folder / "z_hazard.py").write_text(HAZARD)
    result = inplace_lsp("check", folder, *options)
    assert "z_hazard.py:5:1: error[IP101]" in result.stdout
    assert result.exit_code == (2 if result.stderr else 1)
    return result.stderr.removeprefix(f"inplace-lsp: cannot check {folder}/")


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"\x7fELF\x02\x01\x01\0\0\0", "a binary file, not Python source (it holds null bytes)"),
        ("x = 1\n".encode("utf-16"), "a binary file, not Python source (it holds null bytes)"),
        (b"x = '\xff'\n", "cannot be decoded: not valid UTF-8, and no other encoding is declared"),
        (b"a = 1\nb = 2\nx = '\xff'\n", "not valid utf-8 (byte 17)"),
        (b"# coding: nonsense\n", "cannot be decoded: unknown encoding: nonsense"),
        (b"# coding: hex\nzz\n", "cannot be decoded: 'hex' is not a text encoding"),
        (
            b"\xef\xbb\xbf# coding: latin-1\n",
            "cannot be decoded: the byte order mark says UTF-8, but the encoding comment names another encoding",
        ),
    ],
)
def test_undecodable_files_are_named_and_the_rest_is_checked(tmp_path: Path, data: bytes, why: str):
    assert check_next_to_a_hazard(tmp_path, "bad.py", data) == f"bad.py: {why}\n"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n\n\n",
        "# nothing\n",
        "\ufeff",
        "\x0c\n",
        "def f(x:\n    y = x.exp(\n",
        "def f(x):\n    y = x.exp()\n    y.add_(1\n    return y\n\ndef g(x):\n    return x\n",
        "class\n",
        "x = '''never closed\n",
        "if True:\n\t x = 1\n        y = 2\n",
        "x = f'{'\n",
        "import torch\nx = torch.\n",
        "@\ndef f(): pass\n",
        "x =" + "\\\n" * 200,
        "\\",
        "x = 0777\nprint 'old'\n",
        "match x:\n    case [1, *_]: pass\ntype X[T] = list[T]\nf'{f'{1}'}'\n",
    ],
)
def test_empty_and_half_typed_files_are_no_problem_where_that_is_allowed(tmp_path: Path, text: str):
    assert check_next_to_a_hazard(tmp_path, "odd.py", text.encode(), "--allow-syntax-errors") == ""


@pytest.mark.parametrize(
    "text",
    [
        "x = " + "(" * 1000 + "1" + ")" * 1000 + "\n",
        "x = " + "(" * 5000 + "1" + ")" * 5000 + "\n",
        "x = " + "[" * 20000 + "\n",
        "x = " + "-" * 20000 + "1\n",
        "x = " + "1 + " * 20000 + "1\n",
        "x = y" + ".exp()" * 5000 + "\n",
        "x = y" + "[0]" * 5000 + "\n",
        "x = " + "lambda: " * 3000 + "0\n",
        "x = " + "not " * 3000 + "0\n",
        "x = " + "1 if a else " * 3000 + "0\n",
        "".join("    " * depth + "if x:\n" for depth in range(95)) + "    " * 95 + "pass\n",
        "".join(" " * depth + "if x:\n" for depth in range(500)) + " " * 500 + "pass\n",
        "".join(" " * depth + f"def f{depth}():\n" for depth in range(90)) + " " * 90 + "pass\n",
        "if x:\n    pass\n" + "elif y:\n    pass\n" * 2000,
    ],
    ids=[
        *("1000 parentheses", "5000 parentheses", "20000 open", "20000 minus", "20000 plus", "5000 calls"),
        *("5000 subscripts", "3000 lambdas", "3000 not", "3000 conditions", "95 if", "500 if", "90 def", "2000 elif"),
    ],
)
def test_deeply_nested_files(tmp_path: Path, text: str):
    assert check_next_to_a_hazard(tmp_path, "deep.py", text.encode(), "--allow-syntax-errors") == ""


@pytest.mark.parametrize(
    "call",
    [
        "torch.cat([torch.tensor(1.0), torch.tensor(2.0)])",
        "torch.rand(4).chunk(0)",
        "torch.rand(4).unflatten(0, (0, -1))",
        "torch.rand(3, 3).reshape(0, -1)",
        "torch.rand(3)[5:1:0]",
        "torch.rand(3).view(-1, -1)",
        "torch.rand(2, 2).transpose(7, 9)",
        "torch.stack([])",
        "torch.rand(10**400)",
        "torch.rand(len([1, 2][::0]))",
        "torch.rand(3)[10:2:-1]",
        "torch.rand(3)[None, ..., ..., 0]",
        "torch.rand(3).expand(-1, -1, 0)",
        "torch.rand(3).split(0)",
        "torch.rand(3).split([])",
        "torch.rand(3).repeat()",
        "torch.rand(3).permute()",
        "torch.rand(3).as_strided((), ())",
        "torch.rand(3).unfold(0, 9, 0)",
        "torch.rand(3).narrow(0, 5, -5)",
        "torch.nn.Conv2d(0, 0, 0, 0)(torch.rand(3))",
        "torch.nn.Linear()",
        "torch.nn.functional.max_pool2d(torch.rand(1, 1, 4, 4), 0)",
        "torch.einsum('', torch.rand(3))",
        "(lambda f: f(f))(lambda f: f(f))",
        "[0] * 10**9",
        "'x' * 10**12",
        "10**12 * 'x'",
        "10 ** 10 ** 10",
        "1 << 10**12",
        "range(10**18)[5:10**17:0]",
        "1 / 0 + 1 % 0 + 1 // 0",
        "int('9' * 5000)",
        "f'{1:>1000000000000}'",
        "'%1000000000000d' % 1",
        "'%*d' % (10**12, 1)",
        "'%d %d' % (1,)",
        "'{:1000000000000d}'.format(1)",
        "'{0.real.foo}'.format(1)",
        "str(1 << 99999)",
        "f'{1 << 99999}'",
    ],
)
def test_calls_that_torch_refuses_are_no_problem_of_ours(tmp_path: Path, call: str):
    text = f"import torch\nx = torch.rand(3, requires_grad=True)\ny = {call}\ny.mul_(2)\n"
    assert check_next_to_a_hazard(tmp_path, "odd.py", text.encode()) == ""


def test_fifty_thousand_lines(tmp_path: Path):
    body = "".join(f"def f{number}(x):\n    y = x * {number}\n    return y\n\n\n" for number in range(10_000))
    assert check_next_to_a_hazard(tmp_path, "long.py", body.encode()) == ""


@pytest.mark.parametrize(
    ("data", "row"),
    [
        (b"\xef\xbb\xbf" + HAZARD.encode(), 5),
        (HAZARD.replace("\n", "\r\n").encode(), 5),
        (HAZARD.replace("\n", "\r").encode(), 5),
        (b"# coding: latin-1\n# \xe9\n" + HAZARD.encode(), 7),
        (b"#!/usr/bin/env python\n# vim: set fileencoding=cp1252 :\n# \x80\n" + HAZARD.encode(), 8),
        (HAZARD.encode().replace(b"y = x", b"\x0c\ny = x"), 6),
        (HAZARD.rstrip("\n").encode(), 5),
    ],
    ids=["bom", "crlf", "cr", "latin-1", "cp1252", "form feed", "no newline at the end"],
)
def test_encodings_and_line_ends(tmp_path: Path, data: bytes, row: int):
    (tmp_path / "train.py").write_bytes(data)
    assert rows(tmp_path) == [("train.py", row, "IP101")]


def test_a_notebook_is_not_taken_for_python(tmp_path: Path):
    (tmp_path / "study.ipynb").write_text('{"cells": []}')
    result = inplace_lsp("tape", f"{tmp_path}/study.ipynb:1")
    assert (result.exit_code, result.stdout) == (2, "")
    assert ": a notebook, which only `check`, `verify` and editors read" in result.stderr


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no notebook: it is not valid JSON"),
        ("[" * 100_000, "no notebook: it is not valid JSON"),
        ("[]", "no notebook: it has no list of cells"),
        ('{"cells": {}}', "no notebook: it has no list of cells"),
        ('{"worksheets": []}', "a notebook of a version before 4"),
    ],
    ids=["empty", "deep", "array", "no cells", "old"],
)
def test_what_is_no_notebook_is_named(tmp_path: Path, text: str, why: str):
    (tmp_path / "study.ipynb").write_text(text)
    result = inplace_lsp("check", tmp_path)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"inplace-lsp: cannot check {tmp_path}/study.ipynb: {why}")


def test_what_does_not_parse_is_a_failure_and_the_rest_is_checked(tmp_path: Path):
    (tmp_path / "a.py").write_text(HAZARD + "def f(:\n")
    result = inplace_lsp("check", tmp_path)
    assert result.exit_code == 2
    assert result.stderr == (
        f"inplace-lsp: cannot check {tmp_path}/a.py:7: syntax error: invalid syntax; the rest of the file is checked\n"
    )
    assert "a.py:5:1: error[IP101]" in result.stdout
    assert "does not parse" not in result.stdout
    (tmp_path / "a.py").write_text("class\n\nx = 1\n\ny = (\n")
    result = inplace_lsp("check", tmp_path, "--output-format", "json", "--quiet")
    assert (result.exit_code, result.stdout) == (2, "[]\n")
    assert "a.py:1: syntax error: invalid syntax (and 1 more); the rest" in result.stderr


def test_a_cell_that_does_not_parse(tmp_path: Path):
    cells = [{"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": source}
             for source in (["x = 1"], ["y = (\n"])]  # fmt: skip
    notebook = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (tmp_path / "study.ipynb").write_text(json.dumps(notebook))
    result = inplace_lsp("check", tmp_path)
    assert (result.exit_code, "study.ipynb:cell 2:1: syntax error: " in result.stderr) == (2, True)


BROKEN = "def f(x):\n    y = 1\n    y = (\n    return y\n"


def check_what_fails(folder: Path, output_format: str, *options: str) -> str:
    """What a format says of a file and a cell that do not parse, and of a path that is not there."""
    (folder / "a.py").write_text(BROKEN + "\n\nclass A:\n    def g(self):\n        return 1 +\n")
    source = [{"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": text}
              for text in (["x = 1"], BROKEN.splitlines(keepends=True))]  # fmt: skip
    notebook = {"cells": source, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (folder / "study.ipynb").write_text(json.dumps(notebook, indent=1))
    result = inplace_lsp("check", "--output-format", output_format, folder, folder / "gone", *options)
    assert result.exit_code == 2
    return result.stdout


def test_an_annotation_for_what_does_not_parse(tmp_path: Path):
    told = check_what_fails(tmp_path, "github")
    [row] = [row for row, line in enumerate((tmp_path / "study.ipynb").read_text().split("\n"), 1) if "y = (" in line]
    why = "syntax error: '(' was never closed"
    assert told.splitlines() == [
        f"::error title=inplace-lsp::{tmp_path}/gone: no such file or folder",
        f"::error title=inplace-lsp,file={tmp_path}/a.py,line=3::{why} (and 1 more); the rest of the file is checked",
        f"::error title=inplace-lsp,file={tmp_path}/study.ipynb,line={row}::{why}; the rest of the file is checked",
    ]
    allowed = check_what_fails(tmp_path, "github", "--allow-syntax-errors")
    assert allowed == f"::error title=inplace-lsp::{tmp_path}/gone: no such file or folder\n"


def test_a_failed_test_for_what_does_not_parse(tmp_path: Path):
    report = JUnitXml.fromstring(check_what_fails(tmp_path, "junit").encode())
    assert (report.tests, report.failures, report.errors) == (3, 0, 3)
    assert [suite.name for suite in report] == [f"{tmp_path}/a.py", "inplace-lsp", f"{tmp_path}/study.ipynb:cell 2"]
    assert [case._elem.get("line") for suite in report for case in suite] == ["3", None, "3"]


def test_a_scan_of_what_does_not_parse_has_failed(tmp_path: Path):
    log = json.loads(check_what_fails(tmp_path, "sarif"))
    VALIDATOR.validate(log)
    [invocation] = log["runs"][0]["invocations"]
    assert not invocation["executionSuccessful"]
    gone, broken, _ = invocation["toolExecutionNotifications"]
    assert "locations" not in gone
    assert broken["locations"][0]["physicalLocation"]["region"] == {"startLine": 3}


def test_what_is_no_python_is_told_so(tmp_path: Path):
    (tmp_path / "notes.txt").write_text("Three things to do today\n\n- one\n")
    result = inplace_lsp("check", tmp_path / "notes.txt")
    assert result.exit_code == 2
    assert result.stderr.startswith(f"inplace-lsp: cannot check {tmp_path}/notes.txt: it is not Python: line 1: ")
    (tmp_path / "script").write_text(HAZARD)
    assert inplace_lsp("check", tmp_path / "script").exit_code == 1


def test_a_trace_on_a_line_that_does_not_parse(tmp_path: Path):
    (tmp_path / "a.py").write_text("x = 1\ny = (\n")
    result = inplace_lsp("tape", f"{tmp_path}/a.py:2")
    assert (result.exit_code, "a.py:2: syntax error: '(' was never closed" in result.stderr) == (2, True)


def test_what_does_not_parse_is_counted_at_the_end_if_it_is_allowed(tmp_path: Path):
    (tmp_path / "a.py").write_text("def f(:\n")
    result = inplace_lsp("check", tmp_path, "--allow-syntax-errors")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == (
        f"Nothing found in 1 file.\n1 statement does not parse and was left out: {tmp_path}/a.py:1\n"
    )
    (tmp_path / "b.py").write_text("x = 1\ny = (\n")
    told = inplace_lsp("check", tmp_path, "--allow-syntax-errors").stdout
    assert "2 statements do not parse and were left out, the first at " in told
    assert "parse" not in inplace_lsp("check", tmp_path, "--allow-syntax-errors", "--quiet").output


def test_missing_path(tmp_path: Path):
    (tmp_path / "train.py").write_text(HAZARD)
    result = inplace_lsp("check", tmp_path / "no.py", tmp_path)
    assert result.exit_code == 2
    assert result.stderr == f"inplace-lsp: cannot check {tmp_path}/no.py: no such file or folder\n"
    assert "train.py:5:1" in result.stdout


def test_dangling_link(tmp_path: Path):
    (tmp_path / "link.py").symlink_to(tmp_path / "nowhere.py")
    result = inplace_lsp("check", tmp_path / "link.py")
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert "No such file" in result.stderr


@pytest.fixture
def nobody() -> Iterator[Path]:
    """A folder that can be reached without being root, and a process that is not root while it is used."""
    inplace_lsp("check", "-", stdin="import torch")  # what is imported late may not be readable for nobody
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    if os.getuid() == 0:
        os.seteuid(0)
    (folder / "a").chmod(0o700)
    shutil.rmtree(folder)


def test_no_permission(nobody: Path):
    (nobody / "a").mkdir(mode=0)
    (nobody / "b.py").write_text(HAZARD)
    (nobody / "b.py").chmod(0)
    if os.geteuid() == 0:
        os.seteuid(65534)
    result = inplace_lsp("check", nobody)
    assert result.exit_code == 2
    assert result.stderr.splitlines() == [
        f"inplace-lsp: cannot check {nobody}/a: Permission denied",
        f"inplace-lsp: cannot check {nobody}/b.py: Permission denied",
    ]


@pytest.mark.parametrize("error", [PermissionError(13, "Permission denied"), OSError(5, "Input/output error")])
def test_a_file_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: OSError):
    (tmp_path / "a.py").write_text(HAZARD)
    (tmp_path / "b.py").write_text(HAZARD)
    real = os.open

    def refuse(path: str, *arguments: int) -> int:
        if Path(path).name == "a.py":
            raise error
        return real(path, *arguments)

    monkeypatch.setattr(os, "open", refuse)
    result = inplace_lsp("check", tmp_path)
    assert result.exit_code == 2
    assert result.stderr == f"inplace-lsp: cannot check {tmp_path}/a.py: {error.strerror}\n"
    assert "b.py:5:1" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--nonsense"], "No such option"),
        (["--output-format", "xml"], "'xml' is not one of"),
        (["--select", "E501"], "unknown code 'E501'"),
        (["--jobs", "0"], "0 is not in the range"),
    ],
)
def test_bad_options(arguments: list[str], why: str):
    result = inplace_lsp("check", *arguments)
    assert result.exit_code == 2
    assert why in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize(
    "text",
    [
        "[tool.inplace-lsp]\nselekt = []\n",
        "[tool.inplace-lsp\n",
        '[tool.inplace-lsp]\nexclude = ["!"]\n',
        "[tool.inplace-lsp.per-file-ignores]\n'!' = ['IP101']\n",
        f"x = {'[' * 5000}{']' * 5000}\n",
        '[tool.inplace-lsp]\nmodels = ["/"]\n',
    ],
)
def test_broken_configuration_is_one_line_and_the_files_are_checked(tmp_path: Path, text: str):
    (tmp_path / "pyproject.toml").write_text(text)
    for name in ("train.py", "other.py"):
        (tmp_path / name).write_text(HAZARD)
    result = inplace_lsp("check", tmp_path)
    assert (result.exit_code, result.stdout.count("error[IP101]")) == (2, 2)
    line, rest = result.stderr.split("\n", 1)
    assert line.startswith(f"inplace-lsp: cannot use {tmp_path}/pyproject.toml: ")
    assert line.endswith("The defaults are used.")
    assert "pyproject" not in rest
    explained = inplace_lsp("why", "-", tmp_path, stdin=MESSAGE)
    assert "train.py:" in explained.stdout
    assert line in explained.stderr


@pytest.mark.parametrize("options", [["--fix"], ["--diff"], ["--suppress", "because"]])
def test_nothing_is_written_where_the_configuration_cannot_be_read(tmp_path: Path, options: list[str]):
    (tmp_path / "pyproject.toml").write_text("[tool.inplace-lsp]\nselekt = []\n")
    (tmp_path / "train.py").write_text(HAZARD)
    result = inplace_lsp("check", *options, tmp_path)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert (tmp_path / "train.py").read_text() == HAZARD


def test_binary_standard_input():
    result = inplace_lsp("check", "-", stdin=b"\0\1\2")
    assert result.exit_code == 2
    assert "standard input: a binary file" in result.stderr


@pytest.mark.skipif(os.name != "posix", reason="a shell script")
@pytest.mark.parametrize(
    ("script", "why"),
    [
        ('"$0" -m inplace_lsp check - <&-', "cannot check standard input: it is closed"),
        ('mkdir gone && cd gone && rmdir ../gone && "$0" -m inplace_lsp check', "the current folder cannot be used"),
    ],
)
def test_surroundings_that_are_not_there(tmp_path: Path, script: str, why: str):
    done = subprocess.run(
        ["sh", "-c", script, sys.executable], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert done.stderr.startswith(f"inplace-lsp: {why}")
