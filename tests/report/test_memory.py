"""The memory over the lines of a function, as text and as a page."""

from __future__ import annotations

from html.parser import HTMLParser

from inplace_lsp.hazards.finding import Finding
from inplace_lsp.report.memory_html import memory_html
from inplace_lsp.report.memory_text import describe_measurement
from inplace_lsp.tape.kept_memory import KeptTensors
from inplace_lsp.tape.memory_use import MemoryStep, MemoryUse
from inplace_lsp.tape.model import Span
from inplace_lsp.verify.measure import Measurement

FILE, OTHER = "/home/net.py", "/home/layers.py"
SOURCES = {FILE: ["h = conv(x)", "h = act(h)", "return h"], OTHER: ["return x * <2>"]}
MIB = 2**20


def at(file: str, row: int) -> Span:
    return Span(file, row, 0, row, 9)


def make_use(*sizes: int) -> MemoryUse:
    places = [at(FILE, 1), at(OTHER, 1), at(FILE, 2), at(FILE, 3)]
    steps = [MemoryStep(place, size * MIB, place.row == 3) for place, size in zip(places, sizes, strict=True)]
    return MemoryUse(
        max(sizes) * MIB, "an allocator", tuple(steps), (KeptTensors(at(FILE, 1), "conv2d", "", (2, 3), 1, MIB, ()),)
    )


MEASURED = Measurement(
    "Net.forward", make_use(1, 2, 4, 8), make_use(1, 2, 2, 6), source="inferred", arguments={"x": "1"}
)
OFFER = Finding("IP501", "may-write-in-place", "information", "`act` may write in place.", (), at(FILE, 2))


def show(measured: Measurement, *offers: Finding) -> list[str]:
    return list(describe_measurement(measured, offers, SOURCES, FILE, "/home", 100))


def test_each_line_has_its_memory_and_a_bar() -> None:
    told = show(MEASURED, OFFER)
    assert told[0] == "net.py::Net.forward: 8.0 MiB at the peak, 6.0 MiB with the writes in place: 2.0 MiB (25%) less"
    table = told[told.index("  line    MiB  in place") + 1 :][:4]
    assert [line.split() for line in table] == [
        ["1", "1.0", "1.0", "██", "h", "=", "conv(x)"],
        ["1", "2.0", "2.0", "█████", "layers.py:", "return", "x", "*", "<2>"],
        ["2", "4.0", "2.0", "██████████", "h", "=", "act(h)"],
        ["8.0", "6.0", "████████████████████", "backward"],
    ]
    assert "   1.0 MiB  net.py:1  h = conv(x)" in told


def test_without_an_offer_there_is_one_column() -> None:
    told = show(Measurement("f", make_use(1, 2, 4, 8)))
    assert told[0] == "net.py::f: 8.0 MiB at the peak"
    assert "  line    MiB" in told and "IP501" in " ".join(told)


def test_what_differs_is_said() -> None:
    told = show(Measurement("f", make_use(1, 2, 4, 8), make_use(1, 2, 4, 9), difference="the gradient is off"), OFFER)
    assert told[0].endswith("1.0 MiB (12%) more") and "  changed  the gradient is off" in told


class Page(HTMLParser):
    """Collects the widths of the bars and the text of cells."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.widths: list[tuple[str, float]] = []
        self.text: list[str] = []
        self.feed(page)

    @property
    def bands(self) -> list[tuple[str, float]]:
        """The bands, row by row: those that begin there, and those of earlier lines."""
        return [(kind, width) for kind, width in self.widths if kind in ("begin", "kept")]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "rect":
            self.widths.append((given["class"] or "", float(given["width"] or 0)))
        assert not {name for name in given if name.startswith("on")} and "style" not in given

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def test_the_page_draws_both_bars_of_each_line() -> None:
    page = Page(memory_html(MEASURED, SOURCES, FILE, ["line 2: `act` may write in place."], nonce="abc"))
    assert [width for kind, width in page.widths if kind == "now"] == [12.5, 25, 50, 100]
    assert [width for kind, width in page.widths if kind == "in-place"] == [12.5, 25, 25, 75]
    assert "layers.py: return x * <2>" in page.text and "backward" in page.text


def test_a_tensor_that_stays_is_a_band_from_its_line_to_the_backward() -> None:
    kept = (
        KeptTensors(at(FILE, 2), "relu", "", (2, 3), 1, MIB, ()),
        KeptTensors(at(FILE, 1), "conv2d", "", (2, 3), 3, 3 * MIB, ()),
        KeptTensors(at(FILE, 1), "neg", "", (2, 3), 1, 9, ()),  # too small to be seen
        KeptTensors(at("/home/other.py", 1), "exp", "", (2, 3), 1, MIB, ()),  # of no line
    )
    use = MemoryUse(8 * MIB, "an allocator", make_use(1, 2, 4, 8).steps, kept)
    page = Page(memory_html(Measurement("f", use), SOURCES, FILE))
    rows = [("begin", 75.0)], [("kept", 75.0)], [("kept", 75.0), ("begin", 25.0)], [("kept", 75.0), ("kept", 25.0)]
    assert page.bands == [band for row in rows for band in row]
    assert "3.0 MiB made by conv2d (3 of [2, 3]) on line 1, alive until backward" in page.text
