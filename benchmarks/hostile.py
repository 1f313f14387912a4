"""Hostile functions through verify: what they change outside of their folder, and whether the answer tells of it.

    python benchmarks/hostile.py [--barrier namespace|landlock|hook] [--only WORD] [--verbose]

Each of the functions of tests/verify/hostile.py is run by itself; what a run leaves behind or what comes late counts.
`--barrier` takes away what the kernel offers, as the rules of a container may: `landlock` leaves no namespace, `hook`
leaves the audit hook alone.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path[0] = str(ROOT / "tests")  # in place of this folder, which has a `verify` of its own

from inplace_lsp.messages.inputs import Inputs  # noqa: E402
from inplace_lsp.verify.client import Client  # noqa: E402
from inplace_lsp.verify.launch import Launch  # noqa: E402
from inplace_lsp.verify.options import Options  # noqa: E402
from inplace_lsp.verify.prove import Subject  # noqa: E402
from inplace_lsp.verify.target import target_by_name  # noqa: E402
from inplace_lsp.verify.verdict import Judgement, judge_answer  # noqa: E402
from verify.hostile import KERNEL_ONLY, Hostile, functions, lasting, lay_out, picture  # noqa: E402

BARRIERS = {"namespace": "", "landlock": "unshare", "hook": "unshare,landlock_create_ruleset"}
SHARED = Path("/dev/shm")
SYSTEM_V = [Path("/proc/sysvipc", kind) for kind in ("shm", "sem", "msg")]
LATE = 30.0
"""Seconds after which an answer is late: a run has 20, and 0.5 to end."""


def launch(barrier: str) -> Launch:
    """Start the worker without what stands before `barrier` in the list."""
    refused = BARRIERS[barrier]
    without = (sys.executable, str(ROOT / "tests" / "verify" / "without.py"), refused)
    return Launch(sys.executable, without if refused else ())


def run(client: Client, attempt: Hostile, outside: Path) -> Judgement:
    text = attempt.text(outside)
    subject = Subject(text, str(outside.parent / "program.py"), target_by_name(text, "f"))
    options = Options(device="cpu", deadline=20.0)
    return judge_answer(client.run(replace(subject.build_job(options, "cpu"), inputs=Inputs("directive"))))


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--barrier", choices=BARRIERS, default="namespace")
    parser.add_argument("--only", default="")
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as own:
        os.environ["TMPDIR"] = tempfile.tempdir = own
        return run_all(arguments)


def run_all(arguments: argparse.Namespace) -> int:
    """Run the functions, and return the exit status."""
    counts: Counter[str] = Counter()
    before = find_left()
    attempts = [*functions(), *(lasting() if arguments.barrier == "namespace" else ())]
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, Client(launch(arguments.barrier)) as client:
        outside = Path(folder, "outside")
        for attempt in attempts:
            if arguments.only not in attempt.name:
                continue
            if not outside.exists():
                lay_out(outside)
                clean = picture(outside)
            began = time.monotonic()
            found = run(client, attempt, outside)
            if time.monotonic() - began > LATE:
                counts["LATE"] += 1
                print(f"LATE: {attempt.name}: {time.monotonic() - began:.0f} s")
            word = judged(attempt, found, changed=picture(outside) != clean, barrier=arguments.barrier)
            counts[word] += 1
            if word in ("CHANGED AND NOT TOLD", "told, but CHANGED") or arguments.verbose:
                print(f"{word}: {attempt.name}: {found.why[:200]} {found.notes}")
            if "changed" in word.lower():
                shutil.rmtree(outside)
    left = sorted(find_left() - before)
    print(f"{arguments.barrier}: held back by {', '.join(found.held_back_by) or 'nothing'}")
    for word, count in counts.most_common():
        print(f"{count:5} {word}")
    print(f"{len(left):5} left: {left}" if left else "nothing left")
    print(f"{sum(counts.values())} functions in {time.monotonic() - started:.0f} s")
    return 1 if left or any("CHANGED" in word or word == "LATE" for word in counts) else 0


def find_left() -> set[str]:
    """Shared memory, System V objects, and the folders of runs: of this process alone, which has its own folder for
    temporary files."""
    found = {str(path) for path in SHARED.glob("*")}
    found |= {str(path) for path in Path(tempfile.gettempdir()).glob("inplace-lsp-*")}
    for table in SYSTEM_V:
        found |= {" ".join(row.split()[:3]) for row in table.read_text().splitlines()[1:]} if table.exists() else set()
    return found


def judged(attempt: Hostile, found: Judgement, *, changed: bool, barrier: str) -> str:
    told = any("the function tried to change" in note for note in found.notes)
    other = bool(found.notes) or "may not use" in found.why
    if changed:
        if barrier != "namespace" and attempt.way in KERNEL_ONLY:
            return "changed, as is known of C code"
        return "told, but CHANGED" if told else "CHANGED AND NOT TOLD"
    if told:
        return "nothing changed, and the answer tells of it"
    return "nothing changed, and the answer tells of something else" if other else "nothing changed, nothing told"


if __name__ == "__main__":
    sys.exit(main())
