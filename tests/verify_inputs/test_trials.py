"""What the runs of one verdict count: the seconds of a processor, no more than one run may take."""

from __future__ import annotations

from typing import Any

import pytest

from inplace_lsp.messages.answers import Answer
from inplace_lsp.messages.inputs import Inputs
from inplace_lsp.messages.job import Job, Op
from inplace_lsp.verify.trials import Trials

JOB = Job(Op.VERIFY, "", "/nowhere/program.py", "f", 10.0)


class Worker:
    """Answers each job with the same seconds, and keeps what it was asked."""

    def __init__(self, seconds: float, worked: float, waited: float) -> None:
        self._answer = Answer(seconds=seconds, worked=worked, waited=waited)
        self.deadlines: list[float] = []

    def run(self, job: Job, *_: object) -> Answer:
        self.deadlines.append(job.deadline_s)
        return self._answer


@pytest.mark.parametrize(
    ("seconds", "worked", "waited", "next_deadline"),
    [
        (18.0, 15.0, 10.0, 0.5),  # two runs over their time on a busy machine, several threads each
        (10.5, 15.0, 0.0, 0.5),  # the same on an idle one
        (18.0, 4.0, 14.0, 6.0),
        (4.0, 4.0, 0.0, 6.0),
    ],
)
def test_a_run_counts_no_more_than_it_may_take(
    seconds: float, worked: float, waited: float, next_deadline: float
) -> None:
    client: Any = Worker(seconds, worked, waited)
    trials = Trials(client, JOB, lambda: False)
    for _ in range(2):
        trials.run(Inputs("inferred"))
    assert client.deadlines == [10.0, next_deadline]
