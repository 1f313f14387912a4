"""`%load_ext inplace_lsp` in a notebook, as Jupyter runs it, and at IPython's prompt."""

from __future__ import annotations

import base64
import re
import subprocess
import sys

import nbclient
import nbformat
import pytest

from inside.test_pytest_plugin import ENVIRONMENT

pytestmark = pytest.mark.xdist_group("ipython")
CELLS = {
    "load": "import torch\n%load_ext inplace_lsp",
    "define": "def squash(x):\n    y = x.exp()\n    y.add_(1)\n    return y\n\nx = torch.rand(3, requires_grad=True)",
    "unwatched": "z = squash(x)",
    "graph of an unwatched cell": "%%inplace\nz.sum().backward()",
    "dies": "%%inplace\nloss = squash(x).sum()\nloss.backward()",
    "makes a graph": "%%inplace\nz = squash(x)\nz.shape",
    "walks it": "z.sum().backward()",
    "all": "%inplace on",
    "every cell is watched": "w = squash(x)\nw.sum().backward()",
    "none": "%inplace off",
    "no longer": "squash(x).sum().backward()",
    "other error": "%%inplace\n1 / 0",
    "another magic": "%%inplace\n%%capture seen\nprint(1)",
    "asynchronous": "%%inplace\nimport asyncio\nawait asyncio.sleep(0, 5)",
    "unload": "%unload_ext inplace_lsp",
    "unloaded": "%%inplace",
}


@pytest.fixture(scope="module")
def outputs() -> dict[str, list[nbformat.NotebookNode]]:
    """What each cell has put out."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", ENVIRONMENT["PYTHONPATH"])
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text) for text in CELLS.values()])
        nbclient.NotebookClient(notebook, allow_errors=True, kernel_name="python3", timeout=900).execute()
    return {name: cell.outputs for name, cell in zip(CELLS, notebook.cells, strict=True)}


def plain(text: str) -> str:
    return re.sub("\x1b\\[[0-9;]*m", "", text)


def number(name: str) -> int:
    return list(CELLS).index(name) + 1


def test_the_trace_stands_below_the_error(outputs: dict[str, list[nbformat.NotebookNode]]):
    error, trace = outputs["dies"]
    assert (error.output_type, error.ename, trace.output_type) == ("error", "RuntimeError", "display_data")
    made, died = f"Cell In[{number('define')}]", f"Cell In[{number('dies')}]"
    assert trace.data["text/plain"].startswith(
        f"In {died}:\nline 3 of {made} wrote `y` (version 0 -> 1) after `exp` on line 2 of {made} had saved it"
    )
    assert "loss.backward()" in trace.data["text/plain"]


def test_the_trace_is_a_drawing(outputs: dict[str, list[nbformat.NotebookNode]]):
    page = outputs["dies"][1].data["text/html"]
    [drawing] = re.findall(r'src="data:image/svg\+xml;base64,([^"]*)"', page)
    assert base64.b64decode(drawing).startswith(b"<svg")
    assert "line 3 of Cell In[2] wrote `y`" in page


def test_the_traceback_is_that_of_a_cell_without_magic(outputs: dict[str, list[nbformat.NotebookNode]]):
    told = plain("\n".join(outputs["dies"][0].traceback))
    assert f"Cell In[{number('dies')}], line 3\n" in told
    assert "----> 3 loss.backward()" in told
    assert "inplace_lsp" not in told
    assert "run_cell_magic" not in told


def test_a_graph_that_a_watched_cell_made(outputs: dict[str, list[nbformat.NotebookNode]]):
    assert [output.output_type for output in outputs["makes a graph"]] == ["execute_result"]
    error, trace = outputs["walks it"]
    assert error.evalue.startswith("one of the variables needed for gradient computation has been modified")
    assert "line 3 of Cell In[2] wrote `y`" in trace.data["text/plain"]


def test_a_graph_that_no_watched_cell_made(outputs: dict[str, list[nbformat.NotebookNode]]):
    _, words = outputs["graph of an unwatched cell"]
    assert words.name == "stderr"
    assert words.text.startswith("What wrote was not seen")
    assert "`%inplace on` watches every cell from now on" in words.text


def test_all_cells(outputs: dict[str, list[nbformat.NotebookNode]]):
    assert [output.output_type for output in outputs["every cell is watched"]] == ["error", "display_data"]
    assert [output.output_type for output in outputs["no longer"]] == ["error"]


def test_cells_are_as_without_the_magic(outputs: dict[str, list[nbformat.NotebookNode]]):
    [error] = outputs["other error"]
    assert error.ename == "ZeroDivisionError"
    assert "----> 2 1 / 0" in plain("\n".join(error.traceback))
    assert outputs["another magic"] == []
    assert outputs["asynchronous"][0].data["text/plain"] == "5"


def test_unloaded(outputs: dict[str, list[nbformat.NotebookNode]]):
    [words] = outputs["unloaded"]
    assert "Cell magic `%%inplace` not found" in words.text


def test_at_the_prompt():
    code = (
        "from IPython.core.interactiveshell import InteractiveShell\n"
        "shell = InteractiveShell()\n"
        "shell.run_cell('%load_ext inplace_lsp')\n"
        "cell = '%%inplace\\nimport torch\\nx = torch.rand(3, requires_grad=True)\\nx += 1'\n"
        "shell.run_cell(cell, store_history=True)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=ENVIRONMENT, check=False)
    error, _, trace = plain(done.stdout).partition("In Cell In[1]:\n")
    assert error.rstrip().endswith("a leaf Variable that requires grad is being used in an in-place operation.")
    assert trace.startswith(
        "torch refuses += of `x` on line 4: leaf that requires grad\n\n    line  source  what happens"
    )


def test_no_torch():
    code = (
        "import sys\nsys.modules['torch'] = None\n"
        "from IPython.core.interactiveshell import InteractiveShell\n"
        "shell = InteractiveShell()\n"
        "shell.run_cell('%load_ext inplace_lsp')\n"
        "shell.run_cell('%%inplace\\nprint(1 + 1)')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=ENVIRONMENT, check=False)
    assert done.stdout == "2\n"
    assert done.stderr.startswith(f"%%inplace: {sys.executable} cannot load torch: ")
