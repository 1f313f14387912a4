"""The capabilities that the client declared at `initialize`; nothing else is sent to it."""

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
        """Return whether an action may come without its edit."""
        return self.resolves_edits and self.code_action_data


REFRESHES = ("diagnostics", "inlay_hint", "code_lens")


def read_client(capabilities: types.ClientCapabilities) -> Client:
    """Read the client's declared capabilities."""
    publish = _find_attribute(capabilities, "text_document.publish_diagnostics")
    action = _find_attribute(capabilities, "text_document.code_action")
    pull = _find_attribute(capabilities, "text_document.diagnostic")
    # A client that pulls but cannot be asked to pull again (Neovim before 0.12) would show outdated diagnostics.
    pulls = pull is not None and bool(_find_attribute(capabilities, "workspace.diagnostics.refresh_support"))
    hover_formats: Sequence[object] = _find_attribute(capabilities, "text_document.hover.content_format") or ()
    tags = [tag for source in (publish, pull) for tag in _find_attribute(source, "tag_support.value_set") or ()]
    resolved: Collection[object] = _find_attribute(action, "resolve_support.properties") or ()
    return Client(
        related_information=_is_declared_by_either(publish, pull, "related_information"),
        code_description=_is_declared_by_either(publish, pull, "code_description_support"),
        diagnostic_data=_is_declared_by_either(publish, pull, "data_support"),
        unnecessary_tag=types.DiagnosticTag.Unnecessary in tags,
        pull_diagnostics=pulls,
        markdown=next(iter(hover_formats), None) == types.MarkupKind.Markdown,
        code_action_literals=_find_attribute(action, "code_action_literal_support") is not None,
        code_action_data=bool(_find_attribute(action, "data_support")),
        resolves_edits="edit" in resolved,
        preferred_actions=bool(_find_attribute(action, "is_preferred_support")),
        document_changes=bool(_find_attribute(capabilities, "workspace.workspace_edit.document_changes")),
        configuration=bool(_find_attribute(capabilities, "workspace.configuration")),
        registers_configuration=bool(
            _find_attribute(capabilities, "workspace.did_change_configuration.dynamic_registration")
        ),
        watches_files=bool(_find_attribute(capabilities, "workspace.did_change_watched_files.dynamic_registration")),
        progress=bool(_find_attribute(capabilities, "window.work_done_progress")),
        applies_edits=bool(_find_attribute(capabilities, "workspace.apply_edit")),
        refreshes=frozenset(
            name for name in REFRESHES if _find_attribute(capabilities, f"workspace.{name}.refresh_support")
        ),
    )


def _is_declared_by_either(first: object, other: object, name: str) -> bool:
    """Return whether either declares the capability: before LSP 3.18 only pushed diagnostics had capabilities, and
    pulled ones look the same."""
    return bool(_find_attribute(first, name) or _find_attribute(other, name))


def _find_attribute(value: Any, path: str) -> Any:
    """Return the attribute at the end of a dotted path, None as soon as a part is missing."""
    for name in path.split("."):
        value = getattr(value, name, None)
    return value
