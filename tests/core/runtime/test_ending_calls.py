"""Calls that are cancelled, closed or killed: nothing is left of them."""

from __future__ import annotations

import subprocess
import sys
import threading
from textwrap import dedent
from typing import Any

WRITES = "{writes: true}"


def test_a_call_can_be_cancelled_while_it_runs(each_bench: Any) -> None:
    cancel = threading.Event()

    def hear(event: Any) -> None:
        if event.text == "started":
            cancel.set()

    error = each_bench.run("print('started')\nwhile True: pass", cancel=cancel, hear=hear).result.error
    assert (str(error.error_type), error.details["cancelled"]) == ("tool_execution_failure", True)


def test_a_call_can_be_cancelled_before_it_runs(bench: Any) -> None:
    cancel = threading.Event()
    cancel.set()
    assert bench.run("return 1", cancel=cancel).result.error.details["cancelled"] is True


def test_closing_the_runtime_cancels_what_runs(bench: Any, wait_until: Any) -> None:
    from core.runtime.call import CallOptions

    tool = bench.tool("print('started')\nwhile True: pass")
    flat, runtime = bench.flat(), bench.runtime()
    started = threading.Event()
    results = []

    def call() -> None:
        options = CallOptions(approve=lambda _: True)
        outcome = runtime.invoke(
            flat, "local/bench", tool, {}, options, lambda e: e.text == "started" and started.set()
        )
        results.append(outcome.result)

    thread = threading.Thread(target=call)
    thread.start()
    assert started.wait(20)
    runtime.close()
    thread.join(20)
    assert results[0].error.details["cancelled"] is True
    assert runtime.invoke(flat, "local/bench", tool, {}).result.error.message == "the workspace was closed"


CALLER = """
    import sys, threading
    from pathlib import Path
    sys.path.insert(0, {tests!r})
    from core.runtime.call import CallOptions
    from core.runtime.confinement import Mechanism
    from core.runtime.probing import try_mechanism
    from core.runtime.runtime import ToolRuntime
    from core.language.load import load_declarations
    from core.resolve.catalogue import Catalogue
    root = Path({root!r})
    flat = Catalogue(load_declarations(root)).flatten("local/bench")
    confinement = try_mechanism(Mechanism({mechanism!r}), {program!r})
    runtime = ToolRuntime(root, state=Path({state!r}), confinement=confinement)
    hear = lambda event: print(event.text, flush=True) if event.text == "started" else None
    runtime.invoke(flat, "local/bench", "local/probe", {{}}, CallOptions(approve=lambda _: True), hear)
"""


def test_nothing_is_left_when_the_explorer_is_killed(each_bench: Any, wait_until: Any) -> None:
    each_bench.tool(
        """
        import os, time
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0: time.sleep(60)
            os._exit(0)
        print('started')
        time.sleep(60)
        """,
        flags=WRITES,
    )
    each_bench.flat()
    confinement = each_bench.confinement
    code = dedent(CALLER).format(
        tests="",
        root=str(each_bench.root),
        state=str(each_bench.state),
        mechanism=str(confinement.mechanism),
        program=confinement.program,
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as caller:
        assert caller.stdout.readline() == "started\n"
        assert each_bench.leftovers() != []
        caller.kill()
    wait_until(lambda: not each_bench.survivors() and not each_bench.leftovers())
