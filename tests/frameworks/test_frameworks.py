"""Programs that train with other libraries: run under the real library, torch finds just what their markers say."""

from __future__ import annotations

from pathlib import Path

import pytest

from inplace_lsp.hazards.registry import find_all
from inplace_lsp.worker.recorder import observe_program
from kept import kept
from support import answer, compare, predicted
from truth import JUDGES

ROOT = Path(__file__).parent
PROGRAMS = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*.py") if path.parent != ROOT)
LOUD = ("IP1", "IP2")
NOT_YET = {
    "factories/partial_act_layer_valid.py": "a class is judged with a default that no caller in sight leaves in place",
    "factories/plugin_module_by_name_residual.py": "the name of the class comes from a command line parsed as JSON",
}
"""What the static analysis gets wrong so far, and why."""
BELOW_TRANSFORMS = ("torch_tools/func_grad_activation_written_in_loss.py",)
"""What torch's own error alone tells: of ops inside a transform of `torch.func` no recorder sees the user's tensors."""
LOADED_TOGETHER = ("accelerate", "diffusers", "peft", "transformers")
"""Libraries that load each other: all of their programs, and so those of each other library, are run by one worker."""
NEEDS_A_BUILD = ("mmcv/",)
"""Libraries that are to be built, as by `MMCV_WITH_OPS=0 pip install mmcv==1.7.2`: torch judges where they are."""


def by_library(name: str) -> object:
    """The program, to be run where its library is loaded already."""
    library = name.partition("/")[0]
    group = LOADED_TOGETHER[0] if library.startswith(LOADED_TOGETHER) else library
    return pytest.param(name, marks=pytest.mark.xdist_group(group))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", list(map(by_library, PROGRAMS)))
def test_torch_agrees_with_the_markers(name: str) -> None:
    if name.startswith(NEEDS_A_BUILD):
        pytest.importorskip(name.partition("/")[0])
    text = (ROOT / name).read_text(encoding="utf-8")
    file = str(ROOT / name)
    tape = kept("frameworks", (*JUDGES, ROOT / "conftest.py"), (text, file), lambda: observe_program(text, file))
    if name in BELOW_TRANSFORMS:
        assert tape.error is not None
        assert "modified by an inplace operation" in tape.error
        return
    found = answer(find_all(tape))
    compare(text, found, "torch")
    assert not tape.notes, f"the two runs differ: {tape.notes}"
    loud = any(code.startswith(LOUD) for _, code in found)
    assert loud or tape.error is None, f"the program fails for a reason of its own: {tape.error}"


def expect(name: str) -> object:
    return pytest.param(name, marks=pytest.mark.xfail(reason=NOT_YET[name], strict=True)) if name in NOT_YET else name


@pytest.mark.parametrize("name", list(map(expect, PROGRAMS)))
def test_the_static_analysis_agrees_with_the_markers(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    compare(text, predicted(text, str(ROOT / name)), "the static analysis")
