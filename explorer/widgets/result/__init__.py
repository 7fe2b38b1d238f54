"""What came back from a call, on the screen."""
