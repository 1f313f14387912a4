"""The client: what it can take, what the user has set, and what it is told besides answers."""
