"""Capabilities that the server declares at `initialize`, apart from the messages that it handles."""

from __future__ import annotations

from lsprotocol import types

COMMAND = "inplace-lsp.verify"
EXPLAIN, TRACE, COVERAGE, WHY = "inplace/explain", "inplace/trace", "inplace/coverage", "inplace/why"
"""Requests of our own."""
FIX_ALL = "source.fixAll.inplace"
VERIFY = "source.inplace.verify"
"""The kind of the action that runs a function without findings."""
CODE_ACTIONS = types.CodeActionOptions(
    code_action_kinds=[types.CodeActionKind.QuickFix, FIX_ALL, VERIFY], resolve_provider=True
)
