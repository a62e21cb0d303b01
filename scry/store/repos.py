"""Which repository a folder belongs to: an identity that survives clones, work trees and moves.

    github.com/jane/hermes      the remote, without scheme, user, password, default port and `.git`
    root:6f1c...                the first commit, where there is no remote on a network
    ""                          no repository, or the folder is gone

Never a path of this machine, never anything that a URL holds before its `@`.  The remote is read
from `.git/config` without starting git, for session hooks ask this every time.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

from scry.errors import StoreError
from scry.store import refs

_SCP = re.compile(r"(?:.*@)?(?:\[([^\]\s]+)\]|([^@:/\\\s\[\]]{2,})):(?!//)(.*)\Z")
_HELPER = re.compile(r"[A-Za-z][A-Za-z0-9+-]*::(.*)\Z")
_HOST = re.compile(r"(?:[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?|[0-9a-f:.]*:[0-9a-f:.]*)\Z")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
# Behind the host, this is the end of a password with a slash in it, or of one without a scheme.
_LATE_AT = re.compile(r"[^/]@")
_UNSAFE = re.compile(r"[\x00-\x20\x7f-\xa0\u2028\u2029\ufeff\"'<>`|]")
_PORTS = {"ssh": 22, "git+ssh": 22, "ssh+git": 22, "https": 443, "http": 80, "git": 9418}
# Where ssh goes when a firewall lets only port 443 through: the same repositories.
_OTHER_DOORS = {
    "ssh.github.com": "github.com",
    "altssh.gitlab.com": "gitlab.com",
    "altssh.bitbucket.org": "bitbucket.org",
}
_SECTION = re.compile(r'\s*\[\s*([A-Za-z0-9.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]')
_SETTING = re.compile(r"\s*([A-Za-z][A-Za-z0-9-]*)\s*=\s*(.*)\Z")
_CONVENTION = "/.claude/worktrees/"


def identity(cwd: Path) -> str:
    """Return the identity of the repository that a folder belongs to, "" for none.

    A folder that is gone counts only as a work tree made by convention
    (`REPO/.claude/worktrees/NAME`): that it belonged to REPO is known.
    """
    try:
        found = _repository(_existing(cwd))
        return _identity(*found) if found else ""
    except (OSError, ValueError, RuntimeError):
        return ""


def normalise_remote(url: str) -> str:
    """Return a remote as HOST/PATH; "" when it is a local path or no address at all.

    >>> normalise_remote("git@GitHub.com:jane/hermes.git")
    'github.com/jane/hermes'
    >>> normalise_remote("https://jane:pass" + "word@github.com/jane/hermes/")
    'github.com/jane/hermes'
    >>> normalise_remote("/srv/git/hermes.git")
    ''
    """
    text = url.strip()
    if _CONTROL.search(text):
        return ""
    if helper := _HELPER.match(text):
        text = helper[1] if "://" in helper[1] else ""
    if "://" in text:
        host, port, path = _of_url(text)
    else:
        found = _SCP.match(text)
        if found is None or text.startswith(("/", ".", "~")):
            return ""
        host, port, path = *_host_and_port(found[1] or found[2]), found[3]
        if _LATE_AT.search(path):
            return ""
    host = host.lower().rstrip(".")
    if host in _OTHER_DOORS:
        host, port = _OTHER_DOORS[host], ""
    path = "/".join(part for part in re.split(r"[?#]", path, maxsplit=1)[0].split("/") if part)
    path = path.removesuffix(".git").rstrip("/")
    if not path or not _HOST.match(host) or _UNSAFE.search(path):
        return ""
    return f"{host}{':' + port if port else ''}/{path}"


def _of_url(text: str) -> tuple[str, str, str]:
    """Return host, port ("" for the usual one) and path of a URL; empty ones for none."""
    try:
        parts = urlsplit(text)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return "", "", ""
    rest = text.partition("://")[2].partition("/")[2]
    if parts.scheme == "file" or (port and "@" in rest) or _LATE_AT.search(rest):
        return "", "", ""
    usual = port is None or port in (_PORTS.get(parts.scheme), 22)
    return host, "" if usual else str(port), parts.path


def _host_and_port(text: str) -> tuple[str, str]:
    """Read `HOST` or, from brackets, `HOST:PORT`; an IPv6 address has colons of its own."""
    host, _, port = text.partition(":")
    if port.isdigit() and ":" not in port:
        return host, "" if port == "22" else port
    return text, ""


# --- where a folder's repository is ---------------------------------------------------------------


def _existing(cwd: Path) -> Path | None:
    if cwd.is_dir():
        return cwd
    text = cwd.as_posix()
    if _CONVENTION not in text:
        return None
    root = Path(text.rpartition(_CONVENTION)[0])
    return root if root.is_dir() else None


def _repository(folder: Path | None) -> tuple[Path, Path] | None:
    """Return (a work tree, its repository's shared folder), going up from a folder."""
    if folder is None:
        return None
    folder = folder.resolve()
    for tree in (folder, *folder.parents):
        if (found := refs.git_folder(tree)) is not None:
            return tree, refs.common_folder(found)
        if (main := _main_of_lost(tree)) is not None:
            return main, main / ".git"
        if (tree / "HEAD").is_file() and (tree / "objects").is_dir() and (tree / "refs").is_dir():
            return tree, refs.common_folder(tree)
    return None


def _main_of_lost(tree: Path) -> Path | None:
    """Return the main work tree of a linked one whose own git folder is gone."""
    try:
        said = (tree / ".git").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    main, found, _ = said.removeprefix("gitdir:").strip().partition("/.git/worktrees/")
    folder = (tree / main).resolve() if found else None
    return folder if folder and (folder / ".git" / "HEAD").is_file() else None


def _identity(tree: Path, common: Path) -> str:
    remotes = {name: known for name, url in _remotes(common) if (known := normalise_remote(url))}
    if "origin" in remotes:
        return remotes["origin"]
    return next(iter(remotes.values()), "") or _root(tree, common)


def _root(tree: Path, common: Path) -> str:
    """Return the first commit; none for a shallow clone, which does not know it."""
    if (common / "shallow").exists():
        return ""
    from scry.store.gitrun import Git

    try:
        out = Git(tree).run("rev-list", "--first-parent", "--max-parents=0", "HEAD")
    except StoreError:
        return ""
    found = out.decode("ascii", "replace").split()
    return f"root:{found[-1]}" if found else ""


# --- .git/config ----------------------------------------------------------------------------------


def _remotes(common: Path) -> Iterator[tuple[str, str]]:
    """Yield (name, first URL) of each remote, in the order of the file."""
    try:
        text = (common / "config").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return
    remote, seen = "", set()
    for line in text.removeprefix("\ufeff").replace("\\\n", "").splitlines():
        rest = line
        if section := _SECTION.match(line):
            remote = _remote_of(section[1], section[2])
            rest = line[section.end() :]
        setting = _SETTING.match(rest)
        if setting and remote and setting[1].lower() == "url" and remote not in seen:
            seen.add(remote)
            yield remote, _value(setting[2])


def _remote_of(section: str, name: str | None) -> str:
    """Return which remote a section is about: `[remote "x"]`, or `[remote.x]` of old."""
    if name is None:
        kind, _, name = section.partition(".")
        return name.lower() if kind.lower() == "remote" else ""
    return re.sub(r"\\(.)", r"\1", name) if section.lower() == "remote" else ""


def _value(text: str) -> str:
    """Return a setting's value without quotes, escapes and the comment behind it."""
    out, quoted, chars = "", False, iter(text)
    for char in chars:
        if char == "\\":
            out += {"n": "\n", "t": "\t", "b": ""}.get(following := next(chars, ""), following)
        elif char == '"':
            quoted = not quoted
        elif char in "#;" and not quoted:
            break
        else:
            out += char
    return out.strip()
