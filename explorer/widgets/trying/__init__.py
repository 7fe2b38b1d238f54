"""The parts of the Try pane: what stands where, which tool is tried, and its calls."""
