"""workspace/configuration: ask the client for our settings, and take over what they say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from lsprotocol import types
from pygls.uris import to_fs_path

from inplace_lsp.environments.find import forget_environments
from inplace_lsp.lsp.client.settings import SECTION, Settings, parse_settings
from inplace_lsp.lsp.documents.programs import list_folders
from inplace_lsp.lsp.session.session import Session


async def fetch_settings(session: Session) -> None:
    """Fetch the settings from a client that has them."""
    if not session.client.configuration:
        return
    folders = _list_folders_with_settings(session)
    scopes = (None, *folders)
    items = [types.ConfigurationItem(scope_uri=scope, section=SECTION) for scope in scopes]
    values = await session.server.workspace_configuration_async(types.ConfigurationParams(items))
    if values:
        apply_settings(session, values[0], dict(zip(folders.values(), values[1:], strict=False)))


def _list_folders_with_settings(session: Session) -> dict[str, str]:
    """Return the workspace folders by their URIs. A single folder has the settings of the window."""
    uris = list(session.server.workspace.folders)
    return {uri: path for uri in uris if (path := to_fs_path(uri))} if len(uris) > 1 else {}


def apply_settings(session: Session, value: object, of_folders: Mapping[str, object] = MappingProxyType({})) -> None:
    """Use the settings from now on, `of_folders` for the files below those; reanalyse if they changed."""
    settings = _parse_settings(session, value, session.initial_settings)
    own = [
        (folder, _parse_settings(session, said, replace(session.initial_settings, folders=(folder,), interpreter="")))
        for folder, said in of_folders.items()
    ]
    settings = replace(settings, of_folders=tuple(own))
    if settings != session.settings:
        session.settings = settings
        session.reanalyse_all()


def _parse_settings(session: Session, value: object, base: Settings) -> Settings:
    settings, problems = parse_settings(value, base)
    for problem in problems:
        session.warn_once(problem)
    return settings


def apply_interpreter(session: Session, chosen: str) -> None:
    """Use the interpreter that the editor has chosen, unless a later setting says which; "" if it has chosen none."""
    before = session.initial_settings.interpreter
    session.initial_settings = replace(session.initial_settings, interpreter=chosen)
    if session.settings.interpreter == before != chosen:
        session.settings = replace(session.settings, interpreter=chosen)
        forget_environments()
        session.reanalyse_all()


def apply_folders(session: Session) -> None:
    """Take the new workspace folders as the base of relative paths in settings."""
    folders = list_folders(session.server.workspace)
    session.initial_settings = replace(session.initial_settings, folders=folders)
    if session.settings.folders != folders:
        session.settings = replace(session.settings, folders=folders)
        session.reanalyse_all()


def apply_initial_options(session: Session, value: object) -> None:
    """Apply the options of `initialize`: the base of later settings, and trust.

    Only the editor grants trust: a folder's own settings must not.
    """
    if isinstance(value, Mapping):
        session.trusted = value.get("trusted") is True
        value = {key: entry for key, entry in value.items() if key != "trusted"}
        session.client_tells_verdicts = value.pop("tellsVerdicts", None) is True
    base = Settings(folders=list_folders(session.server.workspace))
    session.initial_settings = session.settings = _parse_settings(session, value, base)
