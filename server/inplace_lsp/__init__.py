"""inplace-lsp: finds the in-place writes that break PyTorch gradients."""

from __future__ import annotations

from inplace_lsp.version import __version__ as __version__

TYPE_CHECKING = False  # `typing` is not imported: see own_path.py
if TYPE_CHECKING:
    from inplace_lsp.inside.ipython import Shell


def load_ipython_extension(shell: Shell) -> None:
    """Do what `%load_ext inplace_lsp` asks for: know the magic `%%inplace`."""
    from inplace_lsp.inside import ipython  # noqa: PLC0415  (in IPython alone)

    ipython.load_extension(shell)


def unload_ipython_extension(shell: Shell) -> None:
    """Do what `%unload_ext inplace_lsp` asks for."""
    from inplace_lsp.inside import ipython  # noqa: PLC0415  (in IPython alone)

    ipython.unload_extension(shell)
