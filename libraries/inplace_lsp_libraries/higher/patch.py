"""higher.patch."""

from higher import make_functional, monkeypatch

DESCRIBES = "higher 0.2"
