"""Split a log into the lines that each process wrote, without colours and logger prefixes."""

from __future__ import annotations

import re
from functools import lru_cache

_COLOURS = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])|\x00")
_ESCAPED_END = re.compile(r"\\n(?=\s*(?:File |Traceback|\w*Error\b|[~^]+\\n|    ))")
"""The end of a line in a traceback that was logged as one string."""
_WALLS = "│┃"
"""The characters at both ends of each line in the frame that rich draws round a traceback."""
_STAMP = r"\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?\]?"
_LEVEL = r"(?:DEBUG|INFO|WARNING|WARN|ERROR|CRITICAL|FATAL)"
_PREFIXES = tuple(
    re.compile(pattern)
    for pattern in (
        r"\[(?:rank|default|worker|local_rank|node|gpu)?[ _-]?\d+(?:/\d+)?\]\s*(?:<std(?:err|out)>\s*)?:?",
        r"(?:rank|worker|node|gpu|task)[ _=:-]*\d+\s*[:|>\]]",
        r"\d{1,4}:(?=\s|$)",
        r"\((?:\w+ )?pid=\d+(?:, ip=[\d.]+)?\)",
        r"[\w.-]{1,40}?(?:-\d{1,6}){1,4}(?:/[\w.-]{1,40})?\s{0,20}\|",
        _STAMP,
        r"\d\d:\d\d:\d\d(?:[.,]\d+)?",
        rf"\[?{_LEVEL}\]?(?:\s*[:|-]|(?=\s))(?:[\w.]+:)?",
        r"[A-Z]\d{4} \d\d:\d\d:\d\d\.\d+ +\d+ [\w./]+:\d+\]",
        r"std(?:err|out)(?:\[\d+\])?\s*[:|]",
        r"E(?=\s{2,}\S)",
        r"[-|>](?=\s)",
    )
)
"""Prefixes that launchers, loggers and test runners put before a line; a line may have several."""

_PROCESS = re.compile(r"rank|worker|node|gpu|task|pid=|default|^\d+:|^\[\d+\]|\|$", re.IGNORECASE)
"""Prefixes that tell processes from each other."""


def split_streams(log: str) -> list[list[str]]:
    """Return the lines of `log` by the process that wrote them, as the process wrote them."""
    found: dict[str, list[str]] = {}
    for line in _strip_colours(log).split("\n"):
        process, text = _read_line(line)
        found.setdefault(process, []).append(text)
    return list(found.values())


@lru_cache(maxsize=4096)
def _read_line(line: str) -> tuple[str, str]:
    """Return the process that wrote a line of the log, and the line as it wrote it; cached, since lines repeat."""
    return _split_prefix(_strip_frame(line)) if line else ("", "")


def _strip_colours(log: str) -> str:
    """Return the text without colours; split what was logged as one string."""
    plain = _COLOURS.sub("", log).replace("\r\n", "\n").replace("\r", "\n")
    return _ESCAPED_END.sub("\n", plain.replace('\\"', '"')) if _ESCAPED_END.search(plain) else plain


def _strip_frame(line: str) -> str:
    inside = line.strip()
    if len(inside) < 2 or inside[0] not in _WALLS or inside[-1] not in _WALLS:
        return line
    return inside[1:-1].removeprefix(" ").rstrip()


def _split_prefix(line: str) -> tuple[str, str]:
    """Return the process that wrote the line, and the line as it wrote it."""
    process, rest = "", line
    while (length := _measure_prefix(rest)) > 0:
        prefix, rest = rest[:length].strip(), rest[length:]
        if _PROCESS.search(prefix):
            process += prefix
    return process, rest


def _measure_prefix(line: str) -> int:
    """Return the length of the logger's prefix with the blank after it, 0 without a prefix."""
    start = len(line) - len(line.lstrip())
    found = (prefix.match(line, start) for prefix in _PREFIXES)
    length = max((match.end() for match in found if match is not None), default=0)
    return length + line[length : length + 1].isspace() if length else 0
