"""What answers about a value imply holds for every value that has these answers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inplace_lsp.interpret.state.implications import IS_TRUE, infer_answer

_CONSTANTS = [0, 1, 2, -3, 0.5, 7, True, False, None, "", "a", "ab", "b"]
_VALUES = [*_CONSTANTS, 3, 1.5, 100, -100, "abc", "c", (), (1,), [], [0], {}, {1: 2}, set(), object(), b"x"]
_CLASSES = [int, float, str, list, tuple, dict, bool, type(None)]
_ORDERS = ["<", "<=", ">", ">="]

questions = st.one_of(
    st.just(IS_TRUE),
    st.just(("is", None)),
    st.tuples(st.just("=="), st.sampled_from(_CONSTANTS)),
    st.tuples(st.sampled_from(_ORDERS), st.sampled_from([0, 1, 2, -3, 0.5, 7, "a", "b"])),
    st.tuples(st.just("in"), st.lists(st.sampled_from(_CONSTANTS), max_size=3).map(tuple)),
    st.tuples(st.just("isinstance"), st.lists(st.sampled_from(_CLASSES), min_size=1, max_size=3).map(tuple)),
    st.tuples(st.sampled_from(["startswith", "endswith"]), st.sampled_from(["a", "b", "ab"])),
    st.tuples(st.just("hasattr"), st.just("x")),
)


def ask(value, asked):
    """Return Python's answer, None if it raises."""
    op, constant = asked
    expression = {
        "truth": "bool(value)", "is": "value is None", "in": "value in constant",
        "isinstance": "isinstance(value, constant)",
        "startswith": "value.startswith(constant)", "endswith": "value.endswith(constant)",
        "hasattr": "hasattr(value, constant)",
    }.get(op, f"value {op} constant")  # fmt: skip
    try:
        return bool(eval(expression, {"value": value, "constant": constant}))
    except (TypeError, AttributeError):
        return None


@given(st.sampled_from(_VALUES), st.lists(questions, min_size=1, max_size=4), questions)
def test_no_value_contradicts_what_is_inferred(value, known, asked):
    facts = {question: answer for question in known if (answer := ask(value, question)) is not None}
    inferred = infer_answer(facts, asked, is_count=False)
    assert inferred is None or ask(value, asked) in (inferred, None)


@given(
    st.integers(0, 6),
    st.lists(st.tuples(st.sampled_from([*_ORDERS, "=="]), st.integers(0, 6)), min_size=1, max_size=4),
    st.one_of(st.just(IS_TRUE), st.tuples(st.sampled_from([*_ORDERS, "=="]), st.integers(0, 6))),
)
def test_counts_are_known_exactly(count, known, asked):
    facts = {question: ask(count, question) for question in known}
    possible = [number for number in range(20) if all(ask(number, key) is facts[key] for key in facts)]
    answers = {ask(number, asked) for number in possible}
    assert infer_answer(facts, asked, is_count=True) == (answers.pop() if len(answers) == 1 else None)


@pytest.mark.parametrize(
    ("known", "asked", "answer"),
    [
        ((("==", "a"), True), ("==", "b"), False),
        ((("==", "a"), False), ("==", "b"), None),
        ((("<", 1), False), (">=", 1), True),
        ((("<", 1), True), ("<", 2), True),
        ((("<", 2), True), ("<", 1), None),
        ((IS_TRUE, False), (">", 0), False),
        ((IS_TRUE, True), ("==", ""), False),
        ((IS_TRUE, True), ("is", None), False),
        ((("is", None), True), IS_TRUE, False),
        ((("in", ("a", "b")), True), ("==", "c"), False),
        ((("in", ("a", "b")), False), ("==", "a"), False),
        ((("==", "a"), True), ("startswith", "a"), True),
        ((("isinstance", (str,)), True), ("isinstance", (list, tuple)), False),
        ((("isinstance", ("torch.Tensor",)), True), ("isinstance", (str,)), False),
        ((("isinstance", ("nn.Linear",)), True), ("isinstance", ("nn.Module",)), None),
        ((("hasattr", "x"), True), IS_TRUE, None),
    ],
)
def test_examples(known, asked, answer):
    question, said = known
    assert infer_answer({question: said}, asked, is_count=False) is answer
    assert infer_answer({}, asked, is_count=False) is None


def test_two_answers_together_decide():
    facts = {("<", 3): True, ("==", 0): False}
    assert infer_answer(facts, (">=", 1), is_count=True) is True
