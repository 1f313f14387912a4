"""What a person sees of Neovim in a terminal of 100 columns. With INPLACE_PICTURES set to a folder, pictures go there:
`INPLACE_PICTURES=nvim-client/media pytest tests/editors/test_neovim_screen.py` takes those of the README."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from editors import neovim
from editors.neovim import TRUSTED, Neovim
from editors.programs import GAN, PROGRAM, WRITE
from editors.terminal import Terminal, shown

COLUMNS, ROWS = 100, 32
Show = Callable[..., tuple[Neovim, Terminal]]


@pytest.fixture
def show(open_neovim: object, tmp_path: Path) -> Iterator[Show]:
    """Start a Neovim on a screen; `open_neovim` has prepared the environment."""
    with ExitStack() as stack:

        def start(setup: str = "{}") -> tuple[Neovim, Terminal]:
            executable = neovim.executables()[0]
            return stack.enter_context(shown(executable, tmp_path, setup, columns=COLUMNS, rows=ROWS))

        yield start


def keep_picture(name: str, terminal: Terminal) -> None:
    """Save what the terminal shows, where that is wanted."""
    folder = os.environ.get("INPLACE_PICTURES")
    if folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
        (Path(folder) / f"{name}.svg").write_text(terminal.picture(), encoding="utf-8")


def test_the_hover_says_what_to_do_and_then_the_steps(show: Show) -> None:
    nvim, terminal = show()
    nvim.edit("model.py", PROGRAM)
    nvim.diagnostics()
    nvim.nvim.call("cursor", WRITE, 7)
    nvim.lua("vim.lsp.buf.hover()")
    lines = terminal.wait_for("clamp_ writes y", "IP101 saved-tensor-modified")
    keep_picture("hover", terminal)
    help_row, first = (
        next(at for at, line in enumerate(lines) if said in line) for said in ("Help", "sigmoid saves y")
    )
    assert help_row < first


def test_the_trace_of_a_long_training_is_one_story_on_one_screen(show: Show) -> None:
    nvim, terminal = show()
    nvim.edit("gan.py", GAN)
    nvim.diagnostics()
    row = GAN.split("\n").index("    steps_critic.step()") + 1
    nvim.nvim.call("cursor", row, 5)
    nvim.nvim.command("InplaceTrace predicted")
    lines = terminal.wait_for("╭─●", "├─▶", "╰─✗", f"IP102 on line {row}", "also: ")
    keep_picture("trace", terminal)
    assert any("2 -> 3" in line for line in lines)
    assert any("events in between" in line for line in lines)


def test_a_verdict_stands_beside_what_was_run(show: Show) -> None:
    nvim, terminal = show(TRUSTED)
    nvim.edit("model.py", PROGRAM)
    nvim.diagnostics()
    nvim.nvim.call("cursor", WRITE, 5)
    nvim.nvim.command("InplaceVerify")
    lines = terminal.wait_for("`loss`: confirmed", "╭─●", "├─▶", "╰─✗")
    keep_picture("verify", terminal)
    assert not any("Press ENTER" in line for line in lines)
