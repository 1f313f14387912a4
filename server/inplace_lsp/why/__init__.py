"""From torch's message to the line that wrote: read the message, and find the writes of a project that explain it."""
