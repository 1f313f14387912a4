"""Measure `inplace-lsp why` on whole public repositories in which somebody met an in-place error.

    python benchmarks/why.py [--data DIR] [--only TEXT] [--all] [--verbose]

DIR (default: ../shared/repos) holds snapshots.tar.xz, one folder REPO@COMMIT each, and cases.json with the guilty
lines. What the reports quote is shortened, so torch's message is written out as torch prints it, without any traceback.
Counted are the cases whose report names the node (`--all`: every case with an error), by the place at which the first
guilty line stands in the answer.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tarfile
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SAVED = "one of the variables needed for gradient computation has been modified by an inplace operation"
MESSAGES = {
    "multi-view": (
        "Output {output} of {op} is a view and is being modified inplace. This view is the output of a function that "
        "returns multiple views. Such functions do not allow the output views to be modified inplace. You should "
        "replace the inplace operation by an out-of-place one."
    ),
    "leaf": "a leaf Variable that requires grad is being used in an in-place operation.",
    "leaf-view": "a view of a leaf Variable that requires grad is being used in an in-place operation.",
    "view-in-function": "A view was created in no_grad mode and is being modified inplace with grad mode enabled.",
}


def main() -> int:
    """Print where the guilty line of each case stands, and the shares."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path(__file__).resolve().parents[2] / "shared" / "repos")
    parser.add_argument("--only", default="")
    parser.add_argument("--all", action="store_true", help="count cases whose report names no node, too")
    parser.add_argument("--verbose", action="store_true")
    chosen = parser.parse_args()
    cases = json.loads((chosen.data / "cases.json").read_text(encoding="utf-8"))
    places: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="why-") as folder:
        with tarfile.open(chosen.data / "snapshots.tar.xz") as archive:
            archive.extractall(folder, filter="data")
        for case in cases:
            message = written_out(case)
            if chosen.only in case["repo"] and message and case["guilty"] and (chosen.all or names_node(case)):
                start = time.perf_counter()
                place, told = ask(Path(folder), case, message)
                places[str(place)] += 1
                print(f"{place!s:>4} {time.perf_counter() - start:5.1f} s  {case['repo']}  {message[-90:]}", flush=True)
                if chosen.verbose:
                    print("".join(f"         {line}\n" for line in told), end="")
    total = sum(places.values()) or 1
    first, among = places["1"], sum(places[str(place)] for place in (1, 2, 3))
    print(f"first {first}/{total} = {first / total:.3f}, among the first three {among}/{total} = {among / total:.3f}")
    return 0


def names_node(case: dict[str, Any]) -> bool:
    """Whether the report quotes the node's name."""
    return "Backward" in case["error"]


def written_out(case: dict[str, Any]) -> str:
    """The message as torch prints it, with what the report keeps of it; "" for an error that torch does not tell."""
    quoted = case["error"]
    node = re.search(r"\w+Backward\w*", quoted)
    output = re.search(r"[Oo]utput (\d+)", quoted)
    if case["kind"] in MESSAGES:
        number = output[1] if output else "0"
        return f"RuntimeError: {MESSAGES[case['kind']].format(op=node[0] if node else '', output=number)}"
    if case["kind"] not in ("saved-modified", "step-before-backward"):
        return ""
    if node and f"({node[0]})" in quoted:  # in brackets stands the node that anomaly mode names
        return f"Warning: Error detected in {node[0]}. Traceback of forward call that caused the error:\n{SAVED}"
    return f"RuntimeError: {SAVED}{''.join(details(quoted, node[0] if node else ''))}"


def details(quoted: str, node: str) -> Iterator[str]:
    """The end of the message about a saved tensor: what torch calls its type, shape, node and versions."""
    shape = re.search(r"\[[\d, ]+\]", quoted)
    versions = re.search(r"version (\d+)\D+expected (?:version )?(\d+)", quoted)
    if shape:
        yield f": [torch.cuda.FloatTensor {shape[0]}]"
    elif node and versions:
        yield ": [torch.cuda.FloatTensor"
    if node:
        yield f", which is output 0 of {node}" if shape or versions else f", output 0 of {node}"
    if versions:
        yield f", is at version {versions[1]}; expected version {versions[2]} instead."


def ask(folder: Path, case: dict[str, Any], message: str) -> tuple[int | None, list[str]]:
    """The place of the first guilty line in the answer, None if it is not told; and the answer in lines."""
    snapshot = next(folder.rglob(f"{case['repo'].replace('/', '+')}@{case['commit'][:8]}"))
    command = [sys.executable, "-m", "inplace_lsp", "why", "-", ".", "--output-format", "json"]
    done = subprocess.run(command, cwd=snapshot, input=message, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        return None, [done.stderr]
    told = json.loads(done.stdout)["candidates"]
    rows = [
        (Path(candidate["filename"]).relative_to(snapshot.resolve()).as_posix(), candidate["location"]["row"])
        for candidate in told
    ]
    guilty = {(file, row) for file, row in case["guilty"]}
    lines = [
        f"{file}:{row} {candidate['code']} {candidate['reasons']}"
        for (file, row), candidate in zip(rows, told, strict=True)
    ]
    return next((at for at, row in enumerate(rows, start=1) if row in guilty), None), [f"guilty: {guilty}", *lines]


if __name__ == "__main__":
    sys.exit(main())
