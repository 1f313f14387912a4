"""The configurations of docs/editors.md, in those of the editors that are here."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from editors.programs import PROGRAM, REPAIRED

HERE = Path(__file__).parent
PAGE = (HERE.parents[1] / "docs" / "editors.md").read_text(encoding="utf-8")
SECONDS = 180
REPAIR = "Write out of place: `y = y.clamp(1e-6, 1.0)`"
EGLOT = ["emacs", "-q", "--batch", "--eval", "(progn (require 'package) (package-initialize) (require 'eglot))"]
ALE = ["vim", "-Nu", "NONE", "-es", "+silent! packadd ale", "+if !exists('g:loaded_ale') | cquit | endif", "+qa!"]


def configuration(editor: str) -> str:
    """What the page says to write for an editor."""
    section = PAGE.split(f"\n## {editor}\n")[1].split("\n## ")[0]
    block = re.search(r"```\w+\n(.*?)```", section, re.DOTALL)
    assert block is not None
    return block[1]


def works(command: list[str]) -> bool:
    return (
        shutil.which(command[0]) is not None
        and subprocess.run(command, capture_output=True, check=False).returncode == 0
    )


def need(found: bool, what: str, packages: str, *, required: bool = True) -> None:
    """Leave the test out, by name, where an editor is missing; in CI that is a failure, if CI can have it."""
    if not found:
        leave_out = pytest.fail if required and os.environ.get("CI") else pytest.skip
        leave_out(f"left out: tests in {what}, for want of it: {packages}")


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program in a project of its own; the server of this Python is the first on the PATH."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("VIRTUAL_ENV", sys.prefix)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "pyproject.toml").write_text("")
    file = folder / "model.py"
    file.write_text(PROGRAM, encoding="utf-8")
    monkeypatch.setenv("PROGRAM", str(file))
    return file


def test_emacs_with_eglot(program, tmp_path, monkeypatch):
    need(works(EGLOT), "Emacs with eglot", "apt-get install emacs-nox, and before Emacs 29 elpa-eglot")
    (tmp_path / "init.el").write_text(configuration("Emacs"))
    monkeypatch.setenv("CONFIGURATION", str(tmp_path / "init.el"))
    monkeypatch.setenv("REPAIR", REPAIR)
    command = ["emacs", "-q", "--batch", "-l", str(HERE / "eglot.el")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    said = done.stderr
    assert done.returncode == 0, said
    assert "finding: inplace-lsp [IP101]: `y` is written here" in said
    assert "underlined: y.clamp_(1e-6, 1.0)" in said
    assert "sigmoid saves y, its result, at version 0" in said and "verified" in said
    assert program.read_text(encoding="utf-8") == REPAIRED


def test_vim_with_ale(program, tmp_path, monkeypatch):
    need(works(ALE), "Vim with ALE", "apt-get install vim vim-ale")
    (tmp_path / "vimrc").write_text("set nocompatible hidden\nfiletype plugin on\n" + configuration("Vim"))
    monkeypatch.setenv("LOG", str(tmp_path / "log"))
    monkeypatch.setenv("REPAIR", "1")
    monkeypatch.setenv("VERIFY", "4")
    command = ["vim", "-i", "NONE", "-Nu", str(tmp_path / "vimrc"), "-es", "-S", str(HERE / "ale.vim")]
    subprocess.run(command, capture_output=True, check=False, timeout=300)
    said = (tmp_path / "log").read_text()
    assert said.startswith("finding: IP101 `y` is written here"), said
    assert said.splitlines()[1:] == ["underlined: 6:5-23", "verified"]
    assert program.read_text(encoding="utf-8") == REPAIRED


class Screen:
    """A terminal of tmux's that nobody looks at."""

    def __init__(self, socket: Path) -> None:
        self._tmux = ["tmux", "-f", "/dev/null", "-S", str(socket)]

    def tmux(self, *words: str) -> str:
        return subprocess.run([*self._tmux, *words], capture_output=True, text=True, check=True).stdout

    def text(self) -> str:
        return self.tmux("capture-pane", "-p")

    def press(self, *keys: str) -> None:
        self.tmux("send-keys", *keys)

    def wait(self, condition: Callable[[str], bool]) -> str:
        deadline = time.monotonic() + SECONDS
        while not condition(text := self.text()):
            assert time.monotonic() < deadline, text
            time.sleep(0.1)
        return text

    def shows(self, words: str) -> str:
        """The screen, once it shows `words`."""
        return self.wait(lambda text: words in text)


