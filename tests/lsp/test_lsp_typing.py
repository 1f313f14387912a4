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


SLOW = """import torch


def soften(x):
    y = x.exp()
    return y


def repeat(x):
    for _ in range(3):
        x = soften(x)
        x = x * 2
    return x


def train(x):
{calls}
    y = x.exp()
    y += 1
    return y


train(torch.rand(3, requires_grad=True)).sum().backward()
"""


async def test_the_edited_function_is_published_before_what_depends_on_it(share):
    editor = await share()
    text = SLOW.format(calls="    x = repeat(x)\n" * 60)
    editor.open(URI, text)
    assert len(await editor.diagnostics(URI)) == 1
    at = text.index("    return y\n")
    editor.replace(URI, at, at, "    y += 1\n")
    await editor.diagnostics(URI)
    told = [message for message in editor.published if message.version == editor.versions[URI]]
    assert len(told) == 2
    assert 5 in _rows(told[0].diagnostics)
    assert 5 in _rows(told[1].diagnostics)
