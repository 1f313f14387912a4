"""What is read out of a text: every form of torch's messages, whatever a log makes of them."""

from __future__ import annotations

import textwrap
import time
from cProfile import Profile

import pytest

from inplace_lsp.why.frames import find_frames
from inplace_lsp.why.message import Frame, TorchError
from inplace_lsp.why.reading import read_errors

SAVED = (
    "RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation: "
    "[torch.cuda.FloatTensor [256, 1]], which is output 0 of AsStridedBackward0, is at version 2; expected version 1 "
    "instead. Hint: enable anomaly detection to find the operation that failed to compute its gradient, with "
    "torch.autograd.set_detect_anomaly(True)."
)
BASE_WRITTEN = "its base or another view of its base has been modified inplace"
TRACEBACK = """\
Traceback (most recent call last):
  File "/home/me/gan/train.py", line 41, in <module>
    step(real)
  File "/home/me/gan/train.py", line 30, in step
    loss_g.backward()
  File "/opt/conda/lib/python3.10/site-packages/torch/_tensor.py", line 487, in backward
    torch.autograd.backward(
"""
OF_A_STEP = Frame("/home/me/gan/train.py", 30, "step", "loss_g.backward()")


def read(text: str) -> TorchError:
    (error,) = read_errors(text)
    return error


def test_all_that_the_message_tells() -> None:
    error = read(SAVED)
    assert (error.kind, error.op, error.output, error.shape) == ("saved", "AsStridedBackward0", 0, (256, 1))
    assert (error.tensor_type, error.found, error.expected) == ("torch.cuda.FloatTensor", 2, 1)


def test_a_message_that_somebody_copied_by_hand() -> None:
    error = read("modified by an inplace operation: [3, 64, 3, 3] version 3 expected 2")
    assert (error.shape, error.found, error.expected) == ((3, 64, 3, 3), 3, 2)
    error = read("modified by an inplace operation: [256, 1], output 0 of TBackward, version 3 expected 2")
    assert (error.shape, error.op, error.found, error.expected) == ((256, 1), "TBackward", 3, 2)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("a leaf Variable that requires grad is being used in an in-place operation.", "leaf"),
        ("a leaf Variable that requires grad has been used in an in-place operation.", "leaf"),
        ("a view of a leaf Variable that requires grad is being used in an in-place operation.", "view-of-leaf"),
        ("leaf variable has been moved into the graph interior", "view-of-leaf"),
        (
            "Output 0 of UnbindBackward is a view and is being modified inplace. This view is the output of a function "
            "that returns multiple views. Such functions do not allow the output views to be modified inplace.",
            "multi-view",
        ),
        (f"Output 1 of SplitBackward0 is a view and {BASE_WRITTEN}.", "multi-view"),
        (
            "Output 0 of SelectBackward is a view and is being modified inplace. This view was created in no_grad mode",
            "no-grad-view",
        ),
        ("A view was created in no_grad mode and is being modified inplace with grad mode enabled.", "no-grad-view"),
        (f"A view was created in inference mode and {BASE_WRITTEN}", "no-grad-view"),
        ("Inplace update to inference tensor outside InferenceMode is not allowed.You can make a clone", "inference"),
        ("Inference tensors cannot be saved for backward. To work around you can make a clone", "inference"),
        ("Trying to backward through the graph a second time (or directly access saved tensors", "freed"),
        ("Trying to backward through the graph a second time, but the buffers have already been freed.", "freed"),
        (
            "unsupported operation: more than one element of the written-to tensor refers to a single memory location.",
            "overlap",
        ),
        (
            "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single",
            "overlap",
        ),
        ("add(): functions with out=... arguments don't support automatic differentiation, but one of", "other"),
        (
            "Output 0 of MineBackward is a view and is being modified inplace. This view was created inside a custom "
            "Function (or because an input was returned as-is)",
            "other",
        ),
    ],
)  # fmt: skip
def test_every_form(text: str, kind: str) -> None:
    assert read(f"RuntimeError: {text}").kind == kind


def test_the_number_and_node_of_a_view() -> None:
    error = read("RuntimeError: Output 12 of ExpandBackward0 is a view and is being modified inplace. This view is the")
    assert (error.op, error.output) == ("ExpandBackward0", 12)


def test_a_parameter_has_no_node() -> None:
    error = read(SAVED.replace(", which is output 0 of AsStridedBackward0,", ""))
    assert (error.op, error.shape, error.found) == (None, (256, 1), 2)


def test_a_scalar() -> None:
    assert read(SAVED.replace("[256, 1]", "[]")).shape == ()


