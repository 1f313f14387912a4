"""The main way through the server, as a real client walks it: open, diagnostic, hover, fix, edit, diagnostic gone."""

import pytest
from lsprotocol import types

from lsp.editor import capabilities

pytestmark = pytest.mark.xdist_group("lsp-main-way")
URI = "file:///tmp/a%20folder/na%C3%AFve.py"
HAZARD = """\
import torch

x = torch.rand(3, requires_grad=True)
y = x.exp()
y.add_(1)  # shift
y.sum().backward()
"""
FINE = HAZARD.replace("x.exp()", "x + 1")
CLIENTS = ("visual-studio-code", "neovim@v0.9.1", "neovim@v0.11.0", "emacs")


@pytest.mark.parametrize("client", CLIENTS)
async def test_open_diagnostic_hover_fix_edit_diagnostic_gone(start, client):
    editor = await start(capabilities(client))
    editor.open(URI, HAZARD)
    (found,) = await editor.diagnostics(URI)
    assert (found.code, found.severity) == ("IP101", types.DiagnosticSeverity.Error)
    assert found.range.start.line == 4
    assert editor.part(URI, found.range).startswith("y.add_(1)")

    hover = await editor.hover(URI, HAZARD.index("add_"))
    assert "saved-tensor-modified" in hover
    assert "exp saves" in hover
    assert "add_ writes y" in hover

    offered = await editor.actions(URI, HAZARD.index("add_"), HAZARD.index("add_"))
    if not editor.client.capabilities.text_document.code_action.code_action_literal_support:
        assert not offered
        return
    assert offered[0].title == "Write out of place: `y = y.add(1)`"
    editor.apply(offered[0].edit)
    assert editor.texts[URI] == HAZARD.replace("y.add_(1)", "y = y.add(1)")
    assert list(await editor.diagnostics(URI)) == []


async def test_diagnostics_carry_the_version_they_belong_to_and_go_when_the_file_closes(start):
    editor = await start()
    editor.open(URI, FINE, version=7)
    assert (await editor.news(URI, 7)).diagnostics == ()
    at = FINE.index("x + 1")
    editor.replace(URI, at, at + len("x + 1"), "x.exp()")
    assert [diagnostic.code for diagnostic in (await editor.news(URI, 8)).diagnostics] == ["IP101"]
    editor.close(URI)
    assert (await editor.news(URI, None)).diagnostics == ()


async def test_related_places_say_where_it_was_saved(share):
    editor = await share()
    editor.open(URI, HAZARD)
    (found,) = await editor.diagnostics(URI)
    places = {place.location.range.start.line + 1: place.message for place in found.related_information}
    assert "exp" in places[4]
    assert 6 in places
    assert all(place.location.uri == URI for place in found.related_information)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
async def test_columns_are_right_after_an_emoji_in_every_encoding(start, encoding):
    editor = await start(capabilities(encoding=encoding))
    assert editor.encoding == encoding
    text = HAZARD.replace("y.add_", "'😀é中'; y.add_").replace("y = x", "'😀'; y = x")
    editor.open(URI, text)
    (found,) = await editor.diagnostics(URI)
    assert editor.part(URI, found.range).startswith("y.add_(1)")
    saved = next(place for place in found.related_information if place.location.range.start.line == 3)
    assert editor.part(URI, saved.location.range).startswith("y = x.exp()")
    assert "add_ writes y" in await editor.hover(URI, text.index("add_"))
    offered = await editor.actions(URI, text.index("add_"), text.index("add_"))
    editor.apply(offered[0].edit)
    assert editor.texts[URI] == text.replace("y.add_(1)", "y = y.add(1)")
    assert list(await editor.diagnostics(URI)) == []


async def test_hover_on_a_hazard_says_which_writes_beside_it_may_stay(share):
    editor = await share()
    text = (
        "import torch\n\nx = torch.ones(3, requires_grad=True)\nh = x + 1\nh *= 2\ny = h.exp()\n"
        "y.add_(1)\ny.mul_(2)\ny.sum().backward()\n"
    )
    editor.open(URI, text)
    await editor.diagnostics(URI)
    told = await editor.hover(URI, text.index("add_"))
    assert "`*=` on line 5 may stay: nothing saved `h`" in told
    assert "line 8 may stay" not in told
    assert "may stay" not in await editor.hover(URI, text.index("*="))


async def test_hover_on_a_write_that_is_fine_says_why(share):
    editor = await share()
    editor.open(URI, FINE)
    assert list(await editor.diagnostics(URI)) == []
    hover = await editor.hover(URI, FINE.index("add_"))
    assert "`add_` writes `y` in place: version 0 → 1" in hover
    assert "nothing saved `y`: `add` on line 4 saves neither its inputs nor its result" in hover


