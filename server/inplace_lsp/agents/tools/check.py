"""`check`: the findings in files, folders or a text, each with its repair."""

from __future__ import annotations

from inplace_lsp.agents.call import CallError, Json, ShowProgress, call_command
from inplace_lsp.agents.schemas import CHECKED, TEXT, describe
from inplace_lsp.agents.tool import Answer, Arguments, Tool
from inplace_lsp.hazards.finding import SEVERITIES

MOST = 50
"""How many findings are shown if nothing else is asked for."""


async def _check(arguments: Arguments, show: ShowProgress) -> Answer:
    text, paths = arguments.get("text"), arguments.get("paths", [])
    if (text is None) == (not paths):
        raise CallError("say what to check: either `paths` or `text`")
    called = await call_command(
        *_make_options(arguments), "--", *_make_arguments(paths, text), text=text or "", show=show
    )
    answer = called.read_json()
    if not answer["checked"] and called.problems:
        raise CallError(called.describe_failure())
    return {**_select_findings(answer, arguments), "problems": called.problems}


def _make_options(arguments: Arguments) -> list[str]:
    """Return the options of the command. `--no-fix`: a folder's configuration must not make a look a change."""
    options = ["check", "--output-format", "agent", "--no-fix", "--progress", "json", "--quiet"]
    if arguments.get("repairs", True):
        options.append("--show-fixes")
    if "filename" in arguments:
        options += ["--stdin-filename", arguments["filename"]]
    for name in ("select", "ignore"):
        if arguments.get(name):
            options += [f"--{name}", ",".join(arguments[name])]
    return options


def _make_arguments(paths: list[str], text: str | None) -> list[str]:
    """Return the arguments of the command; `-` is standard input there, and a file here."""
    return ["-"] if text is not None else ["./-" if path == "-" else path for path in paths]


def _select_findings(answer: Json, arguments: Arguments) -> Answer:
    """Return the findings that are severe enough, the most severe first, and no more than were asked for."""
    order = SEVERITIES.index(arguments.get("severity", SEVERITIES[-1]))
    found = [finding for finding in answer["findings"] if SEVERITIES.index(finding["severity"]) <= order]
    found.sort(key=lambda finding: SEVERITIES.index(finding["severity"]))
    limit = arguments.get("limit", MOST)
    return {**answer, "findings": found[:limit], "left_out": len(found[limit:])}


CHECK = Tool(
    name="check",
    title="Find in-place writes that break gradients",
    description=(
        "Find the in-place writes in PyTorch code that break gradients, without running it. Give the paths of files, "
        "folders or notebooks, or the text of a program. Each finding has the line that writes, the line that saved "
        "the tensor, their source, advice, and the repair as a unified diff. Use it after writing or changing code "
        "that trains."
    ),
    inputs={
        "paths": describe(
            {"type": "array", "items": TEXT},
            "Files, folders or notebooks; relative ones are in the folder that the server was started in.",
        ),
        "text": describe(TEXT, "The text of a program, instead of paths."),
        "filename": describe(TEXT, "Where the text belongs: modules beside it and its configuration are read."),
        "repairs": describe({"type": "boolean", "default": True}, "Whether to compute repairs, which takes longer."),
        "severity": describe({"enum": list(SEVERITIES), "default": SEVERITIES[-1]}, "The least severity to report."),
        "select": describe({"type": "array", "items": TEXT}, "Only these codes; IP1 stands for all that begin so."),
        "ignore": describe({"type": "array", "items": TEXT}, "Not these codes."),
        "limit": describe({"type": "integer", "minimum": 1, "default": MOST}, "The most findings to report."),
    },
    output=CHECKED,
    answer=_check,
)
