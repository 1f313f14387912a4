from __future__ import annotations

import os
import subprocess
import sys

import pytest

from cli.commandline import inplace_lsp
from inplace_lsp import __version__
from inplace_lsp.cli import commands, main
from inplace_lsp.hazards import registry


def test_version():
    assert inplace_lsp("--version").stdout == f"inplace-lsp, version {__version__}\n"


def test_help_lists_every_command():
    result = inplace_lsp("--help")
    assert result.exit_code == 0
    for command in commands.COMMANDS:
        assert f"\n  {command} " in result.stdout


def test_summaries_of_commands_are_whole():
    lines = inplace_lsp("--help").stdout.splitlines()
    summaries = lines[lines.index("Commands:") + 1 :]
    assert len(summaries) == len(commands.COMMANDS)
    assert [line for line in summaries if not line.endswith(".") or line.endswith("...")] == []


@pytest.mark.parametrize("command", list(commands.COMMANDS))
def test_every_command_has_help_that_fits(command: str):
    result = inplace_lsp(command, "--help")
    assert result.exit_code == 0
    assert [line for line in result.stdout.splitlines() if len(line) > 80] == []


@pytest.mark.parametrize("option", ["--select", "--ignore"])
def test_an_option_is_named_once_in_an_error(option: str):
    result = inplace_lsp("check", option, "IP9x")
    assert result.exit_code == 2
    assert f"Invalid value for '{option}': unknown code 'IP9x'; did you mean 'IP902'?" in result.stderr


@pytest.mark.parametrize(
    ("words", "completions"),
    [
        ("inplace-lsp ver", "plain,verify"),
        ("inplace-lsp check --sev", "plain,--severity"),
        ("inplace-lsp check --severity w", "plain,warning"),
        ("inplace-lsp check tr", "file,tr"),
        ("inplace-lsp verify tr", "file,tr"),
        ("inplace-lsp trace tr", "file,tr"),
    ],
)
def test_shells_complete_by_the_tab_key(words: str, completions: str):
    code = "import sys; sys.argv = ['inplace-lsp']; from inplace_lsp.cli.main import main; main()"
    number = str(len(words.split()) - 1)
    shell = {"_INPLACE_LSP_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": number}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={**os.environ, **shell}
    )
    assert done.stdout.split() == completions.split()


def test_unknown_command():
    result = inplace_lsp("chek")
    assert result.exit_code == 2
    assert "chek" in result.stderr


def test_start_up_imports_no_more_than_needed():
    heavy = "{'libcst', 'jedi', 'pygls', 'rich', 'torch'}"
    code = f"import sys, inplace_lsp.cli.commands; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_an_internal_error_is_one_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    def broken(*_: object, **__: object) -> None:
        raise ValueError("first\nsecond")

    monkeypatch.setattr(commands, "command_group", broken)
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
