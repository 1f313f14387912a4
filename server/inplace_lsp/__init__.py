"""inplace-lsp: finds the in-place writes that break PyTorch gradients."""

from __future__ import annotations

TYPE_CHECKING = False  # `typing` is not imported: see own_path.py
if TYPE_CHECKING:
    from inplace_lsp.inside.ipython import Shell

__version__ = "0.1.0"


def load_ipython_extension(shell: Shell) -> None:
    """Do what `%load_ext inplace_lsp` asks for: know the magic `%%inplace`."""
    from inplace_lsp.inside import ipython  # noqa: PLC0415  (in IPython alone)

    ipython.load_extension(shell)


def unload_ipython_extension(shell: Shell) -> None:
    """Do what `%unload_ext inplace_lsp` asks for."""
    from inplace_lsp.inside import ipython  # noqa: PLC0415  (in IPython alone)

    ipython.unload_extension(shell)
