"""Verify and the trace of the Neovim plugin, in a real Neovim, with the real server and torch."""

from __future__ import annotations

import pytest

from editors.neovim import TRUSTED
from editors.programs import FINE, PROGRAM, SLOW, WRITE

ASKED = TRUSTED.replace("trusted = true, ", "")
ANSWER = """
    _G.asked = {}
    vim.fn.confirm = function(question) table.insert(_G.asked, question) return %d end"""


def _verify(nvim, row: int = WRITE) -> None:
    nvim.nvim.call("cursor", row, 1)
    nvim.nvim.command("InplaceVerify")


def test_a_confirmed_hazard_opens_the_trace_and_enter_jumps(open_neovim):
    nvim = open_neovim(TRUSTED)
    nvim.edit("model.py", PROGRAM)
    nvim.diagnostics()
    _verify(nvim)
    text = nvim.floating()
    nvim.said("`loss`: confirmed")
    assert "clamp_ writes y" in text and "error" in text
    nvim.wait("return vim.diagnostic.get(nil)[1].message:find('Confirmed by running', 1, true)")
    (line,) = (at for at, line in enumerate(text.split("\n"), 1) if "clamp_ writes y" in line)
    nvim.nvim.call("cursor", line, 1)
    nvim.nvim.input("<CR>")
    nvim.wait("return #vim.api.nvim_list_wins() == 1")
    assert nvim.nvim.current.window.cursor == (WRITE, 4)


def test_the_line_of_the_event_is_lit_while_the_cursor_is_on_it(open_neovim):
    nvim = open_neovim(TRUSTED.replace("{ trusted", "{ trace_window = 'vsplit', trusted", 1))
    nvim.edit("model.py", PROGRAM)
    nvim.diagnostics()
    program = nvim.nvim.current.buffer
    nvim.nvim.call("cursor", WRITE, 1)
    nvim.nvim.command("InplaceTrace predicted")
    nvim.wait("return vim.bo.filetype == 'inplace-trace'")
    nvim.nvim.input("/clamp_ writes<CR>")
    lit = """local ns = vim.api.nvim_get_namespaces()['inplace-trace']
        return vim.tbl_map(function(m) return m[2] end, vim.api.nvim_buf_get_extmarks(a[1], ns, 0, -1, {}))"""
    nvim.wait(f"local f = function() {lit} end; return vim.deep_equal(f(), {{ a[2] }})", program.number, WRITE - 1)
    nvim.nvim.input("<CR>")
    nvim.wait("return vim.bo.filetype == 'python'")
    assert nvim.nvim.current.window.cursor == (WRITE, 4) and nvim.windows() == 2
    nvim.nvim.input("<C-w>pq")
    nvim.wait("return #vim.api.nvim_list_wins() == 1")
    assert nvim.lua(f"local a = {{ ... }}; {lit}", program.number) == []


def test_without_a_run_there_is_no_observed_trace_but_a_predicted_one(open_neovim):
    nvim = open_neovim(TRUSTED)
    nvim.edit("model.py", PROGRAM)
    nvim.diagnostics()
    nvim.nvim.call("cursor", WRITE, 1)
    nvim.nvim.command("InplaceTrace observed")
    nvim.said("there is no such trace here")
    assert nvim.windows() == 1
    nvim.nvim.command("InplaceTrace")
    assert "clamp_ writes y" in nvim.floating()
    nvim.nvim.input("q")
    nvim.wait("return #vim.api.nvim_list_wins() == 1")
    nvim.nvim.command("InplaceTrace nonsense")
    nvim.said("a trace is one of best, observed, predicted")


def test_the_last_line_of_a_trace_that_is_no_event_leads_nowhere(open_neovim):
    nvim = open_neovim(TRUSTED)
    nvim.edit("model.py", PROGRAM)
    nvim.diagnostics()
    nvim.nvim.call("cursor", WRITE, 1)
    nvim.nvim.command("InplaceTrace")
    nvim.floating()
    nvim.nvim.input("gg<CR>")
    assert nvim.windows() == 2


def test_progress_is_shown_and_a_run_can_be_stopped(open_neovim):
    nvim = open_neovim(TRUSTED)
    nvim.edit("slow.py", SLOW)
    nvim.attached()
    nvim.lua("""
        local echo = vim.api.nvim_echo
        _G.echoed = {}
        vim.api.nvim_echo = function(chunks, ...) table.insert(_G.echoed, chunks[1][1]) return echo(chunks, ...) end""")
    nvim.nvim.command("InplaceVerify!")
    nvim.said("nothing is being verified")
    _verify(nvim, 5)
    nvim.wait("return vim.startswith(require('inplace').status(), 'Verifying `forever`')")
    nvim.nvim.command("InplaceVerify")
    nvim.said("a function is being verified already")
    nvim.nvim.command("InplaceVerify!")
    nvim.said("Verifying `forever` was cancelled")
    nvim.wait("return require('inplace').status() == ''")
    assert "inplace-lsp: Verifying `forever`" in nvim.lua("return _G.echoed")
    assert nvim.windows() == 1


