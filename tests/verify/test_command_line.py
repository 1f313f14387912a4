"""Programs that require arguments, which verify makes up."""

from __future__ import annotations

import pytest

from inplace_lsp.verify.client import Client
from verify.ways import verdict

PROGRAM = """
    import argparse
    import torch

    def main():
        parser = argparse.ArgumentParser()
        {arguments}
        options = parser.parse_args()
        y = torch.ones(3, requires_grad=True).exp()
        if {condition}:
            {write}
        y.sum().backward()

    main()
    """
REQUIRED = {
    "a switch that can be turned off": (
        'parser.add_argument("--write", action=argparse.BooleanOptionalAction, required=True)',
        "options.write",
        "--write",
    ),
    "the arguments of a command": (
        """commands = parser.add_subparsers(dest="command", required=True)
        parser.add_argument("--name", required=True)
        train = commands.add_parser("train")
        train.add_argument("--steps", "-s", type=int, required=True)""",
        'options.command == "train" and options.steps',
        "--name name train --steps 1",
    ),
    "one of a group": (
        """group = parser.add_mutually_exclusive_group(required=True)
        group.add_argument("--steps", type=int)
        group.add_argument("--epochs", type=int)""",
        "options.steps and options.epochs is None",
        "--steps 1",
    ),
    "a type of its own": (
        'parser.add_argument("--sizes", type=lambda text: [int(part) for part in text.split(",")], required=True)',
        "options.sizes == [1]",
        "--sizes 1",
    ),
}


@pytest.mark.parametrize("name", REQUIRED)
@pytest.mark.parametrize(("write", "expected"), [("y.mul_(2)", "confirmed"), ("y = y * 2", "not-reproduced")])
def test_a_program_is_given_what_it_requires(client: Client, name: str, write: str, expected: str) -> None:
    arguments, condition, made_up = REQUIRED[name]
    answer = verdict(client, PROGRAM.format(arguments=arguments, condition=condition, write=write))
    assert answer.verdict == expected, answer.reason
    assert f"arguments of the program were made up: {made_up}" in answer.notes
