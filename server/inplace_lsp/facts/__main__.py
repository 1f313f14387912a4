"""Answer questions about types, one line of JSON each, until the input ends.

It is a separate process so that jedi takes no time from the analysis, and can be killed.
"""

from __future__ import annotations

import json
import sys

from inplace_lsp.facts.types import infer_types
from inplace_lsp.interpret.state.facts import ParameterQuestion
from inplace_lsp.orphans import end_with_parent


def answer_line(line: str) -> str:
    """Return `[[function, name, kind], ...]` for `{"file": ..., "text": ..., "questions": [[function, name], ...]}`;
    `"python"` names the environment, if it is not to be looked for."""
    asked = json.loads(line)
    questions = [ParameterQuestion(asked["file"], function, name) for function, name in asked["questions"]]
    found = infer_types(asked["text"], questions, asked.get("python", ""))
    return json.dumps([[question.function, question.name, kind] for question, kind in found.items()])


def main() -> None:
    """Answer until the input ends."""
    end_with_parent()
    for line in sys.stdin:
        sys.stdout.write(answer_line(line) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
