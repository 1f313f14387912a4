"""Random edits of programs with findings: is what is remembered between them ever wrong?

    python benchmarks/random_edits.py FILE [FILE ...] --edits 100000 --every 10

Each file is edited at random places, most edits being taken back so that the text stays near a program, and analysed
after each, as the language server does. After every so many the answer is compared with that of a fresh start. Exit
status 1 if one differs; the text is kept.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from inplace_lsp import engine
from inplace_lsp.engine import Analysis
from inplace_lsp.memory import Memory

TYPED = (
    "y",
    "x.add_(1)",
    " += 1",
    "\n",
    "\n    ",
    "(",
    ")",
    "[0]",
    "'",
    '"""',
    "#",
    ":",
    ".exp()",
    "é",
    "return ",
    "2",
)


def edit(text: str, rng: random.Random) -> tuple[str, str]:
    """A text with an edit, and what the next edit starts from."""
    at = rng.randrange(len(text) + 1)
    changed = text[:at] + rng.choice(TYPED) + text[min(len(text), at + rng.choice((0, 0, 0, 1, 2, 12))) :]
    return changed, changed if rng.random() < 0.03 else text


def fresh(text: str, filename: str) -> Analysis:
    """The analysis by somebody who remembers nothing."""
    remembered, engine._MEMORY = engine._MEMORY, Memory()
    try:
        return engine.analyse(text, filename)
    finally:
        engine._MEMORY = remembered


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE")
    parser.add_argument("--edits", type=int, default=100_000)
    parser.add_argument("--every", type=int, default=10, metavar="N", help="Compare after every N edits.")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    originals = {str(one.absolute()): one.read_text(encoding="utf-8") for one in options.files}
    originals = {name: text for name, text in originals.items() if engine.analyse(text, name).findings}
    print(f"{len(originals)} of {len(options.files)} files have findings; the others are left out", flush=True)
    texts = dict(originals)
    compared = with_findings = differing = 0
    began = time.monotonic()
    for number in range(1, options.edits + 1):
        name = rng.choice(list(texts))
        changed, texts[name] = edit(texts[name], rng)
        if rng.random() < 0.1:
            texts[name] = originals[name]
        found = engine.analyse(changed, name)
        if number % options.every:
            continue
        compared += 1
        with_findings += bool(found.findings)
        if replace(found, tapes=()) != replace(fresh(changed, name), tapes=()):
            differing += 1
            with tempfile.NamedTemporaryFile("w", suffix=".py", prefix="differs-", delete=False) as file:
                file.write(changed)
            print(f"after {number} edits the answer differs from a fresh one: {file.name}", flush=True)
    print(f"{options.edits:,} edits in {time.monotonic() - began:.0f} s; {compared:,} answers compared,")
    print(f"{with_findings:,} of them with findings; {differing} differ")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
