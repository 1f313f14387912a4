"""torch's own messages about the suite's programs, and what launchers, loggers and terminals make of them."""

from __future__ import annotations

import contextlib
import io
import json
import re
import sys
import textwrap
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path

import torch

PROGRAMS = Path(__file__).parents[1] / "programs"


def run_program(path: Path, *, anomaly: bool = False) -> str:
    """What torch and Python print when the program is run: the warnings, then the traceback; "" if it runs through."""
    code = compile(path.read_text(encoding="utf-8"), str(path), "exec")
    torch.manual_seed(0)
    with warnings.catch_warnings(record=True) as heard, contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("always" if anomaly else "ignore")
        try:
            with torch.autograd.set_detect_anomaly(anomaly), torch.enable_grad():
                exec(code, {"__name__": "__main__", "__file__": str(path)})
        except Exception:
            told = "".join(
                f"{warning.filename}:{warning.lineno}: UserWarning: {warning.message}\n" for warning in heard
            )
            return (told if anomaly else "") + traceback.format_exc()
        finally:
            sys.stdout.flush()
    return ""


def as_printed(text: str) -> str:
    return text


def by_two_ranks(text: str) -> str:
    """As `torchrun` shows what two processes print at once."""
    return "".join(f"[rank{rank}]: {line}\n" for line in text.splitlines() for rank in (0, 1))


def by_srun(text: str) -> str:
    return "".join(f"3: {line}\n" for line in text.splitlines())


def logged(text: str) -> str:
    return "".join(
        f"2024-03-01 12:00:01,{at:03} - trainer - ERROR - {line}\n" for at, line in enumerate(text.splitlines())
    )


def through_ray(text: str) -> str:
    return "".join(f"(RayTrainWorker pid=3312, ip=10.0.0.7) {line}\n" for line in text.splitlines())


def coloured(text: str) -> str:
    return text.replace("RuntimeError", "\x1b[91mRuntimeError\x1b[0m").replace("File", "\x1b[35mFile\x1b[0m")


def wrapped_at_words(text: str) -> str:
    """As a mail program breaks the long lines of the message."""
    return "".join(
        f"{part}\n" for line in text.splitlines() for part in textwrap.wrap(line, 76, break_long_words=False)
    )


def wrapped_anywhere(text: str) -> str:
    """The message as a narrow terminal breaks it, in the middle of words; the lines of the traceback are short."""
    *above, message = text.rstrip().split("\nRuntimeError")
    message = f"RuntimeError{message}"
    return "\n".join([*above, *(message[at : at + 60] for at in range(0, len(message), 60))])


def on_cuda(text: str) -> str:
    return text.replace("torch.FloatTensor", "torch.cuda.FloatTensor").replace(
        "torch.LongTensor", "torch.cuda.LongTensor"
    )


def with_old_names(text: str) -> str:
    """As releases before 1.10 call the nodes."""
    return re.sub(
        r"(utput \d+ of (?:torch::autograd::)?)(?!CopySlices)([A-Z]\w*?)\d*(?=,| is a view)", r"\1\2Backward", text
    )


def with_numbered_names(text: str) -> str:
    """As releases from 1.10 to 2.12 call the nodes."""
    return re.sub(
        r"(utput \d+ of )(?!torch::)([A-Z]\w*?)(\d*)(?=,| is a view)",
        lambda m: f"{m[1]}{m[2]}Backward{m[3] or 0}",
        text,
    )


def in_a_notebook(text: str) -> str:
    """As IPython shows the frames."""
    lines = re.sub(
        r'  File "([^"]+)", line (\d+), in (\S+)\n    ([^\n]*)', r"File \1:\2, in \3(*args)\n----> \2 \4", text
    )
    return f"---------------------------------------------------------------------------\n{lines}"


def by_pytest(text: str) -> str:
    lines = text.replace("\n", "\nE   ").splitlines()
    return "\n".join(line if "Error" in line else line.removeprefix("E   ") for line in lines)


def as_json_log(text: str) -> str:
    return json.dumps({"level": "error", "message": text})


def with_a_hint_for_ddp(text: str) -> str:
    return (
        f"{text}\nIf you are using DistributedDataParallel (DDP) for training, please check out: buffers are broadcast "
        "in place at every forward pass (broadcast_buffers=True).\nFAILED\ntorch.distributed.elastic.multiprocessing"
    )


def after_other_errors(text: str) -> str:
    """In a log with a traceback that has nothing to do with it."""
    other = (
        'Traceback (most recent call last):\n  File "a.py", line 3, in load\n    open(name)\nOSError: no such file\n'
    )
    return other + text


def message_alone(text: str) -> str:
    """The last line, as people quote it."""
    found = re.search(r"^\w*Error: .*", text, re.MULTILINE | re.DOTALL)
    return found[0] if found else text


def cut_short(text: str) -> str:
    """The message up to its hints, as a chat shows it."""
    return re.split(r" instead\. Hint| This view | Saved intermediate", message_alone(text))[0]


WRAPPERS: tuple[Callable[[str], str], ...] = (
    as_printed,
    by_two_ranks,
    by_srun,
    logged,
    through_ray,
    coloured,
    wrapped_at_words,
    wrapped_anywhere,
    on_cuda,
    with_old_names,
    with_numbered_names,
    in_a_notebook,
    by_pytest,
    as_json_log,
    with_a_hint_for_ddp,
    after_other_errors,
)
"""What keeps the traceback."""
QUOTES: tuple[Callable[[str], str], ...] = (message_alone, cut_short)
"""What loses it."""
