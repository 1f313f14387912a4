"""The Neovim plugin in a real Neovim, with the real server."""

from __future__ import annotations

import re
import shutil
import sys
import time
from pathlib import Path

from editors import neovim
from editors.programs import PROGRAM, WRITE


def test_a_finding_is_told_and_drawn(open_neovim):
    nvim = open_neovim()
    nvim.edit("model.py", PROGRAM)
    (found,) = nvim.diagnostics()
    told = found["code"], found["source"], found["lnum"], found["col"], found["end_col"], found["severity"]
    assert told == ("IP101", "inplace-lsp", WRITE - 1, 4, 23, 1)
    assert "`y` is written here" in found["message"]
    marks = nvim.lua("""
        local marks = {}
        for _, info in pairs(vim.diagnostic.get_namespaces()) do
          local own = info.user_data.underline_ns
          for _, mark in ipairs(own and vim.api.nvim_buf_get_extmarks(0, own, 0, -1, { details = true }) or {}) do
            table.insert(marks, { mark[2], mark[3], mark[4].end_col, mark[4].hl_group })
          end
        end
        return marks""")
    assert [WRITE - 1, 4, 23, "DiagnosticUnderlineError"] in marks


def test_typing_changes_the_findings(open_neovim):
    nvim = open_neovim()
    nvim.edit("model.py", PROGRAM)
    nvim.diagnostics()
    nvim.nvim.input(f"{WRITE}GI# <Esc>")
    nvim.wait("return #vim.diagnostic.get(0) == 0")
    nvim.nvim.input("u")
    nvim.wait("return #vim.diagnostic.get(0) == 1")


def test_hover_tells_the_story(open_neovim):
    nvim = open_neovim()
    nvim.edit("model.py", PROGRAM)
    nvim.diagnostics()
    nvim.nvim.call("cursor", WRITE, 7)
    nvim.lua("vim.lsp.buf.hover()")
    text = nvim.floating()
    assert "IP101" in text and "sigmoid" in text


def test_a_repair_is_applied_and_saved(open_neovim):
    nvim = open_neovim()
    nvim.edit("model.py", PROGRAM)
    nvim.diagnostics()
    nvim.nvim.call("cursor", WRITE, 7)
    nvim.lua("""
        vim.ui.select = function(items, _, choose)
          _G.titles = vim.tbl_map(function(item) return (item.action or item[2]).title end, items)
          choose(items[1], 1)
        end
        vim.lsp.buf.code_action({ context = { only = { "quickfix" }, diagnostics = vim.lsp.diagnostic.from and
          vim.lsp.diagnostic.from(vim.diagnostic.get(0)) or nil } })""")
    nvim.wait("return vim.fn.getline(a[1]):find('clamp_', 1, true) == nil", WRITE)
    nvim.wait("return #vim.diagnostic.get(0) == 0")
    nvim.nvim.command("silent write")
    saved = (nvim.folder / "model.py").read_bytes().decode()
    expected = PROGRAM.replace("    y.clamp_(1e-6, 1.0)", "    y = y.clamp(1e-6, 1.0)")
    assert saved == expected, nvim.lua("return _G.titles")


def test_explain_shows_the_page_of_the_finding_at_the_cursor(open_neovim):
    nvim = open_neovim()
    nvim.edit("model.py", PROGRAM)
    nvim.diagnostics()
    nvim.nvim.command("InplaceExplain")
    nvim.said("there is no finding on this line")
    nvim.nvim.call("cursor", WRITE, 1)
    nvim.nvim.command("InplaceExplain")
    assert "saved-tensor-modified" in nvim.floating()
    assert nvim.nvim.current.buffer.options["filetype"] == "markdown"
    nvim.nvim.input("q")
    nvim.wait("return #vim.api.nvim_list_wins() == 1")
    assert nvim.nvim.call("getcompletion", "InplaceExplain ip", "cmdline") == ["IP101"]


def test_explain_of_an_unknown_code_is_one_message(open_neovim):
    nvim = open_neovim()
    nvim.edit("model.py", PROGRAM)
    nvim.attached()
    nvim.nvim.command("InplaceExplain IP999")
    nvim.said("there is no code 'IP999'")
    assert nvim.windows() == 1


def test_restart_takes_another_process_that_finds_the_same(open_neovim):
    nvim = open_neovim()
    nvim.edit("model.py", PROGRAM)
    nvim.diagnostics()
    before = nvim.children()
    nvim.nvim.command("InplaceRestart")
    nvim.attached()
    nvim.wait("return #vim.diagnostic.get(0) == 1")
    after = nvim.children()
    assert before and after and not set(before) & set(after)


