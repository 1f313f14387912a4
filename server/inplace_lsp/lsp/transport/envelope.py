"""Check the members that JSON-RPC and LSP require of a message, before its parameters."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from lsprotocol import types

from inplace_lsp.tape.plain import Plain

PARSE_ERROR, INVALID_REQUEST, INVALID_PARAMS = -32700, -32600, -32602
VERSION = "2.0"
Identity = str | int | None


@dataclass(frozen=True, slots=True)
class Refusal:
    """The answer to an invalid message; `identity` is null where the request's id cannot be read."""

    identity: Identity
    code: int
    reason: str


class NotJsonError(Exception):
    """The body of a message cannot be read; the message of the exception says why."""


def read_body(body: bytes) -> Plain:
    """Return the value in the body of a message. Raises NotJsonError."""
    try:
        found: Plain = json.loads(body.decode("utf-8", "surrogatepass"))
    except RecursionError:
        raise NotJsonError("nested too deeply") from None
    except ValueError as error:
        raise NotJsonError(str(error)) from None
    return found


def find_refusal(data: Plain) -> Refusal | None:
    """Return the first thing that is wrong with a message, None if nothing is."""
    return next(_find_faults(data), None)


def is_request(data: Mapping[str, Plain]) -> bool:
    """Return whether a message wants an answer."""
    return "id" in data and "method" in data


def _find_faults(data: Plain) -> Iterator[Refusal]:
    if isinstance(data, list):
        yield Refusal(None, INVALID_REQUEST, "LSP knows no batches: send each message by itself")
        return
    if not isinstance(data, dict):
        yield Refusal(None, INVALID_REQUEST, "a message is an object")
        return
    identity = data["id"] if _is_identity(data.get("id")) else None
    if data.get("jsonrpc") != VERSION:
        yield Refusal(identity, INVALID_REQUEST, f'"jsonrpc" must be "{VERSION}"')
    if "method" not in data:
        if "result" not in data and "error" not in data:
            yield Refusal(identity, INVALID_REQUEST, 'neither a "method" nor a "result" nor an "error"')
        return
    yield from _find_faults_of_call(data, identity)


def _find_faults_of_call(data: Mapping[str, Plain], identity: Identity) -> Iterator[Refusal]:
    """Yield what is wrong with a request or a notification."""
    method = data["method"]
    if not isinstance(method, str):
        yield Refusal(identity, INVALID_REQUEST, '"method" must be a string')
        return
    if "id" in data and identity is None:
        yield Refusal(None, INVALID_REQUEST, '"id" must be a string or an integer')
    if "id" in data and _is_notification(method):
        yield Refusal(identity, INVALID_REQUEST, f'{method} is a notification: it has no "id"')
    if "id" in data and not isinstance(data.get("params"), dict | list | None):
        yield Refusal(identity, INVALID_PARAMS, '"params" must be an object or an array')


def is_response(data: Mapping[str, Plain]) -> bool:
    """Return whether a message answers a request of ours."""
    return "method" not in data


def is_misplaced(data: Mapping[str, Plain]) -> bool:
    """Return whether a message is a request without an id: it cannot be answered, so it is ignored."""
    method = data.get("method")
    return "id" not in data and isinstance(method, str) and _method_kind(method) is False


def _is_identity(value: object) -> bool:
    return isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool))


def _is_notification(method: str) -> bool:
    return _method_kind(method) is True


def _method_kind(method: str) -> bool | None:
    """Return whether LSP has a notification of that name (True), a request (False), or neither (None)."""
    known = types.METHOD_TO_TYPES.get(method)
    return None if known is None else known[1] is None
