"""workspace/configuration: ask the client for our settings, and take over what they say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from lsprotocol import types

from inplace_lsp.lsp.programs import folders_of
from inplace_lsp.lsp.session import Session
from inplace_lsp.lsp.settings import SECTION, Settings, parse


async def ask(session: Session) -> None:
    """Fetch the settings from a client that has them."""
    if not session.client.configuration:
        return
    item = types.ConfigurationItem(section=SECTION)
    values = await session.server.workspace_configuration_async(types.ConfigurationParams([item]))
    take(session, values[0] if values else None)


def take(session: Session, value: object) -> None:
    """Use the settings from now on; analyse again if they say anything new."""
    settings, problems = parse(value, session.initial_settings)
    for problem in problems:
        session.warn_once(problem)
    if settings != session.settings:
        session.settings = settings
        session.reanalyse()


def take_folders(session: Session) -> None:
    """The workspace has other folders now, where the relative paths of settings start."""
    folders = folders_of(session.server.workspace)
    session.initial_settings = replace(session.initial_settings, folders=folders)
    if session.settings.folders != folders:
        session.settings = replace(session.settings, folders=folders)
        session.reanalyse()


def take_initial(session: Session, value: object) -> None:
    """What `initialize` brought along: the base on which later settings stand, and what no setting can say.

    Trust comes from the editor alone: a folder's own settings must not grant it. The interpreter is the editor's choice
    as of now, which `inplace/didChangeInterpreter` may change; the setting of that name stands above it.
    """
    if isinstance(value, Mapping):
        session.trusted = value.get("trusted") is True
        value = {key: one for key, one in value.items() if key != "trusted"}
        chosen = value.pop("interpreter", None)
        session.interpreter = chosen if isinstance(chosen, str) and chosen else None
    settings, problems = parse(value, Settings(folders=folders_of(session.server.workspace)))
    for problem in problems:
        session.warn_once(problem)
    session.initial_settings = session.settings = settings
