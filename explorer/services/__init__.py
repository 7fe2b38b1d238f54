"""Work behind the screen: loading in a thread, the outline of the tree, settings, editors, what survives a restart."""
