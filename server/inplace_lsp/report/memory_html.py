"""The memory over the lines of a function as one self-contained HTML page, in the style of the trace's."""

from __future__ import annotations

from collections.abc import Sequence

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from inplace_lsp.hazards.finding import Sources
from inplace_lsp.report.assets import read_asset
from inplace_lsp.report.kept_memory import show_mebibytes
from inplace_lsp.report.memory_bands import list_bands
from inplace_lsp.report.memory_lines import describe_saving, list_lines
from inplace_lsp.verify.measure import Measurement


def memory_html(
    measured: Measurement, sources: Sources, filename: str, notes: Sequence[str] = (), *, nonce: str = ""
) -> str:
    """Return the page of a measurement; without a memory use, the page has no lines."""
    use, changed = measured.use, measured.changed
    lines = list_lines(use, changed, sources, filename) if use is not None else ()
    bands = list_bands(use, lines) if use is not None else ()
    most = max((line.size for line in lines), default=0) or 1
    kept = sum(band.size for band in bands) or 1
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters["mebibytes"] = lambda size: f"{size / 2**20:,.1f}"
    environment.filters["share"] = lambda size: f"{100 * size / most:.2f}"
    environment.filters["kept_share"] = lambda size: f"{100 * size / kept:.2f}"
    return environment.from_string(read_asset("memory.html")).render(
        name=measured.function,
        headline=_describe_peak(measured),
        notes=notes,
        both=any(line.changed is not None for line in lines),
        lines=lines,
        bands=bands,
        nonce=nonce,
        style=Markup(read_asset("trace.css") + read_asset("memory.css")),
    )


def _describe_peak(measured: Measurement) -> str:
    use, changed = measured.use, measured.changed
    if use is None:
        return f"not measured: {measured.why}"
    sentence = f"{show_mebibytes(use.peak)} at the peak"
    if changed is None:
        return sentence
    return f"{sentence}, {show_mebibytes(changed.peak)} with the writes in place: {describe_saving(use, changed)}"
