"""A child process that is busy ends with the one that started it."""

from __future__ import annotations

import subprocess
import sys

import pytest

BUSY = "from inplace_lsp.orphans import end_with_parent; end_with_parent(); print('busy', flush=True)\nwhile True: pass"
PARENT = "import subprocess, sys; subprocess.Popen([sys.executable, '-c', sys.argv[1]]); input()"
SECONDS = 120.0


@pytest.mark.skipif(sys.platform == "win32", reason="nobody notices there")
def test_a_busy_child_of_a_killed_process_ends():
    pipe = subprocess.PIPE
    parent = subprocess.Popen([sys.executable, "-c", PARENT, BUSY], stdin=pipe, stdout=pipe, text=True)
    assert parent.stdout is not None
    assert parent.stdout.readline() == "busy\n"
    parent.kill()
    assert parent.communicate(timeout=SECONDS)[0] == ""  # the pipe is open for as long as the child lives
