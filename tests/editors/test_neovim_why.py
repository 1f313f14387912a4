"""`:InplaceWhy` of the Neovim plugin, in a real Neovim with the real server: from an error's text to its write."""

from __future__ import annotations

import pytest

from editors.programs import FINE, PROGRAM, WRITE

MESSAGE = (
    "RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation: "
    "[torch.FloatTensor [4]], which is output 0 of SigmoidBackward0, is at version 1; expected version 0 instead."
)


@pytest.fixture
def nvim(open_neovim):
    """A Neovim with a harmless file open, and the write in another one of its folder."""
    opened = open_neovim("{}")
    (opened.folder / "model.py").write_text(PROGRAM, encoding="utf-8")
    opened.edit("fine.py", FINE)
    opened.attached()
    return opened


def _quickfix(nvim) -> list[tuple[str, int]]:
    found = nvim.nvim.call("getqflist")
    return [(nvim.nvim.call("bufname", entry["bufnr"]).rpartition("/")[2], entry["lnum"]) for entry in found]


def test_from_a_register_to_the_line(nvim):
    nvim.nvim.call("setreg", "a", MESSAGE)
    nvim.nvim.command("InplaceWhy a")
    assert f"model.py:{WRITE}:5: IP101" in nvim.floating()
    assert _quickfix(nvim) == [("model.py", WRITE)]
    nvim.nvim.input("<CR>")
    nvim.wait("return #vim.api.nvim_list_wins() == 1 and vim.api.nvim_win_get_cursor(0)[1] > 1")
    assert nvim.nvim.current.buffer.name.endswith("model.py")
    assert nvim.nvim.current.window.cursor == (WRITE, 4)


def test_from_what_was_yanked_and_from_a_range(nvim):
    nvim.nvim.call("setreg", '"', MESSAGE)
    nvim.nvim.command("InplaceWhy")
    assert "SigmoidBackward0" in nvim.floating()
    nvim.nvim.input("q")
    nvim.wait("return #vim.api.nvim_list_wins() == 1")
    nvim.nvim.command("new")
    nvim.nvim.current.buffer[:] = ["before", MESSAGE, "after"]
    nvim.nvim.command("2,2InplaceWhy")
    assert f"model.py:{WRITE}:5: IP101" in nvim.floating()


def test_from_the_output_of_a_terminal(nvim):
    (nvim.folder / "log").write_text(f"epoch 1\n{MESSAGE}\n", encoding="utf-8")
    nvim.nvim.command(f"terminal cat {nvim.folder}/log")
    nvim.wait("return vim.fn.search('Process exited', 'nw') > 0")
    nvim.nvim.command("InplaceWhy")
    assert f"model.py:{WRITE}:5: IP101" in nvim.floating()


def test_from_quickfix(nvim):
    nvim.nvim.call("setqflist", [{"text": "epoch 1"}, {"text": MESSAGE}])
    nvim.nvim.command("copen")
    nvim.nvim.command("InplaceWhy")
    assert f"model.py:{WRITE}:5: IP101" in nvim.floating()
    assert _quickfix(nvim) == [("model.py", WRITE)]


def test_a_text_without_an_error(nvim):
    nvim.nvim.call("setreg", "a", "hello")
    nvim.nvim.command("InplaceWhy a")
    nvim.said("that is not a PyTorch error about an in-place write")
    assert nvim.windows() == 1