@contextmanager
def terminal(folder: Path, *command: str) -> Iterator[Screen]:
    screen = Screen(folder / "tmux")
    screen.tmux("new-session", "-d", "-x", "150", "-y", "40", *command)
    try:
        yield screen
    finally:
        screen.tmux("kill-server")


def test_helix(program, tmp_path):
    found = shutil.which("hx") is not None and shutil.which("tmux") is not None
    need(found, "Helix", "apt-get install hx tmux (from Debian 13 on), or helix-editor.com", required=False)
    settings = tmp_path / "config" / "helix"
    settings.mkdir(parents=True)
    (settings / "languages.toml").write_text(configuration("Helix"))
    (settings / "config.toml").write_text(
        '[editor]\nend-of-line-diagnostics = "hint"\n[editor.lsp]\ndisplay-inlay-hints = true\n'
    )
    with terminal(tmp_path, "hx", str(program)) as screen:
        screen.shows("`y` is written here (version 0 -> 1)")
        screen.press("]", "d")
        screen.shows("6:23")
        screen.shows("y v0 → v1")
        screen.press("Space", "k")
        screen.shows("saved-tensor-modified")
        screen.press("Escape")  # alone: with the next key at its heels it would be Alt
        screen.wait(lambda text: "saved-tensor-modified" not in text)
        screen.press("Space", "a")
        screen.shows("Verify by running")
        screen.press("Down", "Down", "Down", "Enter")
        screen.shows("`loss`: confirmed")
        screen.press("Space", "a")
        screen.shows(REPAIR)
        screen.press("Enter")
        screen.shows("y = y.clamp(1e-6")
        screen.press(":", "w", "Enter")
        screen.wait(lambda _: program.read_text(encoding="utf-8") == REPAIRED)
        screen.press(":", "q", "!", "Enter")


LISTENING = """\
#!/bin/sh
exec {python} -c 'import subprocess, sys
server = subprocess.Popen(["{server}", *sys.argv[1:]], stdout=subprocess.PIPE)
with open("{log}", "wb") as log:
    while data := server.stdout.read1():
        log.write(data)
        log.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
' "$@"
"""
"""A server that writes down what it tells its client."""


def test_kate(program, tmp_path, monkeypatch):
    found = shutil.which("kate") is not None and shutil.which("dbus-run-session") is not None
    need(found, "Kate", "apt-get install kate dbus", required=False)
    log, listening = tmp_path / "log", tmp_path / "bin" / "inplace-lsp"
    server = Path(sys.executable).with_name("inplace-lsp")
    write(listening, LISTENING.format(python=sys.executable, server=server, log=log))
    listening.chmod(0o755)
    write(tmp_path / "config" / "kate" / "lspclient" / "settings.json", configuration("Kate"))
    write(tmp_path / "config" / "katerc", f"[lspclient]\nAllowedServerCommandLines={listening} serve\n")
    write(tmp_path / "data" / "kate" / "sessions" / "test.katesession", "[Kate Plugins]\nlspclientplugin=true\n")
    monkeypatch.setenv("PATH", f"{listening.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    command = ["dbus-run-session", "--", "kate", "--start", "test", "--new", str(program)]
    kate = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        deadline = time.monotonic() + SECONDS
        while not log.exists() or "`y` is written here (version 0 -> 1)" not in log.read_text(encoding="utf-8"):
            assert time.monotonic() < deadline
            time.sleep(0.2)
    finally:
        os.killpg(kate.pid, signal.SIGTERM)
        kate.wait()


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
