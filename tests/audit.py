"""Runs the program with an audit hook: which processes, connections and writes it asks for, and whose code runs.

``python -P audit.py REPORT FOLDER -- ARGUMENTS…`` runs one command; without arguments, each line of stdin is a JSON
list of arguments. Every event becomes a JSON line of REPORT, with the command that it came from.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

PROCESSES = {"subprocess.Popen", "os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.system"}
NETWORK = {"socket.connect", "socket.bind", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto"}
CHANGES = {
    *("os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.link", "os.symlink", "os.truncate", "os.chmod"),
    *("os.chown", "os.utime", "os.setxattr", "os.removexattr", "sqlite3.connect"),
}
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


class Auditor:
    """Notes what happens; ``folder`` is where no code may come from."""

    def __init__(self, report: str, folder: str) -> None:
        self._fd = os.open(report, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        self._folder = os.path.realpath(folder) + os.sep
        self.command = ""

    def hook(self, event: str, args: tuple[Any, ...]) -> None:
        if event in PROCESSES:
            self._note("process", event, repr(args[:2]))
        elif event in NETWORK:
            self._note("network", event, repr(args[1:]))
        elif event == "open" and not isinstance(args[0], int) and isinstance(args[2], int) and args[2] & _WRITES:
            self._note("write", event, _path(args[0]))  # a descriptor was noted when it was opened
        elif event in CHANGES:
            fds = [a for a in args[1:] if isinstance(a, int) and not isinstance(a, bool) and 2 < a < 1 << 16]
            for path in [a for a in args[:2] if isinstance(a, str | bytes)]:
                self._note("write", event, _path(path, fds[-1] if fds else None))
        elif event == "exec" and str(getattr(args[0], "co_filename", "")).startswith(self._folder):
            self._note("code", event, args[0].co_filename)
        elif event == "import" and str(args[1] or "").startswith(self._folder):
            self._note("code", event, str(args[1]))

    def _note(self, kind: str, event: str, what: str) -> None:
        line = {"kind": kind, "event": event, "what": what, "command": self.command}
        os.write(self._fd, json.dumps(line).encode() + b"\n")


def _path(path: Any, fd: int | None = None) -> str:
    text = os.fsdecode(path)
    base = os.getcwd()
    if fd is not None and not os.path.isabs(text):
        try:
            base = os.readlink(f"/proc/self/fd/{fd}")
        except OSError:
            base = os.getcwd()
    return os.path.join(base, text)


def main() -> int:
    report, folder, _, *arguments = sys.argv[1:]
    auditor = Auditor(report, folder)
    sys.addaudithook(auditor.hook)
    from explorer.cli import main as run

    if arguments:
        auditor.command = " ".join(arguments)
        return run(arguments)
    for line in sys.stdin.read().splitlines():
        words = json.loads(line)
        auditor.command = " ".join(words)
        run(words)
    return 0


if __name__ == "__main__":
    sys.exit(main())
