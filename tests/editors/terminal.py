"""A real Neovim in a terminal of a given size: what a person sees of it, as text and as a picture."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import subprocess
import termios
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import StringIO
from itertools import groupby
from pathlib import Path
from typing import Any

from editors.neovim import INIT, PLUGIN, Neovim

WAIT_SECONDS = 180.0
FRAME = Path(__file__).parents[2] / "tools" / "pages" / "terminal.svg"
"""The frame of the pictures of terminals in docs/."""
STILL = 0.1
"""How long the screen must stand still to be looked at."""


class Terminal:
    """The screen of a program that runs in a terminal."""

    def __init__(self, master: int, columns: int, rows: int) -> None:
        import pyte  # an extra: who has none leaves these tests out

        self._screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self._screen)
        self._master = master
        self._changed = time.monotonic()
        self._lock = threading.Lock()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        with suppress(OSError):  # the program has ended
            while data := os.read(self._master, 65536):
                with self._lock:
                    self._stream.feed(data)
                    self._changed = time.monotonic()

    def lines(self) -> list[str]:
        """What stands on the screen."""
        with self._lock:
            return [line.rstrip() for line in self._screen.display]

    def wait_for(self, *words: str) -> list[str]:
        """Wait until all `words` are to be seen and nothing moves any more."""
        deadline = time.monotonic() + WAIT_SECONDS
        while time.monotonic() < deadline:
            lines = self.lines()
            shows_all = all(any(word in line for line in lines) for word in words)
            if shows_all and time.monotonic() - self._changed > STILL:
                return lines
            time.sleep(0.05)
        raise AssertionError(f"{words} never came:\n" + "\n".join(self.lines()))

    def picture(self) -> str:
        """The screen as SVG, in its colours."""
        from rich.console import Console
        from rich.text import Text

        console = Console(record=True, width=self._screen.columns, file=StringIO(), force_terminal=True)
        with self._lock:
            for row in range(self._screen.lines):
                chars = [self._screen.buffer[row][column] for column in range(self._screen.columns)]
                pieces = [("".join(char.data for char in run), style) for style, run in groupby(chars, _style)]
                console.print(Text.assemble(*pieces), soft_wrap=True)
        drawn = console.export_svg(title="", code_format=FRAME.read_text(encoding="utf-8"), unique_id="terminal")
        return "\n".join(line.rstrip() for line in drawn.splitlines()) + "\n"


def _style(char: Any) -> str:
    names = [word for word, wanted in (("bold", char.bold), ("reverse", char.reverse)) if wanted]
    return " ".join([*names, _colour(char.fg), "on", _colour(char.bg)])


def _colour(name: str) -> str:
    is_hex = len(name) == 6 and all(char in "0123456789abcdef" for char in name)
    return f"#{name}" if is_hex else {"brown": "yellow"}.get(name, name.replace("bright", "bright_"))


def _attach(socket: Path) -> Any:
    """Connect to Neovim once it listens: its socket is there a moment earlier."""
    import pynvim

    deadline = time.monotonic() + WAIT_SECONDS
    while True:
        try:
            return pynvim.attach("socket", path=str(socket))
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)


@contextmanager
def shown(executable: str, home: Path, setup: str, *, columns: int, rows: int) -> Iterator[tuple[Neovim, Terminal]]:
    """A Neovim on the screen, driven through its socket, with the plugin as in `neovim.running`."""
    import pynvim  # an extra: who has none leaves these tests out

    folder = home / "project"
    folder.mkdir()
    (folder / "pyproject.toml").write_text("")
    init, socket = home / "init.lua", home / "nvim.sock"
    init.write_text(INIT.format(plugin=str(PLUGIN), setup=setup) + "vim.o.termguicolors = true\n")
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    words = [executable, "--listen", str(socket), "-n", "-i", "NONE", "--cmd", f"cd {folder}", "-u", str(init)]
    environment = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor"}
    process = subprocess.Popen(
        words, stdin=slave, stdout=slave, stderr=slave, env=environment, start_new_session=True, close_fds=True
    )
    os.close(slave)
    terminal = Terminal(master, columns, rows)
    try:
        with _attach(socket) as nvim:
            yield Neovim(nvim, folder), terminal
            with suppress(OSError, EOFError, pynvim.NvimError):
                nvim.command("qa!", async_=True)
        with suppress(subprocess.TimeoutExpired):
            process.wait(10)
    finally:
        process.kill()
        process.wait()
        os.close(master)
