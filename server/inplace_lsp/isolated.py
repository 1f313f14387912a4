"""Start processes of our own isolated, so that no file of the user's runs by being there.

`python -m` looks for modules in the current folder first, and a server's may be a workspace that nobody trusts: an
`inplace_lsp/__init__.py` or an `importlib.py` there would be ours. `-I` leaves out that folder, and with it the ways by
which this process may have found its own package; so it passes on where it looks itself, the current folder apart.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from inplace_lsp.own_path import list_trusted_folders

PACKAGE = Path(__file__).parent
_START = (
    "import sys; module, end = sys.argv[1], 3 + int(sys.argv[2]); sys.path[:] = sys.argv[3:end]; "
    "sys.argv[1:] = sys.argv[end:]; import runpy; runpy.run_module(module, run_name='__main__')"
)


def command_of(module: str, *words: str) -> list[str]:
    """Return the command that runs `module` of this package with `words` as its arguments, in an isolated process."""
    path = _module_path()
    return [sys.executable, "-I", "-c", _START, module, str(len(path)), *path, *words]


def _module_path() -> list[str]:
    """Return the folders of Python's module path that a process of ours may take modules from, this package's too."""
    own = str(PACKAGE.parent)
    found = list(filter(os.path.isabs, list_trusted_folders()))
    return found if own in found else [*found, own]
