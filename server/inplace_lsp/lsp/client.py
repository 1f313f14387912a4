"""What the client said at `initialize` that it can take; nothing else is sent to it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from lsprotocol import types


@dataclass(frozen=True, slots=True)
class Client:
    """The abilities of a client, each off until it is declared."""

    related_information: bool = False
    code_description: bool = False
    diagnostic_data: bool = False
    unnecessary_tag: bool = False
    pull_diagnostics: bool = False
    markdown: bool = False
    code_action_literals: bool = False
    code_action_data: bool = False
    resolves_edits: bool = False
    preferred_actions: bool = False
    document_changes: bool = False
    configuration: bool = False
    registers_configuration: bool = False
    watches_files: bool = False
    progress: bool = False
    applies_edits: bool = False
    refreshes: frozenset[str] = frozenset()

    @property
    def lazy_edits(self) -> bool:
        """Whether an action may come without its edit."""
        return self.resolves_edits and self.code_action_data


REFRESHES = ("diagnostics", "inlay_hint", "code_lens")


def client_of(capabilities: types.ClientCapabilities) -> Client:
    """Read the client's declared capabilities."""
    publish = _get(capabilities, "text_document.publish_diagnostics")
    action = _get(capabilities, "text_document.code_action")
    pull = _get(capabilities, "text_document.diagnostic")
    # One that asks but cannot be told to ask again (Neovim before 0.12) would show what is no longer true.
    pulls = pull is not None and bool(_get(capabilities, "workspace.diagnostics.refresh_support"))
    hover_formats: Sequence[Any] = _get(capabilities, "text_document.hover.content_format") or ()
    tags = [tag for one in (publish, pull) for tag in _get(one, "tag_support.value_set") or ()]
    resolved: Collection[Any] = _get(action, "resolve_support.properties") or ()
    return Client(
        related_information=_either(publish, pull, "related_information"),
        code_description=_either(publish, pull, "code_description_support"),
        diagnostic_data=_either(publish, pull, "data_support"),
        unnecessary_tag=types.DiagnosticTag.Unnecessary in tags,
        pull_diagnostics=pulls,
        markdown=next(iter(hover_formats), None) == types.MarkupKind.Markdown,
        code_action_literals=_get(action, "code_action_literal_support") is not None,
        code_action_data=bool(_get(action, "data_support")),
        resolves_edits="edit" in resolved,
        preferred_actions=bool(_get(action, "is_preferred_support")),
        document_changes=bool(_get(capabilities, "workspace.workspace_edit.document_changes")),
        configuration=bool(_get(capabilities, "workspace.configuration")),
        registers_configuration=bool(_get(capabilities, "workspace.did_change_configuration.dynamic_registration")),
        watches_files=bool(_get(capabilities, "workspace.did_change_watched_files.dynamic_registration")),
        progress=bool(_get(capabilities, "window.work_done_progress")),
        applies_edits=bool(_get(capabilities, "workspace.apply_edit")),
        refreshes=frozenset(name for name in REFRESHES if _get(capabilities, f"workspace.{name}.refresh_support")),
    )


def _either(one: Any, other: Any, name: str) -> bool:
    """Before LSP 3.18 only the pushed diagnostics could tell what a client can show; pulled ones look the same."""
    return bool(_get(one, name) or _get(other, name))


def _get(value: Any, path: str) -> Any:
    """The attribute at the end of a dotted path, None as soon as one on the way is missing."""
    for name in path.split("."):
        value = getattr(value, name, None)
    return value
