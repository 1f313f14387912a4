"""The classes of lsprotocol are the same whether attrs defines them at once or when they are first used."""

from __future__ import annotations

import subprocess
import sys

DESCRIBE = """
import inspect
import sys
import attrs
if "late" in sys.argv:
    from inplace_lsp.lsp.lazy_types import _FIELDS, _MissingFields, import_types
    import_types()
from lsprotocol import converters, types

converter = converters.get_converter()
classes = {name: cls for name, cls in types.ALL_TYPES_MAP.items() if isinstance(cls, type)}
if "late" in sys.argv:
    missing = [name for name, cls in classes.items() if isinstance(vars(cls).get(_FIELDS), _MissingFields)]
    assert len(missing) > 500, len(missing)
range_ = types.Range(types.Position(1, 2), end=types.Position(3, 4))
print(range_, types.Position.__hash__ is None, range_ == types.Range(range_.start, range_.end))
data = converter.unstructure(types.Diagnostic(range_, "text", related_information=[]))
print(data, converter.structure(data, types.Diagnostic))
for wrong in (lambda: types.Position("1", 2), lambda: types.Position(1), lambda: setattr(range_, "start", None)):
    try:
        print(wrong())
    except Exception as error:
        print(type(error).__name__)
for name, cls in classes.items():
    if attrs.has(cls):
        print(name, [(field.name, field.type, field.default, field.eq, field.init) for field in attrs.fields(cls)])
        print(cls.__match_args__, list(inspect.signature(cls).parameters), cls.__hash__ is None)
"""


def test_each_class_is_as_lsprotocol_defines_it() -> None:
    at_once, late = (
        subprocess.run([sys.executable, "-c", DESCRIBE, mode], capture_output=True, text=True, check=True).stdout
        for mode in ("at once", "late")
    )
    assert len(at_once.splitlines()) > 1000
    assert late == at_once
