"""initialized: from here on the client may be asked for things."""

from __future__ import annotations

import logging

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from inplace_lsp.lsp import configuration
from inplace_lsp.lsp.session import Session
from inplace_lsp.lsp.watch import PATTERNS, poll

METHOD = types.INITIALIZED
log = logging.getLogger(__name__)


async def handle(session: Session, params: types.InitializedParams) -> None:
    """Fetch the settings, and see to it that changes of them and of pyproject.toml are noticed."""
    session.say_late_warnings()
    if session.settings.diagnostic_mode == "workspace":
        session.scan.request()
    if not session.client.watches_files:
        session.keep(poll(session))
    await configuration.ask(session)
    if session.client.registers_configuration:
        await _register(session, types.WORKSPACE_DID_CHANGE_CONFIGURATION, {"section": "inplace-lsp"})
    if session.client.watches_files:
        watchers = {"watchers": [{"globPattern": pattern} for pattern in PATTERNS]}
        if not await _register(session, types.WORKSPACE_DID_CHANGE_WATCHED_FILES, watchers):
            session.keep(poll(session))


async def _register(session: Session, method: str, options: object) -> bool:
    """Whether the client keeps what it promised."""
    registration = types.Registration(id=f"inplace-lsp/{method}", method=method, register_options=options)
    try:
        await session.server.client_register_capability_async(types.RegistrationParams([registration]))
    except JsonRpcException as error:
        log.warning("the client refuses to register %s: %s", method, error)
        return False
    return True
