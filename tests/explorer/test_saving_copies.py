"""What was copied can be saved to a file, for terminals that give a program no clipboard."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from app_driver import opened
from visits import BROKEN

from explorer.services.matrix import COLUMNS, as_csv, as_markdown, suffix_of
from explorer.services.new_file import write_new

TITLES = [column.title for column in COLUMNS]


@pytest.mark.parametrize(
    ("text", "suffix"),
    [(as_csv([TITLES, ["a"] * 9]), "csv"), (as_markdown([TITLES, ["a"] * 9]), "md"), ("a,b\n", "txt"), ("", "txt")],
)
def test_the_file_ends_as_what_is_in_it(text: str, suffix: str) -> None:
    assert suffix_of(text) == suffix


def test_a_file_that_is_there_is_never_replaced_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    one, two = (write_new(text, tmp_path / "new", "copied", "txt") for text in ("1", "2"))
    assert (one.read_text(), two.read_text()) == ("1", "2")
    assert one.stat().st_mode & 0o077 == 0


async def test_a_copied_table_is_saved_and_the_path_is_told(tmp_path: Path) -> None:
    state = tmp_path / "state"
    async with opened(BROKEN, state, (200, 50)) as driver:
        await driver.press("Y")
        assert driver.lines("Nothing has been copied yet; y copies.")
        driver.main.skill_tree.reveal("team/storage")
        await driver.quiet()
        await driver.press("2", "c")
        assert driver.lines("Copied CSV.  (Y saves it to a file)")
        await driver.press("Y")
        path = state / "copied" / "copied-1.csv"
        rows = list(csv.reader(path.read_text("utf-8").splitlines()))
        assert rows[0] == TITLES
        assert {row[0] for row in rows[1:]} >= {"team/compress"}
        assert driver.lines("copied-1.csv")
