"""The version of this package."""

from __future__ import annotations

__version__ = "0.1.0"


def installed_version() -> str:
    """Return the version of this package where the function is run: on a remote worker, that of the worker."""
    return __version__
