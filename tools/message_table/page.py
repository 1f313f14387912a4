"""The table of messages, docs/messages.md.

Every sentence comes from the code that says it, about a program (or a few events) of `examples.py`: a message that
changes changes the page, and one that no example brings about is found by tests/test_messages.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from inplace_lsp.engine import analyse_source
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.hazards.parts import is_by_backward
from inplace_lsp.hazards.registry import HAZARDS, find_all
from inplace_lsp.interpret.state.facts import NoFacts
from inplace_lsp.report.labels import make_label
from inplace_lsp.report.safe_writes import EVERYWHERE, TapeDescriber
from inplace_lsp.report.tape_names import list_tensors
from inplace_lsp.report.tape_words import describe_events
from inplace_lsp.report.violations import describe_stop, find_violations
from inplace_lsp.tape.model import Save, Span, Tape, Write
from inplace_lsp.torch_ops import table
from inplace_lsp.verify.compare import Prediction, describe_differences
from inplace_lsp.verify.target import Target
from inplace_lsp.verify.verdict import Verdict, Violation, tell_reason
from inplace_lsp.why.answer import explain_errors
from inplace_lsp.why.gather import gather_clues
from inplace_lsp.why.ranking import Candidate
from inplace_lsp.why.reading import read_errors
from tools.message_table.commands import command_errors
from tools.message_table.errors import ERRORS, FILE
from tools.message_table.examples import EVENTS, PROGRAMS
from tools.message_table.templates import templates_not_in
from tools.message_table.verdicts import explain_absences, judge_answers, next_steps

MANY = 20
_UNMARKED = re.compile(r"  # error: .*")
_WORDS = frozenset("view data is where index select mask step".split())
"""What is an op's name and a word of ours."""
_OPS = frozenset(name.rpartition(".")[2].rstrip("_") for name in table.op_names()) - _WORDS
HEAD = """\
# Every message

Written by `make pages` from the code that says them; a test holds the two together. Each sentence
stands once, as an example program or trace brings it about: names and numbers are its own.
"""


def write_messages() -> str:
    """Return the whole page."""
    programs = (_UNMARKED.sub("", program.text) for hazard in HAZARDS for program in hazard.examples)
    texts = [*programs, *PROGRAMS]
    tapes = [(tape, text) for text in texts for tape in analyse_source(text, FILE).tapes]
    observed = [(tape, "") for tape in EVENTS]
    all_of_them = [tape for tape, _ in [*tapes, *observed]]
    table = _Table(frozenset(_tensor_names(all_of_them)))
    sections = [
        HEAD,
        table.section("Findings", "code | message | line", *map(_findings_of_program, texts), _observed_findings()),
        table.section(
            "Places that belong to a finding", "role | message", *map(_related_places, texts), _observed_places()
        ),
        table.section("What a finding assumes", "assumption", *map(_assumptions_of_program, texts)),
        table.section("Headlines of a trace", "message", *map(_headlines_of, all_of_them)),
        table.section("Events of a trace", "message", *map(_events_in_words, all_of_them)),
        table.section(
            "Why a write is fine (hover)", "message | line", *(_safe_writes(*tape) for tape in [*tapes, *observed])
        ),
        table.section("What an op saves (hover)", "message", *map(_save_sentences, all_of_them)),
        table.section("What a variable is (hover)", "message", *map(_variable_sentences, all_of_them)),
        table.section("Inlay hints", "hint", *map(_inlay_labels, all_of_them)),
        table.section("Notes of verify", "note", _verify_notes()),
        table.section("Reasons for a verdict", "verdict | reason", _reasons_of_verdicts()),
        table.section(
            "Why a finding did not show",
            "reason",
            (_escape_cells(absence) for absence in explain_absences() if absence),
        ),
        table.section("What to do next", "note", (_escape_cells(next_step) for next_step in next_steps())),
        table.section("Places that `why` names", "message", _candidates_of_why()),
        table.section("Places that belong to those", "role | message", _places_of_why()),
        table.section("Reasons that `why` gives", "reason", _reasons_of_why()),
        table.section(
            "Errors of the command line", "command | message", (_escape_cells(*error) for error in command_errors())
        ),
    ]
    page = "\n".join(sections)
    others = table.section(
        "Errors that take more than a command line", "message", map(_escape_cells, templates_not_in(page))
    )
    return f"{page}\n{others}"


def _tensor_names(tapes: Iterable[Tape]) -> Iterator[str]:
    """Yield the names of the examples' tensors."""
    for tape in tapes:
        yield from (tensor.name for event in tape.events for tensor in list_tensors(event) if tensor.name)


def _observed_findings() -> Iterator[tuple[str, ...]]:
    return (_escape_cells(finding.code, finding.message, "") for tape in EVENTS for finding in find_all(tape))


def _findings_of_program(text: str) -> Iterator[tuple[str, ...]]:
    found = analyse_source(text, FILE)
    for finding in (*found.findings, *found.remarks):
        yield _escape_cells(finding.code, finding.message, f"`{_source_line(text, finding.span.row)}`")


def _assumptions_of_program(text: str) -> Iterator[tuple[str, ...]]:
    found = analyse_source(text, FILE)
    return (_escape_cells(assumed) for finding in found.findings for assumed in finding.assumptions)


def _related_places(text: str) -> Iterator[tuple[str, ...]]:
    for finding in analyse_source(text, FILE).findings:
        yield from (_escape_cells(place.role, place.message) for place in finding.related)


