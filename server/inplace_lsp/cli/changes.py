"""`check --changed-since REF`: the lines that changed according to git."""

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
    """Git gives no answer; the message says why."""


class Changes:
    """The changes since the merge base of the working tree and `ref`."""

    def __init__(self, ref: str, folder: str) -> None:
        """Raise GitError if `folder` is in no repository, or the repository has no `ref`."""
        self._ref = ref
        self._base = cache(self._find_base)
        self._rows = cache(self._find_rows)
        self._base(folder)

    def touches_finding(self, finding: Finding) -> bool:
        """Return whether the finding's write, save or backward is on a changed line. Raises GitError."""
        spans = chain((finding.span,), (related.span for related in finding.related))
        return any(
            rows.start <= span.end_row and span.row < rows.stop for span in spans for rows in self._rows(span.file)
        )

    def _find_base(self, folder: str) -> str:
        commit = _try_git(folder, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{self._ref}^{{commit}}")
        if commit is None:
            _ask_git(folder, "rev-parse", "--show-toplevel")
            raise GitError(f"git knows no commit {self._ref}")
        common = _try_git(folder, "merge-base", commit.decode().strip(), "HEAD")
        return (common or commit).decode().strip()

    def _find_rows(self, file: str) -> Rows:
        """Return the changed rows of a file: all of a new one, or of one unknown to git."""
        folder, name = os.path.split(file)
        if _try_git(folder, "ls-files", "--error-unmatch", "--", name) is None:
            return _ALL
        options = ("--unified=0", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames")
        return tuple(_read_changed_rows(_ask_git(folder, "diff", *options, self._base(folder), "--", name)))


def _read_changed_rows(difference: bytes) -> Iterable[range]:
    """Yield the changed rows of the new text; for removed lines, the rows around the gap."""
    for line in difference.split(b"\n"):
        hunk = _HUNK.match(line)
        if hunk is not None:
            first, count = int(hunk[1]), int(hunk[2] or 1)
            yield range(first, first + count) if count else range(first, first + 2)


def _ask_git(folder: str, *arguments: str) -> bytes:
    """Return git's output. Raises GitError with git's message."""
    done = _run_git(folder, *arguments)
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().removeprefix("fatal: ")
        raise GitError(said or f"git {arguments[0]} ended with status {done.returncode}")
    return done.stdout


def _try_git(folder: str, *arguments: str) -> bytes | None:
    """Return git's output, None if it fails."""
    done = _run_git(folder, *arguments)
    return None if done.returncode else done.stdout


def _run_git(folder: str, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    command = ["git", "--literal-pathspecs", "-C", folder or ".", *arguments]
    try:
        return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    except OSError as error:
        raise GitError(f"git cannot be started: {error.strerror or error}") from None
