"""Of each program only the newest text is analysed; what became useless stops and is never told."""

import asyncio
import threading

import pytest

from inplace_lsp.cancellation import Abandoned, abandon_when, checkpoint
from inplace_lsp.lsp.session.background import Background


async def test_a_result_comes_back_to_the_event_loop():
    assert await Background().submit_job("a", lambda: 7) == 7


async def test_a_crash_is_an_error_of_that_job_only():
    background = Background()
    with pytest.raises(ZeroDivisionError):
        await background.submit_job("a", lambda: 1 // 0)
    assert await background.submit_job("a", lambda: 2) == 2


async def test_a_newer_job_stops_the_older_one_at_its_next_checkpoint():
    background, started, stopped = Background(), threading.Event(), threading.Event()

    def endless():
        started.set()
        try:
            while True:
                checkpoint()
        except Abandoned:
            stopped.set()
            raise

    old = background.submit_job("a", endless)
    await asyncio.to_thread(started.wait)
    assert await background.submit_job("a", lambda: "new") == "new"
    assert old.cancelled()
    assert stopped.is_set()


async def test_of_many_waiting_jobs_only_the_newest_of_each_key_runs():
    background, go, ran = Background(), threading.Event(), []
    blocker = background.submit_job("blocker", go.wait)
    jobs = [
        background.submit_job(key, lambda number=number, key=key: ran.append((key, number)))
        for number in range(50)
        for key in "ab"
    ]
    go.set()
    await blocker
    await asyncio.gather(*jobs, return_exceptions=True)
    assert sorted(ran) == [("a", 49), ("b", 49)]
    assert [job.cancelled() for job in jobs[:-2]] == [True] * 98


async def test_abandoned_jobs_of_a_group_are_forgotten():
    background, go = Background(), threading.Event()
    background.submit_job("blocker", go.wait)
    jobs = [background.submit_job(f"fixes of x\n{number}", int) for number in range(3)]
    other = background.submit_job("fixes of xy\n0", int)
    background.abandon_all("fixes of x\n")
    go.set()
    assert await other == 0
    assert all(job.cancelled() for job in jobs)


def test_checkpoints_outside_of_a_job_cost_nothing():
    checkpoint()
    with pytest.raises(Abandoned), abandon_when(lambda: True):
        checkpoint()
    checkpoint()
