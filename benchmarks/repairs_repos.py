"""The best repair of every line that broke a real repository, to be read: `python benchmarks/repairs_repos.py`.

Takes the cases of a folder as `verify_repos.py` does. For each guilty line on which something is found: whether its
repair is safe, what it says of itself, and its diff; `--json` writes them to a file. An offer was analysed again before
it was made; whether it is what a maintainer would write, a reader has to say.
"""

from __future__ import annotations

import argparse
import difflib
import json
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from verify_repos import ROOT, apply_fix, guilty_lines, run_command, unpack

LONGEST = 400.0


@dataclass(frozen=True)
class Read:
    """A guilty line with what is offered for it. `kind`: safe or unsafe, "none" without a repair, "unseen" without a
    finding."""

    line: str
    code: str
    severity: str
    kind: str
    title: str
    diff: str


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dir", type=Path, default=ROOT.parent / "shared" / "repos", help="where the cases lie")
    parser.add_argument("--unpacked", type=Path, help="a folder with the snapshots, instead of unpacking them")
    parser.add_argument("--only", default="", help="cases whose repository holds this text")
    parser.add_argument("--json", type=Path, help="write all of it there")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="repairs-repos-") as work:
        folder = unpack(chosen.dir, chosen.unpacked, Path(work))
        files: dict[tuple[Path, str], set[int]] = {}
        for line in guilty_lines(chosen.dir, folder, chosen.only):
            files.setdefault((line.folder, line.file), set()).add(line.row)
        found = [told(read) for (where, file), rows in files.items() for read in read_repairs(where, file, rows)]
    print(dict(Counter(read.kind for read in found)))
    if chosen.json:
        chosen.json.write_text(json.dumps([asdict(read) for read in found]), encoding="utf-8")


def read_repairs(folder: Path, file: str, rows: set[int]) -> Iterator[Read]:
    """Yield what is offered for some lines of a file."""
    data = run_command(folder, "check", file, "--output-format", "json", "--show-fixes", "--no-cache", longest=LONGEST)
    name = folder.name.partition("@")[0]
    here = [one for one in data if one["location"]["row"] in rows] if isinstance(data, list) else []
    for one in here:
        fix, place = one["fix"], f"{name} {file}:{one['location']['row']}"
        kind, title, diff = ("none", "", "")
        if fix is not None:
            kind, title, diff = fix["applicability"], fix["message"], diff_of(folder / file, fix)
        yield Read(place, one["code"], one["severity"], kind, title, diff)
    for row in sorted(rows - {one["location"]["row"] for one in here}):
        yield Read(f"{name} {file}:{row}", "", "", "unseen", "" if isinstance(data, list) else str(data)[:200], "")


def diff_of(path: Path, fix: dict[str, object]) -> str:
    """Return the diff of a repair, and leave the file as it was."""
    before = path.read_text(encoding="utf-8")
    apply_fix(path, fix)
    after = path.read_text(encoding="utf-8")
    path.write_text(before, encoding="utf-8")
    return "".join([*difflib.unified_diff(before.splitlines(True), after.splitlines(True), n=4)][2:])


def told(read: Read) -> Read:
    """Print one line."""
    print(f"{read.kind:8} {read.code} {read.severity} {read.line}\n    {read.title}\n{read.diff}", flush=True)
    return read


if __name__ == "__main__":
    main()
