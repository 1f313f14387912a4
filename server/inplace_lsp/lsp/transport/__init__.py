"""From bytes to messages and back: what may stand between them, and the messages that are refused."""
