"""What tells one text or answer from another in a few bytes: the result ids of diagnostics are made of it."""

from __future__ import annotations

import hashlib

SIZE = 8


def digest_of(text: str) -> bytes:
    """The digest of a text."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=SIZE).digest()


def result_id(text: bytes, items: object) -> str:
    """Changes with the text (given by its digest), too: an editor moves its marks with every edit, so only the same
    text may keep them.
    """
    return hashlib.blake2b(text + repr(items).encode("utf-8", "surrogatepass"), digest_size=SIZE).hexdigest()
