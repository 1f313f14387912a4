"""Offer to insert the comment that names the inputs, after a run that found none."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from inplace_lsp.lsp.documents.directive import TITLE, make_directive_edit
from inplace_lsp.lsp.documents.edits import make_workspace_edit
from inplace_lsp.lsp.documents.programs import find_program
from inplace_lsp.lsp.session.session import Session

if TYPE_CHECKING:
    from inplace_lsp.lsp.documents.proofs import Proof

log = logging.getLogger(__name__)


def can_be_offered(session: Session, proof: Proof) -> bool:
    """Return whether there is a comment to insert, which would help, and a client that applies edits."""
    missing = proof.verdict.missing
    wanted = proof.verdict.verdict == "inconclusive" and missing is not None and bool(missing.directive)
    return wanted and not proof.verdict.install and session.client.applies_edits


async def offer_directive(session: Session, uri: str, proof: Proof, message: str) -> None:
    """Show `message`, and insert the comment if the user wants it and the function is unchanged."""
    item = types.MessageActionItem(TITLE)
    params = types.ShowMessageRequestParams(types.MessageType.Warning, f"inplace-lsp: {message}", [item])
    try:
        answer = await session.server.window_show_message_request_async(params)
        program = find_program(session.server.workspace, uri)
        held = proof.apply_to(program.text) if program is not None else None
        edit = make_directive_edit(program, held) if program is not None and held is not None else None
        if answer is not None and answer.title == TITLE and program is not None and edit is not None:
            made = types.ApplyWorkspaceEditParams(make_workspace_edit(program, (edit,), session.client), TITLE)
            await session.server.workspace_apply_edit_async(made)
    except JsonRpcException as error:
        log.warning("the comment could not be offered: %s", error)
