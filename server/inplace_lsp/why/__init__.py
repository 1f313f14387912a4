"""From torch's message to the line that wrote: what the message says, and which writes of a project explain it."""
