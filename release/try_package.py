"""Uses an installed package as its users do: `python release/try_package.py PROGRAM [--torch PYTHON]`.

PROGRAM is the `inplace-lsp` of the environment in question. With `--torch`, an interpreter that has torch, a hazard is
verified there, too. Needs the standard library alone and runs on every system; exit status 1 names what went wrong.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

HAZARD = """\
import torch

x = torch.rand(3, requires_grad=True)
y = x.exp()
y.add_(1)
y.sum().backward()
"""


class Trial:
    """One program, used in one folder; `problems` is what went wrong."""

    def __init__(self, program: str, folder: Path) -> None:
        self.program, self.folder = program, folder
        self.problems: list[str] = []
        (folder / "train.py").write_text(HAZARD, encoding="utf-8", newline="\r\n")

    def expect(self, arguments: Sequence[str], status: int, words: str, text: str | None = None) -> str:
        """Run the program; note it if the exit status is another or the words are missing. Return what it printed."""
        done = subprocess.run(
            [self.program, *arguments],
            cwd=self.folder,
            input=(text or "").encode(),
            capture_output=True,
            timeout=300,
            check=False,
        )
        printed = done.stdout.decode("utf-8", "replace")
        if done.returncode != status or words not in printed:
            told = done.stderr.decode("utf-8", "replace")
            self.problems.append(f"{' '.join(arguments)}: exit status {done.returncode}\n{printed}{told}")
        return printed

    def use_all(self, torch: str | None) -> None:
        """Check, repair, explain, serve and, if there is a torch, verify."""
        self.expect(["--version"], 0, "inplace-lsp")
        self.expect(["check", "--no-cache", "train.py"], 1, "train.py:5:1: error[IP101]")
        self.expect(["check", "--no-cache", "--diff", "train.py"], 1, "+y = y.add(1)")
        self.expect(["explain", "IP101"], 0, "saved-tensor-modified")
        if torch:
            self.expect(["verify", "train.py", "--python", torch, "--device", "cpu"], 1, "confirmed")
        self.expect(["serve"], 0, '"serverInfo"', _talk(self.folder))
        self.expect(["check", "--no-cache", "--fix", "train.py"], 0, "")
        repaired = HAZARD.replace("y.add_(1)", "y = y.add(1)").replace("\n", "\r\n")
        if (self.folder / "train.py").read_bytes() != repaired.encode():
            self.problems.append("check --fix: another repair, or other line ends")


def _talk(folder: Path) -> str:
    """Return a short conversation with a language server."""
    client: dict[str, object] = {"processId": None, "rootUri": folder.as_uri(), "capabilities": {}}
    asked: list[dict[str, object]] = [
        {"id": 1, "method": "initialize", "params": client},
        {"method": "initialized", "params": {}},
        {"id": 2, "method": "shutdown", "params": None},
        {"method": "exit", "params": None},
    ]
    bodies = [json.dumps({"jsonrpc": "2.0", **message}) for message in asked]
    return "".join(f"Content-Length: {len(body)}\r\n\r\n{body}" for body in bodies)


def main() -> None:
    """Use the program, and end with 1 if anything went wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--torch", metavar="PYTHON")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        trial = Trial(str(Path(chosen.program).absolute()), Path(folder).resolve())
        trial.use_all(chosen.torch)
    if trial.problems:
        sys.exit("\n".join(trial.problems))
    print(f"{chosen.program}: all well")


if __name__ == "__main__":
    main()
