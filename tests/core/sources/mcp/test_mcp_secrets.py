"""A planted secret is looked for in everything that comes out, after a server has said it everywhere it can."""

from __future__ import annotations

import base64
import json
from traceback import format_exception
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp_bench import Bench, eventually

from core.diagnostics import Place
from core.sources.mcp.failures import McpFailure
from core.sources.mcp.identity import server_identity
from core.sources.mcp.redactor import Redactor
from core.sources.mcp.secrets import MASK, expand, references, shown
from core.sources.mcp.servers import Caller

PLANTED = "planted-s3cret-0451"
SECRETS = st.text(min_size=6, max_size=40).filter(lambda text: len(text.strip()) > 2)


class Everything(Caller):
    """Keeps what is heard."""

    def __init__(self) -> None:
        self.heard: list[Any] = []
        super().__init__(lambda *line: self.heard.append(line), self.heard.append)


@pytest.mark.parametrize("how", ["result", "error", "rpc", "crash"])
@pytest.mark.parametrize("value", [PLANTED, "${PLANTED_BY_TEST}", "https://host/?k=${PLANTED_BY_TEST}&x=1"])
def test_a_secret_that_a_server_says_everywhere_is_masked_everywhere(bench: Bench, how: str, value: str) -> None:
    bench.environ["PLANTED_BY_TEST"] = PLANTED
    server, caller = bench.misbehaving(env={"API_KEY": value}), Everything()
    found: list[Any] = [server.discover(caller)]
    try:
        found.append(server.call("spill", caller, name="API_KEY", how=how))
    except McpFailure as failure:
        found += [failure, failure.message, failure.details, failure.output, *format_exception(failure)]
    assert eventually(lambda: any("stderr" in map(str, line) for line in caller.heard if isinstance(line, tuple)))

    text = repr((found, caller.heard, server.server, bench.pool.states()))
    assert PLANTED not in text
    assert MASK in text


def test_a_secret_is_masked_however_a_server_writes_it(bench: Bench) -> None:
    value = 'opens "Sé$ame" & ü/+ 100%'
    forms = bench.misbehaving(env={"X": value}).call("spill", name="X", how="encoded").output["forms"]

    assert [form for form in forms if MASK not in form] == []
    assert max(len(form.replace(MASK, "")) for form in forms) <= 10


def test_a_secret_is_masked_in_lines_that_come_in_pieces_or_are_cut(bench: Bench) -> None:
    caller = Everything()
    bench.misbehaving(env={"API_KEY": PLANTED}).call("spill", caller, name="API_KEY", how="slowly")

    assert eventually(lambda: any("more" in str(line) for line in caller.heard))
    said = repr(caller.heard)
    assert f"begins {MASK}" in said
    assert PLANTED[:6] not in said


GUESSED = {
    "one word": ({"X": "opensesame"}, "got opensesame", f"got {MASK}"),
    "a word of many": ({"X": "hunter2"}, "hunter2hunter2", MASK * 2),
    "a short one under its name": ({"TOKEN": "abc"}, "abc abcd (abc)", f"{MASK} abcd ({MASK})"),
    "four digits under their name": ({"PIN": "4711"}, "4711 47110", f"{MASK} 47110"),
    "a password in a URL": ({"DB": "postgres://u:p%40ssw0rd@h/d"}, "p@ssw0rd p%40ssw0rd", f"{MASK} {MASK}"),
    "a password of a connection": ({"DB": "host=h;password=hunter2;x=1"}, "used hunter2", f"used {MASK}"),
    "a member of JSON": ({"CONFIG": '{"a": {"token": "tok-abc"}}'}, "tok-abc", MASK),
    "a line of a key": ({"PEM": "-----BEGIN\nMIIEvQIBADAN\n-----END"}, "MIIEvQIBADAN", MASK),
    "a token in a path": ({"HOOK": "https://h/services/T0A1B2C3D4E5F6G7H8I9J"}, "x", "x"),
    "blanks": ({"KEY": " " * 9}, "a" + " " * 20, "a" + " " * 20),
    "switches": ({"AUTH": "true", "TOKEN": "none", "KEY": "1"}, "true none 1", "true none 1"),
    "settings": (
        {"MODE": "production", "LOG_LEVEL": "info", "TZ": "Europe/Berlin", "LANG": "en"},
        "production info Europe/Berlin en",
        "production info Europe/Berlin en",
    ),
}


@pytest.mark.parametrize(("env", "said", "masked"), GUESSED.values(), ids=GUESSED)
def test_what_does_not_plainly_look_like_a_setting_is_a_secret(env: dict[str, str], said: str, masked: str) -> None:
    redactor = Redactor(env.items())

    assert redactor.text(said) == masked
    for value in env.values():
        if said != masked or "://" in value:
            assert redactor.text(f"<{value}>") == f"<{MASK}>"


@pytest.mark.parametrize("header", ["Bearer abc", "Basic dXNlcjphYmM=", "Token abc", "abc"])
def test_the_token_or_password_of_a_header_is_masked(header: str) -> None:
    assert Redactor(headers=[header]).text(f"{header}, or abc") == f"{MASK}, or {MASK}"


def test_a_number_that_is_a_secret_is_masked_and_masked_keys_stay_apart() -> None:
    redactor = Redactor([("PIN", "918273601"), ("KEY", "s3cret-one"), ("KEY2", "s3cret-two")])

    assert redactor.tree({"n": 918273601, "m": 1.5, "b": True}) == {"n": MASK, "m": 1.5, "b": True}
    assert redactor.tree({"s3cret-one": 1, "s3cret-two": 2}) == {MASK: 1, f"{MASK}'": 2}


