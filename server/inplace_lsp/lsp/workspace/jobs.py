"""The messages between the server and its checking processes: objects, pickled, each behind its length.

Both ends are this very package, in the same version and interpreter, on a pipe that nobody else has.
"""

from __future__ import annotations

import pickle
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field

from inplace_lsp.hazards.finding import Finding
from inplace_lsp.lsp.client.settings import Settings

HEADER = struct.Struct(">Q")
Stamp = tuple[int, int]
"""The time of a file's last change (in nanoseconds) and its size: the text is the same as long as both are."""


@dataclass(frozen=True, slots=True)
class Find:
    """Find the files to check below `folders`."""

    folders: tuple[str, ...]
    epoch: int = 0


@dataclass(frozen=True, slots=True)
class Files:
    """The files to check, and the folders that cannot be read."""

    stamps: Mapping[str, Stamp]
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Check:
    """Check one file as it is on the disk. Another `epoch` than before: a pyproject.toml may have changed."""

    filename: str
    settings: Settings
    epoch: int = 0


@dataclass(frozen=True, slots=True)
class Search:
    """Find the code in a file that may explain an error of torch. `text`: the editor's, if it is open."""

    filename: str
    settings: Settings
    text: str | None = None
    epoch: int = 0


@dataclass(frozen=True, slots=True)
class Report:
    """The result of checking a file."""

    filename: str
    findings: tuple[Finding, ...] = ()
    text: str = ""
    """The text, if there are findings."""
    digest: bytes = b""
    """The digest of the text."""
    read: frozenset[str] = field(default_factory=frozenset)
    """The files that its imports lead to."""
    asked: frozenset[str] = field(default_factory=frozenset)
    """The parts of the names of modules that it imports."""
    models: tuple[str, ...] = ()
    """The folders of the project's model files."""
    problem: str = ""
    """What is wrong with the configuration."""
    error: str = ""
    """Why the file could not be checked."""


def pack_message(message: object) -> bytes:
    """Return the message as it goes through the pipe."""
    body = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    return HEADER.pack(len(body)) + body
