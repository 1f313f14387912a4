"""Many verdicts: over executors, streamed, resumed."""

from __future__ import annotations

import json
import sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from inplace_lsp.verify import many
from inplace_lsp.verify.launch import Launch
from inplace_lsp.verify.many import StoredVerdicts, Task, prove_all, tasks_of
from inplace_lsp.verify.options import Options

TEXT = """\
import torch

def bad():
    x = torch.rand(3, requires_grad=True)
    y = x.exp()
    y.add_(1)
    y.sum().backward()

def fine():
    x = torch.rand(3, requires_grad=True)
    x.exp().sum().backward()

class Net:
    def also_bad(self):
        x = torch.rand(3, requires_grad=True)
        x.zero_()
"""


def tasks(text: str = TEXT) -> list[Task]:
    return tasks_of(text, "/nowhere/many.py", Launch(sys.executable), Options(device="cpu"))


def test_a_task_for_every_definition_with_findings() -> None:
    assert [task.subject.target.name for task in tasks()] == ["bad", "Net.also_bad"]


def test_threads_stream_and_the_state_spares_what_is_known(tmp_path: Path) -> None:
    state = tmp_path / "state.jsonl"
    try:
        with ThreadPoolExecutor(2) as executor:
            first = list(prove_all(tasks(), executor, StoredVerdicts(state)))
        assert {verdict["function"]: verdict["verdict"] for verdict in first} == {
            "bad": "confirmed",
            "Net.also_bad": "confirmed",
        }
        with state.open("a") as file:
            file.write('{"key": "cut off')
        with ThreadPoolExecutor(2) as executor:
            executor.submit = None  # type: ignore[assignment]  # nothing is run again
            again = list(prove_all(tasks(), executor, StoredVerdicts(state)))
        assert sorted(map(json.dumps, again)) == sorted(map(json.dumps, first))
    finally:
        many.close_clients()
    changed = [StoredVerdicts(state).find_verdict(task) for task in tasks(TEXT.replace("y.add_(1)", "y.add_(2)"))]
    assert changed == [None, None]


def test_processes_do_as_well() -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as executor:
        (verdict,) = prove_all(tasks()[:1], executor, StoredVerdicts())
    assert (verdict["filename"], verdict["verdict"]) == ("/nowhere/many.py", "confirmed")


def test_no_worker_costs_a_verdict_and_no_more(tmp_path: Path) -> None:
    with ThreadPoolExecutor(1) as executor:
        task = Task(tasks()[0].subject, Launch(str(tmp_path / "no-python")))
        (verdict,) = prove_all([task], executor, StoredVerdicts())
    assert verdict["verdict"] == "inconclusive"
    assert "cannot start" in verdict["reason"]
