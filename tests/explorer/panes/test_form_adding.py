"""What enter does on a row of the form, what the footer calls it, and where it leads."""

from __future__ import annotations

from try_driver import app, of, pane, sent

from explorer.commands import BY_ID
from explorer.services.active_keys import possible_keys

ITEM = {"type": "object", "properties": {"name": {"type": "string"}, "size": {"type": "integer"}}}
SCHEMA = {
    "type": "object",
    "properties": {
        "items": {"type": "array", "items": ITEM},
        "kinds": {"type": "array", "items": {"enum": ["a", "b"]}, "uniqueItems": True},
        "env": {"type": "object", "additionalProperties": {"type": "string"}},
    },
}


async def test_what_is_added_is_typed_into_at_once_and_enter_is_called_what_it_does() -> None:
    running = app(of(SCHEMA), "local/one")
    async with running.run_test(size=(120, 40)) as pilot:

        def enter() -> list[str]:
            return [BY_ID[name].label for name, keys in possible_keys(running.screen).items() if "enter" in keys]

        async def press(*keys: str) -> None:
            await pilot.press(*keys)
            for _ in range(3):
                await pilot.pause()

        for _ in range(200):
            if running.focused is not None and enter():
                break
            await pilot.pause(0.01)
        form = pane(running).arguments.form
        assert enter() == ["Unfold"]
        await press("enter")
        assert enter() == ["Fold"]
        await press("down")
        assert enter() == ["Add"]
        await press("enter", "x")
        assert sent(running) == {"items": [{"name": "x"}]}
        form.focus_path(("items", 0))
        await press()
        assert enter() == ["Fold"]
        form.focus_path(("kinds",))
        await press()
        assert enter() == ["Tick"]
        form.focus_path(("env",))
        await press("enter", "down")
        assert enter() == ["Add"]
        await press("k", "enter", "v")
        assert sent(running)["env"] == {"k": "v"}
