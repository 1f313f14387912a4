"""Find the lines of tracebacks as Python, IPython, rich and pytest print them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from inplace_lsp.why.message import Frame

_ROW = r"(?P<row>\d{1,9})(?!\d)"
"""The number of a line, of at most nine digits: Python refuses to read very long numbers."""
_DRIVE = r"(?:[A-Za-z]:)?"
_PYTHON = re.compile(r'File "(?P<file>[^"]+)", line ' + _ROW + r"(?:, in (?P<function>[^\s(]+))?")
_BEGINS = re.compile(r'File "|\bFile\s*$')
_REST = re.compile(r"^\s*\d*, in \S")
_IPYTHON = re.compile(
    r"^\s*File (?P<file>(?:[A-Za-z]:)?[^\s\":][^\n:]*\.py):" + _ROW + r"(?:, in (?P<function>[^\s(]+))?"
)
_CELL = re.compile(r"^\s*(?:Input |Cell )?In ?\[(?P<cell>\d+)\],? (?:line|in) .*?(?:" + _ROW + r")?")
_OLD_IPYTHON = re.compile(
    r"^\s*(?P<file>" + _DRIVE + r"[~/\\\w.][^\s\"]*\.py|<ipython-input-[^>]+>) in (?P<function>[^\s(]+)\(?"
)
_ARROW = re.compile(r"^\s*-+> ?" + _ROW + r" (?P<source>.*)$")
_SHORT = re.compile(
    r"^\s*(?P<file>(?:[A-Za-z]:)?[~/\\\w.][^\s\":]*\.py):" + _ROW + r"(?::)?(?: in (?P<function>[^\s(:]+))?"
)

_MAY_NAME_A_FILE = re.compile(r"File|\.py|In ?\[|<ipython")
"""The first line of every frame, however it is printed."""
_LIBRARIES = re.compile(r"(?:site|dist)-packages|[/\\]lib[/\\]python\d|[/\\]torch[/\\]|^<frozen|conda[^/\\]*[/\\]lib")


def find_frames(lines: Sequence[str]) -> Iterator[tuple[int, Frame]]:
    """Yield the traceback frames in `lines`, each with its index there."""
    for at, line in enumerate(lines):
        if not _MAY_NAME_A_FILE.search(line):  # nearly all
            continue
        plain = _join_broken_line(line, lines[at + 1 : at + 4]) if _BEGINS.search(line) else line
        found = _PYTHON.search(plain) or _IPYTHON.match(plain) or _SHORT.match(plain)
        if found:
            yield at, Frame(found["file"], int(found["row"]), found["function"] or "", _find_source_below(lines, at))
        elif old := _OLD_IPYTHON.match(plain) or _CELL.match(plain):
            yield from ((at, frame) for frame in _read_old_frame(old, lines[at + 1 : at + 12]))


def _read_old_frame(heading: re.Match[str], below: Sequence[str]) -> Iterator[Frame]:
    """Yield the frame under a heading of IPython's older style, whose line an arrow marks."""
    arrow = next((hit for line in below if (hit := _ARROW.match(line))), None)
    if arrow:
        named = heading.groupdict()
        file, function = named.get("file") or "<cell>", named.get("function") or ""
        yield Frame(file, int(arrow["row"]), function, arrow["source"].strip())


def _join_broken_line(line: str, following: Sequence[str]) -> str:
    """Return a line of Python's traceback in one piece; a terminal may have broken it several times, also in words."""
    for below in following:
        found = _PYTHON.search(line)
        if found and (found["function"] or not _REST.match(below)):
            break
        is_between = line.rstrip().endswith("File") or (
            line.count('"') % 2 == 0 and not found and _PYTHON.search(f"{line} {below.strip()}")
        )
        line = f"{line} {below.strip()}" if is_between else f"{line}{below.strip()}"
    return line


def _find_source_below(lines: Sequence[str], at: int) -> str:
    """Return the source line shown below the line that names it."""
    for below in lines[at + 1 : at + 12]:
        arrow = _ARROW.match(below) or re.match(r"^\s*❱\s*" + _ROW + r"\s*│?(?P<source>.*)$", below)
        if arrow:
            return arrow["source"].strip()
        if _PYTHON.search(below) or _SHORT.match(below):
            break
    following = lines[at + 1] if at + 1 < len(lines) else ""
    is_source = following.startswith(" ") and not _PYTHON.search(following)
    return following.strip() if is_source else ""


def is_library(frame: Frame) -> bool:
    """Return whether the line belongs to torch, Python or an installed package."""
    return bool(_LIBRARIES.search(frame.file))


def count_common_parts(path: str, other: str) -> int:
    """Count the last parts that two paths share: a project lies elsewhere on the machine that failed."""
    pairs = zip(reversed(_split_path(path)), reversed(_split_path(other)), strict=False)
    count = 0
    for left, right in pairs:
        if left != right:
            break
        count += 1
    return count


def is_file_of(file: str, frame: Frame) -> bool:
    """Return whether the frame may be in `file`: the same file, or one of that name on another machine."""
    return frame.file == file or (not frame.is_resolved and count_common_parts(file, frame.file) > 0)


def resolve_frames(frames: Iterable[Frame], files: Sequence[str]) -> tuple[Frame, ...]:
    """Return the frames, each in the project file that its path fits best, if there is one."""
    return tuple(_resolve_frame(frame, files) for frame in frames)


def _resolve_frame(frame: Frame, files: Sequence[str]) -> Frame:
    if is_library(frame):
        return frame
    common = {file: count_common_parts(file, frame.file) for file in files}
    most = max(common.values(), default=0)
    best = [file for file, count in common.items() if count == most]
    return replace(frame, file=best[0], is_resolved=True) if most and len(best) == 1 else frame


def _split_path(path: str) -> tuple[str, ...]:
    return tuple(re.split(r"[\\/]", path))
