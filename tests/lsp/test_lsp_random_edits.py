"""Two thousand random edits of a real program leave the server with the answer that a fresh one gives."""

import ast
import random
from pathlib import Path

from lsp.editor import Editor, capabilities

PROGRAM = Path(__file__).parents[2] / "examples" / "train_vae.py"
URI = "file:///tmp/random/train.py"
SEED = 20261121
EDITS = 2000
CHECK_EVERY = 250
PIECES = (
    *(
        "y",
        "x.add_(1)",
        " += 1",
        "\n",
        "\n    ",
        "(",
        ")",
        "[0]",
        "'",
        '"""',
        "#",
        ":",
        " = ",
        ".exp()",
        "😀",
        "é",
        "\r\n",
    ),
    *(
        "def f(x):\n    x += 1\n    return x\n",
        "with torch.no_grad():\n",
        "return ",
        "import torch\n",
        "\\\n",
        "\x0c",
        "\t",
    ),
)


async def test_two_thousand_random_edits_leave_the_answer_of_a_fresh_server(start):
    rng = random.Random(SEED)
    editor = await start(capabilities(encoding="utf-16"))
    fresh = await start(capabilities(encoding="utf-16"))
    editor.open(URI, PROGRAM.read_text(encoding="utf-8"))
    for number in range(1, EDITS + 1):
        _edit(editor, rng)
        if number % CHECK_EVERY == 0:
            if number % (2 * CHECK_EVERY) == 0 or not _parses(editor.texts[URI]):
                editor.replace(URI, 0, len(editor.texts[URI]), PROGRAM.read_text(encoding="utf-8"))
            await _same(editor, fresh, f"seed {SEED}, after {number} edits")
    if not _parses(editor.texts[URI]):
        editor.replace(URI, 0, len(editor.texts[URI]), PROGRAM.read_text(encoding="utf-8"))
    brand_new = await start(capabilities(encoding="utf-16"))
    await _same(editor, brand_new, f"seed {SEED}, at the end")
    assert len(await editor.diagnostics(URI)) > 0


def _parses(text: str) -> bool:
    """Return whether a fresh server can know what all of the text means: what does not parse keeps its last meaning."""
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


def _edit(editor: Editor, rng: random.Random) -> None:
    """Type or delete something; most of the time take it back, so that the text stays near a program."""
    text = editor.texts[URI]
    at = rng.randrange(len(text) + 1)
    end = min(len(text), at + rng.choice((0, 0, 0, 1, 2, 12)))
    while text[at - 1 : at + 1] == "\r\n" or text[end - 1 : end + 1] == "\r\n":  # no position of the protocol
        at, end = max(0, at - 1), max(0, at - 1)
    new, old = rng.choice(PIECES), text[at:end]
    editor.replace(URI, at, end, new)
    joined = editor.texts[URI]
    whole = joined[at - 1 : at + 1] != "\r\n" and joined[at + len(new) - 1 : at + len(new) + 1] != "\r\n"
    if whole and rng.random() < 0.8:
        editor.replace(URI, at, at + len(new), old)


async def _same(editor: Editor, fresh: Editor, when: str) -> None:
    found = await editor.diagnostics(URI)
    fresh.open(URI, editor.texts[URI], version=editor.versions[URI])
    wanted = await fresh.diagnostics(URI)
    fresh.close(URI)
    await fresh.news(URI, None)
    assert found == wanted, when
