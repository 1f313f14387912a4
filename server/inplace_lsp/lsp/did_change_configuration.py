"""workspace/didChangeConfiguration: the settings are new."""

from __future__ import annotations

from lsprotocol import types

from inplace_lsp.lsp import configuration
from inplace_lsp.lsp.session import Session
from inplace_lsp.lsp.settings import SECTION

METHOD = types.WORKSPACE_DID_CHANGE_CONFIGURATION


async def handle(session: Session, params: types.DidChangeConfigurationParams) -> None:
    """Clients that can be asked send no values worth reading; the others send them along."""
    if session.client.configuration:
        await configuration.ask(session)
    elif isinstance(params.settings, dict):
        configuration.take(session, params.settings.get(SECTION, params.settings))
