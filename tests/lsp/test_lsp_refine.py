"""The first answer comes without jedi; what jedi knows refines it."""

import asyncio
import sys
from types import SimpleNamespace

from inplace_lsp import engine
from inplace_lsp.analysis import Analysis
from inplace_lsp.interpret.state.facts import ParameterQuestion
from inplace_lsp.lsp.documents.convert import Program
from inplace_lsp.lsp.documents.result import Result
from inplace_lsp.lsp.session import refiner as jedi_process
from lsp.editor import SECONDS

DOCUMENTED = '''\
import torch

def f(x, w):
    """
    :type x: torch.Tensor
    :type w: torch.Tensor
    """
    y = x * w
    w += 1
    return y
'''


async def codes(editor, uri):
    return [diagnostic.code for diagnostic in await editor.diagnostics(uri)]


async def test_types_that_jedi_infers_arrive_later(start, tmp_path):
    uri = (tmp_path / "documented.py").as_uri()
    editor = await start()
    editor.open(uri, DOCUMENTED)
    assert await codes(editor, uri) == []
    for _ in range(600):
        if await codes(editor, uri) == ["IP101"]:
            break
        await asyncio.sleep(0.05)
    assert await codes(editor, uri) == ["IP101"]


async def test_the_process_of_jedi_ends_when_nobody_asks(monkeypatch):
    monkeypatch.setattr(jedi_process, "IDLE_SECONDS", 0.01)
    refiner = jedi_process.Refiner(session=None)
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", "input()", stdin=asyncio.subprocess.PIPE)
    refiner._process = process
    refiner._end_when_idle()
    assert await asyncio.wait_for(process.wait(), SECONDS) != 0
    assert refiner._process is None


def result_of(text, last):
    program = Program("a.py", "/a.py", text, (), None)
    return Result(program, engine.analyse_source(text, "/a.py", last=last))


def asks_again(monkeypatch, before, now):
    """Whether jedi, asked about a text, is asked again after an edit."""
    refiner = jedi_process.Refiner(session=None)
    monkeypatch.setattr(jedi_process.asyncio, "get_running_loop", lambda: SimpleNamespace(call_later=lambda *_: None))
    first = result_of(before, Analysis())
    refiner._asked[first.program.key] = jedi_process._describe_question(first)
    refiner.note_result(result_of(now, first.analysis))
    return bool(refiner._waiting)


async def test_jedi_is_asked_less_often_while_its_answers_stay_the_same(monkeypatch):
    refiner = jedi_process.Refiner(SimpleNamespace(finished_results=list))
    told, pauses = {}, []

    async def answer(result):
        return told

    monkeypatch.setattr(refiner, "_ask_types", answer)

    async def pause_after_answer():
        result = result_of(DOCUMENTED, Analysis())
        refiner._waiting[result.program.key] = result
        await refiner._ask_all()
        refiner._kill_process()
        pauses.append(refiner._find_pause(result.program.key, result))

    for _ in range(7):
        await pause_after_answer()
    assert pauses == [2.0, 4.0, 8.0, 16.0, 30.0, 30.0, 30.0]
    told[ParameterQuestion("/a.py", "scale", "x")] = "tensor"
    await pause_after_answer()
    assert pauses[-1] == jedi_process.PAUSE_SECONDS


def test_jedi_is_asked_again_about_what_says_something_else(monkeypatch):
    assert asks_again(monkeypatch, DOCUMENTED, DOCUMENTED.replace("x * w", "x * w * 2"))
    assert asks_again(monkeypatch, DOCUMENTED, DOCUMENTED.replace(":type w: torch.Tensor", ""))


def test_jedi_is_not_asked_again_for_nothing(monkeypatch):
    assert not asks_again(monkeypatch, DOCUMENTED, "# a comment\n\n" + DOCUMENTED)
    assert not asks_again(monkeypatch, DOCUMENTED, DOCUMENTED.replace("w += 1", "w += ("))
