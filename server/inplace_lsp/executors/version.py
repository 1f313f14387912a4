"""The first question to a remote worker: its version."""

from __future__ import annotations

from inplace_lsp import __version__


def installed_version() -> str:
    """Return the version of this package where the function is run."""
    return __version__
