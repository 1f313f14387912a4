"""The answer to `initialize`: what the server offers to this very client."""

from __future__ import annotations

from lsprotocol import types

from inplace_lsp.lsp.session.session import Session


def adapt_capabilities(session: Session, offered: types.ServerCapabilities) -> None:
    """Remove the capabilities that the client has not declared."""
    client, pull = session.client, offered.diagnostic_provider
    if pull is not None:
        pull.workspace_diagnostics = session.client_pulls_workspace
    if not client.pull_diagnostics:
        offered.diagnostic_provider = None
    if offered.execute_command_provider is not None:
        offered.execute_command_provider.work_done_progress = True
    if not client.code_action_literals:
        offered.code_action_provider = True
