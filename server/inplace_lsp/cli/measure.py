"""`inplace-lsp verify --memory`: measure the memory of a function's forward and backward, also with offered writes."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from dataclasses import replace

import click

from inplace_lsp.cli.problems import FAILED
from inplace_lsp.cli.sources import Sources
from inplace_lsp.cli.verify_place import Verified
from inplace_lsp.config import Config
from inplace_lsp.hazards.edits import apply_edits
from inplace_lsp.hazards.finding import OFFER, Finding
from inplace_lsp.report.lines import split_lines
from inplace_lsp.tape.plain import to_plain
from inplace_lsp.verify.client import Client
from inplace_lsp.verify.measure import Measurement, measure
from inplace_lsp.verify.options import Options
from inplace_lsp.verify.prove import Subject

FORMS = ("text", "json", "html")


def measure_place(verified: Verified, client: Client, options: Options, form: str) -> int:
    """Measure, print the report, and return the exit status."""
    if verified.notebook is not None:
        raise click.UsageError("--memory measures files, not notebooks")
    if form not in FORMS:
        raise click.UsageError(f"--memory has the formats {', '.join(FORMS)}")
    subject = verified.subject
    offers = find_offers_at(subject)
    edits = [edit for offer in offers if offer.fix is not None for edit in offer.fix.edits]
    changed = apply_edits(subject.text, edits) if edits else None
    measured = measure(subject, changed, client, options)
    _print_measurement(measured, offers, subject, form)
    return FAILED if measured.use is None else 0


def find_offers_at(subject: Subject) -> tuple[Finding, ...]:
    """Return the offer on the requested row; without a row, all offers of the file."""
    from inplace_lsp.project import check_text, with_offers  # noqa: PLC0415 - the runs themselves need no analysis

    asking = Config(suggest=True)
    found = with_offers(check_text(subject.text, subject.filename), subject.text, subject.filename, asking).findings
    offers = tuple(finding for finding in found if finding.code == OFFER)
    return tuple(offer for offer in offers if offer.span.row in subject.hints.rows) or offers


def _print_measurement(measured: Measurement, offers: Sequence[Finding], subject: Subject, form: str) -> None:
    if form == "json":
        plain = to_plain(replace(measured, arguments=dict(measured.arguments)))
        rows = [{"row": offer.span.row, "message": offer.message} for offer in offers]
        click.echo(json.dumps({**plain, "offers": rows}, indent=2))  # type: ignore[dict-item]  # an object
        return
    sources = Sources(())
    sources[subject.filename] = split_lines(subject.text)
    if form == "html":
        from inplace_lsp.report.memory_html import memory_html  # noqa: PLC0415 - loads the templates

        notes = [f"line {offer.span.row}: {offer.message}" for offer in offers]
        click.echo(memory_html(measured, sources, subject.filename, [*notes, *filter(None, [measured.difference])]))
        return
    from inplace_lsp.report.memory_text import describe_measurement  # noqa: PLC0415 - only the text needs rich
    from inplace_lsp.report.widths import find_columns  # noqa: PLC0415

    columns = find_columns(sys.stdout)
    for line in describe_measurement(measured, offers, sources, subject.filename, os.getcwd(), columns):
        click.echo(line)
