"""Names of files as Windows has them: drives, shares, line ends, upper and lower case; judged here, on any system."""

from __future__ import annotations

import ntpath
from pathlib import Path, PureWindowsPath

import pytest
from pygls import uris

from cli.commandline import HAZARD, found, inplace_lsp
from inplace_lsp.engine import analyse_source
from inplace_lsp.lsp.documents.programs import find_filename
from inplace_lsp.report import paths
from inplace_lsp.why.frames import find_frames, resolve_frames

DRIVE, SHARE = r"C:\Users\me\proj", r"\\server\share\proj"


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "PATH", ntpath)
    monkeypatch.setattr(paths, "NAME", PureWindowsPath)
    monkeypatch.setattr(uris, "IS_WIN", True)


@pytest.mark.usefixtures("windows")
class TestShown:
    @pytest.mark.parametrize("root", [DRIVE, SHARE, DRIVE + "\\", "C:\\"])
    def test_relative_to_the_folder_they_lie_in(self, root: str):
        file = ntpath.join(root, "src", "train.py")
        assert paths.shown_path(file, root) == r"src\train.py"
        assert paths.portable_path(file, root) == "src/train.py"
        assert paths.uri_of(file, root) == "src/train.py"

    def test_upper_and_lower_case_are_one(self):
        assert paths.shown_path(r"c:\users\ME\proj\Train.py", DRIVE) == "Train.py"

    def test_a_longer_name_is_another_folder(self):
        assert paths.shown_path(r"C:\Users\me\project\a.py", DRIVE) == r"C:\Users\me\project\a.py"

    def test_another_drive_is_shown_as_it_is(self):
        assert paths.shown_path(r"D:\x.py", DRIVE) == r"D:\x.py"
        assert paths.relative_path(r"D:\x.py", DRIVE) == "D:/x.py"
        assert paths.relative_path(r"C:\Users\me\other\x.py", DRIVE) == "../other/x.py"

    def test_messages_name_files_as_they_are_shown(self):
        assert paths.shorten_paths(rf"see {DRIVE}\a.py:3", DRIVE) == "see a.py:3"


@pytest.mark.usefixtures("windows")
class TestUris:
    @pytest.mark.parametrize(
        ("file", "uri"),
        [
            (r"C:\a b\ü.py", "file:///C:/a%20b/%C3%BC.py"),
            (r"\\server\share\x.py", "file://server/share/x.py"),
            (r"C:\100%\#1.py", "file:///C:/100%25/%231.py"),
        ],
    )
    def test_of_files(self, file: str, uri: str):
        assert paths.file_uri(file) == uri
        assert paths.uri_of(file, r"D:\proj") == uri

    @pytest.mark.parametrize(
        ("uri", "file"),
        [
            ("file:///c%3A/Users/me/train.py", r"c:\Users\me\train.py"),
            ("file:///C:/Users/me/train.py", r"c:\Users\me\train.py"),
            ("file://server/share/train.py", r"\\server\share\train.py"),
        ],
    )
    def test_of_editors(self, uri: str, file: str):
        """VS Code escapes the colon, others do not: one file all the same."""
        assert find_filename(uri) == file
        assert uris.to_fs_path(paths.file_uri(file)) == file


def test_uris_of_this_system_are_what_python_writes(tmp_path: Path):
    file = tmp_path / "a b" / "ü#%.py"
    assert paths.file_uri(str(file)) == file.as_uri()


@pytest.mark.parametrize("root", [DRIVE, SHARE])
@pytest.mark.parametrize(
    "line", ['  File "{}", line 12, in step', "File {}:12, in step(loss)", "{}:12: RuntimeError", "{}:12 in step"]
)
def test_frames_of_a_log_from_windows_are_read(line: str, root: str):
    """As Python, IPython, pytest and rich print them."""
    [(_, frame)] = find_frames([line.format(rf"{root}\src\train.py"), "    loss.backward()"])
    assert (frame.file, frame.row) == (rf"{root}\src\train.py", 12)
    [placed] = resolve_frames([frame], ["/home/me/src/train.py", "/home/me/src/model.py"])
    assert placed.file == "/home/me/src/train.py"


class TestLineEnds:
    @pytest.mark.parametrize("end", ["\r\n", "\r"])
    def test_findings_stand_where_they_stand_with_others(self, end: str, tmp_path: Path):
        def places(text: str) -> list[tuple[str, object, object]]:
            (tmp_path / "train.py").write_bytes(text.encode())
            return [
                (finding["code"], finding["location"], finding["end_location"])
                for finding in found(tmp_path / "train.py")
            ]

        assert places(HAZARD.replace("\n", end)) == places(HAZARD) != []

    def test_a_repair_keeps_them(self, tmp_path: Path):
        file = tmp_path / "train.py"
        file.write_bytes(HAZARD.replace("\n", "\r\n").encode())
        assert inplace_lsp("check", "--fix", file).exit_code == 0
        assert file.read_bytes() == HAZARD.replace("y.add_(1)", "y = y.add(1)").replace("\n", "\r\n").encode()

    def test_a_configuration_may_have_them(self, tmp_path: Path):
        (tmp_path / "pyproject.toml").write_bytes(b'[tool.inplace-lsp]\r\nignore = ["IP101"]\r\n')
        (tmp_path / "train.py").write_text(HAZARD)
        assert found(tmp_path / "train.py") == []

    def test_a_gitignore_may_have_them(self, tmp_path: Path):
        (tmp_path / ".git").mkdir()
        (tmp_path / ".gitignore").write_bytes(b"train.py\r\n")
        (tmp_path / "train.py").write_text(HAZARD)
        assert found(tmp_path) == []


def test_a_name_of_windows_is_analysed_like_any_other():
    for file in (rf"{DRIVE}\train.py", rf"{SHARE}\train.py"):
        [finding] = analyse_source(HAZARD, file).findings
        assert (finding.code, finding.span.file) == ("IP101", file)
