from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path

import pytest

from inplace_lsp import config
from inplace_lsp.files.walk import find_files


@pytest.fixture(autouse=True)
def _fresh():
    config.forget_configs()


def tree(root: Path, *files: str, **texts: str) -> None:
    for file in files:
        path = root / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    for file, text in texts.items():
        (root / file).write_text(text)


def names(root: Path, *paths: str) -> list[str]:
    problems: list[str] = []
    found = find_files(tuple(str(root / path) for path in paths or ("",)), problems.append)
    assert problems == []
    return [str(Path(file).relative_to(root)) for file in found]


def ignore(folder: Path, *lines: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / ".gitignore").write_text("\n".join(lines) + "\n")


def test_python_files_below_a_folder_in_order(tmp_path: Path):
    tree(tmp_path, "b.py", "a/z.py", "a/c.txt", "a/d.pyi", "a/e.py.orig", "a/nested/x.py")
    assert names(tmp_path) == ["a/nested/x.py", "a/z.py", "b.py"]


def test_folders_that_hold_no_code_of_the_project(tmp_path: Path):
    skipped = (".git", "__pycache__", ".venv", "node_modules", "site-packages", "build", ".tox")
    tree(tmp_path, "a.py", *(f"deep/{folder}/x.py" for folder in skipped), "my_env/pyvenv.cfg", "my_env/lib/x.py")
    assert names(tmp_path) == ["a.py"]
    assert names(tmp_path, "deep/build") == ["deep/build/x.py"]


def test_gitignore(tmp_path: Path):
    tree(tmp_path, "a.py", "gen/b.py", "c_pb2.py", "keep_pb2.py", "sub/a.py", "sub/local.py", "sub/gen/x.py")
    ignore(tmp_path, "gen/", "*_pb2.py", "!keep_pb2.py", "/local.py", "# comment", "")
    assert names(tmp_path) == ["a.py", "keep_pb2.py", "sub/a.py", "sub/local.py"]


def test_the_deepest_gitignore_decides(tmp_path: Path):
    tree(tmp_path, "a.py", "sub/a.py", "sub/b.py", "other/b.py")
    ignore(tmp_path, "a.py")
    ignore(tmp_path / "sub", "!a.py", "b.py")
    assert names(tmp_path) == ["other/b.py", "sub/a.py"]


def test_gitignore_above_counts_up_to_the_repository(tmp_path: Path):
    tree(tmp_path, "repo/sub/a.py", "repo/sub/b.py", "repo/sub/c.py")
    ignore(tmp_path, "c.py")
    ignore(tmp_path / "repo", "/sub/b.py")
    (tmp_path / "repo" / ".git").mkdir()
    assert names(tmp_path, "repo/sub") == ["repo/sub/a.py", "repo/sub/c.py"]


def test_as_git_itself_decides(tmp_path: Path):
    if subprocess.run(["git", "init", "-q", str(tmp_path)], check=False).returncode:
        pytest.fail("git is needed for this test")
    tree(
        tmp_path, "a.py", "x/a.py", "x/y/a.py", "x/y/b.py", "doc/a.py", "foo/bar/baz/a.py", "#a.py", "s p.py", "t/A.py"
    )
    ignore(tmp_path, "x/**/b.py", "/doc", "**/baz", "\\#a.py", "s\\ p.py", "t/[A-Z].py", "!x/a.py", "  ")
    ignore(tmp_path / "x", "y/*", "!y/a.py")
    listed = subprocess.run(
        ["git", "-C", str(tmp_path), "ls-files", "--others", "--exclude-standard", "*.py"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert sorted(names(tmp_path)) == sorted(listed.stdout.split())


def test_a_line_that_is_no_pattern_does_not_matter(tmp_path: Path):
    tree(tmp_path, "a.py", "b.py")
    ignore(tmp_path, "!", "b.py")
    assert names(tmp_path) == ["a.py"]


def test_a_byte_order_mark_is_no_part_of_a_pattern(tmp_path: Path):
    tree(tmp_path, "a.py", "b.py")
    (tmp_path / ".gitignore").write_text("b.py\n", encoding="utf-8-sig")
    assert names(tmp_path) == ["a.py"]


def test_what_is_given_by_name_is_taken(tmp_path: Path):
    tree(tmp_path, "ignored.py", "script", "a.py")
    ignore(tmp_path, "ignored.py")
    assert names(tmp_path, "ignored.py", "script", "", "a.py") == ["ignored.py", "script", "a.py"]


def test_configured_exclude(tmp_path: Path):
    tree(tmp_path, "a.py", "gen/b.py", "sub/gen/c.py")
    (tmp_path / "pyproject.toml").write_text('[tool.inplace-lsp]\nexclude = ["/gen/"]\n')
    assert names(tmp_path) == ["a.py", "sub/gen/c.py"]


def test_links_to_folders_are_not_followed(tmp_path: Path):
    tree(tmp_path, "sub/a.py")
    (tmp_path / "sub" / "loop").symlink_to(tmp_path)
    assert names(tmp_path) == ["sub/a.py"]


def test_a_link_that_leads_in_a_circle_is_passed_over(tmp_path: Path):
    tree(tmp_path, "a.py")
    (tmp_path / "circle.py").symlink_to("circle.py")
    assert names(tmp_path) == ["a.py"]


def test_no_folder_lies_too_deep(tmp_path: Path):
    deep = "d/" * 200 + "m.py"
    tree(tmp_path, "a.py", deep)
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack()) + 150)
    try:
        assert names(tmp_path) == ["a.py", deep]
    finally:
        sys.setrecursionlimit(limit)


def test_a_folder_whose_files_cannot_be_named_has_no_configuration():
    assert config.config_for_folder(Path("/", *["d"] * 2100)) == config.DEFAULT
