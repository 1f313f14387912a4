"""inplace-lsp: finds the in-place writes that break PyTorch gradients."""

__version__ = "0.1.0"
