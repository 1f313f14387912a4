"""The sandbox: nothing outside of a run's folder changes, the answer tells what was tried, and what held it back."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import indent

import pytest

from inplace_lsp.verify.as_json import as_json
from inplace_lsp.verify.client import Client
from inplace_lsp.verify.launch import Launch
from inplace_lsp.verify.options import Options
from inplace_lsp.worker import kernel
from inplace_lsp.worker.sandbox import AUDIT
from verify import hostile, without
from verify.ways import becomes_true, verdict

OPTIONS = Options(device="cpu", deadline=60.0)
BARRIERS = {
    kernel.NAMESPACE: "",
    kernel.LANDLOCK: "unshare",
    AUDIT: "unshare,landlock_create_ruleset",
}
"""What holds a run back first, and what the kernel has to refuse before."""
AT_ONCE = "fork", "multiprocessing", "os.system", "subprocess"  # they are refused for another reason

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="what the kernel offers is Linux's")


def in_one_process(barrier: str) -> object:
    """The barrier, for tests of which all are run where its worker has been started."""
    return pytest.param(barrier, marks=pytest.mark.xdist_group(f"behind {barrier}"))


@pytest.fixture(scope="module", params=map(in_one_process, BARRIERS))
def barrier(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def behind(barrier: str) -> Iterator[Client]:
    """A worker that has this barrier and what comes after it."""
    refused = (sys.executable, without.__file__, BARRIERS[barrier])
    with Client(Launch(sys.executable, refused if BARRIERS[barrier] else ())) as client:
        first = as_json(verdict(client, "x = 1\n"))["notes"]
        if barrier not in first[-1]:
            pytest.skip(f"this machine has no such barrier: {first[-1]}")
        yield client


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    hostile.lay_out(tmp_path / "outside")
    return tmp_path / "outside"


def test_nothing_outside_changes(behind: Client, barrier: str, outside: Path) -> None:
    before, shared = hostile.picture(outside), set(os.listdir("/dev/shm"))
    answer = verdict(behind, together(outside, barrier), "f", options=OPTIONS)
    assert answer.verdict == "not-reproduced", answer.reason
    assert hostile.picture(outside) == before, answer.output
    # what other processes make there, as the tests beside this one do, goes again; what the run has left stays
    assert becomes_true(lambda: set(os.listdir("/dev/shm")) <= shared), set(os.listdir("/dev/shm")) - shared
    assert answer.notes[0].startswith("the function tried to change ")


@pytest.mark.parametrize("way", ["torch.save", "remove", "unlink at a folder", "mkfifo", "sqlite3 VACUUM INTO"])
def test_the_answer_tells_what_was_tried(behind: Client, outside: Path, way: str) -> None:
    function = hostile.Hostile(way, {**hostile.PLAIN, **hostile.OTHERS}[way])
    answer = verdict(behind, function.text(outside), "f", options=OPTIONS)
    (note,) = as_json(answer)["notes"][:-1]
    assert note.startswith(f"the function tried to change {outside}/")
    assert note.endswith("; verify does not allow that (--allow-write lets it)")


def test_each_run_has_its_own_folder(behind: Client) -> None:
    text = """
    import os, torch

    def f():
        os.mkdir("out")
        for step in range(20):
            torch.save({"step": step}, "out/ckpt.pt")
            assert torch.load("out/ckpt.pt")["step"] == step
        assert os.listdir() == ["out"]
    """
    assert verdict(behind, text, "f", options=OPTIONS).verdict == "not-reproduced"


def test_its_own_folder_and_the_devices_are_open(behind: Client) -> None:
    text = """
    import os, shutil, sqlite3, tempfile
    from multiprocessing import shared_memory

    def f():
        open("/dev/null", "w").write("x")
        os.makedirs("a/b")
        open("a/b/c", "w").write("x")
        os.rename("a/b/c", "c")
        os.link("c", "d")
        os.chmod("d", 0o600)
        shutil.copytree("a", "e")
        shutil.rmtree("a")
        sqlite3.connect("data.db").execute("create table t(a)")
        with tempfile.TemporaryDirectory() as folder:
            open(folder + "/x", "w").write("x")
        memory = shared_memory.SharedMemory(create=True, size=8)
        memory.buf[0] = 1
    """
    answer = verdict(behind, text, "f", options=OPTIONS)
    assert answer.verdict == "not-reproduced", answer.reason
    assert answer.notes == ()


def test_what_is_allowed_is_done(behind: Client, outside: Path) -> None:
    function = hostile.Hostile("torch.save", hostile.PLAIN["torch.save"])
    options = Options(device="cpu", deadline=60.0, allow=("write",))
    answer = verdict(behind, function.text(outside), "f", options=options)
    assert (answer.verdict, answer.notes) == ("not-reproduced", ())
    assert (outside / "file").stat().st_size > 500


def together(outside: Path, barrier: str) -> str:
    """One function that tries everything that this barrier is to hold back, each in a folder of its own."""
    known = hostile.KERNEL_ONLY if barrier != kernel.NAMESPACE else {}
    chosen = [attempt for attempt in hostile.functions() if attempt.way not in known and attempt.way not in AT_ONCE]
    lines = ["home = os.getcwd()"]
    for at, attempt in enumerate(chosen):
        imports, _, body = attempt.text(outside).partition("def f():\n")
        lines += [f"os.chdir(home); os.mkdir('{at}'); os.chdir('{at}')", f"def part():\n{body}"]
        lines += [f"try:\n    part()\nexcept BaseException as error:\n    print({attempt.name!r}, repr(error)[:99])"]
    return f"{imports}\n\ndef f():\n{indent(chr(10).join(lines), '    ')}\n"