async def test_hover_on_an_op_says_what_it_saves(share):
    editor = await share()
    editor.open(URI, HAZARD)
    hover = await editor.hover(URI, HAZARD.index("exp"))
    assert "`exp` on line 4 saves its result `y`: the derivative of exp is its own output." in hover


async def test_hover_on_a_module_says_what_its_ops_save_and_on_a_flag_what_it_writes(share):
    editor = await share()
    text = (
        "import torch\nfrom torch import nn\n\nact = nn.ReLU(inplace=True)\nlin = nn.Linear(3, 3)\n"
        "x = torch.rand(2, 3, requires_grad=True)\nh = lin(x)\nh = act(h)\nh.sum().backward()\n"
    )
    editor.open(URI, text)
    assert "`linear` on line 7 saves `x` and `lin.weight`" in await editor.hover(URI, text.index("lin(x)"))
    flag = await editor.hover(URI, text.index("ReLU"))
    assert "`inplace=True` here makes line 8 write: `relu" in flag
    assert "It is fine: nothing saved `h`" in flag


async def test_hover_on_a_tensor_says_what_it_is(share):
    editor = await share()
    editor.open(URI, HAZARD)
    before = await editor.hover(URI, HAZARD.index("y = "))
    assert "`y`: a tensor at version 0, result of an op, requires grad" in before
    assert "saved by `exp` on line 4 at version 0" in before
    assert "`y`: a tensor at version 1" in await editor.hover(URI, HAZARD.index("y.sum"))


async def test_hover_on_a_code_in_a_comment_explains_it(share):
    editor = await share()
    text = HAZARD.replace("# shift", "# inplace: ignore[IP101]")
    editor.open(URI, text)
    assert list(await editor.diagnostics(URI)) == []
    assert "saved-tensor-modified" in await editor.hover(URI, text.index("IP101"))


async def test_pulled_diagnostics_are_unchanged_until_the_text_changes(start):
    editor = await start(capabilities("vscode-languageclient-11.0.0"))
    editor.open(URI, HAZARD)
    document = types.TextDocumentIdentifier(URI)
    first = await editor.client.text_document_diagnostic_async(types.DocumentDiagnosticParams(document))
    params = types.DocumentDiagnosticParams(document, previous_result_id=first.result_id)
    again = await editor.client.text_document_diagnostic_async(params)
    assert (again.kind, again.result_id) == ("unchanged", first.result_id)
    editor.replace(URI, 0, 0, "\n")
    moved = await editor.client.text_document_diagnostic_async(params)
    assert moved.kind == "full"
    assert moved.items[0].range.start.line == 5
    assert editor.published == []


FORMULA = """\
import torch


def scale(x: torch.Tensor, w: torch.Tensor):
    y = x * w
    z = y @ w
    return z
"""


async def test_hover_on_an_operator_says_what_it_saves_and_its_formula_is_no_markup(share):
    editor = await share()
    editor.open(URI, FORMULA)
    hover = await editor.hover(URI, FORMULA.index("* w"))
    assert "`mul` on line 5 saves `x` (if w requires grad) and `w` (if x requires grad)" in hover
    assert r"d(a\*b) = b\*da + a\*db" in hover
    assert "`matmul` on line 6 saves" in await editor.hover(URI, FORMULA.index("@ w"))


async def test_hover_on_a_variable_on_a_line_where_nothing_happens_to_it(share):
    editor = await share()
    editor.open(URI, FORMULA)
    assert "`z`: a tensor at version 0, result of an op" in await editor.hover(URI, FORMULA.index("z\n"))
    assert "`x`: a tensor at version 0, may require grad" in await editor.hover(URI, FORMULA.index("x * w"))


async def test_hover_on_a_hazard_says_what_to_do_and_then_the_steps_once(share):
    """The message stands above it already."""
    editor = await share()
    editor.open(URI, HAZARD)
    (found,) = await editor.diagnostics(URI)
    hover = await editor.hover(URI, HAZARD.index("add_"))
    assert found.message not in hover
    steps = [line for line in hover.split("\n") if line.startswith("- ")]
    assert [step.split("`")[1] for step in steps] == ["y = x.exp()", "y.add_(1)  # shift", "y.sum().backward()"]
    assert hover.startswith("**Help**: write out of place: `y = y.add(1)`.\n\n" + steps[0])
    assert hover.count("saves") == 1
    assert "Instead" not in hover