def test_not_reproduced_is_said_and_opens_nothing(open_neovim):
    nvim = open_neovim(TRUSTED)
    nvim.edit("fine.py", FINE)
    nvim.attached()
    _verify(nvim, 5)
    nvim.said("`fine`: not-reproduced")
    assert nvim.windows() == 1


@pytest.mark.parametrize("choice", [1, 2])
def test_trust_is_asked_for_once(open_neovim, choice):
    nvim = open_neovim(ASKED)
    nvim.lua(ANSWER % choice)
    nvim.edit("model.py", PROGRAM)
    nvim.diagnostics()
    for _ in range(2):
        _verify(nvim)
        nvim.floating()
        nvim.nvim.input("q")
        nvim.wait("return #vim.api.nvim_list_wins() == 1")
    (asked,) = nvim.lua("return _G.asked")
    assert str(nvim.folder) in asked
    kept = nvim.folder.parent / "state" / "nvim" / "inplace" / "trusted"
    assert (kept.read_text().splitlines() if kept.exists() else []) == ([str(nvim.folder)] if choice == 2 else [])
    nvim.nvim.command("InplaceTrust!")
    assert not kept.exists() or kept.read_text() == ""


def test_after_a_no_it_asks_again(open_neovim):
    nvim = open_neovim(ASKED)
    nvim.lua(ANSWER % 3)
    nvim.edit("model.py", PROGRAM.replace("import torch\n", "import torch\nopen('ran', 'w')\n"))
    nvim.diagnostics()
    _verify(nvim, WRITE + 1)
    _verify(nvim, WRITE + 1)
    nvim.said("nothing was run")
    assert len(nvim.lua("return _G.asked")) == 2
    nvim.nvim.command("InplaceTrust!")
    _verify(nvim, WRITE + 1)
    nvim.said("`:InplaceTrust` allows it")
    assert len(nvim.lua("return _G.asked")) == 2
    nvim.nvim.command("InplaceTrust")
    nvim.said("is trusted until Neovim ends")
    _verify(nvim, WRITE + 1)
    nvim.said("`loss`: ")


def test_the_setting_decides_for_all_folders(open_neovim):
    nvim = open_neovim(TRUSTED.replace("trusted = true", "trusted = false"))
    nvim.lua(ANSWER % 1)
    nvim.edit("model.py", PROGRAM)
    nvim.diagnostics()
    _verify(nvim)
    nvim.said("your setting `trusted = false` forbids it")
    assert nvim.lua("return #_G.asked") == 0
    nvim.nvim.command("InplaceTrust")
    nvim.said("your setting `trusted` decides")


def test_the_lens_over_a_function_asks_for_trust_too(open_neovim):
    nvim = open_neovim(ASKED)
    nvim.lua(ANSWER % 1)
    nvim.edit("model.py", PROGRAM)
    nvim.diagnostics()
    nvim.lua("vim.lsp.codelens.refresh({ bufnr = 0 })")
    nvim.wait("return #vim.lsp.codelens.get(0) > 0")
    nvim.nvim.call("cursor", 4, 1)
    nvim.lua("vim.lsp.codelens.run()")
    assert "clamp_ writes y" in nvim.floating()
    assert len(nvim.lua("return _G.asked")) == 1


def test_verify_among_the_repairs_asks_for_trust_too(open_neovim):
    nvim = open_neovim(ASKED)
    nvim.lua(ANSWER % 1)
    nvim.edit("model.py", PROGRAM)
    nvim.diagnostics()
    nvim.nvim.call("cursor", WRITE, 7)
    nvim.lua("""vim.lsp.buf.code_action({
        apply = true, filter = function(action) return action.title == "Verify by running" end })""")
    assert "clamp_ writes y" in nvim.floating()
    assert nvim.lua("return #_G.asked") == 1


def test_a_server_that_dies_while_verifying_leaves_nothing_behind(open_neovim):
    nvim = open_neovim(TRUSTED)
    nvim.edit("slow.py", SLOW)
    nvim.attached()
    _verify(nvim, 5)
    nvim.wait("return require('inplace').status() ~= ''")
    nvim.lua("for _, p in ipairs(vim.api.nvim_get_proc_children(vim.fn.getpid())) do vim.uv.kill(p, 'sigkill') end")
    nvim.wait("return require('inplace').status() == ''")
    nvim.nvim.command("InplaceRestart")
    nvim.attached()
    _verify(nvim, 5)
    nvim.wait("return vim.startswith(require('inplace').status(), 'Verifying `forever`')")