@pytest.mark.parametrize(
    ("end", "told"),
    [
        (" [256, 1]], which is output 0 of AsStr", ("AsStr", (256, 1), None)),
        (" [256, 1]], whi", (None, (256, 1), None)),
        (" [25", (None, None, None)),
        (
            " [256, 1]], which is output 0 of AsStridedBackward0, is at version 2; exp",
            ("AsStridedBackward0", (256, 1), 2),
        ),
    ],
)
def test_a_message_that_is_cut(end: str, told: tuple[object, ...]) -> None:
    error = read(SAVED.split(" [256", maxsplit=1)[0] + end)
    assert (error.op, error.shape, error.found) == told


def test_the_traceback_and_whose_lines_they_are() -> None:
    error = read(TRACEBACK + SAVED)
    assert error.frames[1] == OF_A_STEP
    assert [frame.row for frame in error.frames] == [41, 30, 487]


def test_ranks_that_say_the_same_are_one_error() -> None:
    lines = [f"[rank{rank}]: {line}" for line in (TRACEBACK + SAVED).splitlines() for rank in (0, 1, 2)]
    error = read("\n".join(lines))
    assert error.times == 3
    assert error.frames[1] == OF_A_STEP


def test_another_error_in_the_same_log_is_told_too() -> None:
    leaf = "RuntimeError: a leaf Variable that requires grad is being used in an in-place operation."
    assert [error.kind for error in read_errors(f"{leaf}\n{SAVED}")] == ["saved", "leaf"]


def test_anomaly_mode_names_the_forward_call() -> None:
    warning = (
        "/opt/lib/torch/autograd/__init__.py:200: UserWarning: Error detected in MmBackward0. Traceback of forward "
        'call that caused the error:\n  File "/home/me/gan/model.py", line 7, in forward\n    return x @ self.w\n'
        " (Triggered internally at ../torch/csrc/autograd/python_anomaly_mode.cpp:114.)\n"
    )
    error = read(warning + TRACEBACK + SAVED)
    assert error.failing == "MmBackward0"
    assert error.forward == (Frame("/home/me/gan/model.py", 7, "forward", "return x @ self.w"),)
    assert error.frames[1] == OF_A_STEP


@pytest.mark.parametrize(
    "text", ["", "RuntimeError: CUDA out of memory", "\x1b[31m", "[rank0]: ", "\0\0", "Traceback ("]
)
def test_other_texts_have_none(text: str) -> None:
    assert read_errors(text) == ()


@pytest.mark.parametrize(
    "noise", ["1-" * 5_000, "Output1of" * 20_000, "[" * 50_000, "│" + " " * 50_000, 'File "' * 20_000]
)
def test_a_log_full_of_what_nearly_matches(noise: str) -> None:
    began = time.process_time()
    assert read(f"{noise}\n{noise}\n{SAVED}").op == "AsStridedBackward0"
    assert time.process_time() - began < 10


@pytest.mark.parametrize("width", range(24, 76))
def test_a_line_of_a_traceback_that_was_broken_anywhere(width: int) -> None:
    line = '  File "/home/u/project/train_all_of_it.py", line 127, in train_one'
    by_words = textwrap.wrap(line, width, break_long_words=False)
    anywhere = [line[at : at + width] for at in range(0, len(line), width)]
    for parts in (by_words, anywhere):
        (_, frame), *_ = find_frames([*parts, "    loss.backward()"])
        assert (frame.file, frame.row) == ("/home/u/project/train_all_of_it.py", 127)


def test_a_number_of_more_digits_than_python_reads_is_none() -> None:
    digits = "9" * 5000
    log = (
        f'Traceback (most recent call last):\n  File "a.py", line {digits}, in f\n  b.py:{digits}: in f\n'
        f"---> {digits} y.add_(1)\n"
        "RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation: "
        f"[torch.FloatTensor [{digits}]], which is output {digits} of ExpBackward0, is at version {digits}; expected "
        "version 0 instead."
    )
    (error,) = read_errors(log)
    assert (error.shape, error.output, error.found, error.frames) == (None, None, None, ())


@pytest.mark.parametrize("line", ["\n", "rank 3: step 17\n", "ERROR"])
def test_twice_the_log_is_twice_the_work(line: str) -> None:
    error = (
        'Traceback (most recent call last):\n  File "/x/train.py", line 7, in f\n    y.sum().backward()\n'
        "RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation: "
        "[torch.FloatTensor [2]], which is output 0 of ExpBackward0, is at version 1; expected version 0 instead.\n"
    )
    part = error if line == "ERROR" else line

    def count_calls(times: int) -> int:
        profile = Profile()
        (found,) = profile.runcall(read_errors, part * times + error)
        assert (found.found, found.frames[-1].row) == (1, 7)
        return sum(entry.callcount for entry in profile.getstats())

    assert count_calls(2000) < 2.3 * count_calls(1000)
    assert count_calls(1000) < (300_000 if line == "ERROR" else 20_000)
