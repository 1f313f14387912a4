"""Random edits of programs with findings: is what is remembered between them ever wrong?

    python benchmarks/random_edits.py tests/programs examples --edits 100000 --every 5

Each file is edited at random places, most edits being taken back so that the text stays near a program, and analysed
after each, as the language server does. The files are edited in groups, as few at a time as the engine remembers. Half
of them are read as texts that somebody types: what does not parse keeps its last meaning. After every so many edits the
answer is compared with that of a fresh start (with the same last meanings), tapes included. Exit status 1 if one
differs, speaks of an internal error, or takes longer than `--patience`; the text is kept, with the one before it.
"""

from __future__ import annotations

import argparse
import gc
import random
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path

from inplace_lsp import engine, outcomes
from inplace_lsp.analysis import Cause
from inplace_lsp.engine import Analysis
from inplace_lsp.interpret.state.facts import NO_FACTS
from inplace_lsp.memory import FILES, AnalysisMemory

TYPED = (
    *("y", "x", "self.", "x.add_(1)", " += 1", "\n", "\n    ", "(", ")", "[0]", "'", '"""', "#", ":", ".exp()", "é"),
    *("return ", "2", ".detach()", ".data", " = ", "\n    return x\n", "\ndef f(x):\n    x += 1\n    return x\n"),
)
GROUP = FILES // 2


@dataclass
class Tally:
    """What happened."""

    edits: int = 0
    compared: int = 0
    with_findings: int = 0
    slowest: float = 0.0
    faults: list[str] = field(default_factory=list)

    def fault(self, what: str, before: str, changed: str) -> None:
        """Keep the two texts of a fault and tell of it."""
        kept = Path(tempfile.mkdtemp(prefix="random-edits-"))
        (kept / "before.py").write_text(before, encoding="utf-8")
        (kept / "after.py").write_text(changed, encoding="utf-8")
        self.faults.append(f"after {self.edits:,} edits: {what}: {kept}")
        print(self.faults[-1], flush=True)


def edit(text: str, rng: random.Random) -> str:
    """A text that differs in a few characters, or in a line."""
    if rng.random() < 0.3:
        return _edit_lines(text, rng)
    at = rng.randrange(len(text) + 1)
    return text[:at] + rng.choice(TYPED) + text[min(len(text), at + rng.choice((0, 0, 0, 1, 2, 12))) :]


def _edit_lines(text: str, rng: random.Random) -> str:
    """A text with a line deleted, repeated, indented by one step more or less, or put elsewhere."""
    lines = text.splitlines(keepends=True) or [""]
    at = rng.randrange(len(lines))
    line = lines.pop(at)
    what = rng.choice(("delete", "repeat", "indent", "dedent", "move"))
    if what == "repeat":
        lines[at:at] = [line, line]
    elif what == "indent":
        lines.insert(at, "    " + line)
    elif what == "dedent":
        lines.insert(at, line.removeprefix("    "))
    elif what == "move":
        lines.insert(rng.randrange(len(lines) + 1), line)
    return "".join(lines)


def fresh(text: str, filename: str, last: Analysis | None = None) -> Analysis:
    """The analysis by somebody who remembers nothing but what broken statements meant in the `last` one."""
    remembered, engine._MEMORY = engine._MEMORY, AnalysisMemory()
    try:
        return engine.analyse_source(text, filename, NO_FACTS, last)
    finally:
        engine._MEMORY = remembered


def python_files(paths: Sequence[Path]) -> list[Path]:
    return sorted({file for path in paths for file in ([path] if path.is_file() else path.rglob("*.py"))})


def groups(texts: dict[str, str], rng: random.Random) -> Iterator[dict[str, str]]:
    """The texts by name, a few at a time, in random order."""
    names = list(texts)
    rng.shuffle(names)
    for at in range(0, len(names), GROUP):
        yield {name: texts[name] for name in names[at : at + GROUP]}


