"""Reading a whole workspace, or one file of it again, into declarations; executes nothing of it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from core.diagnostics import Diagnostic, Place, Severity
from core.diagnostics.rules import yaml
from core.diagnostics.rules.file import UNREADABLE, UNRECOGNISED
from core.gc_pause import no_collections
from core.language.actor_file import read_actor_file
from core.language.agent_skill.discovery import check_relations
from core.language.agent_skill.reader import read_agent_skill
from core.language.declarations import (
    ActorDecl,
    AgentSkillDecl,
    BrokenFile,
    Declarations,
    ServerFile,
    SkillFile,
    ToolFile,
)
from core.language.edited import EditedTexts
from core.language.kinds import FileKind, classify
from core.language.memory import FileMemory, Stamp
from core.language.misplaced import looks_like, report_misplaced
from core.language.python_check import PythonChecker
from core.language.reading import Unreadable
from core.language.rescan import file_at, rescan
from core.language.scan import Scan, ScannedFile, scan
from core.language.scan_names import SERVER_FILES
from core.language.server_file import check_json, read_server_file
from core.language.sink import DocumentSink
from core.language.skill_file import read_skill_file, written_name
from core.language.surroundings import Surroundings
from core.language.tool_file import read_tool_file
from core.language.tree import Map
from core.language.trimming import trim
from core.language.yaml_reader import YamlDocument, read_yaml, root_mapping

Progress = Callable[[int, int, Sequence[str]], None]
"""Is told how many files are read, how many there are, and the names of the skills read since it was told last."""
_EVERY = 50
_PASSABLE = frozenset(rule.code for rule in (yaml.DUPLICATE_KEY, yaml.KEY_TYPE, yaml.MERGE_KEY, yaml.MULTI_DOCUMENT))
_WHAT = {FileKind.SKILL: "a skill file", FileKind.TOOL: "a tool file", FileKind.ACTOR: "an actor file"}


_Job = tuple[str, Callable[..., "LoadedFile"], tuple[str | None, ...]]
"""What is read under which key, how, and by which arguments."""


@dataclass(slots=True)
class LoadedFile:
    """What one file declares, and what is wrong with it; a file may declare nothing and be nobody's business."""

    path: str
    skill: SkillFile | None = None
    tool: ToolFile | None = None
    actors: list[ActorDecl] = field(default_factory=list)
    servers: ServerFile | None = None
    agent_skill: AgentSkillDecl | None = None
    broken: BrokenFile | None = None
    diagnostics: list[Diagnostic] = field(default_factory=list)


def load_declarations(
    root: Path,
    *,
    progress: Progress | None = None,
    cancelled: Callable[[], bool] | None = None,
    memory: FileMemory | None = None,
    changed: Collection[str] | None = None,
    edited: EditedTexts | None = None,
) -> Declarations:
    """Read every file of the workspace ``root``; one bad file spoils nothing else.

    Once ``cancelled`` says so, the answer holds what was read until then and is not ``complete``. A file that is as
    it was when ``memory`` last saw it is not read again; where ``changed`` has all paths that can have changed since,
    the folders are not searched again either if these tell enough. ``edited`` has files that read otherwise than
    stored.
    """
    memory = memory if memory is not None else FileMemory()
    known = rescan(root, memory.scan, changed) if memory.scan is not None and changed is not None else None
    if known is not None and not (cancelled is not None and cancelled()):
        again = _read_again(root, memory, known, edited)
        if again is not None:
            _tell(progress, again.files, again.files, again, 0)
            return again
    memory.scan = found = known if known is not None else scan(root, cancelled)
    stamps = memory.begin(root, found)
    with no_collections(keeps=True), PythonChecker() as checker:
        around = Surroundings(root, checker, frozenset(found.agent_skill_folders), edited)
        jobs = list(_jobs(found))
        declarations = _nothing_yet(found, len(jobs))
        loaded = []
        told = 0
        for number, job in enumerate(jobs):
            if number % _EVERY == 0:
                if cancelled is not None and cancelled():
                    declarations.unread, declarations.complete = len(jobs) - number, False
                    break
                told = _tell(progress, number, len(jobs), declarations, told)
            stamp = stamps[job[0]] if edited is None else edited.stamp(job[0], stamps[job[0]])
            loaded.append(_recalled(memory, stamp, job, around))
            add_files(declarations, loaded[-1:])
        _tell(progress, len(jobs) - declarations.unread, len(jobs), declarations, told)
        declarations.diagnostics += check_relations(declarations.agent_skills)
        memory.keep_needed(root, around.depends)
        declarations.depends = memory.depends
        whole = declarations.complete and not (edited is not None and edited.paths)
        if whole:
            memory.loaded, memory.places = loaded, {job[0]: place for place, job in enumerate(jobs)}
    return declarations


