"""What a run leaves on the disk is removed, however deep; what cannot be removed is named, and harms no later run."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from inplace_lsp.verify.client import Client
from inplace_lsp.verify.launch import Launch
from inplace_lsp.verify.options import Options
from inplace_lsp.worker import cleanup, removal
from verify.ways import verdict

DEPTH = 3000
FINE = "import torch\n\ndef f():\n    return torch.rand(2, requires_grad=True).exp()\n"
NESTING = """
import os, torch

def f():
    for _ in range(1100):
        os.mkdir("d")
        os.chdir("d")
    y = torch.rand(3, requires_grad=True).sigmoid()
    y.add_(1)
    return y.sum()
"""


def nest(folder: Path, depth: int = DEPTH) -> Path:
    """A folder with folders in each other, deeper than Python recurses and than a path can name, and a file in each."""
    folder.mkdir()
    at = os.open(folder, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir("below", dir_fd=at)
        os.close(os.open("file", os.O_CREAT | os.O_WRONLY, dir_fd=at))
        at, above = os.open("below", os.O_RDONLY, dir_fd=at), at
        os.close(above)
    os.close(at)
    return folder


def test_a_deep_folder_is_removed(tmp_path: Path) -> None:
    assert removal.remove_tree(str(nest(tmp_path / "deep")))
    assert not list(tmp_path.iterdir())


def test_what_is_locked_or_linked_is_removed_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "file").write_text("kept")
    folder = tmp_path / "folder"
    (folder / "a" / "b" / "c").mkdir(parents=True)
    (folder / "a" / "b" / "file").write_text("x")
    (folder / "a" / "link").symlink_to(tmp_path / "kept")
    (folder / ".inplace-lsp-moved-1").mkdir()
    (folder / ".inplace-lsp-moved-1" / "file").write_text("x")
    for locked in (folder / "a" / "b", folder / "a", folder):
        locked.chmod(0)
    assert removal.remove_tree(str(folder))
    assert (tmp_path / "kept" / "file").read_text() == "kept"


def test_what_cannot_be_removed_is_told_and_the_rest_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nest(tmp_path / "inplace-lsp-stuck", 3)
    nest(tmp_path / "inplace-lsp-old", 3)
    (tmp_path / "inplace-lsp-new").mkdir()
    for name in ("stuck", "old"):
        os.utime(tmp_path / f"inplace-lsp-{name}", (0, 0))
    remove = os.rmdir

    def refuse(path: str, *, dir_fd: int | None = None) -> None:
        if "stuck" in str(path):
            raise PermissionError(path)
        remove(path, dir_fd=dir_fd)

    monkeypatch.setattr(os, "rmdir", refuse)
    monkeypatch.setattr(cleanup.tempfile, "gettempdir", lambda: str(tmp_path))
    assert cleanup.sweep_stale_folders() == (str(tmp_path / "inplace-lsp-stuck"),)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["inplace-lsp-new", "inplace-lsp-stuck"]


def test_a_run_that_nests_folders_keeps_its_worker_and_harms_no_later_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    os.utime(nest(tmp_path / "inplace-lsp-of-a-killed-worker"), (0, 0))
    with Client(Launch(sys.executable)) as client:
        answer = verdict(client, NESTING, "f", options=Options(device="cpu", deadline=30.0))
        assert answer.verdict == "confirmed", answer.reason
        assert verdict(client, FINE, "f").verdict == "not-reproduced"
    assert not list(tmp_path.glob("inplace-lsp-*"))


@pytest.mark.skipif(sys.platform != "linux" or os.geteuid() != 0, reason="only root can mark a file as unchangeable")
def test_a_folder_that_stays_is_named_in_the_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stuck = tmp_path / "inplace-lsp-stuck"
    stuck.mkdir()
    os.utime(stuck, (0, 0))
    mark(stuck, unchangeable=True)
    try:
        monkeypatch.setenv("TMPDIR", str(tmp_path))
        with Client(Launch(sys.executable)) as client:
            answer = verdict(client, FINE, "f")
        assert answer.verdict == "not-reproduced"
        assert answer.notes[0] == f"the folder {stuck} of a run could not be removed: please remove it"
    finally:
        mark(stuck, unchangeable=False)


def mark(path: Path, *, unchangeable: bool) -> None:
    """Set or clear the attribute that keeps even root from changing a file."""
    import fcntl
    import struct

    descriptor = os.open(path, os.O_RDONLY)
    try:
        fcntl.ioctl(descriptor, 0x40086602, struct.pack("l", 0x10 if unchangeable else 0))
    except OSError:
        pytest.skip("this file system has no such mark")
    finally:
        os.close(descriptor)
