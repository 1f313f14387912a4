"""`inplace_lsp.facts` as a program: answers questions about types, a line of JSON each, until its input ends.

A process of its own, so that jedi takes no time from the analysis, and can be killed.
"""

from __future__ import annotations

import json
import sys

from inplace_lsp.facts.types import infer
from inplace_lsp.interpret.state.facts import ParameterQuestion
from inplace_lsp.orphans import end_with_parent


def answer(line: str) -> str:
    """`[[function, name, kind], ...]` for `{"file": ..., "text": ..., "questions": [[function, name], ...]}`."""
    asked = json.loads(line)
    questions = [ParameterQuestion(asked["file"], function, name) for function, name in asked["questions"]]
    return json.dumps([[one.function, one.name, kind] for one, kind in infer(asked["text"], questions).items()])


def main() -> None:
    """Answer until there are no more questions."""
    end_with_parent()
    for line in sys.stdin:
        sys.stdout.write(answer(line) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
