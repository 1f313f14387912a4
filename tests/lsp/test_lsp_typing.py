"""A user types in a helper: what is found elsewhere, and above and below in the helper, does not flicker."""

PROGRAM = """import torch


def double(t):
    t.mul_(2)
    print(t)


x = torch.rand(3, requires_grad=True)
y = x.exp()
double(y)
y += 1
y.sum().backward()
"""
URI = "file:///typing.py"
TYPED = "(x := [\n        t.\n"


async def test_findings_stay_while_a_statement_is_half_typed(share):
    editor = await share()
    editor.open(URI, PROGRAM)
    assert _rows(await editor.diagnostics(URI)) == [4, 11]
    at = PROGRAM.index("print") + len("print")
    for end, letter in enumerate(TYPED):
        editor.replace(URI, at + end, at + end, letter)
        below = TYPED[: end + 1].count("\n")
        assert _rows(await editor.diagnostics(URI)) == [4, 11 + below]
    editor.replace(URI, at, at + len(TYPED), "")
    assert _rows(await editor.diagnostics(URI)) == [4, 11]


async def test_a_file_opened_broken_is_read_as_it_stands(share):
    editor = await share()
    broken = PROGRAM.replace("print(t)", "print(t")
    for version, (text, rows) in enumerate([(broken, [11]), (PROGRAM, [4, 11]), (broken, [11])], start=1):
        editor.open(URI, text, version)
        assert _rows((await editor.news(URI, version)).diagnostics) == rows
        editor.close(URI)


def _rows(diagnostics):
    return sorted(found.range.start.line for found in diagnostics)
