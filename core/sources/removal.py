"""Removes a folder whatever it holds; standard library alone, for helper processes too."""

from __future__ import annotations

import os

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def remove_tree(path: str) -> bool:
    """Remove the folder ``path`` as ``remove_tree_at`` does; return whether all is gone."""
    parent, name = os.path.split(path)
    try:
        fd = os.open(parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError:
        return not os.path.lexists(path)
    try:
        remove_tree_at(fd, name)
    except FileNotFoundError:
        return True
    except OSError:
        return False
    finally:
        os.close(fd)
    return True


def remove_tree_at(parent: int, name: str) -> None:
    """Remove the folder ``name`` in the folder ``parent``; links in it are not followed.

    Each folder below is moved up before its content is removed, and opened to its owner, so that neither depth nor
    the length of a path nor modes matter.

    Raises:
        OSError: something can't be removed.
    """
    top = os.open(name, _FOLDER, dir_fd=parent)
    try:
        os.fchmod(top, 0o700)
        moved, done = _empty(top, top, 0), 0
        while done < moved:
            moved = _empty_moved(top, f"gone-{done}", moved)
            done += 1
    finally:
        os.close(top)
    os.rmdir(name, dir_fd=parent)


def _empty_moved(top: int, name: str, moved: int) -> int:
    folder = os.open(name, _FOLDER, dir_fd=top)
    try:
        moved = _empty(folder, top, moved)
    finally:
        os.close(folder)
    os.rmdir(name, dir_fd=top)
    return moved


def _empty(folder: int, top: int, moved: int) -> int:
    """Unlink the files of ``folder`` and move its folders up to ``top``; return how many have been moved in all."""
    with os.scandir(folder) as items:
        found = [(item.name, item.is_dir(follow_symlinks=False)) for item in items]
    for name, is_folder in found:
        if is_folder:
            os.chmod(name, 0o700, dir_fd=folder)
            os.rename(name, f"gone-{moved}", src_dir_fd=folder, dst_dir_fd=top)
            moved += 1
        else:
            os.unlink(name, dir_fd=folder)
    return moved
