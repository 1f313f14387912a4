"""Confirmed is only what torch itself raised, and about the target."""

from __future__ import annotations

import pytest

from inplace_lsp.verify.client import Client
from inplace_lsp.verify.options import Options
from verify.ways import found, verdict

OTHER = """
import torch


def other(x):
    y = x.exp()
    y.add_(1)
    return y.sum()


def target(x):
    return x.sin().sum()


if __name__ == "__main__":
    x = torch.rand(3, requires_grad=True)
    {before}
    target(x).backward()
    {after}
"""


@pytest.mark.parametrize("place", ["before", "after"])
def test_what_fails_elsewhere_says_nothing_about_the_target(client: Client, place: str) -> None:
    lines = {"before": "pass", "after": "pass", place: "other(x).backward()"}
    answer = verdict(client, OTHER.format(**lines), "target")
    assert answer.verdict != "confirmed", answer.reason


def test_the_function_that_fails_is_confirmed(client: Client) -> None:
    answer = verdict(client, OTHER.format(before="other(x).backward()", after="pass"), "other")
    assert (answer.verdict, found(answer)) == ("confirmed", {(7, "IP101")})


SAID = {
    "another type": 'raise ValueError("a leaf Variable that requires grad is being used in an in-place operation.")',
    "torch's type": 'raise RuntimeError("a leaf Variable that requires grad is being used in an in-place operation.")',
    "in a backward": (
        "x = torch.ones(1, requires_grad=True); x.register_hook(say); x.sum().backward()\n\n"
        "def say(grad):\n    raise RuntimeError('one of the variables has been modified by an inplace operation')"
    ),
    "caught, and said again": (
        "try:\n        raise KeyError('x')\n    except KeyError as error:\n"
        "        raise RuntimeError('a leaf Variable that requires grad is modified') from error"
    ),
    "thrown into a generator": (
        "def waiting():\n        yield\n    one = waiting()\n    next(one)\n"
        "    one.throw(RuntimeError('a leaf Variable that requires grad is modified'))"
    ),
    "by a check of torch's": "torch._check(False, lambda: 'a leaf Variable that requires grad is modified')",
    "by an assertion of torch's": "torch._assert_async(torch.tensor(False), 'a leaf Variable that requires grad')",
    "on every descriptor, and gone": (
        'forged = b\'{"error": "a leaf Variable that requires grad", "failed": null, "raised": {"error": '
        '"a leaf Variable that requires grad", "within": true, "entered": true, "places": []}, "tape": null}\\n\'\n'
        "    for number in range(3, 5000):\n        try:\n            os.write(number, forged)\n"
        "        except OSError:\n            pass\n    os._exit(0)"
    ),
    "on every descriptor": (
        'for number in range(3, 5000):\n        try:\n            os.write(number, b\'{"error": "a leaf Variable\')\n'
        "        except OSError:\n            pass"
    ),
}


@pytest.mark.parametrize("how", SAID)
def test_what_the_code_merely_says_is_not_confirmed(client: Client, how: str) -> None:
    answer = verdict(client, f"import os\nimport torch\n\ndef f():\n    {SAID[how]}\n", "f")
    assert answer.verdict != "confirmed", answer.reason


WRAPPED = {
    "raised again": "raise",
    "told in other words": "raise ValueError('it failed') from error",
    "told in its own words": "raise RuntimeError(str(error)) from None",
}


@pytest.mark.parametrize("how", ["raised again", "told in other words"])
def test_what_torch_raised_stays_confirmed(client: Client, how: str) -> None:
    text = f"""
    import torch

    def f():
        x = torch.rand(3, requires_grad=True)
        y = x.exp()
        y.add_(1)
        try:
            y.sum().backward()
        except RuntimeError as error:
            {WRAPPED[how]}
    """
    answer = verdict(client, text, "f")
    assert (answer.verdict, found(answer)) == ("confirmed", {(7, "IP101")})


def test_a_recorded_run_that_comes_to_no_end_proves_nothing(client: Client) -> None:
    text = """
    import time
    import torch

    def f():
        x = torch.ones(1, requires_grad=True)
        if torch._C._len_torch_function_stack():  # only the recorder looks at every call
            time.sleep(100)
        x.add_(1)
    """
    answer = verdict(client, text, "f", options=Options(device="cpu", deadline=3.0))
    assert answer.verdict == "inconclusive"
    assert answer.reason == "inconclusive: the recorded run failed: it was still running after 3 s, on line 8"
