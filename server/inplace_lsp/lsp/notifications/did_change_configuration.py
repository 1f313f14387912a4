"""workspace/didChangeConfiguration: the settings are new."""

from __future__ import annotations

from lsprotocol import types

from inplace_lsp.lsp.client.settings import SECTION
from inplace_lsp.lsp.session import configuration
from inplace_lsp.lsp.session.session import Session


async def handle(session: Session, params: types.DidChangeConfigurationParams) -> None:
    """Fetch the settings, or take those sent along by a client that cannot be asked."""
    if session.client.configuration:
        await configuration.fetch_settings(session)
    elif isinstance(params.settings, dict):
        configuration.apply_settings(session, params.settings.get(SECTION, params.settings))
