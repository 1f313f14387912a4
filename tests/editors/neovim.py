"""A real Neovim without a screen, with the plugin as a user has it, driven through its own protocol."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

PLUGIN = Path(__file__).parents[2] / "nvim-client"
WAIT_MS = 180_000
OLDEST = (0, 10)
MISSING = "tests in Neovim, for want of Neovim 0.10 or later and pynvim: pip install -e '.[editors]'"

TRUSTED = f"{{ trusted = true, interpreter = {sys.executable!r}, server = {{ device = 'cpu', verifyTimeout = 60 }} }}"
"""Settings of the plugin with which code is run at once."""
INIT = """
vim.opt.runtimepath:prepend({plugin!r})
require("inplace").setup({setup})
"""


def executables() -> list[str]:
    """Every Neovim that the tests run on: those of NVIM_BIN, else that beside this Python, else that of the PATH."""
    if named := os.environ.get("NVIM_BIN"):
        return named.split(os.pathsep)
    beside = Path(sys.executable).with_name("nvim")
    found = str(beside) if beside.exists() else shutil.which("nvim")
    return [found] if found and _is_new_enough(found) else []


def _is_new_enough(executable: str) -> bool:
    told = subprocess.run([executable, "--version"], capture_output=True, text=True, check=False).stdout
    version = re.match(r"NVIM v(\d+)\.(\d+)", told)
    return version is not None and (int(version[1]), int(version[2])) >= OLDEST


class Neovim:
    """One Neovim; its current folder is `folder`."""

    def __init__(self, nvim: Any, folder: Path) -> None:
        self.nvim = nvim
        self.folder = folder

    def lua(self, code: str, *arguments: object) -> Any:
        """What Lua code returns."""
        return self.nvim.exec_lua(code, *arguments)

    def wait(self, condition: str, *arguments: object) -> None:
        """Wait until a piece of Lua returns something true; Neovim goes on meanwhile."""
        code = f"local a = {{...}}; return (vim.wait({WAIT_MS}, function() {condition} end, 20))"
        assert self.lua(code, *arguments), f"timed out: {condition}\n{self.messages()}\n{self.log()}"

    def messages(self) -> str:
        """All that was said so far."""
        return str(self.nvim.command_output("messages"))

    def said(self, words: str) -> None:
        """Wait until a message holds `words`."""
        self.wait("return vim.api.nvim_exec2('messages', {output = true}).output:find(a[1], 1, true) ~= nil", words)

    def log(self) -> str:
        """Neovim's log of its language servers."""
        path = Path(self.lua("return vim.lsp.get_log_path()"))
        return path.read_text(errors="replace")[-3000:] if path.exists() else ""

    def edit(self, name: str, text: str) -> None:
        """Write a file and open it."""
        (self.folder / name).write_text(text, encoding="utf-8")
        self.nvim.command(f"edit {name}")

    def attached(self) -> None:
        """Wait for the server."""
        self.wait(
            "local c = vim.lsp.get_clients({bufnr = 0, name = 'inplace'})[1]; return c and c.initialized or false"
        )

    def diagnostics(self) -> list[dict[str, Any]]:
        """Those of the current buffer, once there are any."""
        self.wait("return #vim.diagnostic.get(0) > 0")
        return list(self.lua("return vim.diagnostic.get(0)"))

    def floating(self) -> str:
        """The text of the floating window, once there is one."""
        find = """for _, w in ipairs(vim.api.nvim_list_wins()) do
            if vim.api.nvim_win_get_config(w).relative ~= '' then {} end end"""
        self.wait(find.format("return true") + " return false")
        lines = self.lua(
            find.format("return vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(w), 0, -1, false)"),
        )
        return "\n".join(lines)

    def windows(self) -> int:
        """How many windows are open."""
        return len(self.nvim.windows)

    def children(self) -> list[int]:
        """The processes it has started."""
        return list(self.lua("return vim.api.nvim_get_proc_children(vim.fn.getpid())"))


@contextmanager
def running(executable: str, home: Path, setup: str, init_text: str = INIT) -> Iterator[Neovim]:
    """A Neovim whose user has written `setup` into the plugin's setup(), and has this init.lua."""
    import pynvim  # an extra: who has none leaves these tests out

    folder = home / "project"
    folder.mkdir()
    (folder / "pyproject.toml").write_text("")
    init = home / "init.lua"
    init.write_text(init_text.format(plugin=str(PLUGIN), setup=setup))
    words = [executable, "--embed", "--headless", "-n", "-i", "NONE", "--cmd", f"cd {folder}", "-u", str(init)]
    with pynvim.attach("child", argv=words) as nvim:
        nvim.options["columns"], nvim.options["lines"] = 160, 50
        yield Neovim(nvim, folder)
        with suppress(OSError, EOFError, pynvim.NvimError):  # it is gone before it can answer
            nvim.command("qa!")
