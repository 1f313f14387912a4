"""Search for paths to statements that may write or run backward and that no run has reached: single decisions are made
otherwise, the latest first.

What leads past such a statement is often no decision but a value that an earlier one set (`if fast: steps = 0`, and
then a loop over `range(steps)`), so the code that was skipped does not tell which decision to flip.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator

from inplace_lsp.interpret.state.paths import Choices, drop_defaults

IN_VAIN = 4
"""The number of runs in a row that may execute nothing new: measured on whole repositories, what four of them do not
reach, thirty do not reach either."""


def search_paths(runs: Iterable[Choices], run: Callable[[Choices], bool], may_go_on: Callable[[], bool]) -> None:
    """Call `run` with one decision of earlier `runs` made otherwise, as long as it `may_go_on`.

    `run` returns whether code was executed that no run had executed: then the decisions of that run are flipped first.
    """
    known = list(runs)
    tried = {(drop_defaults(option for option, _ in choices.taken), choices.conditions) for choices in known}
    waiting = deque((choices.conditions, _flip_decisions(choices)) for choices in known)
    in_vain = 0
    while waiting and in_vain < IN_VAIN and may_go_on():
        conditions, flipped = waiting[0]
        given = next(flipped, None)
        if given is None:
            waiting.popleft()
        elif (given, conditions) not in tried:
            tried.add((given, conditions))
            in_vain += 1
            choices = Choices(given, conditions=conditions)
            if run(choices):
                in_vain = 0
                waiting.appendleft((conditions, _flip_decisions(choices)))


def _flip_decisions(run: Choices) -> Iterator[tuple[int, ...]]:
    """Yield the decisions of the runs that differ from `run` in one decision, the last one first.

    The decisions after it are made as in `run`, too: what it reached may depend on them.
    """
    made = [option for option, _ in run.taken]
    for index in reversed(range(len(made))):
        options = run.taken[index][1]
        for more in range(1, options):
            yield drop_defaults((*made[:index], (made[index] + more) % options, *made[index + 1 :]))
