"""`check --changed-since REF`: the lines that git says are not as they were."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterable
from functools import cache
from itertools import chain

from inplace_lsp.hazards.finding import Finding

Rows = tuple[range, ...]
_HUNK = re.compile(rb"@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@")
_ALL: Rows = (range(1, 1 << 60),)


class GitError(Exception):
    """Git cannot tell; the message says why."""


class Changes:
    """What has changed since the last state that this one and `ref` have in common."""

    def __init__(self, ref: str, folder: str) -> None:
        """Raises GitError if `folder` is in no repository, or that has no `ref`."""
        self._ref = ref
        self._base = cache(self._find_base)
        self._rows = cache(self._find_rows)
        self._base(folder)

    def touch(self, finding: Finding) -> bool:
        """Whether a place of the finding is on a changed line: the write, the save, the backward. Raises GitError."""
        spans = chain((finding.span,), (related.span for related in finding.related))
        return any(
            rows.start <= span.end_row and span.row < rows.stop for span in spans for rows in self._rows(span.file)
        )

    def _find_base(self, folder: str) -> str:
        commit = _git(folder, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{self._ref}^{{commit}}")
        if commit is None:
            _ask(folder, "rev-parse", "--show-toplevel")
            raise GitError(f"git knows no commit {self._ref}")
        common = _git(folder, "merge-base", commit.decode().strip(), "HEAD")
        return (common or commit).decode().strip()

    def _find_rows(self, file: str) -> Rows:
        """The changed rows of a file. A new one is changed as a whole, and so is one that git does not know."""
        folder, name = os.path.split(file)
        if _git(folder, "ls-files", "--error-unmatch", "--", name) is None:
            return _ALL
        options = ("--unified=0", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames")
        return tuple(_hunks(_ask(folder, "diff", *options, self._base(folder), "--", name)))


def _hunks(difference: bytes) -> Iterable[range]:
    """The rows in the new text; where lines are gone, those round the gap."""
    for line in difference.split(b"\n"):
        hunk = _HUNK.match(line)
        if hunk is not None:
            first, count = int(hunk[1]), int(hunk[2] or 1)
            yield range(first, first + count) if count else range(first, first + 2)


def _ask(folder: str, *arguments: str) -> bytes:
    """What git answers. Raises GitError with what it complains about."""
    done = _run(folder, *arguments)
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().removeprefix("fatal: ")
        raise GitError(said or f"git {arguments[0]} ended with status {done.returncode}")
    return done.stdout


def _git(folder: str, *arguments: str) -> bytes | None:
    """What git answers, None if it refuses."""
    done = _run(folder, *arguments)
    return None if done.returncode else done.stdout


def _run(folder: str, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    command = ["git", "--literal-pathspecs", "-C", folder or ".", *arguments]
    try:
        return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    except OSError as error:
        raise GitError(f"git cannot be started: {error.strerror or error}") from None
