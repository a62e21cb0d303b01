"""Tool calls as verb and object: what the agent did, without what it gave or got.

The tools of both agents are known by name; shell commands are looked into, and so are Codex's
patches and JavaScript.  An object is a file name, a host, a program or an identifier of the tool
itself, never an argument.
"""

import re
from collections.abc import Mapping
from functools import lru_cache

from scry.sources.json_values import parsed
from scry.sources.shell import Deed, deed_of, file_name, host_of, patched_files

_IDENTIFIER = re.compile(r"[A-Za-z][\w.:/-]{0,63}\Z")
_SHELL = frozenset(
    """bash powershell shell shell_command exec_command local_shell container.exec
    run_shell_command run_terminal_cmd""".split()
)
_VERBS = {
    **dict.fromkeys("read notebookread read_file view view_image".split(), "read"),
    **dict.fromkeys(
        "edit multiedit write notebookedit str_replace_editor write_file edit_file".split(),
        "edited",
    ),
    **dict.fromkeys("grep glob toolsearch search grep_files".split(), "searched"),
    **dict.fromkeys("ls list_dir".split(), "listed"),
    **dict.fromkeys("webfetch fetch open_url".split(), "fetched"),
    **dict.fromkeys("websearch web_search web_search_call".split(), "searched the web"),
    **dict.fromkeys("task agent spawn_agent".split(), "delegated"),
    **dict.fromkeys("askuserquestion request_user_input".split(), "asked"),
    **dict.fromkeys(
        """todowrite taskcreate taskupdate tasklist taskget update_plan exitplanmode
        enterplanmode""".split(),
        "planned",
    ),
}
_PATHS = ("file_path", "notebook_path", "path", "filePath")
_SHORT = 300
"""Characters of a command or a path that is looked into once: agents repeat themselves."""
_JS_CALL = re.compile(r"tools\.([A-Za-z_]\w*)\s*\(")
_JS_COMMAND = re.compile(
    r"""\bcmd["']?\s*:\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|`((?:[^`\\]|\\.)*)`)""",
    re.DOTALL,
)


def deed_of_call(name: str, given: object, cwd: str = "") -> Deed:
    """Return (verb, object) of a tool call.

    Args:
        name: the tool.
        given: its input: an object, or text that may hold one, a patch or a program.
        cwd: where the agent worked, to show files relative to it.
    """
    plain = name.casefold()
    fields = _fields(given)
    if plain in _SHELL:
        return _deed_of(_command(fields, given))
    if plain == "apply_patch":
        return "edited", patched_files(_command(fields, given))
    if plain == "exec" and isinstance(given, str):
        return _javascript(given, cwd)
    verb = _VERBS.get(plain)
    if verb is None:
        return "used", name if _IDENTIFIER.match(name) else ""
    return verb, _object(verb, fields, cwd)


def _object(verb: str, fields: Mapping[str, object], cwd: str) -> str:
    if verb in ("read", "edited"):
        path = next((fields[key] for key in _PATHS if isinstance(fields.get(key), str)), "")
        return _file_name(str(path), cwd)
    if verb == "fetched":
        return host_of(str(fields.get("url", "")))
    if verb == "delegated":
        kind = fields.get("subagent_type") or fields.get("agent_type") or ""
        return kind if isinstance(kind, str) and _IDENTIFIER.match(kind) else ""
    return ""


def _deed_of(command: str) -> Deed:
    return _deed_before(command) if len(command) <= _SHORT else deed_of(command)


def _file_name(path: str, cwd: str) -> str:
    return _name_before(path, cwd) if len(path) + len(cwd) <= _SHORT else file_name(path, cwd)


@lru_cache(maxsize=1024)
def _deed_before(command: str) -> Deed:
    return deed_of(command)


@lru_cache(maxsize=1024)
def _name_before(path: str, cwd: str) -> str:
    return file_name(path, cwd)


def _fields(given: object) -> Mapping[str, object]:
    """Return a call's input as an object; text that is no JSON gives an empty one."""
    if isinstance(given, str):
        if given.lstrip()[:1] != "{":
            return {}
        try:
            given = parsed(given)
        except (ValueError, RecursionError):
            return {}
    return given if isinstance(given, dict) else {}


def _command(fields: Mapping[str, object], given: object) -> str:
    """Return the command of a shell call, which agents write as text or as a list of words."""
    for key in ("command", "cmd", "input", "patch", "script"):
        match fields.get(key):
            case str(text):
                return text
            case [str(shell), str(flag), str(text)] if flag.startswith("-") and flag[-1] == "c":
                return text if shell else ""
            case [*words]:
                return " ".join(_quoted(str(word)) for word in words)
            case _:
                continue
    return given if isinstance(given, str) and not fields and "*** " in given else ""


def _quoted(word: str) -> str:
    """Return a word as it would stand in a shell command."""
    return (
        word if word and not re.search(r"[\s\"'|;&]", word) else "'" + word.replace("'", " ") + "'"
    )


def _javascript(source: str, cwd: str) -> Deed:
    """Return what Codex's JavaScript does: the first tool that it calls."""
    called = _JS_CALL.search(source)
    if not called:
        return "ran", "javascript"
    if called[1] == "apply_patch":
        return "edited", patched_files(re.sub(r"\\n|[`\"']", "\n", source))
    if called[1] in _SHELL:
        command = _JS_COMMAND.search(source, called.end())
        text = next((group for group in command.groups() if group), "") if command else ""
        return deed_of(re.sub(r"\\(.)", lambda m: "\n" if m[1] == "n" else m[1], text))
    return deed_of_call(called[1], {}, cwd)
