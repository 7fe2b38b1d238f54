"""The panes of the screen; each shows what it is given and says what the user asked for in messages."""
