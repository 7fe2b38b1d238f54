"""From bytes to positioned documents to models: the workspace language, without running any of it."""
