"""Help for the place that has the focus."""

from __future__ import annotations

from typing import Any

from textual.screen import Screen

from explorer.presenters.help_page import help_page
from explorer.screens.page import PageScreen
from explorer.services.active_keys import possible_keys


def help_screen(screen: Screen[Any]) -> PageScreen:
    """Return the dialog for ``screen`` as it is now: only keys that do something there are listed."""
    keys = possible_keys(screen)
    nodes = screen.focused.ancestors_with_self if screen.focused else [screen]
    about = next((said for node in nodes if (said := getattr(node, "about", "") or node.HELP)), "")
    return PageScreen("Help", lambda width: help_page(keys, about.strip(), width))
