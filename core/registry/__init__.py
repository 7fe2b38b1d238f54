"""What is kept between runs in the user's state folder: approvals, history and registered skills."""

REGISTRY_FILE = "registry.sqlite"