def _nothing_yet(found: Scan, files: int) -> Declarations:
    return Declarations(
        sub_workspaces=list(found.sub_workspaces),
        diagnostics=list(found.diagnostics),
        files=files,
        complete=not found.cancelled,
    )


def _read_again(root: Path, memory: FileMemory, found: Scan, edited: EditedTexts | None) -> Declarations | None:
    """Read the files of ``found`` that differ from the last reading; None where that did not leave all there is.

    ``found`` has the same files as the last reading, some of them changed.
    """
    if not memory.loaded or (edited is not None and edited.paths):
        return None
    loaded, known, changed = memory.loaded, memory.declared, memory.begin_again(root, found)
    if not changed and known is not None:
        memory.loaded, memory.declared = loaded, known
        return known
    jobs = [job for job in (_job_of(found, key) for key in changed) if job is not None]
    if len(jobs) < len(changed):
        return None
    with no_collections(keeps=True), PythonChecker() as checker:
        around = Surroundings(root, checker, frozenset(found.agent_skill_folders), edited)
        for (key, read, arguments), file in jobs:
            loaded[memory.places[key]] = _guarded(read, around, *arguments)
            memory.keep(key, (file,), loaded[memory.places[key]])
        memory.keep_needed(root, around.depends)
    memory.loaded = loaded
    declarations = _nothing_yet(found, len(loaded))
    add_files(declarations, loaded)
    declarations.diagnostics += check_relations(declarations.agent_skills)
    declarations.depends = memory.depends
    memory.declared = declarations
    return declarations


def load_file(root: Path, path: str, hint: str | None, agent_folders: frozenset[str]) -> LoadedFile:
    """Read one YAML or server file again; ``hint`` is its ``ScannedFile.kind_hint``."""
    with PythonChecker() as checker:
        around = Surroundings(root, checker, agent_folders)
        is_server_file = path.rpartition("/")[2] in SERVER_FILES
        return _load_servers(around, path) if is_server_file else _load_yaml(around, path, hint)


def load_agent_skill(root: Path, folder: str, edited: EditedTexts | None = None) -> LoadedFile:
    """Read the Agent Skill in ``folder`` again."""
    decl, findings = read_agent_skill(root, folder, edited)
    loaded = LoadedFile(decl.source.path if decl else folder, agent_skill=decl, diagnostics=findings)
    if decl is None:
        loaded.broken = BrokenFile(folder, "agent_skill")
    return loaded


def add_files(declarations: Declarations, loaded: Sequence[LoadedFile]) -> None:
    """Add what files declare, in their order; of very many files that takes less than one by one."""
    declarations.skills += [file.skill for file in loaded if file.skill is not None]
    declarations.tools += [file.tool for file in loaded if file.tool is not None]
    declarations.server_files += [file.servers for file in loaded if file.servers is not None]
    declarations.agent_skills += [file.agent_skill for file in loaded if file.agent_skill is not None]
    declarations.broken += [file.broken for file in loaded if file.broken is not None]
    for file in loaded:
        if file.actors:
            declarations.actors += file.actors
        if file.diagnostics:
            declarations.diagnostics += file.diagnostics


def _tell(progress: Progress | None, done: int, total: int, declarations: Declarations, told: int) -> int:
    """Tell ``progress`` of the skills beyond the first ``told``; return how many it has been told of."""
    if progress is not None:
        progress(done, total, [skill.name for skill in declarations.skills[told:]])
    return len(declarations.skills)


def _jobs(found: Scan) -> Iterator[_Job]:
    for file in found.files:
        yield file.path, _load_yaml, (file.path, file.kind_hint)
    for file in found.server_files:
        yield file.path, _load_servers, (file.path,)
    for folder in found.agent_skill_folders:
        yield f"{folder}/", _load_folder, (folder,)


def _job_of(found: Scan, key: str) -> tuple[_Job, ScannedFile] | None:
    """Return how the YAML or server file ``key`` is read, and the file as it was found; None for anything else."""
    if (file := file_at(found.files, key)) is not None:
        return (key, _load_yaml, (key, file.kind_hint)), file
    if (file := file_at(found.server_files, key)) is not None:
        return (key, _load_servers, (key,)), file
    return None


def _recalled(memory: FileMemory, stamp: Stamp, job: _Job, around: Surroundings) -> LoadedFile:
    key, read, arguments = job
    loaded = memory.recall(key, stamp)
    if loaded is None:
        loaded = _guarded(read, around, *arguments)
        memory.keep(key, stamp, loaded)
    return loaded


