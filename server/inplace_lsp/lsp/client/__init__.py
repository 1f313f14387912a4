"""The client: its capabilities, the user's settings, and the messages to it that are not answers."""
