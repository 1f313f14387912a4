from __future__ import annotations

from pathlib import Path

import pytest

from inplace_lsp import config
from inplace_lsp.config import DEFAULT, Config, ConfigError

PYPROJECT = Path("/project/pyproject.toml")


@pytest.fixture(autouse=True)
def _fresh():
    config.forget_configs()


def parsed(table: str) -> Config:
    found = config.parse_config("[tool.inplace-lsp]\n" + table, PYPROJECT)
    assert found is not None
    return found


def test_everything_can_be_set():
    found = parsed("""
select = ["IP1", "ip205"]
ignore = ["IP103"]
exclude = ["generated/"]
[tool.inplace-lsp.per-file-ignores]
"tests/**" = ["IP1"]
""")
    assert found == Config(
        ("IP1", "IP205"), ("IP103",), (("tests/**", ("IP1",)),), ("generated/",), root=Path("/project")
    )


def test_by_default_all_but_what_is_off_is_wanted():
    assert DEFAULT.is_wanted("IP101", "/a.py")
    assert DEFAULT.is_wanted("IP901", "/a.py")
    assert not DEFAULT.is_wanted("IP401", "/a.py")


@pytest.mark.parametrize(
    ("select", "ignore", "wanted"),
    [
        (("IP1",), (), {"IP101", "IP103"}),
        (("IP",), ("IP1",), {"IP205", "IP401"}),
        (("IP101",), ("IP1",), {"IP101"}),
        (("IP1", "IP205"), ("IP103",), {"IP101", "IP205"}),
        ((), (), set()),
    ],
)
def test_the_longest_beginning_decides(select: tuple[str, ...], ignore: tuple[str, ...], wanted: set[str]):
    found = Config(select, ignore)
    assert {code for code in ("IP101", "IP103", "IP205", "IP401") if found.is_wanted(code, "/a.py")} == wanted


def test_all_stands_for_every_code_even_those_off_by_default():
    assert parsed('select = ["ALL"]').is_wanted("IP401", "/project/a.py")


@pytest.mark.parametrize(
    ("pattern", "file", "ignored"),
    [
        ("tests/**", "/project/tests/deep/a.py", True),
        ("tests/**", "/project/src/a.py", False),
        ("__init__.py", "/project/src/__init__.py", True),
        ("/a.py", "/project/src/a.py", False),
        ("a.py", "/elsewhere/a.py", False),
    ],
)
def test_per_file_ignores_are_relative_to_the_project(pattern: str, file: str, ignored: bool):
    found = parsed(f'[tool.inplace-lsp.per-file-ignores]\n"{pattern}" = ["IP101"]')
    assert found.is_wanted("IP101", file) is not ignored
    assert found.is_wanted("IP102", file)


def test_exclude_folders():
    found = parsed('exclude = ["generated/", "*_pb2.py"]')
    assert found.is_excluded("/project/src/generated", is_dir=True)
    assert not found.is_excluded("/project/src/generated")
    assert found.is_excluded("/project/x_pb2.py")


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ('selct = ["IP1"]', "unknown key 'selct'; did you mean 'select'?"),
        ("per_file_ignores = {}", "unknown key 'per_file_ignores'; did you mean 'per-file-ignores'?"),
        ('root = "x"', "unknown key 'root'"),
        ('select = "IP101"', "select = 'IP101': must be a list of strings."),
        ("exclude = [1]", "exclude = [1]: must be a list of strings."),
        ('select = ["IP1O1"]', "select: unknown code 'IP1O1'; did you mean 'IP101'?"),
        ('ignore = [""]', "ignore: unknown code ''"),
        ("exclude = ['a', '!']", "exclude: '!' is not a file pattern"),
        ("per-file-ignores = {'!' = []}", "per-file-ignores: '!' is not a file pattern"),
        ('per-file-ignores = ["a"]', "must be a table from a file pattern to a list of codes"),
        ("severity = {IP301 = 'fatal'}", "severity.IP301 = 'fatal': must be one of error, warning, information, hint."),
        ("severity = {E501 = 'error'}", "severity: unknown code 'E501'"),
        ("severity = 'error'", "severity = 'error': must be a table from a code to a severity."),
        ("fix = 1", "fix = 1: must be true or false."),
        ("baseline = 1", "baseline = 1: must be a string."),
        ('per-file-ignores = {"a" = ["E501"]}', "per-file-ignores.'a': unknown code 'E501'"),
    ],
)
def test_what_is_not_allowed_is_said_with_what_is(table: str, message: str):
    with pytest.raises(ConfigError) as error:
        parsed(table)
    assert message in str(error.value)
    assert str(error.value).startswith("/project/pyproject.toml: [tool.inplace-lsp] ")


def test_broken_toml():
    with pytest.raises(ConfigError, match="not valid TOML"):
        config.parse_config("[tool", PYPROJECT)


