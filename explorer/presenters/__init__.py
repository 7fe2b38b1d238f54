"""Models to styled text: the only place where a string of a workspace becomes something a widget shows."""
