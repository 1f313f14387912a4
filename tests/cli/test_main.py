from __future__ import annotations

import subprocess
import sys

import pytest

from cli.commandline import inplace_lsp
from inplace_lsp import __version__
from inplace_lsp.cli import main
from inplace_lsp.hazards import registry


def test_version():
    assert inplace_lsp("--version").stdout == f"inplace-lsp, version {__version__}\n"


def test_help_lists_every_command():
    result = inplace_lsp("--help")
    assert result.exit_code == 0
    for command in main.COMMANDS:
        assert f"\n  {command} " in result.stdout


@pytest.mark.parametrize("command", list(main.COMMANDS))
def test_every_command_has_help(command: str):
    assert inplace_lsp(command, "--help").exit_code == 0


def test_unknown_command():
    result = inplace_lsp("chek")
    assert result.exit_code == 2
    assert "chek" in result.stderr


def test_start_up_imports_no_more_than_needed():
    heavy = "{'libcst', 'jedi', 'pygls', 'rich', 'torch'}"
    code = f"import sys, inplace_lsp.cli.main; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_an_internal_error_is_one_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    def broken() -> None:
        raise ValueError("first\nsecond")

    monkeypatch.setattr(main, "group", broken)
    with pytest.raises(SystemExit) as exited:
        main.main()
    assert exited.value.code == 2
    assert capsys.readouterr().err.startswith("inplace-lsp: internal error: ValueError at ")


@pytest.mark.parametrize("code", [*registry.CODES, "IP901"])
def test_every_code_is_explained(code: str):
    result = inplace_lsp("explain", code.lower())
    assert result.exit_code == 0
    assert code in result.stdout


def test_explain_by_name_and_without():
    assert inplace_lsp("explain", "saved-tensor-modified").stdout == inplace_lsp("explain", "IP101").stdout
    assert all(code in inplace_lsp("explain").stdout for code in registry.CODES)


def test_explain_what_does_not_exist():
    result = inplace_lsp("explain", "IP999")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "IP101" in result.stderr
