"""From bytes to messages and back, with damaged input and refused messages."""
