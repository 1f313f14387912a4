"""How often inputs are found: `python benchmarks/inputs.py PACKAGE... [--sample N] [--seed S]`.

Takes a random sample of functions and methods of installed packages, searches inputs for each, runs the function with
them on the CPU, and says in how many it ran to its end, by the source of the inputs.
"""

from __future__ import annotations

import argparse
import ast
import importlib.util
import multiprocessing
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from inplace_lsp.verify.inputs import find_candidates
from inplace_lsp.verify.inputs.errors import is_about_in_place
from inplace_lsp.verify.inputs.model import Missing
from inplace_lsp.verify.inputs.program import Program, last_name, parameters_of, read_program
from verify_inputs.trial import Trial

LONGEST = 40.0
REFUSED = (
    "os.remove",
    "os.rmdir",
    "os.rename",
    "os.mkdir",
    "os.kill",
    "shutil.",
    "subprocess.",
    "os.system",
    "socket.",
)


def targets(package: str) -> Iterator[tuple[Path, str, str]]:
    """Files, module names and qualified names of what can be run: forwards, and functions that take tensors."""
    spec = importlib.util.find_spec(package)
    assert spec is not None and spec.submodule_search_locations
    root = Path(spec.submodule_search_locations[0])
    for path in sorted(root.rglob("*.py")):
        program = read_program(path.read_text(encoding="utf-8", errors="replace"), str(path))
        if program is None or "torch" not in program.names | {"torch"} & set(program.text.split()):
            continue
        module = ".".join([package, *path.relative_to(root).with_suffix("").parts]).removesuffix(".__init__")
        yield from ((path, module, name) for name in functions(program))


def functions(program: Program) -> Iterator[str]:
    for name, definition in program.definitions.items():
        is_module = definition.owner is not None and any(
            last_name(b) in ("Module", *program.classes) for b in definition.owner.bases
        )
        is_forward = is_module and definition.node.name == "forward"
        is_function = (
            definition.owner is None
            and definition.outer is None
            and parameters_of(definition.node)
            and "torch" in ast.unparse(definition.node)
        )
        if is_forward or is_function:
            yield name


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("packages", nargs="+")
    parser.add_argument("--sample", type=int, default=150)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--no-calls", action="store_true", help="leave call sites aside")
    parser.add_argument("-v", "--verbose", action="store_true")
    chosen = parser.parse_args()
    everything = [target for package in chosen.packages for target in targets(package)]
    sample = random.Random(chosen.seed).sample(everything, min(chosen.sample, len(everything)))
    answers = [answer(*target, chosen.no_calls, chosen.verbose) for target in sample]
    outcomes = Counter(outcome.split(":")[0] for outcome, _, _ in answers)
    tried = [answer for answer in answers if not answer[0].startswith("not importable")]
    ran = sum(not outcome.startswith(("missing", "fails")) for outcome, _, _ in tried)
    print(f"{ran} of {len(tried)} ran ({ran / max(1, len(tried)):.0%}); {dict(outcomes)}")
    seconds, probes = sorted(answer[1] for answer in tried), sorted(answer[2] for answer in tried)
    if tried:
        print(
            f"seconds: median {seconds[len(tried) // 2]:.2f}, max {seconds[-1]:.2f}; probes: {probes[len(tried) // 2]}"
        )


def answer(path: Path, module: str, name: str, no_calls: bool, verbose: bool) -> tuple[str, float, int]:
    """The outcome of one target, in a process of its own: a candidate may close files or end the process."""
    reader, writer = multiprocessing.Pipe(duplex=False)
    context = multiprocessing.get_context("fork")
    child = context.Process(target=try_target, args=(path, module, name, no_calls, writer))
    child.start()
    writer.close()
    try:
        found = reader.recv() if reader.poll(LONGEST) else ("fails: it hangs", LONGEST, 0)
    except EOFError:
        found = ("fails: the process ended", 0.0, 0)
    child.kill()
    child.join()
    if verbose:
        print(f"{module}:{name}: {found[0]} ({found[1]:.2f} s, {found[2]} probes)", flush=True)
    return found


def try_target(path: Path, module: str, name: str, no_calls: bool, writer: Connection) -> None:
    try:
        trial = Trial(path.read_text(encoding="utf-8"), str(path), name, module)
    except BaseException as error:  # a module of the package that cannot be imported here
        writer.send((f"not importable: {type(error).__name__}: {error}", 0.0, 0))
        return
    sys.addaudithook(refuse_change)
    begin = time.monotonic()
    writer.send(outcome(trial, no_calls, begin))


def refuse_change(event: str, arguments: tuple[object, ...]) -> None:
    """Candidates may write nothing, remove nothing, start nothing: what is under trial does not know its own paths."""
    writes = event == "open" and isinstance(arguments[1], str) and any(mark in arguments[1] for mark in "wax+")
    if writes or event.startswith(REFUSED):
        raise PermissionError(f"{event} is not allowed in a trial")


def outcome(trial: Trial, no_calls: bool, begin: float) -> tuple[str, float, int]:
    """The source of the first inputs the target runs with, how long until they were found, and the probes it took."""
    last = ""
    found = find_candidates(trial.text, trial.filename, trial.target, probe=trial.probe, module=trial.module)
    for candidate in found:
        spent = time.monotonic() - begin
        if isinstance(candidate, Missing):
            return (
                (f"fails: {last}" if last else f"missing: {candidate.what} {candidate.directive}"),
                spent,
                trial.probes,
            )
        if no_calls and candidate.source == "call-site":
            continue
        result = trial.real(candidate)
        if result.ok or is_about_in_place(result.error or ""):
            return candidate.source, spent, trial.probes
        last = f"{candidate} {result.error}"
    return f"fails: {last}", time.monotonic() - begin, trial.probes


if __name__ == "__main__":
    main()
