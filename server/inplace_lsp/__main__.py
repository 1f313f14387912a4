"""`python -m inplace_lsp`."""

from inplace_lsp.cli.main import main

main()