def edit_group(
    originals: dict[str, str], edits: int, rng: random.Random, tally: Tally, options: argparse.Namespace
) -> None:
    """Edit the texts of one group in turns of random length."""
    texts, last = dict(originals), dict(originals)
    typed = {name: Analysis() if rng.random() < 0.5 else None for name in originals}
    for _ in range(edits):
        name = rng.choice(list(texts))
        changed = edit(texts[name], rng)
        began = time.process_time()
        try:
            found = engine.analyse_source(changed, name, NO_FACTS, typed[name], lambda _: None)
        except Exception as error:
            tally.fault(f"{name}: {type(error).__name__}: {error}", last[name], changed)
            continue
        finally:
            tally.edits += 1
        judge_alone(found, time.process_time() - began, (name, last[name], changed), tally, options.patience)
        if tally.edits % options.every == 0:
            compare(found, typed[name], (name, last[name], changed), tally)
        last[name], typed[name] = changed, found if typed[name] is not None else None
        if rng.random() < 0.03:
            texts[name] = changed
        elif rng.random() < 0.1:
            texts[name] = originals[name]


def judge_alone(found: Analysis, seconds: float, case: tuple[str, str, str], tally: Tally, patience: float) -> None:
    """What is wrong with an answer whatever a fresh start would say."""
    tally.slowest = max(tally.slowest, seconds)
    name, before, changed = case
    if seconds > patience:
        tally.fault(f"{name}: analysed for {seconds:.1f} s", before, changed)
    for gap in found.gaps:
        if gap.cause is Cause.FAULT:
            tally.fault(f"{name}: {gap.function}: {gap.reason}", before, changed)


def compare(found: Analysis, typed: Analysis | None, case: tuple[str, str, str], tally: Tally) -> None:
    """Whether an answer is that of a fresh start; if all parses, of one with no last meanings either."""
    name, before, changed = case
    tally.compared += 1
    tally.with_findings += bool(found.findings)
    parses = not any(gap.cause is Cause.SYNTAX for gap in found.gaps)
    wanted = fresh(changed, name, None if parses else typed)
    parts = [part.name for part in fields(Analysis) if part.compare]
    different = [part for part in parts if getattr(found, part) != getattr(wanted, part)]
    if different:
        tally.fault(f"{name}: other {', '.join(different)} than from a fresh start", before, changed)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", type=Path, nargs="+", metavar="FILE or FOLDER")
    parser.add_argument("--edits", type=int, default=100_000)
    parser.add_argument("--every", type=int, default=5, metavar="N", help="Compare after every N edits.")
    parser.add_argument("--longest", type=int, default=2000, metavar="N", help="Leave out files of more characters.")
    parser.add_argument("--patience", type=float, default=10.0, metavar="SECONDS", help="Of the processor's time.")
    parser.add_argument("--seed", type=int, default=1, help="Other edits than those of another run.")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="Begin no other group of files after that.")
    options = parser.parse_args()
    gc.set_threshold(100_000, 20, 20)  # as the server does
    outcomes.STEPS_WORTH_A_WORD = 0  # the edited function is always judged first
    rng = random.Random(options.seed)
    texts = {str(path.absolute()): path.read_text(encoding="utf-8") for path in python_files(options.paths)}
    short = {name: text for name, text in texts.items() if len(text) <= options.longest}
    originals = {name: text for name, text in short.items() if fresh(text, name).findings}
    print(f"{len(originals)} of {len(texts)} files are edited: short enough, and with findings", flush=True)
    tally, began = Tally(), time.monotonic()
    some = list(groups(originals, rng))
    for number, group in enumerate(some, 1):
        edit_group(group, options.edits * number // len(some) - tally.edits, rng, tally, options)
        seconds = time.monotonic() - began
        if seconds > 60 * options.minutes:
            break
        print(f"  {tally.edits:,} edits, {tally.compared:,} compared, {seconds:.0f} s", flush=True)
    print(f"{tally.edits:,} edits in {time.monotonic() - began:.0f} s, the slowest {tally.slowest:.1f} s;")
    print(f"{tally.compared:,} answers compared, {tally.with_findings:,} with findings; {len(tally.faults)} faults")
    return 1 if tally.faults else 0


if __name__ == "__main__":
    sys.exit(main())
