"""How many hazards inside functions are confirmed by inputs alone: `python benchmarks/inputs_programs.py [-v]`.

Takes the programs of the tests and the examples of the hazards, removes (or leaves, `--with-calls`) the module-level
code that calls what they define, and verifies the function round every marked line, told the line and nothing else.
"""

from __future__ import annotations

import argparse
import ast
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from inplace_lsp.hazards.registry import HAZARDS  # noqa: E402
from inplace_lsp.verify.client import Client  # noqa: E402
from inplace_lsp.verify.inputs.model import Hints  # noqa: E402
from inplace_lsp.verify.launch import Launch  # noqa: E402
from inplace_lsp.verify.options import Options  # noqa: E402
from inplace_lsp.verify.prove import Subject, verify  # noqa: E402
from inplace_lsp.verify.target import target_at_line  # noqa: E402
from support import expected  # noqa: E402


def programs() -> Iterator[tuple[str, str]]:
    for path in sorted((ROOT / "tests" / "programs").rglob("*.py")):
        yield str(path.relative_to(ROOT)), path.read_text(encoding="utf-8")
    for hazard in HAZARDS:
        for program in hazard.examples:
            yield f"{hazard.code}: {program.title}", program.text


def stripped(text: str) -> str:
    """`text` without the module-level statements that call its own functions and objects."""
    tree = ast.parse(text)
    own = {node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    lines = text.split("\n")
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)):
            continue
        made = isinstance(node, ast.Assign) and _is_object(node.value)
        if not made and own & {name.id for name in ast.walk(node) if isinstance(name, ast.Name)}:
            own |= {
                name.id for name in ast.walk(node) if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)
            }
            lines[node.lineno - 1 : node.end_lineno] = [""] * ((node.end_lineno or 0) - node.lineno + 1)
    return "\n".join(lines)


def _is_object(value: ast.expr) -> bool:
    """Whether it makes an instance: that stays, since functions may use it as a global."""
    return isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id[:1].isupper()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-v", "--verbose", action="store_true")
    parser.add_argument("--only", default="", help="programs whose name holds this")
    parser.add_argument("--with-calls", action="store_true", help="leave the module-level calls in")
    chosen = parser.parse_args()
    outcomes: Counter[str] = Counter()
    sources: Counter[str] = Counter()
    with Client(Launch.parse(sys.executable, "")) as client:
        for name, text in programs():
            cut = text if chosen.with_calls else stripped(text)
            for row, code in sorted(expected(text)):
                if chosen.only not in name:
                    continue
                target = target_at_line(cut, row)
                if target.name == "<module>" or cut.split("\n")[row - 1] == "":
                    continue
                subject = Subject(cut, f"/trial/{Path(name).name.replace(' ', '_')}", target, Hints((row,)))
                begin = time.monotonic()
                found = verify(subject, client, Options(device="cpu"))
                spent = time.monotonic() - begin
                right = (row, code) in {(violation.written.row, violation.code) for violation in found.violations}
                outcome = found.verdict if right or found.verdict not in ("confirmed", "silent") else "elsewhere"
                outcomes[outcome] += 1
                sources[found.source] += right
                if chosen.verbose and not right:
                    print(
                        f"{name}:{row} {code} {target.name}: {outcome} ({spent:.1f} s) {found.reason} {found.arguments}"
                    )
    right = outcomes["confirmed"] + outcomes["silent"]
    print(f"{right} of {outcomes.total()} at the right line; {dict(outcomes)}; by source {dict(sources)}")


if __name__ == "__main__":
    main()
