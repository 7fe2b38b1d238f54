"""Nasty text in every widget that shows any: what the tests of untrusted text look at."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace

from fakes import FakeCatalogue, FakeWorkspace, row, tool
from nasty_panes import PANES
from textual.app import App, ComposeResult
from textual.screen import Screen
from textual.widget import Widget

from core.diagnostics import Diagnostic, Fix, Place, Severity
from core.language.declarations import AgentSkillDecl, Declarations
from core.language.tree import SourceText
from core.model.discovery import DiscoveredServer, DiscoveredTool
from core.registry.approvals import Approval
from core.runtime.call import ExecutionIdentity
from core.workspace.fixes import FileFix
from core.workspace.standing import Standing, Trust
from explorer.presenters import marks
from explorer.presenters.approvals import listing_part, revoking_page, standing_part, stored_page
from explorer.presenters.fix_page import fix_page
from explorer.presenters.page import Page, text_page
from explorer.presenters.subject_page import subject_page
from explorer.presenters.why_page import why_page
from explorer.screens.approvals import ApprovalsScreen
from explorer.screens.confirm import ConfirmScreen
from explorer.screens.fix import FixScreen
from explorer.screens.page import PageScreen
from explorer.services.finder import Finder
from explorer.services.findings import collect
from explorer.services.outline import Kind, Outline
from explorer.services.subject import Subject
from explorer.theme import DARK, VARIABLES
from explorer.widgets.overview import Overview
from explorer.widgets.problems import ProblemsPanel
from explorer.widgets.skill_tree import SkillTree
from explorer.widgets.source_view import SourceView
from explorer.widgets.status_header import StatusHeader
from explorer.widgets.tab_strip import Tab, TabStrip

EVERYTHING = " ".join(
    [
        "[/] a[/red]b [foo=bar] [link] [@click=app.quit]press[/]",
        "\x1b]52;c;RVZJTA==\x07\x1b[2J\x1b[31m",
        "\x9b31m\x9d52;c;x\x9c",
        "\x00\x08\x0e\x7f\r\x0b",
        "\u202eabc\u2066\u2069",
        "\u200b\ufeff\u00ad\U000e0041",
        "\udc80",
        "one\ntwo\ttabbed",
    ]
)
NASTY = {
    "closing tag": "[/]",
    "action": "[@click=app.quit]press[/]",
    "everything": EVERYTHING,
    "long": "x" * 5_000,
    "wide": "漢字" * 300,
}
Show = Callable[[str], "Widget | Screen[object]"]


class Bare(App[None]):
    """Shows one widget with no net behind it."""

    def __init__(self, shown: Widget | Screen[object]) -> None:
        super().__init__()
        self.register_theme(DARK)
        self.theme = DARK.name
        self.shown = shown

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return VARIABLES

    def compose(self) -> ComposeResult:
        if not isinstance(self.shown, Screen):
            yield self.shown

    def on_mount(self) -> None:
        if isinstance(self.shown, Screen):
            self.push_screen(self.shown)


def workspace(text: str) -> FakeWorkspace:
    record = tool("x/y", writes=True).model_copy(
        update={"name": text, "description": text, "source": text, "from_skill": text, "problem": text}
    )
    schema = {"type": "object", "properties": {text: {"type": text, "description": text}}, "required": [text]}
    catalogue = FakeCatalogue()
    catalogue.rows["local/a"] = replace(row("local/a", []), description=text, version=text, sources=(text,))
    catalogue.rows["local/a"] = replace(catalogue.rows["local/a"], undiscovered_servers=(text,))
    catalogue.tools["local/a"] = [record.model_copy(update={"source": "custom", "input_schema": schema})]
    catalogue.actor_skills = {text: ("local/a",)}
    place = Place(text, 1, 1, 1, 2)
    found = Diagnostic("a/b", Severity.ERROR, text, place, "local/a", hint=text, fix=Fix(text, ()))
    loose = AgentSkillDecl(text, text, SourceText(text, ""), text, steps=(text,), resources=(text,), allowed_tools=text)
    catalogue.loose = (loose,)
    return FakeWorkspace(catalogue, (found,), {text: text}, declarations=Declarations(agent_skills=[loose]))


def tree(text: str) -> Widget:
    view = SkillTree()
    fake = workspace(text)
    outline = Outline(fake)  # type: ignore[arg-type]
    view.state.opened.update(n.key for n in outline.rows(set()))
    view.state.opened.update(n.key for n in outline.rows(view.state.opened))
    view.state.opened.update(n.key for n in outline.rows(view.state.opened))
    view.call_later(view.set_catalogue, outline, Finder(), collect(fake.diagnostics))
    return view


def page(subject: Callable[[str], Subject]) -> Show:
    def show(text: str) -> Widget:
        view, fake = Overview(), workspace(text)
        view.call_after_refresh(
            view.show_page,
            lambda width: subject_page(fake, subject(text), list(fake.diagnostics), width),  # type: ignore[arg-type]
        )
        return view

    return show


def source(text: str) -> Widget:
    view, fake = SourceView(), workspace(text)
    view.call_after_refresh(view.show_file, text, fake.text_of, fake.diagnostics, 1)
    return view


def missing_source(text: str) -> Widget:
    view = SourceView()

    def read(path: str) -> str:
        raise OSError(text)

    view.call_after_refresh(view.show_file, text, read, (), 1)
    return view


def problems(text: str) -> Widget:
    panel = ProblemsPanel(classes="-opened")
    panel.call_after_refresh(panel.show, collect(workspace(text).diagnostics))
    return panel


def tabs(text: str) -> Widget:
    strip = TabStrip((Tab("a", "A"),))
    strip.call_later(strip.show, marks.text(text), marks.text(text), {})
    return strip


def confirm(text: str) -> Screen[object]:
    identity = ExecutionIdentity(text, text, text, text, 3, ((text, text),), text, (text,), (text,))
    return ConfirmScreen((identity,), confirm_only=False, call=identity)  # type: ignore[return-value]


def several(text: str) -> Screen[object]:
    identities = [ExecutionIdentity(f"{n}{text}", text, text, text, n, ((text, text),), text, (text,)) for n in (1, 2)]
    return ConfirmScreen(tuple(identities))  # type: ignore[return-value]


def kept(text: str) -> Approval:
    return Approval("0" * 64, text, text, "/ws", text, 3, ((text, text),), text, text, {text: text})


def approvals(text: str) -> Screen[object]:
    store = SimpleNamespace(here=lambda: [kept(text)])
    fake = SimpleNamespace(approvals=store, running=lambda: frozenset({"0" * 64}))
    return ApprovalsScreen(fake)  # type: ignore[arg-type,return-value]


def approved(text: str) -> Screen[object]:
    return PageScreen(text, lambda width: stored_page(kept(text), width, runs=True))  # type: ignore[return-value]


def revoking(text: str) -> Screen[object]:
    return FixScreen(text, lambda width: revoking_page([kept(text)], frozenset(), width))  # type: ignore[return-value]


def server(text: str) -> Widget:
    answer = DiscoveredServer(text, (DiscoveredTool(text, changed=text),), notes=(text,))
    standing = Standing(Trust.CHANGED, text, text, answer, True)
    view = Overview()

    def made(width: int) -> Page:
        page = Page(width)
        standing_part(page, standing)
        listing_part(page, standing)
        return page

    view.call_after_refresh(view.show_page, made)
    return view


def fix(text: str) -> Screen[object]:
    found = workspace(text).diagnostics[0]
    plan = [FileFix("a.yaml", text, f"{text}x")]
    return FixScreen(text, lambda width: fix_page(found, plan, width))  # type: ignore[return-value]


def why(text: str) -> Screen[object]:
    from core.model import FlagProvenance, Origin
    from core.resolve.views import WhyTool

    flags = {text: FlagProvenance(value=text, origin=Origin.OVERRIDDEN, path=text, line=1, replaced=text)}
    answer = WhyTool(text, text, ((text, text),), 9, flags)
    return PageScreen(text, lambda width: why_page(answer, width))  # type: ignore[return-value]


WIDGETS: dict[str, Show] = {
    **PANES,
    "header": StatusHeader,
    "tabs": tabs,
    "tree": tree,
    "page of a skill": page(lambda text: Subject(Kind.SKILL, "local/a", "local/a")),
    "page of a missing skill": page(lambda text: Subject(Kind.SKILL, text, text)),
    "page of a tool": page(lambda text: Subject(Kind.TOOL, text, "local/a", text)),
    "page of an actor": page(lambda text: Subject(Kind.ACTOR, text)),
    "page of an Agent Skill": page(lambda text: Subject(Kind.AGENT_SKILL, text, path=text)),
    "page of a file": page(lambda text: Subject(Kind.FILE, text, path=text)),
    "page of a workspace": page(lambda text: Subject(Kind.WORKSPACE, text)),
    "source": source,
    "missing source": missing_source,
    "problems": problems,
    "approval": confirm,
    "several approvals": several,
    "approvals": approvals,
    "an approval in full": approved,
    "taking back": revoking,
    "standing of a server": server,
    "fix": fix,
    "why": why,
    "report": lambda text: PageScreen(text, lambda width: text_page(text, width), text),  # type: ignore[return-value]
}