def _guarded(read: Callable[..., LoadedFile], around: Surroundings, *arguments: str | None) -> LoadedFile:
    """Read one file; a fault of this program is told at that file and leaves the others alone."""
    try:
        return read(around, *arguments)
    except Exception as error:  # noqa: BLE001 - the one boundary: whatever a file does, the others are still read
        frame = error.__traceback__
        while frame is not None and frame.tb_next is not None:
            frame = frame.tb_next
        where = f" at {Path(frame.tb_frame.f_code.co_filename).name}:{frame.tb_lineno}" if frame else ""
        message = f"this could not be read because of a fault in the program ({type(error).__name__}{where})"
        path = str(arguments[0])
        finding = UNREADABLE.at(Place(path), message, hint="please report it")
        return LoadedFile(path, broken=BrokenFile(path, "file"), diagnostics=[finding])


def _load_folder(around: Surroundings, folder: str) -> LoadedFile:
    return load_agent_skill(around.root, folder, around.edited)


def _load_yaml(around: Surroundings, path: str, hint: str | None) -> LoadedFile:
    loaded = LoadedFile(path)
    try:
        document = read_yaml(around.text_of(path), path)
    except Unreadable as error:
        return _unreadable(loaded, error, hint)
    kind = classify(hint, document.root)
    if kind is None and hint is None:
        return loaded
    loaded.diagnostics = list(document.diagnostics)
    if kind is None:
        if document.ok:
            loaded.diagnostics.append(_unrecognised(document, hint))
        return loaded
    root = root_mapping(document, _WHAT[kind])
    if isinstance(root, Diagnostic):
        loaded.diagnostics += [root] if document.ok else []
    elif document.ok or _read_to_its_end(document):
        sink = DocumentSink(document.source, document.text)
        other = looks_like(hint, root)
        if other is not None:
            report_misplaced(*other, hint or "", root, sink)
            loaded.broken = BrokenFile(path, other[0], written_name(root, other[0]))
        else:
            trim(root, sink)
            _read_kind(loaded, kind, root, sink, around)
        loaded.diagnostics += sink.finish()
    if not document.ok or isinstance(root, Diagnostic):
        broken = BrokenFile(path, kind, written_name(document.root, kind))
        return LoadedFile(path, broken=broken, diagnostics=_named(loaded.diagnostics, broken))
    return loaded


def _read_to_its_end(document: YamlDocument) -> bool:
    """Whether the faults of the YAML left nothing out, so that what else is wrong can be told too."""
    return all(d.code in _PASSABLE for d in document.diagnostics if d.severity is Severity.ERROR)


def _named(findings: list[Diagnostic], broken: BrokenFile) -> list[Diagnostic]:
    if broken.kind != FileKind.SKILL or broken.name is None:
        return findings
    return [replace(finding, skill=broken.name) for finding in findings]


def _unreadable(loaded: LoadedFile, error: Unreadable, hint: str | None) -> LoadedFile:
    """A file outside of the three folders may be anything, so that it can't be read is no more than told."""
    finding = error.diagnostic
    if hint is None:
        loaded.diagnostics = [finding.with_severity(Severity.INFO)]
        return loaded
    loaded.diagnostics = [finding]
    loaded.broken = BrokenFile(loaded.path, hint.removesuffix("s"))
    return loaded


def _unrecognised(document: YamlDocument, hint: str | None) -> Diagnostic:
    place = document.source.place(document.root.span if isinstance(document.root, Map) else 0)
    message = f"nothing in this file of {hint}/ says what it defines; give it a `name`, or move it elsewhere."
    return UNRECOGNISED.at(
        replace(place, end_line=None, end_column=None), message, hint="add a `name` or move the file"
    )


def _read_kind(loaded: LoadedFile, kind: FileKind, root: Map, sink: DocumentSink, around: Surroundings) -> None:
    if kind is FileKind.ACTOR:
        loaded.actors, broken = read_actor_file(root, sink)
        loaded.broken = BrokenFile(loaded.path, kind, broken) if broken or not loaded.actors else None
        return
    read = read_skill_file if kind is FileKind.SKILL else read_tool_file
    declared = read(root, sink, around)
    if isinstance(declared, SkillFile):
        loaded.skill = declared
    elif isinstance(declared, ToolFile):
        loaded.tool = declared
    else:
        loaded.broken = declared


def _load_servers(around: Surroundings, path: str) -> LoadedFile:
    loaded = LoadedFile(path)
    try:
        document = read_yaml(around.text_of(path), path)
    except Unreadable as error:
        loaded.diagnostics = [error.diagnostic]
        loaded.broken = BrokenFile(path, "server")
        return loaded
    loaded.diagnostics = list(document.diagnostics)
    if not document.ok:
        loaded.broken = BrokenFile(path, "server")
        return loaded
    sink = DocumentSink(document.source, document.text, typed=True)
    check_json(sink)
    trim(document.root, sink)
    loaded.servers = read_server_file(document.root, sink, around)
    if loaded.servers is None:
        loaded.broken = BrokenFile(path, "server")
    loaded.diagnostics += sink.finish()
    return loaded