def _observed_places() -> Iterator[tuple[str, ...]]:
    found: Iterable[Finding] = (finding for tape in EVENTS for finding in find_all(tape))
    return (_escape_cells(place.role, place.message) for finding in found for place in finding.related)


def _headlines_of(tape: Tape) -> Iterator[tuple[str, ...]]:
    return (_escape_cells(violation.sentence) for violation in find_violations(tape))


def _events_in_words(tape: Tape) -> Iterator[tuple[str, ...]]:
    stops = (describe_stop(tape, refusal) for refusal in tape.refusals)
    return (_escape_cells(words) for words in (*describe_events(tape.events), *stops))


def _safe_writes(tape: Tape, text: str) -> Iterator[tuple[str, ...]]:
    blamed = {finding.span for finding in find_all(tape)}
    for event in tape.events:
        if isinstance(event, Write) and event.span not in blamed and not is_by_backward(event):
            yield _escape_cells(
                TapeDescriber(tape).explain_safe_write(event), f"`{_source_line(text, event.span.row)}`"
            )


def _save_sentences(tape: Tape) -> Iterator[tuple[str, ...]]:
    teller = TapeDescriber(tape)
    for op, span in dict.fromkeys((event.op, event.span) for event in tape.events if hasattr(event, "op")):
        yield _escape_cells(teller.describe_with_reason(op, span))


def _variable_sentences(tape: Tape) -> Iterator[tuple[str, ...]]:
    names = dict.fromkeys(tensor.name for event in tape.events for tensor in list_tensors(event) if tensor.name)
    told = (TapeDescriber(tape).describe_variable(name, EVERYWHERE) for name in names)
    return (_escape_cells(text.replace("\n\n", "; ").replace("\n", "; ").replace("- ", "")) for text in told if text)


def _verify_notes() -> Iterator[tuple[str, ...]]:
    """Yield verify's notes on a run that differs from the prediction, here that of another program."""
    expected, ran = (analyse_source(text, FILE) for text in (HAZARDS[0].examples[0].text, PROGRAMS[1]))
    predicted = Prediction(FILE, expected.findings, tuple(expected.tapes))
    program = next(tape for tape in ran.tapes if tape.events)
    shown = Violation("IP102", Span(FILE, 30, 0, 30, 9), None, 0, 1, "mul", Span(FILE, 30, 0, 30, 9))
    verdict = Verdict("<module>", "confirmed", "", "program", {}, violations=(shown,), tape=program)
    for most in (MANY, 0):
        yield from (
            _escape_cells(note) for note in describe_differences(predicted, verdict, Target("<module>", 1, 99), most)
        )


def _reasons_of_verdicts() -> Iterator[tuple[str, ...]]:
    told = ((judgement.verdict, tell_reason(judgement.verdict, judgement.why)) for judgement in judge_answers())
    return (_escape_cells(verdict, reason) for verdict, reason in told)


def _candidates_of_why() -> Iterator[tuple[str, ...]]:
    return (_escape_cells(candidate.message) for candidate in _candidates_of_errors())


def _places_of_why() -> Iterator[tuple[str, ...]]:
    return (
        _escape_cells(place.role, place.message) for candidate in _candidates_of_errors() for place in candidate.related
    )


def _reasons_of_why() -> Iterator[tuple[str, ...]]:
    return (_escape_cells(reason) for candidate in _candidates_of_errors() for reason in candidate.reasons)


def _candidates_of_errors() -> Iterator[Candidate]:
    for program, error in ERRORS:
        clues = gather_clues(program, FILE, NoFacts())
        yield from explain_errors(read_errors(error), [clues], {FILE: program.split("\n")}).candidates


def _inlay_labels(tape: Tape) -> Iterator[tuple[str, ...]]:
    teller = TapeDescriber(tape)
    labels = (make_label(event, teller) for event in tape.events if isinstance(event, (Save, Write)))
    return (_escape_cells(label) for label in labels if label)


class _Table:
    """Writes tables that show sentences once if they differ only in tensors, ops and numbers."""

    def __init__(self, names: frozenset[str]) -> None:
        self._names = names | _OPS

    def section(self, title: str, columns: str, *rows: Iterable[tuple[str, ...]]) -> str:
        """Return a table under its title; the column of source lines does not make sentences differ."""
        told: dict[str, tuple[str, ...]] = {}
        said = len(columns.split(" | ")) - columns.endswith("line")
        for group in rows:
            for row in group:
                told.setdefault(self._pattern_of(row[:said]), row)
        rule = " | ".join("---" for _ in columns.split(" | "))
        lines = [f"| {' | '.join(row)} |" for row in told.values()]
        return "\n".join([f"## {title}", "", f"| {columns} |", f"| {rule} |", *lines, ""])

    def _pattern_of(self, cells: tuple[str, ...]) -> str:
        """Return the words of a sentence that are no names, ops or numbers."""
        pieces = " ".join(cells).split("`")
        plain = " ".join("…" if at % 2 else piece for at, piece in enumerate(pieces))
        words = (word.strip(".,:;()") for word in plain.split())
        return " ".join(word for word in words if word.isalpha() and word not in self._names)


def _escape_cells(*cells: str) -> tuple[str, ...]:
    return tuple(cell.replace("|", "\\|") for cell in cells)


def _source_line(text: str, row: int) -> str:
    lines = text.split("\n")
    return (lines[row - 1] if row <= len(lines) else "").strip().replace("`", "'").replace("|", "\\|")