def test_the_server_ends_with_neovim(open_neovim):
    nvim = open_neovim()
    nvim.edit("model.py", PROGRAM)
    nvim.diagnostics()
    servers = nvim.children()
    nvim.nvim.command("qa!", async_=True)
    deadline = time.monotonic() + 120
    while any(_lives(server) for server in servers) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert servers and not any(_lives(server) for server in servers)


def _lives(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def test_health_of_a_good_installation(open_neovim):
    nvim = open_neovim("{ trusted = true, interpreter = vim.fn.exepath('python') }")
    nvim.edit("model.py", PROGRAM)
    nvim.attached()
    report = _health(nvim)
    assert "Neovim 0." in report and "server: inplace-lsp" in report
    assert f"running for {nvim.folder}: 1 buffer" in report
    assert "Python for verify: 3." in report and "torch for verify: " in report
    assert "ERROR" not in report and "WARNING" not in report


def test_health_where_there_is_no_server(open_neovim):
    nvim = open_neovim("{ cmd = { '/nowhere/inplace-lsp', 'serve' }, interpreter = '/nowhere/python' }")
    report = _health(nvim)
    assert "ERROR the server does not start: /nowhere/inplace-lsp cannot be started" in report
    assert "ERROR Python for verify: /nowhere/python does not run" in report


def test_a_folders_own_python_is_not_run_for_the_health_of_an_untrusted_folder(open_neovim):
    nvim = open_neovim()
    python = nvim.folder / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(f"#!/bin/sh\ntouch {nvim.folder}/ran\n")
    python.chmod(0o755)
    nvim.edit("model.py", PROGRAM)
    nvim.attached()
    assert "was not looked at: its folder is not trusted" in _health(nvim)
    assert not (nvim.folder / "ran").exists()


def _health(nvim) -> str:
    nvim.nvim.command("checkhealth inplace")
    return "\n".join(nvim.nvim.current.buffer[:])


def test_modules_of_the_current_folder_are_not_run_as_the_server(open_neovim, monkeypatch, tmp_path):
    python = tmp_path / "bin" / "python3"
    python.parent.mkdir()
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')  # a link would lose the virtual environment
    python.chmod(0o755)
    monkeypatch.setenv("PATH", f"{python.parent}:/usr/bin:/bin")
    nvim = open_neovim()
    (nvim.folder / "click.py").write_text(f"open({str(nvim.folder / 'ran')!r}, 'w')\n")
    command = nvim.lua("return require('inplace.server').command()")
    assert command[-1] == "serve" and not (nvim.folder / "ran").exists()


def test_bad_settings_are_named_and_the_defaults_stand(open_neovim):
    nvim = open_neovim("{ trace_window = 'tab', colour = 1 }")
    said = nvim.messages()
    assert "`trace_window` must be one of float, split, vsplit" in said and "no setting `colour`" in said
    assert nvim.lua("return require('inplace.settings').get().trace_window") == "float"


def test_without_a_server_a_python_file_opens_with_one_message(open_neovim, monkeypatch, tmp_path):
    (tmp_path / "empty").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    nvim = open_neovim()
    nvim.edit("one.py", "x = 1\n")
    nvim.edit("two.py", "x = 1\n")
    assert nvim.messages().count("the server was not found: pip install inplace-lsp") == 1
    nvim.nvim.command("InplaceTrace")
    nvim.said("the server does not run for this buffer")


def test_help_is_found_by_its_tags_and_its_links_lead_somewhere(open_neovim, tmp_path):
    shutil.copytree(neovim.PLUGIN / "doc", tmp_path / "site" / "doc", ignore=shutil.ignore_patterns("tags"))
    nvim = open_neovim()
    nvim.nvim.command(f"set runtimepath^={tmp_path}/site | helptags {tmp_path}/site/doc")
    nvim.nvim.command("help inplace-settings")
    assert nvim.nvim.current.buffer.name.endswith("doc/inplace.txt")
    text = "\n".join(nvim.nvim.current.buffer[:])
    for tag in re.findall(r"\|(\S+)\|", text):
        nvim.nvim.command(f"help {tag}")
    commands = nvim.lua("return vim.tbl_keys(vim.api.nvim_get_commands({}))")
    for command in (command for command in commands if command.startswith("Inplace")):
        assert f"*:{command}*" in text