HOSTILE = {
    "deep array": "x = " + "[" * 5000 + "]" * 5000,
    "deep table": "[tool.inplace-lsp]\nselect = " + "{a=" * 5000 + "1" + "}" * 5000,
    "deep dotted key": "a" + ".a" * 50_000 + " = 1",
    "deep in ours": "[tool.inplace-lsp]\nselect = " + "[" * 300 + "]" * 300,
    "a number of many digits": "x = " + "9" * 5000,
    "a long name": "[tool.inplace-lsp]\n" + "x" * 100_000 + " = 1",
    "a long code": '[tool.inplace-lsp]\nselect = ["' + "X" * 100_000 + '"]',
    "a long pattern": '[tool.inplace-lsp]\nexclude = ["' + "[" * 100_000 + '"]',
    "a name without an end": '[tool.inplace-lsp]\nmodels = ["\\u0000"]',
    "a release that is none": '[tool.inplace-lsp]\ntorch = "' + "9." * 50_000 + '"',
}


@pytest.mark.parametrize("name", HOSTILE)
def test_whatever_is_in_the_file_the_answer_is_short(name: str):
    try:
        found = config.parse_config(HOSTILE[name], PYPROJECT)
    except ConfigError as error:
        assert str(error).startswith("/project/pyproject.toml: ")
        assert len(str(error)) < 1200
    else:
        assert found is None or found.root == Path("/project")


def test_what_is_nested_too_deeply_is_said():
    with pytest.raises(ConfigError, match="nested too deeply to be read"):
        config.parse_config(HOSTILE["deep array"], PYPROJECT)
    with pytest.raises(ConfigError, match="not valid TOML: Exceeds the limit"):
        config.parse_config(HOSTILE["a number of many digits"], PYPROJECT)


def test_a_bug_of_ours_costs_the_configuration_only(monkeypatch: pytest.MonkeyPatch):
    def fail(_table: object, _root: Path) -> Config:
        raise KeyError("oops")

    monkeypatch.setattr(config, "_build_config", fail)
    with pytest.raises(ConfigError, match="cannot be read: KeyError: 'oops'"):
        parsed("")


def test_a_table_that_is_none():
    with pytest.raises(ConfigError, match="must be a table"):
        config.parse_config("[tool]\ninplace-lsp = 3", PYPROJECT)
    assert config.parse_config("tool = 3", PYPROJECT) is None


def test_the_nearest_file_with_a_table_counts(tmp_path: Path):
    (tmp_path / "pyproject.toml").write_text('[tool.inplace-lsp]\nselect = ["IP2"]\n')
    inner = tmp_path / "package" / "deep"
    inner.mkdir(parents=True)
    (tmp_path / "package" / "pyproject.toml").write_text("[tool.other]\n")
    assert config.config_for_file(str(inner / "a.py")).select == ("IP2",)
    config.forget_configs()
    (tmp_path / "package" / "pyproject.toml").write_text("[tool.inplace-lsp]\n")
    found = config.config_for_file(str(inner / "a.py"))
    assert (found.select, found.root) == (None, tmp_path / "package")


def test_a_byte_order_mark_does_not_matter(tmp_path: Path):
    (tmp_path / "pyproject.toml").write_text('[tool.inplace-lsp]\nselect = ["IP2"]\n', encoding="utf-8-sig")
    assert config.config_for_file(str(tmp_path / "a.py")).select == ("IP2",)


def test_no_project_at_all():
    assert config.config_for_file("/a.py") == DEFAULT


def test_model_folders_start_at_the_project(tmp_path: Path):
    (tmp_path / "tools" / "models").mkdir(parents=True)
    (tmp_path / "pyproject.toml").write_text(f'[tool.inplace-lsp]\nmodels = ["tools/models", "{tmp_path}"]\n')
    found = config.config_for_file(str(tmp_path / "tools" / "a.py"))
    assert found.models == (str(tmp_path / "tools" / "models"), str(tmp_path))


@pytest.mark.parametrize(
    ("models", "why"),
    [
        ('["nowhere"]', "models: 'nowhere': there is no such folder in "),
        ('["pyproject.toml"]', "models: 'pyproject.toml': there is no such folder in "),
        ('"tools"', "models = 'tools': must be a list of strings."),
        ("[1]", "models = [1]: must be a list of strings."),
    ],
)
def test_model_folders_that_cannot_be_used(tmp_path: Path, models: str, why: str):
    (tmp_path / "pyproject.toml").write_text(f"[tool.inplace-lsp]\nmodels = {models}\n")
    with pytest.raises(ConfigError) as error:
        config.config_for_file(str(tmp_path / "a.py"))
    assert f"[tool.inplace-lsp] {why}" in str(error.value)


def test_the_whole_disk_is_no_folder_of_model_files(tmp_path: Path):
    (tmp_path / "pyproject.toml").write_text('[tool.inplace-lsp]\nmodels = ["/"]\n')
    with pytest.raises(ConfigError, match="models: '/' holds more than 5000 files"):
        config.config_for_file(str(tmp_path / "a.py"))
