"""A proof is about the very lines of its function: what moves them, what ends it, and what it says about findings."""

from __future__ import annotations

from dataclasses import replace

import pytest

from inplace_lsp.hazards.finding import Finding
from inplace_lsp.lsp.documents.proofs import KEPT, Piece, Proof, Proofs
from inplace_lsp.tape.model import Span
from inplace_lsp.verify.verdict import Verdict

FUNCTION = "def f(x):\n    y = x.exp()\n    return y.add_(1)\n"
TEXT = f"import torch\n\n\n{FUNCTION}\n\nf(1)\n"
PIECE = Piece("f", 4, FUNCTION)
FINDING = Finding(
    "IP101", "saved-tensor-modified", "warning", "it is so.", ("x requires grad",), Span("a", 6, 4, 6, 10)
)
CONFIRMED = Proof("a", PIECE, Verdict("f", "confirmed", "", "inferred", {}), (FINDING,))
REFUTED = Proof("a", PIECE, Verdict("f", "not-reproduced", "it was called once", "inferred", {}))


@pytest.mark.parametrize(
    ("text", "row"),
    [
        (TEXT, 4),
        ("# one\n" + TEXT, 5),
        (FUNCTION, 1),
        (FUNCTION.rstrip("\n") + "\n# the end", 1),
        (TEXT.replace("f(1)", "f(2)"), 4),
        (TEXT.replace("    return", "    return 1 +"), None),
        (TEXT.replace("def f", "@torch.no_grad()\ndef f"), None),
        (TEXT.replace("(1)\n\n\nf", "(1)\n    # a remark\n\n\nf"), 4),
        (TEXT.replace("(1)\n\n\nf", "(1)\n\n    print()\n\nf"), None),
        (TEXT.replace("add_(1)", "add_(1) + 2"), None),
        (TEXT.replace("def f", "async def f"), None),
    ],
)
def test_a_function_is_found_by_its_lines_and_nothing_but_them(text, row):
    assert PIECE.find_row_in(text) == row


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_rows_are_counted_by_every_kind_of_line_end(end):
    assert Piece("f", 4, FUNCTION.replace("\n", end)).find_row_in(f"#{end}" + TEXT.replace("\n", end)) == 5


def test_of_two_functions_with_the_same_lines_it_is_the_one_of_that_name():
    method = "    def f(self):\n        return 1\n"
    text = f"class A:\n{method}\n\nclass B:\n{method}"
    assert Piece("A.f", 2, method).find_row_in(text) == 2
    assert Piece("B.f", 7, method).find_row_in(text) == 7


def test_a_whole_file_is_what_it_is():
    assert Piece("", 1, TEXT).find_row_in(TEXT) == 1
    assert Piece("", 1, TEXT).find_row_in(TEXT + "\n") is None


def told(proof: Proof, text: str, finding: Finding = FINDING) -> tuple[str, str]:
    proofs = Proofs()
    proofs.remember_proof("uri", proof)
    found = proofs.find_proofs_of("uri", text).adjust_finding(finding)
    return found.severity, found.message


def test_what_was_confirmed_is_an_error_wherever_its_function_goes():
    assert told(CONFIRMED, TEXT) == ("error", "Confirmed by running: it is so.")
    below = replace(FINDING, span=Span("a", 8, 4, 8, 10))
    assert told(CONFIRMED, "#\n#\n" + TEXT, below) == ("error", "Confirmed by running: it is so.")
    assert told(CONFIRMED, "#\n#\n" + TEXT) == ("warning", "it is so.")
    assert told(CONFIRMED, TEXT.replace("exp", "sin")) == ("warning", "it is so.")


def test_what_was_not_reproduced_says_why_if_it_is_the_functions_own():
    words = "Not reproduced by running: it is so (it was called once)."
    assert told(REFUTED, TEXT) == ("warning", words)
    assert told(REFUTED, TEXT, replace(FINDING, severity="error")) == ("warning", words)
    assert told(REFUTED, TEXT, replace(FINDING, severity="hint")) == ("hint", words)
    assert told(REFUTED, TEXT, replace(FINDING, span=Span("a", 9, 0, 9, 4))) == ("warning", "it is so.")
    assert told(REFUTED, TEXT, replace(FINDING, span=Span("b", 6, 0, 6, 4))) == ("warning", "it is so.")
    assert told(REFUTED, TEXT, replace(FINDING, code="IP901")) == ("warning", "it is so.")
    assert told(replace(REFUTED, nested=((5, 6),)), TEXT) == ("warning", "it is so.")


def test_what_nobody_foretold_is_told_once():
    proofs = Proofs()
    proofs.remember_proof("uri", CONFIRMED)
    proofs.remember_proof("uri", replace(CONFIRMED, target=Piece("", 1, TEXT)))
    verified = proofs.find_proofs_of("uri", TEXT)
    (missed,) = verified.list_unpredicted_findings(())
    assert (missed.severity, missed.message) == ("error", "Seen by running: it is so.")
    assert verified.list_unpredicted_findings((FINDING,)) == ()


def test_the_newest_proof_of_a_function_counts_and_few_are_kept():
    proofs = Proofs()
    proofs.remember_proof("uri", CONFIRMED)
    proofs.remember_proof("uri", REFUTED)
    assert proofs.find_proofs_of("uri", TEXT).adjust_finding(FINDING).severity == "warning"
    for number in range(KEPT):
        proofs.remember_proof(f"other{number}", CONFIRMED)
    assert proofs.find_proofs_of("uri", TEXT).held == ()
