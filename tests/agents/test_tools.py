"""What each tool answers, and the sentence that it answers where it cannot."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from agents.client import ERROR, FINE, HAZARD, ask, connected, refuse, said


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "train.py").write_text(HAZARD)
    (tmp_path / "fine.py").write_text(FINE)
    return tmp_path


async def test_the_tools_are_listed_with_valid_schemas(project: Path):
    async with connected(project) as client:
        tools = (await client.list_tools()).tools
    assert [tool.name for tool in tools] == ["check", "why", "tape", "explain", "ops", "verify", "trace"]
    for tool in tools:
        Draft202012Validator.check_schema(tool.input_schema)
        Draft202012Validator.check_schema(tool.output_schema)
        assert tool.annotations.read_only_hint is (tool.name not in ("verify", "trace"))


async def test_a_finding_says_all_that_it_takes_to_mend_it(project: Path):
    async with connected(project) as client:
        answer = await ask(client, "check", paths=["."])
        [finding] = answer["findings"]
        assert (answer["checked"], answer["left_out"], answer["problems"]) == (2, 0, [])
        assert (finding["code"], finding["location"]["row"]) == ("IP101", 5)
        assert Path(finding["filename"]) == project / "train.py"
        assert finding["advice"] == "write out of place: `y = y.add(1)`"
        assert "4 | y = x.exp()\n  | ----------- `exp` saves its result at version 0" in finding["source"]
        assert "6 | y.sum().backward()" in finding["source"]
        apply_difference(finding["diff"], project)
        assert "y = y.add(1)\n" in (project / "train.py").read_text()
        assert (await ask(client, "check", paths=["train.py"]))["findings"] == []


def apply_difference(diff: str, folder: Path) -> None:
    """As `git apply` does, which agents use."""
    done = subprocess.run(["git", "apply", "-"], input=diff, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


async def test_a_text_is_checked_where_it_belongs(project: Path):
    (project / "helper.py").write_text("def change(t):\n    t.add_(1)\n")
    text = HAZARD.replace("y.add_(1)", "change(y)").replace("import torch", "import torch\nfrom helper import change")
    async with connected(project) as client:
        [finding] = (await ask(client, "check", text=text, filename="new.py"))["findings"]
        assert (Path(finding["filename"]).name, finding["location"]["row"]) == ("helper.py", 2)
        assert "::: new.py" in finding["source"]
        [alone] = (await ask(client, "check", text=HAZARD, repairs=False))["findings"]
        assert (alone["fix"], alone["diff"], alone["fixable"]) == (None, None, "safe")
    assert not (project / "new.py").exists()


async def test_a_repair_in_a_notebook_is_a_diff_of_its_cell(tmp_path: Path):
    cells = [
        {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": source.splitlines(True)}
        for source in (HAZARD.partition("y.add_(1)\n")[0], "y.add_(1)\ny.sum().backward()")
    ]
    notebook = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (tmp_path / "study.ipynb").write_text(json.dumps(notebook))
    async with connected(tmp_path) as client:
        [finding] = (await ask(client, "check", paths=["study.ipynb"]))["findings"]
    assert finding["diff"].startswith("--- a/study.ipynb:cell 2\n+++ b/study.ipynb:cell 2\n@@ -1,2 +1,2 @@\n")
    assert "-y.add_(1)\n+y = y.add(1)\n" in finding["diff"]
    assert finding["cell"] == 2


async def test_only_so_many_findings_are_shown_and_the_severe_ones_first(tmp_path: Path):
    guess = "def helper(t):\n    y = t.exp()\n    y.add_(1)\n    return y\n"
    (tmp_path / "a.py").write_text("import torch\n\n" + guess)
    (tmp_path / "b.py").write_text(HAZARD)
    async with connected(tmp_path) as client:
        every = (await ask(client, "check", paths=["."], repairs=False))["findings"]
        first = await ask(client, "check", paths=["."], repairs=False, limit=1)
        errors = await ask(client, "check", paths=["."], repairs=False, severity="error")
        selected = await ask(client, "check", paths=["."], repairs=False, select=["IP2"])
        ignored = await ask(client, "check", paths=["."], repairs=False, ignore=["IP1"])
    assert [Path(finding["filename"]).name for finding in every] == ["b.py", "a.py"]
    assert ([first["findings"][0]["severity"], first["left_out"]]) == ["error", 1]
    assert len(errors["findings"]) == 1
    assert selected["findings"] == ignored["findings"] == []


async def test_a_look_changes_nothing_whatever_the_folder_says(project: Path):
    (project / "pyproject.toml").write_text('[tool.inplace-lsp]\nfix = true\noutput-format = "concise"\n')
    async with connected(project) as client:
        assert len((await ask(client, "check", paths=["train.py"]))["findings"]) == 1
    assert (project / "train.py").read_text() == HAZARD


async def test_what_could_not_be_checked_is_said_beside_what_could(project: Path):
    (project / "broken.py").write_text("def broken(:\n    pass\n")
    async with connected(project) as client:
        answer = await ask(client, "check", paths=["broken.py", "train.py", "nowhere.py"])
    assert len(answer["findings"]) == 1
    assert answer["problems"][0] == "cannot check nowhere.py: no such file or folder"
    assert answer["problems"][1].startswith("cannot check broken.py:1: ")


async def test_why_ranks_the_writes(project: Path):
    async with connected(project) as client:
        answer = await ask(client, "why", error=ERROR)
        [candidate] = answer["candidates"]
        assert answer["error"]["op"] == "ExpBackward0"
        assert (candidate["rank"], candidate["location"]["row"]) == (1, 5)
        assert "5 | y.add_(1)\n  | ^^^^^^^^^" in candidate["source"]
        assert (await ask(client, "why", error=ERROR, paths=["fine.py"]))["candidates"] == []


async def test_tape_explain_and_ops_are_those_of_the_command_line(project: Path):
    async with connected(project) as client:
        tape = await ask(client, "tape", filename="train.py", row=5)
        page = (await ask(client, "explain", code="IP101"))["page"]
        op = await ask(client, "ops", name="exp")
    schema = json.loads((Path(__file__).parents[2] / "docs" / "trace.schema.json").read_text())
    Draft202012Validator(schema).validate(tape)
    assert tape["violations"][0]["writes"] != []
    assert page.startswith("# saved-tensor-modified (IP101)")
    assert (
        op["summary"] == "exp saves its output: writing to the result breaks backward; writing to the input does not."
    )


async def test_the_pages_of_the_codes_are_resources(project: Path):
    async with connected(project) as client:
        listed = (await client.list_resources()).resources
        [page] = (await client.read_resource("inplace-lsp://hazards/IP103")).contents
    assert {"inplace-lsp://hazards/IP101", "inplace-lsp://hazards/IP901"} <= {each.uri for each in listed}
    assert (page.mime_type, page.text.splitlines()[0]) == ("text/markdown", "# graph-used-after-free (IP103)")


MARKS = "open('ran', 'w').close()\n"


async def test_nothing_of_the_user_runs_unless_that_was_allowed(project: Path):
    (project / "train.py").write_text(MARKS + HAZARD)
    (project / "pyproject.toml").write_text("[tool.inplace-lsp]\npython = '.'\n")
    async with connected(project) as client:
        refusals = [
            await refuse(client, "verify", filename="train.py"),
            await refuse(client, "trace", script="train.py"),
        ]
    for name, refusal in zip(("verify", "trace"), refusals, strict=True):
        assert refusal == (
            f"`{name}` runs the user's code, and this server was not allowed to. The user can allow it by starting the "
            "server with `inplace-lsp mcp --allow-run`."
        )
    assert not (project / "ran").exists()


async def test_torch_confirms_where_it_was_allowed(project: Path):
    async with connected(project, "--allow-run") as client:
        verdict = await ask(client, "verify", filename="train.py", device="cpu")
        (project / "train.py").write_text(MARKS + HAZARD)
        run = await ask(client, "trace", script="train.py")
    assert (verdict["verdict"], verdict["violations"][0]["written"]["location"]["row"]) == ("confirmed", 5)
    assert (project / "ran").exists()
    assert run["status"] == 1
    assert "line 6 wrote `y`" in run["log"]
    assert run["trace"]["origin"] == "observed"


async def test_a_script_that_takes_too_long_is_ended(project: Path):
    (project / "train.py").write_text("import time\nopen('ran', 'w').close()\ntime.sleep(60)\n")
    async with connected(project, "--allow-run") as client:
        told = await refuse(client, "trace", script="train.py", timeout=5)
    assert told == "the script was ended after 5 s; `timeout` gives it more time"


REFUSED = [
    ("check", {}, "say what to check: either `paths` or `text`"),
    ("check", {"paths": ["a"], "text": "b"}, "say what to check: either `paths` or `text`"),
    ("check", {"paths": ["nowhere"]}, "cannot check nowhere: no such file or folder"),
    ("check", {"paths": ["-"]}, "cannot check ./-: no such file or folder"),
    ("check", {"paths": ["--fix"]}, "cannot check --fix: no such file or folder"),
    ("check", {"paths": ["train.py"], "select": ["IP9x"]}, "Invalid value for '--select': unknown code 'IP9x'"),
    ("check", {"paths": "train.py"}, "the arguments of `check` are wrong: `paths`: 'train.py' is not of type 'array'"),
    ("check", {"paths": ["train.py"], "limit": 0}, "the arguments of `check` are wrong: `limit`: 0 is less than"),
    ("check", {"files": ["train.py"]}, "the arguments of `check` are wrong: Additional properties are not allowed"),
    ("why", {}, "the arguments of `why` are wrong: 'error' is a required property"),
    ("why", {"error": "It does not work."}, "standard input contains no PyTorch error about an in-place write"),
    ("why", {"error": ERROR, "paths": ["nowhere"]}, "cannot check nowhere: no such file or folder; no Python files"),
    ("tape", {"filename": "train.py", "row": 1}, "train.py:1: nothing is found on this line (lines with findings: 5)"),
    ("tape", {"filename": "nowhere.py", "row": 1}, "cannot check nowhere.py: No such file or directory"),
    ("explain", {"code": "IP999"}, "there is no code 'IP999'; the codes are IP101, "),
    ("ops", {"name": "expp"}, "no op 'expp' is known for torch"),
    ("tell", {}, "there is no tool 'tell'; the tools are check, why, tape, explain, ops, verify, trace"),
]


async def test_errors_are_sentences(project: Path):
    async with connected(project) as client:
        for tool, arguments, sentence in REFUSED:
            assert (await refuse(client, tool, **arguments)).startswith(sentence)


async def test_what_the_model_reads_is_the_structured_answer(project: Path):
    async with connected(project) as client:
        result = await client.call_tool("ops", {"name": "exp"})
    assert json.loads(said(result)) == result.structured_content
