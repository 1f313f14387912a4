"""The program under repair: its text, what its syntax and its tapes say."""
