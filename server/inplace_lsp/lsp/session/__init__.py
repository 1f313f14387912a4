"""The state of a client's session, and what goes on in it without a message of the client."""
