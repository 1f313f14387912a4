"""Digests that tell one text or answer from another; the result ids of diagnostics are made of them."""

from __future__ import annotations

import hashlib

SIZE = 8


def make_digest(text: str) -> bytes:
    """Return the digest of a text."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=SIZE).digest()


def make_result_id(text: bytes, items: object) -> str:
    """Return an id that changes with the items and with the text: an editor moves its marks with every edit, so only
    the same text may keep them."""
    return hashlib.blake2b(text + repr(items).encode("utf-8", "surrogatepass"), digest_size=SIZE).hexdigest()
