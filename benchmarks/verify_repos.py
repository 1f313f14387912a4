"""What verify says of lines that broke real repositories: `python benchmarks/verify_repos.py [--only TEXT] [--twins]`.

Takes the cases of a folder (`cases.json`: repository, commit, guilty lines; `snapshots.tar.xz`: one folder
REPO@COMMIT each), which is data beside the project and no part of it. Every guilty line is verified as a user would,
in a copy, and with an interpreter that has torch alone: `--python`, or a fresh environment made for it. A line counts
as confirmed if the verdict is confirmed or silent and a violation stands on it or on another guilty line of its case.

`--twins`: the repairs offered for the guilty lines of a file are applied, and what was confirmed is verified again:
then none may be.

`--under-load N`: every line is verified N times more, beside four processes that are busy all the time; all verdicts of
a line must be one.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import re
import subprocess
import sys
import tarfile
import tempfile
import time
import venv
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
COMMAND = (sys.executable, "-m", "inplace_lsp")
LONGEST = 120.0
"""Seconds that one command may take."""
BUSY = 4
"""Processes that a verdict must not depend on."""
LONGEST_UNDER_LOAD = 600.0
REPAIRS = 12
"""Repairs that are made at most for the guilty lines of a file."""
TELLING = ("confirmed", "silent")


@dataclass(frozen=True)
class Line:
    """A guilty line of a snapshot, and all guilty lines of its case."""

    folder: Path
    file: str
    row: int
    guilty: frozenset[tuple[str, int]]

    def __str__(self) -> str:
        return f"{self.folder.name.partition('@')[0]} {self.file}:{self.row}"


@dataclass(frozen=True)
class Answer:
    """What verify said of a line. `elsewhere`: it was confirmed, but with violations on other lines alone."""

    line: Line
    verdict: str
    reason: str
    seconds: float
    elsewhere: bool = False
    directive: bool = False
    data: dict[str, Any] = field(default_factory=dict)

    @property
    def counts(self) -> str:
        """The kind of answer by which it is counted."""
        return "confirmed elsewhere" if self.elsewhere else self.verdict


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dir", type=Path, default=ROOT.parent / "shared" / "repos", help="where the cases lie")
    parser.add_argument("--unpacked", type=Path, help="a folder with the snapshots, instead of unpacking them")
    parser.add_argument("--python", help="an interpreter that has torch alone  [default: an environment made for it]")
    parser.add_argument("--only", default="", help="cases whose repository holds this text")
    parser.add_argument("--twins", action="store_true", help="verify the repaired code as well")
    parser.add_argument("--under-load", type=int, default=0, metavar="N", help="verify N times more, on a busy machine")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="verify-repos-") as work:
        folder = unpack(chosen.dir, chosen.unpacked, Path(work))
        python = chosen.python or python_with_torch(Path(work) / "torch-alone")
        answers = [told(ask(line, python)) for line in guilty_lines(chosen.dir, folder, chosen.only)]
        summarise(answers)
        if chosen.under_load:
            verify_under_load(answers, python, chosen.under_load)
        if chosen.twins:
            verify_twins(answers, python)


def unpack(cases: Path, unpacked: Path | None, work: Path) -> Path:
    """Return a folder with a copy of every snapshot."""
    copy = work / "snapshots"
    if unpacked is not None:
        subprocess.run(["cp", "-r", str(unpacked), str(copy)], check=True)
    else:
        with tarfile.open(cases / "snapshots.tar.xz") as archive:
            archive.extractall(copy, filter="data")
    for folder in copy.iterdir():
        (folder / ".git").mkdir(exist_ok=True)  # as every clone has one: it marks the project's root
    return copy


def python_with_torch(folder: Path) -> str:
    """Make an environment with torch and what torch itself needs, and return its interpreter."""
    venv.create(folder, with_pip=True)
    python = str(folder / "bin" / "python")
    subprocess.run([python, "-m", "pip", "install", "-q", "torch"], check=True)
    return python


def guilty_lines(cases: Path, folder: Path, only: str) -> Iterator[Line]:
    """Return every guilty line of the cases."""
    for case in json.loads((cases / "cases.json").read_text(encoding="utf-8")):
        name = case["repo"].replace("/", "+") + "@" + case["commit"][:8]
        if only in case["repo"]:
            guilty = frozenset((file, row) for file, row in case["guilty"])
            yield from (Line(folder / name, file, row, guilty) for file, row in sorted(guilty))


def ask(line: Line, python: str, longest: float = LONGEST) -> Answer:
    """Verify the function round one line."""
    place = f"{line.file}:{line.row}"
    started = time.monotonic()
    data = run_command(line.folder, "verify", place, "--python", python, "--output-format", "json", longest=longest)
    seconds = time.monotonic() - started
    if not isinstance(data, dict) or "verdict" not in data:
        return Answer(line, "failed", str(data), seconds)
    written = {
        (violation["written"]["filename"], violation["written"]["location"]["row"]) for violation in data["violations"]
    }
    guilty = {(str(line.folder / file), row) for file, row in line.guilty}
    elsewhere = data["verdict"] in TELLING and not written & guilty
    return Answer(line, data["verdict"], data["reason"], seconds, elsewhere, has_next_step(data), data)


def has_next_step(data: dict[str, Any]) -> bool:
    """Whether an inconclusive verdict says what to do: its last note does."""
    return any(note.startswith("next: ") or "does not allow that" in note for note in data["notes"])


def run_command(folder: Path, *arguments: str, longest: float = LONGEST) -> Any:
    """Return what a command prints as JSON; in words what came instead."""
    try:
        done = subprocess.run(
            [*COMMAND, *arguments], cwd=folder, capture_output=True, text=True, timeout=longest, check=False
        )
    except subprocess.TimeoutExpired:
        return f"no answer within {longest:g} s"
    try:
        return json.loads(done.stdout)
    except ValueError:
        return done.stderr.strip() or done.stdout.strip()


def told(answer: Answer) -> Answer:
    """Print one answer."""
    step = "" if answer.verdict != "inconclusive" or answer.directive else "  [no next step]"
    print(f"{answer.counts:20} {answer.line} ({answer.seconds:.1f} s){step}\n    {answer.reason}", flush=True)
    return answer


def summarise(answers: list[Answer]) -> None:
    """Print the figures, and the reasons that kept lines from being confirmed, the most frequent first."""
    kinds = Counter(answer.counts for answer in answers)
    telling = sum(kinds[kind] for kind in TELLING)
    print(f"\nconfirmed {telling} of {len(answers)} ({telling / max(1, len(answers)):.0%}): {dict(kinds)}")
    without = sum(answer.verdict == "inconclusive" and not answer.directive for answer in answers)
    print(f"inconclusive without a next step: {without}")
    classes = Counter(class_of(answer.reason) for answer in answers if answer.counts not in TELLING)
    for reason, count in classes.most_common():
        print(f"{count:4}  {reason}")


def class_of(reason: str) -> str:
    """The reason without what is this case's alone: names and numbers."""
    return re.sub(r"`[^`]*`|'[^']*'|\d+", "..", reason)[:140]


