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
"""When a file was written last (in nanoseconds), and its size: as long as it stays, so does the text."""


@dataclass(frozen=True, slots=True)
class Find:
    """Find the files to check below `folders`."""

    folders: tuple[str, ...]
    epoch: int = 0


@dataclass(frozen=True, slots=True)
class Files:
    """Those files, and the folders that cannot be looked into."""

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
    """Find what in a file may have ended in an error of torch's. `text`: the editor's, if it is open."""

    filename: str
    settings: Settings
    text: str | None = None
    epoch: int = 0


@dataclass(frozen=True, slots=True)
class Report:
    """What came of it. `text` is there if there are findings. `problem`: what is wrong with the configuration;
    `error`: why there is no answer. `read` and `asked`: the files that imports led to, and the names they looked for;
    `models`: the folders of the project's model files.
    """

    filename: str
    findings: tuple[Finding, ...] = ()
    text: str = ""
    digest: bytes = b""
    read: frozenset[str] = field(default_factory=frozenset)
    asked: frozenset[str] = field(default_factory=frozenset)
    models: tuple[str, ...] = ()
    problem: str = ""
    error: str = ""


def pack_message(message: object) -> bytes:
    """Return the message as it goes through the pipe."""
    body = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    return HEADER.pack(len(body)) + body
