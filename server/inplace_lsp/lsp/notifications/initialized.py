"""initialized: from here on the server may send requests."""

from __future__ import annotations

import logging

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from inplace_lsp.lsp.session import configuration
from inplace_lsp.lsp.session.session import Session
from inplace_lsp.lsp.session.watch import PATTERNS, poll_disk

log = logging.getLogger(__name__)


async def handle(session: Session, params: types.InitializedParams) -> None:
    """Fetch the settings, and watch for changes of them and of pyproject.toml."""
    session.say_late_warnings()
    if session.settings.diagnostic_mode == "workspace":
        session.files_on_disk.request_pass()
    if not session.client.watches_files:
        session.run_beside(poll_disk(session))
    await configuration.fetch_settings(session)
    if session.client.registers_configuration:
        await _register_watching(session, types.WORKSPACE_DID_CHANGE_CONFIGURATION, {"section": "inplace-lsp"})
    if session.client.watches_files:
        watchers = {"watchers": [{"globPattern": pattern} for pattern in PATTERNS]}
        if not await _register_watching(session, types.WORKSPACE_DID_CHANGE_WATCHED_FILES, watchers):
            session.run_beside(poll_disk(session))


async def _register_watching(session: Session, method: str, options: object) -> bool:
    """Register for a notification; return whether the client accepts."""
    registration = types.Registration(id=f"inplace-lsp/{method}", method=method, register_options=options)
    try:
        await session.server.client_register_capability_async(types.RegistrationParams([registration]))
    except JsonRpcException as error:
        log.warning("the client refuses to register %s: %s", method, error)
        return False
    return True
