"""The formulas of the ops as MathML, which browsers typeset by themselves: no script, no fonts, no network."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

import sympy
from latex2mathml.converter import convert
from sympy.parsing.sympy_parser import parse_expr

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

FILE = Path(__file__).with_name("formulas.toml")
_NAMES = {name: sympy.Symbol(name) for name in ("x", "y", "alpha", "slope")}
_FUNCTIONS = {"sigmoid": sympy.Function("sigma"), "digamma": sympy.Function("psi"), "abs": sympy.Abs}


def typeset_formula(op: str) -> str:
    """Return the derivative of an op (the last part of its public name) as MathML, "" if there is no formula."""
    latex = find_latex(op)
    return convert(latex) if latex else ""


def find_latex(op: str) -> str:
    """Return the derivative of an op as LaTeX, "" if there is no formula."""
    for name in (op, op.rstrip("_")):
        slopes, gradients = read_formulas()
        if name in slopes:
            return rf"\frac{{\partial y}}{{\partial x}} = {_write_latex(slopes[name])}"
        if name in gradients:
            return gradients[name]
    return ""


@cache
def read_formulas() -> tuple[dict[str, str], dict[str, str]]:
    """Return the slopes, as Python expressions, and the gradients, as LaTeX, by the names of ops."""
    read: dict[str, dict[str, str]] = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return read["slopes"], read["gradients"]


def _write_latex(slope: str) -> str:
    return str(sympy.latex(parse_expr(slope, local_dict=_NAMES | _FUNCTIONS), order="none", ln_notation=True))
