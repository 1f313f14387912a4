"""Every first hazard with a second one in every place: both are told, and torch shows each once the other is mended."""

from __future__ import annotations

import pytest

from inplace_lsp.config import Config
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.project import check_text
from several.judge import FILE, raised_rows
from several.kinds import KINDS, Kind
from several.places import MENDED, PARTS, PLACES, SECOND, START, Place, fill

CASES = [
    pytest.param(kind, place, id=f"{kind.code}, {place.title}")
    for kind in KINDS
    for place in PLACES
    if not (kind.silent and place.title == "in the except arm")
]


@pytest.mark.parametrize("kind, place", CASES)
def test_both_are_told(kind: Kind, place: Place) -> None:
    text = _write(kind, place)
    first, second = _row(text, "# first"), _row(text, "# second")
    found = {(finding.span.row, finding.code): finding for finding in _find(text)}
    assert set(found) == {(first, kind.code), (second, "IP101")}, text
    assert found[first, kind.code].after is None, text
    after = found[second, "IP101"].after
    assert (after and after.row) == (first if kind.refused and not place.caught else None), text


@pytest.mark.parametrize("kind, place", [case for case in CASES if case.values[0].refused])
def test_a_comment_at_the_first_hides_nothing_else(kind: Kind, place: Place) -> None:
    text = _write(kind, place).replace("# first", f"# inplace: ignore[{kind.code}]")
    assert [(finding.span.row, finding.code) for finding in _find(text)] == [(_row(text, "# second"), "IP101")], text


@pytest.mark.parametrize("kind, place", CASES)
def test_torch_shows_each_once_the_other_is_mended(kind: Kind, place: Place) -> None:
    whole = _write(kind, place)
    if kind.silent:
        assert raised_rows(whole)[:1] == [_row(whole, "# tells")], whole
    else:
        assert raised_rows(whole)[0] == _stop(whole), whole
    if not place.caught or place.title.startswith("after"):
        mended = _write(kind, place, first=False)
        assert raised_rows(mended)[:1] == [_row(mended, "# tells")], mended
    second_mended = _write(kind, place, second=False)
    assert raised_rows(second_mended)[:1] == ([] if kind.silent else [_stop(second_mended)]), second_mended
    both = _write(kind, place, first=False, second=False)
    assert raised_rows(both) == [], both


def _find(text: str) -> list[Finding]:
    found = check_text(text, FILE, Config()).findings
    return [finding for finding in found if finding.severity in ("error", "warning")]


def _write(kind: Kind, place: Place, *, first: bool = True, second: bool = True) -> str:
    parts = PARTS if second else MENDED
    inner = f"{kind.make}\n{kind.wrong if first else kind.right}"
    return START + fill(place.text, {**parts, "FIRST": inner, "SECOND": SECOND}) + "\n"


def _row(text: str, mark: str) -> int:
    return next(row for row, line in enumerate(text.split("\n"), start=1) if mark in line)


def _stop(text: str) -> int:
    return _row(text, "# stops" if "# stops" in text else "# first")