@given(SECRETS, st.binary(max_size=5), st.binary(max_size=5))
def test_base64_of_anything_that_holds_a_secret_is_masked(secret: str, head: bytes, tail: bytes) -> None:
    raw = secret.encode()
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        assert MASK in Redactor([("KEY", secret)]).text(encode(head + raw + tail).decode())


@given(SECRETS, st.text(max_size=5))
def test_a_tree_is_masked_wherever_its_texts_would_be(secret: str, beside: str) -> None:
    redactor = Redactor([("KEY", secret)])
    for form in (secret, json.dumps(secret), repr(secret), json.dumps(json.dumps(secret)), quote(secret)):
        text = f"{beside}{form}{beside}"
        assert redactor.tree({"a": [text]}) == {"a": [redactor.text(text)]}
        assert MASK in redactor.text(text)


def test_a_secret_that_a_server_needs_reaches_it(bench: Bench) -> None:
    bench.environ["PLANTED_BY_TEST"] = PLANTED
    server = bench.misbehaving(env={"API_KEY": "Bearer ${PLANTED_BY_TEST}", "MODE": "${NOT_SET:-debug}"})

    environment = server.call("environment").output

    assert environment["API_KEY"] == MASK
    assert environment["MODE"] == "debug"


def test_a_server_is_given_little_of_our_environment(bench: Bench) -> None:
    bench.environ |= {"SOME_TOKEN_OF_OURS": PLANTED, "LANG": "C.UTF-8", "PATH": f".::{bench.root}:/usr/bin:/bin"}

    environment = bench.misbehaving().call("environment").output

    assert set(environment) - {"LC_CTYPE"} == {"HOME", "LANG", "PATH", "PIDS", "RECORD"}
    assert environment["PATH"] == "/usr/bin:/bin"


def test_a_variable_that_is_not_set_is_noted(bench: Bench) -> None:
    server = bench.misbehaving(env={"API_KEY": "${NOBODY_SET_THIS}"})

    assert server.discover().notes == ("the variable NOBODY_SET_THIS is not set",)
    assert server.call("environment").output["API_KEY"] == ""


def test_a_plain_setting_is_left_alone_in_what_a_tool_returns(bench: Bench) -> None:
    settings = {"LOG_LEVEL": "warning", "NOTES_DIR": "/srv/notes", "PORT": "8080", "BASE": "https://host/x"}

    environment = bench.misbehaving(env=settings).call("environment").output

    assert settings.items() <= environment.items()


def test_an_identity_shows_names_and_references_but_no_value(bench: Bench) -> None:
    server = bench.misbehaving(env={"API_KEY": PLANTED, "TOKEN": "Bearer ${HOST_TOKEN}", "LD_PRELOAD": "./x.so"})

    identity = server_identity(server.server.spec, Place("skills/s.yaml"))
    lines = dict(identity.details)

    assert PLANTED not in repr(identity)
    assert lines["environment API_KEY"] == f"{MASK} ({len(PLANTED)} characters)"
    assert lines["environment TOKEN"].endswith("${HOST_TOKEN}")
    assert lines["environment LD_PRELOAD"] == "./x.so"
    assert "is given these variables of your environment: HOST_TOKEN" in identity.warnings
    assert any("LD_PRELOAD" in warning for warning in identity.warnings)


@pytest.mark.parametrize(
    ("written", "result", "unset"),
    [
        ("${A}", "one", []),
        ("x-${A}-${A}", "x-one-one", []),
        ("${MISSING:-two}", "two", []),
        ("${EMPTY:-two}", "two", []),
        ("${EMPTY}", "", []),
        ("${MISSING}", "", ["MISSING"]),
        ("$A ${} ${1} %A% ${A", "$A ${} ${1} %A% ${A", []),
        ("${OTHER}", "${OTHER}", []),
    ],
)
def test_references_are_expanded_for_listed_names_only(written: str, result: str, unset: list[str]) -> None:
    environ = {"A": "one", "EMPTY": "", "OTHER": "never"}

    assert expand(written, {"A", "EMPTY", "MISSING"}, environ) == (result, unset)


def test_the_names_that_values_refer_to_are_listed_once() -> None:
    assert references(["${B}${A}", "${A:-x}", "$C"]) == ("A", "B")


def test_a_value_is_shown_by_its_references_and_its_length() -> None:
    assert shown("Bearer ${T}") == f"{MASK} (7 characters)${{T}}"
    assert shown("") == ""


def test_a_redactor_reaches_keys_and_any_depth() -> None:
    deep: Any = {PLANTED: [f"<{PLANTED}>", 1, None]}
    for _ in range(5000):
        deep = [deep]
    found = Redactor([("KEY", PLANTED)]).tree(deep)
    while isinstance(found, list) and len(found) == 1:
        found = found[0]

    assert found == {MASK: [f"<{MASK}>", 1, None]}


def test_the_bare_token_of_a_header_is_masked_too() -> None:
    assert Redactor(headers=["Bearer abcdef123"]).text("got abcdef123") == f"got {MASK}"


def test_digits_are_masked_under_any_name_and_numeric_addresses_are_not() -> None:
    redactor = Redactor([("PIN", "918273601"), ("BIND", "127.0.0.1:80"), ("RATIO", "0.12345")])

    assert redactor.text("918273601 127.0.0.1:80 0.12345") == f"{MASK} 127.0.0.1:80 0.12345"
