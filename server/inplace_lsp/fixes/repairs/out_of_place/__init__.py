"""The write makes a new tensor instead, and its name means that one."""
