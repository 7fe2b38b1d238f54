"""Tools that lie, flood, fork, hang and crash: each call ends in a clear result, and nothing is left of it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from core.runtime.call import CallOptions

FAILED = "tool_execution_failure"

ENDS_EARLY = {
    "exits": ("import os\nos._exit(7)", "exit status 7"),
    "exits without a word": ("import os\nos._exit(0)", "exit status 0"),
    "kills itself": ("import os\nos.kill(os.getpid(), 9)", "signal 9"),
    "segfaults": ("import ctypes\nctypes.string_at(1)", "signal 11"),
    "calls sys.exit": ("import sys\nsys.exit(3)", "sys.exit(3)"),
    "closes everything": ("import os, time\nos.closerange(0, 64)\ntime.sleep(60)", "without a result"),
}


@pytest.mark.parametrize(("code", "words"), ENDS_EARLY.values(), ids=ENDS_EARLY)
def test_a_tool_that_ends_early_is_a_failure_that_says_how(either_bench: Any, code: str, words: str) -> None:
    error = either_bench.run(code).result.error
    assert (error.error_type, words in error.message) == (FAILED, True), error.message


HANGS = {
    "busy loop": "while True: pass",
    "ignores signals": "import signal, time\nfor s in (15, 2, 1): signal.signal(s, signal.SIG_IGN)\ntime.sleep(60)",
    "stops itself": "import os, signal, time\nos.kill(os.getpid(), signal.SIGSTOP)\ntime.sleep(60)",
    "waits in a thread": "import threading\nthreading.Event().wait()",
    "waits for a lock of the interpreter": "import re\nre.match(r'(a+)+$', 'a' * 60 + 'b')",
}


def test_tools_that_hang_are_ended_at_their_time_limits(either_bench: Any) -> None:
    tools = [either_bench.tool(code, timeout=1, name=f"t{at}") for at, code in enumerate(HANGS.values())]
    flat, runtime = either_bench.flat(), either_bench.runtime()
    options = CallOptions(approve=lambda _: True)
    with ThreadPoolExecutor(len(tools)) as threads:
        outcomes = list(threads.map(lambda tool: runtime.invoke(flat, flat.name, tool, {}, options), tools))
    runtime.close()
    for how, outcome in zip(HANGS, outcomes, strict=True):
        assert (outcome.result.error.error_type, outcome.result.error.details["timeout_s"]) == (FAILED, 1), how
        assert outcome.result.duration_ms >= 1000


LEAVES_PROCESSES = {
    "child that holds the output": "import os, time\nif os.fork() == 0:\n    time.sleep(60)\n    os._exit(0)\nreturn 1",
    "daemon": """
        import os, time
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                os.closerange(0, 64)
                time.sleep(60)
            os._exit(0)
        return 1
    """,
    "daemon that ignores signals": """
        import os, signal, time
        if os.fork() == 0:
            os.setsid()
            for s in range(1, 65):
                try: signal.signal(s, signal.SIG_IGN)
                except (OSError, ValueError): pass
            if os.fork() == 0:
                time.sleep(60)
            os._exit(0)
        return 1
    """,
    "stopped child": """
        import os, signal, time
        child = os.fork()
        if child == 0:
            time.sleep(60)
            os._exit(0)
        os.kill(child, signal.SIGSTOP)
        return 1
    """,
    "sixty children": """
        import os, time
        for _ in range(60):
            if os.fork() == 0:
                time.sleep(60)
                os._exit(0)
        return 1
    """,
    "shell in the background": """
        import subprocess
        subprocess.Popen(['sh', '-c', 'sleep 60'], start_new_session=True)
        return 1
    """,
}


@pytest.mark.parametrize("code", LEAVES_PROCESSES.values(), ids=LEAVES_PROCESSES)
def test_processes_that_a_tool_leaves_behind_are_ended_with_it(either_bench: Any, code: str) -> None:
    assert either_bench.run(code).result.output_data == 1


@pytest.mark.parametrize(("code", "count"), [("daemon", 1), ("sixty children", 60)])
def test_each_ended_process_is_mentioned(each_bench: Any, code: str, count: int) -> None:
    outcome = each_bench.run(LEAVES_PROCESSES[code])
    assert each_bench.log(outcome, "explorer").endswith(f"left behind and that were ended: {count}")


def test_processes_that_end_by_themselves_with_the_tool_are_not_mentioned(each_bench: Any) -> None:
    code = "import os, threading\nif os.fork() == 0: os._exit(0)\nos.wait()\nreturn 1"
    assert "left behind" not in each_bench.log(each_bench.run(code), "explorer")


def test_threads_that_go_on_do_not_hold_the_result_back(either_bench: Any) -> None:
    code = "import threading, time\nthreading.Thread(target=time.sleep, args=(60,)).start()\nreturn 1"
    assert either_bench.run(code).result.output_data == 1


def test_what_a_tool_prints_is_log_and_never_result(either_bench: Any) -> None:
    code = """
        import atexit, os, sys
        atexit.register(lambda: print('bye'))
        def run(**kw):
            print('noise')
            sys.stderr.write('complaint\\n')
            os.write(1, b'{"ok": true, "output": "printed"}\\n')
            return {'ok': 1}
    """
    outcome = either_bench.run(code)
    assert outcome.result.output_data == {"ok": 1}
    assert "noise\n" in either_bench.log(outcome)
    assert "bye" in either_bench.log(outcome)
    assert either_bench.log(outcome, "stderr") == "complaint"


def test_a_flood_of_output_is_cut_with_a_count(either_bench: Any) -> None:
    code = "import sys\nfor _ in range(300): sys.stdout.write('y' * 100_000)\nreturn 1"
    outcome = either_bench.run(code)
    assert outcome.result.output_data == 1
    assert len(either_bench.log(outcome).replace("\n", "")) == 1 << 18
    assert "stdout: 29,737,856 more bytes dropped" in either_bench.log(outcome, "explorer")


def test_lines_are_heard_while_the_tool_still_runs(bench: Any) -> None:
    def hear(event: Any) -> None:
        if event.text == "first":
            bench.write("heard", "")

    code = """
        import os, time
        print('first')
        while not os.path.exists('heard'):
            time.sleep(0.01)
        return 'heard'
    """
    assert bench.run(code, flags="{writes: true}", real=True, hear=hear).result.output_data == "heard"


def test_a_forged_answer_is_the_tools_word_and_no_more(either_bench: Any) -> None:
    code = """
        import os, struct
        forged = b'{"ok":true,"output":"FORGED","ms":0,"changes":[]}'
        for fd in range(3, 64):
            try: os.write(fd, struct.pack('>I', len(forged)) + forged)
            except OSError: pass
        os._exit(0)
    """
    result = either_bench.run(code).result
    assert (result.success, result.output_data, result.resource_changes) == (True, "FORGED", [])


FORGED = {
    "no frame": b"garbage" * 10,
    "endless frame": b"\xff\xff\xff\xff",
    "no JSON": b"\0\0\0\3abc",
    "no answer": b"\0\0\0\x02[]",
    "no error": b'\0\0\0\x1a{"ok":false,"error":"what"}',
    "nested error": b'\0\0\0\x2f{"ok":false,"error":{"chain":[[1,2],3],"x":{}}}',
    "endless number": b'\0\0\0\x1a{"ok":true,"output":1e9999}',
    "half a character": b'\0\0\0\x1d{"ok":true,"output":"\\ud800"}',
    "not a number": b'\0\0\0\x18{"ok":true,"output":NaN}',
    "deep": (22 + 4000).to_bytes(4, "big") + b'{"ok":true,"output":' + b"[" * 2000 + b"]" * 2000 + b"}}",
}


@pytest.mark.parametrize("frame", FORGED.values(), ids=FORGED)
def test_a_forged_answer_that_makes_no_sense_is_a_failure(bench: Any, frame: bytes) -> None:
    result = bench.run(f"import os, time\nos.write(4, {frame!r})\nos.close(4)\ntime.sleep(60)").result
    assert result.success is False
    assert str(result.error.error_type) == FAILED
    assert result.model_dump_json()


def test_a_tool_has_no_terminal(each_bench: Any) -> None:
    error = each_bench.run("import os\nreturn os.open('/dev/tty', os.O_RDWR)").result.error
    assert error.details["exception"] in ("OSError", "PermissionError")


def test_a_tool_reads_nothing_from_stdin(either_bench: Any) -> None:
    assert either_bench.run("import sys\nreturn sys.stdin.read()").result.output_data == ""


def test_the_environment_of_the_explorer_is_not_the_tools(each_bench: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_OF_THE_TESTS", "planted-9f2c")
    code = """
        import os
        seen = [dict(os.environ)]
        try: seen.append(open(f'/proc/{os.getppid()}/environ').read())
        except OSError: pass
        return repr(seen)
    """
    assert "planted-9f2c" not in each_bench.run(code).result.output_data


def test_a_sandboxed_tool_finds_no_secret_in_any_process(each_bench: Any) -> None:
    """Processes keep the environment they were started with, so a child of the test holds the secret."""
    if "processes" in each_bench.confinement.open:
        pytest.skip("limits alone do not hide processes, and the sentence says so")
    import subprocess

    with subprocess.Popen(["sleep", "60"], env={"SECRET_OF_THE_TESTS": "planted-9f2c"}) as holder:
        code = """
            import os
            seen = b''
            for pid in range(1, 70000):
                try: seen += open(f'/proc/{pid}/environ', 'rb').read()
                except OSError: pass
            return b'planted' in seen
        """
        found = each_bench.run(code).result.output_data
        holder.kill()
    assert found is False


def test_memory_is_limited(each_bench: Any) -> None:
    from core.runtime.orders import Limits

    each_bench.limits = Limits(memory=512 << 20)
    error = each_bench.run("return len(bytearray(1 << 30))").result.error
    assert (error.error_type, error.details["exception"]) == (FAILED, "MemoryError")


def test_memory_that_fills_up_slowly_ends_in_a_failure_too(bench: Any) -> None:
    from core.runtime.orders import Limits

    bench.limits = Limits(memory=512 << 20)
    error = bench.run("kept = []\nwhile True: kept.append(bytearray(1 << 16))").result.error
    assert error.details["exception"] == "MemoryError"


def test_files_and_descriptors_are_limited(bench: Any) -> None:
    from core.runtime.orders import Limits

    bench.limits = Limits(file=1 << 20, open_files=64)
    big = bench.run("with open('big', 'wb') as f: f.write(bytes(2 << 20))", flags="{writes: true}")
    many = bench.run("return [open('/dev/null') for _ in range(100)]")
    assert "File too large" in big.result.error.message
    assert "Too many open files" in many.result.error.message


def test_a_tool_that_kills_its_supervisor_ends_the_call(bare_bench: Any, wait_until: Any) -> None:
    error = bare_bench.run("import os, time\nos.kill(os.getppid(), 9)\ntime.sleep(60)").result.error
    assert "supervisor" in error.message
    wait_until(lambda: not bare_bench.survivors())
    import shutil

    shutil.rmtree(bare_bench.state / "scratch")  # the next call sweeps it; see the tests of copies
