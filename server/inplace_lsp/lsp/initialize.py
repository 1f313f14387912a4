"""initialize: read the client's capabilities and options."""

from __future__ import annotations

from lsprotocol import types

from inplace_lsp.lsp.client.capabilities import read_client
from inplace_lsp.lsp.documents.documents import use_own_documents
from inplace_lsp.lsp.lazy_loading import load_soon
from inplace_lsp.lsp.session.configuration import apply_initial_options
from inplace_lsp.lsp.session.parent import exit_with
from inplace_lsp.lsp.session.session import Session


def handle(session: Session, params: types.InitializeParams) -> None:
    """Store the capabilities and the options of the client."""
    use_own_documents(session.server.protocol)
    session.server.protocol.trace = params.trace or types.TraceValue.Off
    session.client = read_client(params.capabilities)
    apply_initial_options(session, params.initialization_options)
    session.client_pulls_workspace = session.client.pull_diagnostics and session.settings.diagnostic_mode == "workspace"
    load_soon(session)
    if params.process_id:
        session.run_beside(exit_with(params.process_id))