def verify_under_load(answers: list[Answer], python: str, runs: int) -> None:
    """Verify every line again, `runs` times, beside busy processes, and print whether its verdict stays."""
    changed = 0
    with busy_processes():
        for answer in answers:
            again = [ask(answer.line, python, LONGEST_UNDER_LOAD) for _ in range(runs)]
            kinds = Counter(one.counts for one in (answer, *again))
            changed += len(kinds) > 1
            slowest = max(one.seconds for one in again)
            print(f"under load: {answer.line}: {dict(kinds)}, at most {slowest:.0f} s", flush=True)
    print(f"under load: {changed} of {len(answers)} lines have more than one verdict")


@contextlib.contextmanager
def busy_processes() -> Iterator[None]:
    """Keep the processors busy within the block."""
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(BUSY)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def verify_twins(answers: list[Answer], python: str) -> None:
    """Repair what was confirmed, in the copies, and verify it again."""
    twins = Counter[str]()
    for (folder, file), group in by_file(answer for answer in answers if answer.counts in TELLING).items():
        rows = {row for answer in group for name, row in answer.line.guilty if name == file}
        if not repair(folder, file, rows):
            twins["no repair offered"] += 1
            print(f"twin: {folder.name} {file}: no repair is offered")
            continue
        for name in dict.fromkeys(str(answer.data["function"]) for answer in group):
            data = run_command(folder, "verify", f"{file}::{name}", "--python", python, "--output-format", "json")
            verdict = data["verdict"] if isinstance(data, dict) else "failed"
            twins[verdict] += 1
            print(f"twin: {folder.name} {file}::{name}: {verdict}: {data['reason'] if verdict != 'failed' else data}")
    print(f"twins: {dict(twins)}")


def by_file(answers: Iterator[Answer]) -> dict[tuple[Path, str], list[Answer]]:
    """Return the answers by snapshot and file."""
    groups: dict[tuple[Path, str], list[Answer]] = {}
    for answer in answers:
        groups.setdefault((answer.line.folder, answer.line.file), []).append(answer)
    return groups


def repair(folder: Path, file: str, rows: set[int]) -> bool:
    """Make the repairs offered for these rows of a file, one after the other; say whether there were any."""
    made = 0
    while made < REPAIRS and (fix := first_fix(folder, file, rows)) is not None:
        apply_fix(folder / file, fix)
        rows = {moved(row, fix) for row in rows}
        made += 1
    return made > 0


def first_fix(folder: Path, file: str, rows: set[int]) -> dict[str, Any] | None:
    """Return the first repair that is offered for one of the rows."""
    found = run_command(folder, "check", file, "--output-format", "json", "--show-fixes", "--no-cache")
    findings = found if isinstance(found, list) else []
    return next((finding["fix"] for finding in findings if finding["fix"] and finding["location"]["row"] in rows), None)


def apply_fix(path: Path, fix: dict[str, Any]) -> None:
    """Write a repair to a file, from the file's end on."""
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    text = "".join(lines)
    for edit in sorted(fix["edits"], key=lambda edit: offset(lines, edit["location"]), reverse=True):
        text = text[: offset(lines, edit["location"])] + edit["content"] + text[offset(lines, edit["end_location"]) :]
    path.write_text(text, encoding="utf-8")


def moved(row: int, fix: dict[str, Any]) -> int:
    """Return where a row stands once a repair is made."""
    for edit in fix["edits"]:
        first, last = int(edit["location"]["row"]), int(edit["end_location"]["row"])
        row += edit["content"].count("\n") - (min(last, row) - first) if first < row else 0
    return row


def offset(lines: list[str], location: dict[str, int]) -> int:
    """Return where a 1-based place stands in the text."""
    return sum(map(len, lines[: location["row"] - 1])) + location["column"] - 1


if __name__ == "__main__":
    main()
