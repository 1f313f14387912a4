"""The state of a client's session, and its work in the background."""
